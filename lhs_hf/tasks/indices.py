"""Programs that answer with a place, a whole number below the length of an argument, or with one of a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .base import Program
from .roles import is_whole

_MOST_WORDS = 12

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


class Labels(NamedTuple):
    """The words that a template answers with; any other one is a further alternative."""

    words: tuple[str, ...]

    def entries(self, call: _Call) -> list[str]:
        """What is chosen among in every call; the last stands for all other words."""
        return [*self.words, ""]

    def position(self, call: _Call, answer: Any) -> int | None:
        """The place of a word; None for what is none."""
        if not isinstance(answer, str):
            return None
        return self.words.index(answer) if answer in self.words else len(self.words)


def labels_of(calls: Sequence[tuple[_Call, Any]]) -> Labels | None:
    """The words that a template answers with in all its calls; None if it answers with something else, or with many."""
    words = {answer for _, answer in calls if isinstance(answer, str)}
    if not words or len(words) > _MOST_WORDS or not all(isinstance(answer, str) for _, answer in calls):
        return None
    return Labels(tuple(sorted(words)))


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

    return runs(anywhere, rollout) and runs(last, rollout) and not runs(beyond, rollout)


def runs(program: Program, rollout: Callable[[Program], Any]) -> bool:
    """Whether a program can be scored: a person's own code says so where an answer is not allowed."""
    try:
        rollout(program)
    except Exception:  # whatever a person's own code raises
        return False
    return True
