"""What a program leans to: how far up it chooses in every term by which alternatives can be told apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...corpus.augmentation.words import vocabulary
from ...tasks.base import ProbeState, Task, percentiles
from ...tasks.features import MOST_FEATURES
from ..edits.calls import values_in
from ..edits.choices import OPTION_NAME
from ..edits.expressions import spelled

TERMS, VALUES = 60, 40_000
"""Terms that are asked, and values of them in all: of large states fewer are asked."""
OF_TERMS, OF_FEATURES = 15.0, 8.0
"""Variance of a program that always chooses the uppermost by all terms, or by one feature, over four."""


class Leanings:
    """Programs as points: the mean percentile of what each chooses on the probe states, term by term.

    Two rules that are each other's opposite lie on opposite sides of the origin, so that a bad one tells of a good one.
    The terms are the words of the task (`corpus.augmentation.words`); a task that has features of its own
    (`Task.tells_features`) is asked for these, too. Nothing runs but terms, on first use.

    Args:
        task: whose probe states are asked.
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._tables: list[np.ndarray] | None = None

    def of(self, decisions: np.ndarray) -> np.ndarray:
        """Points (N, K) by decisions (N, 64): their products are covariances, 0 where nothing is known of a choice."""
        if self._tables is None:
            self._tables = _tables(self._task)
        width = self._tables[0].shape[1] if self._tables else 0
        points = np.zeros((len(decisions), width))
        for column, table in zip(decisions.T, self._tables):
            known = (column >= 0) & (column < len(table))
            points[known] += table[column[known]]
        return points / max(1, len(self._tables))


def _tables(task: Task) -> list[np.ndarray]:
    """Of each probe state the percentiles of its alternatives, about their mean and scaled, (alternatives, K)."""
    words = vocabulary(task)
    names = spelled(words, OPTION_NAME)
    terms = [text.format(**names) for text in ([term.text for term in words.measured] or words.terms)[:TERMS]]
    tables, left = [], VALUES
    for state in task.probes:
        features = np.asarray(state.features)
        left -= len(terms) * len(features)
        columns = [np.zeros(len(features)) if left < 0 else _values(task, state, term) for term in terms]
        ranks = np.array([percentiles(column) for column in columns]).reshape(len(terms), len(features)).T
        parts = [(ranks - ranks.mean(axis=0)) * np.sqrt(OF_TERMS / max(1, len(terms)))]
        if task.tells_features:
            # Their number may be another one in every state.
            padded = np.pad(features, ((0, 0), (0, MOST_FEATURES - features.shape[1])))
            parts.append((padded - padded.mean(axis=0)) * np.sqrt(OF_FEATURES))
        tables.append(np.hstack(parts))
    return tables


def _values(task: Any, state: ProbeState, term: str) -> np.ndarray:
    """A term of every alternative of a state, (alternatives,); all 0 where it is not a number for all of them.

    Where a function shows nothing to choose from, programs are compared by the entries of another argument, which have
    no values here.
    """
    answers, calls = getattr(task, "answers", None), state.calls
    if answers != "priority":
        options = task.choices(*calls[0]) if answers in ("choice", "scores") else []
        calls = tuple((*calls[0], option) for option in options)
    values = values_in(term, (*task.arguments, OPTION_NAME), calls)
    known = len(values) == len(state.features) and np.isfinite(values).all()
    return values if known else np.zeros(len(state.features))
