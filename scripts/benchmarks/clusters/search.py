"""The search whose processes are killed, in a process of its own, and what its database says of it.

    python -m clusters.search FOLDER BUDGET MEMORY_MB [ADDRESS]

Each line of FOLDER/log is a program that is about to be evaluated.
"""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

_RESULTS = "SELECT id, program_hash, status, objective FROM candidates WHERE status NOT IN ('pending', 'sandbox_error')"
_ENDS = "SELECT id, round, operator, program_hash, status, objective FROM candidates ORDER BY id"


def drive(folder: Path, budget: int, memory_mb: int, address: str) -> None:
    """Run the search, or go on with it."""
    from lhs_hf.evaluation import Evaluator, Limits
    from lhs_hf.search import search
    from lhs_hf.search.settings import SearchSettings
    from lhs_hf.tasks import get_task

    from .speed import TASK

    class Marked(Evaluator):
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, limits=Limits(memory_mb=memory_mb), **options)

    search.Evaluator = Marked
    run = folder / "run"
    settings = SearchSettings.from_preset("latent", budget=budget, seed=0)
    resume = (run / "run.sqlite").exists()
    search.run_search(
        get_task(TASK), settings, output=run, resume=resume, workers=2, cluster=address or None, private_seed=17
    )


def results(folder: Path) -> dict[int, Any]:
    """Results in the database of a run; none if it is not there yet or in use."""
    return {row[0]: row[1:] for row in _rows(folder, _RESULTS)}


def ends(folder: Path) -> tuple[list[Any], int]:
    """All candidates of a run that has ended, and how many results there are beyond one a candidate."""
    rows = _rows(folder, _ENDS)
    return rows, len(rows) - len({row[0] for row in rows})


def _rows(folder: Path, query: str) -> list[Any]:
    path = folder / "run" / "run.sqlite"
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as connection:
            return connection.execute(query).fetchall()
    except sqlite3.Error:
        return []


if __name__ == "__main__":
    drive(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4] if len(sys.argv) > 4 else "")
