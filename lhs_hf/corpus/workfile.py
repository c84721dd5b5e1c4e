"""Finished evaluations and behaviours of a corpus build, kept so that an interrupted build repeats none of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..evaluation import Behaviour, Evaluation
from ..store import Store, Table

_KEY = ("task", "version", "hash")
_KEY_COLUMNS = {"task": "TEXT", "version": "INTEGER", "hash": "TEXT"}


class WorkFile(Store):
    """A SQLite file of evaluations and behaviours by task, task version and program hash, for several threads."""

    kind = "the work file of a corpus build"
    tables: ClassVar = {
        "scores": Table(
            {
                **_KEY_COLUMNS,
                "status": "TEXT",
                "objective": "REAL",
                "score": "REAL",
                "objectives": "TEXT",
                "runtime_s": "REAL",
                "message": "TEXT",
            },
            key=_KEY,
        ),
        "probes": Table({**_KEY_COLUMNS, "decisions": "BLOB", "features": "BLOB"}, key=_KEY),
    }

    def __init__(self, path: Path) -> None:
        super().__init__(path, threads=True)

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
        with self._lock, self._reading():
            return self._connection.execute(f"{select} where task = ? and version = ? and hash = ?", key).fetchone()

    def _put(self, table: str, values: tuple[Any, ...]) -> None:
        with self._lock:
            # The table's name is one of this class's own.
            self._connection.execute(f"insert or replace into {table} values ({', '.join('?' * len(values))})", values)  # noqa: S608
