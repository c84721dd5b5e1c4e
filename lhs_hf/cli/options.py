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


AllowDevelopment = Annotated[
    bool,
    typer.Option(
        "--allow-development-isolation",
        callback=_allow,
        help="Run programs even where the system has no kernel fences (macOS, some containers).",
    ),
]
