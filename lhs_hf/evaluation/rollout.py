"""Direct evaluation inside the calling process: no limits, no fences. For trusted programs, tests and benchmarks."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import FunctionType
from typing import Any

import numpy as np

from ..programs import load_function
from ..tasks.base import Task

PROGRAM_SEED = 0


def seed_program_randomness() -> None:
    """Fix the global generators a program may use; the same value before each evaluation, whatever the split."""
    random.seed(PROGRAM_SEED)
    np.random.seed(PROGRAM_SEED)


def load(task: Task, source: str) -> Callable[..., Any]:
    """The function of a program, global randomness seeded first. Runs the program's top level in this process."""
    seed_program_randomness()
    return load_seeded(task, source)


def load_seeded(
    task: Task, source: str, loading: Callable[..., Callable[..., Any]] = load_function
) -> Callable[..., Any]:
    """`load` where `seed_program_randomness` has been called and nothing has drawn a number since.

    `loading`: what makes a function of a text, its name and the number of its arguments.
    """
    function = loading(source, task.function_name, len(task.arguments))
    if isinstance(function, FunctionType):
        function.__program_source__ = source  # type: ignore[attr-defined]  # evaluations that read the text
    return task.called(function)


def evaluate_in_process(task: Task, source: str, split: str = "search") -> list[float]:
    """Objective of each instance of a split, in order. Raises whatever the program or the scoring raises."""
    function = load(task, source)
    instances = task.instances(split)
    return [task.objective(instance, task.rollout(function, instance)) for instance in instances]
