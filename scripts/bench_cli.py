"""How long `lhs-hf evaluate` takes to start and score a trivial program, interpreter included.

    python scripts/bench_cli.py [--runs 9] [--output results/bench_cli.json]

Prints medians, and the ratio to starting Python with numpy alone, measured in the same run.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = """def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    return unvisited_nodes[0]
"""


def seconds(command: list[str]) -> float:
    started = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--output", type=Path, default=Path("results/bench_cli.json"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(PROGRAM)
        commands = {
            "python_numpy": [sys.executable, "-c", "import numpy"],
            "evaluate": [
                sys.executable, "-m", "lhs_hf", "evaluate", "tsp_construct", str(path), "--json", "--no-cache",
            ],
        }  # fmt: skip
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(arguments.runs):
            for name, command in commands.items():
                times[name].append(seconds(command))
    medians = {name: round(statistics.median(values), 4) for name, values in times.items()}
    result = {
        "command": "python scripts/bench_cli.py",
        "runs": arguments.runs,
        "python": platform.python_version(),
        "median_s": medians,
        "max_s": {name: round(max(values), 4) for name, values in times.items()},
        "ratio_to_python_numpy": round(medians["evaluate"] / medians["python_numpy"], 2),
    }
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
