"""Share of decoded programs that are valid and scored."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from lhs_hf.metrics import success_rate

_INPUTS = """
Args:
    predictions: the status of each decoded program, as the run database has it ("ok", "exception", ...).
Returns:
    success_rate: float in [0, 1].
"""


class SuccessRate(evaluate.Metric):
    """`lhs_hf.metrics.success_rate` as an `evaluate` metric."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=success_rate.__doc__ or "",
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features(
                {
                    "predictions": datasets.Value("string"),
                }
            ),
        )

    def _compute(self, predictions: list[str]) -> dict[str, Any]:
        return {"success_rate": success_rate(predictions)}
