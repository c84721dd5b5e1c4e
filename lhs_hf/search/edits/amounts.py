"""Other amounts, for programs that answer a number which counts by its size: a bid, a threshold, how much to order."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import libcst as cst
import numpy as np

from ...corpus.augmentation.editing import Program, pick, read
from ...corpus.augmentation.parametric import shorten
from ...corpus.augmentation.reading import number
from ...corpus.augmentation.scoring import argument_names
from ...corpus.augmentation.vocabulary import Term
from ...corpus.augmentation.words import vocabulary
from ...tasks.base import Task
from ...tasks.roles import is_number, is_whole
from .inside import once
from .parents import Parent, Proposal

_KEPT = "_amounts"
_MOST_CALLS = 400
_SHARES = (0.2, 0.2, 0.3, 0.3)
"""Of programs anew, answers anew, changed answers, and numbers in place of a constant."""
_FURTHER_TERMS = (0.3, 0.45, 0.25)
_SCATTER, _NEAR = 0.6, 0.3
_BOUNDED, _AS_IT_IS = 0.7, 0.4
_TINY = 1e-9


@dataclass(frozen=True)
class Amounts:
    """What the answers of the reference are like, and the numbers that others can be made of.

    Attributes:
        size: of an answer, typically.
        whole: whether all answers are whole numbers.
        least: whether none is below zero.
        most: templates of numbers that no answer is above, and some are equal to.
        terms: what is known in a call, with its size.
    """

    size: float
    whole: bool
    least: bool
    most: tuple[str, ...]
    terms: tuple[Term, ...]

    def allowed(self, text: str, names: Mapping[str, str], generator: np.random.Generator) -> str:
        """An expression, kept to what answers are; bounds may be no more than the reference's habit."""
        for bound in self.most:
            if generator.random() < _BOUNDED:
                text = f"min({bound.format(**names)}, {text})"
        text = f"max(0, {text})" if self.least else text
        return f"int({text})" if self.whole else text


def amounts(task: Task) -> Amounts | None:
    """Of a task whose programs answer an amount, once; None for others, and where nothing is known in its calls."""
    return once(task, _KEPT, _amounts)


def _amounts(task: Task) -> Amounts | None:
    if getattr(task, "answers", None) != "priority" or getattr(task, "judges", False) or not task.values_matter:
        return None
    words = vocabulary(task)
    terms = tuple({term.text: term for term in (*words.measured, *words.shared) if term.size > _TINY}.values())
    try:
        own: Any = task
        calls = [call for state in task.probes for call in state.calls][:_MOST_CALLS]
        answers = [own.reference(*copy.deepcopy(call)) for call in calls]
    except Exception:  # a person's own code; check-task names what is wrong with it
        return None
    if not terms or not all(is_number(answer) and np.isfinite(answer) for answer in answers):
        return None
    size = float(np.mean(np.abs(answers)))
    bounds = [place for place in range(len(task.arguments)) if _bounds([call[place] for call in calls], answers)]
    return Amounts(
        size if size > _TINY else 1.0,
        all(map(is_whole, answers)),
        min(answers) >= 0,
        tuple(f"{{{task.arguments[place]}}}" for place in bounds),
        terms,
    )


def _bounds(values: Sequence[Any], answers: Sequence[float]) -> bool:
    """Whether an argument is never below the answer, and now and then equal to it."""
    if not all(map(is_number, values)):
        return False
    return all(a <= v for a, v in zip(answers, values)) and any(a == v for a, v in zip(answers, values))


