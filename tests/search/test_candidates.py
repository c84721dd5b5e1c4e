"""Long searches: what a round asks for has an index, what is in memory has a bound, and neither changes the result."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from search_doubles import Interrupted, Parts, interruption

from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing import ledger, race
from lhs_hf.reporting import run_report
from lhs_hf.search import candidates as candidates_module
from lhs_hf.search import stored
from lhs_hf.search.candidates import FLAGS, Candidates, kinds, numbers
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.result import best_candidate, counts, incumbent_history, raced
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.integration

TASK = "knapsack_construct"
KINDS = ("portfolio", "latent")


def search(kind: str, database: RunDatabase, listener: Any = None) -> Any:
    """The candidates of a short search, of many like programs where it is one of latents."""
    task = get_task(TASK)
    with Evaluator(task, workers=1) as evaluator:
        if kind == "portfolio":
            settings = SearchSettings(budget=10, init="corpus")
            starts = portfolio_starts(task, "corpus")
            return PortfolioSearch(None, evaluator, database, settings, starts, listener).run().candidates
        settings = SearchSettings.from_preset("latent", budget=30, screening=2, seed=1, optimizer="cem")
        return LatentSearch(Parts(), evaluator, database, settings, [("reference", task.template)], listener).run()


def rows(database: RunDatabase) -> list[tuple[Any, ...]]:
    return [(c.id, c.round, c.program, c.status, c.outcome, c.objective, c.duplicate_of) for c in database.candidates()]


@pytest.fixture(scope="module", params=KINDS)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, RunDatabase]]:
    folder = tmp_path_factory.mktemp(request.param)
    with RunDatabase(folder / "run.sqlite") as database:
        settings = SearchSettings.from_preset({"portfolio": "default"}.get(request.param, request.param))
        database.set("identity", {"task": TASK, "method": "lhs", "model": "lhs-tiny", **settings.as_dict()})
        search(request.param, database)
        yield request.param, database


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches that have almost nothing in memory."""
    for module, name in ((candidates_module, "RECENT"), (race, "REMEMBERED"), (ledger, "REMEMBERED")):
        monkeypatch.setattr(module, name, 4)
    monkeypatch.setattr(candidates_module.Candidates.__init__, "__defaults__", (4,))


def test_no_statement_of_a_round_looks_at_all_candidates(tmp_path: Path, run: tuple[str, RunDatabase]) -> None:
    kind, whole = run
    half = max(candidate.round for candidate in whole) // 2
    statements: set[str] = set()
    with RunDatabase(tmp_path / "run.sqlite") as database:

        def listen(candidate: Candidate) -> None:
            if candidate.round == half:
                database._connection.set_trace_callback(statements.add)

        candidates = search(kind, database, listen)
        database._connection.set_trace_callback(None)
        assert len(candidates) == len(whole.candidates())
        asked = {
            re.sub(r"\bInf\b|\d+(\.\d+)?(e[+-]?\d+)?", "1", text) for text in statements if text.startswith("SELECT")
        }
        assert len(asked) >= 3
        for text in asked:
            plan = [row[3] for row in database._connection.execute(f"EXPLAIN QUERY PLAN {text.replace('?', '1')}")]
            assert all("USING" in step and "TEMP B-TREE" not in step for step in plan), (text, plan)


@pytest.mark.parametrize("after", [None, 13])
def test_what_is_in_memory_changes_no_result(
    run: tuple[str, RunDatabase], small: None, tmp_path: Path, after: int | None
) -> None:
    kind, whole = run
    path = tmp_path / "run.sqlite"
    if after is not None:
        with RunDatabase(path) as database, pytest.raises(Interrupted):
            search(kind, database, interruption(after))
    with RunDatabase(path) as database:
        candidates = search(kind, database)
        assert not candidates.whole
        assert rows(database) == rows(whole)


@pytest.mark.slow
def test_a_run_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    with RunDatabase(":memory:") as database:
        search("portfolio", database)
        whole = rows(database)
    path = tmp_path / "run.sqlite"
    with RunDatabase(path) as database, pytest.raises(Interrupted):
        search("portfolio", database, interruption(12))
    with closing(sqlite3.connect(path)) as connection:
        for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type='index' AND sql NOT NULL"
        ).fetchall():
            connection.execute(f"DROP INDEX {name}")
        connection.execute("ALTER TABLE candidates DROP COLUMN decisions")
    with RunDatabase(path) as database:
        search("portfolio", database)
        assert rows(database) == whole
        assert all(each.decisions for each in database if each.duplicate_of is None)


