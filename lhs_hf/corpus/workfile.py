"""Finished measurements of a corpus build, kept so that an interrupted build repeats none of them."""

from __future__ import annotations

import json
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_TABLES = """
create table if not exists scores (
    task text, version integer, hash text, status text, objective real, score real, objectives text,
    runtime_s real, message text, primary key (task, version, hash)
);
create table if not exists probes (
    task text, version integer, hash text, decisions blob, features blob, primary key (task, version, hash)
);
"""


@dataclass(frozen=True)
class Measurement:
    """One program on `search`."""

    status: str
    objective: float | None
    score: float | None
    objectives: tuple[float, ...]
    runtime_s: float
    message: str


@dataclass(frozen=True, eq=False)
class Probed:
    """One program on the probe states: `decisions` int64 (64,), `features` float32 (64, 8)."""

    decisions: np.ndarray
    features: np.ndarray


class WorkFile:
    """A SQLite file of measurements by task, task version and program hash; may be used from several threads."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False)
        self._connection.executescript(_TABLES)
        self._connection.commit()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def measurement(self, task: str, version: int, program: str) -> Measurement | None:
        """The measurement of a program (by its hash), if there is one."""
        columns = "status, objective, score, objectives, runtime_s, message"
        row = self._row(f"select {columns} from scores", task, version, program)  # noqa: S608
        if row is None:
            return None
        return Measurement(row[0], row[1], row[2], tuple(json.loads(row[3])), row[4], row[5])

    def put_measurement(self, task: str, version: int, program: str, found: Measurement) -> None:
        """Store a measurement; it is on disk when this returns."""
        objectives = json.dumps(list(found.objectives))
        values = (found.status, found.objective, found.score, objectives, found.runtime_s, found.message)
        self._put("scores", (task, version, program, *values))

    def probed(self, task: str, version: int, program: str) -> Probed | None:
        """The behaviour of a program (by its hash), if it is known."""
        row = self._row("select decisions, features from probes", task, version, program)
        if row is None:
            return None
        decisions = np.frombuffer(row[0], dtype="<i2").astype(np.int64)
        return Probed(decisions, np.frombuffer(row[1], dtype="<f4").reshape(len(decisions), -1).astype(np.float32))

    def put_probed(self, task: str, version: int, program: str, found: Probed) -> None:
        """Store a behaviour; it is on disk when this returns."""
        decisions, features = found.decisions.astype("<i2").tobytes(), found.features.astype("<f4").tobytes()
        self._put("probes", (task, version, program, decisions, features))

    def _row(self, select: str, *key: str | int) -> tuple[Any, ...] | None:
        with self._lock:
            return self._connection.execute(f"{select} where task = ? and version = ? and hash = ?", key).fetchone()

    def _put(self, table: str, values: tuple[Any, ...]) -> None:
        with self._lock, self._connection:
            # The table's name is one of this class's own.
            self._connection.execute(f"insert or replace into {table} values ({', '.join('?' * len(values))})", values)  # noqa: S608
