"""The figures that searches are judged by, as plain functions: reports use them, `evaluate` modules wrap them.

Objectives are in task units with their `sense` ("min" or "max"); scores are higher-is-better. None and NaN stand for
programs without a value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Sized
from pathlib import Path
from typing import TypeGuard

import numpy as np

from .constants import SCREENED
from .errors import CallError, unknown

_MODULES = Path(__file__).parent / "integrations" / "evaluate_modules"
METRICS = (
    "area_under_convergence",
    "best_objective_at_budget",
    "gap_to_optimum",
    "success_rate",
    "surrogate_spearman",
    "true_ascent_rate",
)


def metric_folder(name: str) -> str:
    """The folder that `evaluate.load` takes for one of `METRICS`. Raises `CallError` for another name."""
    if name not in METRICS:
        raise unknown("metric", name, METRICS)
    return str(_MODULES / name)


def share(part: float, whole: float) -> float:
    """part / whole; 0 of nothing."""
    return part / whole if whole else 0.0


def success_rate(statuses: Sequence[str]) -> float:
    """Share of decoded programs, screened ones left out, with status "ok": valid and scored (paper, table 3)."""
    judged = [status for status in statuses if status != SCREENED]
    return share(judged.count("ok"), len(judged))


def best_objective_at_budget(
    objectives: Sequence[float | None], *, sense: str, budget: int | None = None
) -> float | None:
    """The best objective of the first `budget` decoder calls (None: of all); None if none of them has one.

    `objectives`: one value a call, in order; a program's own or the incumbent's, which gives the same.
    """
    if budget is not None and budget < 0:
        raise CallError(f"a budget is a number of decoder calls, got {budget}")
    best = _best_of(sense)
    known = [value for value in objectives[:budget] if _is_number(value)]
    return best(known) if known else None


def gap_to_optimum(objective: float | None, optimum: float | None, *, sense: str) -> float | None:
    """Distance of an objective to the optimum or a bound, in percent of its magnitude; None if undefined.

    Positive where the objective is worse. Undefined without either value and for an optimum of 0.
    """
    alpha = 1 if _best_of(sense) is max else -1
    if not _is_number(objective) or not _is_number(optimum) or optimum == 0:
        return None
    return 100.0 * alpha * (optimum - objective) / abs(optimum)


def mean_gap_to_optimum(
    objectives: Sequence[float | None], optima: Sequence[float | None], *, sense: str
) -> float | None:
    """Mean of `gap_to_optimum` over the pairs where it is defined; None if it is defined for none."""
    _same_length(objectives, optima)
    gaps = [gap_to_optimum(objective, optimum, sense=sense) for objective, optimum in zip(objectives, optima)]
    defined = [value for value in gaps if value is not None]
    return sum(defined) / len(defined) if defined else None


def area_under_convergence(
    incumbents: Sequence[float | None], *, reference: float | None, optimum: float | None
) -> float | None:
    """Area under the convergence curve, as a share of the area that the optimum from the first call on would have.

    The curve is, after each decoder call, the incumbent's share of the way from the reference program's objective to
    the optimum (or a bound). 0: the reference throughout; 1: the optimum at once. All calls weigh alike; one without
    an incumbent counts as the reference. None if reference or optimum is missing or the two are equal.

    Args:
        incumbents: best objective known after each decoder call.
    """
    if not _is_number(reference) or not _is_number(optimum) or reference == optimum or not len(incumbents):
        return None
    values = np.array(incumbents, dtype=np.float64)
    values[np.isnan(values)] = reference
    return float((values - reference).mean() / (optimum - reference))


def average_ranks(values: np.ndarray) -> np.ndarray:
    """Ranks from 0, ties sharing their mean; float64 of the shape of `values` (N,)."""
    from scipy.stats import rankdata

    return rankdata(values) - 1.0


def surrogate_spearman(predicted: Sequence[float] | np.ndarray, scores: Sequence[float] | np.ndarray) -> float:
    """Spearman's rank correlation of predicted and true scores (N,); 0 where undefined (N < 2, or a constant side)."""
    from scipy.stats import spearmanr

    _same_length(predicted, scores)
    if len(scores) < 2 or np.ptp(predicted) == 0 or np.ptp(scores) == 0:
        return 0.0
    return float(spearmanr(predicted, scores).statistic)


def true_ascents(scores: Sequence[float | None], parent_scores: Sequence[float | None]) -> tuple[int, int]:
    """(programs with a higher true score than their parent, pairs compared); pairs without both scores are left out."""
    _same_length(scores, parent_scores)
    ascents = [
        score > parent for score, parent in zip(scores, parent_scores) if _is_number(score) and _is_number(parent)
    ]
    return sum(ascents), len(ascents)


def true_ascent_rate(scores: Sequence[float | None], parent_scores: Sequence[float | None]) -> float:
    """Share of scored programs whose true score is higher than their scored parent's; 0 of no pairs."""
    return share(*true_ascents(scores, parent_scores))


def _is_number(value: float | None) -> TypeGuard[float]:
    return value is not None and not math.isnan(value)


def _best_of(sense: str) -> Callable[[list[float]], float]:
    senses: dict[str, Callable[[list[float]], float]] = {"min": min, "max": max}
    if sense not in senses:
        raise unknown("sense", sense, senses)
    return senses[sense]


def _same_length(first: Sized, second: Sized) -> None:
    if len(first) != len(second):
        raise CallError(f"{len(first)} values on one side, but {len(second)} on the other; they are compared in pairs")
