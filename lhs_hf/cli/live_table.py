"""What a person sees of a search while it runs."""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ..search.database import Candidate
    from ..search.progress import Progress
    from ..search.settings import SearchSettings
    from ..tasks.base import Task


_SHOWN = 10


class LiveTable:
    """The incumbent and the last candidates, redrawn as they come; plain lines where there is no terminal.

    Args:
        known: what a resumed run has found before.
        best: where the program will lie.
    """

    def __init__(
        self,
        task: Task,
        settings: SearchSettings,
        known: Sequence[Candidate] = (),
        quiet: bool = False,
        best: Path | None = None,
    ) -> None:
        from rich.console import Console
        from rich.live import Live

        from ..search.progress import Tally

        self.task, self.tally = task, Tally(task, settings, known)
        self.last = deque((each for each in known[-_SHOWN:] if each.status != "pending"), _SHOWN)
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

    def stage(self, what: str) -> None:
        """Say what is measured once the last program is decoded."""
        self.tally.stage(what)
        if self.active:
            self.live.update(self.tally.doing)
        elif self.lines:
            print(self.tally.doing, file=sys.stderr)

    def progress(self, progress: Progress) -> None:
        """Say how far a round is; only on a terminal, there it is redrawn."""
        self.tally.progress(progress)
        if self.active:
            self.live.update(self._table())

    def split(self, split: str, objectives: dict[str, float | None]) -> None:
        """Say what came of a split: these lines stay. The first also says where the program lies."""
        if not self.active and not self.lines:
            return
        from ..search.comparison import FIRST_SPLITS

        if self.best is not None:
            self._say(f"the search is over, its program is in {self.best}; now it is compared on every split")
            if set(self.task.splits) - set(FIRST_SPLITS):
                self._say("that may take longer than the search; Ctrl-C on a test split ends it with what it has")
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
        leads = self.tally.candidate(candidate)
        self.last.append(candidate)
        if self.active:
            self.live.update(self._table())
        elif self.lines and leads:
            print(f"{self._spent()}: {self.task.name} objective {candidate.objective:.6g}", file=sys.stderr)

    def _spent(self) -> str:
        return f"{self.tally.unit} {self.tally.spent}/{self.tally.total}"

    def _table(self) -> Any:
        from rich.table import Table

        tally = self.tally
        left = tally.seconds_left()
        parts = [
            f"{self.task.name}  {self._spent()}",
            f"{tally.made} programs, {tally.valid} valid",
            f"best {tally.incumbent}",
            *([tally.doing] if tally.doing else []),
            *([f"{_clock(left)} left"] if left is not None else []),
        ]
        table = Table(title="  ".join(parts), title_justify="left")
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
                style="bold green" if candidate is tally.best else None,
            )
        return table


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
