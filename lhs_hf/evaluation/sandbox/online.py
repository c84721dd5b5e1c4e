"""Online tasks: the parent reveals one observation of a game at a time and waits for the decision on it.

Several games can go side by side in one exchange, each as ignorant of its future as alone. A program that can see
nothing but its arguments (`purity.is_pure`) needs none of this: its child gets all observations and plays on its own.

Two processes that take turns lose most of their time to waking each other across processors, so both are put on one
for as long as they talk.
"""

from __future__ import annotations

import os
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

import numpy as np

from . import frames
from .processors import processor_of
from .spawner import Child

_LOOK_AT_CLOCK_S = 0.05


_taken: Counter[int] = Counter()
_choosing = threading.Lock()


@contextmanager
def same_processor(pid: int) -> Iterator[None]:
    """Keep this thread and a process on one processor, where the system can do that.

    It is the one this thread runs on, unless another pair of this process is there and one without a pair is allowed.
    """
    try:
        allowed = os.sched_getaffinity(0)
        current = processor_of()
        with _choosing:
            here = min(allowed, key=lambda each: (_taken[each], each != current))
            os.sched_setaffinity(0, {here})
            _taken[here] += 1
    except (AttributeError, OSError, ValueError, IndexError):
        yield
        return
    try:
        with suppress(OSError):  # it has ended; whoever reads from it will notice
            os.sched_setaffinity(pid, {here})
        yield
    finally:
        os.sched_setaffinity(0, allowed)
        with _choosing:
            _taken[here] -= 1


def _wait_at_most(channel: socket.socket, seconds: float) -> None:
    """Bound every blocking read and write of a socket; one system call a step is saved over polling first."""
    channel.settimeout(None)
    whole = int(seconds)
    bound = struct.pack("ll", whole, max(1, int((seconds - whole) * 1e6)))
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, bound)
    channel.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, bound)


def play(
    child: Child,
    observations: Sequence[Sequence[int]],
    reader: frames.Reader,
    failed: Callable[[frames.Reader], None],
) -> np.ndarray:
    """Reveal the observations of some games of equal length step by step; the decisions, int64 (games, steps).

    `failed` is called when the child announces a failure, and raises it. Raises `TimeoutError`, `EOFError`, `OSError`.
    """
    shown = np.ascontiguousarray(np.asarray(observations, dtype="<i8").T)
    steps, games = shown.shape
    size = shown.itemsize * games
    data, failure = shown.tobytes(), frames.INTEGER.pack(frames.FAILED_STEP)
    answers: list[bytes] = []
    descriptor, read, write, clock = child.channel.fileno(), os.read, os.write, time.monotonic
    reader.charge(size * steps)
    with same_processor(child.pid):
        look = 0.0
        for start in range(0, size * steps, size):
            if clock() >= look:
                _wait_at_most(child.channel, reader.deadline.remaining())
                look = clock() + _LOOK_AT_CLOCK_S
            try:
                # A child that never reads fills its socket: a write falls short once the time is up.
                if write(descriptor, data[start : start + size]) != size:
                    raise TimeoutError
                answer = read(descriptor, size)
            except BlockingIOError:
                raise TimeoutError from None
            if len(answer) != size:
                if not answer:
                    raise EOFError
                answer += reader.exactly(size - len(answer))
                look = 0.0
            if answer.startswith(failure):
                failed(reader)
            answers.append(answer)
    return np.frombuffer(b"".join(answers), dtype="<i8").reshape(steps, games).T
