"""Giving memory back once visitors have left."""

from __future__ import annotations

import ctypes
import gc
from contextlib import suppress


def release_memory() -> None:
    """Collect garbage, and have glibc return its free pages to the system; without glibc only the former.

    Each thread that ran a search leaves an arena with free pages, which count as the server's until they are returned.
    """
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
