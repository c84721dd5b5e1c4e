"""Share of programs whose true score is higher than their parent's."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from lhs_hf.metrics import true_ascent_rate

_INPUTS = """
Args:
    predictions: true scores of programs, higher is better; None for one that failed.
    references: true scores of their parents.
Returns:
    true_ascent_rate: float in [0, 1].
"""


class TrueAscentRate(evaluate.Metric):
    """`lhs_hf.metrics.true_ascent_rate` as an `evaluate` metric."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=true_ascent_rate.__doc__ or "",
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
        return {"true_ascent_rate": true_ascent_rate(predictions, references)}
