"""What a person sees of a search while it runs."""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..search.database import Candidate
    from ..tasks.base import Task


_SHOWN = 10


class LiveTable:
    """The incumbent and the last candidates, redrawn as they come; plain lines where there is no terminal."""

    def __init__(self, task: Task, budget: int, quiet: bool, raced: bool = False, best: Path | None = None) -> None:
        from rich.console import Console
        from rich.live import Live

        self.task, self.unit = task, "instance runs" if raced else "calls"
        self.budget = budget * task.split("search").count if raced else budget
        self.last: deque[Candidate] = deque(maxlen=_SHOWN)
        self.made = self.valid = self.spent = 0
        self.top: Candidate | None = None
        self.best = best
        self.console = Console(stderr=True)
        self.live = Live(console=self.console, refresh_per_second=4, transient=True)
        self.active = not quiet and self.console.is_terminal
        self.lines = not quiet and not self.console.is_terminal

    def __enter__(self) -> LiveTable:
        if self.active:
            self.live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.active:
            self.live.stop()

    def remember(self, candidates: Sequence[Candidate]) -> None:
        """Take over what a resumed run has found before."""
        from ..search.candidates import kinds
        from ..search.result import best_candidate

        for kind, count in kinds(candidates):
            if kind.status != "pending":
                self._count(kind, count)
        self.last.extend(each for each in candidates[-_SHOWN:] if each.status != "pending")
        self.top = best_candidate(candidates)

    def _count(self, candidate: Candidate, count: int = 1) -> None:
        self.made += count if candidate.made else 0
        self.valid += count if candidate.made and candidate.ok else 0
        self.spent += candidate.runs if self.unit != "calls" else count if candidate.made else 0

    def stage(self, what: str) -> None:
        """Say what is measured once the last program is decoded."""
        if self.active:
            self.live.update(f"measuring: {what}")
        elif self.lines:
            print(f"measuring: {what}", file=sys.stderr)

    def split(self, split: str, objectives: dict[str, float | None]) -> None:
        """Say what came of a split: these lines stay. The first also says where the program lies."""
        if not self.active and not self.lines:
            return
        if self.best is not None:
            self._say(f"the search is over, its program is in {self.best}; now it is compared on every split")
            self.best = None
        names = {"found": "found", "reference": "reference", "corpus": "best in corpus"}
        values = (
            f"{names[name]} {'fails' if value is None else format(value, '.6g')}" for name, value in objectives.items()
        )
        self._say(f"on {split}: {', '.join(values)}")

    def _say(self, line: str) -> None:
        if self.active:
            self.console.print(line, highlight=False, markup=False, soft_wrap=True)
        else:
            print(line, file=sys.stderr)

    def __call__(self, candidate: Candidate) -> None:
        from ..search.result import best_candidate

        previous = self.top
        self.top = best_candidate([each for each in (previous, candidate) if each is not None])
        self._count(candidate)
        self.last.append(candidate)
        if self.active:
            self.live.update(self._table())
        elif self.lines and self.top is candidate and candidate is not previous:
            print(f"{self._spent()}: {self.task.name} objective {candidate.objective:.6g}", file=sys.stderr)

    def _spent(self) -> str:
        return f"{self.unit.removesuffix('s')} {self.spent}/{self.budget}"

    def _table(self) -> Any:
        from rich.table import Table

        best = self.top
        incumbent = f"{best.objective:.6g}" if best is not None and best.objective is not None else "—"
        table = Table(
            title=f"{self.task.name}  {self._spent()}  {self.made} programs, {self.valid} valid  incumbent {incumbent}",
            title_justify="left",
        )
        for name in ("program", "round", "made by", "status", "objective", "predicted", "parent"):
            table.add_column(name, justify="right")
        for candidate in self.last:
            table.add_row(
                str(candidate.id),
                str(candidate.round),
                candidate.operator or candidate.role,
                candidate.outcome or candidate.status,
                "—" if candidate.objective is None else f"{candidate.objective:.6g}",
                "—" if candidate.predicted_after is None else f"{candidate.predicted_after:+.3f}",
                "—" if candidate.parent is None else str(candidate.parent),
                style="bold green" if candidate is best else None,
            )
        return table
