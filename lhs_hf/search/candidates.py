"""The candidates of a search while it runs: a round costs the same with a million of them as with a thousand."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from ..errors import CallError
from ..programs import program_hash
from ..recent import Recent
from .database import CLOSED, Candidate, RunDatabase
from .values import DECODED_ROLES, STANDING

RECENT = 8192
"""Candidates in memory: all of most searches, 30 MB."""

Kinds = list[tuple[Candidate, int]]
"""Candidates, each with how many it stands for (`kinds`)."""

FLAGS = {
    "decoded": f"role IN {DECODED_ROLES}",
    "ok": "status = 'ok'",
    "raced": "outcome <> ''",
    "standing": f"outcome IN {STANDING}",
}
"""Properties of a `Candidate`, each with what says the same in SQL."""
NUMBERS = ("id", "round", "point", "score", "objective", "predicted_after", "runtime_s", "runs")
"""Fields of a `Candidate` that are asked for of all of them."""

_CHUNK, _KINDS, _LEVEL = 500, 10_000, 500
_SCORED = "status = 'ok' AND duplicate_of IS NULL AND score"


class Candidates(Sequence[Candidate]):
    """The candidates of a run by id, which is their place in the order in which they were made.

    The last `recent` are in memory, each as one object: what a search changes in it is there when it is asked for
    again. Others are read from the database when they are asked for, and what a search looks for is asked of its
    indexes.

    Args:
        database: of the run; what is changed in a candidate has to be stored in it (`RunDatabase.update`).
        recent: candidates in memory.
    """

    def __init__(self, database: RunDatabase, recent: int = RECENT) -> None:
        self.database = database
        [(self._count, last)] = database.select("COUNT(*), ifnull(MAX(id), -1)")
        if last + 1 != self._count:
            raise CallError(f"{database.name} holds {self._count} candidates with ids up to {last}: some are missing")
        self._kept: Recent[int, Candidate] = Recent(recent)
        if self._count <= recent:
            self._kept.update((candidate.id, candidate) for candidate in database.candidates())

    @property
    def whole(self) -> bool:
        """Whether all of them are in memory."""
        return len(self._kept) == self._count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Candidate: ...

    @overload
    def __getitem__(self, index: slice) -> list[Candidate]: ...

    def __getitem__(self, index: int | slice) -> Candidate | list[Candidate]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(self._count))]
        number = range(self._count)[index]
        if number not in self._kept:
            self._kept[number] = next(self.database.read("WHERE id = ?", number))
        return self._kept[number]

    def __iter__(self) -> Iterator[Candidate]:
        for first in range(0, self._count, _CHUNK):
            numbers = range(first, min(first + _CHUNK, self._count))
            chunk = {number: self._kept[number] for number in numbers if number in self._kept}
            if len(chunk) < len(numbers):
                stored = self.database.read("WHERE id BETWEEN ? AND ?", numbers[0], numbers[-1])
                chunk = {candidate.id: candidate for candidate in stored} | chunk
            yield from (chunk[number] for number in numbers)

    def extend(self, candidates: Sequence[Candidate]) -> None:
        """Store the next candidates: all of them or none."""
        self.database.add_all(candidates)
        self._kept.update((candidate.id, candidate) for candidate in candidates)
        self._count += len(candidates)

    def spent(self) -> tuple[int, int]:
        """Decoder calls and tokens of all of them; it looks at each."""
        [(calls, tokens)] = self.database.select(f"SUM(role IN {DECODED_ROLES}), SUM(tokens)")
        return calls or 0, tokens or 0

    def of_round(self, number: int) -> list[Candidate]:
        """Those of a round."""
        return self._numbered("WHERE round = ? ORDER BY id", number)

    def pending(self) -> list[Candidate]:
        """Those that have not been evaluated."""
        return self._numbered("WHERE status = 'pending' ORDER BY id")

    def first(self, hash: str | None) -> Candidate | None:
        """The one of a program (by `program_hash`) that repeats no other and was not screened out; None for none."""
        where = "WHERE program_hash = ? AND duplicate_of IS NULL AND status <> 'screened' ORDER BY id LIMIT 1"
        return next(iter(self._numbered(where, hash)), None)

    def of(self, source: str) -> Candidate:
        """As `first`, of a program that is there."""
        candidate = self.first(program_hash(source))
        assert candidate is not None
        return candidate

    def has(self, hash: str) -> bool:
        """Whether one is of this program (`edits.Known`)."""
        return self.first(hash) is not None

    def alike(self, key: str) -> list[str]:
        """The text of the first that decides so (`Candidate.decisions`), nothing if there is none."""
        return [candidate.program for candidate in self._numbered("WHERE decisions = ? ORDER BY id LIMIT 1", key)]

    def level(self) -> Iterator[Candidate]:
        """The first of those that no instance they have met tells from another program, in the order they were made."""
        where = f"WHERE outcome = 'same' AND duplicate_of IS NULL ORDER BY id LIMIT {_LEVEL}"
        for candidate in self.database.read(where):
            yield self._kept.get(candidate.id, candidate)

    def best(self, before: int = 2**53, distinct: bool = False) -> Iterator[Candidate]:
        """Those of rounds before one with a score, that repeat no other: the best first, of equal ones the earliest.

        `distinct`: of those with one score the first alone.
        """
        order = f"AND round < {int(before)} ORDER BY score DESC, id"
        if not distinct:
            for candidate in self.database.read(f"WHERE {_SCORED} IS NOT NULL {order}"):
                yield self._kept.get(candidate.id, candidate)
            return
        score: float | None = math.inf
        while found := self._numbered(f"WHERE {_SCORED} < ? {order} LIMIT 1", score):
            yield found[0]
            score = found[0].score

    def _numbered(self, where: str, *values: object) -> list[Candidate]:
        return [self[number] for (number,) in self.database.select("id", where, *values)]


def beyond_memory(candidates: Sequence[Candidate]) -> Candidates | None:
    """These candidates if they are of a database and not all in memory: sums over them are asked of it."""
    return candidates if isinstance(candidates, Candidates) and not candidates.whole else None


def numbers(candidates: Sequence[Candidate], *names: str) -> list[np.ndarray]:
    """Numbers and flags of all candidates, one float64 array (N,) for each name, NaN for None.

    `names`: of `NUMBERS`, and properties of `FLAGS`, which are 0 or 1.
    """
    large = beyond_memory(candidates)
    if large is None:
        rows = [[getattr(candidate, name) for name in names] for candidate in candidates]
        return list(np.array(rows, dtype=np.float64).reshape(-1, len(names)).T)
    # All in one pass, and once: the rows cost more than the columns.
    table = large.database.kept("numbers", lambda: _columns(large))
    return [table[name] for name in names]


def _columns(large: Candidates) -> dict[str, np.ndarray]:
    names = (*NUMBERS, *FLAGS)
    return dict(zip(names, large.database.numbers(*(FLAGS.get(name, name) for name in names))))


def kinds(candidates: Sequence[Candidate]) -> Kinds:
    """Candidates, each with how many it stands for: itself, or all of one role, status and outcome.

    In the latter `tokens` and `runs` are those of all of them together, `changes` and `duplicate_of` say whether they
    were closed and repeat others, and nothing else is known.
    """
    large = beyond_memory(candidates)
    if large is None:
        return [(candidate, 1) for candidate in candidates]
    return large.database.kept("kinds", lambda: _grouped(large))


def _grouped(large: Candidates) -> Kinds:
    # One text sorts in half of the time that five columns take.
    parts = ("role", "status", f"changes = '{CLOSED}'", "duplicate_of IS NOT NULL", "outcome")
    names = " || char(31) || ".join(f"({part})" for part in parts)
    sums = large.database.sums(
        f"{names}, TOTAL(tokens), TOTAL(runs), COUNT(*)", f"GROUP BY 1 ORDER BY MIN(id) LIMIT {_KINDS}"
    )
    groups = []
    for text, tokens, runs, count in sums:
        role, status, closed, repeats, outcome = text.split(chr(31), len(parts) - 1)
        kind = Candidate(0, 0, role, "", tokens=int(tokens), status=status, outcome=outcome, runs=int(runs))
        kind.changes, kind.duplicate_of = CLOSED if closed == "1" else "", 0 if repeats == "1" else None
        groups.append((kind, count))
    return groups
