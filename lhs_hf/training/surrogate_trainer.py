"""Training of a task's ranking surrogate (paper, section 3.4, appendix A.4)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ..metrics import average_ranks, surrogate_spearman
from ..models.configuration_lhs import LHSSurrogateConfig
from ..models.modeling_surrogate import LHSSurrogate
from .data import ListSource
from .surrogate_config import SurrogateTrainingConfig
from .trainer import Objective, TrainingResult, fit


class Scored(NamedTuple):
    """Vectors (N, d) and the scores (N,) of their programs, higher is better."""

    vectors: Tensor
    scores: Tensor


def train_surrogate(
    train: Scored,
    valid: Scored,
    settings: SurrogateTrainingConfig | None = None,
    output_dir: str | Path = "surrogate",
    *,
    task: str | None = None,
    resume: bool = True,
    progress: bool = True,
) -> tuple[LHSSurrogate, TrainingResult]:
    """Fit `R` to scored vectors; those of `valid` come from other seed families.

    The evaluation with the highest mean of `eval_spearman` (all validation programs) and `eval_spearman_better_half` is
    kept. Raises `ValueError` if all training scores are equal.
    """
    settings = settings or SurrogateTrainingConfig()
    inputs, valid_inputs = train.vectors.float(), valid.vectors.float()
    scores, valid_scores = train.scores.double(), valid.scores.double()
    if len(inputs) != len(scores) or len(valid_inputs) != len(valid_scores):
        raise ValueError("every vector needs one score, in training and in validation")
    if not (scores > scores.min()).any():
        raise ValueError(f"all {len(scores)} training scores are equal: there is no pair to rank")
    space: Any = settings.space  # checked by the configuration
    torch.manual_seed(settings.seed)
    surrogate = LHSSurrogate(
        LHSSurrogateConfig(
            latent_size=inputs.shape[1],
            task=task,
            space=space,
            temperature=settings.temperature,
            dropout=settings.dropout,
            input_scale=float(inputs.std().clamp(min=1e-6)),
            score_mean=float(scores.mean()),
            score_std=float(scores.std().clamp(min=1e-12)),
        )
    )
    ranks = torch.from_numpy(average_ranks(scores.numpy()))
    weights = torch.where(ranks >= ranks.median(), settings.better_half_weight, 1.0)
    # Ranks instead of scores: the order is all that the loss reads, and float32 keeps them apart.
    examples = list(zip(inputs, ranks.float(), weights))

    def collate(rows: list[tuple[Tensor, Tensor, Tensor]]) -> dict[str, Tensor]:
        u, s, w = zip(*rows)
        return {"u": torch.stack(u), "scores": torch.stack(s), "weights": torch.stack(w)}

    def loss(model: torch.nn.Module, batch: dict[str, Tensor]) -> Tensor:
        u = batch["u"]
        if settings.noise:
            u = u + settings.noise * surrogate.config.input_scale * torch.randn_like(u)
        return model(u, batch["scores"], batch["weights"]).loss

    def evaluate(model: torch.nn.Module) -> dict[str, float]:
        predicted = model(valid_inputs.to(next(model.parameters()).device)).score.cpu()
        overall = spearman(predicted, valid_scores)
        better = better_half_spearman(predicted, valid_scores)
        return {"spearman": overall, "spearman_better_half": better, "selection": (overall + better) / 2}

    result = fit(
        surrogate,
        ListSource(examples),
        collate,
        settings,
        output_dir,
        Objective(loss, evaluate, metric="selection", greater_is_better=True),
        resume=resume,
        progress=progress,
    )
    return surrogate.eval(), result


def spearman(predicted: Tensor, scores: Tensor) -> float:
    """Spearman's rank correlation of two vectors (N,); 0 where it is not defined (N < 2, or one side is constant)."""
    return surrogate_spearman(predicted.detach().double().numpy(), scores.detach().double().numpy())


def better_half_spearman(predicted: Tensor, scores: Tensor) -> float:
    """Spearman's correlation on the programs at least as good as the median: terrible programs inflate the other."""
    better = scores >= scores.median()
    return spearman(predicted[better], scores[better])
