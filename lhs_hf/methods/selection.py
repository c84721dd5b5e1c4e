"""Choosing parents and survivors by rank, as EoH, ReEvo's port and MCTS-AHD do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .language_method import Individual

_DECIMALS = 5


def by_rank(population: Sequence[Individual]) -> list[Individual]:
    """Those that have a score, the best first; of equal ones the earlier."""
    return sorted((each for each in population if each.score is not None), key=lambda each: -(each.score or 0.0))


def rank_probabilities(count: int, size: int, offset: int = 0) -> np.ndarray:
    """The chance of each rank r from 0 of `count`: in proportion to 1 / (r + offset + size)."""
    weights = 1.0 / (np.arange(count) + offset + size)
    return weights / weights.sum()


def drawn(
    population: Sequence[Individual], count: int, size: int, random: np.random.Generator, offset: int = 0
) -> list[Individual]:
    """Parents by rank, with replacement; fewer only where nobody has a score."""
    ranked = by_rank(population)
    if not ranked:
        return []
    places = random.choice(len(ranked), size=count, p=rank_probabilities(len(ranked), size, offset))
    return [ranked[int(place)] for place in places]


def survivors(population: Sequence[Individual], size: int) -> list[Individual]:
    """The best, one for each score (to five decimals)."""
    kept: dict[float, Individual] = {}
    for each in by_rank(population):
        kept.setdefault(round(each.score or 0.0, _DECIMALS), each)
    return list(kept.values())[:size]
