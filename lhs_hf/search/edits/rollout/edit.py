"""The edit: of a program's own first choices the one after which it ends best (rollouts, the pilot method)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....corpus.augmentation.editing import pick
from ....programs import ProgramError
from ....tasks.base import Task
from ..choices import NewRule
from ..numbers import SparseLiterals
from ..parents import Edit, Parent, Proposal
from ..trees import Crossover, TreeEdit
from .model import task_model
from .task_model import TaskModel
from .writing import PLAYED_ON, Played, played, plays_on, written

WIDTHS, DEPTHS = (3, 4, 6, 10), (200, 200, 20, 8)
"""First choices that are tried, and decisions that each is followed for, ..."""
SLOW_WIDTHS, SLOW_DEPTHS = (3, 4, 6), (200, 20, 20, 8)
"""... and of a rule with loops of its own, which takes longer."""

_ANOTHER = 0.4
_EDITED = 0.7


class Rollout:
    """What a program chooses first, second, ... is played to the end with the program itself; the best is taken.

    For tasks of which a model can be learned (`task_model`). Of a program that plays on already the rule that it plays
    is edited, or another takes its place: one of the pool, or a simple one.
    """

    name = "rollout"

    def __init__(self) -> None:
        self._anew = NewRule()
        self._edits: tuple[Edit, ...] = (SparseLiterals(None), TreeEdit(), Crossover(), self._anew)

    @staticmethod
    def applies(task: Task) -> bool:
        """Whether enough can be found out about a task to play it, and its alternatives are listed."""
        model = task_model(task)
        return model is not None and model.listed

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """The program that plays on; None where no model is known, or there is no plain rule to play."""
        model, parts = task_model(task), played(parent.source, task)
        if model is None:
            return None
        if parts is not None and generator.random() < _EDITED:
            return self._edited(parent, parts, pool, task, model, generator)
        rule = self._rule(parent, pool, task, generator)
        if rule is None:
            return None
        slow = " for " in rule.source
        width = int(generator.choice(SLOW_WIDTHS if slow else WIDTHS))
        depth = int(generator.choice(SLOW_DEPTHS if slow else DEPTHS))
        source = written(rule.source, task, model, width, depth)
        change = f"{width} choices played on for {depth} decisions"
        return None if source is None else Proposal(source, self.name, (rule.hash,), (change,), _family(rule))

    def _edited(
        self,
        parent: Parent,
        parts: Played,
        pool: Sequence[Parent],
        task: Task,
        model: TaskModel,
        generator: np.random.Generator,
    ) -> Proposal | None:
        """The parent with another rule: an edit of the one that it plays."""
        try:
            rule = Parent.of(parts.rule, parent.family, parent.score)
        except ProgramError:
            return None
        edit = self._edits[int(generator.integers(len(self._edits)))]
        plain = [each for each in pool if not plays_on(each.source)]
        proposal = edit.propose(rule, plain, task, generator)
        if proposal is None or plays_on(proposal.source):
            return None
        source = written(proposal.source, task, model, parts.width, parts.depth)
        return None if source is None else Proposal(source, self.name, (parent.hash,), proposal.changes, parent.family)

    def _rule(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Parent | None:
        """The plain rule that is played on: the parent if it is one, or another."""
        if not plays_on(parent.source) and generator.random() >= _ANOTHER:
            return parent
        plain = pick(generator, [each for each in pool if not plays_on(each.source)])
        if plain is not None and generator.random() >= _ANOTHER:
            return plain
        proposal = self._anew.propose(plain or parent, pool, task, generator)
        if proposal is None or plays_on(proposal.source):
            return plain
        return Parent.of(proposal.source, proposal.family, 0.0)


def _family(rule: Parent) -> str:
    return rule.family + PLAYED_ON
