"""What several tasks share: reading untrusted solutions, read-only instances, probe states cut out of rollouts."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from .base import IllegalAnswer, Infeasible, Program, Task


def read_only(array: np.ndarray) -> np.ndarray:
    """The same array, marked read-only: instances are shared by all evaluations of a process."""
    array.setflags(write=False)
    return array


def solution_entries(solution: np.ndarray, longest: int) -> list[int]:
    """The entries of an untrusted solution as Python ints.

    Raises `Infeasible` unless it is a 1-D array of integers with 1 to `longest` entries.
    """
    array = np.asarray(solution)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise Infeasible(f"expected a 1-D integer array, got {array.ndim}-D {array.dtype}")
    if not 1 <= len(array) <= longest:
        raise Infeasible(f"solution has {len(array)} entries, expected 1 to {longest}")
    return array.tolist()


def only_answer(answers: Sequence[Any]) -> Any:
    """The one answer to a probe that makes one call. Raises `IllegalAnswer` for any other number of answers."""
    if len(answers) != 1:
        raise IllegalAnswer(f"expected one answer, got {len(answers)}")
    return answers[0]


class _Captured(Exception):
    """Ends a rollout from inside its program."""


def capture_call(
    task: Task,
    instance: Any,
    policy: Program,
    step: int,
    usable: Callable[..., bool],
    wrap: Callable[[Program], Program] = lambda program: program,
) -> tuple[Any, ...] | None:
    """Arguments of one call of a rollout: of the first usable call from `step` on, else of the last usable one.

    `policy` answers the calls of the task's own rollout, so the arguments have exactly the types of the protocol.
    `wrap` makes of what is watched a program that the rollout takes. Returns a deep copy, or None if no call was
    `usable(*arguments)`.
    """
    found: tuple[Any, ...] | None = None
    calls = 0

    def program(*arguments: Any) -> Any:
        nonlocal found, calls
        if usable(*arguments):
            found = copy.deepcopy(arguments)
            if calls >= step:
                raise _Captured
        calls += 1
        return policy(*arguments)

    with suppress(_Captured):
        task.rollout(wrap(program), instance)
    return found


def draw_step(generator: np.random.Generator, index: int, calls: int) -> int:
    """A step of a rollout with about `calls` calls: early, middle and late ones in turn, by `index`."""
    return int((index % 3 + generator.random()) / 3 * calls)
