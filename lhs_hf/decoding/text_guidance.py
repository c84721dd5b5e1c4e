"""Guidance by execution for models that write text: the code block of a reply, run line by line as it is written."""

from __future__ import annotations

from typing import Any

from torch import Tensor

from ..evaluation.stepping import StepSession
from ..programs import ProgramError
from .code_block import FENCE, code_start
from .guidance import GuidedRow
from .partial_text import partial_program, whole_program
from .program import GeneratedProgram

__all__ = ["GuidedTextRow", "code_start"]


class GuidedTextRow(GuidedRow):
    """A reply whose first Python code block is run whenever a line has completed a statement of it.

    A line that fails, or that no continuation makes a program, is taken back. The reply ends when the block is closed,
    or at an end token. What stands before the block is never taken back, and a reply without one is left as it comes.

    Args:
        tokenizer: its `decode` turns ids into text.
        ends: ids of the end tokens.
        limit: tokens of the longest reply, those taken back not counted.
        session: of the program's task.
    """

    def __init__(self, tokenizer: Any, ends: frozenset[int], limit: int, session: StepSession) -> None:
        super().__init__(limit, session)
        self._tokenizer = tokenizer
        self._ends = ends
        self._ids: list[int] = []
        self._text = ""
        self._start: int | None = None
        self._read = 0  # characters of the code in lines that stay
        self._seen = 0  # and in lines that have been looked at: they may be part of a statement that goes on
        self._boundary = self._opening = self._last = self._ended = False
        self._source = ""

    @property
    def at_boundary(self) -> bool:
        """Whether a line has just completed a statement, or the program, or the code block has been opened."""
        return self._boundary

    @property
    def whole(self) -> bool:
        """Whether the program is written to its end."""
        return self._last

    def allowed(self) -> None:
        """Text has no mask."""

    def source(self) -> str:
        """The program so far, for a stepping session."""
        return self._source

    def _append(self, token: int) -> None:
        self._ids.append(token)
        self._text = self._tokenizer.decode(self._ids, skip_special_tokens=True)
        self._boundary = self._opening = False
        self._last = token in self._ends
        self.verdict = None
        if self._start is None:
            self._open()
        else:
            self._look(self._start)
        if not self._boundary:
            self._leave()

    def _open(self) -> None:
        start = code_start(self._text)
        if start is not None and not self._last:
            self._start = start
            self._boundary = self._opening = self.verdict = True

    def _look(self, start: int) -> None:
        """Find out whether the last token completed something in the code that begins at `start`."""
        code, fence, _ = self._text[start:].partition(FENCE)
        self._last = self._last or bool(fence)
        lines = code[: code.rfind("\n") + 1]
        news = len(lines) > self._seen and any(map(_says_something, lines[self._read :].splitlines()))
        if not self._last and not news:
            return
        self._seen = len(lines)
        try:
            source = whole_program(code) if self._last else partial_program(lines)
            if source is None:
                return
            self._source = source
            self._lines = self._source.count("\n") - 1
        except ProgramError:
            self.verdict = False
        self._boundary = True

    def _crop(self, tokens: int) -> None:
        del self._ids[tokens:]
        self._text = self._tokenizer.decode(self._ids, skip_special_tokens=True)
        self._read = self._seen = self._code_length()

    def _code_length(self) -> int:
        """How many characters of the code are whole lines."""
        return self._text[self._start :].rfind("\n") + 1 if self._start is not None else 0

    def _stay(self) -> None:
        self._read = self._seen = self._code_length()
        self._leave()

    def _leave(self) -> None:
        self._ended = self._last
        self.finished = self._ended or len(self._ids) >= self._limit

    def mark(self, logits: Tensor) -> None:
        """Remember the logits behind a line that stays. What stands before the code block can not be taken back."""
        if self._opening:
            self._marks.clear()
        super().mark(logits)

    def result(self) -> GeneratedProgram:
        """The code of the block; the whole reply if none was opened.

        A program whose lines all ran is preferred to one that went on unguided.
        """
        ids, scores, ended = self._ids, self._scores, self._ended
        if self._whole_program is not None:
            (ids, scores), ended = self._whole_program, True
        text = self._tokenizer.decode(ids, skip_special_tokens=True)
        code = text if self._start is None else text[self._start :].partition(FENCE)[0]
        return GeneratedProgram(code, list(ids), sum(scores), ended, self.draws, self.rejections)


def _says_something(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")
