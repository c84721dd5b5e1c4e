"""What answers are like that count by their size: a bid, a threshold, how much to order, shares of a budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...corpus.augmentation.parametric import shorten
from ...corpus.augmentation.vocabulary import Term
from ...corpus.augmentation.words import vocabulary
from ...tasks.base import Task
from ...tasks.roles import is_number, is_whole
from .calls import Call, answers_to, calls_of
from .inside import once

_KEPT = "_amounts"
_BOUNDED, _ALONG = 0.7, 0.6
_TINY = 1e-9
_CODES = frozenset(range(-1, 4))
"""Whole numbers that are no amounts, if there are no others."""


@dataclass(frozen=True)
class Amounts:
    """The answers of the reference, and the numbers that others can be made of.

    Attributes:
        size: of a number in an answer, typically.
        whole: whether all of them are whole.
        least: whether none is below zero.
        most: templates of numbers that no answer is above, and some are equal to.
        between: templates of two numbers that all answers lie between, the ends of an interval; else nothing.
        listed: of answers with many numbers, whether they are one for each alternative.
        array: whether answers are arrays.
        total: what the numbers of an answer come to, where that is always the same.
        limit: a template of what the numbers of an answer come to at most, and now and then; else nothing.
        marks: whether all of them are 0 or 1.
        terms: what is known of a call, or of an alternative, with its size.
        shared: what is known of a call.
    """

    size: float
    whole: bool
    least: bool
    most: tuple[str, ...]
    between: tuple[str, ...]
    listed: bool
    array: bool
    total: float | None
    limit: str
    marks: bool
    terms: tuple[Term, ...]
    shared: tuple[Term, ...]

    def allowed(self, text: str, names: Mapping[str, str], generator: np.random.Generator) -> str:
        """An expression, kept to what answers are; bounds may be no more than the reference's habit."""
        for bound in self.most:
            if generator.random() < _BOUNDED:
                text = f"min({bound.format(**names)}, {text})"
        if self.between:
            low, high = (bound.format(**names) for bound in self.between)
            return f"min({high} - 0.02 * ({high} - {low}), max({low} + 0.02 * ({high} - {low}), {text}))"
        if self.marks:
            level = shorten(self.size * float(np.exp(generator.normal(0.0, 0.6))))
            return f"(1 if {text} {'>' if generator.random() < 0.5 else '<='} {level} else 0)"
        text = f"max(0, {text})" if self.least else text
        return f"int({text})" if self.whole else text

    def along(self, text: str, names: Mapping[str, str], generator: np.random.Generator) -> str | None:
        """An expression as a share of the way between two ends; None where there are none, and at times."""
        if not self.between or generator.random() > _ALONG:
            return None
        low, high = (bound.format(**names) for bound in self.between)
        share = shorten(float(np.exp(generator.normal(-0.7, 0.5))) / self.size)
        return f"{low} + ({high} - {low}) * min(0.98, max(0.02, {share} * ({text})))"


def amounts(task: Task) -> Amounts | None:
    """Of a task whose programs answer amounts, once; None for others, and where nothing is known in its calls."""
    return once(task, _KEPT, _amounts)


def _amounts(task: Task) -> Amounts | None:
    answers = getattr(task, "answers", None)
    if answers not in ("priority", "scores") or getattr(task, "judges", False) or not task.values_matter:
        return None
    words = vocabulary(task)
    terms = tuple({term.text: term for term in (*words.measured, *words.shared) if term.size > _TINY}.values())
    try:
        calls = calls_of(task)
        given = answers_to(task, calls)
        rows = [list(answer) if answers == "scores" else [answer] for answer in given]
    except Exception:  # a person's own code; check-task names what is wrong with it
        return None
    numbers = [number for row in rows for number in row]
    if not terms or not numbers or not all(is_number(number) and np.isfinite(number) for number in numbers):
        return None
    if answers == "priority" and set(numbers) <= _CODES and all(map(is_whole, numbers)):
        return None
    size, single = float(np.mean(np.abs(numbers))), answers == "priority"
    arguments = [f"{{{name}}}" for name in task.arguments]
    return Amounts(
        size if size > _TINY else 1.0,
        all(map(is_whole, numbers)),
        bool(min(numbers) >= 0),
        tuple(arguments[place] for place in _most(calls, numbers)) if single else (),
        next((tuple(arguments[each] for each in pair) for pair in _between(calls, numbers)), ()) if single else (),
        not single,
        any(isinstance(answer, np.ndarray) for answer in given),
        None if single else _total(rows),
        "" if single else next((arguments[place] for place in _limits(calls, rows)), ""),
        not single and set(numbers) <= {0, 1},
        terms,
        tuple(term for term in (words.shared if not single else terms) if term.size > _TINY),
    )


def _columns(calls: Sequence[Call]) -> Iterator[tuple[int, list[Any]]]:
    """The arguments that are numbers in all calls."""
    for place in range(min(map(len, calls))):
        values = [call[place] for call in calls]
        if all(map(is_number, values)):
            yield place, values


def _most(calls: Sequence[Call], answers: Sequence[float]) -> Iterator[int]:
    """The arguments that are never below the answer, and now and then equal to it."""
    for place, values in _columns(calls):
        pairs = list(zip(answers, values))
        if all(a <= v for a, v in pairs) and any(a == v for a, v in pairs):
            yield place


def _limits(calls: Sequence[Call], rows: Sequence[Sequence[float]]) -> Iterator[int]:
    """The arguments that the sum of an answer is never above, and now and then as large as."""
    sums = [float(sum(row)) for row in rows]
    for place, values in _columns(calls):
        pairs = list(zip(sums, values))
        if all(a <= v + 1e-6 for a, v in pairs) and any(abs(a - v) <= 1e-6 for a, v in pairs):
            yield place


def _between(calls: Sequence[Call], answers: Sequence[float]) -> Iterator[tuple[int, int]]:
    """Two arguments that change, with all answers between them, and now and then near either of them."""
    columns = [(place, values) for place, values in _columns(calls) if len(set(values)) > 2]
    for low, below in columns:
        for high, above in columns:
            if low != high and all(b < a < v for a, b, v in zip(answers, below, above)):
                yield low, high


def _total(rows: Sequence[Sequence[float]]) -> float | None:
    """What the numbers of each answer come to, if it is always the same; what a single call says may be chance."""
    sums = [float(sum(row)) for row in rows]
    same = len(rows) > 1 and np.allclose(sums, sums[0], rtol=1e-6) and sums[0] > _TINY
    return sums[0] if same and min(min(row) for row in rows) >= 0 else None
