"""What the islands of a search and whoever leads them say to each other: plain data, which any transport carries."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..database import Candidate
from ..settings import SearchSettings
from ..starts import Start


@dataclass(frozen=True)
class Setup:
    """What a process needs to run islands of a search.

    Args:
        locator, digest: of the task (`Task.locator`, `Task.digest`): where its file is, and what must be in it.
        settings: of the whole search.
        starts: programs that every island starts from, the reference first.
        folder: each island has a run of its own in a folder below it; None keeps all of it in memory.
        model, method, encoder, decoder, surrogate, device: as `SearchOptions` has them, by name.
        workers: programs that a process evaluates side by side.
        cached: results of evaluations are remembered between runs.
        decoder_url: of a decoder named vllm:ID, its server.
    """

    locator: str
    digest: str
    settings: SearchSettings
    starts: tuple[Start, ...]
    folder: Path | None
    model: str = "lhs-tiny"
    method: str = "lhs"
    encoder: str | None = None
    decoder: str | None = None
    surrogate: str | None = None
    device: str = "cpu"
    workers: int = 1
    cached: bool = True
    decoder_url: str | None = None


@dataclass(frozen=True)
class Migrant:
    """A program that may go to another island.

    `score` estimates alpha times the objective on the instances of the race, which all islands share; `entries` are its
    entries of the ledger as plain data: what one island has measured none measures again.
    """

    program: str
    hash: str
    family: str
    score: float | None
    entries: tuple[dict[str, Any], ...]


@dataclass(frozen=True)
class Request:
    """One epoch of one island.

    Args:
        island, epoch: whose and which. Epoch 0 is the race of the starting programs.
        runs: instance runs that its ledger may hold.
        entries: of the starting programs, where another island has had them race.
        migrants: programs of other islands, best first; it takes some that it does not know.
        seconds_left: until the search is over.
    """

    island: int
    epoch: int
    runs: int
    entries: tuple[dict[str, Any], ...] = ()
    migrants: tuple[Migrant, ...] = ()
    seconds_left: float = float("inf")


@dataclass(frozen=True)
class Report:
    """What came of an epoch of an island; the same whenever it is asked for again.

    `candidates` are those of the epoch, migrants among them, with `related`: for each the hashes of its two parents and
    of the program that it repeats. `best` are its best programs, best first, `entries` the ledger of epoch 0, `runs`
    the instance runs in its ledger. `done`: what is left of its budget, or of the time, pays for nothing more.
    """

    island: int
    epoch: int
    candidates: tuple[Candidate, ...]
    related: tuple[tuple[str | None, str | None, str | None], ...]
    best: tuple[Migrant, ...]
    runs: int
    done: bool
    entries: tuple[dict[str, Any], ...] = field(default=(), repr=False)


def rounds(epoch: int, every: int) -> range:
    """The rounds of an epoch: that of the migrants (of the starting programs, in the first), then `every` of children.

    Epoch 0 is the race of the starting programs alone.
    """
    return range(1) if epoch == 0 else range((epoch - 1) * (every + 1), epoch * (every + 1))


def calls_of(budget: int, islands: int, island: int) -> int:
    """The part of a budget that an island has: parts add up, and differ by one at most."""
    return (budget + islands - 1 - island) // islands
