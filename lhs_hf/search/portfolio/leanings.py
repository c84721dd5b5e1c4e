"""What a program leans to: how far up it chooses in every term by which alternatives can be told apart."""

from __future__ import annotations

from collections.abc import Mapping
from types import CodeType
from typing import Any

import numpy as np

from ...corpus.augmentation.measuring import SCOPE
from ...corpus.augmentation.words import vocabulary
from ...tasks.base import ProbeState, Task, percentiles
from ...tasks.features import MOST_FEATURES
from ...tasks.roles import OPTION, is_number
from ..edits.choices import OPTION_NAME

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
    codes, tables, left = _codes(task), [], VALUES
    for state in task.probes:
        features = np.asarray(state.features)
        left -= len(codes) * len(features)
        columns = [np.zeros(len(features)) if left < 0 else _values(task, state, code) for code in codes]
        ranks = np.array([percentiles(column) for column in columns]).reshape(len(codes), len(features)).T
        parts = [(ranks - ranks.mean(axis=0)) * np.sqrt(OF_TERMS / max(1, len(codes)))]
        if task.tells_features:
            # Their number may be another one in every state.
            padded = np.pad(features, ((0, 0), (0, MOST_FEATURES - features.shape[1])))
            parts.append((padded - padded.mean(axis=0)) * np.sqrt(OF_FEATURES))
        tables.append(np.hstack(parts))
    return tables


def _codes(task: Task) -> list[CodeType]:
    words = vocabulary(task)
    names = {**{name: name for name in task.arguments}, OPTION: OPTION_NAME, **words.parts(OPTION_NAME)}
    texts = [term.text for term in words.measured] or list(words.terms)
    return [compile(text.format(**names), "<term>", "eval") for text in texts[:TERMS]]


def _values(task: Task, state: ProbeState, code: CodeType) -> np.ndarray:
    """A term of every alternative of a state, (alternatives,); all 0 where it is not a number for all of them."""
    values = [_value(code, each) for each in _situations(task, state)]
    known = len(values) == len(state.features) and np.isfinite(values).all()
    return np.array(values) if known else np.zeros(len(state.features))


def _situations(task: Any, state: ProbeState) -> list[Mapping[str, Any]]:
    """What is known where each alternative of a call is rated, by name; nothing if they are not known.

    They are others than those of the state where a function shows nothing to choose from, and programs are compared by
    the entries of another argument.
    """
    answers = getattr(task, "answers", None)
    if answers == "priority":
        return [dict(zip(task.arguments, call)) for call in state.calls]
    arguments = dict(zip(task.arguments, state.calls[0]))
    options = task.choices(*state.calls[0]) if answers in ("choice", "scores") else []
    return [{**arguments, OPTION_NAME: option} for option in options]


def _value(code: CodeType, known: Mapping[str, Any]) -> float:
    try:
        with np.errstate(all="ignore"):
            result = eval(code, {**SCOPE, **known})  # noqa: S307  (it is made of words)
        return float(result) if is_number(result) else np.nan
    except Exception:  # there it is no number
        return np.nan
