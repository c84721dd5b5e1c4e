"""The portfolio: races within a budget, one seed one result, interrupted and resumed the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.shares import Shares
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task

TASK = "knapsack_construct"


def run(database: RunDatabase, budget: int = 5, seed: int = 0, workers: int = 1, listener: Any = None) -> Any:
    task = get_task(TASK)
    settings = SearchSettings.from_preset("portfolio", budget=budget, seed=seed, init="corpus")
    with Evaluator(task, workers=workers) as evaluator:
        return PortfolioSearch(
            None, evaluator, database, settings, portfolio_starts(task, "corpus"), listener=listener
        ).run()


def rows(database: RunDatabase) -> list[tuple[Any, ...]]:
    candidates = database.candidates()
    return [(c.id, c.round, c.operator, c.program, c.outcome, c.objective, c.gain, c.runs) for c in candidates]


def without_times(measurements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{**entry, "seconds": None} for entry in measurements]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("run") / "run.sqlite"
    with RunDatabase(path) as database:
        outcome = run(database)
        return outcome, rows(database), database.measurements()


def test_the_budget_is_kept_and_what_is_found_is_known_beyond_the_race(whole: Any) -> None:
    outcome, stored, measurements = whole
    budget = 5 * get_task(TASK).split("search").count
    assert sum(entry["runs"] for entry in measurements) == outcome.training["instance_runs"] <= budget
    assert outcome.training["instances"] >= 8
    assert outcome.training["objective_error"] > 0
    assert {row[2] for row in stored} >= {"reference", "corpus"}
    assert any(row[1] > 0 for row in stored)
    assert outcome.best.outcome in ("incumbent", "entered")


def test_workers_do_not_change_the_result(whole: Any, tmp_path: Path) -> None:
    with RunDatabase(tmp_path / "run.sqlite") as database:
        run(database, workers=2)
        assert rows(database) == whole[1]


@pytest.mark.parametrize("after", [3, 11])
def test_an_interrupted_search_goes_on_as_if_nothing_had_been(whole: Any, tmp_path: Path, after: int) -> None:
    class Interrupted(Exception):
        pass

    told = []

    def listener(candidate: Any) -> None:
        told.append(candidate.id)
        if len(told) == after:
            raise Interrupted

    with RunDatabase(tmp_path / "run.sqlite") as database, pytest.raises(Interrupted):
        run(database, listener=listener)
    with RunDatabase(tmp_path / "run.sqlite") as database:
        outcome = run(database)
        assert rows(database) == whole[1]
        assert without_times(database.measurements()) == without_times(whole[2])
    assert without_times([outcome.training]) == without_times([whole[0].training])


def test_a_seed_of_its_own_gives_other_children(whole: Any, tmp_path: Path) -> None:
    with RunDatabase(tmp_path / "run.sqlite") as database:
        run(database, seed=1)
        assert rows(database) != whole[1]


def test_shares_follow_what_succeeds_and_forget() -> None:
    generator = np.random.default_rng(0)
    shares = Shares(["good", "bad"])
    for _ in range(60):
        shares.tell("good", True)
        shares.tell("bad", False)
        shares.tell("unheard of", True)
    assert shares.draw(50, generator).count("good") == 50
    assert shares.draw(3, generator, ["bad"]) == ["bad"] * 3
    for _ in range(200):
        shares.tell("good", False)
    assert shares.rates()["good"] < 0.1
