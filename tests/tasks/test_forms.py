"""Objectives as people write them: what a program is handed, and when it has nothing to choose."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits import Amount
from lhs_hf.search.edits.choices import NewRule
from lhs_hf.search.edits.parents import Parent
from lhs_hf.tasks.base import IllegalAnswer
from lhs_hf.tasks.functions import task_of_function
from lhs_hf.tasks.listing import listing

numbers = random.Random(0)
JOBS = [{"id": i, "work": numbers.randint(1, 30), "weight": numbers.randint(1, 9), "from": 7 * i} for i in range(12)]
BOARD = np.random.default_rng(0).integers(0, 9, (6, 7)).astype(float)


@dataclass
class Shop:
    """Somebody's own class, with methods."""

    jobs: list[dict[str, int]]

    def waiting(self) -> list[dict[str, int]]:
        return list(self.jobs)


def one_by_one(call: Callable[..., Any]) -> Callable[[Any], float]:
    """`call` gives the id of the next job, or None: then time passes."""

    def objective(program: Any) -> float:
        left, now, total = list(JOBS), 0, 0
        while left:
            here = [dict(job) for job in left if job["from"] <= now]
            number = call(program, here or ([] if call in (id_or_none, job_or_none) else [dict(job) for job in left]))
            if number is None:
                now += 1
                continue
            job = next(each for each in left if each["id"] == number)
            left.remove(job)
            now += job["work"]
            total += now * job["weight"]
        return float(total)

    return objective


def by_method(program: Any, jobs: list[dict[str, int]]) -> int:
    return int(program(Shop(jobs)))


def in_records(program: Any, jobs: list[dict[str, int]]) -> int:
    return int(program({"shop": {"queue": jobs, "open": True}}))


def in_columns(program: Any, jobs: list[dict[str, int]]) -> int:
    columns = {name: [job[name] for job in jobs] for name in ("work", "weight")}
    return jobs[program(columns)]["id"]


def by_range(program: Any, jobs: list[dict[str, int]]) -> int:
    return jobs[program(range(len(jobs)), [job["work"] for job in jobs])]["id"]


def by_view(program: Any, jobs: list[dict[str, int]]) -> int:
    known = {job["id"]: job for job in jobs}
    return int(program(known.keys(), {key: dict(job) for key, job in known.items()}))


def id_or_none(program: Any, jobs: list[dict[str, int]]) -> int | None:
    answer = program(jobs)
    return None if answer is None else int(answer)


def job_or_none(program: Any, jobs: list[dict[str, int]]) -> int | None:
    answer = program(jobs)
    return None if answer is None else int(answer["id"])


def board(program: Any) -> float:
    """Fields are emptied, and what is below them loses half."""
    left, total = BOARD.copy(), 0.0
    for _ in range(12):
        row, column = program(left.copy())
        total += left[row, column]
        left[row, column] = 0
        left[row + 1 : row + 2, column] /= 2
    return -total


def knapsack(program: Any) -> float:
    room, total = 60, 0
    for place, job in enumerate(JOBS):
        if job["work"] <= room and program(job["work"], job["weight"], room, len(JOBS) - place):
            room -= job["work"]
            total += job["weight"]
    return -float(total)


FORMS: dict[str, tuple[Callable[..., float], str, str | None]] = {
    "by_method": (one_by_one(by_method), "def pick(shop):\n    return shop.waiting()[0]['id']\n", "shop.jobs"),
    "in_records": (
        one_by_one(in_records),
        "def pick(world):\n    return world['shop']['queue'][0]['id']\n",
        'world["shop"]["queue"]',
    ),
    "in_columns": (one_by_one(in_columns), "def pick(table):\n    return 0\n", 'range(len(table["work"]))'),
    "by_range": (one_by_one(by_range), "def pick(places, work):\n    return places[0]\n", "range(len(work))"),
    "by_view": (one_by_one(by_view), "def pick(ids, jobs):\n    return next(iter(ids))\n", None),
    "id_or_none": (
        one_by_one(id_or_none),
        "def pick(queue):\n    if not queue:\n        return None\n    return queue[0]['id']\n",
        None,
    ),
    "job_or_none": (one_by_one(job_or_none), "def pick(queue):\n    return queue[0] if queue else None\n", None),
    "board": (
        board,
        "def field(board):\n    return 0, 0\n",
        "[(one, two) for one in range(len(board)) for two in range(len(board[0]))]",
    ),
    "yes_or_no": (knapsack, "def take(work, weight, room, left):\n    return True\n", None),
}


@pytest.mark.parametrize("name", list(FORMS))
def test_rules_are_written_for_what_is_handed_over(name: str, tmp_path: Path) -> None:
    objective, template, listed = FORMS[name]
    task = task_of_function(objective, template, tmp_path, name)
    assert task.listed == listed
    parent = Parent.of(template, "reference", 0.0)
    rules = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(16)]
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(template, "search")
        results = [evaluator.evaluate(rule.source, "search") for rule in rules if rule is not None]
    assert len(results) == 16
    assert all(each.ok for each in results)
    assert min(each.objective for each in results) < reference.objective
    assert len({each.objective for each in results}) > 3


class Machine:
    """Somebody's own class that says nothing of equality."""

    def __init__(self, name: str, free: float) -> None:
        self.name, self.free = name, free


