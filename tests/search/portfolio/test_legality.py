"""What a task does not take for an answer is learned from the programs that fail."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.legality import REFUSED, Legality
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks.base import Task
from lhs_hf.tasks.functions import task_of_function

NEGATIVE, FRACTION, LARGE = 1, 2, 4


def test_a_sign_of_failing_programs_alone_is_refused() -> None:
    legality = Legality()
    for _ in range(int(REFUSED)):
        assert not legality.refuses(NEGATIVE)
        legality.tell(NEGATIVE, evaluated=False)
    assert legality.refuses(NEGATIVE)
    assert legality.refuses(NEGATIVE | FRACTION)
    assert not legality.refuses(FRACTION)
    assert not legality.refuses(0)


def test_what_one_good_program_shows_is_never_refused() -> None:
    legality = Legality()
    legality.tell(FRACTION, evaluated=True)
    for _ in range(10):
        legality.tell(NEGATIVE | FRACTION, evaluated=False)
    assert legality.refuses(NEGATIVE)
    assert not legality.refuses(FRACTION)
    legality.tell(NEGATIVE, evaluated=True)
    assert not legality.refuses(NEGATIVE)


def test_a_failure_speaks_against_each_of_several_signs_a_little() -> None:
    legality = Legality()
    for _ in range(int(2 * REFUSED) - 1):
        legality.tell(NEGATIVE | LARGE, evaluated=False)
    assert not legality.refuses(NEGATIVE | LARGE)
    legality.tell(NEGATIVE | LARGE, evaluated=False)
    assert legality.refuses(NEGATIVE)


def objective(program: Any) -> float:
    """Prices: one above the rival's is refused, by the objective alone."""
    total = 0.0
    for cost, rival in ((3.0, 9.0), (5.0, 4.0), (7.0, 8.0), (2.0, 6.0), (1.0, 1.5)):
        price = program(cost, rival)
        if not 0 <= price <= rival:
            raise ValueError("no such price")
        total += max(0.0, rival - price) * (price - cost)
    return total


TEMPLATE = "def price(cost, rival):\n    return 0.9 * rival\n"


class Interrupted(Exception):
    """Ends a search from within."""


def searched(database: RunDatabase, task: Task, after: int | None = None) -> list[tuple[Any, ...]]:
    """What became of the candidates of a search without the latent space; one that is interrupted `after` so many."""
    left = count(after or 10**6, -1)

    def listen(candidate: Candidate) -> None:
        if next(left) == 0:
            raise Interrupted

    settings = SearchSettings(budget=60, seed=0, init="reference")
    with Evaluator(task, workers=1) as evaluator:
        starts = portfolio_starts(task, "reference")
        PortfolioSearch(None, evaluator, database, settings, starts, listener=listen).run()
    return [(each.operator, each.program, each.outcome, each.objective) for each in database.candidates()]


@pytest.mark.integration
def test_a_search_stops_to_write_what_fails_and_goes_on_so_when_it_is_resumed(tmp_path: Path) -> None:
    task = task_of_function(objective, TEMPLATE, tmp_path, "prices", sense="max")
    with RunDatabase(":memory:") as database:
        whole = searched(database, task)
    outcomes = [outcome for _, _, outcome, _ in whole if outcome != "unpaid"]
    half = len(outcomes) // 2
    early, late = (part.count("failed") for part in (outcomes[:half], outcomes[half:]))
    assert early >= 2
    assert late <= early // 2
    file = tmp_path / "run.sqlite"
    with RunDatabase(file) as database, pytest.raises(Interrupted):
        searched(database, task, after=half)
    with RunDatabase(file) as database:
        assert searched(database, task) == whole
