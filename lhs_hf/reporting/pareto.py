"""Which programs of a search no other one is both better and quicker than."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from ..evaluation import Evaluator
from ..search.database import Candidate
from ..tasks.base import Task

MOST = 12
"""Programs that are measured for a front, at most."""

_KEPT = ("incumbent", "entered", "")
"""Outcomes of races whose estimate is of more than a few instances, and of searches without races."""

_Any = TypeVar("_Any")


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
    likely = [each for each in candidates if each.ok and each.outcome in _KEPT and each.runtime_s and each.objective]
    likely = _front(likely, lambda each: task.alpha * (each.objective or 0.0), lambda each: _seconds(task, each))
    likely = [candidates[0], *(each for each in likely[-MOST:] if each is not candidates[0])]
    with Evaluator(task, workers=1) as evaluator:
        evaluator.evaluate(task.template)  # the first run pays for the start of the sandbox
        measured = [(each, evaluator.evaluate(each.program)) for each in likely]
    reference = measured[0][1].runtime_s or 1.0
    points = [
        Point(each, result.objective, result.runtime_s, result.runtime_s / reference)
        for each, result in measured
        if result.objective is not None
    ]
    return _front(points, lambda point: task.alpha * point.objective, lambda point: point.seconds)


def _front(items: Sequence[_Any], score: Callable[[_Any], float], seconds: Callable[[_Any], float]) -> list[_Any]:
    front: list[_Any] = []
    for item in sorted(items, key=lambda each: (seconds(each), -score(each))):
        if not front or score(item) > score(front[-1]):
            front.append(item)
    return front


def _seconds(task: Task, candidate: Candidate) -> float:
    """For an instance, as the search has measured it."""
    instances = candidate.runs if candidate.outcome else task.split("search").count
    return (candidate.runtime_s or 0.0) / max(1, instances)
