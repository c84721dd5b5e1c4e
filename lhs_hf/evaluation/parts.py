"""Long splits, instance by instance on several workers."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..tasks.base import FreshSplit, Task
from .pool import ProgramWorker
from .result import Evaluation


def worth_splitting(task: Task, split: str | FreshSplit) -> bool:
    """Whether a split has so many program calls that dividing it pays."""
    return task.split(split).program_calls > task.split("search").program_calls and task.split(split).count > 1


def evaluate_in_parts(
    workers: Sequence[ProgramWorker], source: str, split: str | FreshSplit, pure: bool = False
) -> Evaluation:
    """One evaluation of a program without state, each worker running a stretch of the split's instances.

    `pure`: the program can see nothing but its arguments (`is_pure`).
    The first failure in the order of the instances is the result. The time limit holds for the sum of all parts.
    """
    task, limits = workers[0].task, workers[0].limits
    bounds = np.linspace(0, len(task.instances(split)), len(workers) + 1).astype(int).tolist()
    stretches = [range(first, last) for first, last in pairwise(bounds)]
    with ThreadPoolExecutor(len(workers)) as pool:

        def run(worker: ProgramWorker, part: range) -> Evaluation:
            return worker.evaluate(source, split, part, stateless=True, pure=pure)

        parts = list(pool.map(run, workers, stretches))
    seconds = sum(part.runtime_s for part in parts)
    for part in parts:
        if not part.ok:
            return replace(part, runtime_s=seconds)
    limit = limits.seconds(task, split)
    if seconds > limit:
        return Evaluation(
            "wall_timeout", None, None, (), seconds, f"not finished after {limit:g} s", parts[0].isolation
        )
    objectives = tuple(value for part in parts for value in part.objectives)
    mean = float(np.mean(np.asarray(objectives, dtype=np.float64)))
    # Of a program that counts in some of its parts only, the time says what the clock does.
    message = min(part.message for part in parts)
    return Evaluation("ok", mean, task.alpha * mean, objectives, seconds, message, isolation=parts[0].isolation)
