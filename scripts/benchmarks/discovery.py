# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Does a search discover? Methods at equal instance runs, judged on instances that none of them was chosen on.

    python scripts/benchmarks/discovery.py --processes 2
    python scripts/benchmarks/discovery.py --tasks cvrp_construct --methods default corpus --seeds 2
    python scripts/benchmarks/discovery.py --summary

A comparison as `lhs-hf compare` has it (`--grid` is its folder, `lhs-hf report` its tables): from the best programs of
the corpus and from the reference alone, the default search against the latent search, tree hill climbing without
latents, and the best of the corpus, chosen on 200 fresh instances; on four tasks also against random directions, the
prior, genetic programming and tuned numbers. The grid is that of `comparison.py`, so that what one has run the other
has; as there, `default` is the search from the corpus. `--summary` writes `--output`: the default's gains on `holdout`
over every other method, paired over seeds, corrected for their number, how many of its programs are new, and what came
of every cell; programs and the objectives of single instances are in results/comparison.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from comparison import GRID, begin, part, show

from lhs_hf.corpus.dataset import corpus_tasks
from lhs_hf.grid.cell import CellResult
from lhs_hf.grid.plan import SPLIT, Plan
from lhs_hf.grid.statistics import compared
from lhs_hf.grid.store import Grid, open_grid
from lhs_hf.grid.work import compare

ROOT = Path(__file__).resolve().parents[2]
STARTS = {"corpus": "", "reference": "@reference"}
"""What stands behind the name of a method that begins there."""
MAIN = ("default", "latent", "climb")
CONTROLS = ("random", "prior", "gp", "tuned")
WITH_CONTROLS = ("tsp_construct", "cvrp_construct", "vrptw_construct", "qap_construct")
ROOM = (*WITH_CONTROLS, "online_bin_packing", "knapsack_construct", "admissible_set")
"""Tasks whose best corpus program is not at the bound on `search`."""


def started(names: tuple[str, ...]) -> tuple[str, ...]:
    """Methods from both starts: of tasks with a corpus it is where they begin unless told otherwise."""
    return tuple(name + start for start in STARTS.values() for name in names)


def summary(grid: Grid) -> dict[str, Any]:
    """What the default is worth from each start, over every other method from there."""
    result: dict[str, Any] = {"split": SPLIT, "cells": len(grid.cells)}
    for start, mark in STARTS.items():
        own = f"default{mark}"
        others = [name + mark for name in (*MAIN, *CONTROLS)]
        chosen = part(grid, [*others, *([] if mark else ["corpus"])])
        if own not in chosen.methods:
            continue
        by_task, together = compared(chosen, own)
        cells = [each for each in chosen.cells if each.method == own]
        result[start] = {
            "against": [asdict(each) for each in together],
            "by_task": [asdict(each) for each in by_task],
            "better_where_there_is_room": {
                name: sum(
                    each.gain is not None and each.gain.mean > 0
                    for each in by_task
                    if each.other == name and each.task in ROOM
                )
                for name in chosen.methods
                if name != own
            },
            "programs": len(cells),
            "in_the_corpus": {
                level: sum(each.novelty == level for each in cells)
                for level in sorted({each.novelty for each in cells})
            },
        }
    return result


def outcome(cell: CellResult) -> dict[str, Any]:
    """What came of a cell, with means over the instances of a split."""
    found = {split: cell.objective(split) for split in cell.objectives}
    kept = ("spent", "failures", "runtime_s", "reference_runtime_s")
    values = asdict(cell)
    return {
        **asdict(cell.cell),
        "objectives": found,
        "novelty": cell.novelty,
        **{name: values[name] for name in kept},
    }


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(corpus_tasks()))
    parser.add_argument("--methods", nargs="+", default=[*started(MAIN), "corpus"])
    parser.add_argument("--controls", action="store_true", help="the other controls, on the tasks that have them")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--budget", type=int, default=100, help="programs on search that the instance runs add up to")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--summary", action="store_true", help="only summarise the cells that there are")
    parser.add_argument("--grid", type=Path, default=GRID)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "discovery.json")
    return parser.parse_args()


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    methods = tuple(options.methods)
    tasks = tuple(options.tasks)
    if options.controls:
        methods, tasks = started(CONTROLS), tuple(task for task in tasks if task in WITH_CONTROLS)
    begin(options.grid)
    if not options.summary:
        plan = Plan(methods=methods, tasks=tasks, seeds=options.seeds, budget=options.budget)
        compare(plan, options.grid, processes=options.processes, listener=show)
    grid = open_grid(options.grid)
    text = json.dumps(summary(grid), indent=1) + "\n"
    if options.summary:
        rows = [outcome(each) for each in grid.cells]
        options.output.write_text(json.dumps({"summary": summary(grid), "cells": rows}, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    main()
