"""Remembered evaluations: SQLite, keyed by canonical program, task, split and evaluator version."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from dataclasses import asdict, replace
from pathlib import Path

from .. import programs
from ..tasks.base import Task
from ..write_ahead import use_write_ahead_log
from .result import REPEATABLE, Evaluation

EVALUATOR_VERSION = 2

_SCHEMA = """
CREATE TABLE IF NOT EXISTS evaluations (
    program_hash TEXT NOT NULL, task TEXT NOT NULL, split TEXT NOT NULL, version TEXT NOT NULL, result TEXT NOT NULL,
    PRIMARY KEY (program_hash, task, split, version)
) WITHOUT ROWID
"""


def default_cache_path() -> Path:
    """Where evaluations are remembered: `$LHS_HF_CACHE/evaluations.sqlite`, else the user's cache folder."""
    folder = os.environ.get("LHS_HF_CACHE")
    if folder is None:
        import platformdirs

        folder = platformdirs.user_cache_dir("lhs_hf")
    return Path(folder) / "evaluations.sqlite"


class EvaluationCache:
    """A persistent map from (program, task, split) to `Evaluation`, shared by processes and threads.

    A cache that can not be opened or written (read-only home, full disk) is left out silently: results do not depend
    on it.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_cache_path()
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(self.path, timeout=10, check_same_thread=False, isolation_level=None)
            use_write_ahead_log(self._connection, timeout_s=1)
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute(_SCHEMA)
        except (OSError, sqlite3.Error):
            self._connection = None

    @staticmethod
    def _key(source: str, task: Task, split: str) -> tuple[str, str, str, str] | None:
        try:
            return programs.program_hash(source), task.identity, split, f"{EVALUATOR_VERSION}.{task.version}"
        except programs.ProgramError:
            return None

    def get(self, source: str, task: Task, split: str) -> Evaluation | None:
        """The remembered evaluation, marked `cached`, or None."""
        key = self._key(source, task, split)
        if key is None or self._connection is None:
            return None
        query = "SELECT result FROM evaluations WHERE program_hash=? AND task=? AND split=? AND version=?"
        try:
            with self._lock:
                row = self._connection.execute(query, key).fetchone()
        except sqlite3.Error:
            return None
        if row is None:
            return None
        fields = json.loads(row[0])
        fields["objectives"] = tuple(fields["objectives"])
        return replace(Evaluation(**fields), cached=True)

    def put(self, source: str, task: Task, split: str, evaluation: Evaluation) -> None:
        """Remember an evaluation whose outcome does not depend on the machine's load."""
        key = self._key(source, task, split)
        if key is None or self._connection is None or evaluation.status not in REPEATABLE:
            return
        statement = "INSERT OR REPLACE INTO evaluations VALUES (?, ?, ?, ?, ?)"
        try:
            with self._lock:
                self._connection.execute(statement, (*key, json.dumps(asdict(evaluation))))
        except sqlite3.Error:
            return

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None
