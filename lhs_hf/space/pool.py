"""Evaluators that wait for the next program: starting one costs more than most programs do."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ..evaluation import Evaluator
from ..tasks.base import Task


class EvaluatorPool:
    """Lends evaluators, one a borrower, and ends those that nobody has asked for lately. Thread-safe.

    Args:
        make: starts an evaluator of a task.
        most: how many may wait at the same time, for all tasks together.
        idle_s: seconds after which one that waits is ended.
    """

    def __init__(self, make: Callable[[Task], Evaluator], most: int, idle_s: float = 15.0) -> None:
        self._make, self._most, self._idle_s = make, most, idle_s
        self._idle: dict[str, list[tuple[float, Evaluator]]] = defaultdict(list)
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._closed = False

    @contextmanager
    def lent(self, task: Task) -> Iterator[Evaluator]:
        """An evaluator of a task. It is ended if the block fails, and kept for the next otherwise."""
        with self._lock:
            waiting = self._idle[task.identity]
            evaluator = waiting.pop()[1] if waiting else None
        evaluator = evaluator or self._make(task)
        try:
            yield evaluator
        except BaseException:
            evaluator.close()
            raise
        self._keep(task, evaluator)

    def close(self) -> None:
        """End all that wait, and from now on each that comes back."""
        self._closed = True
        self._end(0.0)

    def _keep(self, task: Task, evaluator: Evaluator) -> None:
        with self._lock:
            self._idle[task.identity].append((time.monotonic(), evaluator))
            oldest = self._oldest() if self._closed or self._count() > self._most else None
            if self._timer is None and not self._closed:
                self._timer = threading.Timer(self._idle_s, self._tidy)
                self._timer.daemon = True
                self._timer.start()
        if oldest is not None:
            oldest.close()

    def _count(self) -> int:
        return sum(map(len, self._idle.values()))

    def _oldest(self) -> Evaluator:
        return min((waiting for waiting in self._idle.values() if waiting), key=lambda each: each[0][0]).pop(0)[1]

    def _tidy(self) -> None:
        with self._lock:
            self._timer = None
        self._end(self._idle_s)
        with self._lock:
            if self._count() and not self._closed:
                self._timer = threading.Timer(self._idle_s, self._tidy)
                self._timer.daemon = True
                self._timer.start()

    def _end(self, idle_s: float) -> None:
        now, ended = time.monotonic(), []
        with self._lock:
            for waiting in self._idle.values():
                while waiting and now - waiting[0][0] >= idle_s:
                    ended.append(waiting.pop(0)[1])
        for evaluator in ended:
            evaluator.close()
