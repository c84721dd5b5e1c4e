"""The archive of a search on islands: what each had to pass on after each epoch, and how far it was."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...errors import CallError
from ...opening.files import parse_json
from ...store import Store, Table, transaction
from .messages import Migrant, Report

ARCHIVE_NAME = "archive.sqlite"


@dataclass(frozen=True)
class Standing:
    """An island after an epoch: instance runs in its ledger, whether it has ended, its best programs."""

    island: int
    runs: int
    done: bool
    best: tuple[Migrant, ...]


class Archive(Store):
    """SQLite file with one row an island and epoch, and one a program that it passed on.

    An epoch is there with all islands or not at all. Raises `CallError` for a file that holds something else, and each
    method for what a damaged one holds.
    """

    kind = "an archive of islands"
    tables: ClassVar = {
        "epochs": Table(
            {
                "epoch": "INTEGER NOT NULL",
                "island": "INTEGER NOT NULL",
                "runs": "INTEGER NOT NULL",
                "done": "INTEGER NOT NULL",
            },
            key=("epoch", "island"),
        ),
        "migrants": Table(
            {
                "epoch": "INTEGER NOT NULL",
                "island": "INTEGER NOT NULL",
                "place": "INTEGER NOT NULL",
                "program": "TEXT NOT NULL",
                "hash": "TEXT NOT NULL",
                "family": "TEXT NOT NULL",
                "score": "REAL",
                "entries": "TEXT NOT NULL",
            },
            key=("epoch", "island", "place"),
        ),
    }

    @property
    def epochs(self) -> int:
        """How many epochs are complete; they are numbered from 0."""
        with self._reading():
            [(last,)] = self._connection.execute("SELECT MAX(epoch) FROM epochs").fetchall()
        return 0 if last is None else int(last) + 1

    def add(self, reports: Sequence[Report]) -> None:
        """Store an epoch from the reports of all islands that took part."""
        with transaction(self._connection):
            for report in reports:
                values: tuple[Any, ...] = (report.epoch, report.island, report.runs, int(report.done))
                self._connection.execute("INSERT INTO epochs VALUES (?, ?, ?, ?)", values)
                for place, each in enumerate(report.best):
                    values = (report.epoch, report.island, place, each.program, each.hash, each.family, each.score)
                    self._connection.execute(
                        "INSERT INTO migrants VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*values, json.dumps(each.entries))
                    )

    def standings(self, epoch: int) -> list[Standing]:
        """The islands after an epoch, in their order."""
        best: dict[int, list[Migrant]] = {}
        with self._reading():
            names = "island, program, hash, family, score, entries"
            rows = self._connection.execute(
                f"SELECT {names} FROM migrants WHERE epoch=? ORDER BY island, place",  # noqa: S608
                (epoch,),
            )
            for island, program, own, family, score, text in rows:
                if not all(isinstance(each, str) for each in (program, own, family, text)):
                    raise CallError(f"{self.name} is damaged: a migrant of epoch {epoch} is no text")
                entries = parse_json(text, f"{self.name}: column entries of table migrants", list)
                best.setdefault(island, []).append(Migrant(program, own, family, score, tuple(entries)))
            known = "SELECT island, runs, done FROM epochs WHERE epoch=? ORDER BY island"
            figures = self._connection.execute(known, (epoch,)).fetchall()
        return [Standing(island, runs, bool(done), tuple(best.get(island, ()))) for island, runs, done in figures]
