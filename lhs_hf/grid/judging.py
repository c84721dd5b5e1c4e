"""What a chosen program is worth: every split, its runtime beside the reference's, whether it is new."""

from __future__ import annotations

import numpy as np

from .. import __version__
from ..corpus.novelty import Reference, novelty
from ..evaluation import Evaluator
from ..tasks.base import Task
from .cell import Cell, CellResult, Spent
from .contender import Chosen
from .plan import SPLIT

POINTS = 12
"""Of a convergence curve: so many incumbents meet `holdout`, evenly among all of them, the last one included."""

PATIENCE = 4.0
"""A chosen program may take so many times a split's limit: its runtime is printed, and a search on a slow machine (or
beside others) ends with a program near the limit, whose objective is what the comparison asks for."""


def judged(
    cell: Cell, task: Task, evaluator: Evaluator, chosen: Chosen, seconds: float, splits: list[str], curves: bool = True
) -> CellResult:
    """Evaluate what a cell chose. Nothing here is part of its budget."""
    own = {split: evaluator.evaluate(chosen.program, split) for split in splits}
    reference = {split: evaluator.evaluate(task.template, split) for split in splits}
    behaviour = evaluator.probe(chosen.program)
    on_search = own["search"].objectives if "search" in own else ()
    level = novelty(task, Reference.of_task(task), chosen.program, behaviour, on_search or ()).level
    return CellResult(
        cell.method,
        cell.task,
        cell.seed,
        task.sense,
        chosen.program,
        Spent(
            chosen.instance_runs,
            chosen.instance_runs / task.split("search").count,
            chosen.calls,
            chosen.tokens,
            round(seconds, 3),
            chosen.programs,
            chosen.valid,
            chosen.valid_calls,
        ),
        {split: list(each.objectives) for split, each in own.items() if each.ok},
        {split: f"{each.status}: {each.message}"[:500] for split, each in own.items() if not each.ok},
        {split: each.runtime_s for split, each in own.items() if each.ok},
        {split: each.runtime_s for split, each in reference.items() if each.ok},
        _curve(evaluator, chosen) if curves and SPLIT in task.splits else [],
        level,
        __version__,
    )


def _curve(evaluator: Evaluator, chosen: Chosen) -> list[tuple[int, int, float | None]]:
    incumbents = chosen.incumbents or ((chosen.instance_runs, chosen.calls, chosen.program),)
    places = sorted(set(np.linspace(0, len(incumbents) - 1, POINTS).round().astype(int).tolist()))
    return [
        (incumbents[at][0], incumbents[at][1], evaluator.evaluate(incumbents[at][2], SPLIT).objective) for at in places
    ]
