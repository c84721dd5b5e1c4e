"""A stand-in for the module `ray` with two nodes in this process, on which actors can be made to die."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from lhs_hf.evaluation import Evaluation


class RayError(Exception):
    """Base of Ray's errors."""


class RayTaskError(RayError):
    """An exception of the code of an actor."""


class Reference:
    """What a call returns at once."""

    def __init__(self, answer: Callable[[], Any]) -> None:
        self.answer = answer


class ActorDouble:
    """An actor on node A or B, in turns."""

    def __init__(self, ray: RayDouble) -> None:
        self.number = len(ray.actors)
        self.node = "AB"[self.number % 2]
        self._ray = ray
        ray.actors.append(self)

    @property
    def dead(self) -> bool:
        """Whether it or its node has ended."""
        return self.number in self._ray.killed or self.node in self._ray.dead_nodes

    def _call(self, work: Callable[[], Any]) -> SimpleNamespace:
        def answer() -> Any:
            if self.dead:
                raise RayError("the actor died")
            return work()

        return SimpleNamespace(remote=lambda *job: Reference(answer))

    @property
    def greet(self) -> Any:
        """What `EvaluationActor.greet` says."""
        return self._call(lambda: {**self._ray.report, "node": self.node, "node_id": self.node})

    @property
    def evaluate(self) -> Any:
        """A program that succeeds, unless `on_program` ends the actor or has another result."""

        def work() -> Evaluation:
            self._ray.ran.append(self)
            other = self._ray.on_program(self)
            if self.dead:
                raise RayError("the actor died")
            return other if isinstance(other, Evaluation) else Evaluation("ok", 1.0, 1.0, (1.0,))

        return self._call(work)


class RayDouble:
    """What `ClusterPool` uses of Ray.

    `ran`: actors that got a program, in order; `killed`: numbers of actors that have ended; `on_program` is called with
    an actor that runs one.
    """

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)
    util = SimpleNamespace(
        scheduling_strategies=SimpleNamespace(NodeAffinitySchedulingStrategy=lambda node, soft: node),
    )

    def __init__(self) -> None:
        self.actors: list[ActorDouble] = []
        self.ran: list[ActorDouble] = []
        self.killed: set[int] = set()
        self.dead_nodes: set[str] = set()
        self.selectors: list[dict[str, str]] = []
        self.report: dict[str, Any] = {"isolation": "seccomp", "refusal": None, "problem": None}
        self.on_program: Callable[[ActorDouble], object] = lambda actor: None

    def remote(self, code: Any) -> Any:
        """An actor's class, or the function that inspects a node."""
        made: Callable[..., Any] = (lambda *_: ActorDouble(self)) if isinstance(code, type) else self._inspected

        def options(**settings: Any) -> Any:
            self.selectors.append(settings.get("label_selector", {}))
            return SimpleNamespace(remote=made)

        return SimpleNamespace(options=options)

    def _inspected(self, *_: Any) -> Any:
        return Reference(lambda: {**self.report, "node": "A", "node_id": "A"})

    def put(self, value: Any) -> Any:
        """The value itself."""
        return value

    def get(self, reference: Any) -> Any:
        """What a call returns."""
        return reference.answer()

    def wait(self, references: list[Any], num_returns: int, timeout: float) -> tuple[list[Any], list[Any]]:
        """All have answered."""
        return references, []

    def kill(self, actor: ActorDouble) -> None:
        """End an actor."""
        self.killed.add(actor.number)

    def is_initialized(self) -> bool:
        """Always."""
        return True

    def nodes(self) -> list[dict[str, Any]]:
        """Both."""
        return [{"NodeID": name, "Alive": True, "Resources": {"CPU": 2.0}} for name in "AB"]
