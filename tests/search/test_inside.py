"""Programs that return a whole solution: what they are known by, and the rules inside of them."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lhs_hf
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits import InnerRule, Parent, edits
from lhs_hf.search.edits.behaviours import Behaviours
from lhs_hf.search.edits.inside import insides
from lhs_hf.tasks import IllegalAnswer, get_task
from lhs_hf.tasks.functions import task_of_function
from lhs_hf.tasks.whole import Whole

JOBS = [
    [[dice.randint(1, 20), dice.randint(1, 10), dice.randint(0, 60)] for _ in range(12)]
    for dice in map(random.Random, range(4))
]
BY_KEY = "def arrange(jobs):\n    return sorted(range(len(jobs)), key=lambda j: jobs[j][2])\n"
BY_LOOP = """
def arrange(hours, weights, dues):
    order, left, now = [], list(range(len(hours))), 0
    while left:
        best, best_score = None, None
        for job in left:
            score = dues[job]
            if best_score is None or score < best_score:
                best, best_score = job, score
        order.append(best)
        left.remove(best)
        now += hours[best]
    return order
"""
TASK_FILE = f"""
from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, make_splits


class Tardy(SimpleTask):
    name = "tardy_order"
    sense = "min"
    problem_class = "scheduling"
    description = "Return the jobs in the order in which one machine does them."
    answers = "solution"
    template = '''{BY_LOOP}'''
    splits = make_splits(search={{"jobs": 12, "count": 8, "calls": 1}}, holdout={{"jobs": 12, "count": 8, "calls": 1}})

    def draw(self, random, jobs):
        return [random.randint(1, most, jobs).tolist() for most in (20, 10, 90)]

    def construct(self, program, instance):
        return self.ask(program, *instance)

    def objective(self, instance, solution):
        hours, weights, dues = instance
        if sorted(solution.tolist()) != list(range(len(hours))):
            raise Infeasible("not every job once")
        now = total = 0
        for job in solution.tolist():
            now += hours[job]
            total += weights[job] * max(0, now - dues[job])
        return float(total)


