"""Tree hill climbing: the same seed, the same result; resumed as if undisturbed; never more runs than allowed."""

from __future__ import annotations

import json

import pytest

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.methods import Result
from lhs_hf.methods.hill_climbing import ClimbSettings, HillClimbing, corpus_starts, reference_start
from lhs_hf.methods.told import Told, drive
from lhs_hf.search.edits import Behaviours, Parent
from lhs_hf.store import MEMORY
from lhs_hf.tasks import get_task, task_names

TASK = "knapsack_construct"


@pytest.fixture(scope="module")
def evaluator():
    with Evaluator(TASK) as evaluator:
        yield evaluator


@pytest.fixture(scope="module")
def behaviours(evaluator):
    return Behaviours(evaluator)


def climbing(behaviours, seed: int = 0, **changes) -> HillClimbing:
    """From the eighth family on, which leaves room to climb."""
    starts = corpus_starts(behaviours.task, 12)[8:]
    return HillClimbing(behaviours.task, starts, ClimbSettings(seed=seed, **changes), behaviours)


def pretended(proposal) -> float | None:
    """A score that needs no evaluation: the shorter the better, some programs fail."""
    return None if len(proposal.source) % 7 == 0 else -float(len(proposal.source))


def advance(method: HillClimbing, rounds: int, count: int = 2) -> None:
    for _ in range(rounds):
        method.tell([Result(proposal, pretended(proposal)) for proposal in method.ask(count)])


def test_same_seed_same_result_and_a_resumed_climb_is_an_undisturbed_one(behaviours) -> None:
    whole, again, other = climbing(behaviours), climbing(behaviours), climbing(behaviours, seed=1)
    advance(whole, 5)
    advance(again, 2)
    again.ask(2)  # asked for, but the scores never came
    stored = json.loads(json.dumps(again.state()))
    resumed = climbing(behaviours)
    resumed.restore(stored)
    advance(resumed, 3)
    advance(other, 2)
    assert resumed.history == whole.history
    assert resumed.best == whole.best
    assert other.history != whole.history
    with pytest.raises(CallError, match="seed"):
        other.restore(stored)


def test_programs_and_their_decisions_never_come_twice(behaviours) -> None:
    method = climbing(behaviours)
    advance(method, 3, count=5)
    sources = [entry["source"] for entry in method.history]
    hashes = [entry["hash"] for entry in method.history]
    assert len(set(hashes)) == len(hashes) == 15
    assert all(
        behaviours.key(one) != behaviours.key(two) or behaviours.differ(one, two)
        for place, one in enumerate(sources)
        for two in sources[:place]
    )
    assert {entry["operator"] for entry in method.history} == {"literals", "transform", "crossover"}


def test_the_budget_is_never_exceeded(evaluator, behaviours) -> None:
    cost = evaluator.task.split("search").count
    method = climbing(behaviours)
    with Told(MEMORY) as told:
        assert drive(method, evaluator, told, cost * 3 + cost // 2) == 3 * cost
    assert len(method.history) == 3
    with Told(MEMORY) as told:
        assert drive(method, evaluator, told, cost - 1) == 0
    scored = [entry["score"] for entry in method.history if entry["score"] is not None]
    starts = [start.score for start in corpus_starts(evaluator.task, 12)[8:]]
    assert method.best.score == max(scored + starts)


def test_results_have_to_be_those_asked_for(behaviours) -> None:
    method = climbing(behaviours)
    first, second = method.ask(2)
    assert method.ask(5) == [first, second]
    with pytest.raises(CallError, match="2 programs asked for"):
        method.tell([Result(second, 1.0), Result(first, 1.0)])
    assert method.history == []


def test_wrong_settings_are_named(behaviours) -> None:
    with pytest.raises(CallError, match="at least one program"):
        HillClimbing(behaviours.task, [])
    with pytest.raises(CallError, match=r"unknown edit 'literal' .*'literals'"):
        climbing(behaviours, shares={"literal": 1.0})
    with pytest.raises(CallError, match="0 or more"):
        climbing(behaviours, shares={"literals": -1.0})
    with pytest.raises(CallError, match="above 0"):
        climbing(behaviours, shares={"literals": 0.0})
    with pytest.raises(CallError, match="at least 1 program"):
        climbing(behaviours, pool=0)


def test_a_climb_from_the_reference_goes_on_without_a_partner(evaluator) -> None:
    starts = reference_start(evaluator.task, evaluator)
    assert [(start.family, start.source) for start in starts] == [("reference", evaluator.task.template)]
    task = get_task("tsp_construct")
    method = HillClimbing(task, [Parent.of(task.template, "reference", -float(len(task.template)))])
    advance(method, 4)
    assert len(method.history) == 8
    assert {entry["operator"] for entry in method.history} >= {"choose_by", "transform"}


@pytest.mark.parametrize("task_name", task_names())
def test_a_climb_starts_from_training_programs_only(task_name) -> None:
    starts = corpus_starts(get_task(task_name))
    rows = {row.hash: row for row in load_corpus(task_name)}
    assert {rows[start.hash].split for start in starts} == {"train"}
    families = [start.family for start in starts]
    assert len(set(families)) == len(families) == 8
    assert [start.score for start in starts] == sorted((start.score for start in starts), reverse=True)
    best = max(row.score for row in load_corpus(task_name, "train"))
    assert starts[0].score == best
