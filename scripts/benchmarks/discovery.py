"""Does a search discover? Methods at equal instance runs, judged on instances that none of them was chosen on.

    python scripts/benchmarks/discovery.py --seeds 0 1 2 3 4
    python scripts/benchmarks/discovery.py --tasks cvrp_construct --methods portfolio climb --inits corpus
    python scripts/benchmarks/discovery.py --summary

A cell is one method on one task from one start with one seed. Each is stored under `--runs` when it is finished, is not
run again, and several processes may share the work (`--tasks`, each with other ones). Every method gets the instance
runs of `--budget` programs on `search`. `--summary` writes `--output` from the cells that there are: gains on `holdout`
over the best program of the corpus and over the other methods, paired over seeds, corrected for their number (Holm).

Methods: `portfolio` (the default: edits and latents, raced), `latent` (the latent search alone, chosen on `search`),
`climb` (tree hill climbing: the same edits and pool, no latents, chosen on `search`), `edits` (the portfolio without
latents), `random` (latent search in random directions), `prior` (the best of N programs decoded from the prior), `gp`
(genetic programming, steady state: half crossovers, half transforms, a pool of 20), `tuned` (the numbers of the
starting program, by CMA-ES on 16 fresh instances), `corpus` (the best of the corpus, chosen on 200 fresh instances).
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy import stats

from lhs_hf.corpus.dataset import corpus_tasks, load_corpus
from lhs_hf.corpus.novelty import Reference
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.evaluation.racing import Ledger, TrainingInstances, Trials, finalists
from lhs_hf.methods.hill_climbing import ClimbSettings, HillClimbing, corpus_starts, reference_start
from lhs_hf.methods.told import Told, drive
from lhs_hf.programs import program_hash
from lhs_hf.search.components import load_components
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.edits import Behaviours, live_literals, tune
from lhs_hf.search.loop import LatentSearch
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.result import best_candidate
from lhs_hf.search.settings import INITS, SearchSettings
from lhs_hf.search.starts import portfolio_starts, starting_programs
from lhs_hf.store import MEMORY
from lhs_hf.tasks import Task, get_task

ROOT = Path(__file__).resolve().parents[2]
CONTENDERS = 20
GENETIC = ClimbSettings(pool=20, shares={"crossover": 0.5, "transform": 0.5})


@dataclass(frozen=True)
class Cell:
    """One method on one task, from one start, with one seed."""

    method: str
    task: str
    init: str
    seed: int

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"{self.task}-{self.init}-{self.method}-seed{self.seed}"


@dataclass(frozen=True)
class Found:
    """The program that a method chose, and what that cost."""

    program: str
    instance_runs: int
    decoder_calls: int = 0


@cache
def components(task: str) -> Any:
    """The shipped model's parts for a task."""
    return load_components("lhs-tiny", get_task(task))


def portfolio(cell: Cell, task: Task, evaluator: Evaluator, budget: int, latent: bool = True) -> Found:
    """The portfolio, or its edits alone."""
    settings = SearchSettings.from_preset("default", budget=budget, seed=cell.seed, init=cell.init)
    parts = components(cell.task) if latent else None
    with RunDatabase(":memory:") as database:
        outcome = PortfolioSearch(parts, evaluator, database, settings, portfolio_starts(task, cell.init)).run()
    calls = sum(candidate.decoded for candidate in outcome.candidates)
    assert outcome.training is not None
    return Found(outcome.best.program, outcome.training["instance_runs"], calls)


def latent(cell: Cell, task: Task, evaluator: Evaluator, budget: int, optimizer: str = "gradient") -> Found:
    """Algorithm 1, chosen on `search`."""
    settings = SearchSettings.from_preset("latent", budget=budget, seed=cell.seed, init=cell.init, optimizer=optimizer)
    with RunDatabase(":memory:") as database:
        candidates = LatentSearch(
            components(cell.task), evaluator, database, settings, starting_programs(task, settings)
        ).run()
    best = best_candidate(candidates)
    assert best is not None
    runs = sum(c.decoded and c.duplicate_of is None for c in candidates) * task.split("search").count
    return Found(best.program, runs, sum(candidate.decoded for candidate in candidates))


