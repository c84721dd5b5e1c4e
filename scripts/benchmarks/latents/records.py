"""The records of a measurement, kept as they come: one decoded program a row of an SQLite file."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lhs_hf.errors import CallError
from lhs_hf.write_ahead import use_write_ahead_log

_SCHEMA = """
CREATE TABLE IF NOT EXISTS settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS records (
    task TEXT NOT NULL, radius REAL NOT NULL, parent INTEGER NOT NULL, move TEXT NOT NULL, sample INTEGER NOT NULL,
    record TEXT NOT NULL, PRIMARY KEY (task, radius, parent, move, sample)
) WITHOUT ROWID;
"""

Group = tuple[float, int, str]


class RecordStore:
    """An SQLite file of records. A file holds one model and one set of settings: `check` refuses others."""

    def __init__(self, path: Path | str) -> None:
        self.path = path
        if isinstance(path, Path):
            path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._connection = sqlite3.connect(path, isolation_level=None)
            use_write_ahead_log(self._connection)
            self._connection.executescript(_SCHEMA)
        except sqlite3.DatabaseError as error:
            raise CallError(f"{path} holds no measurement: {error}") from None

    def __enter__(self) -> RecordStore:
        return self

    def __exit__(self, *_: object) -> None:
        self._connection.close()

    def settings(self) -> dict[str, Any]:
        """What the records were made with; empty for a new file."""
        return {key: json.loads(value) for key, value in self._connection.execute("SELECT key, value FROM settings")}

    def check(self, settings: Mapping[str, Any]) -> None:
        """Store the settings of a new file. Raises `CallError` naming what differs from those of an older one."""
        stored = self.settings()
        given = json.loads(json.dumps(dict(settings)))
        changed = [name for name, value in given.items() if stored and stored.get(name) != value]
        if changed:
            listed = ", ".join(f"{name} {stored.get(name)!r} -> {given[name]!r}" for name in changed)
            raise CallError(f"{self.path} holds a measurement with other settings ({listed}); use another file")
        for name, value in given.items():
            self._connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", (name, json.dumps(value)))

    def done(self, task: str) -> set[Group]:
        """(radius, parent, move) of the groups of a task that are stored."""
        query = "SELECT DISTINCT radius, parent, move FROM records WHERE task=?"
        return set(self._connection.execute(query, (task,)))

    def add(self, records: Iterable[Mapping[str, Any]]) -> None:
        """Store the records of one batch: all of them or none."""
        keys = ("task", "radius", "parent", "move", "sample")
        self._connection.execute("BEGIN")
        try:
            for record in records:
                values = [record[key] for key in keys]
                self._connection.execute(
                    "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", (*values, json.dumps(dict(record)))
                )
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    def records(self) -> list[dict[str, Any]]:
        """Every record."""
        query = "SELECT record FROM records ORDER BY task, radius, parent, move, sample"
        return [json.loads(record) for (record,) in self._connection.execute(query)]
