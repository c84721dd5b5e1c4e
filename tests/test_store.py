"""Files of rows: opened in one place, refused by name, closed by who opened them."""

from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import lhs_hf
from lhs_hf.constants import embedded_model
from lhs_hf.corpus.workfile import WorkFile
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Behaviour, Evaluation
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.search.database import RunDatabase
from lhs_hf.store import MEMORY, Store, Table, transaction
from lhs_hf.tasks import get_task

PACKAGE = Path(lhs_hf.__file__).parent


class Numbers(Store):
    kind = "a file of numbers"
    tables: ClassVar = {"numbers": Table({"name": "TEXT NOT NULL", "place": "INTEGER NOT NULL"}, key=("name", "place"))}

    def add(self, *rows: tuple[str, int]) -> None:
        with transaction(self._connection):
            self._connection.executemany("INSERT INTO numbers VALUES (?, ?)", rows)

    def all(self) -> list[tuple[str, int]]:
        with self._reading():
            return list(self._connection.execute("SELECT * FROM numbers ORDER BY name, place"))


def held(path: Path) -> list[str]:
    """What this process has open of a file and what lies beside it."""
    links = (Path("/proc/self/fd") / name for name in os.listdir("/proc/self/fd"))
    open_files = [os.readlink(link) for link in links if link.is_symlink()]
    return [name for name in open_files if name.startswith(str(path))]


def test_rows_of_a_block_are_stored_together_or_not_at_all(tmp_path) -> None:
    with Numbers(tmp_path / "new" / "numbers.sqlite") as numbers:
        numbers.add(("a", 1), ("b", 1))
        with pytest.raises(sqlite3.IntegrityError):
            numbers.add(("c", 1), ("a", 1))
        numbers.add(("a", 2))
        assert numbers.all() == [("a", 1), ("a", 2), ("b", 1)]
    with Numbers(MEMORY) as numbers:
        assert numbers.all() == []


def test_a_closed_file_says_so_and_may_be_closed_again(tmp_path) -> None:
    numbers = Numbers(tmp_path / "numbers.sqlite")
    assert held(tmp_path)
    numbers.close()
    numbers.close()
    assert numbers.closed
    assert held(tmp_path) == []
    with pytest.raises(CallError, match=r"numbers\.sqlite is damaged: .*closed"):
        numbers.all()


