"""Threads of PyTorch while a search runs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch

SMALL = 100_000_000
"""Parameters: below it one thread is as quick as several."""


@contextmanager
def few_threads(model: Any) -> Iterator[None]:
    """One thread for a small model, unless the environment says how many (`OMP_NUM_THREADS`).

    Threads of a small model wait for each other most of the time. Where the cores are busy, such as with the programs
    of this search or with a second one, that makes decoding ten times as slow.
    """
    before = torch.get_num_threads()
    parameters = sum(each.numel() for each in model.parameters()) if isinstance(model, torch.nn.Module) else SMALL
    if parameters < SMALL and "OMP_NUM_THREADS" not in os.environ:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)
