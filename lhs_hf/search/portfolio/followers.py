"""Programs that follow the better of two rules, of a task where that takes long: a few, before anything else."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...tasks.base import Task
from ..edits import Accepted, Known, ParallelRollout, Parent, Proposer

FOLLOWERS, FOLLOWERS_LAST = 4, 3
"""Before the first round, and with a place in the finals."""


def followers(
    task: Task, proposer: Proposer, parents: Sequence[Parent], generator: np.random.Generator, known: Known
) -> list[Accepted]:
    """Those that follow the first of the parents or another, which `known` learns; two others where it is too long.

    None where a search draws them as it likes. On every instance they are as good as both: close to an optimum nothing
    else is better for sure.
    """
    if not ParallelRollout.seldom(task):
        return []
    drawn = []
    for _ in range(FOLLOWERS):
        accepted = proposer.draw(ParallelRollout(), parents[0], parents, generator, known)
        if accepted is not None:
            known.add(accepted.proposal.source, accepted.hash, accepted.key)
            drawn.append(accepted)
    return drawn