def test_objects_without_equality_are_told_apart_by_their_parts(tmp_path: Path) -> None:
    def objective(choose: Callable[..., Any]) -> float:
        machines = [Machine(f"m{place}", 3.0 * place) for place in range(4)]
        for job in JOBS:
            chosen = choose(machines, job["work"])
            if chosen not in machines:
                raise ValueError("no such machine")
            chosen.free += job["work"]
        return float(max(machine.free for machine in machines))

    task = task_of_function(objective, "def choose(machines, work):\n    return machines[0]\n", tmp_path, "machines")
    assert (task.answers, task.alternatives) == ("choice", "machines")
    parent = Parent.of(task.template, "reference", 0.0)
    drawn = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(12)]
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template, "search").objective
        objectives = [evaluator.evaluate(each.source, "search").objective for each in drawn if each is not None]
    assert reference is not None
    assert min(each for each in objectives if each is not None) < 0.6 * reference


def sorted_by(program: Any) -> float:
    """Jobs in the order of what a program answers for each of them."""
    now = total = 0
    for job in sorted(JOBS, key=lambda job: program(job["work"], job["weight"])):
        now += job["work"]
        total += now * job["weight"]
    return float(total)


def test_keys_of_several_numbers_are_compared_one_after_the_other(tmp_path: Path) -> None:
    template = "def key(work, weight):\n    return (work // 10, -weight)\n"
    task = task_of_function(sorted_by, template, tmp_path, "keys")
    assert (task.answers, task.values_matter) == ("priority", False)
    state = task.probes[0]
    answers = [(0, 2), (1, -3), (1, -2), (0, 9)]
    assert task.probe_decision(state, answers) == 2
    assert task.probe_decision(state, [1, 5, 2.5]) == 1
    with pytest.raises(IllegalAnswer):
        task.probe_decision(state, [(1, 2), 3])
    with pytest.raises(IllegalAnswer):
        task.probe_decision(state, [(1, float("nan")), (2, 3)])
    generator = np.random.default_rng(0)
    parent = Parent(template, "0" * 64, "own", 0.0)
    proposals = [NewRule().propose(parent, [parent], task, generator) for _ in range(40)]
    texts = [each.source for each in proposals if each is not None]
    assert any("return (work // 10, " in text and "-weight)" not in text for text in texts)
    assert any("//" not in text for text in texts)


def test_tuples_that_are_more_than_keys_are_whole_answers(tmp_path: Path) -> None:
    def objective(program: Any) -> float:
        return float(sum(first + 2 * second for first, second in (program(job["work"]) for job in JOBS)))

    template = "def split(work):\n    return (work // 2, work - work // 2)\n"
    assert task_of_function(objective, template, tmp_path, "halves").answers == ""


def test_a_place_may_be_forbidden_in_some_calls(tmp_path: Path) -> None:
    def objective(choose: Any) -> float:
        lanes: list[list[int]] = [[], [], [], []]
        for job in JOBS:
            place = choose(job["weight"], [list(lane) for lane in lanes])
            if len(lanes[place]) == 4:
                raise ValueError("no room in that lane")
            lanes[place].append(job["weight"])
        return float(sum(a != b for lane in lanes for a, b in itertools.pairwise(lane)))

    body = "lengths = [len(lane) for lane in lanes]\n    return lengths.index(min(lengths))"
    template = f"def choose(weight, lanes):\n    {body}\n"
    task = task_of_function(objective, template, tmp_path, "lanes")
    assert (task.answers, listing(task)) == ("choice", "range(len(lanes))")


@pytest.mark.parametrize(
    ("refused", "answers"), [(lambda minutes: any(m > 200 for m in minutes), "scores"), (None, "")]
)
def test_whole_numbers_for_all_entries_are_amounts_where_a_little_less_will_do(
    refused: Callable[[list[int]], bool] | None, answers: str, tmp_path: Path
) -> None:
    def objective(program: Any) -> float:
        minutes = program([job["work"] for job in JOBS], 200)
        if len(minutes) != len(JOBS) or (refused or (lambda each: sorted(each)[-1] != 183))(minutes):
            raise ValueError("no such minutes")
        return float(sum(minute * job["weight"] for minute, job in zip(minutes, JOBS)))

    template = "def start(works, length):\n    return [k * length // len(works) for k in range(len(works))]\n"
    assert task_of_function(objective, template, tmp_path, "minutes").answers == answers


def test_a_number_for_each_column_of_a_matrix_rates_the_columns(tmp_path: Path) -> None:
    table = np.random.default_rng(1).normal(0.01, 0.02, (9, 4))

    def objective(program: Any) -> float:
        shares = [np.asarray(program(rows), dtype=float) for rows in (table, table[:7, :3])]
        if any(each.min() < 0 or abs(each.sum() - 1) > 1e-6 for each in shares):
            raise ValueError("shares come to one")
        return float(np.std(table @ shares[0]))

    template = "import numpy as np\n\ndef weights(rows):\n    return np.ones(rows.shape[1]) / rows.shape[1]\n"
    task = task_of_function(objective, template, tmp_path, "columns")
    assert (task.answers, listing(task)) == ("scores", "range(len(rows.T))")
    assert Amount.applies(task)
