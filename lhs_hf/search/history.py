"""What optimisers see of a search, and what they return."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from torch import Tensor


@dataclass(frozen=True)
class Proposal:
    """Points to decode, `after` (B, d); `other_parent` is each row's second parent as an index of the pool, or None."""

    after: Tensor
    other_parent: list[int | None]


@dataclass(frozen=True)
class Round:
    """The true scores of one finished round, float64 (B,), NaN where a program failed, in the order of its points."""

    scores: np.ndarray


@dataclass(frozen=True)
class History:
    """What a search has found when an optimiser is asked for points; all of it follows from the run database.

    Attributes:
        pool_scores: true scores of the pool's programs, float64 (P,), higher is better.
        prior: gives mean and standard deviation (d,) of the points of training programs; called when it is needed,
            because outside the prior space they are measured on the corpus.
        start: point (d,) of the best program before the first round of search.
        rounds: the finished rounds of search, the first population not among them.
        seed: of random streams that run through the whole search.
    """

    pool_scores: np.ndarray
    prior: Callable[[], tuple[Tensor, Tensor]]
    start: Tensor
    rounds: Sequence[Round] = field(default_factory=tuple)
    seed: int = 0
