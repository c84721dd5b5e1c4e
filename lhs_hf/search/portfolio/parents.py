"""Which programs of a race are good for something: as parents of the next round, and in the finals."""

from __future__ import annotations

from ... import programs
from ...evaluation.racing import Race
from ...tasks.base import Task
from ..candidates import Candidates
from ..edits import Parent
from ..edits.following import follows
from .children import best_estimated
from .pace import Pace

FEWEST, FEWEST_EXACT = 3, 8
"""Parents of a round: of a full pool of ten, two thirds of the children would not be of what leads. Where one
evaluation says all there is to know, the pool of a race holds nothing but what once led."""


class Parents:
    """The pool of a race without the programs that are too slow.

    Args:
        task: what the programs are for.
        race: what they have shown.
        candidates: of the search.
        pace: tells who is too slow.
        fewest: parents of a round of a task of one's own, where so many ran.
    """

    def __init__(self, task: Task, race: Race, candidates: Candidates, pace: Pace, fewest: int = FEWEST) -> None:
        self._task, self._race, self._candidates, self._pace = task, race, candidates, pace
        self._fewest = fewest

    def quick(self) -> list[str]:
        """The pool of the race, best first, without those that were too slow; the reference where all others are."""
        ranking = [each.source for each in self._race.ranking() if self._pace.keeps(each.source, self._race.blocks)]
        return ranking or ([self._task.template] if self._candidates[0].ok else [])

    def level(self, other: str) -> list[str]:
        """The programs that the race can not tell from another one, of other families first.

        Those that follow the better of two rules come before all: they are as good on every instance.
        """
        blocks, trials, families, levels = self._race.blocks, self._race.trials, set(), []
        theirs = trials.objectives(trials.contender(other), blocks)
        for each in self._candidates.level():
            ours = trials.objectives(trials.contender(each.program), blocks)
            if ours and ours.items() <= theirs.items() and self._pace.keeps(each.program, blocks):
                levels.append(((not follows(each.program), each.family in families), each.program))
                families.add(each.family)
        return [program for _, program in sorted(levels, key=lambda pair: pair[0])]

    def pool(self, count: int) -> list[Parent]:
        """The best as parents, best first; of a task of one's own never fewer than `fewest`, where so many ran.

        From one program alone a search has no other families: where only what leads has children, they are soon all
        known, and there is nothing to cross them with. Then the best of those that fell out of the race have some, too.
        """
        sources = self.quick()[:count]
        if not self._task.of_paper and len(sources) < self._fewest:
            # Those of other costs first; where a few costs are all there are, as many programs of one cost.
            estimated = [
                each
                for distinct in (True, False)
                for each in best_estimated(self._candidates.best(distinct=distinct), 2 * self._fewest)
            ]
            others = (each.source for each in estimated if self._pace.keeps(each.source, self._race.blocks))
            sources = list(dict.fromkeys([*sources, *others]))[: min(self._fewest, count)]
        return [
            Parent(source, programs.program_hash(source), self._candidates.of(source).family, -place)
            for place, source in enumerate(sources)
        ]

    def doubted(self) -> str | None:
        """The reference where it may be as good as what leads; None if it is worse, or out of the race."""
        standings = (each for each in self._race.ranking() if each.source == self._task.template)
        return next((each.source for each in standings if each.gain + each.error >= 0), None)
