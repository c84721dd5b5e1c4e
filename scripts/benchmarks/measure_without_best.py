# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Search with a model and a corpus that hold nothing of each task's best families: results/without_best.json.

    python scripts/benchmarks/leave_out.py --without tsp_construct jssp_construct set_cover_construct --work WORK
    python scripts/benchmarks/measure_without_best.py --work WORK --processes 2

A copy of the package in WORK/package has the corpus of WORK/corpus and the model of WORK/export-best in the place of
those that ship. There, in a grid as `lhs-hf compare` has it (WORK/grid, resumable), the default search from that corpus
and from the reference stands beside the best that the model has seen, which is chosen on 200 fresh instances. All are
judged on `holdout`, the best of the whole corpus (results/comparison) among them. What is not measured keeps the
figures that it had.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from searches.without_best import SEEN, STARTS, merged, without_best_figures

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
SHIPPED = "lhs-tiny"
INSIDE = "--inside"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("training-runs/left-out"))
    parser.add_argument("--tasks", nargs="+", help="default: all of the corpus")
    parser.add_argument("--starts", nargs="+", choices=list(STARTS), default=list(STARTS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--summary", action="store_true", help="only write what is finished")
    parser.add_argument("--output", type=Path, default=RESULTS / "without_best.json")
    parser.add_argument(INSIDE, action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def package(work: Path) -> Path:
    """A fresh copy of the package whose model and corpus are those of the work folder."""
    target = work / "package"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "lhs_hf", target / "lhs_hf", ignore=shutil.ignore_patterns("__pycache__", SHIPPED))
    shutil.copytree(work / "export-best", target / "lhs_hf" / "pretrained" / SHIPPED)
    for task in (work / "corpus").iterdir():
        held = target / "lhs_hf" / "corpus" / "data" / task.name
        shutil.rmtree(held)
        shutil.copytree(task, held)
    return target


def run(options: argparse.Namespace) -> None:
    """The grid, by the package that is imported."""
    from comparison import show

    from lhs_hf.corpus.dataset import corpus_tasks
    from lhs_hf.grid.plan import Plan
    from lhs_hf.grid.work import compare

    tasks = tuple(options.tasks or corpus_tasks())
    methods = (*(STARTS[start] for start in options.starts), SEEN)
    plan = Plan(methods=methods, tasks=tasks, seeds=options.seeds, budget=options.budget, splits=("holdout",))
    compare(plan, options.work / "grid", processes=options.processes, listener=show)


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    if options.inside:
        run(options)
        return
    if not options.summary:
        copy = package(options.work)
        again = [sys.executable, str(Path(__file__).resolve()), *sys.argv[1:], INSIDE]
        subprocess.run(again, check=True, env={**os.environ, "PYTHONPATH": str(copy.resolve())})
    from lhs_hf.grid.store import open_grid
    from lhs_hf.reporting.identity import weights_fingerprint

    grid, whole = open_grid(options.work / "grid"), open_grid(RESULTS / "comparison")
    grid = replace(grid, cells=[each for each in grid.cells if each.seed < options.seeds])
    made: dict[str, Any] = json.loads((options.work / "export-best" / "left_out.json").read_text(encoding="utf-8"))
    content = {
        "settings": {
            "weights": weights_fingerprint(ROOT / "lhs_hf" / "pretrained" / SHIPPED),
            "weights_cut": weights_fingerprint(options.work / "export-best"),
            "seeds": options.seeds,
            "budget": options.budget,
        },
        "left_out": {name: made[name] for name in ("without", "best_share", "steps", "variants")},
        "tasks": {name: without_best_figures(name, grid, whole) for name in grid.tasks},
    }
    if options.output.exists():
        content = merged(json.loads(options.output.read_text(encoding="utf-8")), content)
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    for name, figures in content["tasks"].items():
        print(name, figures)


if __name__ == "__main__":
    main()
