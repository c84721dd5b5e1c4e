"""Guidance by execution: a program that is written statement by statement, each run before the next is begun."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from torch import Tensor

from ..evaluation.stepping import StepSession
from .grammar import ProgramState, Signature

if TYPE_CHECKING:
    from .generation import GeneratedProgram

GUIDED_STEPS = 4
"""Tokens that may be sampled for a program, as a multiple of the longest program."""

TRIES = 6
"""Samples of one statement before the statement in front of it is taken back too."""


@dataclass
class _Mark:
    """A point behind a statement that ran: how many tokens, the logits there, how many statements failed there."""

    tokens: int
    logits: Tensor
    failures: int = 0


class GuidedRow(ABC):
    """A program being sampled under the verdicts of a stepping session.

    `verdict`: of the statement just completed, where it is known without running it; None where it has to be run.
    """

    verdict: bool | None = None

    def __init__(self, limit: int, session: StepSession) -> None:
        self.session = session
        self.draws = 0
        self.finished = False
        self.rejections = 0
        self._limit = limit
        self._scores: list[float] = []
        self._steps: list[int] = []
        self._marks: list[_Mark] = []

    @property
    @abstractmethod
    def at_boundary(self) -> bool:
        """Whether a statement, or the program, has just been completed."""

    @abstractmethod
    def allowed(self) -> np.ndarray | None:
        """Mask of the next token; None allows all."""

    @abstractmethod
    def source(self) -> str:
        """The program so far, for a stepping session."""

    @abstractmethod
    def result(self) -> GeneratedProgram:
        """What was written."""

    @abstractmethod
    def _append(self, token: int) -> None:
        """Add a token to what is written."""

    @abstractmethod
    def _crop(self, tokens: int) -> None:
        """Take back what is written down to its first `tokens` tokens."""

    @abstractmethod
    def _stay(self) -> None:
        """The statement just completed stays: the program is finished if nothing can follow it."""

    def take(self, token: int, score: float, step: int) -> None:
        """Append a token, read by the model in this step."""
        self._scores.append(score)
        self._steps.append(step)
        self.draws += 1
        self._append(token)

    def judge(self, ran: bool, room: int) -> list[int] | None:
        """Go on after a verdict. Returns the steps whose tokens are taken back, None if the statement stays.

        `room`: steps that are left. A program that could no longer be finished within them is not taken back.
        """
        mark = self._marks[-1]
        if not ran and mark.failures + 1 >= TRIES and len(self._marks) > 1:
            self._marks.pop()
            mark = self._marks[-1]
        if ran or room <= self._limit - mark.tokens + 1:
            self._stay()
            return None
        mark.failures += 1
        self.rejections += 1
        forgotten = self._steps[mark.tokens : -1]
        self._crop(mark.tokens)
        del self._scores[mark.tokens :], self._steps[mark.tokens :]
        return forgotten

    def mark(self, logits: Tensor) -> None:
        """Remember the logits behind a statement that stays."""
        self._marks.append(_Mark(len(self._steps), logits.clone()))

    def resume(self) -> Tensor:
        """The logits behind the last statement that stays."""
        return self._marks[-1].logits


class GuidedGrammarRow(GuidedRow):
    """A program written under the grammar."""

    def __init__(self, tokenizer: Any, signature: Signature, limit: int, session: StepSession) -> None:
        super().__init__(limit, session)
        self._state: ProgramState = tokenizer.program_state(signature, limit)

    @property
    def at_boundary(self) -> bool:
        """Whether a statement, or the program, has just been completed."""
        boundaries = self._state.statement_boundaries
        return self._state.complete or boundaries[-1:] == [len(self._state.actions)]

    def allowed(self) -> np.ndarray:
        """Mask of the next action."""
        return self._state.allowed()

    def source(self) -> str:
        """The program so far, for a stepping session."""
        return self._state.source() if self._state.complete else self._state.partial_source(frontier=True)

    def _append(self, token: int) -> None:
        self._state.advance(token)

    def _crop(self, tokens: int) -> None:
        self._state = self._state.copy(tokens)

    def _stay(self) -> None:
        if self._state.complete:
            self._state.advance(self._state.vocabulary.eos)
            self.finished = True

    def result(self) -> GeneratedProgram:
        """What was written."""
        from .generation import GeneratedProgram

        state = self._state
        source = state.source() if state.complete else state.partial_source()
        score = sum(self._scores)
        return GeneratedProgram(source, list(state.actions), score, state.finished, self.draws, self.rejections)