def hill_climbing(
    cell: Cell, task: Task, evaluator: Evaluator, budget: int, settings: ClimbSettings | None = None
) -> Found:
    """Tree hill climbing without latents, chosen on `search`."""
    starts = corpus_starts(task) if cell.init == "corpus" else reference_start(task, evaluator)
    settings = replace(settings or ClimbSettings(), seed=cell.seed)
    method = HillClimbing(task, starts, settings, Behaviours(evaluator, practice=False))
    with Told(MEMORY) as told:
        runs = drive(method, evaluator, told, budget * task.split("search").count)
    return Found(method.best.source, runs)


def tuned(cell: Cell, task: Task, evaluator: Evaluator, budget: int) -> Found:
    """The starting program with other numbers: CMA-ES on the live ones, all on the same fresh instances."""
    source = corpus_starts(task)[0].source if cell.init == "corpus" else task.template
    numbers = live_literals(source, Behaviours(evaluator, practice=False))
    if not numbers:
        return Found(source, 0)
    trials = Trials(evaluator, TrainingInstances(task, cell.seed), Ledger())
    block = trials.instances.block(3)

    def scores(texts: list[str]) -> list[float | None]:
        contenders = [trials.contender(text) for text in texts]
        trials.measure(contenders, block)
        solved = [trials.objectives(each, [block]).get(block.name) for each in contenders]
        return [None if values is None else task.alpha * float(np.mean(values)) for values in solved]

    programs = budget * task.split("search").count // block.size
    best = tune(source, numbers, scores, programs, np.random.default_rng(cell.seed))
    return Found(best.source, trials.ledger.runs)


def best_in_corpus(cell: Cell, task: Task, evaluator: Evaluator, budget: int) -> Found:
    """The best of the training programs that are best on `search`, chosen on 200 fresh instances."""
    rows = sorted(load_corpus(task.name, "train"), key=lambda row: (-row.score, row.hash))
    ledger = Ledger()
    trials = Trials(evaluator, TrainingInstances(task, cell.seed), ledger)
    return Found(finalists(trials, [row.program for row in rows[:CONTENDERS]])[0].source, ledger.runs)


METHODS: dict[str, Callable[[Cell, Task, Evaluator, int], Found]] = {
    "portfolio": portfolio,
    "edits": lambda *arguments: portfolio(*arguments, latent=False),
    "latent": latent,
    "random": lambda *arguments: latent(*arguments, optimizer="random"),
    "prior": lambda *arguments: latent(*arguments, optimizer="prior"),
    "climb": hill_climbing,
    "gp": lambda *arguments: hill_climbing(*arguments, settings=GENETIC),
    "tuned": tuned,
    "corpus": best_in_corpus,
}


def run(cell: Cell, budget: int) -> dict[str, Any]:
    """One cell: the search, then what it found on every split, one objective an instance."""
    task = get_task(cell.task)
    rows = load_corpus(cell.task)
    started = time.monotonic()
    with EvaluationCache() as cached, Evaluator(task, workers=1, cache=cached) as evaluator:
        found = METHODS[cell.method](cell, task, evaluator, budget)
        seconds = time.monotonic() - started
        evaluations = {split: evaluator.evaluate(found.program, split) for split in task.splits}
        behaviour = evaluator.probe(found.program)
    reference = Reference(rows)
    return {
        **vars(cell),
        "budget": budget,
        "program": found.program,
        "instance_runs": found.instance_runs,
        "decoder_calls": found.decoder_calls,
        "seconds": seconds,
        "new_text": not reference.has_text(program_hash(found.program)),
        "new_behaviour": behaviour is not None and not reference.has_behaviour(behaviour),
        "runtime_s": {split: each.runtime_s for split, each in evaluations.items()},
        "objectives": {split: list(each.objectives) for split, each in evaluations.items()},
    }


def gain(cell: dict[str, Any], other: dict[str, Any], split: str) -> float | None:
    """How much better one cell's program is on a split, in percent of the other's mean; None if one of them fails."""
    ours, theirs = (np.array(each["objectives"][split], dtype=np.float64) for each in (cell, other))
    if not len(ours) or not len(theirs):
        return None
    return float(100 * get_task(cell["task"]).alpha * (ours.mean() - theirs.mean()) / abs(theirs.mean()))


