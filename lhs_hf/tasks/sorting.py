"""Programs that see one thing a call and answer by what it is sorted: one number, or several one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .base import IllegalAnswer, ProbeState, Program, Task, percentiles
from .features import priority_features
from .roles import is_number

_COMPARED = 8
"""Calls whose answers are compared with each other."""


def compared(task: Task, calls: Sequence[tuple[Any, ...]]) -> list[ProbeState]:
    """Successive calls, up to eight a probe state."""
    states = []
    for start in range(0, len(calls) - 1, _COMPARED):
        together = tuple(calls[start : start + _COMPARED])
        ranked = percentiles(np.nan_to_num(priority_features(together)))
        missing = len(task.probe_feature_names) - ranked.shape[1]
        if len(together) > 1:
            states.append(ProbeState(together, np.pad(ranked, ((0, 0), (0, missing)))))
    return states


def answer_keys(
    calls: Sequence[tuple[tuple[Any, ...], Any]], reference: Program, evaluated: Callable[[Program], Any]
) -> bool:
    """Whether the answers to all calls are keys (`is_key`) in place of which one number will do.

    `evaluated` runs a program; what it raises says that it will not.
    """
    if not all(is_key(answer) for _, answer in calls):
        return False
    try:
        evaluated(lambda *arguments: reference(*arguments)[0])
    except Exception:  # whatever a person's own code raises
        return False
    return True


def is_key(answer: Any) -> bool:
    """Whether an answer is some numbers that things may be sorted by."""
    return isinstance(answer, tuple) and len(answer) > 0 and all(map(is_number, answer))


def largest_key(answers: Sequence[tuple[Any, ...]]) -> int:
    """The place of the largest of some keys (`is_key`), the first of equals. Raises `IllegalAnswer` for NaN."""
    if any(np.isnan(number) for answer in answers for number in answer):
        raise IllegalAnswer("a key holds what is not a number (NaN)")
    return max(range(len(answers)), key=lambda place: answers[place])
