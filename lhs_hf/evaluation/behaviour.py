"""What a program does: its decisions on the task's probe states.

The encoder of `lhs-tiny` reads this beside the text, because text alone says little about a program of a family it
has never seen. Probe states come from no benchmark split, so reading them spends nothing of a search's evaluations.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..tasks.base import Task

FEATURE_WIDTH = 8
PROBE_COUNT = 64
FAILED = -1


@dataclass(frozen=True)
class Behaviour:
    """Decisions on the probes: `decisions` int64 (64,), -1 where the program failed; `features` float32 (64, 8).

    A row of `features` is the chosen candidate's percentile in each natural feature of the task, zero-padded to 8
    columns; it is NaN where the program failed. `signs` are bits that say how answers differ in kind from the
    reference's (`tasks.signs`), of all probes together.
    """

    decisions: np.ndarray
    features: np.ndarray
    signs: int = 0

    @property
    def error_rate(self) -> float:
        """Share of probes on which the program failed."""
        return float((self.decisions == FAILED).mean())


def from_decisions(task: Task, decisions: np.ndarray, signs: int = 0) -> Behaviour:
    """The behaviour that decisions stand for: untrusted candidate rows; one out of range counts as failed."""
    checked = np.full(len(task.probes), FAILED, dtype=np.int64)
    features = np.full((len(task.probes), FEATURE_WIDTH), np.nan, dtype=np.float32)
    for row, (state, decision) in enumerate(zip(task.probes, decisions)):
        if 0 <= decision < len(state.features):
            width = state.features.shape[1]
            checked[row] = decision
            features[row] = 0.0
            features[row, :width] = state.features[decision]
    return Behaviour(checked, features, signs)


def decide(task: Task, function: Callable[..., Any]) -> np.ndarray:
    """Run a program on every probe in this process and return its decisions, int64 (64,); -1 where it failed.

    A state that comes up again, as those of a task with few calls do, has the decision that it had.
    """
    return respond(task, function)[0]


def respond(task: Task, function: Callable[..., Any]) -> tuple[np.ndarray, int]:
    """The decisions (`decide`), and the signs of all answers (`Task.signs`)."""
    decisions, signs = np.full(len(task.probes), FAILED, dtype=np.int64), 0
    first: dict[int, int] = {}
    for row, state in enumerate(task.probes):
        if first.setdefault(id(state), row) != row:
            decisions[row] = decisions[first[id(state)]]
            continue
        random.seed(row)
        np.random.seed(row)
        try:
            answers = [function(*arguments) for arguments in copy.deepcopy(state.calls)]
            decisions[row] = task.probe_decision(state, answers)
            signs |= task.signs(state, answers)
        except Exception:  # any failure of the program is what the vector records  # noqa: S112
            continue
    return decisions, signs


def behaviour(task: Task, function: Callable[..., Any]) -> Behaviour:
    """The behaviour of a trusted function, in this process."""
    return from_decisions(task, *respond(task, function))
