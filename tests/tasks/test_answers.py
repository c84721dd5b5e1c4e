"""What a function's answers are read as: entries, keys, places, or one thing in each of some records."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.behaviour import decide
from lhs_hf.search.edits.choices import NewRule
from lhs_hf.search.edits.closings import Closings
from lhs_hf.search.edits.inner_rule import InnerRule
from lhs_hf.search.edits.inside import insides
from lhs_hf.search.edits.parents import Parent
from lhs_hf.search.edits.spelled_out import spelled_out
from lhs_hf.tasks.base import Task
from lhs_hf.tasks.functions import task_of_function

LENGTHS = [[7, 2, 9, 4, 4, 1, 8, 3], [5, 6, 1, 9, 2, 2, 7, 8], [3, 9, 9, 1, 6, 5, 4, 2]]


@dataclass
class Job:
    """A job as somebody's own class has it."""

    name: str
    length: int


def flow(order: list[int], lengths: list[int]) -> float:
    """The sum of completion times."""
    return float(np.cumsum([lengths[each] for each in order]).sum())


def one_by_one(call: Callable[..., int]) -> Callable[[Any], float]:
    """An objective that asks for one job after the other; `call` gives its place among those that are left."""

    def objective(program: Any) -> float:
        total = 0.0
        for lengths in LENGTHS:
            left, order = list(range(len(lengths))), []
            while left:
                order.append(left.pop(call(program, left, lengths)))
            total += flow(order, lengths)
        return total

    return objective


def by_key(program: Any, left: list[int], lengths: list[int]) -> int:
    return left.index(int(program({f"j{each}": lengths[each] for each in left})[1:]))


def by_place(program: Any, left: list[int], lengths: list[int]) -> int:
    place = int(program(np.array([float(lengths[each]) for each in left]), 3.5))
    if not 0 <= place < len(left):
        raise ValueError(f"no place {place}")
    return place


def by_id(program: Any, left: list[int], lengths: list[int]) -> int:
    return left.index(program([(100 + each, lengths[each]) for each in left], 0) - 100)


def in_a_record(program: Any, left: list[int], lengths: list[int]) -> int:
    return left.index(program({"queue": [{"id": each, "work": lengths[each]} for each in left], "clock": 3}))


def of_objects(program: Any, left: list[int], lengths: list[int]) -> int:
    return left.index(int(program([Job(str(each), lengths[each]) for each in left])))


CASES = {
    "by_key": (by_key, "def pick(jobs):\n    return next(iter(jobs))\n"),
    "by_place": (by_place, "def pick(lengths, limit):\n    return len(lengths) - 1\n"),
    "by_id": (by_id, "def pick(jobs, now):\n    return jobs[0][0]\n"),
    "in_a_record": (in_a_record, 'def pick(state):\n    return state["queue"][0]["id"]\n'),
    "of_objects": (of_objects, "def pick(jobs):\n    return jobs[-1].name\n"),
}


def task_of(name: str, folder: Path) -> Task:
    call, template = CASES[name]
    return task_of_function(one_by_one(call), template, folder, name)


@pytest.mark.integration
@pytest.mark.parametrize("name", list(CASES))
def test_rules_answer_what_the_template_answers(name: str, tmp_path: Path) -> None:
    task = task_of(name, tmp_path)
    assert task.answers == "choice"
    assert NewRule.applies(task)
    parent = Parent.of(task.template, "reference", 0.0)
    rules = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(30)]
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(task.template, "search").objective
        found = [evaluator.evaluate(rule.source, "search") for rule in rules if rule is not None]
        assert all(each.ok for each in found)
        # The shortest first is the best order, and the rule of one term.
        best = sum(flow(sorted(range(len(each)), key=each.__getitem__), each) for each in LENGTHS)
        assert best <= min(each.objective for each in found) < best + 0.1 * (reference - best)
        states = {tuple(evaluator.probe(rule.source).decisions) for rule in rules if rule is not None}
        assert len(states) > 1


def test_an_amount_is_no_place(tmp_path: Path) -> None:
    def objective(program: Any) -> float:
        return float(sum(abs(program([4, 9, 2, 7], wanted) - wanted - 1) for wanted in (0, 1, 2, 1, 0, 2)))

    task = task_of_function(objective, "def order(past, wanted):\n    return wanted\n", tmp_path, "amounts")
    assert task.answers == "priority"
    assert task.values_matter


def test_words_are_answers_those_that_the_template_never_gives_among_them(tmp_path: Path) -> None:
    def objective(program: Any) -> float:
        total = 0.0
        for row in LENGTHS:
            left = list(row)
            while len(left) > 1:
                side = program(list(left))
                if side not in ("left", "right"):
                    raise ValueError(f"no side {side!r}")
                total += left.pop(0 if side == "left" else -1) * len(left)
        return total

    task = task_of_function(objective, 'def side(row):\n    return "left"\n', tmp_path, "sides")
    other = 'def side(row):\n    return "left" if row[0] <= row[-1] else "right"\n'
    with Evaluator(task) as evaluator:
        behaviours = [evaluator.probe(source) for source in (task.template, other)]
        assert all(each is not None and each.error_rate == 0 for each in behaviours)
        assert (behaviours[0].decisions != behaviours[1].decisions).any()
        assert evaluator.probe("def side(row):\n    return 3\n").error_rate == 1


