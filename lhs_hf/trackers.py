"""Trackers of experiments: which there are, and whether one can be used here. Nothing of them is imported."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from .errors import CallError, unknown

NONE, TRACKIO, TENSORBOARD, WANDB = "none", "trackio", "tensorboard", "wandb"
TRACKERS = (NONE, TRACKIO, TENSORBOARD, WANDB)
PROJECT = "lhs_hf"
HELP = "Tracker of experiments: trackio and tensorboard write to this machine, wandb sends to its service."

_CURRENT: ContextVar[str] = ContextVar("report_to", default=NONE)


def check_tracker(name: str) -> None:
    """Raise `CallError` for a tracker that does not exist or is not installed."""
    if name not in TRACKERS:
        raise unknown("tracker", name, TRACKERS)
    if name != NONE and importlib.util.find_spec(name) is None:
        extra = f"'lhs-hf[{name}]'" if name == TRACKIO else name
        raise CallError(f"reporting to {name} needs its package: pip install {extra}")


@contextmanager
def reporting_to(name: str) -> Iterator[None]:
    """Every training within the block reports to this tracker. Raises `CallError` as `check_tracker` does."""
    check_tracker(name)
    before = _CURRENT.set(name)
    try:
        yield
    finally:
        _CURRENT.reset(before)


def reports_to() -> str:
    """The tracker that a training reports to; "none" unless somebody asked for one."""
    return _CURRENT.get()
