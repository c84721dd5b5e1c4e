"""How far a search is: what it tells while a round goes on, what is left, and the bar that shows it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars
from search_doubles import Parts

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.progress import Progress, SearchProgress, Tally
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task

TASK = get_task("knapsack_construct")
LATENT = SearchSettings.from_preset("latent", budget=10, population=4, seeds=3)


@pytest.fixture(autouse=True)
def bars_are_on() -> Iterator[None]:
    """Whoever switched off the bars of this process before, as transformers' own switch does, has no say here."""
    off = are_progress_bars_disabled()
    enable_progress_bars()
    yield
    if off:
        disable_progress_bars()


@pytest.fixture(scope="module")
def evaluator() -> Any:
    with Evaluator(TASK, workers=1) as evaluator:
        yield evaluator


def test_a_latent_search_tells_each_program_of_a_round(tmp_path: Path, evaluator: Any) -> None:
    told: list[Progress] = []
    starts = [("reference", TASK.template)]
    search = LatentSearch(Parts(), evaluator, RunDatabase(tmp_path / "run.sqlite"), LATENT, starts)
    search.steps.listener = told.append
    search.run()
    decoding = [(each.done, each.count) for each in told if each.round == 1 and each.doing == "decoding"]
    assert decoding == [(done, 4) for done in range(5)]
    evaluated = [each for each in told if each.round == 1 and each.doing == "evaluating"]
    assert evaluated[-1].done == evaluated[-1].count
    assert [each.spent for each in told] == sorted(each.spent for each in told)
    assert told[-1].spent == 10


@pytest.mark.integration
def test_a_portfolio_tells_what_its_ledger_holds_finals_included(tmp_path: Path, evaluator: Any) -> None:
    told: list[Progress] = []
    settings = SearchSettings(budget=16)
    with RunDatabase(tmp_path / "run.sqlite") as database:
        starts = portfolio_starts(TASK, settings.init)
        search = PortfolioSearch(Parts(), evaluator, database, settings, starts)
        search.steps.listener = told.append
        training = search.run().training
    assert training is not None
    assert told[-1].spent == training["instance_runs"]
    assert {each.doing for each in told} == {"racing", "decoding", "finals"}
    assert str(told[-1]) == f"finals {told[-1].count}/{told[-1].count}"
    assert str(told[0]).startswith("starting programs: racing 0/")
    assert all(0 <= each.done <= each.count for each in told)


def test_the_time_left_follows_from_the_pace_and_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("lhs_hf.search.progress.time.monotonic", lambda: now[0])
    tally = Tally(TASK, LATENT)
    assert tally.seconds_left() is None
    now[0] += 6.0
    tally.progress(Progress(1, "decoding", 1, 4, spent=4))
    assert tally.seconds_left() == pytest.approx(9.0)
    limited = Tally(TASK, SearchSettings(budget=10, time_limit=5.0))
    assert limited.seconds_left() == 5.0
    now[0] += 7.0
    assert limited.seconds_left() == 0.0


def test_a_resumed_search_goes_on_at_the_pace_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("lhs_hf.search.progress.time.monotonic", lambda: now[0])
    known = [Candidate(number, 1, "search", "p", status="ok", objective=1.0, score=1.0) for number in range(5)]
    tally = Tally(TASK, LATENT, known)
    assert (tally.spent, tally.made, tally.valid, tally.incumbent) == (5, 5, 5, "1")
    now[0] += 2.0
    assert not tally.candidate(Candidate(5, 2, "search", "q", status="ok", objective=0.5, score=0.5))
    assert tally.seconds_left() == pytest.approx(8.0)


def test_the_bar_names_the_round_the_best_and_the_splits(capsys: pytest.CaptureFixture[str]) -> None:
    with SearchProgress(TASK, LATENT, show=True) as bar:
        bar.progress(Progress(2, "evaluating", 1, 3, spent=7))
        bar.candidate(Candidate(0, 1, "search", "p", status="ok", objective=234.25, score=234.25))
        bar.stage("found on holdout")
        bar.say("Result: [b]new[/b]")
    *drawn, last = capsys.readouterr().err.replace("\r", "\n").strip().splitlines()
    assert "7/10" in drawn[-1]
    assert "best 234.25, evaluating the splits: found on holdout" in drawn[-1]
    assert last == "Result: [b]new[/b]"


@pytest.mark.parametrize("name", [None, "lhs_hf"])
def test_bars_are_switched_off_as_those_of_huggingface_hub(
    name: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    with disable_progress_bars(name), SearchProgress(TASK, LATENT, show=True) as bar:
        bar.say("nothing")
        assert not bar.shown
    with SearchProgress(TASK, LATENT) as bar:
        assert not bar.shown
    with SearchProgress(TASK, LATENT, show=False) as bar:
        assert not bar.shown
    assert capsys.readouterr().err == ""
