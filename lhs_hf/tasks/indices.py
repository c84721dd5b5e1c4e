"""Programs that answer with a place: a whole number from 0 below the length of an argument that they are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .base import Program
from .roles import is_whole

_Call = tuple[Any, ...]


class Places(NamedTuple):
    """The places in an argument, itself given by its place."""

    argument: int

    def entries(self, call: _Call) -> list[int]:
        """What is chosen among in a call."""
        return list(range(len(call[self.argument])))

    def position(self, call: _Call, answer: Any) -> int | None:
        """The place that is answered; None if it is none."""
        return int(answer) if is_whole(answer) and 0 <= answer < len(call[self.argument]) else None


def places_of(calls: Sequence[tuple[_Call, Any]], rollout: Callable[[Program], Any]) -> Places | None:
    """Which argument a template's answers are places in; None if they are something else.

    `calls`: of the template, with its answers. `rollout` scores a program. An amount or a label may be a small number,
    too: where answers are places, each of them is allowed and the first number beyond them is not. Arguments of one
    length stand for one another: it is the first of them.
    """
    if not calls or not all(is_whole(answer) for _, answer in calls):
        return None
    for place in range(len(calls[0][0])):
        lengths = [len(call[place]) if isinstance(call[place], (list, tuple, np.ndarray)) else 0 for call, _ in calls]
        if max(lengths) > 1 and all(0 <= answer < length for (_, answer), length in zip(calls, lengths)):
            return Places(place) if _are_places(place, rollout) else None
    return None


def _are_places(place: int, rollout: Callable[[Program], Any]) -> bool:
    generator = np.random.default_rng(0)

    def anywhere(*arguments: Any) -> int:
        return int(generator.integers(len(arguments[place])))

    def last(*arguments: Any) -> int:
        return len(arguments[place]) - 1

    def beyond(*arguments: Any) -> int:
        return len(arguments[place])

    return _runs(anywhere, rollout) and _runs(last, rollout) and not _runs(beyond, rollout)


def _runs(program: Program, rollout: Callable[[Program], Any]) -> bool:
    try:
        rollout(program)
    except Exception:  # a person's own code says so where an answer is not allowed
        return False
    return True
