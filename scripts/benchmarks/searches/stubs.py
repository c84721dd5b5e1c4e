"""An evaluator and a decoder that answer at once: what is left of a search is what it does itself."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any

import numpy as np
import torch

from lhs_hf import programs
from lhs_hf.evaluation import Evaluation
from lhs_hf.evaluation.behaviour import Behaviour
from lhs_hf.tasks.base import Task

WIDTH = 128


class StubEvaluator:
    """Answers at once: what a program is worth, and what it decides, follows from its hash."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self.limits = SimpleNamespace(wall_s=None)
        self.isolation, self.workers = "none", 1
        self.levels: dict[int, np.ndarray] = {}

    def objectives(self, identity: str, split: Any) -> tuple[float, ...]:
        """One value an instance."""
        split = self.task.split("search") if split in (None, "search") else split
        if split.seed not in self.levels:
            self.levels[split.seed] = np.random.default_rng(split.seed % 2**32).normal(100.0, 5.0, split.count)
        level = self.levels[split.seed]
        own = np.random.default_rng(int(identity[:12], 16))
        return tuple((level * (1.0 + own.normal(0.0, 0.01) + own.normal(0.0, 0.01, split.count))).tolist())

    def submit(self, source: str, split: Any = None, *, twice: bool = False) -> Future[Evaluation]:
        """As `Evaluator.submit`."""
        values = self.objectives(programs.program_hash(source), split)
        mean = float(np.mean(values))
        future: Future[Evaluation] = Future()
        future.set_result(Evaluation("ok", mean, self.task.alpha * mean, values, 1e-3))
        return future

    def probe(self, source: str) -> Behaviour:
        """As `Evaluator.probe`."""
        own = np.random.default_rng(int(programs.program_hash(source)[:12], 16))
        return Behaviour(own.integers(0, 4, len(self.task.probes)), np.zeros((len(self.task.probes), 8), np.float32))


class StubParts:
    """A decoder that writes a program for each point at once, and what a search needs beside it."""

    def __init__(self, text: Callable[[int], str]) -> None:
        self.text, self.fitted = text, True
        self.scale = torch.ones(WIDTH)
        self.decoder = SimpleNamespace(budget=None, trained_on=lambda task: task.of_paper)

    def embed(self, source: str, task: Any, evaluator: Any) -> torch.Tensor:
        seed = int(programs.program_hash(source)[:8], 16)
        return torch.randn(WIDTH, generator=torch.Generator().manual_seed(seed))

    def score(self, points: torch.Tensor) -> torch.Tensor:
        return torch.tanh(points[:, 0])

    def prior(self, task: Any) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.zeros(WIDTH), torch.ones(WIDTH)

    def deviation(self, points: torch.Tensor, seed: int) -> torch.Tensor:
        return points[:, 0].abs()

    def decode(self, points: torch.Tensor, task: Any, generators: Any, settings: Any, *_: Any, **__: Any) -> list[Any]:
        self.decoder.budget.take(len(points))
        numbers = [int(torch.randint(2**40, (), generator=generator)) for generator in generators]
        return [
            SimpleNamespace(
                source=self.text(number), token_ids=[1] * 90, log_probability=-9.0, finished=True, closed=False
            )
            for number in numbers
        ]
