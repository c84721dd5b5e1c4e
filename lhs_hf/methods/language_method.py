"""Methods that have a language model write programs: each is one generator, this class makes ask and tell of it."""

from __future__ import annotations

import zlib
from abc import ABC, abstractmethod
from collections.abc import Generator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from .. import programs
from ..decoding.budget import BudgetExhausted
from ..errors import CallError
from ..language import Message, Metered
from ..search.edits import Proposal
from ..tasks.base import Task
from .method import Result

Steps = Generator[list[Proposal], list[Result], Any]
"""Yields programs to evaluate, receives what they are worth."""


@dataclass(frozen=True)
class Individual:
    """A program that was evaluated: its score (higher is better, None for a failure), its idea in words, if any."""

    source: str
    score: float | None
    idea: str = ""
    objectives: tuple[float, ...] = ()

    @property
    def hash(self) -> str:
        """Its identity (`program_hash`); empty for what is no program."""
        try:
            return programs.program_hash(self.source)
        except programs.ProgramError:
            return ""


@dataclass(frozen=True)
class Written:
    """What a reply holds: a program, and the words around it."""

    source: str
    idea: str = ""


class LanguageMethod(ABC):
    """A method whose programs come from a language model. A subclass writes `search`, the whole of it in one place.

    The reference program is evaluated first, at no call. The method is over when the calls of its model are spent.
    What a state leaves out is in the store of calls: a method that is restored asks for nothing again.

    Args:
        task: the task.
        model: what is asked, with its budget.
        settings: of the method, a dataclass; None for the usual ones.
        seed: where all choices come from.

    `best` is the best program so far, `reference` the task's.
    """

    name: ClassVar[str]
    settings_type: ClassVar[type]

    def __init__(self, task: Task, model: Metered, settings: Any = None, seed: int = 0) -> None:
        self.task, self.model, self.seed = task, model, seed
        self.settings = self.settings_type() if settings is None else settings
        self.random = np.random.default_rng([seed, zlib.crc32(self.name.encode())])
        self.history: list[list[dict[str, Any]]] = []
        self.best: Individual | None = None
        self.reference = Individual(task.template, None)
        self.over = False
        self._pending: list[Proposal] = []
        self._told: list[Result] | None = None
        self._steps = self._whole()

    @abstractmethod
    def search(self) -> Steps:
        """The method: ask the model, yield programs, receive results, for ever."""

    # -- ask and tell --------------------------------------------------------------------------------------------------

    def ask(self, count: int = 1) -> list[Proposal]:
        """The programs to evaluate next, as many as the method makes at once; none once the calls are spent.

        Raises `ModelError` where the model gives no reply.
        """
        if not self._pending and not self.over:
            try:
                self._pending = next(self._steps) if self._told is None else self._steps.send(self._told)
            except (StopIteration, BudgetExhausted):
                self.over = True
        return list(self._pending)

    def tell(self, results: Sequence[Result]) -> None:
        """What the programs are worth, in their order. Raises `CallError` for other programs."""
        if [result.proposal for result in results] != self._pending:
            raise CallError(f"expected results of the {len(self._pending)} programs asked for, in that order")
        self.history.append([{"score": each.score, "objectives": list(each.objectives)} for each in results])
        self._told, self._pending = list(results), []

    def state(self) -> dict[str, Any]:
        """Plain data for JSON: what was told."""
        return {**self._identity(), "history": self.history}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where `state` was taken, on an object that has not begun. Replies come from the store of calls."""
        for name, value in self._identity().items():
            if state[name] != value:
                raise CallError(f"this state belongs to another run: its {name} is {state[name]!r}, not {value!r}")
        for batch in state["history"]:
            proposals = self.ask()
            if len(proposals) != len(batch):
                raise CallError(
                    f"this state belongs to another run: {len(batch)} programs in place of {len(proposals)}"
                )
            self.tell(
                [Result(proposal, told["score"], tuple(told["objectives"])) for proposal, told in zip(proposals, batch)]
            )

    def _identity(self) -> dict[str, Any]:
        settings = {
            name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self.settings).items()
        }
        return {"method": self.name, "task": self.task.identity, "seed": self.seed, "settings": settings}

    # -- what methods are written with ---------------------------------------------------------------------------------

    def _whole(self) -> Steps:
        (self.reference,) = yield from self.evaluate([Written(self.task.template)], "reference")
        yield from self.search()

    def evaluate(
        self, written: Sequence[Written | None], operator: str, parents: Sequence[Individual] = ()
    ) -> Generator[list[Proposal], list[Result], list[Individual]]:
        """Have programs evaluated; those that are in the order given, a reply without a program (None) has no score."""
        proposals = [
            Proposal(each.source, operator, tuple(parent.hash for parent in parents), (), operator)
            for each in written
            if each is not None
        ]
        results = iter((yield proposals) if proposals else [])
        individuals = []
        for each in written:
            individual = Individual("", None)
            if each is not None:
                result = next(results)
                individual = Individual(each.source, result.score, each.idea, result.objectives)
            individuals.append(individual)
            if individual.score is not None and (self.best is None or individual.score > (self.best.score or 0)):
                self.best = individual
        return individuals

    def reply(self, text: str, role: str, system: str | None = None, temperature: float | None = None) -> str:
        """One call of the model. Raises `BudgetExhausted` once there are none left, which ends the method."""
        return self.model.ask(chat(text, system), role, temperature)

    def child(
        self,
        text: str,
        role: str,
        parents: Sequence[Individual] = (),
        system: str | None = None,
        temperature: float | None = None,
    ) -> Generator[list[Proposal], list[Result], Individual]:
        """One call for one program, evaluated; it has no score where the reply holds none."""
        reply = self.reply(text, role, system, temperature)
        (child,) = yield from self.evaluate([self.program(reply)], role, parents)
        return child

    def program(self, reply: str) -> Written | None:
        """The program of a reply and the idea before it; None for a reply without the task's function."""
        source = programs.extract(reply)
        try:
            programs.check_signature(programs.parse(source), self.task.function_name, len(self.task.arguments))
        except programs.ProgramError:
            return None
        return Written(source, idea_of(reply))


def chat(text: str, system: str | None = None) -> list[Message]:
    """A request of one user message."""
    messages: list[Message] = [{"role": "system", "content": system}] if system else []
    return [*messages, {"role": "user", "content": text}]


def idea_of(reply: str) -> str:
    """What a reply says in braces before its code; its first line without any."""
    words, _, _ = reply.partition("```")
    start, end = words.find("{"), words.rfind("}")
    text = words[start + 1 : end] if 0 <= start < end else next(iter(words.strip().splitlines()), "")
    return " ".join(text.split())[:600]


def block(source: str) -> str:
    """A program as a fenced block."""
    return f"```python\n{source.strip()}\n```"
