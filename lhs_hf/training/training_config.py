"""How a part is trained: what all parts have in common. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

Recipe = TypeVar("Recipe", bound=Any)


@dataclass(frozen=True, kw_only=True)
class TrainingConfig:
    """What all parts have in common.

    Attributes:
        learning_rate, weight_decay: of AdamW.
        matrix_learning_rate: of Muon, which then trains the weights of hidden linear layers (`MuonAdamW`); None leaves
            all of them to AdamW.
        batch_size: examples an optimiser step.
        steps: optimiser steps at most.
        evaluate_every: steps between two evaluations, each followed by a checkpoint.
        patience: evaluations without improvement after which training stops; None never stops early.
        warmup: share of the steps over which the learning rate rises.
        schedule: "constant", "linear" or "cosine" after the warm-up.
        max_gradient_norm: gradients are scaled down to this norm; 0 leaves them alone.
        keep: which weights stay: those of the "best" evaluation, or the "last".
        seed: of data order, initial noise and dropout.
        precision: "float32", or "bfloat16" for mixed precision (several times faster where the processor has matrix
            units for it; `has_fast_bfloat16` says where float32 is kept); weights and evaluations stay in float32.
    """

    learning_rate: float = 1e-3
    matrix_learning_rate: float | None = None
    weight_decay: float = 0.0
    batch_size: int = 64
    steps: int = 1000
    evaluate_every: int = 100
    patience: int | None = 5
    warmup: float = 0.0
    schedule: str = "constant"
    max_gradient_norm: float = 1.0
    seed: int = 0
    precision: str = "float32"
    keep: str = "best"

    def __post_init__(self) -> None:
        if self.keep not in ("best", "last"):
            raise ValueError(f"unknown choice of weights {self.keep!r}; it can be: best, last")
        if self.precision not in ("float32", "bfloat16"):
            raise ValueError(f"unknown precision {self.precision!r}; it can be: float32, bfloat16")
        if self.schedule not in ("constant", "linear", "cosine"):
            raise ValueError(f"unknown schedule {self.schedule!r}; it can be: constant, linear, cosine")
        for name in ("batch_size", "steps", "evaluate_every"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be at least 1, got {getattr(self, name)}")


def seeded(recipe: Recipe) -> Recipe:
    """A recipe (a dataclass with a seed) with that seed in every part's settings."""
    parts = {field.name: getattr(recipe, field.name) for field in fields(recipe)}
    settings = {name: part for name, part in parts.items() if isinstance(part, TrainingConfig)}
    return replace(recipe, **{name: replace(part, seed=recipe.seed) for name, part in settings.items()})
