"""The sandbox of one worker on a node of the cluster: this module runs there, in a process of Ray's."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ...errors import CallError
from ...tasks.base import FreshSplit
from ..behaviour import Behaviour
from ..result import Evaluation
from ..sandbox.limits import Limits
from ..sandbox.spawner import IsolationError, SandboxError
from ..sandbox.supervisor import Worker
from .order import received_task

# Sets of fresh instances that are kept: a race alternates between a few.
_FRESH_KEPT = 8

Rules = tuple[float | None, float | None]
"""`time_limit_s` and `counted_from_s` of a fresh split."""
Split = str | tuple[str, Rules, Any]
"""A split by name; or the name of a fresh one, its rules, and where its pickle is to be had."""


class NodeWorker:
    """A worker of this node. Raises `CallError` (`Refused`, and those of a task file) if it can not serve the order.

    `fetch` gets the bytes that a reference stands for. Ending this process ends the zygotes: they wait on sockets of
    which it holds the only other end.
    """

    def __init__(self, order: dict[str, Any], fetch: Callable[[Any], bytes]) -> None:
        self.task = received_task(order)
        self._worker = Worker(self.task, Limits(**order["limits"]), tuple(order["without"]), order["allow_development"])
        self._fetch = fetch
        self._fresh: OrderedDict[tuple[str, Rules], FreshSplit] = OrderedDict()

    @classmethod
    def opened(cls, order: dict[str, Any], fetch: Callable[[Any], bytes], report: dict[str, Any]) -> NodeWorker | None:
        """A worker whose sandbox has started, or None; a report of what was possible is filled in.

        `isolation` of the report is the level; `refusal` says why this node is not to be used, `problem` why it can
        not be used now.
        """
        try:
            worker = cls(order, fetch)
        except CallError as refusal:
            report["refusal"] = str(refusal)
            return None
        try:
            report["isolation"] = worker._worker.isolation
            return worker
        except IsolationError:
            report["refusal"] = (
                "offers only development isolation, expected at least seccomp (--allow-development-isolation and "
                "Evaluator(..., allow_development_isolation=True) accept it)"
            )
        except SandboxError as problem:
            report["problem"] = str(problem)
        worker.close()
        return None

    def evaluate(
        self,
        source: str,
        split: Split,
        part: range | None,
        hopeless_below: float | None,
        stateless: bool,
        pure: bool,
    ) -> Evaluation:
        """`Worker.evaluate`."""
        chosen = split if isinstance(split, str) else self._fresh_split(*split)
        return self._worker.evaluate(source, chosen, part, hopeless_below, stateless, pure)

    def probe(self, source: str) -> Behaviour | None:
        """`Worker.probe`."""
        return self._worker.probe(source)

    def close(self) -> None:
        """End the zygotes."""
        self._worker.stop()

    def _fresh_split(self, name: str, rules: Rules, reference: Any) -> FreshSplit:
        # One object for one set: the zygote has its instances as long as it is the same.
        if (name, rules) not in self._fresh:
            same = next((split for (other, _), split in self._fresh.items() if other == name), None)
            # The driver is trusted: it also says which task this process loads.
            split = same or pickle.loads(self._fetch(reference))  # noqa: S301
            time_limit_s, counted_from_s = rules
            self._fresh[name, rules] = replace(split, time_limit_s=time_limit_s, counted_from_s=counted_from_s)
            while len(self._fresh) > _FRESH_KEPT:
                self._fresh.popitem(last=False)
        self._fresh.move_to_end((name, rules))
        return self._fresh[name, rules]
