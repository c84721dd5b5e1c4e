"""Islands on the nodes of a Ray cluster: each actor is a host of some of them, and is made again if it is lost."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ...errors import CallError
from ...evaluation import Limits
from ...evaluation.cluster import connect
from ...evaluation.cluster.order import order_of, received_task
from ...locks import FolderTaken
from ...opening.text import one_line
from ...tasks import get_task
from ..stored import DATABASE_NAME
from .host import Host
from .messages import Report, Request, Setup

LOSSES = 5
"""How often the actor of one host may be lost during one epoch, with pauses of 2, 4, 8 and 16 seconds."""

_LINGERS_S = 60.0
"""Seconds in which what is left of a lost actor may still have the runs of its islands."""
_LOOK_S = 1.0

_log = logging.getLogger(__name__)


class ActorIslands:
    """Islands on the nodes of a Ray cluster, each actor with its model and evaluator; island i is on actor i modulo
    the number.

    Actors take no processors of the cluster: while islands search nothing else of the search runs there. Each is meant
    for a node of its own, or for as many of a node as that has processors. All state of the islands is in their runs,
    in the folder of the search, which all nodes have to see; one whose actor or node is lost goes on from there on
    another.

    Args:
        setup: what the islands are.
        address: of the cluster, see `connect`.
        count: actors; no more than there are islands are begun.
        load: as `Host` has it.

    Raises `CallError` for a search that is not stored, and as `connect` does.
    """

    def __init__(self, setup: Setup, address: str, count: int, *, load: bool = True) -> None:
        if setup.folder is None:
            raise CallError(
                "islands on a cluster keep their state in the folder of the run: expected one that is stored"
            )
        self._setup = replace(setup, folder=setup.folder.resolve())
        self._load = load
        self._order = order_of(get_task(setup.locator), Limits(), (), False)
        self._ray = connect(address)
        self._count = min(count, setup.settings.islands)
        self._actors: list[Any] = []

    def __enter__(self) -> ActorIslands:
        """Begin the actors and wait until all have what they need. Raises `CallError` for what they do not have."""
        try:
            for place in range(self._count):
                self._actors.append(self._actor(place))
            self._gather({place: [] for place in range(self._count)})
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: Any) -> None:
        for actor in self._actors:
            if self._ray.is_initialized():
                self._ray.kill(actor)
        self._actors = []

    def run(self, requests: Sequence[Request]) -> list[Report]:
        """The reports of these requests, from all actors at once."""
        shares: dict[int, list[Request]] = {}
        for request in requests:
            shares.setdefault(request.island % self._count, []).append(request)
        reports = {report.island: report for report in self._gather(shares)}
        return [reports[request.island] for request in requests]

    def _actor(self, place: int) -> Any:
        """An actor on the node whose turn it is, of those that are there."""
        ray = self._ray
        nodes = sorted(
            (turn, node["NodeID"])
            for node in ray.nodes()
            if node["Alive"]
            for turn in range(int(node["Resources"].get("CPU", 0)))
        )
        affinity = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy
        where = affinity(nodes[place % len(nodes)][1], soft=False) if nodes else "SPREAD"
        options = ray.remote(IslandHost).options(num_cpus=0, max_restarts=0, scheduling_strategy=where)
        numbers = range(place, self._setup.settings.islands, self._count)
        return options.remote(self._order, self._setup, numbers, self._load)

    def _gather(self, shares: dict[int, list[Request]]) -> list[Report]:
        ray = self._ray
        losses = dict.fromkeys(shares, 0)
        waiting = {self._actors[place].run.remote(share): place for place, share in shares.items()}
        reports: list[Report] = []
        while waiting:
            # Not for ever at once: a person's interrupt is seen between two looks.
            ended, _ = ray.wait(list(waiting), num_returns=1, timeout=_LOOK_S)
            for reference in ended:
                place = waiting.pop(reference)
                try:
                    answer = ray.get(reference)
                except ray.exceptions.RayTaskError:
                    raise  # of the code there: a mistake, no loss
                except ray.exceptions.RayError as problem:
                    losses[place] += 1
                    if losses[place] >= LOSSES:
                        raise CallError(
                            f"islands were lost {LOSSES} times in one epoch ({one_line(problem, 200)}); what they have "
                            "evaluated is kept, go on with --resume"
                        ) from None
                    _log.warning("a host of islands is lost and begun again: %s", one_line(problem, 200))
                    time.sleep(2 ** losses[place])  # a node that has ended is listed for a while
                    self._actors[place] = self._actor(place)
                    waiting[self._actors[place].run.remote(shares[place])] = place
                    continue
                if isinstance(answer, str):
                    raise CallError(answer)
                reports += answer
        return reports


class IslandHost:
    """What an actor runs: a `Host`, opened by the first request."""

    def __init__(self, order: dict[str, Any], setup: Setup, numbers: Sequence[int], load: bool) -> None:
        self._order, self._setup, self._numbers, self._load = order, setup, numbers, load
        self._host: Host | None = None

    def run(self, requests: Sequence[Request]) -> list[Report] | str:
        """The reports; or in words why this node can give none. What it is sent twice it answers from its runs."""
        try:
            if self._host is None:
                self._host = self._opened()
            return [self._host.run(request) for request in requests]
        except CallError as problem:
            return f"node {_name()} {one_line(problem, 400)}"

    def _opened(self) -> Host:
        setup = self._setup
        assert setup.folder is not None
        task = received_task(self._order)
        if not (setup.folder / DATABASE_NAME).is_file():
            raise CallError(f"does not see {setup.folder}: islands on a cluster need a folder that all nodes have")
        host = Host(replace(setup, locator=task.locator), self._numbers, load=self._load)
        end = time.monotonic() + _LINGERS_S
        while True:
            try:
                return host.__enter__()
            except CallError as problem:
                if not isinstance(problem.__cause__, FolderTaken) or time.monotonic() > end:
                    raise
            time.sleep(_LOOK_S)


def _name() -> str:
    import ray

    return f"{ray.util.get_node_ip_address()} ({ray.get_runtime_context().get_node_id()[:8]})"
