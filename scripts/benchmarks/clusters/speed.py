"""What a cluster costs a candidate, and how many programs that take their time it evaluates a second."""

from __future__ import annotations

import statistics
import time
from typing import Any

from lhs_hf.evaluation import Evaluator, Limits
from lhs_hf.tasks import get_task

from .local import LocalCluster

TASK = "knapsack_construct"
OVERHEAD_GATE_MS = 3.0
GATES = {16: 0.9, 32: 0.8}


def sleeping(seconds: float, number: int) -> str:
    """The reference program after so many seconds; `number` tells one from the other."""
    return f"import time\n\nNUMBER = {number}\ntime.sleep({seconds!r})\n\n{get_task(TASK).template}"


def numbered(number: int) -> str:
    """The reference program; `number` tells one from the other."""
    return f"NUMBER = {number}\n\n{get_task(TASK).template}"


def batch(evaluator: Evaluator, sources: list[str]) -> float:
    """Seconds for programs side by side, all of which must succeed."""
    started = time.perf_counter()
    statuses = {result.status for result in evaluator.evaluate_many(sources)}
    seconds = time.perf_counter() - started
    if statuses != {"ok"}:
        raise RuntimeError(f"programs that are sound ended as {', '.join(sorted(statuses))}")
    return seconds


def overhead(rounds: int, size: int) -> dict[str, Any]:
    """Milliseconds a candidate by the local evaluator and by one on a cluster, in turns, for one and two workers."""
    results: dict[str, Any] = {"gate_ms": OVERHEAD_GATE_MS, "rounds": rounds, "batch": size}
    number = 0
    with LocalCluster(1, 2) as cluster:
        for workers in (1, 2):
            with (
                Evaluator(TASK, workers=workers) as here,
                Evaluator(TASK, workers=workers, cluster=cluster.address) as there,
            ):
                pairs = []
                for round_number in range(rounds + 2):
                    sources = [numbered(number + index) for index in range(size)]
                    number += size
                    order = (here, there) if round_number % 2 else (there, here)
                    took = {each: batch(each, sources) * 1000 / size for each in order}
                    pairs.append((took[here], took[there]))
            pairs = pairs[2:]  # the first programs warm up
            differences = sorted(there_ms - here_ms for here_ms, there_ms in pairs)
            results[f"workers_{workers}"] = {
                "local_ms": statistics.median(pair[0] for pair in pairs),
                "cluster_ms": statistics.median(pair[1] for pair in pairs),
                "overhead_ms": statistics.median(differences),
                "overhead_quartiles_ms": statistics.quantiles(differences, n=4)[::2],
            }
    results["passes"] = all(results[f"workers_{workers}"]["overhead_ms"] <= OVERHEAD_GATE_MS for workers in (1, 2))
    return results


def throughput(workers: list[int], each: int, sleep_s: float, repeats: int, nodes: int = 4) -> dict[str, Any]:
    """Programs that sleep, `each` a worker: seconds of the ideal over seconds that it took, on a cluster and here.

    The ideal is that of programs that take `sleep_s` and nothing else. `local`: as many workers of this machine, which
    share its cores with everything else that runs here; what they lose the cluster can not win.
    """
    rows: list[dict[str, Any]] = []
    limits = Limits(wall_s=sleep_s + 20)
    number = 0
    with LocalCluster(nodes, -(-max(workers) // nodes)) as cluster:
        for count in workers:
            with (
                Evaluator(TASK, workers=count, limits=limits) as here,
                Evaluator(TASK, workers=count, limits=limits, cluster=cluster.address) as there,
            ):
                shares: dict[str, list[float]] = {"cluster": [], "local": []}
                for repeat in range(repeats + 1):
                    for name, evaluator in (("cluster", there), ("local", here)):
                        size = count * (each if repeat else 2)
                        seconds = batch(evaluator, [sleeping(sleep_s, number + index) for index in range(size)])
                        number += size
                        if repeat:  # the first batch starts what starts late
                            shares[name].append(each * sleep_s / seconds)
            row = {"workers": count, **{name: statistics.median(values) for name, values in shares.items()}}
            rows.append({**row, "each": shares})
            print(
                f"{count:3} workers: {row['cluster']:.1%} of ideal on the cluster, {row['local']:.1%} here", flush=True
            )
    reached = {row["workers"]: row["cluster"] for row in rows}
    return {
        "nodes": nodes,
        "sleep_s": sleep_s,
        "programs_a_worker": each,
        "repeats": repeats,
        "rows": rows,
        "gates": {str(count): gate for count, gate in GATES.items()},
        "passes": {str(count): reached[count] >= gate for count, gate in GATES.items() if count in reached},
    }
