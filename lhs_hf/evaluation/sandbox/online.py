"""Online tasks: the parent reveals one observation at a time and waits for the decision on it.

Two processes that take turns lose most of their time to waking each other across processors, so both are put on one
for as long as they talk.
"""

from __future__ import annotations

import os
import socket
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import numpy as np

from . import frames
from .spawner import Child

_LOOK_AT_CLOCK_S = 0.05


@contextmanager
def same_processor(pid: int) -> Iterator[None]:
    """Keep this thread and a process on the processor this thread runs on, where the system can do that."""
    try:
        allowed = os.sched_getaffinity(0)
        with open("/proc/thread-self/stat", encoding="ascii") as file:
            here = int(file.read().rpartition(")")[2].split()[36])
        os.sched_setaffinity(0, {here})
    except (AttributeError, OSError, ValueError, IndexError):
        yield
        return
    try:
        with suppress(OSError):  # it has ended; whoever reads from it will notice
            os.sched_setaffinity(pid, {here})
        yield
    finally:
        os.sched_setaffinity(0, allowed)


def _wait_at_most(channel: socket.socket, seconds: float) -> None:
    """Bound every blocking read of a socket; one system call a step is saved over polling first."""
    channel.settimeout(None)
    whole = int(seconds)
    channel.setsockopt(
        socket.SOL_SOCKET, socket.SO_RCVTIMEO, struct.pack("ll", whole, max(1, int((seconds - whole) * 1e6)))
    )


def drive(
    child: Child, observations: Sequence[int], reader: frames.Reader, failed: Callable[[frames.Reader], None]
) -> np.ndarray:
    """Reveal the observations one by one and record the decisions, int64 (observations,).

    `failed` is called when the child announces a failure, and raises it. Raises `TimeoutError`, `EOFError`, `OSError`.
    """
    decisions: list[int] = []
    record = decisions.append
    pack, unpack, size, failure = frames.INTEGER.pack, frames.INTEGER.unpack, frames.INTEGER.size, frames.FAILED_STEP
    descriptor, read, write, clock = child.channel.fileno(), os.read, os.write, time.monotonic
    reader.charge(size * len(observations))
    with same_processor(child.pid):
        look = 0.0
        for observation in observations:
            if clock() >= look:
                _wait_at_most(child.channel, reader.deadline.remaining())
                look = clock() + _LOOK_AT_CLOCK_S
            try:
                write(descriptor, pack(observation))
                data = read(descriptor, size)
            except BlockingIOError:
                raise TimeoutError from None
            if len(data) != size:
                if not data:
                    raise EOFError
                data += reader.exactly(size - len(data))
                look = 0.0
            (decision,) = unpack(data)
            if decision == failure:
                failed(reader)
            record(decision)
        write(descriptor, pack(frames.END_OF_INSTANCE))
    return np.array(decisions, dtype=np.int64)
