"""Workers that wait for programs: each is taken by one thread, used, and given back."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

import numpy as np

from ..tasks.base import FreshSplit, Task
from .behaviour import Behaviour
from .result import Evaluation
from .sandbox.limits import Limits
from .sandbox.spawner import SandboxError
from .sandbox.supervisor import Worker

T = TypeVar("T")
W = TypeVar("W")


class NodesLost(SandboxError, ConnectionError):
    """The machines that were to evaluate a program are gone. What has been stored is complete."""


class WorkerLost(NodesLost):
    """The process, the node or the connection of one worker is gone; what it ran has no result.

    `node_id` is that of the node, None if it is not known.
    """

    def __init__(self, message: str, node_id: str | None) -> None:
        super().__init__(message)
        self.node_id = node_id


class ProgramWorker(Protocol):
    """What runs one program at a time, here (`sandbox.supervisor.Worker`) or on another machine."""

    task: Task
    limits: Limits

    @property
    def isolation(self) -> str:
        """The isolation level programs run under. Raises `SandboxError`, `IsolationError`."""

    def evaluate(
        self,
        source: str,
        split: str | FreshSplit,
        part: range | None = None,
        hopeless_below: float | None = None,
        stateless: bool = False,
        pure: bool = False,
        kept: list[np.ndarray] | None = None,
    ) -> Evaluation:
        """Run and score a program, see `Worker.evaluate`."""

    def probe(self, source: str) -> Behaviour | None:
        """The program's behaviour on the probe states."""


class Pool(Protocol[W]):
    """Workers, and who has them. Thread-safe."""

    @property
    def size(self) -> int:
        """How many workers there are, at work or not."""

    def run(self, function: Callable[[W], T]) -> T:
        """Call a function with a worker that nobody else has, once there is one.

        With workers on other machines it raises `NodesLost` if there are none, `WorkerLost` if too many were lost.
        """

    def take_idle(self) -> W | None:
        """A worker that waits, for the caller to give back; None if all are at work."""

    def give_back(self, worker: W) -> None:
        """Let others have a worker."""

    def close(self) -> None:
        """End the workers, and whatever they run, for good. From any thread."""


class LocalPool:
    """Workers of this machine.

    The last that was given back is the first to be taken: one program after another is served by one warm worker.
    `start`: start their zygotes now, not with the first program.
    """

    def __init__(self, workers: Sequence[Worker], start: bool = True) -> None:
        self._workers = list(workers)
        self._idle: queue.LifoQueue[Worker] = queue.LifoQueue()
        for worker in reversed(self._workers):
            if start:
                worker.start()
            self._idle.put(worker)

    @property
    def size(self) -> int:
        """How many workers there are, at work or not."""
        return len(self._workers)

    def take(self) -> Worker:
        """A worker that nobody else has, once there is one, for the caller to give back."""
        return self._idle.get()

    def take_idle(self) -> Worker | None:
        """A worker that waits, for the caller to give back; None if all are at work."""
        try:
            return self._idle.get_nowait()
        except queue.Empty:
            return None

    def give_back(self, worker: Worker) -> None:
        """Let others have a worker."""
        self._idle.put(worker)

    def run(self, function: Callable[[Worker], T]) -> T:
        """Call a function with a worker that nobody else has, once there is one."""
        worker = self.take()
        try:
            return function(worker)
        except BaseException:
            # An interrupted conversation leaves a child in an unknown state; the next candidate gets a new zygote.
            worker.close()
            raise
        finally:
            self.give_back(worker)

    def close(self) -> None:
        """End the workers, and whatever they run, for good. From any thread."""
        for worker in self._workers:
            worker.stop()
