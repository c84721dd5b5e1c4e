"""Searches on islands for tests: small, and the same on any machine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.islands.archive import ARCHIVE_NAME, Archive
from lhs_hf.search.islands.executors import Executor, HereIslands
from lhs_hf.search.islands.host import island_folder
from lhs_hf.search.islands.messages import Setup
from lhs_hf.search.islands.search import IslandSearch
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task

TASK = "knapsack_construct"
BUDGET, ISLANDS = 20, 2
QUICK = Path(__file__).parents[1] / "search" / "islands" / "quick_starts.jsonl"
"""Programs that take milliseconds: on a busy machine none of them is stopped for the time it takes."""


def setup(folder: Path | None, task: str = TASK, **changes: Any) -> Setup:
    known = get_task(task)
    values = {"budget": BUDGET, "islands": ISLANDS, "migration": 1, "init": str(QUICK), "seed": 2, **changes}
    settings = SearchSettings(**values)
    starts = tuple(portfolio_starts(known, settings.init))
    return Setup(known.locator, known.digest, settings, starts, folder, cached=False)


def run(folder: Path, executor: Executor | None = None, parts: Any = None, **changes: Any) -> Any:
    """A search on islands in a folder, with edits alone unless there are `parts`; it goes on with what is there."""
    watched = {name: changes.pop(name) for name in ("listener", "stop") if name in changes}
    chosen = setup(folder, **changes)
    with (
        RunDatabase(folder / "run.sqlite") as database,
        Archive(folder / ARCHIVE_NAME) as archive,
        Evaluator(TASK, workers=1) as evaluator,
        executor or HereIslands(chosen, parts, load=False) as islands,
    ):
        outcome = IslandSearch(chosen, islands, evaluator, database, archive, **watched).run()
        standings = [archive.standings(epoch) for epoch in range(archive.epochs)]
        return outcome, rows(database.candidates()), standings


def rows(candidates: list[Candidate]) -> list[tuple[Any, ...]]:
    """What does not depend on the clock."""
    return [
        (c.id, c.round, c.role, c.operator, c.parent, c.duplicate_of, c.program, c.outcome, c.objective, c.runs)
        for c in candidates
    ]


def of_island(folder: Path, number: int) -> tuple[list[Candidate], list[dict[str, Any]]]:
    with RunDatabase(island_folder(folder, number) / "run.sqlite") as database:
        return database.candidates(), database.measurements()


def untimed(standings: list[Any]) -> list[Any]:
    return [
        [(each.island, each.runs, each.done, [(m.program, m.score) for m in each.best]) for each in epoch]
        for epoch in standings
    ]
