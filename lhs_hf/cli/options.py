"""Options several commands share."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import Annotated

import typer

from ..evaluation.sandbox.isolation import OVERRIDE_VARIABLE


def _allow(value: bool) -> bool:
    if value:
        os.environ[OVERRIDE_VARIABLE] = "1"
    return value


TASK_FILE_HELP = "A task file is not fenced: it runs as your own code, unlike the programs that are scored."
"""Belongs to the help of every argument that may name a task file."""

TASK_HELP = f"Name of a task (see lhs-hf tasks), or the path of a task file. {TASK_FILE_HELP}"

RAY_HELP = (
    "Run programs on a Ray cluster: [ADDRESS] is HOST:PORT, auto (the one this machine belongs to; without an address) "
    "or local."
)
"""Belongs to the help of every `--ray`."""

Ray = Annotated[str | None, typer.Option("--ray", help=RAY_HELP)]

RunTask = Annotated[
    str | None,
    typer.Option(
        "--task",
        help=f"Of a run of a task of your own: its file, never the one that only the run names. {TASK_FILE_HELP}",
    ),
]

_RAY_ADDRESS = re.compile(r"auto|local|.*:.*")


def with_ray_address(words: Sequence[str]) -> list[str]:
    """Words of a command line in which a `--ray` that no address follows says `auto`; what follows `--` stays."""
    completed: list[str] = []
    for place, word in enumerate(words):
        if word == "--":
            return [*completed, *words[place:]]
        completed.append(word)
        following = words[place + 1] if place + 1 < len(words) else ""
        if word == "--ray" and not _RAY_ADDRESS.fullmatch(following):
            completed[-1] = "--ray=auto"
    return completed


AllowDevelopment = Annotated[
    bool,
    typer.Option(
        "--allow-development-isolation",
        callback=_allow,
        help="Run programs even where the system has no kernel fences (macOS, some containers).",
    ),
]
