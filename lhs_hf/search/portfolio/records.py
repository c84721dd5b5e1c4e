"""What became of candidates in their races, written into their rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ...evaluation.racing import Race, Trials, Verdict
from ..candidates import Candidates
from ..database import UNPAID, Candidate

_REPEATED = ("status", "objective", "score", "gain", "gain_error", "instances", "message")


class Records:
    """Enters verdicts: each is in the database before the listener is told.

    Args:
        race, trials: where the candidates race.
        candidates: all of the search.
        listener: called with each candidate once it has raced.
    """

    def __init__(
        self, race: Race, trials: Trials, candidates: Candidates, listener: Callable[[Candidate], None]
    ) -> None:
        self._race, self._trials = race, trials
        self._candidates, self._listener = candidates, listener

    def enter(self, child: Candidate, verdict: Verdict) -> None:
        """What became of a candidate."""
        child.outcome, child.message = verdict.outcome, verdict.message
        child.runs, child.instances = verdict.runs, verdict.instances
        child.runtime_s = sum(entry.seconds for entry in self._trials.ledger.of(verdict.program))
        child.isolation = self._trials.evaluator.isolation
        child.status = verdict.status if verdict.outcome == "failed" else "ok"
        if verdict.outcome == "unpaid" and not verdict.runs:
            child.status = UNPAID
        elif child.status == "ok":
            child.gain, child.gain_error = verdict.gain, verdict.error
            child.objective = self.estimate(child.program)
            child.score = None if child.objective is None else self._trials.task.alpha * child.objective
        self._store(child)

    def repeat(self, child: Candidate) -> None:
        """Give a program that was written before the result it had; nothing runs twice."""
        first = self._candidates[child.duplicate_of or 0]
        for name in _REPEATED:
            setattr(child, name, getattr(first, name))
        child.outcome = "same"
        self._store(child)

    def estimate(self, source: str) -> float | None:
        """The mean objective over the instances of the race: the incumbent's, and the difference on common ones."""
        if self._race.incumbent is None:
            return None
        leader = self._trials.objectives(self._race.incumbent, self._race.blocks)
        own = self._trials.objectives(self._trials.contender(source), self._race.blocks)
        common = [name for name in own if name in leader]
        if not common:
            return None
        differences = [a - b for name in common for a, b in zip(own[name], leader[name])]
        level = np.mean([value for values in leader.values() for value in values])
        return float(level + np.mean(differences))

    def _store(self, child: Candidate) -> None:
        self._candidates.database.update(child)
        self._listener(child)
