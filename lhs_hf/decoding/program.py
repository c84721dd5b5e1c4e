"""What decoding gives: one sampled program."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class GeneratedProgram:
    """One sample.

    `log_probability` sums the log-probabilities of the tokens under the model and the mask, at temperature 1.
    `finished` is False if the tokens ran out first; `source` then holds what was written so far. `sampled` counts all
    tokens drawn for it, `rejections` the statements taken back because they did not run. Of a guided one `answers` says
    that it ran to its end, and `beginning` is the last text of it that ran. `closed`: it ends with statements that the
    decoder has not written (`decoding.closing`).
    """

    source: str
    token_ids: list[int]
    log_probability: float
    finished: bool
    sampled: int = 0
    rejections: int = 0
    answers: bool = False
    beginning: str = ""
    closed: bool = False
