"""`lhs-hf compare`: methods on tasks with one budget, cell by cell."""

from __future__ import annotations

import shlex
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import CallError
from ..fields import check, setting, settings_of
from ..grid.settings import GridSettings
from .generated import takes_settings
from .options import TASK_FILE_HELP, AllowDevelopment, Ray
from .output import error, print_json
from .verbosity import quiet_libraries, shows_progress

if TYPE_CHECKING:
    from ..grid.language import LanguageSource
    from ..grid.plan import Plan
    from ..grid.work import Progress


@dataclass(frozen=True)
class _Names:
    """What is compared."""

    methods: str = setting(
        "",
        "Names with commas between them (--list-methods shows all), paths of files that define a method, or entry "
        "points. NAME@reference and NAME@corpus say where one starts.",
    )
    tasks: str = setting("", f"Names of tasks with commas between them, or paths of task files. {TASK_FILE_HELP}")
    programs: str = setting("", "Folders of programs to evaluate beside the methods, TASK.py for each task.")
    splits: str = setting("", "Splits that programs are judged on, besides holdout. Without it: all.")


@dataclass(frozen=True)
class _Language:
    """Who writes programs for the methods that ask a language model."""

    model: str | None = setting(
        None,
        "Language model of methods that ask one: a name of the Hub or a folder runs here, hub:NAME asks an "
        "inference provider.",
    )
    base_url: str | None = setting(
        None, "The server of --model, which speaks OpenAI's protocol: http://localhost:8000/v1."
    )
    per_minute: int | None = setting(None, "Requests to the server in a minute, at most.", least=1)
    replay: Path | None = setting(None, "Folder of another comparison: what language models said there is said again.")

    def source(self) -> LanguageSource | None:
        """None where no model is named. Raises `CallError` for options that exclude each other."""
        from ..grid.language import Named, Replay

        check(self)
        if self.replay is not None:
            if self.model is not None or self.base_url is not None:
                raise CallError("--replay takes the replies from a comparison; leave out --model and --base-url")
            return Replay(self.replay)
        if self.model is None:
            if self.base_url is not None or self.per_minute is not None:
                raise CallError("--base-url and --per-minute go with --model, the name that the server has for it")
            return None
        return Named(self.model, self.base_url, per_minute=self.per_minute)


@takes_settings(_Names, GridSettings, _Language)
def compare(
    output: Annotated[Path, typer.Option(help="Folder of the comparison; one that is there goes on.")] = Path("grid"),
    processes: Annotated[int, typer.Option(help="How many cells are at work at once.")] = 1,
    ray: Ray = None,
    cache: Annotated[bool, typer.Option(help="Remember evaluations between runs.")] = True,
    list_methods: Annotated[bool, typer.Option("--list-methods", help="Say which methods there are, and end.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object in the end.")] = False,
    allow_development_isolation: AllowDevelopment = False,
    *,
    given: dict[str, Any],
) -> int:
    """Compare search methods on tasks: the same budget, sandbox and splits for all, paired by seed.

    Every cell (a method, a task, a seed) is kept as it ends; the same command goes on with what is missing, and more
    methods, tasks and seeds may be added. lhs-hf report FOLDER makes the tables and figures anew.
    """
    quiet_libraries()
    from ..grid.contenders import CONTENDERS
    from ..grid.work import compare as run
    from ..reporting.grid_report import report_grid

    if list_methods:
        width = max(map(len, CONTENDERS))
        print("\n".join(f"{name:{width}}  {each.about}" for name, each in CONTENDERS.items()))
        return 0
    plan, language = _plan(given), _of(_Language, given).source()
    problems: list[str] = []

    def show(progress: Progress) -> None:
        if progress.result is None:
            problems.append(f"{progress.cell.name}: {progress.problem}")
        elif shows_progress() and not json:
            print(_line(progress), flush=True)

    try:
        grid = run(plan, output, language=language, processes=processes, cluster=ray, cached=cache, listener=show)
    except KeyboardInterrupt:
        again = shlex.join(["lhs-hf", *sys.argv[1:]])
        print(f"interrupted; every finished cell is kept, go on with: {again}", file=sys.stderr)
        return 1
    text, written = report_grid(output) if grid.cells else ("no cell is finished", [])
    if json:
        files = [str(path) for path in written]
        print_json({"folder": str(output), "cells": len(grid.cells), "problems": problems, "files": files})
    else:
        print(text)
        print("written: " + ", ".join(map(str, written)))
    for problem in problems:
        error(f"no result of {problem}", 1)
    wanted = {cell for cell, _, _ in plan.cells()}
    if missing := len(wanted - {each.cell for each in grid.cells}) - len(problems):
        print(f"{missing} cells are at work in other processes", file=sys.stderr)
    return 1 if problems else 0


def _of(kind: type[Any], given: dict[str, Any]) -> Any:
    names = {each.name for each in settings_of(kind)}
    return kind(**{name: value for name, value in given.items() if name in names})


def _plan(given: dict[str, Any]) -> Plan:
    from ..grid.plan import Plan, split_names

    arguments: dict[str, Any] = {each.name: split_names(given.get(each.name, "")) for each in settings_of(_Names)}
    arguments |= {each.name: given[each.name] for each in settings_of(GridSettings) if each.name in given}
    return Plan(**arguments)


def _line(progress: Progress) -> str:
    from ..grid.plan import SPLIT

    done = f"{progress.done}/{progress.total}"
    assert progress.result is not None
    value = progress.result.objective(SPLIT)
    shown = "fails" if value is None else f"{value:.6g}"
    spent = progress.result.spent
    return f"{done}  {progress.cell.name}  {SPLIT} {shown} ({progress.result.novelty}), {spent.seconds:.0f} s"
