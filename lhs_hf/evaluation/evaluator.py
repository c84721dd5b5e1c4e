"""The evaluator: programs in, honest scores or named failures out, several workers side by side."""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

from .. import programs
from ..tasks import get_task
from ..tasks.base import Task
from .behaviour import Behaviour
from .cache import EvaluationCache
from .result import Evaluation
from .sandbox.limits import Limits
from .sandbox.supervisor import Worker

T = TypeVar("T")


class Evaluator:
    """Scores programs on one split of one task, each in a process of its own.

    Args:
        task: a `Task` or the name of a built-in one.
        split: the split `evaluate` uses unless told otherwise.
        workers: how many programs run at the same time.
        limits: what one program may use; None takes the task's time limits and 2 GiB.
        cache: where results are remembered; None remembers nothing.

    Use it as a context manager, or call `close`: its worker processes end with it (and with this process).
    """

    def __init__(
        self,
        task: Task | str,
        split: str = "search",
        workers: int = 1,
        limits: Limits | None = None,
        cache: EvaluationCache | None = None,
    ) -> None:
        if workers < 1:
            raise ValueError(f"workers must be at least 1, got {workers}")
        self.task = get_task(task) if isinstance(task, str) else task
        self.task.split(split)
        self.split = split
        self.limits = limits or Limits()
        self.cache = cache
        self._workers = [Worker(self.task, self.limits) for _ in range(workers)]
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in self._workers:
            worker.start()
            self._idle.put(worker)

    def __enter__(self) -> Evaluator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the worker processes, and whatever they run, for good."""
        for worker in self._workers:
            worker.stop()

    def evaluate(self, source: str, split: str | None = None) -> Evaluation:
        """Score a program. Never raises for anything a program is or does; a failure has a status and no score."""
        split = split or self.split
        self.task.split(split)
        try:
            programs.check_signature(programs.parse(source), self.task.function_name, len(self.task.arguments))
        except programs.ProgramError as error:
            return Evaluation(error.kind, message=str(error))
        if self.cache is not None:
            remembered = self.cache.get(source, self.task, split)
            if remembered is not None:
                return remembered
        evaluation = self._with_worker(lambda worker: worker.evaluate(source, split))
        if self.cache is not None:
            self.cache.put(source, self.task, split, evaluation)
        return evaluation

    def evaluate_many(self, sources: Iterable[str], split: str | None = None) -> Iterator[Evaluation]:
        """Score programs side by side; results come in the order of the programs, as soon as they are known."""
        return self._map(lambda source: self.evaluate(source, split), sources)

    def probe(self, source: str) -> Behaviour | None:
        """What a program decides on the task's probe states; None if it does not load or end in time."""
        try:
            programs.check_signature(programs.parse(source), self.task.function_name, len(self.task.arguments))
        except programs.ProgramError:
            return None
        found = self._with_worker(lambda worker: worker.probe(source))
        return found if isinstance(found, Behaviour) else None

    def probe_many(self, sources: Iterable[str]) -> list[Behaviour | None]:
        """The behaviours of several programs, in order."""
        return list(self._map(self.probe, sources))

    def _with_worker(self, run: Callable[[Worker], T]) -> T:
        worker = self._idle.get()
        try:
            return run(worker)
        except BaseException:
            # An interrupted conversation leaves a child in an unknown state; the next candidate gets a new zygote.
            worker.close()
            raise
        finally:
            self._idle.put(worker)

    def _map(self, function: Callable[[str], T], sources: Iterable[str]) -> Iterator[T]:
        if len(self._workers) == 1:
            yield from map(function, sources)
            return
        pending: deque[Future[T]] = deque()
        pool = ThreadPoolExecutor(len(self._workers))
        try:
            for source in sources:
                pending.append(pool.submit(function, source))
                # A bounded queue: an endless iterable is read no faster than it is scored.
                while len(pending) >= 4 * len(self._workers):
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()
        except KeyboardInterrupt:
            # Nobody waits for the programs that run: `close` ends them.
            self.close()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