def test_the_first_few_that_fit_are_no_order(tmp_path: Path) -> None:
    sizes = [
        [(30, 2), (5, 9), (8, 4), (7, 8), (6, 1), (9, 9), (20, 3)],
        [(9, 1), (2, 8), (3, 9), (8, 2), (7, 5), (9, 3)],
    ]
    template = (
        "def choose(things, room):\n    chosen = []\n    for place in range(len(things)):\n"
        "        if things[place][1] <= room:\n            chosen.append(place)\n            room -= things[place][1]\n"
        "    return chosen\n"
    )

    def objective(program: Any) -> float:
        return float(-sum(things[place][0] for things in sizes for place in program(list(things), 24)))

    task = task_of_function(objective, template, tmp_path, "things")
    other = template.replace("range(len(things))", "sorted(range(len(things)), key=lambda each: -things[each][0])")
    with Evaluator(task) as evaluator:
        assert (evaluator.probe(other).decisions == 0).all()


def test_as_many_as_are_asked_for_are_no_order(tmp_path: Path) -> None:
    def objective(program: Any) -> float:
        return float(sum(sum(row[place] for place in program(list(row), 4)) for row in LENGTHS))

    task = task_of_function(objective, "def few(row, count):\n    return list(range(count))\n", tmp_path, "few")
    with Evaluator(task) as evaluator:
        other = evaluator.probe("def few(row, count):\n    return [7, 2, 5, 1]\n")
        assert other is not None
        assert other.error_rate == 0


def test_names_that_are_sorted_get_a_rule(tmp_path: Path) -> None:
    def objective(program: Any) -> float:
        total = 0.0
        for lengths in LENGTHS:
            table = {f"n{each}": (length, 1) for each, length in enumerate(lengths)}
            order = program(list(table), dict(table))
            if sorted(order) != sorted(table):
                raise ValueError("each once")
            total += flow([int(each[1:]) for each in order], lengths)
        return total

    template = "def plan(names, table):\n    return sorted(names)\n"
    task = task_of_function(objective, template, tmp_path, "names")
    [place] = insides(task)
    assert place is not None
    assert "{table}[{x}][0]" in {term.text for term in place.words.measured}


def test_endings_have_nothing_above_them_that_they_do_not_need(tmp_path: Path) -> None:
    task = task_of("by_id", tmp_path)
    beginning = (
        "import numpy as np\nfrom math import sqrt\n\n\ndef helper(value):\n    return sqrt(value)\n\n\n"
        "def other(value):\n    return value\n\n\ndef pick(jobs, now):\n    least = helper(4)\n    jo"
    )
    texts = [text for text, _ in zip(Closings(task)(beginning, np.random.default_rng(0)), range(12))]
    using = [text for text in texts if "helper(4)" in text]
    assert using
    assert all("from math import sqrt" in text and "def helper" in text for text in using)
    assert all("def other" not in text for text in texts)
    assert not any("sqrt" in text for text in texts if "helper(4)" not in text)


def test_an_endless_program_is_given_up_soon_and_a_state_that_comes_again_is_run_once(tmp_path: Path) -> None:
    task = task_of("by_id", tmp_path)
    states = {id(state) for state in task.probes}
    calls = []

    def counting(jobs: list[tuple[int, int]], now: int) -> int:
        calls.append(jobs)
        return jobs[0][0]

    assert len(decide(task, counting)) == 64
    assert len(calls) == len(states) < 64
    with Evaluator(task) as evaluator:
        assert evaluator.probe(task.template) is not None
        began = time.monotonic()
        assert evaluator.probe(task.template.replace("return", "while now == 0:\n        pass\n    return")) is None
        # `Limits.probe_s` is 10.
        assert time.monotonic() - began < 8


TAKEN = """def pair(weights):
    left = list(range(len(weights)))
    ends = set(left)
    pairs = []
    while left:
        one = left.pop(0)
        two = next(iter(left))
        left.remove(two)
        pairs.append((one, two, ends.pop()))
    return pairs
"""


def test_what_is_taken_as_it_comes_is_a_place_for_a_rule(tmp_path: Path) -> None:
    weights = np.random.default_rng(0).integers(1, 50, (12, 12)).tolist()
    program = spelled_out(TAKEN)
    own, same = {}, {}
    exec(TAKEN, own)
    exec(program.module.code, same)
    assert own["pair"](weights) == same["pair"](weights)

    def objective(pair: Any) -> float:
        return float(sum(weights[one][two] for one, two, _ in pair([list(row) for row in weights])))

    task = task_of_function(objective, TAKEN, tmp_path, "pairs")
    places = insides(task)
    assert len(places) == 2
    assert all(place is not None for place in places)
    parent = Parent.of(TAKEN, "reference", 0.0)
    proposals = [InnerRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(24)]
    with Evaluator(task) as evaluator:
        found = [evaluator.evaluate(each.source, "search") for each in proposals if each is not None]
        assert sum(each.ok for each in found) > 20
        assert len({each.objective for each in found}) > 8
