"""The calls of a task's probe states: what its reference answers there, and what an expression comes to."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...corpus.augmentation.measuring import SCOPE
from ...tasks.base import Task
from ...tasks.roles import is_number

MOST = 400

Call = tuple[Any, ...]


def calls_of(task: Task, most: int | None = MOST) -> list[Call]:
    """The calls of all probe states, the first `most` of them; None for all."""
    return [call for state in task.probes for call in state.calls][:most]


def answers_to(task: Task, calls: Sequence[Call]) -> list[Any]:
    """What the reference answers to each, in this process. Raises whatever a person's own code does."""
    own: Any = task
    return [own.reference(*copy.deepcopy(call)) for call in calls]


def values_in(text: str, names: Sequence[str], calls: Sequence[Call]) -> np.ndarray:
    """An expression over the arguments, called `names`, in each call: float64, NaN where it is no number."""
    code = compile(text, "<term>", "eval")

    def value(known: Mapping[str, Any]) -> float:
        try:
            result = eval(code, {**SCOPE, **known})  # noqa: S307  (it is made of words)
            return float(result) if is_number(result) else np.nan
        except Exception:  # there it is no number
            return np.nan

    with np.errstate(all="ignore"):
        return np.array([value(dict(zip(names, call))) for call in calls], dtype=np.float64)
