"""The cache of evaluations: what it holds is believed only where an evaluation can have written it."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lhs_hf.evaluation import Evaluation, Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.tasks import get_task

TASK = get_task("knapsack_construct")
SOURCE = TASK.template
OBJECTIVE = 234.25
COUNT = TASK.split("search").count


@pytest.fixture(scope="module")
def evaluator() -> Iterator[Evaluator]:
    with Evaluator(TASK) as made:
        yield made


@pytest.fixture(scope="module")
def known(evaluator: Evaluator) -> Evaluation:
    found = evaluator.evaluate(SOURCE)
    assert found.objective == OBJECTIVE
    return found


@pytest.fixture
def path(tmp_path: Path, known: Evaluation) -> Path:
    """A file with one evaluation."""
    cache = EvaluationCache(tmp_path / "evaluations.sqlite")
    cache.put(SOURCE, TASK, "search", known)
    assert cache.get(SOURCE, TASK, "search") == replace(known, cached=True)
    cache.close()
    return tmp_path / "evaluations.sqlite"


def _write(path: Path, *statements: str, **values: Any) -> None:
    with sqlite3.connect(path) as file:
        for statement in statements:
            file.execute(statement, values)
    file.close()


def _get(path: Path) -> Evaluation | None:
    """What a cache on this file says; it never raises and never takes long."""
    started = time.monotonic()
    cache = EvaluationCache(path)
    found = cache.get(SOURCE, TASK, "search")
    cache.put(SOURCE, TASK, "search", Evaluation("exception", message="later"))
    cache.close()
    assert time.monotonic() - started < 15
    return found


def _row(known: Evaluation, **changes: Any) -> str:
    return json.dumps({**known.as_dict(), **changes})


def _more(name: str, *values: Any) -> list[Any]:
    return [pytest.param({name: value}, id=f"{name}={value!r}"[:40]) for value in values]


# A score that no honest evaluation gives, in rows that are wrong in one way each.
WRONG_FIELDS = [
    *_more(
        "status", "OK", "pending", "unrepeatable", "wall_timeout", "sandbox_error", "exception", None, 1, ["ok"], {}
    ),
    *_more("objective", None, "234.25", True, 234, float("nan"), float("inf"), -1e300, 10**400, [234.25], 1e9),
    *_more("score", None, "234.25", -234.25, 1e9, float("nan"), float("-inf"), 235.0),
    *_more("objectives", None, [], {}, "x" * COUNT, 3, [OBJECTIVE], [OBJECTIVE] * (COUNT + 1), [[OBJECTIVE]] * COUNT),
    *_more("objectives", [None] * COUNT, ["1"] * COUNT, [float("nan")] * COUNT, [1.0] * COUNT, [True] * COUNT),
    *_more("runtime_s", None, -1.0, "0.1", float("nan"), float("inf"), [], True),
    *_more("message", None, 3, "a\nb", "\x1b[2J", "x" * 501, ["a"], "\ud800"),
    *_more("isolation", None, 3, "", "fort knox", []),
    *_more("cached", True, None, 0, "no"),
    *_more("extra", 1),
]


@pytest.mark.parametrize("changes", WRONG_FIELDS)
def test_a_row_with_a_wrong_field_counts_as_missing(path: Path, known: Evaluation, changes: dict[str, Any]) -> None:
    _write(path, "UPDATE evaluations SET result=:result", result=_row(known, **changes))
    assert _get(path) is None


@pytest.mark.parametrize(
    "changes",
    [{"objective": 1.0}, {"score": 1.0}, {"objectives": [1.0]}, {"objective": 1.0, "score": 1.0, "objectives": [1.0]}],
)
def test_a_failure_has_no_score(path: Path, changes: dict[str, Any]) -> None:
    failure = Evaluation("exception", runtime_s=0.1, message="no", isolation="seccomp")
    _write(path, "UPDATE evaluations SET result=:result", result=_row(failure))
    assert _get(path) == replace(failure, cached=True)
    _write(path, "UPDATE evaluations SET result=:result", result=_row(failure, **changes))
    assert _get(path) is None


def test_a_row_without_a_field_counts_as_missing(path: Path, known: Evaluation) -> None:
    for name in known.as_dict():
        row = {key: value for key, value in known.as_dict().items() if key != name}
        _write(path, "UPDATE evaluations SET result=:result", result=json.dumps(row))
        assert _get(path) is None


@pytest.mark.parametrize(
    "result",
    [
        *("", "{", "null", "1", '"ok"', "[]", "{}", "NaN", "[" * 100_000, "{" * 5, "\ud7ff", "not json"),
        *('{"status": "ok"}', '{"__class__": "os.system"}', b"bytes", b"\xff\xfe", 7, 1.5),
        pytest.param('{"status": "' + "x" * 10**6 + '"}', id="long"),
        pytest.param("[" + "1," * 10**6 + "1]", id="many"),
        pytest.param("x" * 20 * 2**20, id="huge"),
    ],
)
def test_a_row_that_is_no_evaluation_counts_as_missing(path: Path, result: Any) -> None:
    _write(path, "UPDATE evaluations SET result=:result", result=result)
    assert _get(path) is None


def test_a_text_that_is_not_unicode_counts_as_missing(path: Path) -> None:
    _write(path, "UPDATE evaluations SET result=CAST(x'7bff00fe7d' AS TEXT)")
    assert _get(path) is None


_KEY = "program_hash TEXT, task TEXT, split TEXT, version TEXT, result TEXT"
_ENDLESS = "WITH RECURSIVE more(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM more)"
FILES: dict[str, tuple[str, ...]] = {
    "fewer columns": ("DROP TABLE evaluations", "CREATE TABLE evaluations (result TEXT)"),
    "other columns": ("DROP TABLE evaluations", "CREATE TABLE evaluations (a, b, c, d, e)"),
    "no key": ("ALTER TABLE evaluations RENAME TO kept", f"CREATE TABLE evaluations ({_KEY})"),
    "another column": ("ALTER TABLE evaluations ADD COLUMN more TEXT DEFAULT 'x'",),
    "a trigger": ("CREATE TRIGGER t AFTER INSERT ON evaluations BEGIN DELETE FROM evaluations; END",),
    "a further index": ("CREATE INDEX i ON evaluations (abs(result))",),
    "a view": (
        "ALTER TABLE evaluations RENAME TO kept",
        "CREATE VIEW evaluations AS SELECT * FROM kept",
    ),
    "an endless view": (
        "ALTER TABLE evaluations RENAME TO kept",
        f"CREATE VIEW evaluations AS {_ENDLESS} SELECT kept.* FROM kept, more WHERE x < 0",
    ),
    "a virtual table": (
        "DROP TABLE evaluations",
        "CREATE VIRTUAL TABLE evaluations USING fts5(program_hash, task, split, version, result)",
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_with_another_table_is_no_cache(path: Path, name: str) -> None:
    try:
        _write(path, *FILES[name])
    except sqlite3.OperationalError as error:
        pytest.skip(f"this SQLite can not make it: {error}")
    assert _get(path) is None


def test_other_tables_in_the_file_do_not_matter(path: Path, known: Evaluation) -> None:
    _write(path, "CREATE TABLE notes (text TEXT)", "CREATE VIEW seen AS SELECT * FROM notes")
    assert _get(path) == replace(known, cached=True)


@pytest.mark.integration
def test_a_view_that_appears_while_the_file_is_open_costs_a_bounded_time(path: Path) -> None:
    cache = EvaluationCache(path)
    _write(path, *FILES["an endless view"])
    started = time.monotonic()
    assert cache.get(SOURCE, TASK, "search") is None
    assert time.monotonic() - started < 10
    cache.close()


def test_a_file_that_breaks_while_it_is_open_changes_no_result(path: Path, evaluator: Evaluator) -> None:
    for damage in (b"\0" * 4096, b"x" * 100, b""):
        cache = EvaluationCache(path)
        with Evaluator(TASK, cache=cache) as remembering:
            assert remembering.evaluate(SOURCE).objective == OBJECTIVE
            with path.open("r+b") as file:
                if damage:
                    file.write(damage)
                else:
                    file.truncate(0)
            assert remembering.evaluate(SOURCE).objective == OBJECTIVE
            assert remembering.evaluate(SOURCE + "X = 1\n").objective == OBJECTIVE
        cache.close()


def test_an_open_file_may_be_deleted(path: Path) -> None:
    cache = EvaluationCache(path)
    for file in path.parent.iterdir():
        file.unlink()
    with Evaluator(TASK, cache=cache) as remembering:
        assert remembering.evaluate(SOURCE).objective == OBJECTIVE
    cache.close()


@pytest.mark.parametrize("kind", ["folder", "text", "empty", "pipe", "dangling link", "no permission"])
def test_a_path_that_is_no_database_is_no_cache(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "file"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "dangling link":
        path.symlink_to(tmp_path / "nowhere" / "file")
    elif kind == "no permission":
        path = Path("/proc/1/evaluations.sqlite")
    else:
        path.write_text("not a database" * 1000 if kind == "text" else "")
    assert _get(path) is None


def test_every_truncation_of_a_file_gives_the_row_or_nothing(path: Path, known: Evaluation) -> None:
    whole = path.read_bytes()
    for size in [*range(0, len(whole), 509), len(whole) - 1]:
        path.write_bytes(whole[:size])
        assert _get(path) in (None, replace(known, cached=True))
        for side in path.parent.glob("*-*"):
            side.unlink()


def test_closing_during_a_query_raises_nothing(path: Path) -> None:
    errors: list[BaseException] = []
    cache = EvaluationCache(path)

    def ask() -> None:
        try:
            for _ in range(200):
                cache.get(SOURCE, TASK, "search")
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    cache.close()
    for thread in threads:
        thread.join()
    assert errors == []
    assert cache.get(SOURCE, TASK, "search") is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda parts: st.lists(parts, max_size=4) | st.dictionaries(st.text(max_size=4), parts, max_size=4),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(name=st.sampled_from(sorted(Evaluation("ok").as_dict())), value=_JSON)
@example(name="objective", value=-0.0)
def test_a_changed_row_is_missing_or_an_evaluation_of_the_task(
    path: Path, known: Evaluation, name: str, value: Any
) -> None:
    row = {**known.as_dict(), name: value}
    _write(path, "UPDATE evaluations SET result=:result", result=json.dumps(row))
    found = EvaluationCache(path).get(SOURCE, TASK, "search")
    if found is not None:
        assert (found.status, found.objective, found.score) == ("ok", OBJECTIVE, OBJECTIVE)
        assert len(found.objectives) == COUNT
        assert found.cached


def test_a_task_that_reads_the_text_remembers_by_the_text(tmp_path: Path, known: Evaluation) -> None:
    class Reading(type(TASK)):  # type: ignore[misc]
        reads_source = True

    cache = EvaluationCache(tmp_path / "cache.sqlite")
    for task, found in ((TASK, True), (Reading(), False)):
        cache.put(SOURCE, task, "search", known)
        assert (cache.get("# a comment\n" + SOURCE, task, "search") is not None) is found
        assert cache.get(SOURCE, task, "search") is not None
    cache.close()
