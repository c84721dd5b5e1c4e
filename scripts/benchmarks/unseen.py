"""What a search does for a task that no model was trained on: from its file alone, beside methods without a model.

    python scripts/benchmarks/unseen.py                               the development tasks of the zoo, three seeds
    python scripts/benchmarks/unseen.py --tasks unseen                those that nothing is chosen by
    python scripts/benchmarks/unseen.py --summary

A cell is one method on one task with one seed, from the task's reference. Each is stored under `--runs` when it is
finished and is not run again. Every method gets the instance runs of `--budget` programs on `search`; what it chooses
is judged on `test` and `holdout`.

Methods: `default` (the search of the command line, with the model that ships), `edits` (the same without a model),
`typed` (genetic programming by the types of the arguments: new rules, crossovers and transforms, a pool of 20, chosen
on `search`), `climb` (tree hill climbing), `tuned` (the numbers of the reference, by CMA-ES), `prior` (the best of N
programs decoded from the prior).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from discovery import Cell, Found, hill_climbing, holm, interval, latent, tuned

from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.methods.hill_climbing import ClimbSettings
from lhs_hf.search.components import load_components
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.edits import NewRule
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import Task, get_task
from lhs_hf.tasks.names import ZOO_DEVELOPMENT, ZOO_UNSEEN

ROOT = Path(__file__).resolve().parents[2]
SPLITS = ("test", "holdout")
GROUPS = {"development": ZOO_DEVELOPMENT, "unseen": ZOO_UNSEEN}
COUNTS: dict[str, dict[str, int]] = {}
"""What the last search made, by the name of its cell: programs, valid ones, decoded ones, valid ones of these."""


def search(cell: Cell, task: Task, evaluator: Evaluator, budget: int, model: bool = True) -> Found:
    """The default search from the reference, with or without the model that ships."""
    settings = SearchSettings.from_preset("default", budget=budget, seed=cell.seed, init="reference")
    parts = load_components("lhs-tiny", task) if model else None
    with RunDatabase(":memory:") as database:
        outcome = PortfolioSearch(parts, evaluator, database, settings, portfolio_starts(task, "reference")).run()
    made = [candidate for candidate in outcome.candidates if candidate.made]
    decoded = [candidate for candidate in made if candidate.decoded]
    COUNTS[cell.name] = {
        "programs": len(made),
        "valid": sum(candidate.ok for candidate in made),
        "decoded": len(decoded),
        "decoded_valid": sum(candidate.ok for candidate in decoded),
    }
    assert outcome.training is not None
    return Found(outcome.best.program, outcome.training["instance_runs"], len(decoded))


def typed(cell: Cell, task: Task, evaluator: Evaluator, budget: int) -> Found:
    """Genetic programming by types, from the reference."""
    first = "new_rule" if NewRule.applies(task) else "choose_by"
    settings = ClimbSettings(pool=20, shares={first: 0.3, "transform": 0.3, "crossover": 0.3, "literals": 0.1})
    return hill_climbing(cell, task, evaluator, budget, settings)


METHODS: dict[str, Callable[[Cell, Task, Evaluator, int], Found]] = {
    "default": search,
    "edits": lambda *arguments: search(*arguments, model=False),
    "typed": typed,
    "climb": hill_climbing,
    "tuned": tuned,
    "prior": lambda *arguments: latent(*arguments, optimizer="prior"),
}


def run(cell: Cell, budget: int) -> dict[str, Any]:
    """One cell: the search, then what it found beside the reference, one objective an instance."""
    task = get_task(cell.task)
    started = time.monotonic()
    with EvaluationCache() as cached, Evaluator(task, workers=1, cache=cached) as evaluator:
        found = METHODS[cell.method](cell, task, evaluator, budget)
        seconds = time.monotonic() - started
        found_on = {split: evaluator.evaluate(found.program, split) for split in SPLITS}
        reference_on = {split: evaluator.evaluate(task.template, split) for split in SPLITS}
    return {
        **vars(cell),
        "budget": budget,
        "program": found.program,
        "instance_runs": found.instance_runs,
        "decoder_calls": found.decoder_calls,
        "counts": COUNTS.pop(cell.name, None),
        "seconds": seconds,
        "objectives": {split: list(each.objectives) for split, each in found_on.items()},
        "reference": {split: list(each.objectives) for split, each in reference_on.items()},
        "runtime_s": {split: each.runtime_s for split, each in found_on.items()},
    }


def gain(task: str, ours: list[float], theirs: list[float]) -> float | None:
    """In percent of the other's mean, positive is better; None if one of them fails, or the other has nothing."""
    if not ours or not theirs or not np.mean(theirs):
        return None
    return float(100 * get_task(task).alpha * (np.mean(ours) - np.mean(theirs)) / abs(np.mean(theirs)))


