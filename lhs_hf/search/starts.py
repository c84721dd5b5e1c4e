"""The programs that a search starts from, and the one of the corpus that it is compared with."""

from __future__ import annotations

from typing import Any

from ..corpus.dataset import load_corpus
from ..errors import CallError
from ..tasks.base import Task
from .settings import SearchSettings


def starting_programs(task: Task, settings: SearchSettings) -> list[tuple[str, str]]:
    """(role, source) of the programs a search starts from: the reference, and with `init="corpus"` the best rows.

    The best training programs of the corpus are taken, one for each objective; its test families stay unseen.
    """
    starts = [("reference", task.template)]
    if settings.init == "corpus":
        try:
            rows = [row for row in load_corpus(task.name) if row.split != "test"]
        except FileNotFoundError as problem:
            raise CallError(f"{problem}; or use --init reference") from None
        rows.sort(key=lambda row: (-row.score, row.hash))
        seen: set[float] = set()
        for row in rows:
            if row.objective not in seen and len(seen) < settings.pool:
                seen.add(row.objective)
                starts.append(("corpus", row.program))
    return starts


def best_corpus_row(task: Task) -> Any:
    """The corpus row with the best score on `search`, all splits of families together; None without a corpus."""
    try:
        rows = load_corpus(task.name)
    except FileNotFoundError:
        return None
    return max(rows, key=lambda row: (row.score, row.hash), default=None)
