"""Rules for programs that say which of two comes first: a number of the one against the same of the other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import Formatter

import numpy as np

from ...corpus.augmentation.vocabulary import Vocabulary
from ...corpus.augmentation.words import vocabulary
from ...tasks.base import Task
from .calls import answers_to, calls_of
from .expressions import expression
from .inside import once

_KEPT = "_compared"
_MOSTLY = 0.6


def compared(task: Task) -> tuple[str, str] | None:
    """The two arguments that a program says yes or no about, once: turned around, its answers are mostly the opposite.

    None where there are no such two.
    """
    return once(task, _KEPT, _compared)


def _compared(task: Task) -> tuple[str, str] | None:
    if not getattr(task, "judges", False) or len(task.arguments) < 2:
        return None
    calls = calls_of(task)
    try:
        turned = [(call[1], call[0], *call[2:]) for call in calls]
        answers = [[bool(answer) for answer in answers_to(task, each)] for each in (calls, turned)]
    except Exception:  # a person's own code; it takes no others there
        return None
    opposite = float(np.mean(np.array(answers[0]) != np.array(answers[1])))
    return (task.arguments[0], task.arguments[1]) if opposite > _MOSTLY else None


def comparison(task: Task, names: Mapping[str, str], generator: np.random.Generator) -> str | None:
    """Whether the first of two is above the second by an expression of up to three terms; None where none are known."""
    pair = compared(task)
    words = None if pair is None else _of_one(vocabulary(task), *pair)
    if pair is None or words is None:
        return None
    one, two = pair
    text = expression(words, {name: f"{{{name}}}" for name in task.arguments}, generator)
    turned = {**names, one: names[two], two: names[one]}
    return f"({text.format(**names)}) > ({text.format(**turned)})"


def _of_one(words: Vocabulary, one: str, two: str) -> Vocabulary | None:
    """The words that speak of the first and not of the second."""

    def speaks(text: str) -> bool:
        read = {name for _, name, _, _ in Formatter().parse(text)}
        return one in read and two not in read

    kept = replace(
        words,
        terms=tuple(text for text in words.terms if speaks(text)),
        measured=tuple(term for term in words.measured if speaks(term.text)),
        phases=(),
        shared=tuple(term for term in words.shared if two not in term.text),
    )
    return kept if kept.terms and kept.measured else None
