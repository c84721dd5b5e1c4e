# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""What the best programs of the corpus are worth on fresh training instances: the order in which searches take them.

    python scripts/corpus_starts.py                 all tasks that the corpus holds; 20 to 30 minutes on one core
    python scripts/corpus_starts.py tsp_construct   some of them; those that are there already are kept

On the 16 instances of `search` the best of several hundred programs is so by luck, too. The best training program of
each of the best families is run on instances that no split, no search and no surrogate has seen; the means go to
`lhs_hf/corpus/data/starts.json`. Nothing but training families is read.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np

from lhs_hf.corpus.dataset import corpus_tasks
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.programs import program_hash
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import NoFreshInstances, get_task

OUTPUT = Path(__file__).resolve().parents[1] / "lhs_hf" / "corpus" / "data" / "starts.json"
SEED = 20_261_124
FAMILIES = 24
INSTANCES = {"online_bin_packing": 100}
_USUALLY = 400


def measured(name: str) -> dict[str, object] | None:
    """The means of a task's programs by hash, the best first; None where `search` says all there is to know."""
    task = get_task(name)
    count = INSTANCES.get(name, _USUALLY)
    try:
        split = task.fresh_split(SEED, count)
    except NoFreshInstances:
        return None
    started = time.monotonic()
    programs = {}
    with EvaluationCache() as cached, Evaluator(task, workers=1, cache=cached) as evaluator:
        for start in portfolio_starts(task, "corpus", FAMILIES, ordered=False)[1:]:
            result = evaluator.evaluate(start.source, split)
            if result.ok:
                error = float(np.std(result.objectives, ddof=1)) / count**0.5
                programs[program_hash(start.source)] = {
                    "family": start.family,
                    "objective": result.objective,
                    "error": round(error, 6),
                }
            print(f"{name} {start.family} {result.objective} ({result.runtime_s:.1f} s)", flush=True)
    best = sorted(programs, key=lambda each: -task.alpha * programs[each]["objective"])
    return {
        "instances": count,
        "seed": SEED,
        "seconds": round(time.monotonic() - started),
        "programs": {each: programs[each] for each in best},
    }


def main() -> None:
    """Measure the tasks that are named, or all that are not there."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", choices=[[], *corpus_tasks()], help="all of the corpus unless named")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    for name in arguments.tasks or corpus_tasks():
        stored = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
        if name in stored and not arguments.tasks:
            continue
        found = measured(name)
        if found is not None:
            stored = json.loads(arguments.output.read_text()) if arguments.output.exists() else {}
            stored[name] = found
            arguments.output.write_text(json.dumps(dict(sorted(stored.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
