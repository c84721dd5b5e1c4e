"""Which programs of a search no other one is both better and quicker than."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..evaluation import Evaluator
from ..search.candidates import numbers
from ..search.database import Candidate
from ..tasks.base import Task

MOST = 12
"""Programs that are measured for a front, at most."""


@dataclass(frozen=True)
class Point:
    """A program of a front: its objective on `search`, its wall seconds there, and how many times the reference's."""

    candidate: Candidate
    objective: float
    seconds: float
    times_reference: float


def pareto_front(task: Task, candidates: Sequence[Candidate]) -> list[Point]:
    """The programs that no other one of a search is at least as good and as quick as, the quickest first.

    What the search has measured says which programs may be on it (`MOST` of them, the best among these). They and the
    reference are run on `search` once more, one after the other: in a search several run at the same time, on few
    instances each. Raises `IsolationError` where programs do not run.
    """
    names = ("id", "ok", "standing", "raced", "runtime_s", "objective", "runs")
    number, ok, standing, raced, seconds, objective, runs = numbers(candidates, *names)
    # Seconds are those of an instance.
    seconds = seconds / np.where(raced == 1, np.maximum(1, runs), task.split("search").count)
    measured_before = (ok == 1) & (standing == 1) & (seconds > 0) & np.isfinite(objective)
    score = task.alpha * objective[measured_before]
    best = number[measured_before][_front(score, seconds[measured_before])].astype(int).tolist()
    likely = [candidates[number] for number in (0, *(number for number in best[-MOST:] if number))]
    with Evaluator(task, workers=1) as evaluator:
        evaluator.evaluate(task.template)  # the first run pays for the start of the sandbox
        measured = [(each, evaluator.evaluate(each.program)) for each in likely]
    reference = measured[0][1].runtime_s or 1.0
    points = [
        Point(each, result.objective, result.runtime_s, result.runtime_s / reference)
        for each, result in measured
        if result.objective is not None
    ]
    scores = np.array([task.alpha * point.objective for point in points])
    return [points[place] for place in _front(scores, np.array([point.seconds for point in points]))]


def _front(scores: np.ndarray, seconds: np.ndarray) -> np.ndarray:
    """Places of those that no other one is at least as good and as quick as, the quickest first."""
    order = np.lexsort((-scores, seconds))
    before = np.maximum.accumulate(np.concatenate([[-np.inf], scores[order]]))[:-1]
    return order[scores[order] > before]
