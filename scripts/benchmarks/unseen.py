# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""What a search does for a task that no model was trained on: from its file alone, beside methods without a model.

    python scripts/benchmarks/unseen.py                               the development tasks of the zoo, three seeds
    python scripts/benchmarks/unseen.py --tasks unseen                those that nothing is chosen by
    python scripts/benchmarks/unseen.py --publish

A comparison as `lhs-hf compare` has it (`--grid` is its folder): every method begins with the task's reference and gets
the instance runs of `--budget` programs on `search`; what it chooses is judged on `test` and `holdout`. `gp` is genetic
programming by the types of the arguments, `prior` the best of N programs decoded from the prior. `--publish` writes
finished cells to results/unseen and a summary to results/unseen.json; a grid that does not exist begins with them.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from comparison import begin, keep, part, show

from lhs_hf.grid.plan import Plan
from lhs_hf.grid.statistics import compared
from lhs_hf.grid.store import Grid, open_grid
from lhs_hf.grid.work import compare
from lhs_hf.tasks.names import ZOO_DEVELOPMENT, ZOO_LOOKED_AT, ZOO_UNSEEN

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "results" / "unseen"
OUTPUT = PUBLISHED.with_suffix(".json")
GROUPS = {
    "development": ZOO_DEVELOPMENT,
    "unseen": ZOO_UNSEEN,
    "strangers": tuple(name for name in ZOO_UNSEEN if name not in ZOO_LOOKED_AT),
}
METHODS = ("default", "edits", "gp", "climb", "tuned", "prior", "reference")


def summary(grid: Grid, split: str = "test") -> dict[str, Any]:
    """By group of tasks: every method over the reference, the default over every method, and its valid programs."""
    result: dict[str, Any] = {"split": split}
    for group, tasks in GROUPS.items():
        own = Grid(grid.folder, grid.about, [each for each in grid.cells if each.task in tasks])
        if not own.cells:
            continue
        over_reference = {}
        for method in own.methods:
            if method != "reference":
                rows, together = compared(part(own, [method, "reference"]), method, split)
                over_reference[method] = {
                    "together": [asdict(each) for each in together],
                    "tasks": [*map(asdict, rows)],
                }
        rows, together = compared(own, "default", split) if "default" in own.methods else ([], [])
        spent = [each.spent for each in own.cells if each.method == "default"]
        result[group] = {
            "over_reference": over_reference,
            "default_over": {"together": [*map(asdict, together)], "tasks": [*map(asdict, rows)]},
            "default": {
                name: sum(getattr(each, name) for each in spent)
                for name in ("programs", "valid", "calls", "valid_calls")
            },
        }
    return result


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=["development"], help="names, or: development, unseen")
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--budget", type=int, default=100, help="programs on search that the instance runs add up to")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--publish", action="store_true", help="only write the cells that there are to results/unseen")
    parser.add_argument("--grid", type=Path, default=Path("runs/unseen"))
    return parser.parse_args()


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    begin(options.grid, PUBLISHED)
    if options.publish:
        keep(options.grid, PUBLISHED)
        rows = [{**asdict(each), "curve": each.curve[-1:]} for each in open_grid(options.grid).cells]
        OUTPUT.write_text(json.dumps({"summary": summary(open_grid(PUBLISHED)), "cells": rows}, indent=1) + "\n")
        return
    plan = Plan(
        methods=tuple(options.methods),
        tasks=tuple(task for name in options.tasks for task in GROUPS.get(name, (name,))),
        seeds=options.seeds,
        budget=options.budget,
        init="reference",
    )
    compare(plan, options.grid, processes=options.processes, listener=show)
    print(json.dumps(summary(open_grid(options.grid)), indent=1))


if __name__ == "__main__":
    main()
