"""The progress of a search as transformers shows its own: one bar on standard error, with the incumbent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from transformers.utils import logging

from ..search.candidates import kinds
from ..search.database import Candidate
from ..search.result import best_candidate
from ..tasks.base import Task


class SearchProgress:
    """A bar over the decoder calls of a search. A context manager.

    `transformers.utils.logging.disable_progress_bar()` switches it off, as it does the others.

    Args:
        budget: calls in all, or with `raced` the programs whose runs on `search` the instance runs may add up to.
        known: what a resumed run has found before.
    """

    def __init__(self, task: Task, budget: int, known: Sequence[Candidate] = (), raced: bool = False) -> None:
        self._best = best_candidate(known)
        self._raced = raced
        total = budget * task.split("search").count if raced else budget
        spent = sum(kind.runs if raced else count * kind.decoded for kind, count in kinds(known))
        self._bar: Any = logging.tqdm(total=total, initial=spent, desc=task.name, unit="run" if raced else "call")
        self._tell()

    def __enter__(self) -> SearchProgress:
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.close()

    def candidate(self, candidate: Candidate) -> None:
        """Count a candidate that was evaluated."""
        self._best = best_candidate([each for each in (self._best, candidate) if each is not None])
        self._tell()
        self._bar.update(self._cost(candidate))

    def _cost(self, candidate: Candidate) -> int:
        return candidate.runs if self._raced else int(candidate.decoded)

    def stage(self, what: str) -> None:
        """Say what is measured after the last round."""
        self._tell(f", measuring {what}")
        self._bar.refresh()

    def _tell(self, more: str = "") -> None:
        if self._best is not None and self._best.objective is not None:
            self._bar.set_postfix_str(f"incumbent {self._best.objective:.6g}{more}", refresh=False)
