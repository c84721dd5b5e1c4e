"""A Ray cluster whose nodes are processes of this machine, and what runs on it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".")

ACTOR = "ray::EvaluationActor"


def command(pid: int) -> str:
    """The command line of a process; empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def alive(pid: int) -> bool:
    """Whether a process has not ended (one that nobody has waited for has)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def children(pid: int) -> list[int]:
    """Processes whose parent is `pid`."""
    listed: list[int] = []
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):
            listed += [int(child) for child in thread.read_text().split()]
    return listed


def descendants(pid: int) -> Iterator[int]:
    """Processes below `pid`."""
    for child in children(pid):
        yield child
        yield from descendants(child)


def marked(marker: str) -> list[int]:
    """Sandbox processes (zygotes and candidates) of this machine whose command line has a marker."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return [pid for pid in pids if marker in command(pid) and "sandbox.zygote" in command(pid) and alive(pid)]


def wait_for(condition: Callable[[], bool], seconds: float) -> bool:
    """Whether a condition holds within so many seconds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class LocalCluster:
    """A head without processors, and nodes with some each.

    Args:
        nodes: how many, beside the head.
        processors: what each of them offers; more than there are is what programs that sleep can use.
        environment: variables of the nodes' processes.
    """

    def __init__(self, nodes: int, processors: int, environment: dict[str, str] | None = None) -> None:
        from ray.cluster_utils import Cluster

        self._processors = processors
        self._environment = environment
        # Without what scales clusters and shows them: nothing here uses it, and each is a process.
        head = {"num_cpus": 0, "include_dashboard": False, "include_log_monitor": False, "no_monitor": True}
        self._cluster = Cluster(initialize_head=True, head_node_args=head)
        self.address: str = self._cluster.address
        self.nodes: list[Any] = [self.add_node() for _ in range(nodes)]
        self.seen: set[int] = set()
        self.look()

    def __enter__(self) -> LocalCluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def add_node(self, environment: dict[str, str] | None = None) -> Any:
        """A further node; `nodes` is for the caller to keep."""
        return self._cluster.add_node(
            num_cpus=self._processors, env_vars=environment or self._environment, include_log_monitor=False
        )

    def look(self) -> None:
        """Note every process of the cluster that runs now."""
        for node in [self._cluster.head_node, *self.nodes]:
            for infos in node.all_processes.values():
                for info in infos:
                    self.seen.update([info.process.pid, *descendants(info.process.pid)])

    def raylet(self, node: Any) -> int:
        """Process id of a node's raylet."""
        return int(node.all_processes["raylet"][0].process.pid)

    def actors(self) -> list[int]:
        """Process ids of the actors that evaluate programs."""
        return [pid for node in self.nodes for pid in children(self.raylet(node)) if command(pid).startswith(ACTOR)]

    def zygotes(self) -> list[int]:
        """Process ids of the zygotes of these actors."""
        return [pid for actor in self.actors() for pid in children(actor) if "sandbox.zygote" in command(pid)]

    def kill_node(self, node: Any) -> None:
        """SIGKILL for a node's raylet."""
        self.look()
        os.kill(self.raylet(node), signal.SIGKILL)
        self.nodes.remove(node)
        self._cluster.worker_nodes.remove(node)
        node.kill_all_processes(check_alive=False, allow_graceful=False)

    def close(self) -> None:
        """End the cluster, and the connection that this process may have to it."""
        import ray

        self.look()
        ray.shutdown()
        self._cluster.shutdown()

    def left(self, seconds: float = 30.0) -> int:
        """After `close`: how many processes are left of all that were seen."""
        wait_for(lambda: not any(map(alive, self.seen)), seconds)
        return sum(map(alive, self.seen))
