"""How the mapper is trained. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from .training_config import TrainingConfig


@dataclass(frozen=True, kw_only=True)
class MapperTrainingConfig(TrainingConfig):
    """Teacher forcing with a frozen decoder.

    Attributes:
        family_weights: how often a prompt of each family is drawn: the task, its problem class, general code.
        soft_prompt_position: "after" the prompt (the paper) or "before" it (its reference code).
        noise: standard deviation of Gaussian noise on the latents.
    """

    learning_rate: float = 5e-4
    weight_decay: float = 1e-2
    batch_size: int = 16
    steps: int = 2000
    evaluate_every: int = 200
    patience: int | None = 4
    warmup: float = 0.02
    schedule: str = "cosine"
    family_weights: tuple[float, float, float] = (0.6, 0.2, 0.2)
    soft_prompt_position: str = "after"
    noise: float = 0.0
