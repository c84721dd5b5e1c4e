"""Constants of the incumbent as an operator: an evolution strategy whose state follows from how its children raced."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

import numpy as np

from ...tasks.base import Task
from ..edits import Behaviours, Literal, Parent, Proposal, literals, live_literals, replaced
from ..edits.literals import Value, change, rounded

SHARE = 0.3
"""The most of a search's budget that its children may take."""

MOST_LIVE = 8
_MOST_MOVED = 3
_FIRST, _SHORTEST, _LONGEST = 0.2, 0.05, 1.0
_FURTHER, _NEARER = 1.5, 0.7
_ONWARD = 0.8
_SMALL = 5


@dataclass
class _Step:
    """How far a literal is moved, in units of its own size, and where to: 1 is up, -1 down, 0 not known yet."""

    length: float = _FIRST
    direction: int = 0


class Constants:
    """One to three live literals of the incumbent take a step: a (1 + lambda) strategy, coordinate by coordinate.

    A step is on the scale of a number's logarithm; whole numbers stay whole. Each literal has a step length and a
    direction of its own. One whose step gained goes on, further; one whose step lost turns round, nearer. What was
    learned belongs to the text without its numbers, so that it is kept when a child becomes the incumbent.

    Args:
        behaviours: tells which literals are live: the `MOST_LIVE` that change most decisions are moved.
        budget: instance runs of the search; `SHARE` of them may go to these children.
        dearest: instance runs that a child may cost.
    """

    name = "constants"

    def __init__(self, behaviours: Behaviours, budget: int, dearest: int) -> None:
        self._behaviours = behaviours
        self._runs = SHARE * budget
        self._dearest = dearest
        self._steps: dict[str, dict[int, _Step]] = {}
        self._live: dict[str, list[int]] = {}

    def within(self, names: Sequence[str], instead: str = "literals") -> list[str]:
        """The operators of a round, `instead` in the place of those of this one that its share does not pay for."""
        room = int(self._runs // self._dearest)
        turns = accumulate(name == self.name for name in names)
        return [instead if name == self.name and turn > room else name for name, turn in zip(names, turns)]

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """The parent with one to three live literals moved; None if it has none."""
        numbers, live = literals(parent.source), self._live_places(parent.source)
        steps = self._steps.get(_frame(parent.source), {})
        weights = 1.0 / np.arange(1, _MOST_MOVED + 1)
        count = 1 + int(generator.choice(_MOST_MOVED, p=weights / weights.sum()))
        values: dict[Literal, Value] = {}
        for place in sorted(generator.permutation(live)[:count].tolist()):
            values[numbers[place]] = _moved(numbers[place], steps.get(place, _Step()), generator)
        values = {literal: value for literal, value in values.items() if value != literal.value}
        if not values:
            return None
        changes = tuple(change(literal, value) for literal, value in values.items())
        return Proposal(replaced(parent.source, values), self.name, (parent.hash,), changes, parent.family)

    def tell(self, parent: str, child: str, gain: float | None, runs: int) -> None:
        """How a child of this operator raced: its gain over the incumbent (None: it failed), and what that cost."""
        self._runs -= runs
        before, after = literals(parent), literals(child)
        if len(before) != len(after):
            return
        steps = self._steps.setdefault(_frame(parent), {})
        for place, (old, new) in enumerate(zip(before, after)):
            if old.value != new.value:
                step = steps.setdefault(place, _Step())
                _learn(step, _distance(old, new.value), gain is not None and gain > 0)

    def _live_places(self, source: str) -> list[int]:
        if source not in self._live:
            numbers = literals(source)
            self._live[source] = [numbers.index(each) for each in live_literals(source, self._behaviours, MOST_LIVE)]
        return self._live[source]


def _learn(step: _Step, distance: float, gained: bool) -> None:
    towards = 1 if distance > 0 else -1
    if gained:
        step.direction = towards
        step.length = min(_LONGEST, _FURTHER * max(step.length, abs(distance)))
    else:
        step.direction = -towards if step.direction in (0, towards) else step.direction
        step.length = max(_SHORTEST, _NEARER * step.length)


def _moved(literal: Literal, step: _Step, generator: np.random.Generator) -> Value:
    onward = step.direction and generator.random() < _ONWARD
    sign = step.direction if onward else (1 if generator.random() < 0.5 else -1)
    distance = sign * step.length * abs(float(generator.normal()))
    value = literal.value
    if isinstance(value, int):
        return max(1, value + (round(distance * max(value, _SMALL)) or sign))
    return rounded(value * math.exp(distance)) if value else rounded(distance, 2)


def _distance(literal: Literal, value: Value) -> float:
    """A step in the units of `_Step.length`."""
    if isinstance(literal.value, int) or literal.value == 0 or value <= 0:
        return (value - literal.value) / (max(abs(literal.value), _SMALL) if isinstance(literal.value, int) else 1.0)
    return math.log(value / literal.value)


def _frame(source: str) -> str:
    """The text without its numbers."""
    parts, end = [], 0
    for literal in literals(source):
        parts.append(source[end : literal.start])
        end = literal.stop
    return "\0".join([*parts, source[end:]])