def test_candidates_are_a_sequence_wherever_they_are(run: tuple[str, RunDatabase]) -> None:
    _, database = run
    whole, candidates = database.candidates(), Candidates(database, recent=3)
    numbers = [candidate.id for candidate in whole]
    assert len(candidates) == len(whole) > 20
    assert [each.id for each in candidates] == numbers
    assert [each.id for each in reversed(candidates)] == numbers[::-1]
    assert [each.id for each in candidates[-3:]] == numbers[-3:]
    assert candidates[-1] is candidates[len(numbers) - 1]
    assert candidates[5].program == whole[5].program
    with pytest.raises(IndexError):
        candidates[len(numbers)]
    assert len(candidates._kept) == 3
    assert candidates.spent() == (sum(each.decoded for each in whole), sum(each.tokens for each in whole))
    assert [each.id for each in candidates.of_round(1)] == [each.id for each in whole if each.round == 1]
    scored = sorted((each for each in whole if each.ok and each.duplicate_of is None), key=lambda c: (-c.score, c.id))
    assert [each.id for each in candidates.best()] == [each.id for each in scored]
    first = {each.score: each.id for each in reversed(scored) if each.round < 2}
    assert [each.id for each in candidates.best(2, distinct=True)] == [first[score] for score in sorted(first)[::-1]]
    for each in whole:
        found = candidates.first(each.program_hash)
        alike = [other.id for other in whole if other.program_hash == each.program_hash and other.status != "screened"]
        assert (found and found.id) == (min(alike, default=None) if each.program_hash else None)
        assert not each.decisions or len(candidates.alike(each.decisions)) == 1


def test_missing_candidates_are_named() -> None:
    with RunDatabase(":memory:") as database:
        database.add_all([Candidate(0, 0, "reference", "pass"), Candidate(2, 1, "search", "pass")])
        with pytest.raises(CallError, match="2 candidates with ids up to 2"):
            Candidates(database)


def test_sums_are_the_same_of_what_is_in_memory_and_what_is_not(run: tuple[str, RunDatabase]) -> None:
    _, database = run
    task, whole, candidates = get_task(TASK), database.candidates(), Candidates(database, recent=3)
    assert len(kinds(candidates)) < len(kinds(whole)) == len(whole)
    assert counts(candidates) == counts(whole)
    assert incumbent_history(task, candidates) == pytest.approx(incumbent_history(task, whole), nan_ok=True)
    assert best_candidate(candidates).id == best_candidate(whole).id
    assert raced(candidates) == raced(whole)
    assert run_report.ascents(candidates) == run_report.ascents(whole)
    assert sorted(run_report.status_counts(kinds(candidates))) == sorted(run_report.status_counts(kinds(whole)))
    names = ("id", "score", "predicted_after", "runtime_s", *FLAGS)
    read, stored_numbers = numbers(whole, *names), numbers(candidates, *names)
    assert all(np.array_equal(one, other, equal_nan=True) for one, other in zip(read, stored_numbers, strict=True))
    assert read[0].tolist() == [each.id for each in whole]
    assert read[4].tolist() == [each.decoded for each in whole]


def test_a_report_of_a_long_run_says_what_one_of_a_short_run_says(
    run: tuple[str, RunDatabase], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = run[1].path.parent
    monkeypatch.setattr(run_report, "_front", lambda *_: ([], []))
    monkeypatch.setattr(run_report, "_solutions", lambda *_: ("", []))
    short = run_report.report_run(folder)[0]
    monkeypatch.setattr(stored, "ROWS", 10)
    monkeypatch.setattr(candidates_module.Candidates.__init__, "__defaults__", (4,))
    long = run_report.report_run(folder)[0]
    assert "decoder calls" in short
    assert sorted(re.split(r"[\n,]", long)) == sorted(re.split(r"[\n,]", short))


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("objective", "'many'", "column objective of candidate 3 .* holds a str"),
        ("score", "-1e999", "column score of candidate 3 .* is -inf"),
        ("program", "x'ff'", "column program of candidate 3"),
        ("status", "'ok | <b>'", "which is no status"),
        ("role", "'king'", "expected one of reference"),
        ("after", "x'0000'", "which is no vector"),
        ("round", "-1", "column round of candidate 3 .* is -1"),
        ("tokens", "9223372036854775807", "column tokens of candidate 3"),
        ("decisions", "x'07'", "column decisions of candidate 3"),
        ("parent", "99", "candidate 3 .* names one that is not there"),
        ("id", "5", "candidates are missing"),
    ],
)
def test_a_long_run_with_what_no_run_holds_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: str, value: str, words: str
) -> None:
    with RunDatabase(tmp_path / "run.sqlite") as database:
        database.set("identity", {"task": TASK, "method": "lhs", "model": "lhs-tiny"})
        database.add_all([Candidate(number, 0, "reference", "pass", parent=0) for number in range(4)])
    monkeypatch.setattr(stored, "ROWS", 2)
    assert len(stored.open_run(tmp_path).candidates) == 4
    with closing(sqlite3.connect(tmp_path / "run.sqlite", isolation_level=None)) as connection:
        connection.execute(f"UPDATE candidates SET {column} = {value} WHERE id = 3")
    with pytest.raises(CallError, match=words):
        stored.open_run(tmp_path)
