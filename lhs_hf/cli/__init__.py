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
from . import compare, corpus, evaluate, export, inspect, own_task, push, search, space, train
from .commands import EXTRAS, Command, missing, register
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
    Command("tasks", inspect.tasks),
    Command("evaluate", evaluate.evaluate),
    Command("search", search.search),
    Command("compare", compare.compare),
    Command("report", inspect.report),
    Command("export-adapter", export.export_adapter, EXTRAS["adapters"]),
    Command("doctor", inspect.doctor),
    Command("init-task", own_task.init_task),
    Command("check-task", own_task.check_task),
    Command("space", space.space, EXTRAS["space"]),
    *train.COMMANDS,
    Command("corpus build", corpus.build),
    Command("corpus stats", corpus.stats),
    Command("corpus augment", corpus.augment),
    Command("corpus score", corpus.score),
    Command("corpus verify", corpus.verify),
    Command("corpus generate", corpus.generate),
    Command("push models", push.models),
    Command("push surrogate", push.surrogate),
    Command("push corpus", push.corpus),
    Command("push space", push.space),
    Command("push run", push.run),
    Command("pull", push.pull),
)
_GROUPS = {
    "train": "Train a model, or one of its parts, from a corpus.",
    "corpus": "Build, inspect and extend the corpus of programs.",
    "push": "Upload to the Hub: a model, a task's surrogates, the corpus, the Space, a run.",
}
register(app, COMMANDS, _GROUPS)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    try:
        result = typer.main.get_command(app).main(
            list(argv) if argv is not None else None, prog_name="lhs-hf", standalone_mode=False
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
