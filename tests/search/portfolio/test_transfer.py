"""Programs of like tasks for a task that the corpus does not hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.edits import Behaviours
from lhs_hf.search.edits.transfer import FAMILIES, TASKS, transfers
from lhs_hf.search.outcome import Outcome
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.integration

NEAR, FAR = "prize_collecting_tour", "pancake_stacks"


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(get_task(NEAR), workers=1) as evaluator:
        yield evaluator


def search(evaluator: Evaluator, database: RunDatabase, budget: int = 12) -> Outcome:
    settings = SearchSettings(budget=budget, init="reference")
    return PortfolioSearch(None, evaluator, database, settings, portfolio_starts(evaluator.task, "reference")).run()


def test_programs_run_and_decide_each_in_its_own_way(evaluator: Evaluator) -> None:
    behaviours = Behaviours(evaluator, practice=False)
    parents = transfers(evaluator.task, behaviours)
    assert 8 <= len(parents) <= TASKS * FAMILIES
    keys = [behaviours.key(parent.source) for parent in parents]
    assert None not in keys
    assert len({*keys, behaviours.key(evaluator.task.template)}) == len(parents) + 1
    assert {parent.family.partition("/")[0] for parent in parents} >= {"tsp_construct", "cvrp_construct"}
    assert evaluator.task.function_name in parents[0].source


def test_a_search_begins_with_them_and_is_resumed_the_same(evaluator: Evaluator) -> None:
    with RunDatabase(":memory:") as database:
        outcome = search(evaluator, database)
        texts = [(each.operator, each.program, each.outcome) for each in outcome.candidates]
        first = [each for each in outcome.candidates if each.round == 1]
        assert [each.operator for each in first[:8]] == ["transfer"] * 8
        again = search(evaluator, database)
        assert [(each.operator, each.program, each.outcome) for each in again.candidates] == texts
    found = evaluator.evaluate(outcome.best.program, "holdout").objective
    reference = evaluator.evaluate(evaluator.task.template, "holdout").objective
    assert found is not None
    assert reference is not None
    assert evaluator.task.alpha * (found - reference) > 0


def test_a_task_that_is_like_none_is_searched_without_them() -> None:
    with Evaluator(get_task(FAR), workers=1) as evaluator, RunDatabase(":memory:") as database:
        assert transfers(evaluator.task, Behaviours(evaluator, practice=False)) == []
        assert not any(each.operator == "transfer" for each in search(evaluator, database, 4).candidates)


def test_a_task_of_the_paper_takes_its_own_corpus() -> None:
    with Evaluator(get_task("knapsack_construct"), workers=1) as evaluator, RunDatabase(":memory:") as database:
        assert not any(each.operator == "transfer" for each in search(evaluator, database, 4).candidates)
