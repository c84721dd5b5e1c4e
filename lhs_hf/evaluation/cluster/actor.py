"""What Ray runs on a node. It travels by value, and uses this package only after a look at which one is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def examination() -> Callable[..., Any]:
    """The function that looks whether a node can serve an order.

    Made here, so that it is sent as code and not as a name: a node with another version of this package, or none, can
    still say so.
    """

    def examine(order: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """A started `NodeWorker`, None if there can be none, and the report on this node."""
        import os
        import socket

        import ray

        node_id = ray.get_runtime_context().get_node_id()
        report: dict[str, Any] = {
            "node": f"{socket.gethostname()} ({ray.util.get_node_ip_address()}, {node_id[:8]})",
            "node_id": node_id,
            "process_id": os.getpid(),
            **dict.fromkeys(("isolation", "refusal", "problem")),
        }
        try:
            from lhs_hf import __version__
        except ImportError:
            report["refusal"] = f"has no lhs_hf, expected {order['version']}"
            return None, report
        if __version__ != order["version"]:
            report["refusal"] = f"has lhs_hf {__version__}, expected {order['version']}"
            return None, report
        try:
            from lhs_hf.evaluation.cluster.node import NodeWorker
        except ImportError as error:
            report["refusal"] = f"has lhs_hf {__version__} with other sources ({error})"
            return None, report
        return NodeWorker.opened(order, ray.get, report), report

    return examine


def actor_class() -> type:
    """The class of actors that own a sandbox each; as code, like `examination`."""
    examine = examination()

    class EvaluationActor:
        def __init__(self, order: dict[str, Any]) -> None:
            self._order = order
            self._examined: tuple[Any, dict[str, Any]] | None = None

        def greet(self) -> dict[str, Any]:
            """The report on this node, once its sandbox has started."""
            if self._examined is None:
                self._examined = examine(self._order)
            return self._examined[1]

        def evaluate(self, *job: Any) -> Any:
            assert self._examined is not None
            return self._examined[0].evaluate(*job)

        def probe(self, source: str) -> Any:
            assert self._examined is not None
            return self._examined[0].probe(source)

    return EvaluationActor


def inspection() -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The function that reports on a node and leaves nothing running there; as code, like `examination`."""
    examine = examination()

    def inspect(order: dict[str, Any]) -> dict[str, Any]:
        worker, report = examine(order)
        if worker is not None:
            worker.close()
        return report

    return inspect
