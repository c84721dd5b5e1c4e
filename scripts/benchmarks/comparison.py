# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""All methods that need no language model, on the paper's tasks, at equal evaluations.

    python scripts/benchmarks/comparison.py --processes 2
    python scripts/benchmarks/comparison.py --tasks online_bin_packing knapsack_construct --seeds 20
    python scripts/benchmarks/comparison.py --publish

A comparison as `lhs-hf compare` has it. It takes hours, most of them for judging slow programs on large test instances,
and goes on where it was, also with the cells that `results/comparison` has. `--publish` writes those that are finished
there, with their tables: `lhs-hf report results/comparison` makes the figures.
"""

from __future__ import annotations

import argparse
import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from lhs_hf.grid.plan import SPLIT, Plan
from lhs_hf.grid.store import DATABASE_NAME, Grid, has_grid, open_grid
from lhs_hf.grid.work import Progress, compare
from lhs_hf.reporting.grid_report import report_grid

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = ROOT / "results" / "comparison"
GRID = Path("runs/comparison")
TASKS = ("tsp_construct", "cvrp_construct", "online_bin_packing", "knapsack_construct")
METHODS = (
    "default",
    "edits",
    "latent",
    "paper",
    "no_grad",
    "no_flow",
    "random",
    "cma",
    "cem",
    "prior",
    "climb",
    "gp",
    "tuned",
    "corpus",
    "reference",
)


def show(progress: Progress) -> None:
    """One line a cell."""
    value = None if progress.result is None else progress.result.objective(SPLIT)
    shown = progress.problem if progress.result is None else f"{value}, {progress.result.spent.seconds:.0f} s"
    print(f"{progress.done}/{progress.total} {progress.cell.name}: {shown}", flush=True)


def part(grid: Grid, methods: list[str]) -> Grid:
    """The cells of some methods."""
    return replace(grid, cells=[each for each in grid.cells if each.method in methods])


def begin(folder: Path, published: Path = PUBLISHED) -> None:
    """A grid that does not exist begins with the cells that are published."""
    if has_grid(published) and not has_grid(folder):
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(published / DATABASE_NAME, folder / DATABASE_NAME)


def keep(folder: Path, published: Path = PUBLISHED) -> None:
    """The finished cells of a grid in one file."""
    published.mkdir(parents=True, exist_ok=True)
    target = published / DATABASE_NAME
    target.unlink(missing_ok=True)
    with closing(sqlite3.connect(folder / DATABASE_NAME)) as connection:
        connection.execute("VACUUM INTO ?", (str(target),))


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(TASKS))
    parser.add_argument("--methods", nargs="+", default=list(METHODS))
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--budget", type=int, default=100, help="programs on search that the instance runs add up to")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--publish", action="store_true", help="only write what is finished to results/comparison")
    parser.add_argument("--grid", type=Path, default=GRID)
    return parser.parse_args()


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    begin(options.grid)
    if options.publish:
        keep(options.grid)
        report_grid(PUBLISHED)
        print(open_grid(PUBLISHED).folder / "report.md")
        return
    plan = Plan(methods=tuple(options.methods), tasks=tuple(options.tasks), seeds=options.seeds, budget=options.budget)
    compare(plan, options.grid, processes=options.processes, listener=show)


if __name__ == "__main__":
    main()
