"""The portfolio: races within a budget, one seed one result, interrupted and resumed the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from search_doubles import Interrupted, interruption

from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing import TrainingInstances
from lhs_hf.evaluation.sandbox.reckoning import COUNTED
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.shares import Shares
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import Start, portfolio_starts
from lhs_hf.tasks import get_task

TASK = "knapsack_construct"


def run(database: RunDatabase, budget: int = 10, seed: int = 0, workers: int = 1, **options: Any) -> Any:
    task = get_task(options.pop("task", TASK))
    settings = SearchSettings(budget=budget, seed=seed, init=options.pop("init", "corpus"))
    with Evaluator(task, workers=workers) as evaluator:
        starts = portfolio_starts(task, settings.init)
        return PortfolioSearch(None, evaluator, database, settings, starts, **options).run()


def rows(database: RunDatabase) -> list[tuple[Any, ...]]:
    candidates = database.candidates()
    return [(c.id, c.round, c.operator, c.program, c.outcome, c.objective, c.gain, c.runs) for c in candidates]


def without_times(measurements: list[dict[str, Any]]) -> list[dict[str, Any]]:
    # Whether a time is the clock's or the counted one depends on the clock.
    return [
        {**entry, "seconds": None, "message": "" if entry.get("message") == COUNTED else entry.get("message")}
        for entry in measurements
    ]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("run") / "run.sqlite"
    with RunDatabase(path) as database:
        outcome = run(database)
        return outcome, rows(database), database.measurements()


@pytest.mark.integration
def test_the_budget_is_kept_and_what_is_found_is_known_beyond_the_race(whole: Any) -> None:
    outcome, stored, measurements = whole
    budget = 10 * get_task(TASK).split("search").count
    assert sum(entry["runs"] for entry in measurements) == outcome.training["instance_runs"] <= budget
    assert outcome.training["instances"] >= 8
    assert outcome.training["objective_error"] > 0
    assert {row[2] for row in stored} >= {"reference", "corpus"}
    assert any(row[1] > 0 for row in stored)
    assert outcome.best.outcome in ("incumbent", "entered", "unpaid", "same")


@pytest.mark.integration
def test_workers_do_not_change_the_result(whole: Any, tmp_path: Path) -> None:
    with RunDatabase(tmp_path / "run.sqlite") as database:
        run(database, workers=2)
        assert rows(database) == whole[1]


@pytest.mark.integration
@pytest.mark.parametrize("task", ["knapsack_construct", "online_bin_packing", "admissible_set"])
def test_the_smallest_budget_has_a_result(task: str) -> None:
    with RunDatabase(":memory:") as database:
        outcome = run(database, budget=1, task=task, init="reference")
        assert outcome.best.ok
        assert 0 < outcome.training["instance_runs"] <= get_task(task).split("search").count


@pytest.mark.integration
def test_a_search_out_of_time_ends_with_what_it_has(whole: Any) -> None:
    seconds = iter([60.0, 1e-9])
    with RunDatabase(":memory:") as database:
        outcome = run(database, seconds_left=lambda: next(seconds))
        stored = rows(database)
        assert max(row[1] for row in stored) == 1
        # Later rounds have the best of them meet more instances.
        met_more = {later[0] for row, later in zip(stored, whole[1]) if later[7] > row[7]}
        assert [row[:4] for row in stored] == [row[:4] for row in whole[1][: len(stored)]]
        assert all(row == whole[1][row[0]] for row in stored if row[0] not in met_more)
        assert len(met_more) < 3
        assert outcome.training["instances"] == whole[0].training["instances"]


@pytest.mark.slow
def test_a_program_that_is_much_slower_than_the_others_is_out_of_the_race() -> None:
    task = get_task(TASK)
    slow = task.template.replace("    best = None\n", "    best = None\n    sum(range(10**7))\n", 1)
    with RunDatabase(":memory:") as database, Evaluator(task) as evaluator:
        search = PortfolioSearch(
            None, evaluator, database, SearchSettings(budget=2), portfolio_starts(task, "reference")
        )
        search.run()
        limit = search._trials.instances.allowed_s
        assert 0 < limit < task.time_limit_s / 4
        evaluation = evaluator.evaluate(slow, search._trials.instances.split(search._race.blocks[0]))
        assert evaluation.status == "cpu_timeout"


@pytest.mark.slow
def test_a_search_ends_where_what_is_left_pays_for_no_child(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # Everything is too slow: there is no incumbent, and children whose runs could differ have to run twice.
    slowest = TrainingInstances.slowest
    monkeypatch.setattr(TrainingInstances, "slowest", lambda instances, seconds: slowest(instances, 1e-12))

    def result(database: RunDatabase, listener: Any = None) -> Any:
        task = get_task(TASK)
        with Evaluator(task, workers=1) as evaluator:
            settings = SearchSettings(budget=9, max_slowdown=2)
            starts = portfolio_starts(task, "corpus")[:2]
            return PortfolioSearch(None, evaluator, database, settings, starts, listener).run()

    with RunDatabase(":memory:") as database:
        outcome = result(database)
        whole = [row[:5] for row in rows(database)]
    assert outcome.best.operator == "reference"
    assert [row[4] for row in whole[-3:]] == ["unpaid"] * 3
    with RunDatabase(tmp_path / "run.sqlite") as database, pytest.raises(Interrupted):
        result(database, interruption(len(whole) - 2))
    with RunDatabase(tmp_path / "run.sqlite") as database:
        result(database)
        assert [row[:5] for row in rows(database)] == whole


@pytest.mark.slow
def test_programs_that_take_longer_than_allowed_are_not_taken() -> None:
    task = get_task(TASK)
    slow = [start for start in portfolio_starts(task, "corpus") if start.role == "corpus"][:1]
    quick = Start("corpus", task.template.replace("best = None", "best = None\n    more = 1", 1), "quick")
    times = "sum(range(300000))"
    starts = [
        portfolio_starts(task, "reference")[0],
        *(replace(each, source=each.source.replace(":\n", f":\n    {times}\n", 1)) for each in slow),
        quick,
    ]
    with RunDatabase(":memory:") as database, Evaluator(task, workers=1) as evaluator:
        settings = SearchSettings(budget=8, max_slowdown=20)
        outcome = PortfolioSearch(None, evaluator, database, settings, starts).run()
        assert outcome.candidates[1].status == "wall_timeout"
        assert "are allowed" in outcome.candidates[1].message
        assert times not in outcome.best.program
    with pytest.raises(CallError, match="max_slowdown belongs to a portfolio"):
        SearchSettings.from_preset("latent", max_slowdown=5.0)
    with pytest.raises(CallError, match="at least 2"):
        SearchSettings(max_slowdown=1.5)


@pytest.mark.parametrize("after", [3, 11])
def test_an_interrupted_search_goes_on_as_if_nothing_had_been(whole: Any, tmp_path: Path, after: int) -> None:
    with RunDatabase(tmp_path / "run.sqlite") as database, pytest.raises(Interrupted):
        run(database, listener=interruption(after))
    with RunDatabase(tmp_path / "run.sqlite") as database:
        outcome = run(database)
        assert rows(database) == whole[1]
        assert without_times(database.measurements()) == without_times(whole[2])
    assert without_times([outcome.training]) == without_times([whole[0].training])


@pytest.mark.integration
def test_a_seed_of_its_own_gives_other_children(whole: Any, tmp_path: Path) -> None:
    with RunDatabase(tmp_path / "run.sqlite") as database:
        run(database, seed=1)
        assert rows(database) != whole[1]


@pytest.mark.integration
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


@pytest.mark.integration
def test_where_a_search_starts_unless_told() -> None:
    own = get_task(str(Path(__file__).parents[2] / "examples" / "max_cut.py"))
    assert [start.role for start in portfolio_starts(own, "auto")] == ["reference"]
    assert portfolio_starts(get_task(TASK), "auto") == portfolio_starts(get_task(TASK), "corpus")
    assert len(portfolio_starts(get_task(TASK), "reference")) == 1
    assert SearchSettings().init == "auto"
    assert {SearchSettings.from_preset(name).init for name in ("latent", "paper")} == {"reference"}
