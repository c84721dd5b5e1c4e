# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Do two searches with one seed end alike? Candidate by candidate, on every task, by preset.

    OMP_NUM_THREADS=1 python scripts/benchmarks/same_seed.py                               50 programs a search
    OMP_NUM_THREADS=1 python scripts/benchmarks/same_seed.py --tasks tsp_construct --presets default --budget 100

Each pair is two whole searches, one after another. Where they part, the first candidate that differs is kept, and how
many programs of either took too long. A preset with a time limit ends one search before the other, so that it is alike
where the shorter one is what the longer one began with. What is in the file already is not run again.
Results: results/same_seed.json.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import torch

from lhs_hf.corpus.dataset import corpus_tasks
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.search.components import load_components
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts, starting_programs
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task

ROOT = Path(__file__).resolve().parents[2]
PRESETS = ("default", "fast", "latent", "paper")
CLOCKS = ("wall_timeout", "cpu_timeout")


def searched(task: Task, settings: SearchSettings, workers: int) -> list[Candidate]:
    """All candidates of a search, with an empty cache."""
    components = load_components("lhs-tiny", task)
    end = time.monotonic() + (settings.time_limit or math.inf)
    with (
        EvaluationCache(Path(":memory:")) as cache,
        Evaluator(task, workers=workers, cache=cache) as evaluator,
        RunDatabase(":memory:") as database,
    ):
        if settings.raced:
            starts = portfolio_starts(task, settings.init)
            search = PortfolioSearch(
                components, evaluator, database, settings, starts, seconds_left=lambda: end - time.monotonic()
            )
            return list(search.run().candidates)
        starting = starting_programs(task, settings)
        return list(LatentSearch(components, evaluator, database, settings, starting).run())


def told(candidate: Candidate, finished: bool) -> tuple[Any, ...]:
    """What has to be the same; without what the finals know better, unless both searches have `finished` all rounds."""
    each = candidate
    written = each.id, each.round, each.operator, each.program_hash, each.status
    return (*written, each.objective, each.gain, each.outcome) if finished else written


def pair(task: Task, settings: SearchSettings, workers: int) -> dict[str, Any]:
    """Two searches, one after the other."""
    started = time.monotonic()
    searches = [searched(task, settings, workers) for _ in range(2)]
    shorter, longer = sorted(map(len, searches))
    finished = settings.time_limit is None or shorter == longer
    one, two = ([told(each, finished) for each in candidates] for candidates in searches)
    same = next((place for place, (a, b) in enumerate(zip(one, two)) if a != b), shorter)
    alike = same == shorter and (shorter == longer or not finished)
    return {
        "alike": alike,
        "candidates": [len(one), len(two)],
        "first_difference": None if alike else [list(each[same]) for each in (one, two) if same < len(each)],
        "by_the_clock": [sum(each.status in CLOCKS for each in candidates) for candidates in searches],
        "seconds": round(time.monotonic() - started, 1),
    }


def main() -> None:
    """Run what the command line asks for; what is in the file already is not run again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(corpus_tasks()))
    parser.add_argument("--presets", nargs="+", default=list(PRESETS))
    parser.add_argument("--budget", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "same_seed.json")
    options = parser.parse_args()
    torch.set_num_threads(1)
    results: dict[str, Any] = json.loads(options.output.read_text()) if options.output.exists() else {}
    for preset in options.presets:
        settings = SearchSettings.from_preset(preset, budget=options.budget, seed=options.seed)
        for name in options.tasks:
            key = f"{name}, {preset}, {options.budget} programs, seed {options.seed}"
            if key not in results:
                results[key] = pair(get_task(name), settings, options.workers)
                options.output.write_text(json.dumps(results, indent=1) + "\n")
            print(key, json.dumps(results[key]), flush=True)


if __name__ == "__main__":
    main()
