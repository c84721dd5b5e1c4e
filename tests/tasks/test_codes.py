"""Functions whose programs answer a word, a code or yes and no, or say which of two comes first."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits import ExceptionTo, edits
from lhs_hf.search.edits.choices import NewRule
from lhs_hf.search.edits.comparing import compared
from lhs_hf.search.edits.exceptions import answers_of
from lhs_hf.search.edits.parents import Parent
from lhs_hf.tasks import get_task
from lhs_hf.tasks.functions import task_of_function

numbers = random.Random(0)
JOBS = [{"hours": numbers.randint(1, 30), "weight": numbers.randint(1, 9), "due": numbers.random()} for _ in range(25)]
LOADS = [[numbers.random() for _ in range(40)] for _ in range(6)]


def walked(step: Callable[..., Any]) -> float:
    total = 0
    for target in ((7, 3), (1, 6), (4, 4)):
        here, moves = [0, 0], 0
        while tuple(here) != target and moves < 60:
            said = step(here[0], here[1], target[0], target[1], moves)
            if said not in ("right", "up", "left", "down"):
                raise ValueError(said)
            place, by = {"right": (0, 1), "left": (0, -1), "up": (1, 1), "down": (1, -1)}[said]
            here[place] = min(8, max(0, here[place] + by))
            moves += 1
        total += moves
    return float(total)


def switched(code: Callable[..., int]) -> float:
    cost = 0.0
    for loads in LOADS:
        on = 1
        for load in loads:
            said = code(load, on)
            if said not in (0, 1, 2):
                raise ValueError("no such code")
            on = on if said == 0 else said - 1
            cost += 0.4 * on + (0.0 if on else load) + (0.05 if said else 0.0)
    return cost


def ordered(before: Callable[..., bool]) -> float:
    def compare(one: Any, two: Any) -> int:
        return -1 if before(dict(one), dict(two)) else 1 if before(dict(two), dict(one)) else 0

    now = total = 0
    for job in sorted(JOBS, key=functools.cmp_to_key(compare)):
        now += job["hours"]
        total += now * job["weight"]
    return float(total)


WALK = "def step(x, y, goal_x, goal_y, moves):\n    if moves % 2:\n        return 'up'\n    return 'right'\n"
SWITCH = "def code(load, on):\n    if load > 0.9:\n        return 2\n    return 1 if load < 0.1 else 0\n"


@pytest.mark.integration
@pytest.mark.parametrize(
    ("objective", "template", "given"),
    [(walked, WALK, ("right", "up")), (switched, SWITCH, (0, 1, 2))],
)
def test_some_exceptions_are_better(objective, template: str, given: tuple[Any, ...], tmp_path: Path) -> None:
    task = task_of_function(objective, template, tmp_path, objective.__name__)
    known = answers_of(task)
    assert known is not None
    assert known.given == given
    assert "exception" in edits(None, (), task)
    parent = Parent.of(task.template, "reference", 0.0)
    drawn = [ExceptionTo().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(240)]
    assert drawn[0] == ExceptionTo().propose(parent, [parent], task, np.random.default_rng(0))
    sources = [each.source for each in drawn if each is not None]
    assert len(sources) == 240
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template, "search").objective
        objectives = [each.objective for each in evaluator.evaluate_many(sources) if each.objective is not None]
    assert len(objectives) == 240
    assert reference is not None
    assert min(objectives) < reference


def test_what_comes_first_is_told_by_the_same_number_of_both(tmp_path: Path) -> None:
    task = task_of_function(ordered, "def before(a, b):\n    return a['due'] < b['due']\n", tmp_path, "jobs")
    assert compared(task) == task.arguments
    parent = Parent.of(task.template, "reference", 0.0)
    drawn = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(30)]
    sources = [each.source for each in drawn if each is not None]
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template, "search").objective
        objectives = [each.objective for each in evaluator.evaluate_many(sources) if each.objective is not None]
    assert len(objectives) == 30
    assert reference is not None
    assert min(objectives) < 0.8 * reference


def test_a_task_of_the_paper_or_with_an_order_has_none() -> None:
    assert answers_of(get_task("tsp_construct")) is None
    assert answers_of(get_task("ad_allocation")) is None
    assert compared(get_task("tsp_construct")) is None
