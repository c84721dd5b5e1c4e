"""The run database: every candidate with where it came from, so that any claim about a search can be computed later."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import CallError
from ..write_ahead import use_write_ahead_log

PENDING = "pending"
SCREENED = "screened"
UNDECODABLE = "undecodable"

# Roles of candidates that cost a decoder call; `reference` and `corpus` programs start a search and cost none.
DECODED_ROLES = ("initial", "search")

_SCHEMA = """
CREATE TABLE IF NOT EXISTS run (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS candidates (
    id INTEGER PRIMARY KEY,
    round INTEGER NOT NULL,
    role TEXT NOT NULL,
    parent INTEGER REFERENCES candidates (id),
    other_parent INTEGER REFERENCES candidates (id),
    program TEXT NOT NULL,
    program_hash TEXT,
    tokens INTEGER NOT NULL DEFAULT 0,
    log_probability REAL,
    before BLOB,
    after BLOB,
    predicted_before REAL,
    predicted_after REAL,
    distance REAL,
    status TEXT NOT NULL,
    objective REAL,
    score REAL,
    objectives TEXT,
    runtime_s REAL,
    isolation TEXT,
    message TEXT NOT NULL DEFAULT '',
    duplicate_of INTEGER REFERENCES candidates (id),
    point INTEGER NOT NULL DEFAULT 0,
    predicted_program REAL,
    program_distance REAL
);
"""

# Columns that databases made before them lack. They are added one by one, so `_SCHEMA` has them in this order.
_LATER_COLUMNS = {
    "point": "INTEGER NOT NULL DEFAULT 0",
    "predicted_program": "REAL",
    "program_distance": "REAL",
}

# Such databases hold one candidate a point.
_NUMBER_POINTS = """
UPDATE candidates SET point = (
    SELECT COUNT(*) FROM candidates AS other WHERE other.round = candidates.round AND other.id < candidates.id
)
"""


@dataclass
class Candidate:
    """A row of the run database.

    `before` and `after` are float32 vectors (d,) in the space that is searched (u for `prior`, z for `latent`): the
    parent's point and the point that was decoded. `predicted_before` and `predicted_after` are the surrogate's scores
    of the two, `distance` their Euclidean distance in standard deviations of the prior.

    With screening, several candidates of a round share a `point` (its index in the round); all but one have the status
    `screened`: decoded, run on probe states, not evaluated. `predicted_program` is the surrogate's score of the program
    encoded again, `program_distance` the distance of that point from `after`.
    """

    id: int
    round: int
    role: str
    program: str
    parent: int | None = None
    other_parent: int | None = None
    program_hash: str | None = None
    tokens: int = 0
    log_probability: float | None = None
    before: np.ndarray | None = None
    after: np.ndarray | None = None
    predicted_before: float | None = None
    predicted_after: float | None = None
    distance: float | None = None
    status: str = PENDING
    objective: float | None = None
    score: float | None = None
    objectives: tuple[float, ...] | None = None
    runtime_s: float | None = None
    isolation: str | None = None
    message: str = ""
    duplicate_of: int | None = None
    point: int = 0
    predicted_program: float | None = None
    program_distance: float | None = None

    @property
    def decoded(self) -> bool:
        """Whether this candidate cost a decoder call."""
        return self.role in DECODED_ROLES

    @property
    def ok(self) -> bool:
        """Whether it has a score."""
        return self.status == "ok"


_COLUMNS = tuple(field.name for field in fields(Candidate))


def _to_sql(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value, dtype=np.float32).tobytes()
    if name == "objectives" and value is not None:
        return json.dumps(list(value))
    return value


def _from_row(row: sqlite3.Row) -> Candidate:
    values = dict(row)
    for name in ("before", "after"):
        if values[name] is not None:
            values[name] = np.frombuffer(values[name], dtype=np.float32)
    if values["objectives"] is not None:
        values["objectives"] = tuple(json.loads(values["objectives"]))
    return Candidate(**values)


class RunDatabase:
    """SQLite file of one run. Each write is its own transaction: what is stored survives any end of the process."""

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path)
        try:
            self._connection = sqlite3.connect(self.path, timeout=30, isolation_level=None)
            self._connection.row_factory = sqlite3.Row
            use_write_ahead_log(self._connection)
            # One transaction: several processes may open a new or an old file at once.
            self._connection.executescript(f"BEGIN IMMEDIATE; {_SCHEMA}")
            existing = {row["name"] for row in self._connection.execute("PRAGMA table_info(candidates)")}
            for name, kind in _LATER_COLUMNS.items():
                if name not in existing:
                    self._connection.execute(f"ALTER TABLE candidates ADD COLUMN {name} {kind}")
            if "point" not in existing:
                self._connection.execute(_NUMBER_POINTS)
            self._connection.execute("COMMIT")
        except sqlite3.DatabaseError as error:
            raise CallError(f"{self.path} is not a run database: {error}") from None

    def __enter__(self) -> RunDatabase:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def set(self, key: str, value: Any) -> None:
        """Store a JSON value about the run."""
        self._connection.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, json.dumps(value)))

    def get(self, key: str, default: Any = None) -> Any:
        """A stored JSON value about the run."""
        row = self._connection.execute("SELECT value FROM run WHERE key=?", (key,)).fetchone()
        return default if row is None else json.loads(row["value"])

    def add(self, candidate: Candidate) -> None:
        """Store a new candidate. Raises `sqlite3.IntegrityError` if its id is taken."""
        marks = ", ".join("?" for _ in _COLUMNS)
        values = [_to_sql(name, getattr(candidate, name)) for name in _COLUMNS]
        self._connection.execute(f"INSERT INTO candidates ({', '.join(_COLUMNS)}) VALUES ({marks})", values)

    def add_all(self, candidates: Iterable[Candidate]) -> None:
        """Store candidates that came out of one decoder batch: all of them or none."""
        self._connection.execute("BEGIN")
        try:
            for candidate in candidates:
                self.add(candidate)
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def update(self, candidate: Candidate) -> None:
        """Store the present state of a candidate that is already there."""
        names = [name for name in _COLUMNS if name != "id"]
        assignments = ", ".join(f"{name}=?" for name in names)
        values = [_to_sql(name, getattr(candidate, name)) for name in names]
        self._connection.execute(f"UPDATE candidates SET {assignments} WHERE id=?", (*values, candidate.id))

    def candidates(self) -> list[Candidate]:
        """All candidates by id: the order in which they were made."""
        return [_from_row(row) for row in self._connection.execute("SELECT * FROM candidates ORDER BY id")]

    def __iter__(self) -> Iterator[Candidate]:
        return iter(self.candidates())
