"""How answers differ in kind from those of the reference: a task's own code may take none of these.

What is legal only the evaluation of a person's own task knows. That no answer may be negative, or that all have to be
different, shows once some programs have failed at it.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from functools import reduce
from itertools import islice
from operator import or_
from typing import Any

import numpy as np

from .base import ProbeState, Program
from .roles import is_number, is_whole

SIGNS = ("kind", "unknown", "below", "above", "negative", "fraction", "infinite", "length", "twice", "sum", "more")
"""By bit: an answer of a kind, or one of few, that the reference never gives; numbers below or above all of its own,
below zero, no whole ones, no finite ones; as a list another length, something twice, another sum or a larger one.

Behind them two bits for each of the first arguments: a number above or below it, or above or below its length, where
none of the reference's ever is.
"""
BITS = 62
"""Signs that there may be: the bits of an int64 that say nothing else."""

_FEW = 12
_MOST, _DEEPEST = 4096, 3
_ALIKE = 1e-9


@dataclass(frozen=True)
class Usual:
    """What all answers of the reference have in common; `few` is None where they are many.

    `sides`: of each of the first arguments, whether no answer is above it, and whether none is below it.
    """

    kinds: frozenset[str]
    few: frozenset[Any] | None
    least: float
    most: float
    whole: bool
    twice: bool
    sides: tuple[tuple[bool, bool], ...]


def usual(calls: Sequence[Sequence[Any]], answers: Sequence[Any]) -> Usual:
    """What the answers to some calls have in common."""
    numbers = [number for answer in answers for number in _numbers(answer)]
    plain = all(isinstance(each, (str, bool, np.bool_)) or is_whole(each) for each in answers)
    different = frozenset(answers) if plain else frozenset()
    return Usual(
        frozenset(map(_kind, answers)),
        different if plain and len(different) <= _FEW else None,
        min(numbers, default=0.0),
        max(numbers, default=0.0),
        all(number.is_integer() for number in numbers),
        any(map(_repeats, answers)),
        _always([_sides(call, list(_numbers(answer))) for call, answer in zip(calls, answers)]),
    )


def signs(call: Sequence[Any], answer: Any, own: Any, known: Usual) -> int:
    """The bits (`SIGNS`) of an answer to a call; `own` is that of the reference."""
    try:
        numbers, others = list(_numbers(answer)), list(_numbers(own))
        lengths = [len(each) if isinstance(each, Sized) and not isinstance(each, str) else -1 for each in (answer, own)]
        total, due = sum(numbers), sum(others)
        apart = abs(total - due) > _ALIKE * max(1.0, abs(due))
        sides = zip(known.sides, _sides(call, numbers))
        shown: tuple[bool, ...] = (
            _kind(answer) not in known.kinds,
            known.few is not None and not _among(answer, known.few),
            any(number < known.least for number in numbers),
            any(number > known.most for number in numbers),
            any(number < 0 for number in numbers) and known.least >= 0,
            known.whole and not all(number.is_integer() for number in numbers),
            not np.isfinite(numbers).all(),
            lengths[0] != lengths[1],
            not known.twice and _repeats(answer),
            apart,
            apart and total > due,
            *(usually and not now for pair in sides for usually, now in zip(*pair)),
        )
    except Exception:  # an answer that can not be read
        shown = (True,)
    return sum(1 << place for place, each in enumerate(shown) if each)


class ReferenceAnswers:
    """What a reference answers on probe states, for others to be compared with; where it fails nothing is."""

    def __init__(self, reference: Program, states: Sequence[ProbeState]) -> None:
        self._own: dict[int, list[Any]] = {}
        calls: list[Sequence[Any]] = []
        answers: list[Any] = []
        for state in {id(state): state for state in states}.values():
            try:
                own = [reference(*call) for call in copy.deepcopy(state.calls)]
            except Exception:  # a person's own code  # noqa: S112
                continue
            self._own[id(state)] = own
            calls += state.calls
            answers += own
        self._usual = usual(calls, answers)

    def signs(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """The bits of all answers to the calls of a state."""
        own = self._own.get(id(state), ())
        return reduce(or_, (signs(*each, self._usual) for each in zip(state.calls, answers, own)), 0)


def _sides(call: Sequence[Any], numbers: Sequence[float]) -> list[tuple[bool, bool]]:
    """Of each of the first arguments, whether no number is above it, and whether none is below it."""
    measures = (_measure(argument) for argument in islice(call, (BITS - len(SIGNS)) // 2))
    return [(max(numbers) <= each, min(numbers) >= each) if numbers else (True, True) for each in measures]


def _among(answer: Any, few: frozenset[Any]) -> bool:
    return isinstance(answer, Hashable) and answer in few


def _always(sides: Sequence[Sequence[tuple[bool, bool]]]) -> tuple[tuple[bool, bool], ...]:
    """What holds for all calls."""
    return tuple((all(above for above, _ in each), all(below for _, below in each)) for each in zip(*sides))


def _measure(argument: Any) -> float:
    """A number, or how many entries there are; NaN, which nothing is above or below, for anything else."""
    if is_number(argument):
        return float(argument)
    return float(len(argument)) if isinstance(argument, Sized) else float("nan")


def _kind(answer: Any) -> str:
    if answer is None or isinstance(answer, (bool, np.bool_)):
        return type(answer).__name__.strip("_")
    if is_number(answer):
        return "number"
    for kind in (str, Mapping, tuple, list, np.ndarray, set, frozenset):
        if isinstance(answer, kind):
            return kind.__name__
    return type(answer).__name__


def _numbers(answer: Any, depth: int = _DEEPEST) -> Iterator[float]:
    """The numbers in an answer, the first few thousand of each list."""
    if is_number(answer):
        yield float(answer)
    elif depth and isinstance(answer, (Mapping, list, tuple, set, frozenset, np.ndarray)):
        for part in islice(_parts(answer), _MOST):
            yield from _numbers(part, depth - 1)


def _repeats(answer: Any) -> bool:
    """Whether a list has something twice."""
    if not isinstance(answer, (list, tuple, np.ndarray)):
        return False
    parts = [str(part) if isinstance(part, (list, dict, np.ndarray)) else part for part in islice(answer, _MOST)]
    return len(set(parts)) < len(parts)


def _parts(answer: Any) -> Iterable[Any]:
    if isinstance(answer, Mapping):
        return answer.values()
    return answer.ravel() if isinstance(answer, np.ndarray) else answer
