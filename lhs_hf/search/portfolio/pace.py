"""How long a program of a portfolio may take, by what the programs took that it starts from."""

from __future__ import annotations

from collections.abc import Sequence

from ...evaluation.racing import Block, Entry, Race, Trials
from ..edits import ParallelRollout, Rollout
from ..starts import Start

HURRY, HURRY_PLAYED, HURRY_SELDOM = 12, 5, 2
"""A program of a race may take this share of the time that one may take on `search`, more where programs play what they
choose to the end, and most where a few do that take long, ..."""
SLOWER = 3
"""... or as many times what the slowest program took that the search starts from."""
SHORTEST_S = 0.02
"""A limit in multiples of the reference's time is never below so many seconds a `search` split: these are noise."""


class Pace:
    """The limits of a race, from the starting programs' times in its ledger: a resumed run allows what it did.

    Args:
        trials: of the race.
        starts: the programs it starts from, the reference first.
        most: how many times as long as the reference a program may take; None for any number.
    """

    def __init__(self, trials: Trials, starts: Sequence[Start], most: float | None = None) -> None:
        self._trials, self._starts, self._most = trials, starts, most

    def of_reference(self, race: Race) -> None:
        """Before the other starts race, once the reference has met all blocks: what is too slow beside it is out."""
        reference = self._trials.contender(self._starts[0].source)
        for block in race.blocks:
            self._trials.measure([reference], block, race.budget)
        self.set()

    def set(self) -> None:
        """Once the starts have raced."""
        instances, task = self._trials.instances, self._trials.task
        count = task.split("search").count
        slowest = max(self._seconds(start) for start in range(len(self._starts)))
        share = HURRY_PLAYED if ParallelRollout.applies(task) or Rollout.applies(task) else HURRY
        if ParallelRollout.seldom(task):
            share = HURRY_SELDOM
        instances.hurry(max(task.time_limit_s / share, SLOWER * slowest * count))
        if self._most is not None:
            # The quickest block: the first one has the time of a start in it.
            reference = min((each.seconds / len(each.objectives) for each in self._solved(0)), default=0.0)
            instances.slowest(max(SHORTEST_S, self._most * reference * count))

    def _seconds(self, start: int) -> float:
        """What a start took for an instance; 0 for one that was stopped: it has no time of its own."""
        entries = self._solved(start)
        return sum(each.seconds for each in entries) / max(1, sum(len(each.objectives) for each in entries))

    def _solved(self, start: int) -> list[Entry]:
        identity = self._trials.contender(self._starts[start].source).identity
        return [entry for entry in self._trials.ledger.of(identity) if entry.status == "ok"]

    def keeps(self, source: str, blocks: Sequence[Block]) -> bool:
        """Whether a program has not been too slow."""
        return self._trials.failure(self._trials.contender(source), blocks) is None
