"""The command line, `lhs-hf`. Exit status: 0 done; 1 the program or run failed; 2 the call was wrong."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from .. import __version__
from ..errors import CallError
from ..tasks import UnknownTask
from . import compare, corpus, evaluate, export, inspect, own_task, push, search, skills, space, train
from .commands import EXTRAS, Command, missing, register
from .options import with_ray_address
from .output import error
from .verbosity import set_verbosity

# Typer carries its own copy of click; the public exception leads to the base class of all wrong calls.
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]

app = typer.Typer(
    name="lhs-hf",
    help="Latent Heuristic Search: find better heuristic programs by moving through a learned latent space.",
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"lhs-hf {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    verbose: Annotated[
        int,
        typer.Option(
            "--verbose", "-v", count=True, help="Say what is opened and chosen; -vv: the libraries speak too."
        ),
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and end.")
    ] = False,
) -> None:
    set_verbosity(-1 if quiet else verbose)


COMMANDS = (
    Command("tasks", inspect.tasks, example="--zoo"),
    Command("evaluate", evaluate.evaluate, example="tsp_construct best.py --split holdout"),
    Command("search", search.search, example="tsp_construct --budget 20 --output runs/mine"),
    Command(
        "compare",
        compare.compare,
        example="--methods default,climb --tasks knapsack_construct --seeds 2 --budget 10 --output grid",
    ),
    Command("report", inspect.report, example="runs/mine"),
    Command(
        "export-adapter",
        export.export_adapter,
        EXTRAS["adapters"],
        example="runs/mine --candidate 17 --output my-adapter",
    ),
    Command("doctor", inspect.doctor, example="--json"),
    Command("init-task", own_task.init_task, example="my_jobs"),
    Command("check-task", own_task.check_task, example="my_jobs.py"),
    Command("space", space.space, EXTRAS["space"], example="--port 7860"),
    *train.COMMANDS,
    Command("corpus build", corpus.build, example="--task knapsack_construct --output corpus"),
    Command("corpus stats", corpus.stats, example="--corpus corpus"),
    Command("corpus augment", corpus.augment, example="tsp_construct best.py --tier c --count 3"),
    Command("corpus score", corpus.score, example="my_jobs.py programs.jsonl --output mine"),
    Command("corpus verify", corpus.verify, example="--task knapsack_construct --sample 10"),
    Command("corpus generate", corpus.generate, example="my_jobs.py --llm http://localhost:8000/v1"),
    Command("skills install", skills.install, example="--folder .claude/skills"),
    Command("push models", push.models, example="OWNER/NAME --model qwen/export"),
    Command("push surrogate", push.surrogate, example="tsp_construct OWNER/NAME --model qwen/export"),
    Command("push corpus", push.corpus, example="OWNER/PROGRAMS"),
    Command("push space", push.space, example="OWNER/SPACE"),
    Command("push run", push.run, example="runs/mine OWNER/RUN"),
    Command("pull", push.pull, example="OWNER/RUN runs/mine"),
)
_GROUPS = {
    "train": "Train a model, or one of its parts, from a corpus.",
    "corpus": "Build, inspect and extend the corpus of programs.",
    "skills": "What coding agents should know of this package.",
    "push": "Upload to the Hub: a model, a task's surrogates, the corpus, the Space, a run.",
}
register(app, COMMANDS, _GROUPS)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    try:
        result = typer.main.get_command(app).main(
            with_ray_address(sys.argv[1:] if argv is None else argv), prog_name="lhs-hf", standalone_mode=False
        )
        return int(result or 0)
    except _UsageError as problem:
        context = getattr(problem, "ctx", None)
        message = str(problem.format_message())  # type: ignore[attr-defined]
        if context is not None and message == context.get_help():
            print(message)
            return 2
        commands = getattr(getattr(context, "command", None), "commands", None)
        hint = f"; the commands are: {', '.join(commands)}" if commands else ""
        return error((message or str(problem)).rstrip(".") + hint, 2)
    except typer.Abort:
        return error("interrupted", 1)
    except (CallError, UnknownTask) as problem:
        return error(str(problem), 2)
    except KeyboardInterrupt:
        return error("interrupted", 1)
    except (OSError, sqlite3.Error) as problem:
        # A full disk, a folder without permission, a locked database: nothing a traceback would explain.
        return error(f"{type(problem).__name__}: {problem}", 1)
    except ModuleNotFoundError as problem:
        # A command without an extra may still come to a part that needs one.
        if any(problem.name in modules for modules in EXTRAS.values()):
            return error(str(missing(str(problem.name))), 2)
        raise


def run() -> None:
    """Entry point of the console script."""
    sys.exit(main())
