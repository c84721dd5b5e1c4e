# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Searches of built-in tasks with models that were trained without them: results/left_out.json.

    python scripts/benchmarks/leave_out.py --without cvrp_construct qap_construct --work ONE
    python scripts/benchmarks/leave_out.py --without vrptw_construct online_bin_packing --work TWO
    python scripts/benchmarks/measure_left_out.py --work ONE TWO --processes 2

Of a task that is left out only the surrogate is trained, from the corpus: encoder, decoder, mapper and flow have never
seen a program of it. For each of these tasks the default search from the corpus and from the reference program, in a
grid as `lhs-hf compare` has it (WORK/left-out, resumable): how many of its programs are valid, and of those that the
decoder wrote, and what it finds on `holdout` beside the best in the corpus. A task keeps its figures from an earlier
run until it is measured again.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from comparison import show

from lhs_hf.grid.plan import SPLIT, Plan
from lhs_hf.grid.store import Grid, open_grid
from lhs_hf.grid.work import compare

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / "results" / "left_out.json"
STARTS = {"corpus": "default", "reference": "default@reference"}


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, nargs="+", required=True, help="folders of leave_out.py")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    return parser.parse_args()


def figures(grid: Grid, task: str) -> dict[str, Any]:
    """What the searches of one task came to, by where they began."""
    result: dict[str, Any] = {}
    for start, method in STARTS.items():
        cells = grid.of(method, task)
        spent = [each.spent for each in cells]
        calls = sum(each.calls for each in spent)
        result[start] = {
            "found": [each.objective(SPLIT) for each in cells],
            "valid": sum(each.valid for each in spent) / max(1, sum(each.programs for each in spent)),
            "decoded": calls,
            "decoded_valid": sum(each.valid_calls for each in spent) / calls if calls else None,
        }
    return {**result, "best_in_corpus": [each.objective(SPLIT) for each in grid.of("corpus", task)][:1]}


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    content: dict[str, Any] = json.loads(options.output.read_text("utf-8")) if options.output.is_file() else {}
    for work in options.work:
        made = json.loads((work / "export" / "left_out.json").read_text("utf-8"))
        plan = Plan(
            methods=(*STARTS.values(), "corpus"),
            tasks=tuple(made["without"]),
            splits=(SPLIT,),
            seeds=options.seeds,
            budget=options.budget,
            latent_model=str((work / "export").resolve()),
            curves=False,
        )
        compare(plan, work / "left-out", processes=options.processes, listener=show)
        grid = open_grid(work / "left-out")
        for task in made["without"]:
            record = {"without": made["without"], "steps": made["steps"], "variants": made["variants"]}
            content[task] = {**figures(grid, task), "trained": record, "seeds": options.seeds, "budget": options.budget}
            print(task, content[task])
    options.output.write_text(json.dumps(dict(sorted(content.items())), indent=1) + "\n")


if __name__ == "__main__":
    main()
