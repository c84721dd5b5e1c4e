"""The processes of one training, as `accelerate launch` or `torchrun` starts them; one process where nobody has.

Parts whose batches are large share them out: each process takes some rows of a batch, and what would be a mean over all
rows in one process is one over all processes. The others are trained by every process alike: their batches are too
small to be worth the waiting. Files are written by the first process.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from typing import Any, TypeVar

import torch
from torch import Tensor, nn

T = TypeVar("T")

_PATIENCE = timedelta(days=7)
"""How long processes wait for the first one: it streams variants and encodes a corpus meanwhile."""


class Processes:
    """The processes that work on a training together: how many there are, and which one this is, from 0."""

    def __init__(self) -> None:
        self.count, self.rank = 1, 0
        if int(os.environ.get("WORLD_SIZE", "1")) > 1:
            from accelerate import PartialState

            state = PartialState(cpu=on_processors(), timeout=_PATIENCE)
            self.count, self.rank = state.num_processes, state.process_index

    @property
    def first(self) -> bool:
        """Whether this is the process that writes files."""
        return self.rank == 0

    def wait(self) -> None:
        """Until all of them are here."""
        if self.count > 1:
            from accelerate import PartialState

            PartialState().wait_for_everyone()

    def agree(self, value: T) -> T:
        """What the first process says, in all of them."""
        if self.count == 1:
            return value
        from accelerate.utils import broadcast_object_list

        [agreed] = broadcast_object_list([value])
        return agreed

    def rows_of(self, batch: list[T]) -> list[T]:
        """The rows of a batch that this process takes: as many as every other one."""
        return batch[self.rank :: self.count]


def on_processors() -> bool:
    """Whether several processes train without accelerators: there are none, or `ACCELERATE_USE_CPU` says so."""
    from accelerate.utils import parse_flag_from_env

    return parse_flag_from_env("ACCELERATE_USE_CPU") or not torch.accelerator.is_available()


def shared_mean(total: Tensor, count: Tensor) -> Tensor:
    """A sum over rows divided by what is counted in them: by what all processes count, at least 1.

    The gradients of processes are averaged, and so are their losses: both come to what one process has from all rows.

    Args:
        total, count: scalars of the rows of this process.
    """
    if not (torch.distributed.is_available() and torch.distributed.is_initialized()):
        return total / count.clamp(min=1)
    everywhere = count.detach().clone().float()
    torch.distributed.all_reduce(everywhere)
    return total * torch.distributed.get_world_size() / everywhere.clamp(min=1)


def through(model: nn.Module, loss: Callable[[nn.Module, Any], Tensor], batch: Any) -> Tensor:
    """`loss(model, batch)`, called as the forward pass of what wraps the model where something does.

    `DistributedDataParallel` prepares for averaging gradients in its forward pass, and knows no other method of the
    model that it wraps.
    """
    if not isinstance(model, nn.parallel.DistributedDataParallel):
        return loss(model, batch)
    inner: Any = model.module
    forward = inner.forward

    def once(given: Any) -> Tensor:
        inner.forward = forward
        return loss(inner, given)

    inner.forward = once
    try:
        value: Tensor = model(batch)
    finally:
        inner.forward = forward
    return value
