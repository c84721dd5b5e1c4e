"""One search of one visitor: what it has come to so far."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import numpy as np

from ..search.database import Candidate
from ..tasks.base import Task

WAITING, RUNNING, FINISHED, FAILED = "waiting", "running", "finished", "failed"
EXAMPLE = "example"
"""The state of a search that was finished elsewhere and ships with the page."""
PORTFOLIO, LATENT = "portfolio", "latent"


@dataclass(frozen=True, eq=False)
class Located:
    """Where a program lies: `point` float32 (d,) of the searched space, and the surrogate's score there."""

    point: np.ndarray
    predicted: float


@dataclass(eq=False)
class Run:
    """One search of one visitor; `version` grows with everything that happens to it.

    `located` holds what the encoder and the surrogate say of the candidates' programs, by candidate. After the last
    round `measured` maps splits to objectives by the name of a program ("found", "reference", "corpus"), as they become
    known, and `measuring` says which program meets which split ("" before). `chosen` is the candidate that its visitor
    has opened.
    """

    id: str
    task: Task
    settings: dict[str, Any]
    folder: Path
    visitor: str | None = None
    state: str = WAITING
    candidates: dict[int, Candidate] = field(default_factory=dict)
    steps: list[tuple[Candidate, ...]] = field(default_factory=list)
    located: dict[int, Located] = field(default_factory=dict)
    measured: dict[str, dict[str, float | None]] = field(default_factory=dict)
    measuring: str = ""
    chosen: int | None = None
    result: dict[str, Any] | None = None
    message: str = ""
    stop: threading.Event = field(default_factory=threading.Event)
    started: float | None = None
    ended: float | None = None
    seen: float = field(default_factory=time.monotonic)
    version: int = 0
    packing: threading.Lock = field(default_factory=threading.Lock)

    @property
    def budget(self) -> int:
        """Programs that the search may cost: decoder calls, or what the instance runs of a portfolio add up to."""
        return int(self.settings["budget"])

    @property
    def raced(self) -> bool:
        """Whether its programs race on training instances."""
        return self.settings.get("proposals") == PORTFOLIO

    @property
    def total(self) -> int:
        """The budget in what it is counted in: decoder calls, or instance runs of a portfolio."""
        return self.budget * self.task.split("search").count if self.raced else self.budget

    @property
    def spent(self) -> int:
        """How much of `total` is gone."""
        return sum(each.runs for each in self.ordered()) if self.raced else len(self.made())

    @property
    def over(self) -> bool:
        """Whether nothing more will happen."""
        return self.state in (FINISHED, FAILED, EXAMPLE)

    @property
    def link(self) -> str:
        """What follows the `?` of an address that shows it, and that makes it again once it is not kept any more."""
        return urlencode({"task": self.task.name, **self.settings, "run": self.id})

    def made(self) -> list[Candidate]:
        """Candidates that the search made and that have their result, in the order they were made."""
        return [candidate for candidate in self.ordered() if candidate.made]

    def ordered(self) -> list[Candidate]:
        """All candidates with a result, in the order they were made."""
        return [self.candidates[number] for number in sorted(self.candidates.copy())]

    def elapsed(self) -> float:
        """Seconds since it left the queue."""
        return 0.0 if self.started is None else (self.ended or time.monotonic()) - self.started

    def end(self, state: str, message: str = "") -> None:
        """Nothing more happens to it."""
        self.ended, self.message = time.monotonic(), message
        self.state = state
        self.changed()

    def measures(self, what: str) -> None:
        """A program meets a split; `what` says which and where."""
        self.measuring = what
        self.changed()

    def split_measured(self, split: str, objectives: dict[str, float | None]) -> None:
        """All programs have met a split."""
        self.measured[split] = objectives
        self.changed()

    def changed(self) -> None:
        """Tell whoever watches that there is something new."""
        self.version += 1
