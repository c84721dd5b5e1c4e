"""What takes part in a comparison: something that chooses a program for a task within limits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ..evaluation import Evaluator
from ..language import LanguageModel
from ..tasks.base import Task
from .cell import Cell


@dataclass(frozen=True)
class Limits:
    """What a method may spend.

    `unit` is what is equal. `evaluations`: each method gets the instance runs of `amount` programs on `search`, and
    language models as many calls as `calls` says. `calls`: `amount` requests to a language model or programs of a
    decoder; a method without either gets as many evaluations. `seconds`: each method ends after `amount` seconds.
    `temperature` and `max_tokens` are those of language models.
    """

    unit: str
    amount: int
    calls: int
    temperature: float = 0.7
    max_tokens: int = 2048

    @property
    def programs(self) -> int:
        """Programs on `search` that the instance runs of a method without a language model add up to."""
        return self.amount if self.unit != "seconds" else _ENDLESS

    @property
    def requests(self) -> int:
        """Calls of a language model."""
        return self.calls if self.unit == "evaluations" else self.amount if self.unit == "calls" else _ENDLESS

    @property
    def told(self) -> int | None:
        """Programs on `search` that a method with a language model may have evaluated; None for any number."""
        return self.amount if self.unit == "evaluations" else None


_ENDLESS = 10_000


class Clock:
    """Seconds of a cell, those of its interrupted beginnings among them.

    `store` is called with all of them now and then.
    """

    EVERY_S = 2.0

    def __init__(self, before: float = 0.0, store: Callable[[float], None] = lambda seconds: None) -> None:
        self._before, self._store = before, store
        self._started = self._written = time.monotonic()

    @property
    def seconds(self) -> float:
        """All of them."""
        return self._before + time.monotonic() - self._started

    def tick(self) -> None:
        """Store the time now and then, so that a cell that is killed keeps it."""
        if time.monotonic() - self._written > self.EVERY_S:
            self._written = time.monotonic()
            self._store(self.seconds)


@dataclass(frozen=True)
class Work:
    """What a contender is given: the cell, its task, limits, and a folder for what an interrupted cell goes on with.

    `init` is "corpus" or "reference". `latent_model` names the composite model of latent searches, `language_model`
    gives the language model, or raises `CallError` where none was named.
    """

    cell: Cell
    task: Task
    evaluator: Evaluator
    folder: Path
    limits: Limits
    init: str
    latent_model: str = "lhs-tiny"
    language_model: Callable[[], LanguageModel] | None = None
    clock: Clock = field(default_factory=Clock)

    @property
    def cost(self) -> int:
        """Instance runs of one program on `search`."""
        return self.task.split("search").count

    def seconds_left(self) -> float:
        """Until the limit, if seconds are what is equal."""
        return self.limits.amount - self.clock.seconds if self.limits.unit == "seconds" else math.inf

    def over(self) -> bool:
        """Whether no seconds are left."""
        return self.seconds_left() <= 0


@dataclass(frozen=True)
class Chosen:
    """The program that a contender chose, what that cost, and its incumbents: (instance runs, calls, program).

    `programs`, `valid` and `valid_calls` are those of `Spent`.
    """

    program: str
    instance_runs: int
    calls: int = 0
    tokens: int = 0
    incumbents: tuple[tuple[int, int, str], ...] = ()
    transcript: str = ""
    programs: int = 0
    valid: int = 0
    valid_calls: int = 0


@dataclass(frozen=True)
class Contender:
    """A method of a comparison: its name, how it chooses, and one sentence for those who do not know it.

    `seeded`: two seeds may differ; one that is not runs once a task. `asks`: it needs a language model. `begins`: it
    starts from programs that a comparison chooses; others have their own. `digest`: of the file that it comes from.
    """

    name: str
    run: Callable[[Work], Chosen]
    about: str
    seeded: bool = True
    asks: bool = False
    begins: bool = True
    digest: str = ""
