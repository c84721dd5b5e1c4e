"""SIGKILL at random moments for what a cluster consists of, while programs run and while a search does."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import count, takewhile
from pathlib import Path
from typing import Any

from lhs_hf.evaluation import Evaluation, Evaluator, Limits

from .local import LocalCluster, alive, children, marked, wait_for
from .search import ends, results
from .speed import TASK, sleeping

WORKERS, NODES = 4, 2
GONE_S = 30.0
MARKED_MB = 2311
"""MiB that programs may use: it stands on the command lines of sandboxes, and tells these from all others."""

MARKER = f'"memory_mb": {MARKED_MB}'


class Killer:
    """Kills one kind of process of a cluster: `worker` (a zygote), `candidate`, `actor` or `node` (its raylet)."""

    def __init__(self, cluster: LocalCluster, kind: str, chance: random.Random) -> None:
        self.cluster, self.kind, self.chance = cluster, kind, chance
        self.kills = 0

    def kill(self) -> bool:
        """Kill one; False if there is none."""
        self.cluster.look()
        if self.kind == "node":
            node = self.chance.choice(self.cluster.nodes)
            self.cluster.kill_node(node)
            self.cluster.nodes.append(self.cluster.add_node())
            self.kills += 1
            return True
        targets = {"worker": self.cluster.zygotes, "candidate": self._candidates, "actor": self.cluster.actors}
        running = targets[self.kind]()
        if not running:
            return False
        with suppress(ProcessLookupError):
            os.kill(self.chance.choice(running), signal.SIGKILL)
            self.kills += 1
            return True
        return False

    def _candidates(self) -> list[int]:
        return [pid for zygote in self.cluster.zygotes() for pid in children(zygote)]


def batches(kind: str, kills: int, chance: random.Random) -> dict[str, Any]:
    """Programs of 200 ms on all workers while processes of a kind are killed: what is lost, counted twice, left."""
    with LocalCluster(NODES, WORKERS // NODES) as cluster:
        killer = Killer(cluster, kind, chance)
        with Evaluator(TASK, workers=WORKERS, limits=Limits(memory_mb=MARKED_MB), cluster=cluster.address) as evaluator:
            expected = evaluator.evaluate(sleeping(0.0, 0)).objectives
            stop = threading.Event()
            with ThreadPoolExecutor(1) as thread:
                counting = thread.submit(_counted, evaluator, stop)
                try:
                    # Nodes are added from the main thread only: Ray handles signals for them.
                    _keep_killing(killer, kills, chance)
                finally:
                    stop.set()
                results = counting.result()
        sandboxes = _gone(lambda: marked(MARKER))
    positions = {position for position, _ in results}
    wrong = [f"{result.status}: {result.message}" for _, result in results if result.objectives != expected]
    return {
        "kills": killer.kills,
        "programs": len(results),
        "lost": len(wrong) + max(positions) + 1 - len(positions),
        "wrong": wrong,
        "twice": len(results) - len(positions),
        "processes_left": sandboxes + cluster.left(),
    }


def _counted(evaluator: Evaluator, stop: threading.Event) -> list[tuple[int, Evaluation]]:
    """Positions and results of programs that sleep, each different, until it is time to stop."""
    sources = (sleeping(0.2, number) for number in takewhile(lambda _: not stop.is_set(), count()))
    return list(evaluator.as_completed(sources))


def _keep_killing(killer: Killer, kills: int, chance: random.Random) -> None:
    """Kill at random moments, each time once all sandboxes run again."""
    while killer.kills < kills:
        wait_for(lambda: len(killer.cluster.zygotes()) >= WORKERS, 60)
        time.sleep(chance.uniform(0.05, 1.0))
        killer.kill()
    wait_for(lambda: len(killer.cluster.zygotes()) >= WORKERS, 60)
    time.sleep(1.0)


def _gone(pids: Callable[[], list[int]]) -> int:
    """How many of some processes are left after a while."""
    wait_for(lambda: not pids(), GONE_S)
    return len(pids())


def searches(kind: str, kills: int, budget: int, chance: random.Random, undisturbed: list[Any]) -> dict[str, Any]:
    """Searches on a cluster while processes of a kind are killed (`driver`: the search, which is then resumed)."""
    outcome: dict[str, Any] = {"kills": 0, "searches": 0, "lost": 0, "twice": 0, "processes_left": 0, "other_traces": 0}
    with LocalCluster(NODES, WORKERS // NODES) as cluster:
        killer = Killer(cluster, kind, chance) if kind != "driver" else None
        while outcome["kills"] < kills:
            with tempfile.TemporaryDirectory() as name:
                folder = Path(name)
                _one_search(cluster, killer, folder, budget, chance, outcome, kills)
                outcome["searches"] += 1
                trace, repeated = ends(folder)
                outcome["twice"] += repeated
                outcome["other_traces"] += trace != undisturbed
            print(f"    {kind}: {outcome}", flush=True)
        outcome["processes_left"] += _gone(lambda: marked(MARKER))
    outcome["processes_left"] += cluster.left()
    return outcome


def undisturbed(budget: int) -> list[Any]:
    """The trace of the search that nobody kills, without a cluster."""
    with tempfile.TemporaryDirectory() as name:
        process = _start(Path(name), budget, "")
        _finished(process)
        return ends(Path(name))[0]


def _one_search(
    cluster: LocalCluster,
    killer: Killer | None,
    folder: Path,
    budget: int,
    chance: random.Random,
    outcome: dict[str, Any],
    kills: int,
) -> None:
    kept: dict[int, Any] = {}
    process = _start(folder, budget, cluster.address)
    while True:
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=chance.uniform(0.1, 2.0))
        if process.poll() is not None:
            _finished(process)
            break
        now = results(folder)
        outcome["lost"] += sum(now.get(key) != value for key, value in kept.items())
        kept = now
        # There is nothing to kill before the workers are there.
        if outcome["kills"] >= kills or not cluster.zygotes():
            continue
        if killer is not None:
            outcome["kills"] += killer.kill()
            continue
        outcome["processes_left"] += _kill_driver(cluster, process)
        outcome["kills"] += 1
        process = _start(folder, budget, cluster.address)
    outcome["lost"] += sum(results(folder).get(key) != value for key, value in kept.items())


def _kill_driver(cluster: LocalCluster, process: subprocess.Popen[str]) -> int:
    """Kill a search; how many of its actors and sandboxes are left after a while."""
    actors = cluster.actors()
    cluster.look()
    process.kill()
    process.wait()
    return _gone(lambda: [pid for pid in actors if alive(pid)] + marked(MARKER))


def _start(folder: Path, budget: int, address: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "clusters.search", str(folder), str(budget), str(MARKED_MB), address]
    place = str(Path(__file__).resolve().parents[1])
    paths = os.pathsep.join([place, *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "PYTHONPATH": paths}
    return subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def _finished(process: subprocess.Popen[str]) -> None:
    _, said = process.communicate()
    if process.returncode:
        raise RuntimeError(f"the search failed: {said[-2000:]}")
