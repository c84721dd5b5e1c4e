"""The training instances of a run: as many as are wanted, in blocks, the same ones whenever the run is resumed."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass, field, replace
from functools import cached_property

from ...errors import CallError
from ...tasks.base import FreshSplit, NoFreshInstances, Task

MOST_AT_FIRST = 4
"""Instances of the first block: few, since half of all edits are so much worse that these few show it."""
# A program that needs most of its time on `search` may meet slower instances in a small block.
_SLACK = 2.0
_SHORTEST_S = 5.0
_NEAR_LIMIT = 3
"""What takes longer than this part of its limit is counted, since a clock may be off by half, ..."""
_FOR_LIMIT = 200
"""... and what longer than this part of the task's own, as long as the race's limit may follow from it (`hurry`)."""


@dataclass(frozen=True)
class Block:
    """A group of instances that a program meets together: what the ledger knows them by, and how many they are.

    `number`: how many blocks of the race, or of the finals, come before it.
    """

    name: str
    size: int
    number: int = field(default=0, compare=False)


class TrainingInstances:
    """Fresh instances of the distribution of `search`, never those of a published split.

    What is in a block follows from the seed of the run, the purpose, number and size of the block, and nothing else.
    Instances are drawn when they are first asked for and kept, so that one object serves all programs.

    A task whose instances do not depend on a seed (`NoFreshInstances`) has one block only, its `search` split:
    `deterministic` is True then, and one evaluation says all there is to know.

    Args:
        task: the task.
        seed: of the run, any whole number from 0.
        unit: instances of the first block; None takes a quarter of those of `search`, 2 to 4.

    `allowed_s`: seconds a program may take for as many instances as `search` has; the time limit of the task unless
    `hurry` lowers it.
    """

    def __init__(self, task: Task, seed: int, unit: int | None = None) -> None:
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
            raise CallError(f"training instances need a whole number from 0 as their seed, got {seed!r:.80}")
        if unit is not None and unit < 2:
            raise CallError(f"a block needs at least 2 instances, since one shows no noise, got {unit}")
        self.task = task
        self.seed = seed
        self.unit = unit or max(2, min(MOST_AT_FIRST, task.split("search").count // 4))
        self.allowed_s = task.time_limit_s
        self._slowest_s = math.inf
        self._hurried = False
        self._drawn: dict[Block, FreshSplit] = {}

    @cached_property
    def deterministic(self) -> bool:
        """Whether `search` is all there is."""
        try:
            self._draw(self._race_block(0))
        except NoFreshInstances:
            return True
        return False

    def block(self, number: int, size: int | None = None) -> Block:
        """A block of the race: after block k a program has met unit * 2**k instances, unless sizes are given."""
        return self._search if self.deterministic else self._race_block(number, size)

    def final(self, count: int = 200) -> tuple[Block, ...]:
        """Three blocks that no race has met: a quarter, another quarter and half of `count` instances."""
        if self.deterministic:
            return (self._search,)
        first, second, _ = stops(count)
        sizes = (first, second - first, count - second)
        return tuple(Block(f"final-{number}/{size}", size, number) for number, size in enumerate(sizes))

    def split(self, block: Block) -> FreshSplit | str:
        """The instances of a block, for `Evaluator.evaluate`, with the time a program may take for them."""
        if block == self._search:
            return block.name
        limit = self._limit(block.size)
        if self._hurried:
            counted = self._share(block, limit) / _NEAR_LIMIT
        else:
            counted = self.task.time_limit_s / _FOR_LIMIT * block.size / self.task.split("search").count
        return replace(self._draw(block), time_limit_s=limit, counted_from_s=counted)

    def hurry(self, seconds: float) -> None:
        """Allow no program more than so many seconds for as many instances as `search` has.

        What a task allows is meant for the one program that is judged in the end. A search runs hundreds of them: one
        that takes a hundred times as long as the others would have all of them wait.
        """
        self.allowed_s = min(self.task.time_limit_s, seconds)
        self._hurried = True

    def slowest(self, seconds: float) -> None:
        """Take no program that takes longer than so many seconds for as many instances as `search` has.

        It is not stopped before `allowed_s`: how long exactly one takes is known when it has ended.
        """
        self._slowest_s = seconds

    def seconds(self, count: int) -> float:
        """What a program may take for so many instances: its share of what is allowed beyond those of `search`."""
        return min(self.allowed_s, self._slowest_s) * max(1.0, count / self.task.split("search").count)

    def _share(self, block: Block, limit: float) -> float:
        """Seconds on a block with which a program would use up its limit there, or on all blocks up to it (`seconds`).

        No block of a race or of finals is larger than those behind it.
        """
        met = (block.number + 1) * block.size
        return min(limit, self.seconds(met) * block.size / met)

    @property
    def _search(self) -> Block:
        return Block("search", self.task.split("search").count)

    def _race_block(self, number: int, size: int | None = None) -> Block:
        size = size or self.unit * 2 ** max(0, number - 1)
        return Block(f"race-{number}/{size}", size, number)

    def _draw(self, block: Block) -> FreshSplit:
        if block not in self._drawn:
            words = hashlib.sha256(f"training {self.seed} {block.name}".encode()).digest()
            split = self.task.fresh_split(int.from_bytes(words[:16], "big"), block.size)
            self._drawn[block] = replace(split, processor_time=True)
        return self._drawn[block]

    def _limit(self, size: int) -> float:
        share = size / self.task.split("search").count
        return max(min(_SHORTEST_S, self.allowed_s), self.allowed_s * max(share, min(1.0, _SLACK * share)))


def stops(count: int) -> tuple[int, int, int]:
    """After how many instances each stage of the finals ends."""
    return round(count / 4), round(count / 2), count
