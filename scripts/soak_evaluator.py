# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Evaluate thousands of programs, one in ten hostile, and watch what must not grow or go wrong.

    python scripts/soak_evaluator.py [--candidates 20000] [--seed 0] [--json PATH]

Knapsack programs of the corpus with a limit of 0.5 s, mixed with the hostile programs of the test suite. Prints memory
of this process, its descriptors, processes and files in the temporary folder along the way, and at the end how many
honest scores differ from a direct call (the target is none) and what became of the hostile programs.
"""

from __future__ import annotations

import argparse
import collections
import importlib.util
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.evaluation import Evaluator, Limits
from lhs_hf.evaluation.rollout import evaluate_in_process
from lhs_hf.tasks import get_task

TASK = "knapsack_construct"


def hostile_programs() -> dict[str, str]:
    """The hostile programs of the test suite for this task, by name."""
    path = Path(__file__).parent.parent / "tests" / "hostile.py"
    specification = importlib.util.spec_from_file_location("hostile", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    sys.modules["hostile"] = module
    specification.loader.exec_module(module)
    return {each.name: each.source for each in module.HOSTILE if each.task == TASK}


def honest_programs(limit_s: float) -> dict[str, tuple[float, ...]]:
    """Quick programs of the corpus and the exact objectives of each."""
    task = get_task(TASK)
    found = {}
    for row in load_corpus(TASK):
        started = time.perf_counter()
        objectives = tuple(evaluate_in_process(task, row.program))
        if time.perf_counter() - started < limit_s / 5:
            found[row.program] = objectives
    return found


def _descendants() -> int:
    """Processes below this one."""
    parents: dict[int, list[int]] = collections.defaultdict(list)
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(fields[1])].append(int(entry.parent.name))
    found, waiting = 0, [os.getpid()]
    while waiting:
        below = parents[waiting.pop()]
        found += len(below)
        waiting += below
    return found


def _state() -> dict[str, float]:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return {
        "memory_mb": round(pages * os.sysconf("SC_PAGE_SIZE") / 2**20, 1),
        "descriptors": len(os.listdir("/proc/self/fd")),
        "processes": _descendants(),
        "temporary_files": len(os.listdir(tempfile.gettempdir())),
    }


def main() -> None:
    """Run and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--candidates", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    limits = Limits(wall_s=0.5, memory_mb=512)
    honest, hostile = honest_programs(0.5), hostile_programs()
    bad = chance.sample(sorted(hostile), len(hostile))
    good = sorted(honest)
    # Every tenth program is hostile, all of them in turn.
    places = range(options.candidates)
    plan = [bad[index // 10 % len(bad)] if index % 10 == 9 else chance.choice(good) for index in places]
    ends: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    wrong: list[str] = []
    slow = 0
    states: dict[int, dict[str, float]] = {}
    before = _state()
    started = time.monotonic()
    with Evaluator(TASK, workers=options.workers, limits=limits) as evaluator:
        for done, result in enumerate(evaluator.evaluate_many([hostile.get(each, each) for each in plan])):
            each = plan[done]
            if each in hostile:
                ends[each][result.status] += 1
                slow += result.runtime_s > 1.0
            elif result.objectives != honest[each]:
                wrong.append(f"{result.status}: {result.message}")
            if done + 1 in (1000, options.candidates) or (done + 1) % 2000 == 0:
                states[done + 1] = _state()
                seconds = time.monotonic() - started
                print(f"{done + 1:6d} {seconds:7.1f} s {states[done + 1]} wrong {len(wrong)}", flush=True)
        isolation = evaluator.isolation
    after = _state()
    statuses: collections.Counter[str] = sum(ends.values(), collections.Counter())
    report: dict[str, Any] = {
        "candidates": options.candidates,
        "isolation": isolation,
        "seconds": round(time.monotonic() - started, 1),
        "honest_programs": len(honest),
        "hostile_programs": len(hostile),
        "wrong_scores": len(wrong),
        "wrong": wrong[:20],
        "hostile_over_limit_plus_half_a_second": slow,
        "hostile_ends": dict(statuses),
        "before": before,
        "during": states,
        "after": after,
    }
    print(json.dumps({key: value for key, value in report.items() if key != "during"}, indent=1))
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
