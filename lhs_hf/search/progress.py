"""How far a search is: what is spent of its budget, the best so far, what its round is doing, the time that is left."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from huggingface_hub.utils import is_tqdm_disabled, tqdm

from ..tasks.base import Task
from .candidates import kinds
from .database import Candidate
from .result import best_candidate
from .settings import SearchSettings

DECODING, RACING, EVALUATING, FINALS = "decoding", "racing", "evaluating", "finals"
_GROUP = "lhs_hf"
_REDRAW_S = 0.1


@dataclass(frozen=True)
class Progress:
    """Where a search is within a round: of `count` programs `done` are decoded, evaluated or past a stage of a race.

    `spent` is what the whole search has spent of its budget: decoder calls, or the instance runs of a race.
    """

    round: int
    doing: str
    done: int
    count: int
    spent: int

    def __str__(self) -> str:
        where = f"round {self.round}" if self.round else "starting programs"
        doing = FINALS if self.doing == FINALS else f"{where}: {self.doing}"
        return f"{doing} {self.done}/{self.count}"


ProgressListener = Callable[[Progress], None]


class Steps:
    """Tells its `listener`, if it has one, how far a round is. `spent` gives what is spent by now."""

    def __init__(self, spent: Callable[[], int]) -> None:
        self.listener: ProgressListener | None = None
        self._spent = spent
        self._round, self._doing, self._done, self._count = 0, "", 0, 0

    def begin(self, round: int, doing: str, count: int = 0) -> None:
        """A round begins to do something with so many programs."""
        self._round, self._doing = round, doing
        self.at(0, count)

    def at(self, done: int, count: int) -> None:
        """So many programs of those are done."""
        self._done, self._count = done, count
        if self.listener is not None and count:
            self.listener(Progress(self._round, self._doing, done, count, self._spent()))

    def one(self, *_: object) -> None:
        """One more is done."""
        self.at(self._done + 1, self._count)


class Tally:
    """Adds up what a search tells of itself, for whoever shows it.

    `total` and `spent` are in `unit`s: decoder calls, or the instance runs of a search that races its candidates.

    Args:
        known: what a resumed run has found before.
    """

    def __init__(self, task: Task, settings: SearchSettings, known: Sequence[Candidate] = ()) -> None:
        self._raced = settings.raced
        self.unit = "instance run" if self._raced else "call"
        self.total = settings.budget * (task.split("search").count if self._raced else 1)
        self.best = best_candidate(known)
        self.made = self.valid = self.spent = 0
        self.doing = ""
        self._limit = settings.time_limit
        self._told = False
        for kind, count in kinds(known):
            if kind.status != "pending":
                self._count(kind, count)
        self._before, self._since = self.spent, time.monotonic()

    def _count(self, candidate: Candidate, count: int = 1) -> None:
        self.made += count if candidate.made else 0
        self.valid += count if candidate.made and candidate.ok else 0
        if not self._told:
            self.spent += candidate.runs if self._raced else count * candidate.decoded

    def candidate(self, candidate: Candidate) -> bool:
        """Count a candidate that was evaluated; whether it is the best now."""
        before = self.best
        self.best = best_candidate([each for each in (before, candidate) if each is not None])
        self._count(candidate)
        return self.best is candidate and candidate is not before

    def progress(self, progress: Progress) -> None:
        """Take over what is spent, and what the round is doing."""
        if not self._told and self._before:
            self._before = progress.spent
        # From now on it says more than the candidates do: in a race the incumbent's runs are of none of them.
        self._told = True
        self.spent, self.doing = max(self.spent, progress.spent), str(progress)

    def stage(self, what: str) -> None:
        """The search is over, and `what` is measured."""
        self.doing = f"evaluating the splits: {what}"

    @property
    def incumbent(self) -> str:
        """The best objective so far; an em dash before there is one."""
        return "—" if self.best is None or self.best.objective is None else f"{self.best.objective:.6g}"

    def seconds_left(self) -> float | None:
        """Until the budget or the time is spent, at the pace until now; None before anything tells that."""
        passed, spent = time.monotonic() - self._since, self.spent - self._before
        ends = [passed * (self.total - self.spent) / spent] if spent > 0 else []
        if self._limit is not None:
            ends.append(self._limit - passed)
        return max(0.0, min(ends)) if ends else None


class SearchProgress:
    """One bar of huggingface_hub over the budget of a search. A context manager.

    `huggingface_hub.utils.disable_progress_bars()` switches it off, or with "lhs_hf" it alone; so does
    `transformers.utils.logging.disable_progress_bar()`.

    Args:
        known: what a resumed run has found before.
        show: None shows it on terminals and in notebooks only, as huggingface_hub does; True always.
    """

    def __init__(
        self, task: Task, settings: SearchSettings, known: Sequence[Candidate] = (), show: bool | None = None
    ) -> None:
        self.tally = Tally(task, settings, known)
        automatic = is_tqdm_disabled(logging.getLogger(_GROUP).getEffectiveLevel())
        self._bar: Any = tqdm(
            total=self.tally.total,
            initial=self.tally.spent,
            desc=task.name,
            unit="run" if settings.raced else "call",
            disable=automatic if show is None else not show,
            name=_GROUP,
            # The mean pace: rounds come in bursts.
            smoothing=0.0,
        )
        self._drawn = 0.0
        self._step = (0, "")
        self._draw()

    def __enter__(self) -> SearchProgress:
        return self

    def __exit__(self, *_: object) -> None:
        self._draw()
        self._bar.close()

    @property
    def shown(self) -> bool:
        """Whether there is a bar."""
        return not self._bar.disable

    def say(self, line: str) -> None:
        """Leave a line for good, if there is a bar."""
        if self.shown:
            self._draw()
            self._bar.close()
            self._bar.write(line, file=self._bar.fp)

    def candidate(self, candidate: Candidate) -> None:
        """Count a candidate that was evaluated."""
        self.tally.candidate(candidate)
        self._draw(_REDRAW_S)

    def progress(self, progress: Progress) -> None:
        """Say how far the round is."""
        self.tally.progress(progress)
        # What begins may take long before it tells anything again: it is drawn at once.
        begins, self._step = self._step != (progress.round, progress.doing), (progress.round, progress.doing)
        self._draw(0.0 if begins else _REDRAW_S)

    def stage(self, what: str) -> None:
        """Say what is measured after the last round."""
        self.tally.stage(what)
        self._draw()

    def _draw(self, after: float = 0.0) -> None:
        now = time.monotonic()
        if not self.shown or now - self._drawn < after:
            return
        self._drawn = now
        self._bar.n = min(self.tally.spent, self.tally.total)
        doing = f", {self.tally.doing}" if self.tally.doing else ""
        self._bar.set_postfix_str(f"best {self.tally.incumbent}{doing}")