def _make(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("open_it", [Numbers, WorkFile, RunDatabase], ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("foreign", ["text", "link", "view", "other table", "other column"])
def test_another_file_is_refused_by_name_and_let_go(
    tmp_path: Path, open_it: Callable[[Path], Any], foreign: str
) -> None:
    path = tmp_path / "file.sqlite"
    if foreign == "text":
        path.write_text("no database, but long enough to be taken for one" * 30)
    elif foreign == "link":
        _make(tmp_path / "other", "CREATE TABLE t (x)")
        path.symlink_to(tmp_path / "other")
    elif foreign == "view":
        _make(path, "CREATE VIEW numbers AS SELECT 1")
    elif foreign == "other table":
        _make(path, "CREATE TABLE more (x)")
    else:
        tables = ("numbers", "scores", "candidates")
        _make(path, *(f"CREATE TABLE {name} (x TEXT)" for name in tables if name in open_it.tables))  # type: ignore[attr-defined]
    with pytest.raises(CallError, match=r"file\.sqlite"):
        open_it(path)
    assert held(tmp_path) == []


def test_a_cache_that_is_none_holds_nothing_open(tmp_path) -> None:
    path = tmp_path / "cache.sqlite"
    _make(path, "CREATE TABLE evaluations (x)")
    with EvaluationCache(path) as cache:
        assert cache.closed
        assert held(tmp_path) == []
    with EvaluationCache(tmp_path / "other.sqlite") as cache:
        assert held(tmp_path)
    assert held(tmp_path) == []


_EARLIER = (
    "create table scores (task text, version integer, hash text, status text, objective real, score real, "
    "objectives text, runtime_s real, message text, primary key (task, version, hash))",
    "create table probes (task text, version integer, hash text, decisions blob, features blob, "
    "primary key (task, version, hash))",
    "insert into scores values ('t', 1, 'h', 'ok', 2.5, -2.5, '[2.0, 3.0]', 0.1, '')",
    "insert into scores values ('t', 1, 'e', 'exception', null, null, '[]', 0.1, 'no')",
)


def test_the_work_file_of_an_interrupted_build_goes_on(tmp_path) -> None:
    path = tmp_path / ".build.sqlite"
    _make(path, *_EARLIER)
    behaviour = Behaviour(np.arange(-1, 63), np.full((64, 8), np.nan, dtype=np.float32))
    later = Evaluation("infeasible", runtime_s=0.5, message="no", isolation="seccomp")
    with WorkFile(path) as work:
        assert work.evaluation("t", 1, "h") == Evaluation("ok", 2.5, -2.5, (2.0, 3.0), 0.1)
        assert work.evaluation("t", 1, "e") == Evaluation("exception", runtime_s=0.1, message="no")
        assert work.evaluation("t", 2, "h") is None
        work.put_evaluation("t", 2, "h", later)
        work.put_behaviour("t", 1, "h", behaviour)
    with WorkFile(path) as work:
        assert work.evaluation("t", 2, "h") == Evaluation("infeasible", runtime_s=0.5, message="no")
        again = work.behaviour("t", 1, "h")
        assert again is not None
        assert (again.decisions.dtype, again.features.dtype) == (np.int64, np.float32)
        np.testing.assert_array_equal(again.decisions, behaviour.decisions)
        np.testing.assert_array_equal(again.features, behaviour.features)
        assert work.behaviour("t", 1, "e") is None


_COMMANDS = """
import gc, sys
from lhs_hf import store
from lhs_hf.cli import main

opened, connect = [], store.connect

def recorded(*arguments, **options):
    opened.append(connect(*arguments, **options))
    return opened[-1]

store.connect = recorded
task, program, output = sys.argv[1:]
for words in (["evaluate", task, program], ["corpus", "score", task, program, "--output", output]):
    sys.argv = ["lhs-hf", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, end.code
assert len(opened) >= 2, opened
for connection in opened:
    try:
        connection.execute("SELECT 1")
    except Exception as error:
        assert "closed" in str(error), error
    else:
        raise AssertionError("left open")
opened.clear()
gc.collect()
"""


def test_commands_close_what_they_open(tmp_path) -> None:
    program = tmp_path / "program.py"
    program.write_text(get_task("knapsack_construct").template)
    # From Python 3.13 on, a connection that nobody closes warns by itself.
    arguments = ["-X", "dev", "-W", "error::ResourceWarning", "-c", _COMMANDS]
    finished = subprocess.run(
        [sys.executable, *arguments, "knapsack_construct", str(program), str(tmp_path / "own")],
        env={**os.environ, "LHS_HF_CACHE": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "ResourceWarning" not in finished.stderr


def test_searches_close_their_cache(tmp_path, monkeypatch) -> None:
    """The search itself is left out: it gets an open cache, and it is closed afterwards."""
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from lhs_hf import cli
    from lhs_hf.integrations import pipeline
    from lhs_hf.search import search

    caches = []

    def instead(*_: object, cache: EvaluationCache, **__: object) -> None:
        assert not cache.closed
        caches.append(cache)
        raise CallError("enough")

    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(search, "run_search", instead)
    monkeypatch.setattr(pipeline, "run_search", instead)
    assert cli.main(["search", "knapsack_construct", "--output", str(tmp_path / "run"), "--json"]) == 2
    lhs = transformers.pipeline("latent-heuristic-search", model=str(embedded_model()))
    monkeypatch.setattr(pipeline, "load_components", lambda *_, **__: None)
    with pytest.raises(CallError, match="enough"):
        lhs("knapsack_construct")
    assert [cache.closed for cache in caches] == [True, True]


def test_one_place_opens_databases_for_writing() -> None:
    opening = {
        str(path.relative_to(PACKAGE))
        for path in PACKAGE.rglob("*.py")
        if "seeds" not in path.parts and re.search(r"sqlite3\.connect\(", path.read_text(encoding="utf-8"))
    }
    # The second copies the files of others.
    assert opening == {"store.py", "opening/databases.py"}
