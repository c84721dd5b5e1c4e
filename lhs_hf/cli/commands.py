"""Commands as objects: what each is called, what it runs, and which libraries of an extra it needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import wraps
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import typer
from packaging.version import Version

from ..errors import CallError

EXTRAS: dict[str, tuple[str, ...]] = {
    "space": ("gradio",),
    "adapters": ("peft",),
}
"""Modules of the extras in pyproject.toml that commands need."""


def require(*modules: str) -> None:
    """Raise `CallError` for the first of some modules that is not installed, naming its extra. Imports none of them."""
    for module in modules:
        if not _installed(module):
            raise missing(module)


def missing(module: str) -> CallError:
    """The error for a module of an extra that is not installed."""
    extra = next(name for name, each in EXTRAS.items() if module in each)
    return CallError(f"this command needs {module}: pip install 'lhs-hf[{extra}]'")


def require_torch(least: str) -> None:
    """Raise `CallError` for a torch older than a version, naming the extra that asks for it. Imports nothing."""
    if Version(version("torch")) < Version(least):
        raise CallError(f"this command needs torch {least} or later: pip install 'lhs-hf[train]'")


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # a finder refuses it; a module that is half imported has no spec
        return False


@dataclass(frozen=True)
class Command:
    """One command. `name` has two words for one of a group; `needs` are modules that `EXTRAS` has.

    `example` is what follows the name on the command line in the example that its help ends with.
    """

    name: str
    run: Callable[..., int]
    needs: tuple[str, ...] = ()
    help: str | None = None
    example: str = ""

    @property
    def epilog(self) -> str:
        """The last lines of its help. The first character keeps them from being wrapped."""
        return "\b\nExample:\n  " + f"lhs-hf {self.name} {self.example}".rstrip()

    def checked(self) -> Callable[..., int]:
        """The function, which looks for what it needs before it does anything."""
        if not self.needs:
            return self.run

        @wraps(self.run)
        def run(**options: Any) -> int:
            require(*self.needs)
            return self.run(**options)

        return run


def register(app: typer.Typer, commands: Iterable[Command], groups: dict[str, str]) -> None:
    """Add commands to an application, those of two words to the group of the first; `groups`: help by name."""
    members = {name: typer.Typer(help=help, no_args_is_help=True) for name, help in groups.items()}
    for command in commands:
        group, _, name = command.name.rpartition(" ")
        (members[group] if group else app).command(name, help=command.help, epilog=command.epilog)(command.checked())
    for name, member in members.items():
        app.add_typer(member, name=name)
