"""Rows of a batch that is decoded: programs being sampled token by token, under the grammar or as plain text."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from .code_block import FENCE, code_ends
from .grammar import ProgramState, Signature
from .program import GeneratedProgram
from .tokenization_lhs import ProgramTokenizer


class Row(ABC):
    """A program being sampled.

    `draws` counts the tokens that were sampled for it; `finished` says that nothing more will be.
    """

    def __init__(self) -> None:
        self.draws = 0
        self.finished = False

    @abstractmethod
    def allowed(self) -> np.ndarray | None:
        """Mask of the next token, bool (vocabulary,); None allows all. The same of the two for all rows of a batch."""

    @abstractmethod
    def take(self, token: int, score: float, step: int) -> None:
        """Append a token of log-probability `score`, which the model reads in this step."""

    @abstractmethod
    def result(self) -> GeneratedProgram:
        """What was written."""


class GrammarRow(Row):
    """A program written under the grammar."""

    def __init__(self, tokenizer: Any, signature: Signature, limit: int) -> None:
        super().__init__()
        self._signature = signature
        self._state: ProgramState = tokenizer.program_state(signature, limit)
        self._score = 0.0

    def allowed(self) -> np.ndarray:
        """Mask of the next action."""
        return self._state.allowed()

    def take(self, token: int, score: float, step: int) -> None:
        """Append an action. The end token is certain once the program is complete, and not sampled."""
        self.draws += 1
        self._score += score
        self._state.advance(token)
        if self._state.complete:
            self._state.advance(self._state.vocabulary.eos)
        self.finished = self._state.finished

    def result(self) -> GeneratedProgram:
        """What was written."""
        state = self._state
        source = state.source() if state.complete else state.partial_source()
        return GeneratedProgram(self._signature.written(source), list(state.actions), self._score, state.finished)


class TextRow(Row):
    """Text written without a mask, up to one of the end tokens, or to the end of its first Python code block."""

    def __init__(self, tokenizer: Any, ends: frozenset[int], signature: Signature) -> None:
        super().__init__()
        self._tokenizer = tokenizer
        self._ends = ends
        self._signature = signature
        self._ids: list[int] = []
        self._score = 0.0

    def allowed(self) -> None:
        """Text has no mask."""

    def take(self, token: int, score: float, step: int) -> None:
        """Append a token."""
        self.draws += 1
        self._score += score
        self._ids.append(token)
        self.finished = token in self._ends or self._ends_the_code(token)

    def _ends_the_code(self, token: int) -> bool:
        # The end of a fence is looked for only where it can be: turning all tokens into text each time takes long.
        if isinstance(self._tokenizer, ProgramTokenizer) or FENCE[0] not in self._tokenizer.decode([token]):
            return False
        return code_ends(self._tokenizer.decode(self._ids, skip_special_tokens=True))

    def result(self) -> GeneratedProgram:
        """What was written."""
        if isinstance(self._tokenizer, ProgramTokenizer):
            text, legal = self._tokenizer.decode_legal(self._ids, self._signature)
            return GeneratedProgram(text, list(self._ids), self._score, self.finished and legal)
        text = self._tokenizer.decode(self._ids, skip_special_tokens=True)
        return GeneratedProgram(text, list(self._ids), self._score, self.finished)


def end_ids(tokenizer: Any, generation_config: Any) -> frozenset[int]:
    """The end tokens of text: the tokenizer's and those of a `GenerationConfig`, which may be None."""
    configured = getattr(generation_config, "eos_token_id", None)
    ids = {tokenizer.eos_token_id, *(configured if isinstance(configured, (list, tuple)) else [configured])}
    return frozenset(token for token in ids if token is not None)
