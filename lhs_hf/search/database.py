"""The run database: every candidate with where it came from, so that any claim about a search can be computed later."""

from __future__ import annotations

import json
import sqlite3
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import chain
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from ..constants import SCREENED as SCREENED
from ..errors import CallError
from ..opening.databases import bound, check_pages
from ..opening.files import parse_json
from ..opening.text import one_line
from ..store import Store, transaction
from .tables import INDEXES, LATER_COLUMNS, NUMBER_POINTS, SUMMED, TABLES
from .values import DECODED_ROLES, MIGRANT, STANDING, STARTING_ROLES, objectives_in, sound, wrong

PENDING = "pending"
UNDECODABLE = "undecodable"
CLOSED = "closed"
"""What was done to a decoded program that did not answer (`changes`): another end was written for it."""
UNPAID = "unpaid"
"""The status of a program that a race had no instance runs left for."""


@dataclass
class Candidate:
    """A row of the run database.

    `before` and `after` are float32 vectors (d,) in the space that is searched (u for `prior`, z for `latent`): the
    parent's point and the point that was decoded. `predicted_before` and `predicted_after` are the surrogate's scores
    of the two, `distance` their Euclidean distance in standard deviations of the prior.

    With screening, several candidates of a round share a `point` (its index in the round); all but one have the status
    `screened`: decoded, run on probe states, not evaluated. `predicted_program` is the surrogate's score of the program
    encoded again, `program_distance` the distance of that point from `after`.

    In a portfolio, `operator` made the program by `changes`, `family` is the idea it descends from. `outcome` says what
    became of it in its race (`evaluation.racing.OUTCOMES`), `gain` with its standard error `gain_error` how much better
    it was than the incumbent it met, as a share of that one's objective, on `instances` common instances; `runs` are
    the instance runs it cost. Its `objective` is an estimate for the instances of the race. `decisions` is the key of
    what the program decides on the probe states (`edits.Behaviours.key`); None for one that repeats another.
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
    operator: str = ""
    family: str = ""
    changes: str = ""
    outcome: str = ""
    gain: float | None = None
    gain_error: float | None = None
    instances: int = 0
    runs: int = 0
    decisions: str | None = None

    @property
    def decoded(self) -> bool:
        """Whether this candidate cost a decoder call."""
        return self.role in DECODED_ROLES

    @property
    def made(self) -> bool:
        """Whether the search made this program: it did not start from it, nor take it over."""
        return self.role not in (*STARTING_ROLES, MIGRANT)

    @property
    def ok(self) -> bool:
        """Whether it has a score."""
        return self.status == "ok"

    @property
    def raced(self) -> bool:
        """Whether it raced."""
        return bool(self.outcome)

    @property
    def standing(self) -> bool:
        """Whether it did not race, or got through it: its estimate is of more than a few instances."""
        return self.outcome in STANDING


_COLUMNS = tuple(field.name for field in fields(Candidate))


def _to_sql(name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return np.ascontiguousarray(value, dtype=np.float32).tobytes()
    if name == "objectives" and value is not None:
        return json.dumps(list(value))
    return value


ROWS = 100_000
CONTENT_BYTES = 2**28
_JSON_CHARACTERS = 2**23
# No column holds an infinite number, and SQLite has none that is not one.
_INFINITE = "9e999"


def _from_row(row: sqlite3.Row, name: str) -> Candidate:
    """The candidate in a row. Raises `CallError` naming file, row and column if a value is none of its column."""
    values = dict(row)
    for column, value in values.items():
        problem = wrong(column, TABLES["candidates"].columns[column], value)
        if problem is not None:
            number = one_line(values["id"], 20)
            raise CallError(f"{name}: column {column} of candidate {number} in table candidates {problem}")
    for column in ("before", "after"):
        if values[column] is not None:
            values[column] = np.frombuffer(values[column], dtype=np.float32)
    if values["objectives"] is not None:
        place = f"{name}: column objectives of candidate {values['id']} in table candidates"
        values["objectives"] = objectives_in(values["objectives"], place)
    return Candidate(**values)


def _check_together(candidates: list[Candidate], name: str) -> None:
    """Raise `CallError` if candidates name others that are not there, or their points have different sizes."""
    numbers = {candidate.id for candidate in candidates}
    sizes = {point.size for each in candidates for point in (each.before, each.after) if point is not None}
    if len(numbers) < len(candidates):
        raise CallError(f"{name}: two candidates in table candidates have one id")
    if len(sizes) > 1:
        raise CallError(f"{name}: the points in table candidates have different sizes: {sorted(sizes)}")
    for candidate in candidates:
        for column in ("parent", "other_parent", "duplicate_of"):
            other = getattr(candidate, column)
            if other is not None and other not in numbers:
                raise CallError(
                    f"{name}: column {column} of candidate {candidate.id} in table candidates is {other}, which is not "
                    "there"
                )


class RunDatabase(Store):
    """SQLite file of one run. Each write is its own transaction: what is stored survives any end of the process.

    Args:
        path: the file; it is made if it does not exist. Its tables and its rows may be anybody's: everything is checked
            when it is read.
        name: what messages call it; None is `path`.

    Raises `CallError` for what is no run database, and each method for what a damaged one holds.
    """

    # Files that this process has open, and how often.
    _open: ClassVar[Counter[Path]] = Counter()
    _counting = threading.Lock()

    kind = "a run database"
    tables = TABLES
    later_columns = LATER_COLUMNS
    indexes = INDEXES
    summed = "candidates"
    """The table of `sums`."""

    def __init__(self, path: Path | str, name: Path | str | None = None) -> None:
        self._place = Path(path).absolute()
        self._kept: dict[str, Any] = {}
        self._count(1)
        try:
            super().__init__(path, name)
        except BaseException:
            self._count(-1)
            raise
        self._connection.row_factory = sqlite3.Row

    def _count(self, change: int) -> None:
        with RunDatabase._counting:
            RunDatabase._open[self._place] += change

    def _make(self, connection: sqlite3.Connection) -> None:
        super()._make(connection)
        existing = {row[1] for row in connection.execute("PRAGMA table_info(candidates)")}
        for name in LATER_COLUMNS:
            if name not in existing:
                connection.execute(f"ALTER TABLE candidates ADD COLUMN {name} {TABLES['candidates'].columns[name]}")
        if "point" not in existing:
            connection.execute(NUMBER_POINTS)

    @classmethod
    def is_open(cls, path: Path) -> bool:
        """Whether this process has a run database open."""
        return cls._open[path.absolute()] > 0

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            super().close()
            self._count(-1)

    def check_pages(self) -> None:
        """Raise `CallError` if the file is damaged. How long anything may take from here on is bounded."""
        with self._reading():
            check_pages(self._connection, self.name)

    def bound(self) -> None:
        """Bound how long anything may take from here on, where the file is checked by another connection."""
        with self._reading():
            bound(self._connection)

    def set(self, key: str, value: Any) -> None:
        """Store a JSON value about the run."""
        self._connection.execute("INSERT OR REPLACE INTO run VALUES (?, ?)", (key, json.dumps(value)))

    def get(self, key: str, default: Any = None) -> Any:
        """A stored JSON value about the run, `default` if there is none."""
        with self._reading():
            row = self._connection.execute("SELECT value FROM run WHERE key=?", (key,)).fetchone()
        if row is None:
            return default
        place = f"{self.name}: {key} in table run"
        if not isinstance(row["value"], str) or len(row["value"]) > _JSON_CHARACTERS:
            raise CallError(f"{place} is no text of at most {_JSON_CHARACTERS} characters")
        return parse_json(row["value"], place, object)

    def add(self, candidate: Candidate) -> None:
        """Store a new candidate. Raises `sqlite3.IntegrityError` if its id is taken."""
        marks = ", ".join("?" for _ in _COLUMNS)
        values = [_to_sql(name, getattr(candidate, name)) for name in _COLUMNS]
        # Columns are the fields of Candidate, values are bound.
        self._connection.execute(f"INSERT INTO candidates ({', '.join(_COLUMNS)}) VALUES ({marks})", values)  # noqa: S608

    def add_all(self, candidates: Iterable[Candidate]) -> None:
        """Store candidates that came out of one decoder batch: all of them or none."""
        with transaction(self._connection):
            for candidate in candidates:
                self.add(candidate)

    def update(self, candidate: Candidate) -> None:
        """Store the present state of a candidate that is already there."""
        names = [name for name in _COLUMNS if name != "id"]
        assignments = ", ".join(f"{name}=?" for name in names)
        values = [_to_sql(name, getattr(candidate, name)) for name in names]
        self._connection.execute(f"UPDATE candidates SET {assignments} WHERE id=?", (*values, candidate.id))  # noqa: S608

    def retry(self, status: str) -> None:
        """Have every candidate of a status evaluated again."""
        self._connection.execute("UPDATE candidates SET status = ? WHERE status = ?", (PENDING, status))

    def candidates(self) -> list[Candidate]:
        """All candidates by id: the order in which they were made. Raises `CallError` for more than `ROWS`."""
        candidates: list[Candidate] = []
        room = CONTENT_BYTES
        for row in self._rows("ORDER BY id"):
            room -= sum(map(sys.getsizeof, row))
            if len(candidates) == ROWS or room < 0:
                raise CallError(
                    f"{self.name} holds more than {ROWS} candidates, or {CONTENT_BYTES} bytes of them; that is too "
                    "much to read"
                )
            candidates.append(_from_row(row, self.name))
        _check_together(candidates, self.name)
        return candidates

    def check_candidates(self) -> None:
        """Raise `CallError` for candidates that no run holds, or if some are missing; none of them is kept."""
        [(count, last)] = self.select("COUNT(*), MAX(id)")
        if count and last != count - 1:
            raise CallError(f"{self.name}: candidates are missing in table candidates: {count} have ids up to {last}")
        others = " AND ".join(f"ifnull({name}, 0) < {count}" for name in ("parent", "other_parent", "duplicate_of"))
        good = f"{sound(TABLES['candidates'].columns)} AND {others}"
        for (number,) in self.select("id", f"WHERE NOT ({good}) LIMIT 1"):
            next(self.read("WHERE id = ?", number))
            raise CallError(f"{self.name}: candidate {number} in table candidates names one that is not there")

    def sum_up(self) -> None:
        """Leave what sums over all candidates need (`sums`) in a small table of this connection.

        Their programs are passed once, not for each sum. Nothing is checked: see `check_candidates`.
        """
        with self._reading():
            values = ", ".join(SUMMED).replace("changes", f"CASE changes WHEN '{CLOSED}' THEN changes ELSE '' END")
            self._connection.execute(f"CREATE TEMP TABLE summed (id INTEGER PRIMARY KEY, {', '.join(SUMMED)})")
            self._connection.execute(f"INSERT INTO summed SELECT id, {values} FROM candidates")  # noqa: S608
        self.summed = "summed"

    def read(self, rest: str, *values: Any) -> Iterator[Candidate]:
        """The candidates that the rest of a statement (its WHERE and ORDER BY) tells, one by one."""
        return (_from_row(row, self.name) for row in self._rows(rest, *values))

    def _rows(self, rest: str, *values: Any) -> Iterator[sqlite3.Row]:
        with self._reading():
            rows = self._connection.execute(f"SELECT {', '.join(_COLUMNS)} FROM candidates {rest}", values)  # noqa: S608
            # Not the cursor itself: whoever stops in the middle would close it, maybe after its database.
            yield from (row for row in rows)

    def select(self, what: str, rest: str = "", *values: Any) -> Iterator[tuple[Any, ...]]:
        """What a statement says of candidates, columns or sums of them, as it is stored, row by row."""
        with self._reading():
            yield from map(tuple, self._connection.execute(f"SELECT {what} FROM candidates {rest}", values))  # noqa: S608

    def kept(self, name: str, make: Callable[[], Any]) -> Any:
        """What is made of `sums`, made once where they stay as they are: after `sum_up`."""
        if self.summed == "candidates":
            return make()
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def sums(self, what: str, rest: str = "") -> Iterator[tuple[Any, ...]]:
        """As `select`, of the columns that are cheap to read of all candidates (`SUMMED`)."""
        with self._reading():
            yield from map(tuple, self._connection.execute(f"SELECT {what} FROM {self.summed} {rest}"))  # noqa: S608

    def numbers(self, *expressions: str) -> list[np.ndarray]:
        """What expressions say of all candidates, by id: a float64 array (N,) for each, NaN for NULL. As `sums`."""
        values = ", ".join(f"ifnull({each}, {_INFINITE})" for each in expressions)
        with self._reading():
            cursor = self._connection.cursor()
            cursor.row_factory = None
            rows = cursor.execute(f"SELECT {values} FROM {self.summed} ORDER BY id")  # noqa: S608
            table = np.fromiter(chain.from_iterable(rows), dtype=np.float64).reshape(-1, len(expressions))
        table[np.isinf(table)] = np.nan
        return [np.ascontiguousarray(column) for column in table.T]

    def add_measurement(self, entry: dict[str, Any]) -> None:
        """Store an entry of a race's ledger (`evaluation.racing.Entry.as_dict`)."""
        names = [name for name in TABLES["measurements"].columns if name != "id"]
        values = [json.dumps(entry[name]) if name == "objectives" else entry[name] for name in names]
        marks = ", ".join("?" for _ in names)
        self._connection.execute(f"INSERT INTO measurements ({', '.join(names)}) VALUES ({marks})", values)  # noqa: S608

    def measurements(self, program: str | None = None) -> list[dict[str, Any]]:
        """The entries of the race's ledger, of one program (by hash) or all of them, in order."""
        names = [name for name in TABLES["measurements"].columns if name != "id"]
        which, values = ("", ()) if program is None else ("WHERE program = ?", (program,))
        entries = []
        with self._reading():
            statement = f"SELECT {', '.join(names)} FROM measurements {which} ORDER BY id"  # noqa: S608
            for row in self._connection.execute(statement, values):
                place = f"{self.name}: column objectives in table measurements"
                entries.append({**dict(row), "objectives": list(objectives_in(row["objectives"], place))})
                if len(entries) > ROWS:
                    raise CallError(f"{self.name} holds more than {ROWS} measurements; that is too much to read")
        return entries

    def measured_runs(self) -> int:
        """Instance runs of all entries."""
        with self._reading():
            statement = "SELECT TOTAL(runs) FROM measurements WHERE typeof(runs) = 'integer'"
            return int(self._connection.execute(statement).fetchone()[0])

    def __iter__(self) -> Iterator[Candidate]:
        return self.read("ORDER BY id")
