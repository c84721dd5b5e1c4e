"""Loops of programs that return a whole solution: another order of their entries, and choices by place spelled out."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lhs_hf
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits import InnerRule, LoopOrder, Parent, TreeEdit, edits
from lhs_hf.search.edits.inside import insides
from lhs_hf.search.edits.loop_order import loops, visits
from lhs_hf.search.edits.spelled_out import spelled_out
from lhs_hf.tasks import get_task
from lhs_hf.tasks.functions import task_of_function

LOADS = [[dice.randint(1, 50) for _ in range(20)] for dice in map(random.Random, range(4))]
FIRST_FIT = """
def pack(sizes, room):
    bins, loads = [], []
    for i, size in enumerate(sizes):
        for b in range(len(bins)):
            if loads[b] + size <= room:
                bins[b].append(i)
                loads[b] += size
                break
        else:
            bins.append([i])
            loads.append(size)
    return bins
"""
LEAST_LOADED = """
def share(times, machines):
    loads = [0] * machines
    where = {}
    for job, hours in enumerate(times):
        machine = loads.index(min(loads))
        loads[machine] += hours
        where[job] = machine
    return where
"""
PAIRS = """
def choose(values, weights, room):
    chosen = []
    for value, weight, place in zip(values, weights, range(len(weights))):
        if weight <= room:
            chosen.append(place)
            room -= weight
    return chosen
"""


def packing(program: Callable[..., Any]) -> float:
    total = 0.0
    for sizes in LOADS:
        bins = program(list(sizes), 60)
        if sorted(place for each in bins for place in each) != list(range(len(sizes))):
            raise ValueError("not every item once")
        loads = [sum(sizes[place] for place in each) for each in bins]
        if max(loads) > 60:
            raise ValueError("a bin is too full")
        total += len(bins) - sum((load / 60) ** 2 for load in loads) / 100
    return total


def last_end(program: Callable[..., Any]) -> float:
    total = 0
    for times in LOADS:
        where = program(list(times), 3)
        total += max(sum(times[job] for job in range(len(times)) if where[job] == machine) for machine in range(3))
    return total


def value(program: Callable[..., Any]) -> float:
    total = 0
    for weights in LOADS:
        values = [(7 * weight) % 31 for weight in weights]
        chosen = program(list(values), list(weights), 150)
        if len(set(chosen)) < len(chosen) or sum(weights[place] for place in chosen) > 150:
            raise ValueError("too much")
        total += sum(values[place] for place in chosen)
    return total


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))


def test_what_may_be_said_of_a_loop_is_what_the_variables_before_it_give(tmp_path: Path) -> None:
    items, places = visits(task_of_function(packing, FIRST_FIT, tmp_path))
    assert items is not None
    assert places is not None
    assert "{sizes}[{x}]" in items.words.terms
    assert "{loads}[{x}]" in places.words.terms
    # Before the first loop nothing is known of a bin.
    assert not any("{loads}" in each for each in items.words.terms)


def test_loops_go_by_another_order_and_the_rest_stays(tmp_path: Path) -> None:
    task = task_of_function(packing, FIRST_FIT, tmp_path)
    assert "loop_order" in edits(task=task)
    parent, edit, generator = Parent.of(FIRST_FIT, "own", 0.0), LoopOrder(), np.random.default_rng(0)
    proposals = [edit.propose(parent, [], task, generator) for _ in range(20)]
    sources = {each.source for each in proposals if each is not None}
    assert len(sources) > 15
    assert any("in sorted(enumerate(sizes), key=lambda" in each for each in sources)
    assert any("for b in sorted(range(len(bins)), key=lambda" in each for each in sources)
    assert all("            bins.append([i])\n            loads.append(size)\n" in each for each in sources)
    with Evaluator(task, workers=1) as evaluator:
        assert all(evaluator.evaluate(each).ok for each in sources)
    again = np.random.default_rng(0)
    assert [edit.propose(parent, [], task, again) for _ in range(20)] == proposals


def test_a_loop_is_sorted_once(tmp_path: Path) -> None:
    task = task_of_function(packing, FIRST_FIT, tmp_path)
    parent, edit, generator = Parent.of(FIRST_FIT, "own", 0.0), LoopOrder(), np.random.default_rng(3)
    for _ in range(30):
        proposal = edit.propose(parent, [], task, generator)
        assert proposal is not None
        parent = Parent.of(proposal.source, "own", 0.0)
    assert parent.source.count("sorted(") <= 2


def test_a_loop_that_keeps_the_best_is_left_alone(tmp_path: Path) -> None:
    template = """
