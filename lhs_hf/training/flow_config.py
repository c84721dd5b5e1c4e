"""How the flow is trained. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from .training_config import TrainingConfig


@dataclass(frozen=True, kw_only=True)
class FlowTrainingConfig(TrainingConfig):
    """The paper's AdamW, and `noise`: the standard deviation of Gaussian noise added to every latent.

    Without noise the likelihood of latents near a lower-dimensional set has no bound and means nothing.
    """

    learning_rate: float = 1e-3
    weight_decay: float = 1e-5
    batch_size: int = 128
    steps: int = 3000
    evaluate_every: int = 100
    patience: int | None = 8
    noise: float = 0.05
