"""Edits of numbers: a few live ones, all places of one value, and sizes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...tasks.base import Task
from .behaviours import Behaviours, first_live
from .literals import Literal, Value, change, literals, replaced, step
from .parents import Parent, Proposal


class SparseLiterals:
    """One to three numbers of the program, live ones if `behaviours` can tell, each a step away from its value.

    Changing all numbers at once spoils a program: most of them matter little, and one bad value is enough.
    """

    name = "literals"

    def __init__(self, behaviours: Behaviours | None = None, most: int = 3) -> None:
        self._behaviours = behaviours
        self._most = most

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of other numbers; None if no number is live."""
        # One place more often than two, two more often than three.
        weights = 1.0 / np.arange(1, self._most + 1)
        count = 1 + int(generator.choice(self._most, p=weights / weights.sum()))
        chosen = first_live(parent.source, literals(parent.source), count, self._behaviours, generator)
        return _changed(parent, {literal: step(literal, generator) for literal in chosen}, self.name)


class SameValue:
    """A number that stands at several places takes another value at all of them."""

    name = "same_value"

    def __init__(self, behaviours: Behaviours | None = None) -> None:
        self._behaviours = behaviours

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program with one value changed everywhere; None if none but flags stands twice."""
        groups: dict[tuple[type, Value], list[Literal]] = {}
        for literal in literals(parent.source):
            if literal.kind != "flag":
                groups.setdefault((type(literal.value), literal.value), []).append(literal)
        options = [group for group in groups.values() if len(group) > 1]
        for place in generator.permutation(len(options)):
            group = options[int(place)]
            if first_live(parent.source, group, 1, self._behaviours, generator):
                value = step(group[0], generator)
                return _changed(parent, dict.fromkeys(group, value), self.name)
        return None


_FACTORS = (0.5, 1.5, 2.0, 2.0, 3.0)


class Sizes:
    """One to three sizes are multiplied by one factor: more places looked at, more tries, more candidates.

    Two sizes out of three grow. Liveness is not asked for: what a size does shows on instances larger than the probes.
    """

    name = "sizes"

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of other sizes; None if it has none."""
        options = [literal for literal in literals(parent.source) if literal.kind == "size"]
        chosen = first_live(parent.source, options, 1 + int(generator.integers(3)), None, generator)
        factor = _FACTORS[int(generator.integers(len(_FACTORS)))]
        values: dict[Literal, Value] = {}
        for literal in chosen:
            value = max(1, round(factor * literal.value))
            values[literal] = value if value != literal.value else value + 1
        return _changed(parent, values, self.name)


def _changed(parent: Parent, values: Mapping[Literal, Value], operator: str) -> Proposal | None:
    values = {literal: value for literal, value in values.items() if value != literal.value}
    if not values:
        return None
    changes = tuple(change(literal, value) for literal, value in values.items())
    return Proposal(replaced(parent.source, values), operator, (parent.hash,), changes, parent.family)
