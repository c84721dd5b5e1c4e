"""How a surrogate is trained. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from .training_config import TrainingConfig


@dataclass(frozen=True, kw_only=True)
class SurrogateTrainingConfig(TrainingConfig):
    """RankNet on all pairs of a batch.

    Attributes:
        temperature: tau.
        space: "prior" (inputs are u) or "latent" (inputs are z).
        noise: standard deviation of Gaussian noise on the inputs, in units of `input_scale`.
        better_half_weight: how much more pairs count whose better member is in the better half of the scores.
        dropout: of the MLP.
    """

    learning_rate: float = 1e-3
    weight_decay: float = 1e-3
    batch_size: int = 128
    steps: int = 1000
    evaluate_every: int = 25
    patience: int | None = 10
    temperature: float = 1.0
    space: str = "prior"
    noise: float = 0.0
    better_half_weight: float = 1.0
    dropout: float = 0.1
