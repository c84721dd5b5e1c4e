"""Endings for guided programs that do not answer: what ran of them is kept, and other statements end it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from ..evaluation.stepping import Stepper
from .program import GeneratedProgram

CLOSINGS = 24
"""Endings that are run for a program, at most."""

Closing = Callable[[str, np.random.Generator], Iterator[str]]
"""Whole programs that begin like a text, to be tried one after the other."""


def close(
    decoded: Sequence[GeneratedProgram], guide: Stepper, closing: Closing, generators: Sequence[np.random.Generator]
) -> list[GeneratedProgram]:
    """The programs, those that do not answer with the first ending that does on all probe states.

    `guide` is what they were guided by; `closing` goes on from what ran of each, with its generator. A program that no
    ending helps stays as it is.
    """
    waiting = {row for row, program in enumerate(decoded) if not program.answers}
    endings = {row: closing(decoded[row].beginning, generators[row]) for row in waiting}
    sessions = {row: guide.open() for row in sorted(waiting)}
    closed = list(decoded)
    for _ in range(CLOSINGS):
        texts = {row: text for row in sorted(waiting) if (text := next(endings[row], None)) is not None}
        checked = [(sessions[row], text) for row, text in texts.items()]
        for (row, text), verdict in zip(texts.items(), guide.check(checked, {sessions[row] for row in texts})):
            if verdict.ok:
                closed[row] = replace(decoded[row], source=text, finished=True, answers=True, closed=True)
                waiting.remove(row)
    for session in sessions.values():
        guide.close(session)
    return closed
