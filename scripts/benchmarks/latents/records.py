"""The records of a measurement, kept as they come: one decoded program a row of an SQLite file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from lhs_hf.errors import CallError
from lhs_hf.store import Store, Table, transaction

Group = tuple[float, int, str]


class RecordStore(Store):
    """An SQLite file of records. A file holds one model and one set of settings: `check` refuses others."""

    kind = "a file of measurements"
    tables: ClassVar = {
        "settings": Table({"key": "TEXT PRIMARY KEY", "value": "TEXT NOT NULL"}),
        "records": Table(
            {
                "task": "TEXT NOT NULL",
                "radius": "REAL NOT NULL",
                "parent": "INTEGER NOT NULL",
                "move": "TEXT NOT NULL",
                "sample": "INTEGER NOT NULL",
                "record": "TEXT NOT NULL",
            },
            key=("task", "radius", "parent", "move", "sample"),
        ),
    }

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
        with transaction(self._connection):
            for record in records:
                values = [record[key] for key in keys]
                self._connection.execute(
                    "INSERT INTO records VALUES (?, ?, ?, ?, ?, ?)", (*values, json.dumps(dict(record)))
                )

    def records(self) -> list[dict[str, Any]]:
        """Every record."""
        query = "SELECT record FROM records ORDER BY task, radius, parent, move, sample"
        return [json.loads(record) for (record,) in self._connection.execute(query)]
