# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""The paper's ablation on a task: searches as they are, without the flow, and without the gradient.

    python scripts/benchmarks/measure_ablation.py          results/ablation.json

The searches are those of measure_search.py, from the reference program, each in a folder under `--runs`: what
is finished is not run again. Those of the method as it is are taken from runs/searches, where that script leaves them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = {"LHS": [], "No-Grad": ["optimizer=interpolation"], "No-Flow": ["space=latent"]}


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--task", default="tsp_construct")
    parser.add_argument("--seeds", nargs="+", default=["0", "1", "2", "3", "4"])
    parser.add_argument("--variants", nargs="+", choices=tuple(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--runs", type=Path, default=Path("runs"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "ablation.json")
    return parser.parse_args()


def main() -> None:
    """Run what is missing and write the variants side by side."""
    options = arguments()
    found = {}
    for name in options.variants:
        folder = options.runs / (f"ablation-{name.lower()}" if VARIANTS[name] else "searches")
        output = options.runs / f"ablation-{name.lower()}.json"
        changes = ["--set", *VARIANTS[name]] if VARIANTS[name] else []
        command = [
            sys.executable, str(Path(__file__).with_name("measure_search.py")), "--tasks", options.task, *changes,
            "--inits", "reference", "--seeds", *options.seeds, "--splits", "--runs", str(folder),
            "--output", str(output),
        ]  # fmt: skip
        subprocess.run(command, check=True)
        found[name] = json.loads(output.read_text())
    options.output.parent.mkdir(parents=True, exist_ok=True)
    options.output.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
