"""Finished measurements of a corpus build, kept so that an interrupted build repeats none of them."""

from __future__ import annotations

import json
import sqlite3
import threading
from dataclasses import dataclass
from pathlib import Path

import numpy as np

_TABLE = """
create table if not exists measurements (
    task text, version integer, hash text, status text, objective real, score real, objectives text,
    runtime_s real, message text, decisions blob, features blob, primary key (task, version, hash)
)
"""


@dataclass(frozen=True, eq=False)
class Measurement:
    """One program on `search` and on the probe states: `decisions` int64 (64,), `features` float32 (64, 8)."""

    status: str
    objective: float | None
    score: float | None
    objectives: tuple[float, ...]
    runtime_s: float
    message: str
    decisions: np.ndarray
    features: np.ndarray


class WorkFile:
    """A SQLite file of measurements by task, task version and program hash; may be used from several threads."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False)
        self._connection.execute(_TABLE)
        self._connection.commit()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def get(self, task: str, version: int, program: str) -> Measurement | None:
        """The measurement of a program (by its hash), if there is one."""
        with self._lock:
            row = self._connection.execute(
                "select status, objective, score, objectives, runtime_s, message, decisions, features "
                "from measurements where task = ? and version = ? and hash = ?",
                (task, version, program),
            ).fetchone()
        if row is None:
            return None
        decisions = np.frombuffer(row[6], dtype="<i2").astype(np.int64)
        features = np.frombuffer(row[7], dtype="<f4").reshape(len(decisions), -1).astype(np.float32)
        return Measurement(row[0], row[1], row[2], tuple(json.loads(row[3])), row[4], row[5], decisions, features)

    def put(self, task: str, version: int, program: str, measurement: Measurement) -> None:
        """Store a measurement; it is on disk when this returns."""
        values = (
            task,
            version,
            program,
            measurement.status,
            measurement.objective,
            measurement.score,
            json.dumps(list(measurement.objectives)),
            measurement.runtime_s,
            measurement.message,
            measurement.decisions.astype("<i2").tobytes(),
            measurement.features.astype("<f4").tobytes(),
        )
        with self._lock, self._connection:
            self._connection.execute(f"insert or replace into measurements values ({', '.join('?' * 11)})", values)
