# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""What proposals of edits cost, and how many die before they are evaluated.

    OMP_NUM_THREADS=1 python scripts/benchmarks/edit_proposals.py --draws 60 --alike 10

Parents are the best training programs of eight families of the corpus. For each task and edit: milliseconds to write a
proposal and to test it, the share of draws by what became of them, practice instances run, and how many of the
proposals that are refused for doing what their parent does have other objectives on `search` (these are lost unseen).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from lhs_hf.evaluation import Evaluator
from lhs_hf.methods.hill_climbing import corpus_starts
from lhs_hf.search.edits import Behaviours, Edit, Known, Parent, Proposer, edits
from lhs_hf.tasks import get_task

ROOT = Path(__file__).resolve().parents[2]
TASKS = ("tsp_construct", "cvrp_construct", "knapsack_construct", "qap_construct", "online_bin_packing")


def measure(edit: Edit, parents: list[Parent], evaluator: Evaluator, options: argparse.Namespace) -> dict[str, Any]:
    """One edit on one task."""
    behaviours, generator = Behaviours(evaluator), np.random.default_rng(options.seed)
    edit, proposer, known = edits(behaviours, tuple(parents))[edit.name], Proposer(evaluator.task, behaviours), Known()
    for parent in parents:
        known.add(parent.source, parent.hash, proposer.key(parent.source))
    stages: Counter[str] = Counter()
    writing: list[float] = []
    testing: list[float] = []
    alike = wrong = 0
    for number in range(options.draws):
        parent = parents[number % len(parents)]
        start = time.perf_counter()
        proposal = edit.propose(parent, parents, evaluator.task, generator)
        written = time.perf_counter()
        stage, accepted = proposer.judge(proposal, parent, known)
        writing.append(written - start)
        testing.append(time.perf_counter() - written)
        stages[stage] += 1
        if accepted is not None:
            known.add(accepted.proposal.source, accepted.hash, accepted.key)
        # With the parent alone as known program, "same" means: as the parent.
        as_parent = stage == "same" and proposer.judge(proposal, parent, Known())[0] == "same"
        if as_parent and proposal is not None and alike < options.alike:
            alike += 1
            before, after = (evaluator.evaluate(each.source) for each in (parent, proposal))
            wrong += before.objectives != after.objectives
    return {
        "ms_write": 1000 * float(np.mean(writing)),
        "ms_test": 1000 * float(np.mean(testing)),
        "stages": {stage: count / options.draws for stage, count in sorted(stages.items())},
        "practice_runs": behaviours.practice_runs,
        "as_parent": alike,
        "as_parent_but_other_objectives": wrong,
    }


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=TASKS)
    parser.add_argument("--draws", type=int, default=60)
    parser.add_argument(
        "--alike", type=int, default=10, help="evaluate so many of those that do what their parent does"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "edit_proposals.json")
    options = parser.parse_args()
    results: dict[str, dict[str, Any]] = {}
    print(
        "| task | edit | ms to write | ms to test | draws | practice runs | as parent, but other objectives |\n"
        + "|---" * 7
        + "|"
    )
    for name in options.tasks:
        task = get_task(name)
        parents = corpus_starts(task)
        with Evaluator(task) as evaluator:
            evaluator.probe(task.template)
            for edit in edits(restarts=tuple(parents)).values():
                row = measure(edit, parents, evaluator, options)
                results.setdefault(name, {})[edit.name] = row
                shares = ", ".join(f"{stage} {100 * share:.0f} %" for stage, share in row["stages"].items())
                lost = f"{row['as_parent_but_other_objectives']} of {row['as_parent']}"
                times = f"{row['ms_write']:.0f} | {row['ms_test']:.0f}"
                print(f"| {name} | {edit.name} | {times} | {shares} | {row['practice_runs']} | {lost} |", flush=True)
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
