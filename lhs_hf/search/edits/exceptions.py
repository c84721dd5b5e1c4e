"""Exceptions to what a program answers: one of the answers that it knows, where something of the call says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import libcst as cst
import numpy as np

from ...corpus.augmentation.derived import derived_vocabulary
from ...corpus.augmentation.editing import pick, read
from ...corpus.augmentation.parametric import shorten
from ...corpus.augmentation.scoring import argument_names
from ...corpus.augmentation.words import vocabulary
from ...tasks.base import ProbeState, Task
from ...tasks.indices import Labels
from ...tasks.roles import is_whole
from .calls import Call, answers_to, calls_of, values_in
from .inside import once
from .parents import Parent, Proposal

_KEPT = "_exceptions"
_MOST_ANSWERS, _TOGETHER = 8, 8
_BOTH = 0.35
_LEVELS = (0.05, 0.95)


@dataclass(frozen=True)
class Answers:
    """The answers of the reference, few, and expressions for numbers that a call knows, with what they come to."""

    given: tuple[Any, ...]
    numbers: tuple[tuple[str, tuple[float, ...]], ...]


@dataclass(frozen=True)
class _Seen:
    """A task as if its calls were compared with each other: what changes between them is what words speak of."""

    arguments: tuple[str, ...]
    probes: tuple[ProbeState, ...]
    answers: str = "priority"


def answers_of(task: Task) -> Answers | None:
    """Of a task whose programs answer one of a few words, codes or yes and no, once; None for others."""
    return once(task, _KEPT, _answers)


def _answers(task: Task) -> Answers | None:
    kind = getattr(task, "answers", None)
    try:
        labels = kind == "choice" and isinstance(task.probes[0].context, Labels)
        if task.of_paper or not (labels or kind == "priority"):
            return None
        calls = calls_of(task)
        given = set(answers_to(task, calls))
    except Exception:  # a person's own code, and answers that are no single things
        return None
    codes = all(isinstance(each, (str, bool, np.bool_)) or is_whole(each) for each in given)
    if not codes or not 2 <= len(given) <= _MOST_ANSWERS or not (labels or task.values_matter):
        return None
    together = [tuple(calls[start : start + _TOGETHER]) for start in range(0, len(calls) - 1, _TOGETHER)]
    states = tuple(ProbeState(each, np.zeros((len(each), 1))) for each in together if len(each) > 1)
    words = derived_vocabulary(_Seen(tuple(task.arguments), states)) if labels else vocabulary(task)
    texts = dict.fromkeys([*words.terms, *(term.text for term in words.shared)])
    numbers = [(text, values) for text in texts if len(set(values := _values(text, task, calls))) > 1]
    if not numbers:
        return None
    plain = (bool(each) if isinstance(each, np.bool_) else each for each in given)
    return Answers(tuple(sorted(plain, key=repr)), tuple(numbers))


def _values(text: str, task: Task, calls: Sequence[Call]) -> tuple[float, ...]:
    """An expression in all calls; nothing where it is no number in one of them."""
    values = values_in(text.format(**{name: name for name in task.arguments}), task.arguments, calls)
    return tuple(values.tolist()) if np.isfinite(values).all() else ()


class ExceptionTo:
    """`if` something is large or small in a call: another of the answers, before what the program does, or at its end.

    Programs that answer with words or codes have no numbers to be edited, and no rule by which an answer is the best.
    """

    name = "exception"

    @staticmethod
    def applies(task: Task) -> bool:
        """Whether the programs of a task answer one of a few things."""
        return answers_of(task) is not None

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """The program with an exception; None if its function has no body of its own."""
        known, program = answers_of(task), read(parent.source)
        names, main = argument_names(program, task), program.main(task.function_name)
        if known is None or not names or main is None or not isinstance(main.body, cst.IndentedBlock):
            return None
        condition = _condition(known, names, generator)
        if generator.random() < _BOTH:
            condition = f"{condition} and {_condition(known, names, generator)}"
        answer = known.given[int(generator.integers(len(known.given)))]
        first = 1 if main.get_docstring() is not None else 0
        place = pick(generator, [first, max(first, len(main.body.body) - 1)])
        assert place is not None
        text = f"if {condition}:\n    return {answer!r}\n"
        source = program.replace_statements(main.body, place, place, text)
        return Proposal(source, self.name, (parent.hash,), (text.strip(),), parent.family)


def _condition(known: Answers, names: Mapping[str, str], generator: np.random.Generator) -> str:
    text, values = known.numbers[int(generator.integers(len(known.numbers)))]
    level = shorten(float(np.quantile(values, generator.uniform(*_LEVELS))))
    return f"{text.format(**names)} {'<=' if generator.random() < 0.5 else '>'} {level}"
