"""Edits of the tree: the transforms of tiers b and c, crossover of families, restarts from another family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...corpus.augmentation import TIERS, Tier, augment, transform_names
from ...errors import CallError, unknown
from ...tasks.base import Task
from .parents import Edit, Parent, Proposal, draw_stranger
from .spelled_out import with_a_key

DECIDING: tuple[Tier, ...] = ("b", "c")
"""Tiers whose transforms change decisions."""


class TreeEdit:
    """One transform of the program, or several one after the other.

    A step draws its tier with equal weights, then a transform of it by `weights`; where no transform of the tier
    applies, the other tier has its turn.

    Args:
        steps: least and most transforms; (1, 1) makes one.
        weights: transform -> how often it is tried first; 1 for those not named, 0 for never. None: all alike.
        tiers: "b" (other numbers) and "c" (another algorithm). Tier "a" changes no decision.

    Raises `CallError` for an unknown transform, a negative weight, or wrong steps.
    """

    def __init__(
        self,
        steps: tuple[int, int] = (1, 1),
        weights: Mapping[str, float] | None = None,
        tiers: Sequence[Tier] = DECIDING,
        name: str = "transform",
    ) -> None:
        if not 1 <= steps[0] <= steps[1]:
            raise CallError(f"steps must be the least and the most transforms, from 1, got {steps}")
        if not tiers or not set(tiers) <= set(TIERS):
            raise CallError(f"expected tiers of {', '.join(TIERS)}, got {', '.join(tiers) or 'none'}")
        self.name = name
        self._steps, self._tiers = steps, tuple(tiers)
        self._weights = _checked(weights, [name for tier in tiers for name in transform_names()[tier]])

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """The program after up to that many transforms; None if none applies."""
        text, changes = with_a_key(parent.source, task), []
        for _ in range(int(generator.integers(self._steps[0], self._steps[1] + 1))):
            for place in generator.permutation(len(self._tiers)):
                tier = self._tiers[int(place)]
                variant = augment(text, task, tier, generator, steps=1, weights=self._weights)
                if variant is not None:
                    text = variant.source
                    changes.append(variant.transforms[0])
                    break
        if not changes:
            return None
        return Proposal(text, self.name, (parent.hash,), tuple(changes), parent.family)


class Crossover:
    """The program joined with one of another family, drawn from the pool by rank.

    `weights`: crossover -> how often it is tried first, as for `TreeEdit`.
    """

    name = "crossover"

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self._weights = _checked(weights, transform_names()["crossover"])

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of both; None without a partner, or if no crossover applies."""
        partner = draw_stranger(parent, pool, generator)
        if partner is None:
            return None
        # Either may be the one that the other joins: which function comes first decides what they share.
        first, second = (parent, partner) if generator.random() < 0.5 else (partner, parent)
        variant = augment(first.source, task, "c", generator, partner=second.source, weights=self._weights)
        if variant is None:
            return None
        hashes = (parent.hash, partner.hash)
        return Proposal(variant.source, self.name, hashes, variant.transforms, first.family)


class Restart:
    """A program of another family's best, drawn by rank from those given, changed by an edit unless told otherwise.

    Args:
        programs: where to begin anew, for instance the best of each family of the corpus.
        edit: what changes the program; None takes it as it is (of use while it has not been evaluated).
    """

    def __init__(self, programs: Sequence[Parent], edit: Edit | None = None, name: str = "restart") -> None:
        self.name = name
        self._programs, self._edit = tuple(programs), edit

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of another family than the parent's; None if none is given."""
        start = draw_stranger(parent, self._programs, generator)
        if start is None:
            return None
        if self._edit is None:
            return Proposal(start.source, self.name, (start.hash,), (f"family {start.family}",), start.family)
        edited = self._edit.propose(start, pool, task, generator)
        if edited is None:
            return None
        changes = (f"family {start.family}", *edited.changes)
        return Proposal(edited.source, self.name, edited.parents, changes, edited.family)


def _checked(weights: Mapping[str, float] | None, names: Sequence[str]) -> Mapping[str, float] | None:
    if weights is None:
        return None
    for name, weight in weights.items():
        if name not in names:
            raise unknown("transform", name, names)
        if not weight >= 0:
            raise CallError(f"the weight of {name} must be 0 or more, got {weight}")
    return dict(weights)
