"""A search on islands: epoch after epoch of all of them, one archive between two, one choice in the end."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ... import programs
from ...evaluation import Evaluator
from ...evaluation.racing import Entry, Ledger, Race, TrainingInstances, Trials, finals_cost
from ..database import Candidate, RunDatabase
from ..outcome import Outcome, no_program
from ..portfolio.ending import FINALISTS, final_instances, settled
from ..portfolio.pace import Pace
from .archive import Archive, Standing
from .executors import Executor
from .messages import Migrant, Report, Request, Setup, calls_of, rounds
from .together import Together


class IslandSearch:
    """One search of one task by several portfolios. All its state follows from the archive and the databases.

    The first island has the starting programs race; the others take over what it measured. Then all islands search for
    an epoch, side by side, each within its part of the budget: `settings.migration` rounds. When the last of them has
    ended it, what they made is stored in the run's database in a fixed order, and what they pass on in the archive;
    the next epoch begins with the best programs of the others. So nothing depends on who is quicker, and a search that
    is resumed goes on with the epoch that it was in. In the end the best program of each island meets fresh instances,
    as the last few of a portfolio do. All of it takes as many instance runs as one portfolio of the same budget.

    Args:
        setup: what the islands are.
        executor: where they are.
        evaluator: runs the programs of the finals.
        database: of the run: the programs of all islands, each once, and the finals.
        archive: beside it.
        listener, stop, seconds_left: as `PortfolioSearch` has them; `stop` is asked before every epoch, the listener is
            told what an epoch brought when it is over.
    """

    def __init__(
        self,
        setup: Setup,
        executor: Executor,
        evaluator: Evaluator,
        database: RunDatabase,
        archive: Archive,
        listener: Callable[[Candidate], None] | None = None,
        stop: Callable[[], bool] | None = None,
        seconds_left: Callable[[], float] = lambda: math.inf,
    ) -> None:
        self.task = evaluator.task
        self._executor, self._archive = executor, archive
        self._settings, self._starts = setup.settings, setup.starts
        settings, starts = setup.settings, setup.starts
        self._stop = stop or (lambda: False)
        self._seconds_left = seconds_left
        self._trials = Trials(
            evaluator,
            TrainingInstances(self.task, settings.seed),
            Ledger(database.measurements(), database.add_measurement),
        )
        self._together = Together(database, starts, listener or (lambda candidate: None))
        self._favourite = next((start.source for start in starts if start.role == "corpus"), None)
        self._finalists = max(FINALISTS, settings.islands)
        total = settings.budget * self.task.split("search").count
        against = self._favourite is not None
        self._finals = final_instances(total, against, self._finalists)
        held = self._finals > 0 and not self._trials.instances.deterministic
        self._runs = total - (finals_cost(self._finalists, self._finals, against) if held else 0)

    def run(self) -> Outcome:
        """Search until the budget is spent. Stopping it loses no candidate that is finished.

        Raises `RuntimeError` if even the reference program fails.
        """
        if not self._archive.epochs:
            self._begin()
        while not self._stop() and self._seconds_left() > 0:
            epoch = self._archive.epochs
            reports = self._executor.run(self._requests(epoch))
            ended = all(report.done for report in reports)
            if ended and not (any(report.candidates for report in reports) or self._spent(reports)):
                break
            self._together.take(reports, rounds(epoch, self._settings.migration))
            self._archive.add(reports)
            if ended:
                break
        return self._finish()

    def _spent(self, reports: Sequence[Report]) -> bool:
        """Whether an epoch took instance runs: one without children still has the best programs meet more instances."""
        before = self._archive.standings(self._archive.epochs - 1)
        return sum(report.runs for report in reports) > sum(standing.runs for standing in before)

    def _begin(self) -> None:
        """Have the first island race the starting programs; what that measured is everybody's."""
        [report] = self._executor.run([Request(0, 0, self._runs, seconds_left=self._seconds_left())])
        self._know(report.entries)
        self._together.begin(report)
        self._archive.add([report])

    def _requests(self, epoch: int) -> list[Request]:
        [first] = self._archive.standings(0)
        before = self._archive.standings(epoch - 1) if epoch > 1 else []
        entries = tuple(entry.as_dict() for entry in self._entries_of_starts())
        count = self._settings.islands
        shares = [calls_of(max(0, self._runs - first.runs), count, island) for island in range(count)]
        shares[0] += first.runs
        left = self._seconds_left()
        return [
            Request(island, epoch, runs, entries if island else (), travellers(before, island), left)
            for island, runs in enumerate(shares)
        ]

    def _entries_of_starts(self) -> list[Entry]:
        identities = dict.fromkeys(self._trials.contender(start.source).identity for start in self._starts)
        race = {block.name for block in Race(self._trials).blocks}
        return [entry for own in identities for entry in self._trials.ledger.of(own) if entry.block in race]

    def _know(self, entries: Sequence[dict[str, object]]) -> None:
        """Enter what islands have measured; it counts as their instance runs."""
        for each in entries:
            entry = Entry.from_dict({**each, "runs": 0})
            if self._trials.ledger.get(entry.program, entry.block) is None:
                self._trials.ledger.add(entry)

    # -- the end ---------------------------------------------------------------------------------------------------

    def _finish(self) -> Outcome:
        standings = self._archive.standings(self._archive.epochs - 1)
        last = finalists_among(standings, self._finalists)
        if not last:
            raise no_program(self.task, self._together.candidates[0])
        for each in last:
            self._know(each.entries)
        pace = Pace(self._trials, self._starts, self._settings.max_slowdown)
        pace.set()
        ranking = [each.program for each in last]
        runs = sum(standing.runs for standing in standings)
        figures: dict[str, float | None] = {"instances": 0, "objective": None, "objective_error": None}
        if self._finals:
            results = settled(self._trials, ranking, self._finals, self._standing_favourite(ranking, pace))
            ranking = [each.source for each in results]
            figures = {name: getattr(results[0], name) for name in figures}
        best = self._together.of(programs.program_hash(ranking[0]))
        return Outcome(self._together.candidates, best, {**figures, "instance_runs": runs + self._trials.ledger.runs})

    def _standing_favourite(self, ranking: Sequence[str], pace: Pace) -> str | None:
        """The program that others have to beat; None for one that failed or was too slow."""
        favourite = self._favourite
        if favourite is None or favourite in ranking:
            return favourite
        raced = self._together.of(programs.program_hash(favourite)).ok
        return favourite if raced and pace.keeps(favourite, Race(self._trials).blocks) else None


def travellers(standings: Sequence[Standing], island: int) -> tuple[Migrant, ...]:
    """What an island may take over: the best programs of all others, best first, by island where they are equal."""
    own = {each.hash for standing in standings if standing.island == island for each in standing.best}
    others = [each for standing in standings if standing.island != island for each in standing.best]
    others.sort(key=lambda each: -math.inf if each.score is None else each.score, reverse=True)
    first: dict[str, Migrant] = {}
    for each in others:
        if each.hash not in own:
            first.setdefault(each.hash, each)
    return tuple(first.values())


def finalists_among(standings: Sequence[Standing], count: int) -> list[Migrant]:
    """The programs of the finals: the best of each island, then their seconds, best first among these and those."""
    first: dict[str, Migrant] = {}
    for place in range(max((len(standing.best) for standing in standings), default=0)):
        row = [standing.best[place] for standing in standings if len(standing.best) > place]
        for each in sorted(row, key=lambda each: -math.inf if each.score is None else each.score, reverse=True):
            first.setdefault(each.hash, each)
    return list(first.values())[:count]
