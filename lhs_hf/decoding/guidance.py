"""Guidance by execution: a program that is written statement by statement, each run before the next is begun."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from torch import Tensor

from ..evaluation.stepping import Stepper, StepResult, StepSession
from .grammar import ProgramState, Signature
from .program import GeneratedProgram
from .rows import Row
from .token_source import TokenSource

GUIDED_STEPS = 4
"""Tokens that may be sampled for a program, as a multiple of the longest program."""

TRIES = 4
"""Failures of a program after which statements in front of the failing one are taken back too."""

PATIENCE = 16
"""Failures after which a program is begun again: most prefixes that need more are hopeless."""

PLAUSIBLE = -0.5
"""Mean log-probability of a token below which a program is begun again, up to `IMPLAUSIBLE` times.

Of the programs that `lhs-tiny` decodes and that run, 1 % lie there.
"""

IMPLAUSIBLE = 8
"""Beginnings that may be dropped for being improbable: a decoder that is unsure of everything is taken as it is."""

_FIRST_TOKENS = 24
"""Tokens that are written before their mean says something."""


@dataclass
class _Mark:
    """A point behind a statement that ran: how many tokens and lines, and the logits there."""

    tokens: int
    logits: Tensor
    lines: int = 0


class GuidedRow(Row):
    """A program being sampled under the verdicts of a stepping session.

    `verdict`: of the statement just completed, where it is known without running it; None where it has to be run.
    `drifts`: whether what is written, perhaps in the middle of a statement, is not worth going on with. `answers`:
    whether it is written to its end, and ran.
    """

    verdict: bool | None = None
    drifts: bool = False

    def __init__(self, limit: int, session: StepSession) -> None:
        super().__init__()
        self.session = session
        self.answers = False
        self.rejections = 0
        self._limit = limit
        self._scores: list[float] = []
        self._steps: list[int] = []
        self._marks: list[_Mark] = []
        self._tokens: list[int] = []
        self._lines = 0
        self._failures = 0
        self._drifted = 0
        # The tokens of a program that was written to its end with every statement run, and failed as a whole.
        self._whole_program: tuple[list[int], list[float]] | None = None

    @property
    @abstractmethod
    def at_boundary(self) -> bool:
        """Whether a statement, or the program, has just been completed."""

    @property
    @abstractmethod
    def whole(self) -> bool:
        """Whether the program is written to its end."""

    @abstractmethod
    def source(self) -> str:
        """The program so far, for a stepping session."""

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
        self._tokens.append(token)
        self._append(token)

    def judge(self, verdict: StepResult, room: int) -> list[int] | None:
        """Go on after a verdict. Returns the steps whose tokens are taken back, None if the statement stays.

        A program goes back to the statement that failed: the one just written, or the line at which the whole program
        failed. Each `TRIES` failures it goes back further, by 1, 3, 7 statements; after `PATIENCE` failures it is begun
        again, as is one that drifts.

        `room`: steps that are left. A program that could no longer be finished within them is not taken back.
        """
        back, drifts = 0, self.drifts
        if drifts:
            self._drifted += 1
        elif not verdict.ok:
            self._failures += 1
            if verdict.late:
                self._whole_program = list(self._tokens), list(self._scores)
            if self._failures < PATIENCE:
                failed = self._line_that_failed(verdict) if verdict.late else len(self._marks) - 1
                back = max(0, failed + 1 - 2 ** (self._failures // TRIES))
        elif self.whole:
            self._whole_program = None
            self.answers = True
        mark = self._marks[back]
        if (verdict.ok and not drifts) or room <= self._limit - mark.tokens + 1:
            self._stay()
            return None
        if back == 0:
            self._failures = 0
        del self._marks[back + 1 :]
        self.rejections += 1
        forgotten = self._steps[mark.tokens : -1]
        self._crop(mark.tokens)
        del self._tokens[mark.tokens :], self._scores[mark.tokens :], self._steps[mark.tokens :]
        return forgotten

    def _line_that_failed(self, verdict: StepResult) -> int:
        """The mark in front of the statement that a whole program failed in: the last one if that is not known."""
        line = verdict.line or self._lines + 1
        return max(at for at, mark in enumerate(self._marks) if at == 0 or mark.lines < line)

    def mark(self, logits: Tensor) -> None:
        """Remember the logits behind a statement that stays."""
        self._marks.append(_Mark(len(self._steps), logits.clone(), self._lines))

    def resume(self) -> Tensor:
        """The logits behind the last statement that stays."""
        return self._marks[-1].logits


class GuidedGrammarRow(GuidedRow):
    """A program written under the grammar."""

    def __init__(self, tokenizer: Any, signature: Signature, limit: int, session: StepSession) -> None:
        super().__init__(limit, session)
        self._signature = signature
        self._state: ProgramState = tokenizer.program_state(signature, limit)

    @property
    def drifts(self) -> bool:  # type: ignore[override]
        """Whether the program is so improbable that it is begun again."""
        few = len(self._scores) < _FIRST_TOKENS or self._drifted >= IMPLAUSIBLE
        return not few and sum(self._scores) < PLAUSIBLE * len(self._scores)

    @property
    def at_boundary(self) -> bool:
        """Whether a statement, or the program, has just been completed."""
        boundaries = self._state.statement_boundaries
        return self._state.complete or boundaries[-1:] == [len(self._state.actions)]

    @property
    def whole(self) -> bool:
        """Whether the program is written to its end."""
        return self._state.complete

    def allowed(self) -> np.ndarray:
        """Mask of the next action."""
        return self._state.allowed()

    def source(self) -> str:
        """The program so far, for a stepping session."""
        if self._state.complete:
            return self._signature.written(self._state.source())
        text = self._state.partial_source(frontier=True)
        self._lines = text.count("\n") - 1
        return self._signature.written(text)

    def _append(self, token: int) -> None:
        self._state.advance(token)

    def _crop(self, tokens: int) -> None:
        self._state = self._state.copy(tokens)

    def _stay(self) -> None:
        if self._state.complete:
            self._state.advance(self._state.vocabulary.eos)
            self.finished = True

    def result(self) -> GeneratedProgram:
        """What was written. A program whose statements all ran is preferred to one that went on unguided."""
        state, scores = self._state, self._scores
        if self._whole_program is not None:
            tokens, scores = self._whole_program
            state = state.copy(0)
            for token in [*tokens, state.vocabulary.eos]:
                state.advance(token)
        source = state.source() if state.complete else state.partial_source()
        text = self._signature.written(source)
        return GeneratedProgram(text, list(state.actions), sum(scores), state.finished, self.draws, self.rejections)


class Guidance:
    """The verdicts on all rows of a batch: each complete statement is run on probe states, all rows' in one exchange.

    Args:
        guide: stepping sessions of the task, one of which each row has.
        rows: all rows of the batch.
        logits: (B, V), behind their prompts.
    """

    def __init__(self, guide: Stepper, rows: Sequence[GuidedRow], logits: Tensor) -> None:
        self._guide = guide
        self._rows = rows
        # For each row that was judged in this step: the steps whose tokens are taken back, None if its statement stays.
        self._back: dict[int, list[int] | None] = {}
        for row, behind in zip(rows, logits):
            row.mark(behind)

    def judge(self, active: Sequence[int], room: int) -> None:
        """Run what the rows numbered `active` have just completed. `room`: steps that are left."""
        rows = {number: self._rows[number] for number in active}
        waiting = [number for number, row in rows.items() if row.at_boundary or row.drifts]
        unknown = [number for number in waiting if rows[number].verdict is None and not rows[number].drifts]
        programs = [(rows[number].session, rows[number].source()) for number in unknown]
        verdicts = {number: StepResult("ok" if rows[number].verdict else "syntax") for number in waiting}
        whole = {rows[number].session for number in unknown if rows[number].whole}
        verdicts.update(zip(unknown, self._guide.check(programs, whole)))
        self._back = {number: rows[number].judge(verdict, room) for number, verdict in verdicts.items()}
        for row in rows.values():
            if row.finished:
                self._guide.close(row.session)

    def go_on(self, active: Sequence[int], source: TokenSource, step: int) -> None:
        """Take back what failed, after the tokens of a step are read: the row gets its logits of an earlier point."""
        logits = source.logits
        for place, number in enumerate(active):
            if number not in self._back:
                continue
            row, forgotten = self._rows[number], self._back[number]
            if forgotten is None:
                row.mark(logits[place])
            else:
                # The token just read belongs to what was taken back; the row goes on from the last good statement.
                source.forget(place, [*forgotten, step])
                logits[place] = row.resume()

    def close(self) -> None:
        """End the sessions of rows that were not finished."""
        for row in self._rows:
            if not row.finished:
                self._guide.close(row.session)
