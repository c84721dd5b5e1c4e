"""How the editor is trained. Needs no torch."""

from __future__ import annotations

from dataclasses import dataclass

from .training_config import TrainingConfig


@dataclass(frozen=True, kw_only=True)
class EditorTrainingConfig(TrainingConfig):
    """Teacher forcing on edits.

    Attributes:
        batch_size: parents a step.
        edits: of each parent, at most.
        target_dropout: share of the edits whose target is hidden, for guidance without a classifier.
        sketch_dropout: share of the edits whose difference of sketches is hidden.
        rough_targets: share of the edits whose difference of sketches is a direction, off by up to twice its length.
        change_dropout: share of the edits whose change of score is hidden.
        noisy_targets: share of the edits whose target is moved by up to its distance from the parent; the editor is
            told how far.
    """

    learning_rate: float = 3e-3
    matrix_learning_rate: float | None = 6e-3
    weight_decay: float = 1e-2
    batch_size: int = 12
    edits: int = 8
    steps: int = 1200
    evaluate_every: int = 100
    patience: int | None = None
    warmup: float = 0.02
    schedule: str = "cosine"
    precision: str = "bfloat16"
    target_dropout: float = 0.5
    sketch_dropout: float = 0.15
    rough_targets: float = 0.4
    change_dropout: float = 0.4
    noisy_targets: float = 0.2
