"""What every edit takes and gives: parents, proposals, and draws by rank."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from ...programs import program_hash
from ...tasks.base import Task

T = TypeVar("T")


@dataclass(frozen=True)
class Parent:
    """A program with a score that others can be made from.

    `hash` is its `program_hash`, `family` the idea it descends from (a family of the corpus, or any other name),
    `score` higher is better.
    """

    source: str
    hash: str
    family: str
    score: float

    @classmethod
    def of(cls, source: str, family: str, score: float) -> Parent:
        """A parent whose hash is computed from its text. Raises `ProgramError`."""
        return cls(source, program_hash(source), family, score)


@dataclass(frozen=True)
class Proposal:
    """A program made from others, not yet evaluated.

    `operator` is the name of the edit, `parents` are hashes (the first is that of the program that was edited),
    `changes` say what was done, one entry a place; `family` is the one that its children belong to.
    """

    source: str
    operator: str
    parents: tuple[str, ...]
    changes: tuple[str, ...]
    family: str


class Edit(Protocol):
    """A way to make a program from others. It keeps no state: the same generator gives the same proposal."""

    name: str

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program made from `parent`, maybe with others of `pool`; None if this edit does not apply."""
        ...


def draw_by_rank(
    options: Sequence[T], generator: np.random.Generator, score: Callable[[T], float], flatness: float = 1.0
) -> T:
    """One of the options, the one of rank r (from 0, the highest score) with a weight of 1 / (r + flatness).

    Equal scores rank in the order given. Raises `ValueError` if there is no option.
    """
    ranked = sorted(options, key=score, reverse=True)
    if not ranked:
        raise ValueError("nothing to draw from")
    weights = 1.0 / (np.arange(len(ranked)) + flatness)
    return ranked[int(generator.choice(len(ranked), p=weights / weights.sum()))]


def draw_in_turn(options: Sequence[Parent], count: int, generator: np.random.Generator) -> list[Parent]:
    """As many of the options, best first, as asked for: by rank and each once, then each once more, and so on."""
    drawn: list[Parent] = []
    while options and len(drawn) < count:
        weights = 1.0 / (np.arange(len(options)) + 1.0)
        size = min(count - len(drawn), len(options))
        places = generator.choice(len(options), size=size, replace=False, p=weights / weights.sum())
        drawn += [options[int(place)] for place in places]
    return drawn


def draw_stranger(parent: Parent, pool: Sequence[Parent], generator: np.random.Generator) -> Parent | None:
    """A parent of another family by rank; of the same one where there is no other, None where there is nobody else."""
    others = [each for each in pool if each.hash != parent.hash]
    strangers = [each for each in others if each.family != parent.family] or others
    return draw_by_rank(strangers, generator, lambda each: each.score) if strangers else None