def share(times, machines):
    loads, where = [0] * machines, {}
    for job in range(len(times)):
        best, best_load = None, None
        for machine in range(machines):
            load = loads[machine] + times[job]
            if best_load is None or load < best_load:
                best, best_load = machine, load
        loads[best] += times[job]
        where[job] = best
    return where
"""
    task = task_of_function(last_end, template, tmp_path)
    program, own = loops(template, task)
    assert [program.code(each.target) for each in own] == ["job"]
    [inside] = insides(task)
    assert inside is not None
    assert "{loads}[{x}]" in inside.words.terms


def test_several_variables_of_a_loop_are_one_entry(tmp_path: Path) -> None:
    task = task_of_function(value, PAIRS, tmp_path, sense="max")
    [known] = visits(task)
    assert known is not None
    assert {"{part_0}", "{part_1}"} <= set(known.words.terms)
    proposal = LoopOrder().propose(Parent.of(PAIRS, "own", 0.0), [], task, np.random.default_rng(0))
    assert proposal is not None
    assert "in sorted(zip(values, weights, range(len(weights))), key=lambda" in proposal.source


def test_a_choice_by_place_is_spelled_out() -> None:
    text = """
import numpy as np
def rule(loads, table, here, array):
    first = loads.index(min(loads))
    last = int(np.argmax(table[here]))
    least = array.argmin()
    row, column = np.unravel_index(np.argmin(table), table.shape)
    row, column = divmod(table.argmin(), len(table))
    other = loads.index(min(table[0]))
    columns = np.argmin(table, axis=0)
    computed = np.argmin(table[here] + array)
"""
    lines = spelled_out(text).code(spelled_out(text).module).splitlines()
    assert lines[3] == "    first = min(range(len(loads)), key=lambda option: loads[option])"
    assert lines[4] == "    last = int(max(range(len(table[here])), key=lambda option: table[here][option]))"
    assert lines[5] == "    least = min(range(len(array)), key=lambda option: array[option])"
    assert lines[6:] == text.splitlines()[6:]


def test_a_key_that_is_no_lambda_is_spelled_out() -> None:
    program = spelled_out("""
def rule(left, table, loads):
    first = min(left, key=loads.get)
    last = max(left, key=table[first].__getitem__)
    longest = sorted(left, key=len, reverse=True)
    third = min(left, key=itemgetter(2))
    fourth = min(left, key=operator.itemgetter("hours"))
    left.sort(key=own)
    return max(left, key=itemgetter(1, 2))
