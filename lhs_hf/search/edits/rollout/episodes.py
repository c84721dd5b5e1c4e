"""What happens in a task: rollouts with all their calls, and expressions evaluated on them."""

from __future__ import annotations

import copy
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

import numpy as np

from ....corpus.augmentation.measuring import SCOPE
from ....tasks.base import IllegalAnswer, Infeasible, Program
from ....tasks.equality import same
from ....tasks.roles import OPTION, is_number
from ....tasks.simple import SimpleTask

INSTANCES = 20
"""Small instances that are played, ..."""
FOLLOWED = (1.0, 0.0, 0.5, 0.0, 0.8, 0.0)
"""... and for each rollout of one how often it does what the reference does."""

_MOST_DECISIONS = 2400
_SLOWEST_S = 0.5  # of the processor: a busy machine learns the same
_SEED = 20_731
_MOST_STEPS = 400
_SCOPE = {**SCOPE, "np": np}


@dataclass(frozen=True)
class Step:
    """A decision: the arguments of a call by name, and the alternative that was chosen.

    `parts`: what is in those that are records, by how it is read (`state["room"]`).
    """

    arguments: Mapping[str, Any]
    choice: Any
    parts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def values(self) -> dict[str, Any]:
        """The arguments and their parts."""
        return {**self.arguments, **self.parts}

    @property
    def names(self) -> dict[str, Any]:
        """What an expression about the decision may read."""
        return {**self.arguments, OPTION: self.choice}


@dataclass(frozen=True)
class Episode:
    """A rollout on one instance: its decisions in order, and what came of it."""

    steps: Sequence[Step]
    objective: float
    instance: int


def episodes(task: SimpleTask) -> list[Episode]:
    """Rollouts of the reference program, of random choices and of mixtures, on instances of no split.

    Those that end without a solution are left out. Of a task whose instances are large or slow there are few or none:
    a search would wait for them.
    """
    return list(_episodes(task, np.random.default_rng(_SEED)))


def _episodes(task: SimpleTask, generator: np.random.Generator) -> Iterator[Episode]:
    reference = task.reference
    parameters = task.splits["search"].parameters if task.probe_parameters is None else task.probe_parameters
    decisions = 0
    for number in range(INSTANCES):
        instance = task.draw(np.random.RandomState(int(generator.integers(2**31))), **parameters)
        for follow in FOLLOWED:
            steps: list[Step] = []
            begin = time.thread_time()
            with suppress(IllegalAnswer, Infeasible):
                solution = task.rollout(_recorded(task, reference, follow, steps, generator), instance)
                yield Episode(steps, float(task.objective(instance, solution)), number)
            decisions += len(steps)
            if decisions > _MOST_DECISIONS or time.thread_time() - begin > _SLOWEST_S:
                return


def _recorded(
    task: SimpleTask, reference: Program, follow: float, steps: list[Step], generator: np.random.Generator
) -> Program:
    """A program that does what the reference does with a probability, else anything, and writes its decisions down."""

    def program(*arguments: Any) -> Any:
        if len(steps) == _MOST_STEPS:
            raise Infeasible("too many decisions to learn from")
        # What stays as it is, a matrix mostly, is kept once.
        before = steps[-1].arguments if steps else {}
        shown = {
            name: before[name] if name in before and _equal(before[name], value) else copy.deepcopy(value)
            for name, value in zip(task.arguments, arguments)
        }
        choices = task.choices(*arguments)
        if generator.random() < follow:
            answer = reference(*arguments)
        elif task.answers == "scores":
            answer = generator.random(len(choices))
        else:
            answer = choices[int(generator.integers(len(choices)))]
        steps.append(Step(shown, copy.deepcopy(choices[task.position(choices, answer)])))
        return answer

    return program


def _equal(one: Any, two: Any) -> bool:
    try:
        return bool(one == two)  # far quicker than `same` for nested lists
    except ValueError:  # of arrays
        return same(one, two)


class Expressions:
    """Expressions on decisions; each text is compiled once."""

    def __init__(self) -> None:
        self._codes: dict[str, CodeType | None] = {}

    def value(self, text: str, names: Mapping[str, Any]) -> Any:
        """What an expression is for some names; None where it fails."""
        if text not in self._codes:
            try:
                self._codes[text] = compile(text, "<expression>", "eval")
            except SyntaxError:
                self._codes[text] = None
        code = self._codes[text]
        if code is None:
            return None
        try:
            # The names are globals: a comprehension does not see what is local to `eval`.
            return eval(code, {**_SCOPE, **names})  # noqa: S307  (the expression is one of `forms` and `costs`)
        except Exception:  # most of what is tried does not fit the arguments
            return None

    def truth(self, text: str, names: Mapping[str, Any]) -> bool:
        """Whether a condition holds; what is neither true nor false, as an array is not, does not."""
        try:
            return bool(self.value(text, names))
        except ValueError:
            return False

    def number(self, text: str, names: Mapping[str, Any]) -> float | None:
        """The value of an expression that is a finite number; None for any other."""
        value = self.value(text, names)
        return float(value) if is_number(value) and np.isfinite(value) else None

    def numbers(self, text: str, steps: Sequence[Step]) -> np.ndarray | None:
        """The values (steps,) of an expression, float64; None where one is no finite number."""
        values = np.empty(len(steps))
        for place, step in enumerate(steps):
            number = self.number(text, step.names)
            if number is None:
                return None
            values[place] = number
        return values
