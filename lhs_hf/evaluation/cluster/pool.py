"""The driver's side of a cluster: workers that stand for actors on its nodes, replaced when these are lost."""

from __future__ import annotations

import logging
import pickle
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ...errors import CallError
from ...opening.text import one_line
from ...tasks.base import FreshSplit, Task
from ..behaviour import Behaviour
from ..pool import NodesLost, WorkerLost
from ..result import Evaluation
from ..sandbox.limits import Limits
from ..sandbox.spawner import SandboxError
from .actor import actor_class, inspection
from .connection import connect
from .order import order_of

T = TypeVar("T")

_log = logging.getLogger(__name__)

PATIENCE_S = 600.0
"""How long a program waits while no worker is at work: an autoscaler takes minutes to bring a node."""

TRIES = 8
"""How many workers a program may lose. No program ends its own, and where many go, in a row, one program meets some.

Of 20 random kills of one of four busy workers, each as soon as all are there again, four hit one program in one run of
four.
"""

# A node starts a Python process, this package and a zygote before it says anything.
_INSPECTION_S = 60.0
_LOOK_S, _WATCH_S = 1.0, 0.1
_LONGEST_PAUSE_S = 30.0
_FRESH_KEPT = 8
# Actors of a node whose raylet has ended live on for a moment, and then end as well.
_LINGERING_S = 5.0


class _Closed(SandboxError):
    def __init__(self) -> None:
        super().__init__("the evaluator is closed")


class RemoteWorker:
    """One sandbox on some node. Not thread-safe: `ClusterPool` gives it to one thread at a time.

    `report` is what the node said of itself; None before it did.
    """

    def __init__(self, pool: ClusterPool) -> None:
        self.task = pool.task
        self.limits = pool.limits
        self.report: dict[str, Any] | None = None
        self.lost = False
        self.failures = 0
        self.actor: Any = None
        self._pool = pool

    @property
    def node_id(self) -> str | None:
        """The node it is on, None as long as that is not known."""
        return None if self.report is None else self.report["node_id"]

    @property
    def _node(self) -> str:
        return str(self.report["node"]) if self.report else "a node"

    @property
    def isolation(self) -> str:
        """The isolation level that its node reports."""
        if self.report is None:
            raise _Closed
        return str(self.report["isolation"])

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
        """`Worker.evaluate` on the node. Raises `WorkerLost`, also where the sandbox there can not be kept alive.

        Solutions are never `kept`: they stay on the node.
        """
        if kept is not None:
            raise ValueError("solutions of a program come from a worker of this machine")
        try:
            found = self._call("evaluate", source, self._pool.sent(split), part, hopeless_below, stateless, pure)
        except _Closed as error:
            return Evaluation("sandbox_error", message=str(error))
        if found.status == "sandbox_error":
            self.lost = True
            raise WorkerLost(f"the sandbox on {self._node} failed: {found.message}", self.node_id)
        return found

    def probe(self, source: str) -> Behaviour | None:
        """`Worker.probe` on the node. Raises `WorkerLost`."""
        try:
            behaviour = self._call("probe", source)
        except _Closed:
            return None
        # What Ray hands over can not be written to.
        return behaviour and Behaviour(behaviour.decisions.copy(), behaviour.features.copy(), behaviour.signs)

    def close(self) -> None:
        """Give the actor up, whatever it runs."""
        self.lost = True

    def _call(self, method: str, *arguments: Any) -> Any:
        ray = self._pool.ray
        if self._pool.closed:
            raise _Closed
        try:
            return ray.get(getattr(self.actor, method).remote(*arguments))
        except ray.exceptions.RayTaskError:
            raise  # of the code there: a mistake, no loss
        except ray.exceptions.RayError as error:
            self.lost = True
            if self._pool.closed:
                raise _Closed from None
            _log.info("a worker on %s is lost: %s", self._node, one_line(error))
            raise WorkerLost(f"a worker on {self._node} was lost", self.node_id) from error


