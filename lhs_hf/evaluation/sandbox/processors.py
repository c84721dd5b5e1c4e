"""Which processor a process runs on, for how long, and keeping others off it.

A program that runs is disturbed most by its own sandbox: forking, warming up and taking apart the processes of other
candidates takes milliseconds, and a scheduler that wakes processes where they last ran likes to do it on the program's
processor while another is idle. All of it is advice to the scheduler: where the system takes none, nothing happens.
"""

from __future__ import annotations

import os
from collections.abc import Set as AbstractSet
from contextlib import suppress


def processor_of(process: int | str = "thread-self") -> int:
    """The processor a process, or the calling thread, last ran on. Raises `OSError` where there is no /proc."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
        return int(file.read().rpartition(")")[2].split()[36])


def processor_seconds(pid: int) -> float | None:
    """How long a process of one thread has run on processors; None where the system does not say."""
    with suppress(OSError, ValueError, IndexError), open(f"/proc/{pid}/schedstat", encoding="ascii") as file:
        return int(file.read().split()[0]) / 1e9
    return None


def allowed_processors(pid: int = 0) -> AbstractSet[int]:
    """The processors a process may use (0: the caller); empty where the system does not say."""
    with suppress(AttributeError, OSError):
        return os.sched_getaffinity(pid)
    return frozenset()


def restrict(pid: int, processors: AbstractSet[int]) -> None:
    """Let a process use these processors only; nothing happens if there are none, or the process has ended."""
    with suppress(AttributeError, OSError, ValueError):
        if processors:
            os.sched_setaffinity(pid, processors)
