"""Spearman's rank correlation of predicted and true scores."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from lhs_hf.metrics import surrogate_spearman

_INPUTS = """
Args:
    predictions: scores that a surrogate predicts.
    references: true scores, higher is better.
Returns:
    surrogate_spearman: float in [-1, 1].
"""


class SurrogateSpearman(evaluate.Metric):
    """`lhs_hf.metrics.surrogate_spearman` as an `evaluate` metric."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=surrogate_spearman.__doc__ or "",
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features(
                {
                    "predictions": datasets.Value("float64"),
                    "references": datasets.Value("float64"),
                }
            ),
        )

    def _compute(self, predictions: list[float], references: list[float]) -> dict[str, Any]:
        return {"surrogate_spearman": surrogate_spearman(predictions, references)}
