"""How good the corpus is: reference, best seed, best and median program of each task, on `search` and on `holdout`.

    python scripts/benchmarks/corpus_table.py [--json results/corpus_table.json]

Programs are chosen by `search` alone; `holdout` is only reported. The gap is that of the best program to the bound or
optimum, in percent.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from lhs_hf.corpus.dataset import CorpusRow, load_corpus
from lhs_hf.evaluation import Evaluator
from lhs_hf.tasks import get_task, task_names


def chosen(rows: list[CorpusRow]) -> dict[str, CorpusRow]:
    """The best seed, the best and the median program by score."""
    ordered = sorted(rows, key=lambda row: (row.score, row.hash))
    seeds = [row for row in ordered if row.tier == "seed"]
    return {"best seed": seeds[-1], "best": ordered[-1], "median": ordered[len(ordered) // 2]}


def measure(name: str) -> dict[str, Any]:
    """Objectives of the chosen programs of a task on both splits."""
    task = get_task(name)
    rows = load_corpus(name)
    programs = {"reference": task.template, **{label: row.program for label, row in chosen(rows).items()}}
    result: dict[str, Any] = {"task": name, "sense": task.sense, "programs": len(rows), "bound_kind": task.bound_kind}
    with Evaluator(task, workers=2) as evaluator:
        for split in ("search", "holdout"):
            values = {label: evaluator.evaluate(source, split).objective for label, source in programs.items()}
            bound = task.bounds.get(split)
            gap = None
            if bound is not None and values["best"] is not None:
                gap = 100.0 * abs(values["best"] - bound) / max(1e-12, abs(bound)) if bound else None
            result[split] = {**values, "bound": bound, "gap_percent": gap}
    result["best_family"] = chosen(rows)["best"].family
    return result


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, default=Path("results/corpus_table.json"))
    options = parser.parse_args()
    table = [measure(name) for name in task_names()]
    options.json.write_text(json.dumps(table, indent=1) + "\n")
    columns = ("reference", "best seed", "best", "median", "bound", "gap_percent")
    print("| task | split | " + " | ".join(columns) + " |\n|---|---|" + "---:|" * len(columns))
    for row in table:
        for split in ("search", "holdout"):
            shown = ["—" if row[split][key] is None else f"{row[split][key]:.6g}" for key in columns]
            print(f"| {row['task']} ({row['sense']}) | {split} | " + " | ".join(shown) + " |")


if __name__ == "__main__":
    main()