""")
    assert program.code(program.module).splitlines()[2:] == [
        "    first = min(left, key=lambda option: loads.get(option))",
        "    last = max(left, key=lambda option: table[first][option])",
        "    longest = sorted(left, key=lambda option: len(option), reverse=True)",
        "    third = min(left, key=lambda option: option[2])",
        '    fourth = min(left, key=lambda option: option["hours"])',
        "    left.sort(key=own)",
        "    return max(left, key=itemgetter(1, 2))",
    ]


def test_a_choice_by_place_gets_a_rule(tmp_path: Path) -> None:
    task = task_of_function(last_end, LEAST_LOADED, tmp_path)
    [inside] = insides(task)
    assert inside is not None
    assert "{loads}[{x}]" in inside.words.terms
    proposal = InnerRule().propose(Parent.of(LEAST_LOADED, "own", 0.0), [], task, np.random.default_rng(0))
    assert proposal is not None
    assert "machine = min(range(len(loads)), key=lambda option:" in proposal.source


def test_tasks_that_choose_have_no_such_loops() -> None:
    for name in ("tsp_construct", "open_shop"):
        assert visits(get_task(name)) == ()
        assert "loop_order" not in edits(task=get_task(name))


@pytest.mark.integration
@pytest.mark.parametrize(
    ("objective", "template", "share"),
    [pytest.param(packing, FIRST_FIT, 0.99, marks=pytest.mark.slow), (last_end, LEAST_LOADED, 0.95)],
)
def test_a_search_goes_beyond_the_order_of_the_input(objective: Any, template: str, share: float) -> None:
    result = lhs_hf.search(objective=objective, template=template, budget=20, store=False)
    assert result.found["search"] < share * result.reference["search"]


@pytest.mark.parametrize(
    "filled",
    [
        "heap = [(hours, job) for job, hours in enumerate(times)]\n    heapq.heapify(heap)",
        "heap = []\n    for job, hours in enumerate(times):\n        heapq.heappush(heap, (hours, job))",
    ],
)
def test_what_a_queue_goes_by_is_a_rating(filled: str, tmp_path: Path) -> None:
    template = f"""
import heapq

def share(times, machines):
    loads, where = [0] * machines, {{}}
    {filled}
    while heap:
        hours, job = heapq.heappop(heap)
        where[job] = len(where) % machines
        loads[where[job]] += times[job]
    return where
"""
    task = task_of_function(last_end, template, tmp_path)
    [inside] = insides(task)
    assert inside is not None
    assert "{times}[{x}]" in inside.words.terms
    assert visits(task) == ()
    edit, generator = InnerRule(), np.random.default_rng(0)
    proposals = [edit.propose(Parent.of(template, "own", 0.0), [], task, generator) for _ in range(8)]
    with Evaluator(task, workers=1) as evaluator:
        assert all(evaluator.evaluate(each.source).ok for each in proposals if each is not None)
    assert len({each.source for each in proposals if each is not None}) > 4


def test_a_choice_among_what_a_mask_leaves_is_spelled_out() -> None:
    program = spelled_out("""
import numpy as np


def spray(fields, sick, worth):
    open_ = ~sick
    return np.argmax(np.where(open_, worth, -1.0))
""")
    assert program.module.code.endswith(
        "return max((option for option in range(len(open_)) if open_[option]), "
        "key=lambda option: worth[option], default=0)\n"
    )
    scope: dict[str, Any] = {}
    exec(program.module.code, scope)
    assert scope["spray"](None, np.array([True, False, False]), [9.0, 1.0, 2.0]) == 2


@pytest.mark.parametrize(
    "answer",
    ["int(moist.argmin())", "min(range(len(moist)), key=moist.__getitem__)", "np.argmax(np.where(worth, moist, -1))"],
)
def test_short_choices_of_functions_get_further_terms(answer: str, tmp_path: Path) -> None:
    def objective(program: Callable[..., Any]) -> float:
        total = 0.0
        for seed in range(5):
            numbers = np.random.default_rng(seed)
            moist, worth = numbers.random(6), numbers.integers(1, 9, 6).astype(float)
            for _ in range(12):
                moist[program(moist.copy(), worth.copy())] += 0.4
                moist -= 0.08
                total += float((worth * np.maximum(0.0, 0.4 - moist)).sum())
        return total

    template = f"import numpy as np\n\n\ndef water(moist, worth):\n    return {answer}\n"
    task = task_of_function(objective, template, tmp_path, "water")
    parent = Parent.of(task.template, "reference", 0.0)
    texts = []
    for seed in range(30):
        proposal = TreeEdit().propose(parent, [parent], task, np.random.default_rng(seed))
        texts += [] if proposal is None else [proposal.source]
    assert any("key=lambda" in each and "worth[option]" in each for each in texts)
