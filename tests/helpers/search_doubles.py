"""Stand-ins for the trained parts, so that the search itself is tested in milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch

from lhs_hf.programs import program_hash

PROGRAM = """def select_next_item(remaining_capacity, remaining_items):
    best = None
    best_value = -1.0
    for item in remaining_items:
        if item[0] <= remaining_capacity:
            value = item[1] - {weight} * item[0]
            if value > best_value:
                best = item
                best_value = value
    return best
"""


class Parts:
    """Encodes a program by its hash, scores a point by its first coordinate, decodes a point to a knapsack rule."""

    def __init__(self, width: int = 4, broken_every: int = 0, scale: float = 1.0) -> None:
        self.scale = torch.full((width,), scale)
        self.decoder = SimpleNamespace(budget=None, trained_on=lambda task: task.of_paper)
        self.broken_every = broken_every
        self.fitted = True
        self.decoded = 0

    def embed(self, source, task, evaluator):
        seed = int(program_hash(source)[:8], 16)
        return torch.randn(len(self.scale), generator=torch.Generator().manual_seed(seed))

    def embed_many(self, sources, behaviours, task):
        return [self.embed(source, task, None) for source in sources]

    def prior(self, task):
        return torch.zeros_like(self.scale), torch.ones_like(self.scale)

    def score(self, points):
        return torch.tanh(points[:, 0]) + 0.1 * points[:, 1]

    def deviation(self, points, seed):
        return points[:, 0].abs()

    def decode(self, points, task, generators, settings, guide=None, on_finished=None):
        self.decoder.budget.take(len(points))
        result = []
        for row, (point, generator) in enumerate(zip(points, generators)):
            self.decoded += 1
            noise = float(torch.rand((), generator=generator))
            source = PROGRAM.format(weight=round(float(point[0]) * 0.1 + 0.2 * noise, 6))
            if self.broken_every and (self.decoded % self.broken_every == 0):
                source = "def broken(:"
            result.append(
                SimpleNamespace(source=source, token_ids=[1] * 7, log_probability=-1.0, finished=True, closed=False)
            )
            if on_finished is not None:
                on_finished(row, result[-1])
        return result


class Interrupted(Exception):
    """What `interruption` raises."""


def interruption(after: int) -> Callable[[Any], None]:
    """A listener of a search that raises `Interrupted` at the candidate of this number, counted from 1."""
    left = iter(range(after - 1))

    def listener(candidate: Any) -> None:
        if next(left, None) is None:
            raise Interrupted

    return listener
