"""Which proposals race: those that stay close to their parent in what they decide, and some that do not."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...errors import CallError
from ..edits import Accepted, Behaviours, Edit, Known, Parent, Proposer

REACH = 0.16
"""Share of the probe states on which a child may decide otherwise than its parent: 10 of 64."""


class Screen:
    """A trust region of behaviour around each parent, in the place of `Proposer.draw`.

    In the races of whole searches the children that change up to 10 of 64 decisions gain six times as much an
    evaluation as those that change more. A proposal beyond `reach` is therefore put aside and another one drawn; of
    those that are all beyond it, the closest races. Some places are not screened, so that the search can not narrow.

    It keeps no state: the same generator gives the same proposal, and a search that is resumed proposes what an
    undisturbed one would have. Where probe states say nothing, nothing is screened.

    Args:
        proposer: draws valid new programs.
        behaviours: what tells how many decisions differ; the same as the proposer's.
        draws: proposals of a place, at most.
        reach: share of probe states that may change, above 0 and up to 1.
        unscreened: share of places that take their first proposal whatever it changes.

    Raises `CallError` for arguments that can not be.
    """

    def __init__(
        self,
        proposer: Proposer,
        behaviours: Behaviours,
        draws: int = 4,
        reach: float = REACH,
        unscreened: float = 0.25,
    ) -> None:
        if draws < 1:
            raise CallError(f"a screen needs at least 1 draw, got {draws}")
        if not 0 < reach <= 1 or not 0 <= unscreened <= 1:
            raise CallError(f"expected a reach in (0, 1] and a share unscreened in [0, 1], got {reach}, {unscreened}")
        self._proposer, self._behaviours = proposer, behaviours
        self._draws, self._reach, self._unscreened = draws, reach, unscreened

    def distance(self, source: str, parent: str) -> float:
        """The share of probe states, 0 to 1, on which two programs decide differently; 1 where one of them fails."""
        ours, theirs = self._behaviours.decisions(source), self._behaviours.decisions(parent)
        return 1.0 if ours is None or theirs is None else float((ours != theirs).mean())

    def draw(
        self, edit: Edit, parent: Parent, pool: Sequence[Parent], generator: np.random.Generator, known: Known
    ) -> Accepted | None:
        """`Proposer.draw`, again while what comes is beyond reach; None if the first draw finds nothing."""
        screened = generator.random() >= self._unscreened
        closest, distance = None, np.inf
        for _ in range(self._draws if screened and self._behaviours.tell else 1):
            accepted = self._proposer.draw(edit, parent, pool, generator, known)
            if accepted is None:
                break
            away = self.distance(accepted.proposal.source, self._edited(accepted, parent, pool).source)
            if away < distance:
                closest, distance = accepted, away
            if away <= self._reach:
                break
        return closest

    def _edited(self, accepted: Accepted, parent: Parent, pool: Sequence[Parent]) -> Parent:
        """The program that was edited: a restart begins with another one than the parent."""
        first = accepted.proposal.parents[0]
        return next((each for each in (parent, *pool) if each.hash == first), parent)
