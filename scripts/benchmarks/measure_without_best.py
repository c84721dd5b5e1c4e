# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Search with a model that has not seen each task's best families: results/without_best.json.

    python scripts/benchmarks/leave_out.py --without tsp_construct jssp_construct set_cover_construct --work WORK
    python scripts/benchmarks/measure_without_best.py --work WORK

Runs measure_search.py on the model in WORK/export-best, whose surrogates have not seen those families either,
going on where it was. What is found is compared with the corpus in WORK/corpus, which has no such family, and with the
whole corpus and the searches of the model that ships in results/searches.json.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from searches.without_best import task_searches

from lhs_hf.reporting.identity import weights_fingerprint

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("training-runs/left-out"))
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--budget", type=int, default=100)
    parser.add_argument("--output", type=Path, default=RESULTS / "without_best.json")
    return parser.parse_args()


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    model, found = options.work / "export-best", options.work / "searches-best.json"
    command = ["--model", str(model), "--corpus", str(options.work / "corpus"), "--inits", "reference"]
    command += ["--seeds", *map(str, options.seeds), "--budget", str(options.budget)]
    command += ["--runs", str(options.work / "searches-best"), "--output", str(found)]
    subprocess.run([sys.executable, str(Path(__file__).with_name("measure_search.py")), *command], check=True)
    cut, whole, made = _json(found), _json(RESULTS / "searches.json"), _json(model / "left_out.json")
    by_task = {
        name: [_of_task(content, name) for content in (cut, whole)]
        for name in dict.fromkeys(each["task"] for each in cut["searches"]["reference"])
    }
    content = {
        "settings": {
            "weights": whole["settings"]["weights"],
            "weights_cut": weights_fingerprint(model),
            "seeds": options.seeds,
            "budget": options.budget,
        },
        "left_out": {name: made[name] for name in ("without", "best_share", "steps", "variants")},
        "tasks": {name: task_searches(name, *both) for name, both in by_task.items()},
    }
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    print(options.output)


def _of_task(content: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [each for each in content["searches"]["reference"] if each["task"] == name]


def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
