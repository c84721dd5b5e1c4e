"""Area under the convergence curve, from the reference (0) to the optimum (1)."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from lhs_hf.metrics import area_under_convergence

_INPUTS = """
Args:
    predictions: the incumbent's objective after each decoder call (`history` of a search result).
    reference: objective of the reference program.
    optimum: the optimum or a bound.
Returns:
    area_under_convergence: float; None if reference and optimum are equal.
"""


class AreaUnderConvergence(evaluate.Metric):
    """`lhs_hf.metrics.area_under_convergence` as an `evaluate` metric."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=area_under_convergence.__doc__ or "",
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features(
                {
                    "predictions": datasets.Value("float64"),
                }
            ),
        )

    def _compute(self, predictions: list[float], reference: float, optimum: float) -> dict[str, Any]:
        return {"area_under_convergence": area_under_convergence(predictions, reference=reference, optimum=optimum)}