TASK = Tardy()
"""


def tardiness(program: Callable[..., Any]) -> float:
    total = 0
    for jobs in JOBS:
        order, now = program([list(each) for each in jobs]), 0
        if sorted(order) != list(range(len(jobs))):
            raise ValueError("not every job once")
        for job in order:
            now += jobs[job][0]
            total += jobs[job][1] * max(0, now - jobs[job][2])
    return total


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def task_file(tmp_path: Path) -> Path:
    path = tmp_path / "tardy.py"
    path.write_text(TASK_FILE)
    return path


def test_an_order_is_no_rating_of_what_it_orders(tmp_path: Path) -> None:
    task = task_of_function(tardiness, BY_KEY, tmp_path)
    assert task.answers == ""
    assert {state.context for state in task.probes} == {Whole(tuple(range(12)))}
    state = task.probes[0]
    assert task.probe_decision(state, [list(range(12))[::-1]]) == 0
    for wrong in ([0] * 12, list(range(11)), 3, None):
        with pytest.raises(IllegalAnswer):
            task.probe_decision(state, [wrong])


def test_ratings_that_happen_to_be_an_order_are_ratings(tmp_path: Path) -> None:
    def picked(program: Callable[..., Any]) -> float:
        total = 0.0
        for jobs in JOBS:
            ratings = program([list(each) for each in jobs])
            total += jobs[int(np.argmax(ratings))][0]
        return total

    ranks = "def rate(jobs):\n    return [len(jobs) - place for place in range(len(jobs))]\n"
    assert task_of_function(picked, ranks, tmp_path).answers == "scores"


def test_one_number_for_each_entry_may_be_a_solution(tmp_path: Path) -> None:
    """A group for each job, by its place or by any name: other numbers in the same order are no ratings of the jobs."""

    def crowded(program: Callable[..., Any]) -> float:
        return max(program([list(each) for each in jobs]).count(0) for jobs in JOBS)

    def uneven(program: Callable[..., Any]) -> float:
        groups = [program([list(each) for each in jobs]) for jobs in JOBS]
        return max(each.count(group) for each in groups for group in each)

    groups = "def assign(jobs):\n    return [j % 3 for j in range(len(jobs))]\n"
    for objective in (crowded, uneven):
        task = task_of_function(objective, groups, tmp_path)
        assert (task.answers, {state.context for state in task.probes}) == ("", {Whole()})


def test_lists_of_different_length_are_a_solution(tmp_path: Path) -> None:
    def longest(program: Callable[..., Any]) -> float:
        return max(len(part) for jobs in JOBS for part in program([list(each) for each in jobs]))

    parts = "def split(jobs):\n    return [[0], list(range(1, len(jobs)))]\n"
    assert task_of_function(longest, parts, tmp_path).probes[0].context == Whole()


def test_solutions_of_other_kinds_are_whole_too(tmp_path: Path) -> None:
    def rooms(program: Callable[..., Any]) -> float:
        return sum(len(set(program([list(each) for each in jobs]).values())) for jobs in JOBS)

    task = task_of_function(rooms, "def assign(jobs):\n    return {j: j for j in range(len(jobs))}\n", tmp_path)
    assert {state.context for state in task.probes} == {Whole()}
    assert not InnerRule.applies(task)
    with pytest.raises(IllegalAnswer):
        task.probe_decision(task.probes[0], [7])


def test_what_may_be_said_inside_is_what_the_variables_there_give(tmp_path: Path, task_file: Path) -> None:
    [inside] = insides(task_of_function(tardiness, BY_KEY, tmp_path))
    assert {"{jobs}[{x}][0]", "{jobs}[{x}][1]", "{jobs}[{x}][2]"} <= set(inside.words.terms)
    dues = [job[2] for jobs in JOBS for job in jobs]
    assert 0.5 * np.std(dues) < inside.spread < 1.5 * np.std(dues)
    [inside] = insides(get_task(str(task_file)))
    assert {"{hours}[{x}]", "{weights}[{x}]", "{dues}[{x}]"} <= set(inside.words.terms)
    assert any("{now}" in each for each in inside.words.terms)
    # What changes while alternatives are rated belongs to one of them.
    assert not any("{best" in each or "{score" in each for each in inside.words.terms)


BY_STEPS = '''
import math


def walk(points):
    """From one half to the other and back: no alternative of a step is one of the step before."""
    here, order = 0, [0]
    while len(order) < len(points):
        every = [k for k in range(len(points)) if k not in order]
        other = [k for k in every if k % 2 != here % 2]
        here = min(other or every, key=lambda k: math.dist(points[k], points[here]))
        order.append(here)
    return order
'''


def test_a_decision_ends_where_the_next_one_begins(tmp_path: Path) -> None:
    dice = random.Random(0)
    maps = [[(dice.random(), dice.random()) for _ in range(10)] for _ in range(3)]

    def length(program: Callable[..., Any]) -> float:
        total = 0.0
        for points in maps:
            order = program(list(points))
            if sorted(order) != list(range(10)):
                raise ValueError("not every point once")
            total += sum(abs(complex(*points[a]) - complex(*points[b])) for a, b in pairwise(order))
        return total

    [inside] = insides(task_of_function(length, BY_STEPS, tmp_path))
    terms = set(inside.words.terms)
    assert "abs(complex(*{points}[{x}]) - complex(*{points}[{here}]))" in terms
    # The walk begins at the first point, which is never chosen.
    assert "abs(complex(*{points}[{x}]) - complex(*{points}[0]))" in terms
    near = "abs(complex(*{points}[{x}]) - complex(*{points}[k])) for k in {every}"
    assert f"min(({near} if k != {{x}}), default=0)" in terms


def test_what_is_compared_in_a_loop_is_a_rating_whatever_it_is_called(tmp_path: Path) -> None:
    template = """
def arrange(jobs):
    order, left = [], list(range(len(jobs)))
    while left:
        best = None
        for _ in range(1):
            for job in left:
                hours = jobs[job][0] + 1
                if hours > 1000:
                    continue
                extra = jobs[job][2] + 0.1 * jobs[job][0]
                if best is None or extra < best[0]:
                    best = (extra, job)
        left.remove(best[1])
        order.append(best[1])
    return order
