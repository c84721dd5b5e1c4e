"""Which programs of a search no other one is both better and quicker than."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeVar

from ..evaluation import Evaluator
from ..search.candidates import columns
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
    count = task.split("search").count
    rows = columns(
        candidates,
        *("id", "status", "outcome", "runtime_s", "objective", "runs"),
        where=f"status = 'ok' AND outcome IN {_KEPT} AND runtime_s > 0",
    )
    measured_before = [
        # Seconds are those of an instance.
        (number, task.alpha * objective, seconds / max(1, runs if outcome else count))
        for number, status, outcome, seconds, objective, runs in rows
        if status == "ok" and outcome in _KEPT and seconds and objective
    ]
    numbers = [number for number, _, _ in _front(measured_before, itemgetter(1), itemgetter(2))]
    likely = [candidates[number] for number in (0, *(number for number in numbers[-MOST:] if number))]
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
