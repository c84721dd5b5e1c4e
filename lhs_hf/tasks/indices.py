"""Programs that answer with a place, a whole number below the length of an argument, rate all places of several lists,
or answer with one of a few words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

import numpy as np

from .answered import Asked, sources
from .base import Program
from .records import Field
from .roles import is_whole

_MOST_WORDS, _LONGEST_WORD = 12, 16
_TRIED = 12

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


class Rated(NamedTuple):
    """The places in some lists of one length, of which programs rate all; the best rated is chosen."""

    asked: Asked

    def entries(self, call: _Call) -> list[int]:
        """What is rated in a call."""
        return Places(self.asked).entries(call)

    def position(self, call: _Call, answer: Any) -> int | None:
        """The place that is rated best; None if the answer has no number for each."""
        values = ratings(answer, len(self.asked.entries(call)))
        return None if values is None else int(values.argmax())


def ratings(answer: Any, count: int) -> np.ndarray | None:
    """So many numbers, (count,); None if an answer is something else."""
    try:
        rated = np.asarray(answer) if isinstance(answer, (list, np.ndarray)) else None
    except ValueError:  # lists of different length
        return None
    return rated if rated is not None and rated.dtype.kind in "fiub" and rated.shape == (count,) else None


def rated_of(calls: Sequence[tuple[_Call, Any]]) -> Rated | None:
    """Of a template that rates the places of several lists, which may hold the same numbers: the first of these lists.

    None if it answers with something else, or if there is one list only, whose entries it rates.
    """
    if not calls:
        return None
    lists = [place for place, value in enumerate(calls[0][0]) if isinstance(value, (list, tuple, np.ndarray))]
    of_length = [
        place
        for place in lists
        if all(_length(call[place]) > 0 and ratings(answer, _length(call[place])) is not None for call, answer in calls)
    ]
    if len(of_length) > 1:
        return Rated(Asked(of_length[0], None, None))
    return None if of_length else _columns_of(calls)


def _columns_of(calls: Sequence[tuple[_Call, Any]]) -> Rated | None:
    """The columns of a matrix, where a template rates these in all its calls, and not its rows."""
    for place, value in enumerate(calls[0][0]):
        if not isinstance(value, np.ndarray) or value.ndim != 2:
            continue
        rated = Rated(Asked(place, Field(".T", attrgetter("T")), None))
        if in_every_call(rated, calls) and any(len(set(call[place].shape)) > 1 for call, _ in calls):
            return rated
    return None


def _length(value: Any) -> int:
    return len(value) if isinstance(value, (list, tuple, np.ndarray)) else 0


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
    """The words that a template answers with in all its calls; None if it answers with something else, or with many.

    Long texts are solutions.
    """
    words = {answer for _, answer in calls if isinstance(answer, str)}
    if not words or len(words) > _MOST_WORDS or not all(isinstance(answer, str) for _, answer in calls):
        return None
    if max(map(len, words)) > _LONGEST_WORD:
        return None
    return Labels(tuple(sorted(words)))


def places_of(
    calls: Sequence[tuple[_Call, Any]], reference: Program, rollout: Callable[[Program], Any]
) -> Places | None:
    """In which list a template's answers are places; None if they are something else.

    `calls`: of the template, with its answers. `rollout` scores a program. An amount or a label may be a small number,
    too: where answers are places, each of them is allowed, or many are in single calls, and the first number beyond
    them is not. Lists of one length stand for one another: it is the first of them.
    """
    if not calls or not all(is_whole(answer) for _, answer in calls):
        return None
    for asked in sources(calls[0][0]):
        places = Places(asked)
        if asked.answered is not None or not in_every_call(places, calls):
            continue
        if any(len(places.entries(call)) > 1 for call, _ in calls):
            return places if _are_places(places, reference, len(calls), rollout) else None
    return None


def in_every_call(known: _Known, calls: Sequence[tuple[_Call, Any]]) -> bool:
    """Whether all answers are what `known` says that they are; no where a call has no such list."""
    try:
        return all(known.position(call, answer) is not None for call, answer in calls)
    except (TypeError, KeyError, IndexError, AttributeError):
        return False


def _are_places(places: Places, reference: Program, calls: int, rollout: Callable[[Program], Any]) -> bool:
    generator = np.random.default_rng(0)

    def anywhere(*arguments: Any) -> int:
        return int(generator.integers(len(places.entries(arguments))))

    def last(*arguments: Any) -> int:
        return len(places.entries(arguments)) - 1

    def beyond(*arguments: Any) -> int:
        return len(places.entries(arguments))

    if runs(anywhere, rollout) and runs(last, rollout):
        return not runs(beyond, rollout)

    def once(program: Program) -> bool:
        """Whether a program may answer in place of the reference in one call, drawn by chance."""
        number, count = int(generator.integers(calls)), itertools.count()
        return runs(lambda *arguments: (program if next(count) == number else reference)(*arguments), rollout)

    # A lane may be full: then not every place is allowed in every call.
    return sum(once(anywhere) for _ in range(_TRIED)) > _TRIED // 2 and not any(once(beyond) for _ in range(_TRIED))


def runs(program: Program, rollout: Callable[[Program], Any]) -> bool:
    """Whether a program can be scored: a person's own code says so where an answer is not allowed."""
    try:
        rollout(program)
    except Exception:  # whatever a person's own code raises
        return False
    return True
