"""A method on its way: what it asks for is evaluated, stored, told; an interrupted run goes on where it was."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from ..errors import CallError
from ..evaluation import Evaluator
from ..opening.files import parse_json
from ..search.edits import Proposal
from ..store import Store, Table
from .method import Method, Result


@dataclass(frozen=True)
class Entry:
    """A program that a method asked for, by its number from 0, and what it is worth; `runs` are its instance runs."""

    number: int
    program: str
    operator: str
    status: str
    score: float | None
    objectives: tuple[float, ...]
    runs: int
    seconds: float


class Told(Store):
    """A SQLite file of all that a method was told.

    Raises `CallError` for a file that is none, and each method for what a damaged one holds.
    """

    kind = "a file of results"
    tables: ClassVar = {
        "told": Table(
            {
                "number": "INTEGER PRIMARY KEY",
                "program": "TEXT NOT NULL",
                "operator": "TEXT NOT NULL",
                "status": "TEXT NOT NULL",
                "score": "REAL",
                "objectives": "TEXT NOT NULL",
                "runs": "INTEGER NOT NULL",
                "seconds": "REAL NOT NULL",
            }
        ),
    }

    def add(self, entry: Entry) -> None:
        """One more entry."""
        row = (entry.number, entry.program, entry.operator, entry.status, entry.score)
        objectives = json.dumps(list(entry.objectives))
        self._connection.execute(
            "INSERT INTO told VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*row, objectives, entry.runs, entry.seconds)
        )

    def __iter__(self) -> Iterator[Entry]:
        with self._reading():
            rows = self._connection.execute("SELECT * FROM told ORDER BY number").fetchall()
        for row in rows:
            yield self._entry(*row)

    def _entry(self, number: Any, program: Any, operator: Any, status: Any, score: Any, *rest: Any) -> Entry:
        objectives, runs, seconds = rest
        place = f"{self.name}: result {number}"
        if not all(isinstance(each, str) for each in (program, operator, status, objectives)):
            raise CallError(f"{place} holds no text")
        values = parse_json(objectives, place, list)
        numbers = [*values, seconds, *([] if score is None else [score])]
        if not all(isinstance(each, (int, float)) and math.isfinite(each) for each in numbers) or type(runs) is not int:
            raise CallError(f"{place} holds no finite number")
        return Entry(int(number), program, operator, status, score, tuple(values), runs, seconds)


def drive(
    method: Method,
    evaluator: Evaluator,
    told: Told,
    budget: int | None = None,
    split: str = "search",
    *,
    stop: Callable[[], bool] = lambda: False,
    listener: Callable[[Entry], None] = lambda entry: None,
) -> int:
    """Ask, evaluate, store and tell until a method is over, or `budget` instance runs are spent; the runs in all.

    What `told` holds of an interrupted run is not evaluated again. An evaluation costs as many instance runs as the
    split has instances, whether the program succeeds or not; a batch that does not fit any more is not begun. `stop` is
    asked before every batch, yes ends the run; `listener` is called with every entry, those of `told` too.

    Raises `CallError` where the stored run went another way than this one.
    """
    cost = evaluator.task.split(split).count
    stored = list(told)
    number = spent = 0
    while not stop():
        left = math.inf if budget is None else (budget - spent) // cost
        proposals = method.ask(1) if left else []
        if not proposals or len(proposals) > left:
            break
        entries = _replayed(stored[number : number + len(proposals)], proposals, told.name)
        for entry in entries:
            listener(entry)
        missing = proposals[len(entries) :]
        for proposal, result in zip(missing, evaluator.evaluate_many([each.source for each in missing], split)):
            worth = (result.status, result.score, tuple(result.objectives) if result.ok else ())
            entry = Entry(number + len(entries), proposal.source, proposal.operator, *worth, cost, result.runtime_s)
            told.add(entry)
            entries.append(entry)
            listener(entry)
        number, spent = number + len(entries), spent + cost * len(entries)
        method.tell([Result(each, entry.score, entry.objectives) for each, entry in zip(proposals, entries)])
    return spent


def _replayed(stored: list[Entry], proposals: list[Proposal], name: str) -> list[Entry]:
    for entry, proposal in zip(stored, proposals):
        if entry.program != proposal.source:
            raise CallError(f"{name}: program {entry.number} is another one: this run was begun differently")
    return stored
