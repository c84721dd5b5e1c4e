"""Probe states of programs that answer one call with a whole solution: nothing is chosen, they only have to run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._shared import only_answer
from .base import IllegalAnswer, ProbeState, Program

COLLECTIONS = (list, tuple, set, frozenset, dict, np.ndarray)
SOLUTIONS = (*COLLECTIONS, str)
_FEWEST = 4
_LESS = 0.97
"""Of whole numbers below 17, as ids are, the same is left."""


@dataclass(frozen=True)
class Whole:
    """The context of such a state.

    `order`: the numbers that a solution puts in some order, if the reference program's does no more.
    """

    order: tuple[int, ...] = ()


def whole_state(call: tuple[Any, ...], answer: Any, width: int) -> ProbeState:
    """A call of the reference program that answers with a whole solution; `width`: of the features, which are zeros.

    An order is one of all that there is: the first few entries that fit, or as many as are asked for, may be chosen in
    order, too.
    """
    ordered = is_order(answer) and len(answer) == _size(call)
    order = tuple(sorted(int(each) for each in answer)) if ordered else ()
    return ProbeState((call,), np.zeros((1, width)), Whole(order))


def _size(call: tuple[Any, ...]) -> int | None:
    """The largest length of an argument or of what is in one; of no such arguments, the largest whole number."""
    held = [each for each in call if isinstance(each, COLLECTIONS)]
    inside = [part for each in held for part in _parts(each) if isinstance(part, COLLECTIONS)]
    numbers = [int(each) for each in call if isinstance(each, (int, np.integer))]
    return max((len(each) for each in (*held, *inside)), default=max(numbers, default=None))


def _parts(value: Any) -> list[Any]:
    return list(value.values()) if isinstance(value, dict) else list(value)


def whole_decision(context: Whole, answers: Sequence[Any]) -> int:
    """0: there is one row. Raises `IllegalAnswer` for what is no solution of the kind that the reference's is."""
    answer = only_answer(answers)
    if not isinstance(answer, SOLUTIONS):
        raise IllegalAnswer("the answer is no list, tuple, array, set, dictionary or text")
    order = list(context.order)
    if order and sorted(answer) != order:
        raise IllegalAnswer(f"the answer does not have each of the numbers {order[0]} to {order[-1]} once")
    return 0


def is_order(answer: Any) -> bool:
    """Whether an answer has the whole numbers from 0, or from 1, in some order; not so where they are few."""
    values = list(answer) if isinstance(answer, (list, tuple, np.ndarray)) else []
    whole = all(isinstance(each, (int, np.integer)) and not isinstance(each, bool) for each in values)
    if len(values) < _FEWEST or not whole:
        return False
    return sorted(values) in (list(range(len(values))), list(range(1, len(values) + 1)))


def less_will_do(
    calls: Sequence[tuple[tuple[Any, ...], Any]], reference: Program, evaluated: Callable[[Program], Any]
) -> bool:
    """Whether a little less of each whole number is allowed, too, and another score: they are amounts, and no ids.

    `evaluated` scores a program; what it raises says that it is not allowed.
    """
    if any(is_order(answer) for _, answer in calls):
        return False

    def less(*arguments: Any) -> Any:
        return np.rint(_LESS * np.asarray(reference(*arguments))).astype(np.int64).tolist()

    try:
        return not np.array_equal(evaluated(reference), evaluated(less))
    except Exception:  # whatever a person's own code raises
        return False
