"""The process that forks one fenced child per candidate, ahead of need.

Started by exec with a scrubbed environment, it imports numpy and the task, never sees candidate code, and only forks,
kills and reaps. Closing the control socket, however the parent ends, ends it and its children.

Requests are lines of JSON: `spare` (answered with the process id and the socket of a fenced child that waits for its
job), `drop` (stop, kill and reap soon, no answer), `status` (reap, kill if it does not soon end by itself, answer the
wait status), `hand_over` (answered, then followed by a pickle: instances of a split that only the supervisor can draw).
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import pickle
import resource
import select
import signal
import socket
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from ...tasks.base import Task
from . import child, frames
from .isolation import level
from .preload import preload
from .processors import allowed_processors, restrict
from .selftest import working_fences

# Spares that wait while nothing is asked for: a few programs in a row then share the processors with no fork.
_SPARES = 3
_QUIET_S = 0.005
# `os.fork` has the child run what threading, logging and random have registered for it. With one thread that repairs
# nothing, and each program's randomness is seeded anyway, but the child copies the pages it touches.
_LIBC = ctypes.PyDLL(None, use_errno=True)


def _kill(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)


def wait_briefly(pid: int, seconds: float) -> int | None:
    """Wait status of a child that is about to end by itself; None if it has not within so many seconds."""
    end = time.monotonic() + seconds
    pause = 20e-6
    while True:
        found, status = os.waitpid(pid, os.WNOHANG)
        if found:
            return status
        if time.monotonic() > end:
            return None
        time.sleep(pause)
        pause = min(2 * pause, 5e-3)


class Zygote:
    """Serves one supervisor until it closes the control socket."""

    def __init__(self, control: socket.socket, task: Task, settings: dict[str, Any]) -> None:
        self.control = control
        self.task = task
        without = settings["without"]
        self.fences, memory_held = working_fences("seccomp" not in without, "landlock" not in without)
        limits = child.inherited_limits(int(settings["memory_mb"]))
        self.fences.prepare(limits)
        # What was set, not what was asked for: a limit that the system refuses to set is none.
        bound = dict(limits).get(resource.RLIMIT_AS, 0)
        self.level = level(
            self.fences.seccomp,
            self.fences.landlock,
            memory_held and 0 <= resource.getrlimit(resource.RLIMIT_AS)[0] <= bound,
        )
        self.live: set[int] = set()
        self.stopped: int | None = None
        self.dying: set[int] = set()
        self.spares: deque[tuple[int, socket.socket]] = deque()
        self.wanted: tuple[str | None, float] | None = None
        self.drawn: dict[str | None, Sequence[Any]] = {}
        self.processors = allowed_processors()

    def serve(self) -> None:
        """Announce the isolation level, then answer requests."""
        self._answer({"isolation": self.level})
        gc.collect()
        gc.freeze()
        try:
            for line in self._lines():
                request = json.loads(line)
                getattr(self, f"_{request.pop('op')}")(**request)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            self._end_stopped()
            for pid in self.live:
                _kill(pid)

    def _lines(self) -> Iterator[bytes]:
        """Requests until the supervisor is gone; where none comes for a moment, children are killed and forked."""
        rest = b""
        while True:
            pause = _QUIET_S
            while self.stopped is not None or (self.wanted and len(self.spares) < _SPARES):
                if select.select([self.control], [], [], pause)[0]:
                    break
                if self.stopped is not None:
                    self._end_stopped()
                elif self.wanted:
                    self.spares.append(self._fork(*self.wanted))
                pause = 0.0
            received = self.control.recv(4096)
            if not received:
                return
            *lines, rest = (rest + received).split(b"\n")
            yield from lines

    def _answer(self, body: dict[str, Any]) -> None:
        self.control.sendall(json.dumps(body).encode() + b"\n")

    def _spare(self, split: str | None, cpu_s: float) -> None:
        if split not in self.drawn:
            # Drawn once here, shared by every child; the future of an online task stays with the parent.
            if split is None or self.task.online:
                _ = self.task.probes, self.task.practice_instances
                self.task.signs(self.task.probes[0], [])
            self.drawn[split] = () if split is None or self.task.online else self.task.instances(split)
            gc.freeze()
            self._discard_spares()
        # A spare serves any split that is drawn, but has one limit.
        if self.wanted is None or self.wanted[1] != cpu_s:
            self._discard_spares()
        self.wanted = split, cpu_s
        pid, channel = self.spares.popleft() if self.spares else self._fork(split, cpu_s)
        # A spare inherits what this process is kept to (`Spawner.keep_off`); a program may run anywhere.
        restrict(pid, self.processors)
        with channel:
            socket.send_fds(self.control, [json.dumps({"pid": pid}).encode() + b"\n"], [channel.fileno()])
        if not self.spares:
            self.spares.append(self._fork(split, cpu_s))

    def _hand_over(self, split: str, size: int) -> None:
        """Take over the instances of a fresh split and forget those of the one before."""
        self._answer({"waiting": size})
        # The supervisor is trusted, and no process that runs programs can write to this socket.
        instances = pickle.loads(frames.read_exactly(self.control.fileno(), size))  # noqa: S301
        self._discard_spares()
        self.wanted = None
        self.drawn = {split: instances}
        gc.freeze()

    def _discard_spares(self) -> None:
        while self.spares:
            pid, channel = self.spares.popleft()
            channel.close()
            self._drop(pid)

    def _fork(self, split: str | None, cpu_s: float) -> tuple[int, socket.socket]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        parent = os.getpid()
        pid = _LIBC.fork()
        if pid == 0:
            child.run_candidate(self.task, theirs, self.fences, parent, split, self.drawn, cpu_s)
        theirs.close()
        if pid < 0:
            ours.close()
            raise OSError(ctypes.get_errno(), "fork failed")
        self.live.add(pid)
        return pid, ours

    def _drop(self, pid: int) -> None:
        if pid in self.live:
            self.live.discard(pid)
            restrict(0, self.processors)  # `Spawner.keep_off` held for this child
            self._end_stopped()
            if self.fences.seccomp:
                # It runs no further, but taking it apart would keep a processor from the program that may come next.
                os.kill(pid, signal.SIGSTOP)
                self.stopped = pid
            else:  # it may have processes of its own
                self._end(pid)

    def _end_stopped(self) -> None:
        if self.stopped is not None:
            self._end(self.stopped)
            self.stopped = None

    def _end(self, pid: int) -> None:
        # A process is taken apart on a processor it may use: here, not where a program runs.
        restrict(pid, allowed_processors())
        _kill(pid)
        # Not waited for: the kernel takes a while to take a process apart.
        self.dying.add(pid)
        self.dying = {each for each in self.dying if not os.waitpid(each, os.WNOHANG)[0]}

    def _status(self, pid: int, briefly_s: float) -> None:
        status = wait_briefly(pid, briefly_s)
        ended = status is not None
        if status is None:
            _kill(pid)
            status = os.waitpid(pid, 0)[1]
        self.live.discard(pid)
        restrict(0, self.processors)
        self._answer({"status": status, "ended": ended})


def main() -> None:
    """Entry point: `python -m lhs_hf.evaluation.sandbox.zygote FD TASK SETTINGS`."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with socket.socket(fileno=int(sys.argv[1])) as control:
        settings = json.loads(sys.argv[3])
        preload(tuple(settings["extras"]))
        try:
            task = _load_task(sys.argv[2], settings["digest"])
        except Exception as error:  # a task file is a person's own code: it may fail in any way
            control.sendall(json.dumps({"error": f"{type(error).__name__}: {error}"}).encode() + b"\n")
            return
        Zygote(control, task, settings).serve()


def _load_task(locator: str, digest: str) -> Task:
    """The task that the supervisor means. Raises `ValueError` if its file has changed since the supervisor read it."""
    from ...tasks import get_task

    task = get_task(locator)
    if task.digest != digest:
        raise ValueError(f"{locator} has changed since it was loaded; start again")
    return task


if __name__ == "__main__":
    main()
