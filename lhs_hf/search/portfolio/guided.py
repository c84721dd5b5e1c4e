"""What the surrogate decides outside of ascents: which points these start from, which of several edits is proposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..edits import Accepted, Parent

SCREENED = "screened"
"""The operator that makes several edits and proposes the one that the surrogate scores highest."""
SCREENED_EDITS = 4

Predict = Callable[[str], float]
"""The surrogate's score of a program."""


def best_by_both(estimated: Sequence[Parent], predict: Predict, count: int) -> list[Parent]:
    """Of parents in the order of their estimates those with the lowest sum of this rank and that of their prediction.

    Estimates are of few instances; the surrogate knows what the corpus knows.
    """
    predicted = np.array([predict(each.source) for each in estimated])
    places = np.argsort(np.argsort(-predicted, kind="stable"), kind="stable")
    order = np.argsort(places + np.arange(len(estimated)), kind="stable")
    return [estimated[place] for place in order[:count]]


def best_predicted(edits: Sequence[Accepted], predict: Predict) -> Accepted:
    """The one of several edits that is predicted to be best, as a proposal of `SCREENED`."""
    best = max(edits, key=lambda each: predict(each.proposal.source))
    changes = (best.proposal.operator, *best.proposal.changes)
    return replace(best, proposal=replace(best.proposal, operator=SCREENED, changes=changes))
