"""Finished evaluations and behaviours of a corpus build, kept so that an interrupted build repeats none of them."""

from __future__ import annotations

import json
import sqlite3
import threading
from pathlib import Path
from typing import Any

import numpy as np

from ..evaluation import Behaviour, Evaluation

_TABLES = """
create table if not exists scores (
    task text, version integer, hash text, status text, objective real, score real, objectives text,
    runtime_s real, message text, primary key (task, version, hash)
);
create table if not exists probes (
    task text, version integer, hash text, decisions blob, features blob, primary key (task, version, hash)
);
"""


class WorkFile:
    """A SQLite file of evaluations and behaviours by task, task version and program hash, for several threads."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False)
        self._connection.executescript(_TABLES)
        self._connection.commit()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def evaluation(self, task: str, version: int, program: str) -> Evaluation | None:
        """The evaluation of a program (by its hash), if there is one; the isolation it ran under is not kept."""
        columns = "status, objective, score, objectives, runtime_s, message"
        row = self._row(f"select {columns} from scores", task, version, program)  # noqa: S608
        if row is None:
            return None
        status, objective, score, objectives, runtime_s, message = row
        return Evaluation(status, objective, score, tuple(json.loads(objectives)), runtime_s, message)

    def put_evaluation(self, task: str, version: int, program: str, evaluation: Evaluation) -> None:
        """Store an evaluation; it is on disk when this returns."""
        objectives = json.dumps(list(evaluation.objectives))
        values = (evaluation.status, evaluation.objective, evaluation.score, objectives)
        self._put("scores", (task, version, program, *values, evaluation.runtime_s, evaluation.message))

    def behaviour(self, task: str, version: int, program: str) -> Behaviour | None:
        """The behaviour of a program (by its hash), if it is known."""
        row = self._row("select decisions, features from probes", task, version, program)
        if row is None:
            return None
        decisions = np.frombuffer(row[0], dtype="<i2").astype(np.int64)
        return Behaviour(decisions, np.frombuffer(row[1], dtype="<f4").reshape(len(decisions), -1).astype(np.float32))

    def put_behaviour(self, task: str, version: int, program: str, behaviour: Behaviour) -> None:
        """Store a behaviour; it is on disk when this returns."""
        decisions, features = behaviour.decisions.astype("<i2").tobytes(), behaviour.features.astype("<f4").tobytes()
        self._put("probes", (task, version, program, decisions, features))

    def _row(self, select: str, *key: str | int) -> tuple[Any, ...] | None:
        with self._lock:
            return self._connection.execute(f"{select} where task = ? and version = ? and hash = ?", key).fetchone()

    def _put(self, table: str, values: tuple[Any, ...]) -> None:
        with self._lock, self._connection:
            # The table's name is one of this class's own.
            self._connection.execute(f"insert or replace into {table} values ({', '.join('?' * len(values))})", values)  # noqa: S608
