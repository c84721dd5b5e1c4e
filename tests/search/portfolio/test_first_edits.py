"""Where nothing is known of a task a search tries many simple rules before it edits the best of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing import Verdict
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.rounds import EXACT_ROUND
from lhs_hf.search.portfolio.shares import first_edits, succeeds
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task
from lhs_hf.tasks.functions import task_of_function

pytestmark = pytest.mark.integration


def operators(name: str, budget: int = 12) -> list[list[str]]:
    """The operators of the children of each round of a search from the reference, without the latent space."""
    with Evaluator(get_task(name), workers=1) as evaluator, RunDatabase(":memory:") as database:
        settings = SearchSettings(budget=budget, init="reference")
        starts = portfolio_starts(evaluator.task, "reference")
        candidates = PortfolioSearch(None, evaluator, database, settings, starts).run().candidates
        rounds = {candidate.round for candidate in candidates}
        return [[each.operator for each in candidates if each.round == number] for number in sorted(rounds)]


def test_the_first_rounds_begin_with_rules_and_other_numbers() -> None:
    _, first, second, *_ = operators("vertex_cover")
    assert first[:2] == second[:2] == ["new_rule"] * 2
    counts = [first_edits(number, 100, ("new_rule", "literals", "crossover")) for number in (1, 3, 4)]
    assert counts == [["new_rule"] * 16 + ["literals"] * 4] * 2 + [[]]


def test_where_no_race_drops_them_early_fewer_are_tried_and_rounds_are_short(tmp_path: Path) -> None:
    template = "def price(cost, rival):\n    return 0.9 * rival\n"
    task = task_of_function(lambda program: float(program(2.0, 5.0) - 3 * program(1.0, 2.0)), template, tmp_path)
    _, first, *rounds = operators(task.locator, budget=30)
    assert first.count("amount") >= 2
    assert rounds
    assert all(len(children) <= EXACT_ROUND for children in rounds)
    assert [len(first_edits(number, 100, ("new_rule",), exact=True)) for number in (1, 2)] == [7, 0]


def test_a_task_of_the_paper_has_no_such_rounds() -> None:
    assert "new_rule" not in {operator for children in operators("knapsack_construct") for operator in children}


@pytest.mark.parametrize(
    ("outcome", "gain", "tuned", "unknown", "expected"),
    [
        ("incumbent", 0.1, True, True, True),
        ("entered", 0.1, False, False, True),
        ("entered", 0.1, True, False, False),
        ("entered", 0.1, False, True, False),
        ("entered", 0.3, False, True, True),
        ("dropped", 0.3, False, False, False),
    ],
)
def test_what_counts_as_a_success(outcome: str, gain: float, tuned: bool, unknown: bool, expected: bool) -> None:
    verdict = Verdict("0" * 64, "def f(): pass\n", outcome, gain, 0.2, 0.1, 8)
    assert succeeds(verdict, tuned, unknown) is expected
