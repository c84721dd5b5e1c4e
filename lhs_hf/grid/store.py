"""The SQLite file of a comparison: what its cells came to, and how it was begun."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ..errors import CallError
from ..opening.databases import private_copy
from ..opening.files import inside, is_number, parse_json
from ..opening.text import one_line
from ..store import Store, Table, transaction
from .cell import Cell, CellResult

DATABASE_NAME = "grid.sqlite"
_BEGUN = "begun"


class GridDatabase(Store):
    """The cells of a comparison that are finished, and what the others have taken so far.

    Raises `CallError` for a file that is none, and each method for what a damaged one holds.
    """

    kind = "a file of a comparison"
    tables: ClassVar = {
        "about": Table({"key": "TEXT PRIMARY KEY", "value": "TEXT NOT NULL"}),
        "cells": Table({"name": "TEXT PRIMARY KEY", "result": "TEXT NOT NULL", "transcript": "TEXT NOT NULL"}),
        "clocks": Table({"name": "TEXT PRIMARY KEY", "seconds": "REAL NOT NULL"}),
    }

    def begin(self, identity: Mapping[str, Any], digests: Mapping[str, str], order: Mapping[str, list[str]]) -> None:
        """Say what the grid is of: what has to agree, and lists of names (`methods`, `tasks`) that later calls add to.

        Raises `CallError` where it was begun with other settings, or other files.
        """
        with transaction(self._connection):
            stored = self.about()
            for name, value in identity.items():
                if stored and name in stored and stored[name] != value:
                    raise CallError(
                        f"{self.name} was begun with {name} {one_line(stored[name], 60)}, not {value}; choose "
                        "another --output"
                    )
            known = stored.get("digests", {})
            for name, digest in digests.items():
                if known.get(name, digest) != digest:
                    raise CallError(
                        f"the file of {name} has changed since {self.name} was begun; choose another --output"
                    )
            names = {key: list(dict.fromkeys([*stored.get(key, []), *values])) for key, values in order.items()}
            about = {**stored, **identity, **names, "digests": {**known, **digests}}
            self._connection.execute(
                "INSERT OR REPLACE INTO about VALUES (?, ?)", (_BEGUN, json.dumps(about, sort_keys=True))
            )

    def about(self) -> dict[str, Any]:
        """What the grid is of; empty before it is begun."""
        with self._reading():
            row = self._connection.execute("SELECT value FROM about WHERE key=?", (_BEGUN,)).fetchone()
        if row is None:
            return {}
        about: dict[str, Any] = parse_json(_text(row[0], f"{self.name}: about"), f"{self.name}: about")
        if not isinstance(about.get("digests", {}), dict):
            raise CallError(f"{self.name}: digests are {one_line(about['digests'], 60)!r}")
        return about

    def has(self, cell: Cell) -> bool:
        """Whether a cell is finished."""
        with self._reading():
            query = "SELECT 1 FROM cells WHERE name=?"
            return self._connection.execute(query, (cell.name,)).fetchone() is not None

    def add(self, result: CellResult, transcript: str = "") -> None:
        """Keep what came of a cell, and the calls of its language model."""
        row = (result.cell.name, result.as_text(), transcript)
        self._connection.execute("INSERT OR REPLACE INTO cells VALUES (?, ?, ?)", row)

    def cells(self) -> list[CellResult]:
        """All finished cells, by name."""
        with self._reading():
            rows = self._connection.execute("SELECT name, result FROM cells ORDER BY name").fetchall()
        return [
            CellResult.from_text(_text(text, self.name), f"{self.name}: cell {one_line(name, 80)}")
            for name, text in rows
        ]

    def transcript(self, cell: Cell) -> str:
        """The calls of a cell's language model as JSON lines; empty where there are none."""
        with self._reading():
            row = self._connection.execute("SELECT transcript FROM cells WHERE name=?", (cell.name,)).fetchone()
        return "" if row is None else _text(row[0], f"{self.name}: transcript of {cell.name}")

    def seconds(self, cell: Cell) -> float:
        """What a cell has taken before it was interrupted."""
        with self._reading():
            row = self._connection.execute("SELECT seconds FROM clocks WHERE name=?", (cell.name,)).fetchone()
        return float(row[0]) if row is not None and is_number(row[0]) and row[0] >= 0 else 0.0

    def set_seconds(self, cell: Cell, seconds: float) -> None:
        """Keep what a cell has taken so far."""
        self._connection.execute("INSERT OR REPLACE INTO clocks VALUES (?, ?)", (cell.name, seconds))


@dataclass(frozen=True)
class Grid:
    """A comparison as it is stored: how it was begun, and the cells that are finished."""

    folder: Path
    about: dict[str, Any]
    cells: list[CellResult]

    @property
    def methods(self) -> list[str]:
        """In the order in which they were asked for, then by name."""
        return _ordered({each.method for each in self.cells}, self.about.get("methods"))

    @property
    def tasks(self) -> list[str]:
        """In the order in which they were asked for, then by name."""
        return _ordered({each.task for each in self.cells}, self.about.get("tasks"))

    @property
    def unseeded(self) -> list[str]:
        """Methods that ran once a task, whatever the number of seeds."""
        names = self.about.get("unseeded")
        return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []

    def of(self, method: str, task: str) -> list[CellResult]:
        """The cells of a method on a task, by seed."""
        return sorted(
            (each for each in self.cells if (each.method, each.task) == (method, task)), key=lambda each: each.seed
        )


def _ordered(names: set[str], wanted: Any) -> list[str]:
    first = [name for name in wanted if name in names] if isinstance(wanted, list) else []
    return [*first, *sorted(names - set(first))]


def has_grid(folder: Path) -> bool:
    """Whether a folder holds a comparison."""
    return (folder / DATABASE_NAME).is_file()


def open_grid(folder: Path | str) -> Grid:
    """Read a comparison, which may be anybody's. Raises `CallError` if the folder holds none, or a damaged one."""
    path = inside(folder, DATABASE_NAME)
    if not path.is_file():
        raise CallError(f"{folder} holds no comparison: expected a file {DATABASE_NAME} in it")
    with private_copy(path) as copy, GridDatabase(copy, name=path) as database:
        return Grid(Path(folder), database.about(), database.cells())


def _text(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise CallError(f"{place} holds no text")
    return value
