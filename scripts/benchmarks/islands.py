# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Do islands pay? Four that share a budget of 100 programs, and pass on their best, against one search of 100.

    nice python scripts/benchmarks/islands.py --seeds 10
    python scripts/benchmarks/islands.py --summary

A comparison as `lhs-hf compare` has it (`--grid` is its folder), from the best programs of the corpus, at equal
instance runs; both are judged on `holdout`, which chose nothing. It goes on where it was. `--summary` writes
`--output`: gains paired by seed, in percent of what the search has, corrected for the number of tasks, and all cells.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from comparison import show

from lhs_hf.grid.plan import SPLIT, Plan
from lhs_hf.grid.statistics import compared
from lhs_hf.grid.store import Grid, open_grid
from lhs_hf.grid.work import compare

ROOT = Path(__file__).resolve().parents[2]
TASKS = ("knapsack_construct", "online_bin_packing", "cvrp_construct")
"""Others take hours: what tsp finds needs minutes a cell on `holdout` alone."""
ISLANDS, ONE = "islands", "default"


def summary(grid: Grid) -> dict[str, Any]:
    """What the islands are worth over one search."""
    by_task, together = compared(grid, ISLANDS)
    return {
        "split": SPLIT,
        "gain": "percent of the objective that one search has, positive is better",
        "together": [asdict(each) for each in together],
        "by_task": [asdict(each) for each in by_task],
        "instance_runs": {
            name: {task: [cell.spent.instance_runs for cell in grid.of(name, task)] for task in grid.tasks}
            for name in grid.methods
        },
    }


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(TASKS))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--budget", type=int, default=100, help="programs on search that the instance runs add up to")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--summary", action="store_true", help="only summarise the cells that there are")
    parser.add_argument("--grid", type=Path, default=Path("runs/islands"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "islands.json")
    return parser.parse_args()


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    if not options.summary:
        plan = Plan(
            methods=(ISLANDS, ONE),
            tasks=tuple(options.tasks),
            seeds=options.seeds,
            budget=options.budget,
            splits=(SPLIT,),
            curves=False,
        )
        compare(plan, options.grid, processes=options.processes, workers=1, listener=show)
    grid = open_grid(options.grid)
    result = summary(grid)
    if options.summary:
        options.output.write_text(
            json.dumps({**result, "cells": [asdict(each) for each in grid.cells]}, indent=1) + "\n"
        )
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