def compared(cells: dict[str, dict[str, Any]], method: str, other: str, init: str, split: str) -> dict[str, Any]:
    """Gains of a method over another one by task, paired over seeds, and over all tasks together."""
    by_task: dict[str, list[float]] = {}
    for each in cells.values():
        if (each["method"], each["init"]) != (method, init):
            continue
        name = Cell(other, each["task"], "corpus" if other == "corpus" else init, each["seed"]).name
        difference = gain(each, cells[name], split) if name in cells else None
        if difference is not None:
            by_task.setdefault(each["task"], []).append(difference)
    table = {task: interval(values) for task, values in sorted(by_task.items())}
    # Every task counts alike: differences in units of their own spread over seeds and methods.
    together = [np.mean(values) / (np.std(values, ddof=1) or 1.0) for values in by_task.values() if len(values) > 1]
    wilcoxon = stats.wilcoxon([value for values in by_task.values() for value in values]) if by_task else None
    return {
        "tasks": table,
        "better": sum(entry["mean"] > 0 for entry in table.values()),
        "mean_standardised": float(np.mean(together)) if together else None,
        "p_all": float(wilcoxon.pvalue) if wilcoxon is not None else None,
    }


def interval(values: list[float]) -> dict[str, Any]:
    """Mean over seeds with its 95 % interval (t) and the p-value of a paired t-test."""
    mean, count = float(np.mean(values)), len(values)
    if count < 2 or np.ptp(values) == 0:
        return {"mean": mean, "low": mean, "high": mean, "p": None, "seeds": count}
    test = stats.ttest_1samp(values, 0.0)
    low, high = test.confidence_interval()
    return {"mean": mean, "low": float(low), "high": float(high), "p": float(test.pvalue), "seeds": count}


def holm(tables: list[dict[str, Any]]) -> None:
    """Add to every task's comparison its p-value corrected for how many there are."""
    entries = [entry for table in tables for entry in table["tasks"].values() if entry["p"] is not None]
    entries.sort(key=lambda entry: entry["p"])
    worst = 0.0
    for place, entry in enumerate(entries):
        worst = max(worst, min(1.0, entry["p"] * (len(entries) - place)))
        entry["p_holm"] = worst


def summary(cells: dict[str, dict[str, Any]], split: str = "holdout") -> dict[str, Any]:
    """All comparisons of the methods that there are, from each start."""
    methods = sorted({cell["method"] for cell in cells.values()})
    tables = {
        f"{method} over {other}, {init}": compared(cells, method, other, init, split)
        for init in INITS
        for method in methods
        for other in methods
        if method != other and method in ("portfolio", "edits")
    }
    tables = {name: table for name, table in tables.items() if table["tasks"]}
    holm(list(tables.values()))
    new = [cell for cell in cells.values() if cell["method"] == "portfolio"]
    return {
        "split": split,
        "comparisons": tables,
        "share_new_text": float(np.mean([cell["new_text"] for cell in new])) if new else None,
        "share_new_behaviour": float(np.mean([cell["new_behaviour"] for cell in new])) if new else None,
    }


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=list(corpus_tasks()))
    parser.add_argument(
        "--methods", nargs="+", choices=list(METHODS), default=["portfolio", "latent", "climb", "corpus"]
    )
    parser.add_argument("--inits", nargs="+", choices=INITS, default=list(INITS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3, 4])
    parser.add_argument("--budget", type=int, default=100, help="programs on search that the instance runs add up to")
    parser.add_argument("--summary", action="store_true", help="only summarise the cells that there are")
    parser.add_argument("--runs", type=Path, default=Path("runs/discovery"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "discovery.json")
    return parser.parse_args()


def main() -> None:
    """Run what the command line asks for."""
    options = arguments()
    # As a search has it: several threads of a small model wait for each other, most of all beside another process.
    torch.set_num_threads(1)
    options.runs.mkdir(parents=True, exist_ok=True)
    for seed in options.seeds if not options.summary else ():
        for task in options.tasks:
            for init in options.inits:
                for method in options.methods:
                    cell = Cell(method, task, init, seed)
                    file = options.runs / f"{cell.name}.json"
                    if file.exists() or (method == "corpus" and init != "corpus"):
                        continue
                    result = run(cell, options.budget)
                    file.write_text(json.dumps(result))
                    holdout = np.mean(result["objectives"]["holdout"] or [np.nan])
                    print(f"{cell.name}: holdout {holdout:.6g}, {result['seconds']:.0f} s", flush=True)
    files = sorted(options.runs.glob("*.json"))
    cells = {file.stem: json.loads(file.read_text()) for file in files}
    if options.summary:
        text = json.dumps({"summary": summary(cells), "cells": cells}, indent=1)
        options.output.write_text(text + "\n")
    print(json.dumps(summary(cells), indent=1))


if __name__ == "__main__":
    main()
