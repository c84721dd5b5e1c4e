"""Which words and pairs of words are worth having: the slope of a task's scores in the sketches of its programs."""

from __future__ import annotations

import numpy as np
import torch
from scipy import linalg, stats
from torch import Tensor

PRECISION = 10.0
SPREAD = 0.25
"""Standard deviation of a score's quantile around what its program's sketch says."""


class Slope:
    """Bayesian linear regression y = w . x + noise on sketches or their differences; w ~ N(0, I SPREAD^2 / precision).

    It is learned from programs (y: the quantile of the score) and from edits (x: child less parent, y: how sure it is
    that the child is better, from -0.5 to 0.5), and goes on learning while a search finds them.

    Args:
        size: D, of the sketches.
        precision: of the prior; more of it wants more programs before a word counts.
    """

    def __init__(self, size: int, precision: float = PRECISION) -> None:
        self._information = precision * np.eye(size)
        self._evidence = np.zeros(size)

    @classmethod
    def of_programs(cls, sketches: Tensor, scores: np.ndarray, precision: float = PRECISION) -> Slope:
        """From programs of one task: sketches (N, D), scores (N,)."""
        slope = cls(sketches.shape[1], precision)
        if len(scores):
            quantiles = stats.rankdata(scores) / len(scores)
            slope.learn(sketches - sketches.mean(dim=0), quantiles - quantiles.mean())
        return slope

    def learn(self, x: Tensor, y: np.ndarray) -> None:
        """More evidence: x (N, D), y (N,)."""
        rows = x.double().numpy()
        self._information += rows.T @ rows
        self._evidence += rows.T @ np.asarray(y, dtype=np.float64)

    @property
    def mean(self) -> np.ndarray:
        """The expected slope, float64 (D,); zero before anything is learned."""
        return linalg.solve(self._information, self._evidence, assume_a="pos")

    def draw(self, count: int, generator: np.random.Generator) -> Tensor:
        """Slopes from the posterior, float32 (count, D): what is not known yet is tried both ways."""
        factor = linalg.cholesky(self._information, lower=True)
        noise = generator.standard_normal((len(factor), count))
        deviations = SPREAD * linalg.solve_triangular(factor, noise, lower=True, trans="T")
        return torch.from_numpy(self.mean + deviations.T).float()
