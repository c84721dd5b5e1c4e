"""Two or three simple terms of a task in one: ratios, products, the larger of two, what one exceeds another by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product, zip_longest

import numpy as np

from .vocabulary import Term, Vocabulary

FIRST = 6
"""Terms that are joined in a list of all: the simplest of different words."""

_ALIKE, _FARTHER = 5.0, 20.0
_OF_ALIKE = ("max({0}, {1})", "max(0, {0} - {1})", "min({0}, {1})", "abs({0} - {1})")
_OF_ANY = ("{0} / max(1e-09, {1})", "{0} * {1}")
_WITH_SHARED = ("max({1}, {2} + {0})", "max(0, {2} + {0} - {1})")
_TO_SHARED = ("abs({2} - {0})", "max(0, {0} - {2})", "{0} / max(1e-09, {2})")


def joined(sizes: Mapping[str, float], shared: Mapping[str, float]) -> Iterator[str]:
    """Templates that join terms, those of each kind in turn.

    Only what is of about one size is added, subtracted or compared: hours with hours.

    Args:
        sizes: terms that tell alternatives apart, simple ones first, and how large they are typically.
        shared: the same of what all alternatives of a decision have in common.
    """
    first = _varied(sizes)
    alike = [(one, two) for one, two in permutations(first, 2) if _alike(sizes[one], sizes[two])]
    triples = [
        (one, two, term)
        for (one, two), term in product(permutations(first, 2), shared)
        if _reach(sizes[one], shared[term], sizes[two])
    ]
    near = [(one, one, term) for one, term in product(first, shared) if _alike(shared[term], sizes[one])]
    kinds = (
        *(([shape.format(*pair) for pair in alike]) for shape in _OF_ALIKE),
        *(([shape.format(*triple) for triple in triples]) for shape in _WITH_SHARED),
        [_OF_ANY[0].format(*pair) for pair in permutations(first, 2)],
        *(([shape.format(*triple) for triple in near]) for shape in _TO_SHARED),
        [_OF_ANY[1].format(*pair) for pair in combinations(first, 2)],
    )
    return (template for turn in zip_longest(*kinds) for template in turn if template is not None)


def _varied(terms: Iterable[str]) -> list[str]:
    """The first `FIRST` terms, those of other words before further ones of the same."""
    groups: dict[frozenset[str], list[str]] = {}
    for term in sorted(terms, key=lambda term: " for " in term):
        groups.setdefault(frozenset(re.findall(r"\{(\w+)\}", term)), []).append(term)
    turns = zip_longest(*groups.values())
    return [term for turn in turns for term in turn if term is not None][:FIRST]


def draw_joined(words: Vocabulary, generator: np.random.Generator) -> Term | None:
    """One of the ways to join a simple term with another one, with what is shared, or both; None for none."""
    one, two = (_any(words.measured, generator) for _ in range(2))
    shared = _any(words.shared, generator)
    if one is None or two is None:
        return None
    shapes: list[str] = []
    if one != two:
        shapes += [*_OF_ANY, *(_OF_ALIKE if _alike(one.size, two.size) else ())]
    if shared is not None:
        shapes += _TO_SHARED if _alike(shared.size, one.size) else ()
        shapes += _WITH_SHARED if one != two and _reach(one.size, shared.size, two.size) else ()
    if not shapes:
        return None
    shape = shapes[int(generator.integers(len(shapes)))]
    by = two if shared is None or shape not in _TO_SHARED else shared
    text = shape.format(one.text, two.text, "" if shared is None else shared.text)
    if shape == _OF_ANY[1]:
        return Term(text, one.size * by.size, one.spread * by.size)
    if " / " in shape:
        return Term(text, one.size / max(1e-9, by.size), one.spread / max(1e-9, by.size))
    return Term(text, max(one.size, by.size), max(one.spread, by.spread))


def _any(terms: Sequence[Term], generator: np.random.Generator) -> Term | None:
    return terms[int(generator.integers(len(terms)))] if terms else None


def _reach(one: float, shared: float, two: float) -> bool:
    """Whether a term may be added to what is shared, and the sum compared with another term."""
    return _alike(one + shared, two) and max(one, shared) <= _FARTHER * min(one, shared)


def _alike(one: float, two: float) -> bool:
    return one <= _ALIKE * two and two <= _ALIKE * one
