"""Seeded data order: batch n of a training run depends on the seed and on n, on nothing that happened before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

POOL_BATCHES = 32


class ExampleSource(Protocol):
    """Where training examples come from. Every draw uses the given generator, so that a resumed run sees the same."""

    def __len__(self) -> int:
        """Number of examples in an epoch."""
        ...

    def length(self, index: int) -> int:
        """About how long an example is; examples of similar length share a batch."""
        ...

    def example(self, index: int, generator: np.random.Generator) -> Any:
        """Example `index`, with whatever is random about it drawn from `generator`."""
        ...


class ListSource:
    """An `ExampleSource` over a list of ready examples. `length_of` gives their lengths (default: all alike)."""

    def __init__(self, examples: Sequence[Any], length_of: Callable[[Any], int] | None = None) -> None:
        self.examples = examples
        self._length_of = length_of

    def __len__(self) -> int:
        return len(self.examples)

    def length(self, index: int) -> int:
        return 0 if self._length_of is None else self._length_of(self.examples[index])

    def example(self, index: int, generator: np.random.Generator) -> Any:
        return self.examples[index]


class SeededExamples(Dataset):
    """Examples of a source by (epoch, index), each drawn with its own generator."""

    def __init__(self, source: ExampleSource, seed: int) -> None:
        self.source = source
        self.seed = seed

    def __len__(self) -> int:
        return len(self.source)

    def __getitem__(self, key: tuple[int, int]) -> Any:
        epoch, index = key
        return self.source.example(index, np.random.default_rng((self.seed, epoch, index)))


class BucketedBatches:
    """The batches of a whole run: `steps` lists of (epoch, index), examples of similar length together.

    Each epoch is shuffled, cut into pools of some batches, each pool sorted by length, and its batches shuffled.
    `rows_of` gives the part of a batch that is wanted; None all of it.
    """

    def __init__(
        self,
        source: ExampleSource,
        batch_size: int,
        steps: int,
        seed: int,
        rows_of: Callable[[list[Any]], list[Any]] | None = None,
    ) -> None:
        if not len(source):
            raise ValueError("there is nothing to train on: the source has no examples")
        self.lengths = np.array([source.length(index) for index in range(len(source))])
        self.batch_size = min(batch_size, len(source))
        self.steps = steps
        self.seed = seed
        self._rows_of = rows_of or (lambda batch: batch)

    def __len__(self) -> int:
        return self.steps

    def __iter__(self) -> Iterator[list[tuple[int, int]]]:
        epoch = made = 0
        while made < self.steps:
            for batch in self._epoch(epoch)[: self.steps - made]:
                made += 1
                yield self._rows_of(batch)
            epoch += 1

    def _epoch(self, epoch: int) -> list[list[tuple[int, int]]]:
        generator = np.random.default_rng((self.seed, epoch))
        order = generator.permutation(len(self.lengths))
        pool = self.batch_size * POOL_BATCHES
        batches = []
        for start in range(0, len(order), pool):
            indices = order[start : start + pool]
            indices = indices[np.argsort(self.lengths[indices], kind="stable")]
            batches += [indices[i : i + self.batch_size] for i in range(0, len(indices), self.batch_size)]
        # An incomplete last batch is dropped; its examples come up in another epoch.
        full = [batch for batch in batches if len(batch) == self.batch_size]
        return [[(epoch, int(index)) for index in full[i]] for i in generator.permutation(len(full))]


def make_loader(
    source: ExampleSource,
    collate: Callable[[list[Any]], dict[str, Tensor]],
    batch_size: int,
    steps: int,
    seed: int,
    rows_of: Callable[[list[Any]], list[Any]] | None = None,
) -> DataLoader:
    """The loader of a whole run, one batch a step, or the rows of it that `rows_of` gives."""
    return DataLoader(
        SeededExamples(source, seed),
        batch_sampler=BucketedBatches(source, batch_size, steps, seed, rows_of),
        collate_fn=collate,
        # Its own generator: creating an iterator must not advance the global stream, which draws noise and dropout.
        generator=torch.Generator().manual_seed(seed),
    )


def pad(rows: Sequence[Sequence[int]], side: str = "right") -> tuple[Tensor, Tensor]:
    """Token ids (B, T) int64 and their mask (B, T) bool, padded with 0 on one side."""
    length = max(len(row) for row in rows)
    ids = torch.zeros(len(rows), length, dtype=torch.long)
    mask = torch.zeros(len(rows), length, dtype=torch.bool)
    for i, row in enumerate(rows):
        where = slice(length - len(row), length) if side == "left" else slice(0, len(row))
        ids[i, where] = torch.as_tensor(row, dtype=torch.long)
        mask[i, where] = True
    return ids, mask


def choose(weights: Sequence[float], generator: np.random.Generator) -> int:
    """An index drawn with the given relative weights."""
    cumulative = np.cumsum(np.asarray(weights, dtype=np.float64))
    return int(np.searchsorted(cumulative, generator.random() * cumulative[-1], side="right"))
