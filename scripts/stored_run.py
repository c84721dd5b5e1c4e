"""The finished search that the page shows before anybody has pressed Run.

    python scripts/stored_run.py [--task vrptw_construct] [--budget 20] [--seed 0]

Runs a real search as the page would and writes lhs_hf/space/example.json.
"""

from __future__ import annotations

import argparse
import json
import time

from lhs_hf.reporting.conclusion import headline
from lhs_hf.space import SpaceService
from lhs_hf.space.catalogue import DEFAULT_TASK
from lhs_hf.space.example import PATH, as_data
from lhs_hf.space.run import FINISHED
from lhs_hf.space.search_tab import DEFAULT_BUDGET


def main() -> None:
    """Search and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--task", default=DEFAULT_TASK)
    parser.add_argument("--budget", type=int, default=DEFAULT_BUDGET)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    service = SpaceService()
    try:
        run = service.runs.start(
            arguments.task,
            budget=arguments.budget,
            seed=arguments.seed,
            proposals="portfolio",
            init="corpus",
            optimizer="gradient",
            space="prior",
            radius=8.0,
        )
        while not run.over:
            service.runs.get(run.id)
            time.sleep(0.5)
        if run.state != FINISHED or run.result is None:
            raise SystemExit(run.message)
        PATH.write_text(json.dumps(as_data(run)) + "\n", encoding="utf-8")
        print(f"{headline(run.task, run.result).text} {PATH.stat().st_size / 1024:.0f} KiB in {PATH}")
    finally:
        service.close()


if __name__ == "__main__":
    main()
