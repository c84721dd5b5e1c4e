"""The evaluator: programs in, honest scores or named failures out, several workers side by side."""

from __future__ import annotations

import ast
import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np

from .. import programs
from ..errors import CallError
from ..tasks import get_task, known_names
from ..tasks.base import FreshSplit, Task
from .behaviour import Behaviour
from .cache import EvaluationCache
from .parts import evaluate_in_parts, worth_splitting
from .pool import LocalPool, Pool, ProgramWorker, WorkerLost
from .purity import is_pure
from .result import REPEATABLE, Evaluation, Solution, Unsolved, clean_message
from .sandbox.isolation import development_allowed
from .sandbox.limits import Limits
from .sandbox.reckoning import Counts
from .sandbox.supervisor import Worker
from .stateless import is_stateless
from .stepping import Stepper

T = TypeVar("T")

# Programs read ahead of the results that have been taken, for each worker.
_AHEAD = 4


class Evaluator:
    """Scores programs on one split of one task, each in a fenced process of its own.

    Args:
        task: a `Task`, the name of one, or the path of a task file.
        split: the split `evaluate` uses unless told otherwise.
        workers: how many programs run at the same time.
        limits: what one program may use; None takes the task's time limits and 2 GiB.
        cache: where results are remembered; None remembers nothing.
        cluster: run programs on the nodes of a Ray cluster, not here: "auto" for the one this machine belongs to,
            HOST:PORT, or "local" for one that starts here. It needs the extra `ray`. `solve` and `stepping` stay here.
        allow_development_isolation: run programs on a machine without kernel fences too. None asks the environment
            variable LHS_HF_ALLOW_DEVELOPMENT_ISOLATION.
        disabled_fences: kernel fences to leave out, of "seccomp" and "landlock"; for tests and diagnosis.

    Use it as a context manager, or call `close`: its worker processes end with it, and with this process however that
    ends. Thread-safe. The first evaluation raises `IsolationError` on a machine that can not isolate programs.

    On a cluster a program whose node is lost is evaluated once more, elsewhere; one that loses that as well is a
    `sandbox_error`. A cluster or a node that can not be used raises `CallError` here; `evaluate` and `probe` raise
    `NodesLost` once no node is left.
    """

    def __init__(
        self,
        task: Task | str,
        split: str = "search",
        workers: int = 1,
        limits: Limits | None = None,
        cache: EvaluationCache | None = None,
        *,
        cluster: str | None = None,
        allow_development_isolation: bool | None = None,
        disabled_fences: Sequence[str] = (),
    ) -> None:
        if workers < 1:
            raise ValueError(f"workers must be at least 1, got {workers}")
        unknown = set(disabled_fences) - {"seccomp", "landlock"}
        if unknown:
            raise ValueError(f"no fence is called {', '.join(sorted(unknown))}; there are seccomp and landlock")
        self.task = get_task(task) if isinstance(task, str) else task
        if self.task.origin is None and self.task.name not in known_names():
            raise CallError(
                f"the task {self.task.name!r} comes from no file that another process could load: put its class into a "
                "file of its own and pass the path"
            )
        self.task.split(split)
        self.split = split
        self.limits = limits or Limits()
        self.cache = cache
        allowed = development_allowed() if allow_development_isolation is None else allow_development_isolation
        fences = tuple(disabled_fences)
        self._background: ThreadPoolExecutor | None = None
        here = workers if cluster is None else 1
        counts = Counts()
        self._workers = [Worker(self.task, self.limits, fences, allowed, counts) for _ in range(here)]
        self._pool: Pool[Any]
        if cluster is None:
            self._pool = self._here = LocalPool(self._workers)
        else:
            from .cluster import ClusterPool

            self._pool = ClusterPool(cluster, self.task, self.limits, fences, allowed, workers)
            self._here = LocalPool(self._workers, start=False)

    def __enter__(self) -> Evaluator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def isolation(self) -> str:
        """The isolation level programs run under, a key of `LEVELS`. Raises `IsolationError` if it is too low."""
        return self._pool.run(lambda worker: worker.isolation)

    @property
    def workers(self) -> int:
        """How many programs run at the same time."""
        return self._pool.size

    @property
    def process_ids(self) -> list[int]:
        """Process ids of the zygotes that run on this machine for this object; candidates are their children."""
        return [spawner.pid for worker in self._workers for spawner in worker.running()]

    def close(self) -> None:
        """End the worker processes, and whatever they run, for good."""
        if self._background is not None:
            self._background.shutdown(wait=False, cancel_futures=True)
        self._pool.close()
        self._here.close()

    def evaluate(
        self, source: str, split: str | FreshSplit | None = None, *, hopeless_below: float | None = None
    ) -> Evaluation:
        """Score a program. Never raises for anything a program is or does; a failure has a status and no score.

        `split`: the name of one, or instances of none (`Task.fresh_split`), whose results are not remembered.

        `hopeless_below`: a score. On tasks that minimise, the program is stopped, with status `stopped` and no score,
        as soon as the instances so far put that score out of reach. Off by default and never used for reported numbers.

        With several workers, a split much longer than `search` is divided among the idle ones if the text of the
        program shows that no call depends on an earlier one; objectives are the same either way.
        """
        split = split or self.split
        self.task.split(split)
        try:
            tree = self._checked(source)
        except programs.ProgramError as error:
            return Evaluation(error.kind, message=clean_message(str(error)))
        # Fresh instances have no name to remember results by.
        if self.cache is not None and isinstance(split, str):
            remembered = self.cache.get(source, self.task, split)
            if remembered is not None:
                return remembered
        try:
            evaluation = self._pool.run(lambda worker: self._run(worker, source, tree, split, hopeless_below))
        except WorkerLost as error:
            return Evaluation("sandbox_error", message=clean_message(str(error)))
        if self.cache is not None and isinstance(split, str):
            self.cache.put(source, self.task, split, evaluation)
        return evaluation

    def solve(self, source: str, split: str | None = None, index: int = 0) -> Solution:
        """The solution a program gives to one instance of a split: what a picture draws.

        The program runs fenced, as in `evaluate`; the solution is checked and scored here, and is the one that counts
        in `evaluate`: a program whose calls may depend on earlier ones is given the instances before it, too.

        Raises `IndexError` if the split has no instance `index`, `Unsolved` if the program fails.
        """
        split = split or self.split
        count = self.task.split(split).count
        if not 0 <= index < count:
            raise IndexError(f"split {split} of {self.task.name} has instances 0 to {count - 1}, got {index}")
        try:
            tree = self._checked(source)
        except programs.ProgramError as error:
            raise Unsolved(Evaluation(error.kind, message=clean_message(str(error)))) from None
        stateless, pure = is_stateless(tree), self.task.online and is_pure(tree)
        part = range(index if stateless else 0, index + 1)
        kept: list[np.ndarray] = []
        evaluation = self._here.run(
            lambda worker: worker.evaluate(source, split, part, stateless=stateless, pure=pure, kept=kept)
        )
        if not evaluation.ok:
            raise Unsolved(evaluation)
        instance = self.task.instances(split)[index]
        return Solution(self.task.name, split, index, instance, kept[-1], evaluation.objectives[-1])

    def evaluate_twice(self, source: str, split: str | FreshSplit | None = None) -> Evaluation:
        """`evaluate`, where nothing that chance or a clock decides counts as a result.

        A program that succeeds and whose text does not show that each run gives the same (`programs.is_repeatable`) is
        run once more, in another process. If the two disagree the status is `unrepeatable`.
        """
        first = self.evaluate(source, split)
        if not first.ok or programs.is_repeatable(source):
            return first
        second = self.evaluate(source, split)
        if second.objectives == first.objectives or second.status not in REPEATABLE:
            return second
        message = f"one run gave {first.objective:g}, another {second.objective:g}" if second.ok else second.message
        runtime_s = first.runtime_s + second.runtime_s
        return Evaluation("unrepeatable", runtime_s=runtime_s, message=message, isolation=second.isolation)

    def submit(self, source: str, split: str | FreshSplit | None = None, *, twice: bool = False) -> Future[Evaluation]:
        """`evaluate` in the background: a future that holds the result once a worker has run the program.

        `twice`: `evaluate_twice` instead.
        """
        if self._background is None:
            self._background = ThreadPoolExecutor(self.workers)
        return self._background.submit(self.evaluate_twice if twice else self.evaluate, source, split)

    def evaluate_many(self, sources: Iterable[str], split: str | FreshSplit | None = None) -> Iterator[Evaluation]:
        """Score programs side by side; results come in the order of the programs, as soon as they are known.

        `sources` is read no faster than results are taken, so it may be endless.
        """
        return self._map(lambda source: self.evaluate(source, split), sources)

    def as_completed(
        self, sources: Iterable[str], split: str | FreshSplit | None = None
    ) -> Iterator[tuple[int, Evaluation]]:
        """Like `evaluate_many`, each result when it is known: pairs of the program's position and its result."""
        pending: set[Future[tuple[int, Evaluation]]] = set()
        with self._threads() as pool:
            for position, source in enumerate(sources):
                pending.add(pool.submit(lambda at, text: (at, self.evaluate(text, split)), position, source))
                while len(pending) >= _AHEAD * self.workers:
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in done)
            while pending:
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)

    async def aevaluate(self, source: str, split: str | None = None) -> Evaluation:
        """`evaluate` for asynchronous code: the event loop goes on while the program runs."""
        return await asyncio.to_thread(self.evaluate, source, split)

    async def aevaluate_many(self, sources: Iterable[str], split: str | None = None) -> AsyncIterator[Evaluation]:
        """`evaluate_many` for asynchronous code."""
        results = self.evaluate_many(sources, split)
        end = object()
        try:
            while (result := await asyncio.to_thread(next, results, end)) is not end:
                assert isinstance(result, Evaluation)
                yield result
        finally:
            close = getattr(results, "close", None)
            if close is not None:
                close()

    def probe(self, source: str) -> Behaviour | None:
        """What a program decides on the task's probe states; None if it does not load or end in time."""
        try:
            self._checked(source)
        except programs.ProgramError:
            return None
        return self._pool.run(lambda worker: worker.probe(source))

    def probe_many(self, sources: Iterable[str]) -> list[Behaviour | None]:
        """The behaviours of several programs, in order."""
        return list(self._map(self.probe, sources))

    @contextmanager
    def stepping(
        self, probes: int | Sequence[int] = 3, limit_s: float = 1.0, whole_limit_s: float = 5.0
    ) -> Iterator[Stepper]:
        """Sessions that run unfinished programs statement by statement on probe states; keeps one worker busy.

        The worker is one of this machine, also where programs are evaluated on a cluster: a step takes less time than
        the way there.
        """
        worker = self._here.take()
        try:
            with Stepper(self.task, worker, probes, limit_s, whole_limit_s) as stepper:
                yield stepper
        finally:
            self._here.give_back(worker)

    def _checked(self, source: str) -> ast.Module:
        tree = programs.parse(source, self.limits.source_bytes)
        programs.check_signature(tree, self.task.function_name, len(self.task.arguments))
        return tree

    def _run(
        self,
        worker: ProgramWorker,
        source: str,
        tree: ast.Module,
        split: str | FreshSplit,
        hopeless_below: float | None,
    ) -> Evaluation:
        long = self.workers > 1 and worth_splitting(self.task, split)
        pure = self.task.online and is_pure(tree)
        # Pure programs have no state either.
        stateless = pure or ((long or self.task.online) and is_stateless(tree))
        if not long or not stateless or hopeless_below is not None:
            return worker.evaluate(source, split, hopeless_below=hopeless_below, stateless=stateless, pure=pure)
        helpers = [worker]
        try:
            while len(helpers) < len(self.task.instances(split)) and (idle := self._pool.take_idle()) is not None:
                helpers.append(idle)
            return evaluate_in_parts(helpers, source, split, pure)
        finally:
            for helper in helpers[1:]:
                self._pool.give_back(helper)

    def _map(self, function: Callable[[str], T], sources: Iterable[str]) -> Iterator[T]:
        if self.workers == 1:
            yield from map(function, sources)
            return
        pending: deque[Future[T]] = deque()
        with self._threads() as pool:
            for source in sources:
                pending.append(pool.submit(function, source))
                while len(pending) >= _AHEAD * self.workers:
                    yield pending.popleft().result()
            while pending:
                yield pending.popleft().result()

    @contextmanager
    def _threads(self) -> Iterator[ThreadPoolExecutor]:
        pool = ThreadPoolExecutor(self.workers)
        try:
            yield pool
        except KeyboardInterrupt:
            # Nobody waits for the programs that run: `close` ends them.
            self.close()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)
