"""Expressions that alternatives are told apart by, drawn from the words of a task or of a place in a program."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from string import Formatter

import libcst as cst
import numpy as np

from ...corpus.augmentation.editing import Program
from ...corpus.augmentation.joining import draw_joined
from ...corpus.augmentation.parametric import shorten
from ...corpus.augmentation.vocabulary import Vocabulary
from ...tasks.roles import OPTION

_FURTHER_TERMS = (0.3, 0.45, 0.25)
_JOINED, _FEW = 0.35, 4
_PART = re.compile(r"part_\d+")


def expression(words: Vocabulary, names: Mapping[str, str], generator: np.random.Generator) -> str:
    """Up to three terms joined to one number.

    `names`: what stands for each name in the words. Terms are added with weights that bring them to about one size.
    """
    text, spread = _drawn(words, names, generator)
    for _ in range(int(generator.choice(3, p=_FURTHER_TERMS))):
        text, spread = with_term(text, spread, words, names, generator)
    return text


def with_term(
    text: str, spread: float, words: Vocabulary, names: Mapping[str, str], generator: np.random.Generator
) -> tuple[str, float]:
    """An expression joined with one more term, and its standard deviation over alternatives; 0 for one not known."""
    other, own = _drawn(words, names, generator)
    if other == text:
        return text, spread
    factor = float(np.exp(generator.normal(-0.7, 1.2)))
    weight = shorten(factor * spread / own if spread and own else factor)
    shape = int(generator.integers(5))
    joined = (
        f"{text} + {weight} * ({other})",
        f"{text} - {weight} * ({other})",
        f"({text}) * ({other})",
        f"({text}) / (1e-06 + abs({other}))",
        f"({text}) - ({other})",
    )[shape]
    return joined, spread if shape < 2 else 0.0


def _drawn(words: Vocabulary, names: Mapping[str, str], generator: np.random.Generator) -> tuple[str, float]:
    """A term, or at times two of them joined, and its spread; 0 where that is not known."""
    if len(words.measured) < _FEW:
        # Few terms say little but by what they are joined with: of the list all say different things.
        return str(generator.choice(words.terms)).format(**names), 0.0
    term = draw_joined(words, generator) if generator.random() < _JOINED else None
    term = term or words.measured[int(generator.integers(len(words.measured)))]
    return term.text.format(**names), term.spread


def spelled(words: Vocabulary, option: str) -> dict[str, str]:
    """What stands for each name in the words of a place: variables for themselves."""
    texts = [*words.terms, *words.phases, *(each.text for each in (*words.measured, *words.shared))]
    return {name: name for text in texts for name in _read(text)} | {OPTION: option, **words.parts(option)}


def signed(text: str, generator: np.random.Generator) -> str:
    """A rule, or its opposite."""
    return text if generator.random() < 0.5 else f"-({text})"


def sayable(words: Vocabulary, program: Program, node: cst.CSTNode) -> Vocabulary | None:
    """Those of some words whose names the program has at a place; None without any."""
    around = [each for each in program.ancestors(node) if isinstance(each, cst.FunctionDef)]
    own = {each.value for function in around for each in program.find(cst.Name, function)}
    kept = replace(
        words,
        terms=tuple(each for each in words.terms if _read(each) <= own),
        phases=tuple(each for each in words.phases if _read(each) <= own),
        measured=tuple(each for each in words.measured if _read(each.text) <= own),
        shared=tuple(each for each in words.shared if _read(each.text) <= own),
    )
    return kept if kept.terms and kept.measured else None


def _read(template: str) -> set[str]:
    """The variables that a template speaks of, without the alternative and its parts."""
    names = (name for _, name, _, _ in Formatter().parse(template))
    return {name for name in names if name and name != OPTION and not _PART.fullmatch(name)}