"""
    task = task_of_function(tardiness, template, tmp_path)
    [inside] = insides(task)
    assert {"{jobs}[{x}][0]", "{jobs}[{x}][1]", "{jobs}[{x}][2]"} <= set(inside.words.terms)
    proposal = InnerRule().propose(Parent.of(template, "own", 0.0), [], task, np.random.default_rng(1))
    assert proposal is not None
    assert "best = (extra, job)" in proposal.source
    assert "hours = jobs[job][0] + 1" in proposal.source


def test_few_examples_are_helped_out_by_the_evaluation(tmp_path: Path) -> None:
    one = [([[3, 2, 9], [5, 1, 4], [2, 7, 8], [9, 3, 3]],)]
    assert InnerRule.applies(task_of_function(tardiness, BY_KEY, tmp_path, examples=one))


def test_rules_inside_keep_the_rest_of_the_program(task_file: Path) -> None:
    task = get_task(str(task_file))
    parent, edit, generator = Parent.of(task.template, "own", 0.0), InnerRule(), np.random.default_rng(0)
    proposals = [edit.propose(parent, [], task, generator) for _ in range(20)]
    sources = {each.source for each in proposals if each is not None}
    assert len(sources) > 15
    with Evaluator(task, workers=1) as evaluator:
        assert all(evaluator.evaluate(each).ok for each in sources)
        behaviours = Behaviours(evaluator, practice=False)
        assert not any(behaviours.breaks(each, task.template) for each in sources)
        broken = task.template.replace("list(range(len(hours)))", "list(range(1, len(hours)))")
        assert behaviours.breaks(broken, task.template)
        assert not behaviours.breaks(broken, broken)
    again = np.random.default_rng(0)
    assert [edit.propose(parent, [], task, again) for _ in range(20)] == proposals
    edited = [each for each in proposals if each is not None and each.parents]
    assert len(edited) > 10
    assert all(each.source.count("left.remove(best)") == 1 for each in edited)


def test_a_loop_variable_that_terms_use_themselves_is_renamed(tmp_path: Path) -> None:
    task = task_of_function(tardiness, BY_KEY, tmp_path)
    proposal = InnerRule().propose(Parent.of(BY_KEY, "own", 0.0), [], task, np.random.default_rng(1))
    assert proposal is not None
    assert "lambda j:" not in proposal.source


@pytest.mark.integration
def test_an_order_without_a_rule_is_sorted_by_one(tmp_path: Path) -> None:
    """The simplest template that there is: everything as it comes."""
    plain = "def arrange(jobs):\n    return list(range(len(jobs)))\n"
    task = task_of_function(tardiness, plain, tmp_path)
    assert insides(task) == ()
    proposal = InnerRule().propose(Parent.of(plain, "own", 0.0), [], task, np.random.default_rng(0))
    assert proposal is not None
    assert "sorted(range(len(jobs)), key=lambda option:" in proposal.source
    result = lhs_hf.search(objective=tardiness, template=plain, budget=10, store=False)
    assert result.found["search"] < 0.9 * result.reference["search"]


def test_tasks_that_choose_have_rules_of_their_own() -> None:
    for name in ("tsp_construct", "open_shop"):
        assert insides(get_task(name)) == ()
        assert "inner_rule" not in edits(task=get_task(name))


@pytest.mark.slow
def test_a_search_of_a_whole_solution_goes_beyond_its_template(task_file: Path) -> None:
    result = lhs_hf.search(objective=tardiness, template=BY_KEY, budget=12, store=False)
    assert result.found["search"] < 0.9 * result.reference["search"]
    result = lhs_hf.search(str(task_file), budget=12, store=False)
    assert result.found["holdout"] < 0.9 * result.reference["holdout"]


def test_check_task_says_what_inner_rules_may_say(task_file: Path) -> None:
    command = [sys.executable, "-m", "lhs_hf", "check-task", str(task_file), "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert told["ok"]
    assert {"hours[x]", "weights[x]", "dues[x]"} <= set(told["words"])


PACKED = """
import heapq


def load(parcels, room):
    taken = []
    heap = [(-parcel["worth"], parcel["id"], parcel["size"]) for parcel in parcels]
    heapq.heapify(heap)
    while heap:
        _, name, size = heapq.heappop(heap)
        if size > room:
            break
        room -= size
        taken.append(name)
    return taken
"""


def packed(program: Callable[..., Any]) -> float:
    total = 0
    for seed in range(6):
        dice = random.Random(seed)
        parcels = {f"P{n}": {"id": f"P{n}", "worth": dice.randint(1, 9), "size": dice.randint(1, 9)} for n in range(20)}
        taken = program([dict(each) for each in parcels.values()], 25)
        if sum(parcels[each]["size"] for each in set(taken)) > 25:
            raise ValueError("too much")
        total += sum(parcels[each]["worth"] for each in set(taken))
    return float(total)


def test_what_does_not_fit_may_be_passed_over(tmp_path: Path) -> None:
    task = task_of_function(packed, PACKED, tmp_path, sense="max")
    parent = Parent.of(task.template, "reference", 0.0)
    rules = [InnerRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(40)]
    alone = PACKED.replace("break", "continue").strip()
    assert any(rule is not None and rule.source.strip() == alone for rule in rules)
    both = [rule for rule in rules if rule is not None and "continue" in rule.source and rule.changes != ("continue",)]
    assert both
    assert all("break" not in rule.source for rule in both)
    with Evaluator(task) as evaluator:
        worth = {text: evaluator.evaluate(text, "search").objective for text in (PACKED, alone)}
        assert all(evaluator.evaluate(rule.source, "search").status == "ok" for rule in both[:4])
    assert worth[alone] > worth[PACKED]


ENDLESS = """
def load(parcels, room):
    k, taken = 0, []
    while True:
        best = max(parcels, key=lambda p: p["worth"])
        if k == 3 or best["size"] > room:
            break
        k += 1
        room -= best["size"]
        parcels = [p for p in parcels if p is not best]
        taken.append(best["id"])
    return taken
"""


def test_a_loop_that_takes_nothing_from_a_list_has_to_end(tmp_path: Path) -> None:
    task = task_of_function(packed, ENDLESS, tmp_path, sense="max")
    parent = Parent.of(task.template, "reference", 0.0)
    rules = [InnerRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(20)]
    assert any(rules)
    assert all(rule is None or "break" in rule.source for rule in rules)
