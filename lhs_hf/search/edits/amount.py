"""Other amounts, for programs whose answers count by their size and not by an order of alternatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import libcst as cst
import numpy as np

from ...corpus.augmentation.editing import pick, read
from ...corpus.augmentation.parametric import shorten
from ...corpus.augmentation.reading import number
from ...corpus.augmentation.scoring import argument_names
from ...corpus.augmentation.vocabulary import Term
from ...corpus.augmentation.words import vocabulary
from ...tasks.base import Task
from ...tasks.roles import OPTION
from .amounts import Amounts, amounts
from .choices import OPTION_NAME, answer_by
from .parents import Parent, Proposal

_IMPORT = "import numpy as np"
_SHARES = (0.2, 0.2, 0.3, 0.3)
"""Of programs anew, answers anew, changed answers, and numbers in place of a constant."""
_FURTHER_TERMS = (0.3, 0.45, 0.25)
_SCATTER, _NEAR, _FACTOR = 0.6, 0.3, 0.3
_AS_IT_IS = 0.4


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
        known, program = amounts(task), read(parent.source)
        names, main = argument_names(program, task), program.main(task.function_name)
        if known is None or not names:
            return None
        inside = [node for node in program.nodes if main is not None and main.body in program.ancestors(node)]
        returned = [node for node in inside if isinstance(program.parents.get(node), cst.Return)]
        returned = [node for node in returned if isinstance(node, cst.BaseExpression)]
        constants = [node for node in inside if isinstance(node, (cst.Integer, cst.Float)) and number(node)]
        places = [
            True,
            bool(returned),
            bool(returned) and not known.marks,
            bool(constants and known.shared) and known.total is None,
        ]
        shares = np.where(places, _SHARES, 0.0)
        kind = int(generator.choice(len(shares), p=shares / shares.sum()))
        if kind == 0:
            answer = _anew(task, known, {name: name for name in task.arguments}, generator)
            if answer is None:
                return None
            source = f'{task.signature()}\n    """An amount by a simple rule."""\n    return {answer}\n'
            return Proposal(program.with_import(source, _IMPORT), self.name, (), (answer,), parent.family)
        place = pick(generator, constants if kind == 3 else returned)
        assert place is not None
        if kind == 3:
            text: str | None = _instead(float(number(place) or 1.0), known, names, generator)
        elif kind == 1 or number(place) is not None:
            text = _anew(task, known, names, generator)
        else:
            text = _changed(program.code(place), known, names, generator)
        if text is None:
            return None
        source = (
            program.with_import(program.replace(place, text), _IMPORT) if known.array else program.replace(place, text)
        )
        return Proposal(source, self.name, (parent.hash,), (text,), parent.family)


def _anew(task: Task, known: Amounts, names: Mapping[str, str], generator: np.random.Generator) -> str | None:
    """An answer of numbers of the call; of the alternatives, where it has a number for each."""
    if not known.listed:
        text = _sum(known, names, generator)
        return known.along(text, names, generator) or known.allowed(text, names, generator)
    own = {**names, OPTION: OPTION_NAME, **vocabulary(task).parts(OPTION_NAME)}
    text = _sum(known, own, generator)
    entry = known.allowed(text, own, generator)
    answer = answer_by(task, entry)
    # The list is written over the task's own names.
    if answer is None or any(names.get(name) != name for name in task.arguments):
        return None
    return _whole(answer, known, names)


def _whole(answer: str, known: Amounts, names: Mapping[str, str]) -> str:
    """A list of numbers, brought to their sum or below their limit, as an array where answers are arrays."""
    if known.limit:
        share = f"min(1, {known.limit.format(**names)} / max(1e-09, sum(found)))"
        answer = f"(lambda found: [{share} * k for k in found])({answer})"
    elif known.total is not None:
        least, total = "max(1e-09, sum(found))", shorten(known.total)
        answer = f"(lambda found: [{total} * k / {least} for k in found])({answer})"
    return f"np.array({answer})" if known.array else answer


def _sum(known: Amounts, names: Mapping[str, str], generator: np.random.Generator) -> str:
    """Up to three numbers, added or subtracted, of about the size of an answer; what is there already, as it is."""
    text = _scaled(known.terms, names, generator, known.size * _factor(generator, _SCATTER))
    for _ in range(int(generator.choice(3, p=_FURTHER_TERMS))):
        if generator.random() < _AS_IT_IS:
            text = f"{text} - {known.terms[int(generator.integers(len(known.terms)))].text.format(**names)}"
            continue
        sign = "+" if generator.random() < 0.5 else "-"
        other = _scaled(known.terms, names, generator, known.size * _factor(generator, 2 * _SCATTER))
        text = f"{text} {sign} {other}"
    return text


def _changed(text: str, known: Amounts, names: Mapping[str, str], generator: np.random.Generator) -> str:
    """An answer times a factor, or with some of a number added or taken off; of many numbers a power of each."""
    factor = shorten(_factor(generator, _SCATTER))
    if known.listed:
        entry = f"k ** {factor}" if known.least and generator.random() < 0.5 else f"{factor} * k"
        return _whole(f"[{known.allowed(entry, names, generator)} for k in {text}]", known, names)
    if generator.random() < _FACTOR or not known.shared:
        return known.allowed(f"{factor} * ({text})", names, generator)
    sign, size = "+" if generator.random() < 0.5 else "-", 0.5 * known.size * _factor(generator, 2 * _SCATTER)
    return known.allowed(f"({text}) {sign} {_scaled(known.shared, names, generator, size)}", names, generator)


def _instead(value: float, known: Amounts, names: Mapping[str, str], generator: np.random.Generator) -> str:
    """A number of a call in place of a constant, of about its size."""
    text = _scaled(known.shared, names, generator, abs(value) * _factor(generator, _NEAR))
    return f"int({text})" if known.whole else f"({text})"


def _scaled(terms: Sequence[Term], names: Mapping[str, str], generator: np.random.Generator, size: float) -> str:
    """One number, or the product or ratio of two, brought to a size."""
    first, second = (terms[int(place)] for place in generator.integers(len(terms), size=2))
    one, two, shape = first.text.format(**names), second.text.format(**names), generator.random()
    if first == second or shape < 0.6:
        return f"{shorten(size / first.size)} * ({one})"
    if shape < 0.8:
        return f"{shorten(size / (first.size * second.size))} * ({one}) * ({two})"
    return f"{shorten(size * second.size / first.size)} * ({one}) / max(1e-09, {two})"


def _factor(generator: np.random.Generator, scatter: float) -> float:
    return float(np.exp(generator.normal(0.0, scatter)))
