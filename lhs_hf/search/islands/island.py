"""One island: a portfolio that goes on for a few rounds when it is asked to, and lets programs of others in."""

from __future__ import annotations

import math
import time
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import programs
from ...evaluation import Evaluator
from ...evaluation.racing import Entry
from ..database import Candidate, RunDatabase
from ..portfolio import PortfolioSearch
from ..portfolio.children import numbered
from ..settings import SearchSettings
from ..starts import Start
from ..values import MIGRANT
from .messages import Migrant, Report, Request, calls_of, rounds

if TYPE_CHECKING:
    from ..components import Components

SENT = 2
"""Programs of an island that others may take after each epoch: its best ones."""
LET_IN = 3
"""Programs of others that an island takes before an epoch: the best that it does not know."""


class Island(PortfolioSearch):
    """A portfolio of several that share their training instances and pass programs on.

    All that is random in it follows from the seed of the search and its own number; the instances of its race are those
    of the other islands, so that estimates of one compare with those of another, and a program that goes from one to
    another takes what was measured of it along. It has no finals of its own. As of any portfolio, all its state is its
    database, migrants among it: one that is opened again is where it was.

    Args:
        number: of the island, from 0.
        settings: of the whole search.
        components, evaluator, database, starts: as `PortfolioSearch` has them.
    """

    def __init__(
        self,
        number: int,
        components: Components | None,
        evaluator: Evaluator,
        database: RunDatabase,
        settings: SearchSettings,
        starts: Sequence[Start],
    ) -> None:
        self.number = number
        self._end = math.inf
        super().__init__(
            components,
            evaluator,
            database,
            settings_of(settings, number),
            starts,
            seconds_left=lambda: self._end - time.monotonic(),
        )
        # Programs of like tasks are tried as they are: by one island each.
        self._transfers = self._transfers[number :: settings.islands]
        self._every = settings.migration
        self._begun = False
        self._raced: list[Candidate] = []

    def step(self, request: Request) -> Report:
        """Let migrants in and search for an epoch. One that has ended gives the same report and spends nothing."""
        self._race.budget = request.runs
        self._end = time.monotonic() + request.seconds_left
        self._take_over(request.entries)
        if not self._begun:
            self._begin()
            self._begun = True
        epoch = rounds(request.epoch, self._every)
        number = max(self.candidates[-1].round + 1, epoch.start)
        if number == epoch.start and self._goes_on(number):
            self._let_in(request.migrants, number)
            number += 1
        while epoch.start < number < epoch.stop and self._goes_on(number):
            self._round(number)
            number += 1
        return self._report(request, done=number < epoch.stop)

    def _take_over(self, entries: Iterable[Mapping[str, Any]]) -> None:
        """Enter what other islands have measured; they have paid for it."""
        ledger = self._trials.ledger
        for each in entries:
            if ledger.get(each["program"], each["block"]) is None:
                ledger.add(Entry.from_dict({**each, "runs": 0}))

    def _let_in(self, migrants: Sequence[Migrant], number: int) -> None:
        strangers = [each for each in migrants if not self.candidates.has(each.hash)][:LET_IN]
        for each in strangers:
            self._take_over(each.entries)
        children = [
            Candidate(-1, number, MIGRANT, each.program, program_hash=each.hash, operator=MIGRANT, family=each.family)
            for each in strangers
        ]
        self._store(numbered(children, self.candidates))
        self._run_race(children)

    def _run_race(self, children: Sequence[Candidate]) -> None:
        super()._run_race(children)
        self._raced.extend(children)

    def _latents_alone(self, number: int) -> bool:
        # A round of migrants says nothing about the latents of the round before it.
        after_migrants = number > 1 and number % (self._every + 1) == 1
        return super()._latents_alone(number - 1 if after_migrants else number)

    def _generator(self, number: int) -> np.random.Generator:
        own = [self.settings.seed, zlib.crc32(self.task.name.encode()), 7, number, self.number]
        return np.random.default_rng(own)

    def _report(self, request: Request, done: bool) -> Report:
        of_epoch = rounds(request.epoch, self._every)
        # The starting programs are those of epoch 0.
        candidates = tuple(each for each in self._raced if each.round in of_epoch and (each.round or not request.epoch))
        self._raced = []
        ledger = self._trials.ledger
        return Report(
            self.number,
            request.epoch,
            candidates,
            tuple((self._hash(c.parent), self._hash(c.other_parent), self._hash(c.duplicate_of)) for c in candidates),
            tuple(self._migrant(source) for source in self._parents.quick()[:SENT]),
            ledger.runs,
            done,
            () if request.epoch else tuple(ledger.as_dicts()),
        )

    def _hash(self, number: int | None) -> str | None:
        return None if number is None else self.candidates[number].program_hash

    def _migrant(self, source: str) -> Migrant:
        estimate = self._records.estimate(source)
        own = programs.program_hash(source)
        entries = self._trials.ledger.of(self._trials.contender(source).identity)
        return Migrant(
            source,
            own,
            self.candidates.of(source).family,
            None if estimate is None else self.task.alpha * estimate,
            tuple(entry.as_dict() for entry in entries),
        )


def settings_of(settings: SearchSettings, number: int) -> SearchSettings:
    """The settings of one island: its part of the budget, and no islands in it."""
    return replace(settings, budget=calls_of(settings.budget, settings.islands, number), islands=1)
