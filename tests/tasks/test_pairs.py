"""Functions that answer with two things at once."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.corpus.augmentation.words import vocabulary
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits.choices import NewRule
from lhs_hf.search.edits.inner_rule import InnerRule
from lhs_hf.search.edits.inside import insides
from lhs_hf.search.edits.parents import Parent
from lhs_hf.tasks.functions import task_of_function

PILES = [[31, 7, 56, 12, 90, 44], [3, 88, 17, 65, 20, 51], [70, 9, 24, 33, 61, 5]]
generator = random.Random(0)
POINTS = [[(generator.random(), generator.random()) for _ in range(8)] for _ in range(3)]


def piles(program: Callable[..., Any]) -> float:
    """Two piles become one until one is left; moving them costs what they weigh."""
    total = 0.0
    for sizes in PILES:
        left = list(sizes)
        while len(left) > 1:
            one, two = program(list(left))
            if one == two or not all(0 <= each < len(left) for each in (one, two)):
                raise ValueError("two different piles")
            total += left[one] + left[two]
            left = [each for place, each in enumerate(left) if place not in (one, two)] + [left[one] + left[two]]
    return total


def first_before_second(program: Callable[..., Any]) -> float:
    """As `piles`; the places in ascending order."""

    def ordered(left: list[int]) -> Any:
        one, two = program(left)
        if one >= two:
            raise ValueError("the first pile first")
        return one, two

    return piles(ordered)


def tree(program: Callable[..., Any]) -> float:
    """An edge from what is connected to what is not, until all points are."""
    total = 0.0
    for points in POINTS:
        inside, outside = [0], list(range(1, len(points)))
        while outside:
            one, two = program(list(inside), list(outside), list(points))
            inside.append(outside.pop(outside.index(two)))
            total += math.dist(points[inside[inside.index(one)]], points[two])
    return total


def jobs(program: Callable[..., Any]) -> float:
    """A job by its id to a machine by its name."""
    total = 0.0
    for number, sizes in enumerate(PILES):
        left = [{"id": 10 + place, "work": size, "weight": 1 + size % 7} for place, size in enumerate(sizes)]
        free = {"slow": 0.0, "quick": 3.0 * number}
        while left:
            job, name = program(
                [dict(each) for each in left], [{"name": each, "free": when} for each, when in free.items()]
            )
            chosen = next(each for each in left if each["id"] == job)
            left.remove(chosen)
            free[name] += chosen["work"] / (1 if name == "slow" else 2)
            total += chosen["weight"] * free[name]
    return total


def by_keys(program: Callable[..., Any]) -> float:
    """The same with dictionaries, whose keys are answered."""

    def other(left: list[dict[str, Any]], machines: list[dict[str, Any]]) -> Any:
        job, name = program({f"j{each['id']}": each["work"] for each in left}, {m["name"]: m["free"] for m in machines})
        return int(job[1:]), name

    return jobs(other)


def couriers(program: Callable[..., Any]) -> float:
    """Parcels from where they are to where they go, by couriers who are somewhere, too; places in two lists."""
    total = 0.0
    for points in POINTS:
        parcels = [(one, two, one[0]) for one, two in pairwise(points)]
        at, free = [points[0], points[-1], (0.5, 0.5)], [0.0, 0.1, 0.2]
        while parcels:
            parcel, courier = program(list(parcels), list(zip(at, free)))
            start, end, _ = parcels.pop(parcel)
            free[courier] += math.dist(at[courier], start) + math.dist(start, end)
            at[courier] = end
            total += free[courier]
    return total


CASES = {
    "piles": (piles, "def merge(piles):\n    return 0, 1\n", "one != two"),
    "first_before_second": (first_before_second, "def merge(piles):\n    return 0, 1\n", "one < two"),
    "tree": (tree, "def edge(inside, outside, points):\n    return inside[0], outside[0]\n", ""),
    "jobs": (jobs, 'def pick(jobs, machines):\n    return jobs[0]["id"], machines[0]["name"]\n', ""),
    "by_keys": (by_keys, "def pick(jobs, machines):\n    return next(iter(jobs)), next(iter(machines))\n", ""),
}


def rules_that_run(evaluator: Evaluator, objective: Callable[..., float]) -> list[str]:
    """Thirty new rules of a task, all of which run; the best is better than its template."""
    task = evaluator.task
    parent = Parent.of(task.template, "reference", 0.0)
    rules = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(30)]
    sources = [rule.source for rule in rules if rule is not None]
    results = [evaluator.evaluate(source, "search") for source in sources]
    assert len(results) == 30
    assert all(each.ok for each in results)
    assert min(each.objective for each in results) < objective(task.reference)
    return sources


@pytest.mark.parametrize("name", list(CASES))
def test_rules_answer_with_pairs_that_may_be_answered(name: str, tmp_path: Path) -> None:
    objective, template, relation = CASES[name]
    task = task_of_function(objective, template, tmp_path, name)
    assert task.answers == "choice"
    assert task.probes[0].context.relation == relation
    with Evaluator(task) as evaluator:
        sources = rules_that_run(evaluator, objective)
        assert (evaluator.probe(template).decisions == 0).all()
        assert len({tuple(evaluator.probe(source).decisions) for source in sources}) > 5


def test_two_points_of_a_pair_are_so_far_apart(tmp_path: Path) -> None:
    objective, template, _ = CASES["tree"]
    task = task_of_function(objective, template, tmp_path, "tree")
    parent = Parent.of(template, "reference", 0.0)
    rules = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(80)]
    between = "abs(complex(*points[option[0]]) - complex(*points[option[1]]))"
    assert any(between in rule.source for rule in rules if rule is not None)


def test_points_that_both_of_a_pair_hold_are_so_far_apart(tmp_path: Path) -> None:
    template = "def send(parcels, couriers):\n    return 0, min(range(len(couriers)), key=lambda k: couriers[k][1])\n"
    task = task_of_function(couriers, template, tmp_path, "couriers")
    terms = vocabulary(task).terms
    way = "abs(complex(*{{parcels}}[{{part_0}}][{0}]) - complex(*{{{1}}}[{{{2}}}][{3}]))"
    assert way.format(0, "couriers", "part_1", 0) in terms
    assert way.format(0, "parcels", "part_0", 1) in terms
    # There are as many couriers as there are parts of a parcel, but none is a place in these.
    with Evaluator(task) as evaluator:
        rules_that_run(evaluator, couriers)


def test_either_of_the_two_gets_a_rule_of_its_own(tmp_path: Path) -> None:
    objective, _, _ = CASES["jobs"]
    template = (
        'def pick(jobs, machines):\n    machine = min(machines, key=lambda m: m["free"])\n'
        '    return jobs[0]["id"], machine["name"]\n'
    )
    task = task_of_function(objective, template, tmp_path, "jobs")
    assert [place is not None for place in insides(task)] == [True, True]
    parent = Parent.of(template, "reference", 0.0)
    proposals = [InnerRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(30)]
    with Evaluator(task) as evaluator:
        results = [evaluator.evaluate(each.source, "search") for each in proposals if each is not None]
        assert sum(each.ok for each in results) > 20
        assert min(each.objective for each in results if each.ok) < objective(task.reference)


def test_two_amounts_are_no_pair(tmp_path: Path) -> None:
    def objective(program: Callable[..., Any]) -> float:
        return float(sum(abs(program([4, 9, 2, 7], wanted)[0] - wanted - 1) for wanted in (0, 1, 2, 1, 0, 2)))

    template = "def order(past, wanted):\n    return wanted, 1\n"
    task = task_of_function(objective, template, tmp_path, "amounts")
    assert task.answers != "choice"


def test_records_may_have_other_lists_in_other_calls(tmp_path: Path) -> None:
    def objective(program: Callable[..., Any]) -> float:
        total = 0
        for number, row in enumerate(PILES):
            one, two = program({"first": list(row)} if number == 0 else {"only": list(row)}, list(row))
            total += row.index(one) - row.index(two)
        return float(total)

    template = "def ends(known, row):\n    return row[0], row[1]\n"
    task = task_of_function(objective, template, tmp_path, "records")
    assert task.answers == "choice"
    assert task.listed == "[(one, two) for one in row for two in row]"


def test_where_not_every_pair_may_be_answered_there_are_none(tmp_path: Path) -> None:
    def objective(program: Callable[..., Any]) -> float:
        one, two = program(list(PILES[0]))
        if one + two != 5:
            raise ValueError("one from each end")
        return float(PILES[0][one] - PILES[0][two])

    task = task_of_function(objective, "def ends(row):\n    return 0, 5\n", tmp_path, "ends")
    assert task.answers != "choice"
