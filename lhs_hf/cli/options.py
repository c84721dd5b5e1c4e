"""Options several commands share."""

from __future__ import annotations

import os
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

RunTask = Annotated[
    str | None,
    typer.Option(
        "--task",
        help=f"Of a run of a task of your own: its file, never the one that only the run names. {TASK_FILE_HELP}",
    ),
]

AllowDevelopment = Annotated[
    bool,
    typer.Option(
        "--allow-development-isolation",
        callback=_allow,
        help="Run programs even where the system has no kernel fences (macOS, some containers).",
    ),
]
