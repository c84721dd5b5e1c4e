"""Programs that answer with a place, a whole number below the length of an argument, or with one of a few words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from .answered import Asked, sources
from .base import Program
from .roles import is_whole

_MOST_WORDS = 12

_Call = tuple[Any, ...]


class _Known(Protocol):
    def position(self, call: _Call, answer: Any, /) -> int | None: ...


class Places(NamedTuple):
    """The places in a list, an argument or what lies in one that is a record."""

    asked: Asked

    def entries(self, call: _Call) -> list[int]:
        """What is chosen among in a call."""
        return list(range(len(self.asked.entries(call))))

    def position(self, call: _Call, answer: Any) -> int | None:
        """The place that is answered; None if it is none."""
        return int(answer) if is_whole(answer) and 0 <= answer < len(self.asked.entries(call)) else None


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
    """In which list a template's answers are places; None if they are something else.

    `calls`: of the template, with its answers. `rollout` scores a program. An amount or a label may be a small number,
    too: where answers are places, each of them is allowed and the first number beyond them is not. Lists of one length
    stand for one another: it is the first of them.
    """
    if not calls or not all(is_whole(answer) for _, answer in calls):
        return None
    for asked in sources(calls[0][0]):
        places = Places(asked)
        if asked.answered is not None or not in_every_call(places, calls):
            continue
        if any(len(places.entries(call)) > 1 for call, _ in calls):
            return places if _are_places(places, rollout) else None
    return None


def in_every_call(known: _Known, calls: Sequence[tuple[_Call, Any]]) -> bool:
    """Whether all answers are what `known` says that they are; no where a call has no such list."""
    try:
        return all(known.position(call, answer) is not None for call, answer in calls)
    except (TypeError, KeyError, IndexError, AttributeError):
        return False


def _are_places(places: Places, rollout: Callable[[Program], Any]) -> bool:
    generator = np.random.default_rng(0)

    def anywhere(*arguments: Any) -> int:
        return int(generator.integers(len(places.entries(arguments))))

    def last(*arguments: Any) -> int:
        return len(places.entries(arguments)) - 1

    def beyond(*arguments: Any) -> int:
        return len(places.entries(arguments))

    return runs(anywhere, rollout) and runs(last, rollout) and not runs(beyond, rollout)


def runs(program: Program, rollout: Callable[[Program], Any]) -> bool:
    """Whether a program can be scored: a person's own code says so where an answer is not allowed."""
    try:
        rollout(program)
    except Exception:  # whatever a person's own code raises
        return False
    return True
