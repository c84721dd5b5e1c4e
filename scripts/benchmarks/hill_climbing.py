"""Tree hill climbing without latents, from the corpus and from the reference: what it finds on `search` and `holdout`.

    OMP_NUM_THREADS=1 python scripts/benchmarks/hill_climbing.py --tasks tsp_construct cvrp_construct --seeds 0 1

A cell (task, start, seed) that the output holds is not run again.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

from lhs_hf.evaluation import Evaluator
from lhs_hf.methods.hill_climbing import ClimbSettings, HillClimbing, corpus_starts, reference_start
from lhs_hf.methods.told import Told, drive
from lhs_hf.search.edits import Behaviours
from lhs_hf.store import MEMORY
from lhs_hf.tasks import get_task

ROOT = Path(__file__).resolve().parents[2]


def cell(name: str, init: str, seed: int, options: argparse.Namespace) -> dict[str, Any]:
    """One climb: what it began with, what it found, on `search` and `holdout`."""
    task = get_task(name)
    with Evaluator(task) as evaluator:
        starts = corpus_starts(task) if init == "corpus" else reference_start(task, evaluator)
        settings = ClimbSettings(seed=seed, **({"shares": options.shares} if options.shares else {}))
        behaviours = None if options.blind else Behaviours(evaluator)
        began = time.perf_counter()
        method = HillClimbing(task, starts, settings, behaviours)
        budget = options.evaluations * task.split("search").count
        with Told(MEMORY) as told:
            runs = drive(method, evaluator, told, budget)
        seconds = time.perf_counter() - began
        first = max(starts, key=lambda start: start.score)
        holdout = [evaluator.evaluate(each.source, "holdout").objective for each in (first, method.best)]
    better = Counter(entry["operator"] for entry in method.history if (entry["score"] or -1e300) > first.score)
    return {
        "task": name,
        "init": init,
        "seed": seed,
        "runs": runs,
        "seconds": round(seconds, 1),
        "valid": sum(entry["score"] is not None for entry in method.history),
        "better_than_start": dict(better),
        "search": [task.alpha * first.score, task.alpha * method.best.score],
        "gain_search": 100 * (method.best.score - first.score) / abs(first.score),
        "holdout": holdout,
        "gain_holdout": gain(task.alpha, *holdout),
        "stages": {f"{edit} {stage}": count for (edit, stage), count in sorted(method.proposer.stages.items())},
        "program": method.best.source,
    }


def gain(alpha: int, before: float | None, after: float | None) -> float | None:
    """Per cent by which an objective got better; None if a program has none."""
    return None if before is None or after is None else 100 * alpha * (after - before) / abs(before)


def main() -> None:
    """Run what is missing and print a line a cell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=["tsp_construct", "cvrp_construct"])
    parser.add_argument("--inits", nargs="+", choices=["corpus", "reference"], default=["corpus", "reference"])
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1])
    parser.add_argument("--evaluations", type=int, default=100)
    parser.add_argument("--shares", type=json.loads, help='edit -> share, as JSON: {"literals": 1}')
    parser.add_argument(
        "--blind", action="store_true", help="ask no probe states: any number, equal texts refused only"
    )
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "hill_climbing.json")
    options = parser.parse_args()
    cells = json.loads(options.output.read_text()) if options.output.exists() else []
    done = {(each["task"], each["init"], each["seed"]) for each in cells}
    for task in options.tasks:
        for init in options.inits:
            for seed in options.seeds:
                if (task, init, seed) in done:
                    continue
                result = cell(task, init, seed, options)
                cells.append(result)
                options.output.parent.mkdir(parents=True, exist_ok=True)
                options.output.write_text(json.dumps(cells, indent=1) + "\n")
                print({name: value for name, value in result.items() if name != "program"}, flush=True)


if __name__ == "__main__":
    main()
