"""What a corpus says about a program: how its score ranks there, and whether text and behaviour are new."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lhs_hf.corpus.dataset import CorpusRow
from lhs_hf.evaluation.behaviour import Behaviour

# Decisions on at least this share of the probe states have to differ from those of every corpus program.
NEW_BEHAVIOUR = 0.05


def tolerance(score: float) -> float:
    """By how much two scores of one program may differ between machines: sums of floats in another order."""
    return 1e-9 * max(1.0, abs(score))


class Reference:
    """All programs of a task's corpus, to compare with."""

    def __init__(self, rows: Sequence[CorpusRow]) -> None:
        self.scores = np.sort(np.array([row.score for row in rows], dtype=np.float64))
        self.hashes = frozenset(row.hash for row in rows)
        self.decisions = np.stack([row.decisions for row in rows])

    def quantile(self, score: float | None) -> float:
        """Share of corpus programs with a lower score, ties counting half; 0 for a program without a score."""
        if score is None:
            return 0.0
        margin = tolerance(score)
        below = np.searchsorted(self.scores, score - margin, side="left")
        upto = np.searchsorted(self.scores, score + margin, side="right")
        return float(below + upto) / (2 * len(self.scores))

    def has_text(self, program_hash: str | None) -> bool:
        """Whether the corpus holds this canonical form."""
        return program_hash in self.hashes

    def has_behaviour(self, behaviour: Behaviour) -> bool:
        """Whether some corpus program decides alike on more than 95 % of the probe states."""
        return float((self.decisions != behaviour.decisions).mean(axis=1).min()) < NEW_BEHAVIOUR
