"""The transforms by tier and name. Each is a pure function of a program text, a generator and a task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

import numpy as np

Tier = Literal["a", "b", "c"]


class TaskInterface(Protocol):
    """What a transform needs to know of a task; every `lhs_hf.tasks.Task` is one."""

    name: str
    function_name: str
    arguments: tuple[str, ...]


Transform = Callable[[str, np.random.Generator, TaskInterface], "str | None"]
Crossover = Callable[[str, str, np.random.Generator, TaskInterface], "str | None"]

TRANSFORMS: dict[str, dict[str, Transform]] = {"a": {}, "b": {}, "c": {}}
CROSSOVERS: dict[str, Crossover] = {}


def transform(tier: Tier) -> Callable[[Transform], Transform]:
    """Register a transform under its function's name: (source, generator, task) -> new source, or None."""

    def register(function: Transform) -> Transform:
        TRANSFORMS[tier][function.__name__] = function
        return function

    return register


def crossover(function: Crossover) -> Crossover:
    """Register a crossover: (first source, second source, generator, task) -> new source, None if not applicable."""
    CROSSOVERS[function.__name__] = function
    return function
