"""What lies between two programs: points on the straight line between their latents, decoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from ..decoding.budget import Budget
from ..errors import CallError
from ..evaluation import Evaluation, Evaluator
from ..tasks.base import Task
from .components import Components
from .settings import SearchSettings


@dataclass(frozen=True)
class Between:
    """A program decoded at `share` (0 to 1) of the way; `point` (d,) is where, `evaluation` how it does."""

    share: float
    point: Tensor
    program: str
    evaluation: Evaluation


def decode_between(
    components: Components,
    task: Task,
    start: Tensor,
    end: Tensor,
    evaluator: Evaluator,
    shares: Sequence[float] = (0.0, 0.25, 0.5, 0.75, 1.0),
    seed: int = 0,
) -> list[Between]:
    """Decode and score the points `start + share * (end - start)` of the searched space, in order.

    Args:
        start, end: float32 (d,), as `Components.embed` gives them.
        seed: of the decoder's sampling; equal seeds give equal programs.

    Raises `CallError` if a share is outside 0 to 1. Costs one decoder call a share.
    """
    if not shares or not all(0 <= share <= 1 for share in shares):
        raise CallError(f"shares must lie between 0 and 1, got {list(shares)}")
    weights = torch.tensor(list(shares), dtype=start.dtype)[:, None]
    points = start + weights * (end - start)
    generators = [torch.Generator().manual_seed(seed * 1000 + row) for row in range(len(shares))]
    components.decoder.budget = Budget(len(shares))
    with evaluator.stepping() as guide:
        decoded = components.decode(points, task, generators, SearchSettings(), guide=guide)
    sources = [generated.source for generated in decoded]
    evaluations = evaluator.evaluate_many(sources)
    return [Between(*row) for row in zip(shares, points, sources, evaluations)]