def summary(cells: list[dict[str, Any]], split: str = "test") -> dict[str, Any]:
    """By group of tasks: gains over the reference, and of the default over every other method, paired over seeds."""
    result: dict[str, Any] = {"split": split}
    for group, tasks in GROUPS.items():
        own = {(each["method"], each["task"], each["seed"]): each for each in cells if each["task"] in tasks}
        if not own:
            continue
        methods = [name for name in METHODS if any(key[0] == name for key in own)]
        over_reference = {
            method: _table(
                (task, gain(task, each["objectives"][split], each["reference"][split]))
                for (name, task, _), each in own.items()
                if name == method
            )
            for method in methods
        }
        over_others = {
            method: _table(
                (task, gain(task, each["objectives"][split], own[method, task, seed]["objectives"][split]))
                for (name, task, seed), each in own.items()
                if name == "default" and (method, task, seed) in own
            )
            for method in methods
            if method != "default"
        }
        holm(list(over_others.values()))
        counts = [each["counts"] for (name, _, _), each in own.items() if name == "default" and each["counts"]]
        totals = {name: sum(each[name] for each in counts) for name in (counts[0] if counts else ())}
        result[group] = {"over_reference": over_reference, "default_over": over_others, "counts": totals}
    return result


def _table(gains: Any) -> dict[str, Any]:
    by_task: dict[str, list[float]] = {}
    for task, value in gains:
        if value is not None:
            by_task.setdefault(task, []).append(value)
    tasks = {task: interval(values) for task, values in sorted(by_task.items())}
    means = [entry["mean"] for entry in tasks.values()]
    return {"tasks": tasks, "better": sum(mean > 0 for mean in means), "mean": float(np.mean(means)) if means else None}


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=["development"], help="names, or: development, unseen")
    parser.add_argument("--methods", nargs="+", choices=list(METHODS), default=list(METHODS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2])
    parser.add_argument("--budget", type=int, default=100, help="programs on search that the instance runs add up to")
    parser.add_argument("--summary", action="store_true", help="only summarise the cells that there are")
    parser.add_argument("--runs", type=Path, default=Path("runs/unseen"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "unseen.json")
    return parser.parse_args()


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    torch.set_num_threads(1)
    options.runs.mkdir(parents=True, exist_ok=True)
    tasks = [task for name in options.tasks for task in GROUPS.get(name, (name,))]
    for seed in options.seeds if not options.summary else ():
        for task in tasks:
            for method in options.methods:
                cell = Cell(method, task, "reference", seed)
                file = options.runs / f"{cell.name}.json"
                if file.exists():
                    continue
                result = run(cell, options.budget)
                file.write_text(json.dumps(result))
                over = gain(task, result["objectives"]["test"], result["reference"]["test"])
                shown = "fails" if over is None else f"{over:+.2f} %"
                print(f"{cell.name}: {shown} on test, {result['seconds']:.0f} s", flush=True)
    cells = [json.loads(file.read_text()) for file in sorted(options.runs.glob("*.json"))]
    result = summary(cells)
    if options.summary:
        options.output.write_text(json.dumps({"summary": result, "cells": cells}, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
