"""What optimisers see of a search, and what they return."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor

from .ascent import ScoreFunction, random_directions
from .settings import SearchSettings


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
        rounds: the finished rounds of search, the first population not among them; read once.
        seed: of random streams that run through the whole search.
    """

    pool_scores: np.ndarray
    prior: Callable[[], tuple[Tensor, Tensor]]
    start: Tensor
    rounds: Iterable[Round] = field(default_factory=tuple)
    seed: int = 0


@dataclass(frozen=True)
class Request:
    """What an optimiser is asked: points to decode, one for each seed.

    Attributes:
        centres: (B, d), the seeds' points.
        pool: (P, d), those of the best programs, best first.
        score: what is climbed, (B, d) -> (B,).
        settings: of the search.
        scale: (d,), the standard deviation of each coordinate.
        generator: of everything random.
        history: what the search has found so far; None before its first population.
    """

    centres: Tensor
    pool: Tensor
    score: ScoreFunction
    settings: SearchSettings
    scale: Tensor
    generator: torch.Generator
    history: History | None = None

    @property
    def length(self) -> float:
        """How far a seed's child may be from it, in units of `scale`."""
        settings = self.settings
        return settings.radius if settings.radius is not None else settings.steps * settings.step_size

    def directions(self) -> Tensor:
        """Random unit vectors, one for each seed, (B, d)."""
        return random_directions((len(self.centres), self.centres.shape[1]), self.generator).to(self.centres)

    def noise(self) -> Tensor:
        """A standard normal for each seed, (B, d)."""
        return torch.randn(tuple(self.centres.shape), generator=self.generator).to(self.centres)

    def found(self, optimizer: str) -> History:
        """The history. Raises `ValueError` if `optimizer`, which needs it, is asked without one."""
        if self.history is None:
            raise ValueError(f"{optimizer} needs what the search has found so far: pass a history")
        return self.history

    def propose(self, after: Tensor) -> Proposal:
        """These points, none with a second parent."""
        return Proposal(after, [None] * len(after))
