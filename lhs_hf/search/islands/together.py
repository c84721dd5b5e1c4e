"""The candidates of all islands as those of one run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..database import Candidate, RunDatabase
from ..starts import Start, starting_candidates
from ..values import MIGRANT
from .messages import Report


class Together:
    """The candidates of all islands in the database of the run: in the order of rounds, then of islands, each once.

    An incumbent of an island is one here if its estimate is the best so far, else it has "entered".

    Args:
        database: of the run. What is there already stays as it is.
        starts: the starting programs.
        listener: called with each candidate.
    """

    def __init__(self, database: RunDatabase, starts: Sequence[Start], listener: Callable[[Candidate], None]) -> None:
        self._database, self._listener = database, listener
        self.candidates = database.candidates()
        if not self.candidates:
            self.candidates = starting_candidates(starts)
            database.add_all(self.candidates)
        self._numbers: dict[str, int] = {}
        self._best = float("-inf")
        for candidate in self.candidates:
            self._remember(candidate)

    def of(self, own: str) -> Candidate:
        """The candidate of a program by its hash."""
        return self.candidates[self._numbers[own]]

    def begin(self, report: Report) -> None:
        """Take what became of the starting programs."""
        for candidate in report.candidates:
            self.candidates[candidate.id] = candidate
            self._database.update(candidate)
            self._remember(candidate)
            self._listener(candidate)

    def take(self, reports: Sequence[Report], epoch: range) -> None:
        """Take an epoch of all islands; it is stored as a whole."""
        last = self.candidates[-1].round
        if last and last in epoch:
            return  # the search was interrupted before the archive had it
        rows = [
            (candidate.round, report.island, place, candidate, related)
            for report in reports
            for place, (candidate, related) in enumerate(zip(report.candidates, report.related))
            if candidate.role != MIGRANT
        ]
        new: list[Candidate] = []
        for *_, candidate, related in sorted(rows, key=lambda row: row[:3]):
            parent, other, same = (None if each is None else self._numbers.get(each) for each in related)
            copy = replace(candidate, id=len(self.candidates), parent=parent, other_parent=other, duplicate_of=same)
            if copy.outcome == "incumbent" and copy.score is not None and copy.score <= self._best:
                copy.outcome = "entered"
            new.append(copy)
            self.candidates.append(copy)
            self._remember(copy)
        self._database.add_all(new)
        for candidate in new:
            self._listener(candidate)

    def _remember(self, candidate: Candidate) -> None:
        if candidate.program_hash is not None:
            self._numbers.setdefault(candidate.program_hash, candidate.id)
        if candidate.outcome == "incumbent" and candidate.score is not None:
            self._best = max(self._best, candidate.score)