class ClusterPool:
    """Workers on the nodes of a Ray cluster, each an actor with one processor. Thread-safe.

    A worker that is lost is started again where there is room, also on nodes that join later; the program that it ran
    is run again, and counts once. A call waits until a worker is free, so that no more programs are under way than
    there are workers, and nothing waits on the cluster.

    Args:
        address: of the cluster, see `connection.connect`.
        task: the task. Nodes find it by its name and digest; the file of a person's own task goes to them.
        limits, without, allow_development: as for `sandbox.supervisor.Worker`.
        count: workers. Those for which the cluster has no processor yet wait for one.

    Raises `CallError` as `connect` does, and for a node that is there and can not be used: it has another version of
    this package or of the task, or isolates programs less well than is accepted. A node that joins later and is like
    that is left out, with a warning.
    """

    def __init__(
        self, address: str, task: Task, limits: Limits, without: tuple[str, ...], allow_development: bool, count: int
    ) -> None:
        self.task = task
        self.limits = limits
        order = order_of(task, limits, without, allow_development)
        self.ray = connect(address)
        self.closed = False
        # Sent once to each node, whatever it has there.
        self._order = self.ray.put(order)
        self._actors = self.ray.remote(actor_class())
        self._refused: dict[str, str] = {}
        self._fresh: OrderedDict[str, Any] = OrderedDict()
        self._changed = threading.Condition()
        self._ready: deque[RemoteWorker] = deque()
        self._starting: dict[Any, RemoteWorker] = {}
        self._paused: list[tuple[float, RemoteWorker]] = []
        self._idle_since = time.monotonic()
        self._failure: str | None = None
        self._inspected = False
        self._workers = [RemoteWorker(self) for _ in range(count)]
        for worker in self._workers:
            self._start(worker)
        self._watcher = threading.Thread(target=self._watch, name="lhs_hf cluster", daemon=True)
        self._watcher.start()
        try:
            self._inspect_nodes()
            self._inspected = True
        except BaseException:
            self.close()
            raise

    @property
    def size(self) -> int:
        """How many workers there are or are to be."""
        return len(self._workers)

    def run(self, function: Callable[[RemoteWorker], T]) -> T:
        """Call a function with a worker; again with another one, up to `TRIES` times in all, if it is lost.

        Raises `WorkerLost` if all of them are, `NodesLost` if there is none for a long time.
        """
        lost: list[WorkerLost] = []
        while True:
            try:
                return self._run_once(function, lost[-1].node_id if lost else None)
            except WorkerLost as error:
                lost.append(error)
                if len(lost) == TRIES:
                    raise WorkerLost(", and then ".join(map(str, lost)), error.node_id) from error

    def take_idle(self) -> RemoteWorker | None:
        """A worker that waits, for the caller to give back; None if all are at work."""
        with self._changed:
            return self._ready.pop() if self._ready else None

    def give_back(self, worker: RemoteWorker) -> None:
        """Let others have a worker; one that is lost is started again."""
        with self._changed:
            self._idle_since = time.monotonic()
            if not worker.lost or self.closed:
                self._ready.append(worker)
                self._changed.notify()
                return
            self._start(worker)
            # What ended it may have ended others that wait. The next program gets one that has answered since.
            while self._ready:
                other = self._ready.pop()
                self._starting[other.actor.greet.remote()] = other

    def close(self) -> None:
        """End the actors, and whatever they run, for good. From any thread."""
        with self._changed:
            if self.closed:
                return
            self.closed = True
            self._ready = deque(self._workers)
            self._changed.notify_all()
        for worker in self._workers:
            self._kill(worker)

    def sent(self, split: str | FreshSplit) -> Any:
        """A split as nodes are sent it. Fresh instances are sent once to each node, never how they were drawn."""
        if isinstance(split, str):
            return split
        with self._changed:
            if split.name not in self._fresh:
                self._fresh[split.name] = self.ray.put(pickle.dumps(replace(split, seed=0)))
                while len(self._fresh) > _FRESH_KEPT:
                    self._fresh.popitem(last=False)
            self._fresh.move_to_end(split.name)
            return split.name, (split.time_limit_s, split.counted_from_s), self._fresh[split.name]

    # -- workers that come and go ------------------------------------------------------------------------------------

    def _run_once(self, function: Callable[[RemoteWorker], T], lost: str | None = None) -> T:
        worker = self._take(lost)
        try:
            return function(worker)
        except BaseException:
            # Whatever it runs, nobody waits for it any more.
            worker.close()
            raise
        finally:
            self.give_back(worker)

    def _take(self, lost: str | None) -> RemoteWorker:
        """A worker, once there is one; for a while none of a node that may be `lost`, if there are others."""
        patience = time.monotonic() + _LINGERING_S
        with self._changed:
            while (place := self._place(lost if time.monotonic() < patience else None)) is None:
                self._changed.wait(_LOOK_S)
                if self._failure is not None:
                    raise NodesLost(f"the connection to the cluster is lost: {self._failure}")
                waiting = len(self._starting) + len(self._paused)
                if waiting < len(self._workers):
                    self._idle_since = time.monotonic()
                elif time.monotonic() - self._idle_since > PATIENCE_S:
                    raise NodesLost(f"{self._shortage()}; nothing could be evaluated for {PATIENCE_S:g} s")
            # After `close` every worker is here, and says so.
            worker = self._ready[place]
            del self._ready[place]
            return worker

    def _place(self, lost: str | None) -> int | None:
        """Where in `_ready` the worker is that has waited least and is not on a node that may be lost."""
        elsewhere = lost is not None and any(worker.node_id not in (None, lost) for worker in self._workers)
        for place in reversed(range(len(self._ready))):
            if not elsewhere or self._ready[place].node_id != lost:
                return place
        return None

    def _shortage(self) -> str:
        if self._refused:
            return f"no node of the cluster can be used: {_named(self._refused)}"
        free = self.ray.available_resources().get("CPU", 0)
        return (
            f"no node of the cluster has a free processor ({free:g} of {self.ray.cluster_resources().get('CPU', 0):g})"
        )

    def _start(self, worker: RemoteWorker) -> None:
        """Have an actor made for a worker; called with the lock, or before there are other threads."""
        self._kill(worker)
        if self.closed:
            return
        worker.lost, worker.report = False, None
        elsewhere = {"label_selector": {"ray.io/node-id": f"!in({','.join(self._refused)})"}} if self._refused else {}
        options = self._actors.options(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD", **elsewhere)
        worker.actor = options.remote(self._order)
        self._starting[worker.actor.greet.remote()] = worker

    def _kill(self, worker: RemoteWorker) -> None:
        if worker.actor is not None and self.ray.is_initialized():
            self.ray.kill(worker.actor)

    def _watch(self) -> None:
        """In a thread: greet actors that have started, replace those that have not."""
        try:
            while not self.closed:
                self._look()
        except Exception as error:  # whatever it is: those who wait for a worker are told
            with self._changed:
                self._failure = one_line(error)
                self._changed.notify_all()

    def _look(self) -> None:
        with self._changed:
            now = time.monotonic()
            due = [worker for when, worker in self._paused if when <= now]
            self._paused = [(when, worker) for when, worker in self._paused if when > now]
            for worker in due:
                self._start(worker)
            waiting = list(self._starting)
        if waiting:
            answered, _ = self.ray.wait(waiting, num_returns=1, timeout=_WATCH_S)
            for reference in answered:
                self._greeted(reference)
        else:
            time.sleep(_WATCH_S)

    def _greeted(self, reference: Any) -> None:
        try:
            report = self.ray.get(reference)
        except self.ray.exceptions.RayError as error:
            report = {"node": "a node", "refusal": None, "problem": one_line(error)}
        with self._changed:
            worker = self._starting.pop(reference)
            if self.closed:
                return
            if report["refusal"] is None and report["problem"] is None:
                worker.report, worker.failures = report, 0
                self._idle_since = time.monotonic()
                self._ready.append(worker)
                self._changed.notify()
                return
            self._kill(worker)
            if report["refusal"] is not None:
                if report["node_id"] not in self._refused:
                    # The nodes that are there first are inspected: an error names them.
                    level = logging.WARNING if self._inspected else logging.DEBUG
                    _log.log(level, "node %s is left out: it %s", report["node"], report["refusal"])
                self._refused[report["node_id"]] = f"node {report['node']} {report['refusal']}"
            else:
                _log.info("a worker on %s does not start: %s", report["node"], report["problem"])
            worker.failures += 1
            pause = min(_LONGEST_PAUSE_S, 0.1 * 2**worker.failures)
            self._paused.append((time.monotonic() + pause, worker))

    def _inspect_nodes(self) -> None:
        """Raise `CallError` for the nodes that are there and have processors, but can not be used."""
        ray = self.ray
        inspect = ray.remote(inspection())
        affinity = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        nodes = [node for node in ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]
        asked = [
            inspect.options(num_cpus=0, max_retries=0, scheduling_strategy=affinity(node["NodeID"], soft=False)).remote(
                self._order
            )
            for node in nodes
        ]
        answered, silent = ray.wait(asked, num_returns=len(asked), timeout=_INSPECTION_S) if asked else ([], [])
        if silent:
            _log.warning("%d of %d nodes have not answered within %g s", len(silent), len(asked), _INSPECTION_S)
        refusals: dict[str, str] = {}
        for reference in answered:
            try:
                report = ray.get(reference)
            except ray.exceptions.RayError as error:
                _log.warning("a node could not be asked: %s", one_line(error))
                continue
            if report["refusal"] is not None:
                refusals[report["node_id"]] = f"node {report['node']} {report['refusal']}"
        if refusals:
            raise CallError(_named(refusals))


def _named(refusals: dict[str, str]) -> str:
    shown = list(refusals.values())[:5]
    return "; ".join([*shown, *([f"and {len(refusals) - len(shown)} more"] if len(refusals) > len(shown) else [])])
