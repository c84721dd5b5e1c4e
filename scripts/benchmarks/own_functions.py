# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Thirty objective functions as different people write them: how far does a search come from their first program?

    OMP_NUM_THREADS=1 python scripts/benchmarks/own_functions.py --processes 4
    python scripts/benchmarks/own_functions.py --names load_balancer ad_bidding --seeds 1 --budget 8 --work /tmp/work
    python scripts/benchmarks/own_functions.py --summary

Each function of `functions/` brings an objective, a template and a sense, which `lhs_hf.search(objective=...)` takes; a
better rule for each is written by hand (`functions/better.py`). A cell is one search with one seed; it is kept under
`--work` and not run again. The summary has, of all cells there, the objective of the template, of what was found (mean
over seeds) and of the better rule, and the share of the way from the first to the last. What is found is judged by the
objective that the search climbs: that says how much is found, not how well it holds elsewhere.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from functions import FUNCTIONS
from functions.measure import better_value, cell_file, cells_in, measured
from functions.summary import summary, table

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "results" / "own_functions.json"


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--names", nargs="+", choices=list(FUNCTIONS), default=list(FUNCTIONS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1, help="searches at once")
    parser.add_argument("--summary", action="store_true", help="only summarise the cells that there are")
    parser.add_argument("--work", type=Path, default=Path("runs/own_functions"))
    parser.add_argument("--output", type=Path, default=OUTPUT)
    return parser.parse_args(given)


def run(options: argparse.Namespace) -> int:
    """Run the cells that are missing, each in a process of its own; returns how many failed."""
    others = {cell["budget"] for cell in cells_in(options.work)} - {options.budget}
    if others:
        raise SystemExit(f"{options.work} holds cells of budget {min(others)}; choose another --work")
    wanted = [(name, seed) for seed in range(options.seeds) for name in options.names]
    missing = [cell for cell in wanted if not cell_file(options.work, *cell).exists()]
    better = {name: better_value(name) for name in dict(missing)}
    failed = 0
    # A fresh process for every cell: loading the model is part of the seconds of all of them.
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn"), max_tasks_per_child=1) as pool:
        futures = {
            pool.submit(measured, name, seed, options.budget, better[name], options.work): (name, seed)
            for name, seed in missing
        }
        for done, future in enumerate(as_completed(futures), 1):
            name, seed = futures[future]
            problem = future.exception()
            if problem is not None:
                failed += 1
                shown = f"{type(problem).__name__}: {problem}"
            else:
                cell = future.result()
                shown = f"{cell['reference']:.6g} -> {cell['found']:.6g} ({better[name]:.6g}), {cell['seconds']} s"
            print(f"{done}/{len(missing)} {name} {seed}: {shown}", flush=True)
    return failed


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    failed = 0 if options.summary else run(options)
    cells = cells_in(options.work)
    content = summary(cells)
    options.output.write_text(json.dumps({"summary": content, "cells": cells}, indent=1) + "\n", encoding="utf-8")
    print(table(content))
    if failed:
        sys.exit(f"{failed} searches failed; the same command runs them again")


if __name__ == "__main__":
    main()
