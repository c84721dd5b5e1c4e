"""Expressions that alternatives are told apart by, drawn from the words of a task or of a place in a program."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...corpus.augmentation.joining import draw_joined
from ...corpus.augmentation.parametric import shorten
from ...corpus.augmentation.vocabulary import Vocabulary

_FURTHER_TERMS = (0.3, 0.45, 0.25)
_JOINED, _FEW = 0.35, 4


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
