"""Guidance by execution: a program that is written statement by statement, each run before the next is begun."""

from __future__ import annotations

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
    """A point behind a statement that ran: how many actions, the logits there, how many statements failed there."""

    actions: int
    logits: Tensor
    failures: int = 0


class GuidedRow:
    """A program being sampled under the grammar and the verdicts of a stepping session."""

    def __init__(self, tokenizer: Any, signature: Signature, limit: int, session: StepSession) -> None:
        self.session = session
        self.draws = 0
        self.finished = False
        self.rejections = 0
        self._limit = limit
        self._state: ProgramState = tokenizer.program_state(signature, limit)
        self._scores: list[float] = []
        self._steps: list[int] = []
        self._marks: list[_Mark] = []
        self._boundary = 0

    def allowed(self) -> np.ndarray:
        """Mask of the next action."""
        return self._state.allowed()

    def take(self, token: int, score: float, step: int) -> None:
        """Append a token, read by the model in this step."""
        self._state.advance(token)
        self._scores.append(score)
        self._steps.append(step)
        self.draws += 1

    @property
    def at_boundary(self) -> bool:
        """Whether a statement, or the program, has just been completed."""
        boundaries = self._state.statement_boundaries
        return self._state.complete or boundaries[-1:] == [len(self._state.actions)]

    def source(self) -> str:
        """The program so far, for a stepping session."""
        return self._state.source() if self._state.complete else self._state.partial_source(frontier=True)

    def judge(self, ran: bool, room: int) -> list[int] | None:
        """Go on after a verdict. Returns the steps whose tokens are taken back, None if the statement stays.

        `room`: steps that are left. A program that could no longer be finished within them is not taken back.
        """
        mark = self._marks[-1]
        if not ran and mark.failures + 1 >= TRIES and len(self._marks) > 1:
            self._marks.pop()
            mark = self._marks[-1]
        if ran or room <= self._limit - mark.actions + 1:
            if self._state.complete:
                self._state.advance(self._state.vocabulary.eos)
                self.finished = True
            return None
        mark.failures += 1
        self.rejections += 1
        forgotten = self._steps[mark.actions : -1]
        self._state = self._state.copy(mark.actions)
        del self._scores[mark.actions :], self._steps[mark.actions :]
        return forgotten

    def mark(self, logits: Tensor) -> None:
        """Remember the logits behind a statement that stays."""
        self._marks.append(_Mark(len(self._state.actions), logits.clone()))

    def resume(self) -> Tensor:
        """The logits behind the last statement that stays."""
        return self._marks[-1].logits

    def result(self) -> GeneratedProgram:
        """What was written."""
        from .generation import GeneratedProgram

        state = self._state
        source = state.source() if state.complete else state.partial_source()
        score = sum(self._scores)
        return GeneratedProgram(source, list(state.actions), score, state.finished, self.draws, self.rejections)
