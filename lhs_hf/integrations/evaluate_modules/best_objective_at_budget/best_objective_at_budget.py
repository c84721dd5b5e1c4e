"""The best objective within a number of decoder calls."""

from __future__ import annotations

from typing import Any

import datasets
import evaluate

from lhs_hf.metrics import best_objective_at_budget

_INPUTS = """
Args:
    predictions: the objective of each decoder call in order, None for a program that failed; incumbents do too.
    sense: "min" or "max".
    budget: decoder calls that count; all of them by default.
Returns:
    best_objective_at_budget: float, or None if no program has an objective.
"""


class BestObjectiveAtBudget(evaluate.Metric):
    """`lhs_hf.metrics.best_objective_at_budget` as an `evaluate` metric."""

    def _info(self) -> evaluate.MetricInfo:
        return evaluate.MetricInfo(
            description=best_objective_at_budget.__doc__ or "",
            citation="",
            inputs_description=_INPUTS,
            features=datasets.Features(
                {
                    "predictions": datasets.Value("float64"),
                }
            ),
        )

    def _compute(self, predictions: list[float], sense: str, budget: int | None = None) -> dict[str, Any]:
        return {"best_objective_at_budget": best_objective_at_budget(predictions, sense=sense, budget=budget)}
