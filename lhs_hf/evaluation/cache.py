"""Remembered evaluations: SQLite, keyed by canonical program, task, split and evaluator version."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from .. import programs
from ..errors import CallError
from ..store import Store
from ..tasks.base import Task
from .result import REPEATABLE, Evaluation, clean_message
from .sandbox.isolation import LEVELS

EVALUATOR_VERSION = 3

_TABLE = """
CREATE TABLE evaluations (
    program_hash TEXT NOT NULL, task TEXT NOT NULL, split TEXT NOT NULL, version TEXT NOT NULL, result TEXT NOT NULL,
    PRIMARY KEY (program_hash, task, split, version)
) WITHOUT ROWID
""".strip()
_SCHEMA = _TABLE.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS")

# A row takes microseconds; longer runs what somebody else's schema makes of the query.
_QUERY_S = 5.0
# A float as JSON takes at most 26 characters with its comma; the other fields take less than the constant.
_VALUE_CHARACTERS, _OTHER_CHARACTERS = 26, 16 * 1024


def default_cache_path() -> Path:
    """Where evaluations are remembered: `$LHS_HF_CACHE/evaluations.sqlite`, else the user's cache folder."""
    folder = os.environ.get("LHS_HF_CACHE")
    if folder is None:
        import platformdirs

        folder = platformdirs.user_cache_dir("lhs_hf")
    return Path(folder) / "evaluations.sqlite"


class EvaluationCache(Store):
    """A persistent map from (program, task, split) to `Evaluation`, shared by processes and threads.

    Only programs whose text shows that each run gives the same result are remembered (`programs.is_repeatable`).

    A cache that can not be opened or written (read-only home, full disk), or that holds something else, is left out
    silently: results do not depend on it. A row that no evaluation can have written counts as missing.
    """

    kind = "a table of evaluations"

    def __init__(self, path: Path | None = None) -> None:
        # Opening asks for the time, too.
        self._deadline = time.monotonic() + 2 * _QUERY_S
        with suppress(OSError, CallError):
            super().__init__(
                path or default_cache_path(),
                timeout_s=_QUERY_S,
                threads=True,
                links=True,
                synchronous="NORMAL",
                interrupted=lambda: time.monotonic() > self._deadline,
            )

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # Other tables in the file are none of this class's business.
        connection.execute(_SCHEMA)
        if not _is_ours(connection):
            raise sqlite3.DatabaseError("not a table of evaluations")

    @staticmethod
    def _key(source: str, task: Task, split: str) -> tuple[str, str, str, str] | None:
        try:
            if not programs.is_repeatable(source):
                return None
            identity = programs.text_hash(source) if task.reads_source else programs.program_hash(source)
            return identity, task.identity, split, f"{EVALUATOR_VERSION}.{task.version}"
        except programs.ProgramError:
            return None

    def _execute(self, statement: str, values: tuple[str, ...]) -> list[tuple[Any, ...]]:
        """The rows of a statement; none if the file is closed or fails."""
        try:
            with self._lock:
                if self.closed:
                    return []
                self._deadline = time.monotonic() + _QUERY_S
                with closing(self._connection.execute(statement, values)) as cursor:
                    return cursor.fetchmany(1)
        except (sqlite3.Error, UnicodeError, OverflowError, MemoryError):
            return []

    def get(self, source: str, task: Task, split: str) -> Evaluation | None:
        """The remembered evaluation, marked `cached`, or None."""
        key = None if self.closed else self._key(source, task, split)
        if key is None:
            return None
        query = (
            "SELECT result FROM evaluations WHERE program_hash=? AND task=? AND split=? AND version=? "
            "AND typeof(result)='text'"
        )
        rows = self._execute(query, key)
        return _decode(rows[0][0], task, split) if rows else None

    def put(self, source: str, task: Task, split: str, evaluation: Evaluation) -> None:
        """Remember an evaluation whose outcome depends neither on the machine's load nor on chance."""
        if self.closed or evaluation.status not in REPEATABLE:
            return
        key = self._key(source, task, split)
        if key is not None:
            self._execute("INSERT OR REPLACE INTO evaluations VALUES (?, ?, ?, ?, ?)", (*key, _encode(evaluation)))


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether `evaluations` is the table of `_SCHEMA` and nothing hangs on it: no view, trigger or further index."""
    rows = connection.execute("SELECT type, sql FROM sqlite_master WHERE tbl_name='evaluations' COLLATE NOCASE")
    return [(kind, " ".join((sql or "").split())) for kind, sql in rows] == [("table", " ".join(_TABLE.split()))]


def _encode(evaluation: Evaluation) -> str:
    return json.dumps(asdict(evaluation))


_FIELDS = frozenset(field.name for field in fields(Evaluation))
_LEVEL_NAMES = frozenset(LEVELS) | {Evaluation("ok").isolation}


def _decode(text: str, task: Task, split: str) -> Evaluation | None:
    """The evaluation that a row holds; None for one that no evaluation of this task and split can have written."""
    count = task.split(split).count
    if len(text) > _OTHER_CHARACTERS + _VALUE_CHARACTERS * count:
        return None
    try:
        row = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or row.keys() != _FIELDS:
        return None
    status, message, objectives = row["status"], row["message"], row["objectives"]
    if not (isinstance(status, str) and status in REPEATABLE and isinstance(objectives, list)):
        return None
    if not (isinstance(message, str) and clean_message(message) == message and row["cached"] is False):
        return None
    if not (_is_finite(row["runtime_s"]) and row["runtime_s"] >= 0):
        return None
    if not (isinstance(row["isolation"], str) and row["isolation"] in _LEVEL_NAMES):
        return None
    objective, score = row["objective"], row["score"]
    if status == "ok":
        if len(objectives) != count or not all(map(_is_finite, (objective, score, *objectives))):
            return None
        # Sums in another order differ in their last digits.
        slack = 1e-9 * max(map(abs, objectives), default=0.0)
        if score != task.alpha * objective or not abs(math.fsum(objectives) / count - objective) <= slack:
            return None
    elif (objective, score, objectives) != (None, None, []):
        return None
    return Evaluation(
        status, objective, score, tuple(objectives), row["runtime_s"], message, row["isolation"], cached=True
    )


def _is_finite(value: Any) -> bool:
    return type(value) is float and math.isfinite(value)
