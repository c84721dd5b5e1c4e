"""Mean distance of objectives to the optimum or a bound, in percent."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from lhs_hf.metrics import mean_gap_to_optimum

_INPUTS = """
Args:
    predictions: objectives.
    references: the optimum (or a bound) of each.
    sense: "min" or "max".
Returns:
    gap_to_optimum: float, percent; None if no pair has a gap.
"""


class GapToOptimum(evaluate.Metric):
    """`lhs_hf.metrics.mean_gap_to_optimum` as an `evaluate` metric."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=mean_gap_to_optimum.__doc__ or "",
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features(
                {
                    "predictions": datasets.Value("float64"),
                    "references": datasets.Value("float64"),
                }
            ),
        )

    def _compute(self, predictions: list[float], references: list[float], sense: str) -> dict[str, Any]:
        return {"gap_to_optimum": mean_gap_to_optimum(predictions, references, sense=sense)}
