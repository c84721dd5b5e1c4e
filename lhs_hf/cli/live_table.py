"""What a person sees of a search while it runs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from ..search.database import Candidate
    from ..tasks.base import Task


class LiveTable:
    """The incumbent and the last candidates, redrawn as they come; plain lines where there is no terminal."""

    def __init__(self, task: Task, budget: int, quiet: bool, raced: bool = False, best: Path | None = None) -> None:
        from rich.console import Console
        from rich.live import Live

        self.task, self.unit = task, "instance runs" if raced else "calls"
        self.budget = budget * task.split("search").count if raced else budget
        self.candidates: dict[int, Candidate] = {}
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

    def remember(self, candidates: list[Candidate]) -> None:
        """Take over what a resumed run has found before."""
        self.candidates = {candidate.id: candidate for candidate in candidates if candidate.status != "pending"}

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
        previous = self._best()
        self.candidates[candidate.id] = candidate
        best = self._best()
        if self.active:
            self.live.update(self._table())
        elif self.lines and best is candidate and best is not previous:
            print(f"{self._spent()}: {self.task.name} objective {candidate.objective:.6g}", file=sys.stderr)

    def _spent(self) -> str:
        known = self.candidates.values()
        if self.unit == "calls":
            return f"call {sum(candidate.made for candidate in known)}/{self.budget}"
        return f"instance run {sum(candidate.runs for candidate in known)}/{self.budget}"

    def _best(self) -> Candidate | None:
        from ..search.result import best_candidate

        return best_candidate(list(self.candidates.values()))

    def _table(self) -> Any:
        from rich.table import Table

        made = [candidate for candidate in self.candidates.values() if candidate.made]
        valid = sum(candidate.ok for candidate in made)
        best = self._best()
        incumbent = f"{best.objective:.6g}" if best is not None and best.objective is not None else "—"
        table = Table(
            title=f"{self.task.name}  {self._spent()}  {len(made)} programs, {valid} valid  incumbent {incumbent}",
            title_justify="left",
        )
        for name in ("program", "round", "made by", "status", "objective", "predicted", "parent"):
            table.add_column(name, justify="right")
        for candidate in list(self.candidates.values())[-10:]:
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
