# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""The same two problems with what a function gets written down in eleven ways: does a search find as much?

    python scripts/benchmarks/signatures.py --seeds 2
    python scripts/benchmarks/signatures.py --forms tour_nested --seeds 1 --output /tmp/signatures.json

A tour and jobs on one machine (`signatures/forms.py`), each as a matrix or vectors and as dictionaries of dictionaries,
dictionaries by pairs, names for ids, coordinates, records, objects, one dictionary for all. Each is searched from its
file alone. What is in the output file already is not run again; `results/signatures.json` has one part for each version
of the words (`--part`).
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import lhs_hf
from lhs_hf.search.search import run_search
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

HERE = Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "results" / "signatures.json"
FORMS_FILE = HERE / "signatures" / "forms.py"


def forms() -> dict[str, str]:
    """Name of a task -> its class."""
    sys.path.insert(0, str(FORMS_FILE.parent))
    from forms import FORMS

    return {form.name: form.__name__ for form in FORMS}


def searched(form: str, seed: int, budget: int, folder: Path) -> dict[str, Any]:
    """One search of a form, from its file alone: the reference and what was found on each split, seconds, valid."""
    file = folder / f"{form}.py"
    file.write_text(f"{FORMS_FILE.read_text(encoding='utf-8')}\n\nTASK = {form}()\n", encoding="utf-8")
    started = time.perf_counter()
    settings = SearchSettings.from_preset(None, budget=budget, seed=seed)
    result = run_search(get_task(str(file)), settings, store=False, progress=False)
    return {
        "reference": dict(result.reference),
        "found": dict(result.found),
        "valid": round(result.valid / max(1, result.candidates), 4),
        "seconds": round(time.perf_counter() - started, 1),
        "program": result.program,
    }


def commit() -> str:
    """The commit of the package that is imported."""
    place = Path(lhs_hf.__file__).resolve().parent
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=place, capture_output=True, text=True, check=False).stdout.strip()


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--forms", nargs="+", default=None, help="names of tasks; all unless given")
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--budget", type=int, default=60)
    parser.add_argument("--part", default="now", help="what these figures are called in the output")
    parser.add_argument("--output", type=Path, default=RESULTS)
    return parser.parse_args()


def main() -> None:
    """Run what is missing."""
    options, known = arguments(), forms()
    table = json.loads(options.output.read_text(encoding="utf-8")) if options.output.exists() else {}
    part = table.setdefault(options.part, {"commit": commit(), "budget": options.budget, "runs": {}})
    for name in options.forms or known:
        for seed in range(options.seeds):
            if f"{name}-{seed}" not in part["runs"]:
                with tempfile.TemporaryDirectory() as folder:
                    part["runs"][f"{name}-{seed}"] = searched(known[name], seed, options.budget, Path(folder))
                options.output.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
                row = part["runs"][f"{name}-{seed}"]
                print(
                    name, seed, row["reference"]["test"], "->", row["found"]["test"], f"{row['seconds']} s", flush=True
                )


if __name__ == "__main__":
    main()
