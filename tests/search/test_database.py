"""Run databases: one file, several processes."""

from __future__ import annotations

import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lhs_hf.errors import CallError
from lhs_hf.search.database import Candidate, RunDatabase

TOGETHER = 4


def test_a_new_file_may_be_opened_by_several_at_once(tmp_path) -> None:
    ready = threading.Barrier(TOGETHER)

    def opened(path: Path) -> list[Candidate]:
        ready.wait()
        with RunDatabase(path) as database:
            return database.candidates()

    with ThreadPoolExecutor(TOGETHER) as pool:
        for number in range(20):
            assert list(pool.map(opened, [tmp_path / f"{number}.sqlite"] * TOGETHER)) == [[]] * TOGETHER


def test_a_file_of_an_earlier_version_gets_its_columns_and_numbered_points(tmp_path) -> None:
    path = tmp_path / "run.sqlite"
    with RunDatabase(path) as database:
        for number, round_ in enumerate((0, 0, 1)):
            database.add(Candidate(number, round_, "search", "pass", point=9))
    with sqlite3.connect(path) as connection:
        for column in ("point", "predicted_program", "program_distance"):
            connection.execute(f"ALTER TABLE candidates DROP COLUMN {column}")
    connection.close()
    with RunDatabase(path) as database:
        assert [(candidate.point, candidate.predicted_program) for candidate in database] == [
            (0, None),
            (1, None),
            (0, None),
        ]


def test_another_kind_of_file_is_named(tmp_path) -> None:
    path = tmp_path / "run.sqlite"
    path.write_text("no database, but long enough to be read as the header of one" * 20)
    with pytest.raises(CallError, match="is not a run database"):
        RunDatabase(path)
