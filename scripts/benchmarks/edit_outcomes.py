# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""What edits of good programs come to, and who can tell beforehand: a log of edits, and judges of them.

    OMP_NUM_THREADS=1 python scripts/benchmarks/edit_outcomes.py --tasks tsp_construct cvrp_construct
    python scripts/benchmarks/edit_outcomes.py --sections judges

The log (`--runs`, one file of JSON lines a task) holds parents of validation and of train families with children by
every edit, both on the same fresh training instances. It is resumed where it ended. Judges learn from edits of train
families and are judged on edits of validation families (`--output`). With `searches` they are also judged on the edits
of whole portfolio runs (`--databases`, run databases whose names hold their task), as they would have met them.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import torch
from judging.judges import numbers
from judging.outcomes import Log, log_task, read
from judging.replay import Run, replay_report, replayed
from judging.report import report

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.models.composite import open_model
from lhs_hf.search.components import load_components
from lhs_hf.tasks import get_task

ROOT = Path(__file__).resolve().parents[2]
TASKS = ("tsp_construct", "cvrp_construct", "vrptw_construct", "qap_construct", "knapsack_construct")
SECTIONS = ("log", "judges", "searches")


def main() -> None:
    """Log what is missing, then judge all there is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="lhs-tiny")
    parser.add_argument("--tasks", nargs="+", default=list(TASKS))
    parser.add_argument("--count", type=int, default=200, help="edits a task and source (validation, train)")
    parser.add_argument("--instances", type=int, default=16)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sections", nargs="+", choices=SECTIONS, default=list(SECTIONS[:2]))
    parser.add_argument("--databases", nargs="+", type=Path, default=[])
    parser.add_argument("--runs", type=Path, default=Path("runs/edit_outcomes"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "edit_outcomes.json")
    options = parser.parse_args()
    torch.set_num_threads(1)
    options.runs.mkdir(parents=True, exist_ok=True)
    opened, log = open_model(options.model), Log(options.count, options.instances, options.seed)
    for name in options.tasks if "log" in options.sections else ():
        task, started = get_task(name), time.monotonic()

        def show(done: int, total: int, name: str = name, started: float = started) -> None:
            if done % 50 == 0 or done == total:
                print(f"{name}: {done}/{total} edits, {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)

        with EvaluationCache() as cache, Evaluator(task, workers=1, cache=cache) as evaluator:
            components = load_components(opened, task)
            log_task(components, evaluator, load_corpus(name), log, options.runs / f"{name}.jsonl", show)
    records = {name: read(options.runs / f"{name}.jsonl") for name in options.tasks}
    surrogates = {name: load_components(opened, get_task(name)).surrogate for name in options.tasks}
    table = json.loads(options.output.read_text()) if options.output.exists() else {}
    if "judges" in options.sections:
        table |= report(records, surrogates, vars(log))
    if "searches" in options.sections:
        runs: dict[str, Run] = {}
        for name in options.tasks:
            task = get_task(name)
            with EvaluationCache() as cache, Evaluator(task, workers=1, cache=cache) as evaluator:
                components = load_components(opened, task)
                for file in sorted(file for file in options.databases if name in file.stem):
                    runs[f"{name}, {file.stem}"] = replayed(file, components, evaluator)
        logs = {
            name: numbers([each for each in rows if each["source"] == "train"], surrogates[name])
            for name, rows in records.items()
        }
        table["searches"] = replay_report(runs, logs)
    options.output.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