class Amount:
    """Another amount: anew of up to three numbers that a call knows, each brought to the size of the reference's
    answers; what the program returns, and some more or less; or one of these numbers in place of a constant.

    An order of alternatives needs no scale. A bid does: most rules that are good for one are no bids.
    """

    name = "amount"

    @staticmethod
    def applies(task: Task) -> bool:
        """Whether the programs of a task answer amounts."""
        return amounts(task) is not None

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of other amounts; None if the parent has no place for one."""
        known, program = amounts(task), _read(parent.source)
        names, main = argument_names(program, task), program.main(task.function_name)
        if known is None or not names:
            return None
        body = {id(node) for node in program.nodes if main is not None and main.body in program.ancestors(node)}
        inside = [node for node in program.nodes if id(node) in body]
        returned = [node for node in inside if isinstance(program.parents.get(node), cst.Return)]
        returned = [node for node in returned if isinstance(node, cst.BaseExpression)]
        constants = [node for node in inside if isinstance(node, (cst.Integer, cst.Float)) and number(node)]
        shares = np.where([True, bool(returned), bool(returned), bool(constants)], _SHARES, 0.0)
        kind = int(generator.choice(len(shares), p=shares / shares.sum()))
        if kind == 0:
            own = {name: name for name in task.arguments}
            text = known.allowed(_sum(known, own, generator), own, generator)
            source = f'{task.signature()}\n    """An amount by a simple rule."""\n    return {text}\n'
            return Proposal(source, self.name, (), (text,), parent.family)
        place = pick(generator, constants if kind == 3 else returned)
        assert place is not None
        if kind == 3:
            text = _instead(float(number(place) or 1.0), known, names, generator)
        elif kind == 1 or number(place) is not None:
            text = known.allowed(_sum(known, names, generator), names, generator)
        else:
            text = known.allowed(_changed(program.code(place), known, names, generator), names, generator)
        return Proposal(program.replace(place, text), self.name, (parent.hash,), (text,), parent.family)


@lru_cache(maxsize=64)
def _read(source: str) -> Program:
    return read(source)


def _sum(known: Amounts, names: Mapping[str, str], generator: np.random.Generator) -> str:
    """Up to three numbers, added or subtracted, of about the size of an answer; what is there already, as it is."""
    text = _scaled(known, names, generator, known.size * _factor(generator, _SCATTER))
    for _ in range(int(generator.choice(3, p=_FURTHER_TERMS))):
        if generator.random() < _AS_IT_IS:
            text = f"{text} - {known.terms[int(generator.integers(len(known.terms)))].text.format(**names)}"
            continue
        sign = "+" if generator.random() < 0.5 else "-"
        text = f"{text} {sign} {_scaled(known, names, generator, known.size * _factor(generator, 2 * _SCATTER))}"
    return text


def _changed(text: str, known: Amounts, names: Mapping[str, str], generator: np.random.Generator) -> str:
    """An answer times a factor, or with some of a number added or taken off."""
    if generator.random() < 0.3:
        return f"{shorten(_factor(generator, _SCATTER))} * ({text})"
    sign = "+" if generator.random() < 0.5 else "-"
    return f"({text}) {sign} {_scaled(known, names, generator, 0.5 * known.size * _factor(generator, 2 * _SCATTER))}"


def _instead(value: float, known: Amounts, names: Mapping[str, str], generator: np.random.Generator) -> str:
    """A number of a call in place of a constant, of about its size."""
    text = _scaled(known, names, generator, abs(value) * _factor(generator, _NEAR))
    return f"int({text})" if known.whole else f"({text})"


def _scaled(known: Amounts, names: Mapping[str, str], generator: np.random.Generator, size: float) -> str:
    """One number of a call, or the product or ratio of two, brought to a size."""
    first, second = (known.terms[int(place)] for place in generator.integers(len(known.terms), size=2))
    one, two, shape = first.text.format(**names), second.text.format(**names), generator.random()
    if first == second or shape < 0.6:
        return f"{shorten(size / first.size)} * ({one})"
    if shape < 0.8:
        return f"{shorten(size / (first.size * second.size))} * ({one}) * ({two})"
    return f"{shorten(size * second.size / first.size)} * ({one}) / max(1e-09, {two})"


def _factor(generator: np.random.Generator, scatter: float) -> float:
    return float(np.exp(generator.normal(0.0, scatter)))
