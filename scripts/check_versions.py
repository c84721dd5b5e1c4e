"""Install the oldest allowed and the newest versions of every direct dependency, and run the package with each.

    python scripts/check_versions.py                       both; downloads gigabytes, once: uv keeps them
    python scripts/check_versions.py oldest --find-links /opt/wheels

Needs uv (`pip install uv`). In a new virtual environment for each, this checkout is installed with the extras below;
then one program is evaluated, a search of two decoder calls runs and is reported, and what the extras are for is
opened. Writes the installed versions and how each step ended to results/versions.json; exit status 1 if one failed.

The oldest ones are those that pyproject.toml allows for what it names itself; what these need in turn is as new as they
allow (uv's `lowest-direct`). The extra `train` asks for a newer torch than the rest, so it has no part in the oldest.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import tomllib

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "results" / "versions.json"
KINDS = {
    "oldest": ("lowest-direct", "adapters,metrics,llm,space"),
    "newest": ("highest", "train,adapters,metrics,llm,space"),
}
TASK = "knapsack_construct"
LONGEST_S = 900
METRIC = """
import evaluate
from lhs_hf.metrics import metric_folder
print(evaluate.load(metric_folder("gap_to_optimum")).compute(predictions=[6.4], references=[5.66], sense="min"))
"""
PAGE = """
from lhs_hf.space import SpaceService, build_app
service = SpaceService()
build_app(service)
service.close()
"""
SERVER = "from lhs_hf.language import ServerModel; print(ServerModel('a', 'http://localhost:1/v1').name)"
TEMPLATE = f"import sys; from lhs_hf.tasks import get_task; sys.stdout.write(get_task({TASK!r}).template)"


def steps(python: str) -> dict[str, list[str]]:
    """What is run with an environment's interpreter, in this order, by name."""
    command = [python, "-m", "lhs_hf"]
    return {
        "evaluate": [*command, "evaluate", TASK, "program.py", "--no-cache"],
        "search": [*command, "search", TASK, "--preset", "latent", "--budget", "2", "--output", "run"],
        "search by races": [*command, "search", TASK, "--budget", "2", "--output", "race"],
        "report": [*command, "report", "run"],
        "adapters": [*command, "export-adapter", "run", "--output", "adapter"],
        "metrics": [python, "-c", METRIC],
        "space": [python, "-c", PAGE],
        "llm": [python, "-c", SERVER],
    }


def direct(extras: str) -> list[str]:
    """The names of the distributions that pyproject.toml asks for, without extras or with some."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"]]
    for extra in extras.split(","):
        wanted += project["optional-dependencies"][extra]
    return sorted({re.split(r"[<>=!~\[ ]", each, maxsplit=1)[0] for each in wanted})


def installed(python: str, names: list[str]) -> dict[str, str]:
    """Versions by name."""
    code = "import json, sys; from importlib.metadata import version; "
    code += "print(json.dumps({name: version(name) for name in sys.argv[1:]}))"
    return json.loads(subprocess.run([python, "-c", code, *names], capture_output=True, check=True).stdout)


def run(command: list[str], folder: Path, environment: dict[str, str]) -> str | None:
    """The end of what a command says that fails; None for one that does what it should."""
    options: dict[str, Any] = {"cwd": folder, "env": environment, "capture_output": True, "text": True}
    try:
        done = subprocess.run(command, timeout=LONGEST_S, check=False, **options)
    except subprocess.TimeoutExpired:
        return f"not over after {LONGEST_S} s"
    return None if done.returncode == 0 else done.stderr[-1000:]


def check(kind: str, find_links: list[str], folder: Path) -> dict[str, Any]:
    """Install one kind into a new environment and run the steps; how each ended, None where all went well."""
    resolution, extras = KINDS[kind]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment |= {"LHS_HF_CACHE": str(folder / "cache"), "HF_HUB_OFFLINE": "1"}
    python = str(folder / "venv" / "bin" / "python")
    links = [word for each in find_links for word in ("--find-links", each)]
    uv = [sys.executable, "-m", "uv"]
    subprocess.run([*uv, "venv", "--quiet", "--python", sys.executable, str(folder / "venv")], check=True)
    subprocess.run(
        [*uv, "pip", "install", "--python", python, "--resolution", resolution, *links, f"{ROOT}[{extras}]"], check=True
    )
    found: dict[str, Any] = {"extras": extras, "versions": installed(python, direct(extras)), "steps": {}}
    program = subprocess.run([python, "-c", TEMPLATE], env=environment, capture_output=True, cwd=folder, check=True)
    (folder / "program.py").write_bytes(program.stdout)
    for name, command in steps(python).items():
        found["steps"][name] = problem = run(command, folder, environment)
        print(f"{kind}: {name}: {problem or 'ok'}", flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help="oldest, newest; by default both")
    parser.add_argument("--find-links", action="append", default=[], help="folder of wheels to take first")
    options = parser.parse_args()
    unknown = [kind for kind in options.kinds if kind not in KINDS]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; it can be: {', '.join(KINDS)}")
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
    results |= {"python": platform.python_version(), "machine": platform.machine()}
    for kind in options.kinds or KINDS:
        with tempfile.TemporaryDirectory() as name:
            results[kind] = check(kind, options.find_links, Path(name))
        RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    failed = [
        f"{kind}: {step}" for kind in KINDS for step, end in results.get(kind, {}).get("steps", {}).items() if end
    ]
    print("\n".join(failed) or "every step went well")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
