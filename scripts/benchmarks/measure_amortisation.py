# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Measure a model that has not seen some tasks beside the one that ships: results/amortisation.json.

    python scripts/benchmarks/leave_out.py --without tsp_construct jssp_construct set_cover_construct --work WORK
    python scripts/benchmarks/measure_amortisation.py --work WORK

Runs measure_latents.py, measure_decoder.py and measure_search.py on the model of the work folder, each going on
where it was, and sets their figures beside those of results/latents.json, decoder.json and searches.json. `--control`
names tasks that the model has seen, measured alike but for the searches: what they lose, the shorter training costs.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from searches.amortisation import task_figures

from lhs_hf.reporting.identity import weights_fingerprint
from lhs_hf.tasks import task_names

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--work", type=Path, default=Path("training-runs/left-out"))
    parser.add_argument("--control", nargs="+", choices=task_names(), default=["knapsack_construct", "cvrp_construct"])
    parser.add_argument("--parents", type=int, default=100, help="programs a task, for the paired test")
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--output", type=Path, default=RESULTS / "amortisation.json")
    return parser.parse_args()


def measure(options: argparse.Namespace, without: list[str]) -> None:
    """Run the measurements that are missing."""
    model, tasks = str(options.work / "export"), [*without, *options.control]

    def script(name: str, *parameters: str) -> None:
        subprocess.run([sys.executable, str(Path(__file__).with_name(name)), "--model", model, *parameters], check=True)

    latents = [
        "--split",
        "test",
        "--moves",
        "gradient",
        "random",
        "--screening",
        "1",
        "--sections",
        "moves",
        "surrogate",
    ]
    latents += ["--parents", str(options.parents), "--batch", "64", "--database", str(options.work / "latents.sqlite")]
    script("measure_latents.py", *latents, "--tasks", *tasks, "--output", str(options.work / "latents.json"))
    decoder = ["--sections", "faithful", "--tasks", ",".join(tasks), "--out", str(options.work / "decoder.json")]
    script("measure_decoder.py", *decoder)
    searches = ["--inits", "reference", "--seeds", *map(str, options.seeds), "--runs", str(options.work / "searches")]
    script("measure_search.py", *searches, "--tasks", *without, "--output", str(options.work / "searches.json"))


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    made = _json(options.work / "export" / "left_out.json")
    measure(options, made["without"])
    files = ("latents.json", "decoder.json", "searches.json")
    by_model = {
        "full": [_json(RESULTS / name) for name in files],
        "left_out": [_json(options.work / name) for name in files],
    }

    def beside(tasks: list[str]) -> dict[str, Any]:
        return {
            task: {model: task_figures(task, *found, options.seeds) for model, found in by_model.items()}
            for task in tasks
        }

    full = by_model["full"][0]["settings"]
    recipe = _json(ROOT / "lhs_hf" / "pretrained" / "lhs-tiny" / "training.json")["recipe"]
    content = {
        "settings": {"weights": full["weights"], "parents": options.parents, "seeds": options.seeds},
        "left_out": {
            **{name: made[name] for name in ("without", "best_share", "steps", "variants")},
            "full_steps": recipe["autoencoder"]["steps"],
            "weights": weights_fingerprint(options.work / "export"),
        },
        "tasks": beside(made["without"]),
        "control": beside(options.control),
    }
    options.output.write_text(json.dumps(content, indent=1) + "\n")
    print(options.output)


def _json(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
