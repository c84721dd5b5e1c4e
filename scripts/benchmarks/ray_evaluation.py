"""Evaluation on a Ray cluster of several nodes on this machine: overhead, throughput, and SIGKILL of each of its parts.

    python scripts/benchmarks/ray_evaluation.py [overhead] [throughput] [faults] [--kills 20] [--seed 0]

Without a name all three are measured. Writes results/ray_evaluation.json, where parts that are not measured stay as
they are. Needs the extra `ray`. Programs that sleep stand for programs that compute: a machine with few cores can run
many of them at once.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from clusters import faults, speed

OUTPUT = Path(__file__).parents[2] / "results" / "ray_evaluation.json"
PARTS = ("overhead", "throughput", "faults")
KINDS = ("worker", "candidate", "actor", "node")


def machine() -> dict[str, Any]:
    """Where the figures come from, and how busy it was."""
    import ray

    return {
        "platform": platform.platform(),
        "python": platform.python_version(),
        "ray": ray.__version__,
        "cores": os.cpu_count(),
        "load_1_min": os.getloadavg()[0],
    }


def measure_faults(kills: int, budget: int, seed: int) -> dict[str, Any]:
    """Both kinds of disturbance for every kind of process."""
    chance = random.Random(seed)
    outcome: dict[str, Any] = {"batches": {}, "searches": {}, "search_budget": budget}
    for kind in KINDS:
        outcome["batches"][kind] = faults.batches(kind, kills, chance)
        print(f"  batches, {kind}: {outcome['batches'][kind]}", flush=True)
    trace = faults.undisturbed(budget)
    for kind in (*KINDS, "driver"):
        outcome["searches"][kind] = faults.searches(kind, kills, budget, chance, trace)
    rows = [*outcome["batches"].values(), *outcome["searches"].values()]
    bad = ("lost", "twice", "processes_left", "other_traces")
    outcome["passes"] = not any(row.get(name, 0) for row in rows for name in bad)
    return outcome


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--kills", type=int, default=20, help="of each kind")
    parser.add_argument("--budget", type=int, default=60, help="decoder calls of the searches that are disturbed")
    parser.add_argument("--rounds", type=int, default=40, help="of the measurement of overhead")
    parser.add_argument("--repeats", type=int, default=3, help="of each throughput")
    parser.add_argument("--workers", type=int, nargs="*", default=[1, 2, 4, 8, 16, 32])
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    unknown = sorted(set(options.parts) - set(PARTS))
    if unknown:
        parser.error(f"no part is called {', '.join(unknown)}; there are {', '.join(PARTS)}")
    found: dict[str, Any] = json.loads(OUTPUT.read_text(encoding="utf-8")) if OUTPUT.exists() else {}
    measures = {
        "overhead": lambda: speed.overhead(options.rounds, 40),
        "throughput": lambda: speed.throughput(options.workers, 20, 0.2, options.repeats),
        "faults": lambda: measure_faults(options.kills, options.budget, options.seed),
    }
    for name in options.parts or PARTS:
        print(f"{name}:", flush=True)
        before = machine()
        found[name] = {"machine": before, **measures[name]()}
        print(json.dumps(found[name], indent=1), flush=True)
        OUTPUT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
