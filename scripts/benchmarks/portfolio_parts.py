# /// script
# requires-python = ">=3.11"
# dependencies = ["lhs-hf"]
# ///
"""Parts of the portfolio, with and without: constants, edits that probe states hide, niches in the pool.

    python scripts/benchmarks/portfolio_parts.py --seeds 0 1 2 3
    python scripts/benchmarks/portfolio_parts.py --summary

A cell is one search with edits alone (no latents) with some parts, on one task from one start with one seed; it is kept
under `--runs` and not run again. It is judged on the last two blocks of its finals: fresh training instances that chose
nothing, the same ones for all variants of a seed. No published split is looked at.

Parts: `constants` (the operator; the search as it is has it), `hidden` (a quarter of the draws takes an edit although
it decides as its parent on the probe states, and tuning always does), `niches` (parents: at most two of which decide
alike on 85 % of the probe states, the best of every niche among them although it was dropped).
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.evaluation.racing import TrainingInstances
from lhs_hf.grid.statistics import Interval
from lhs_hf.programs import program_hash
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.edits import Accepted, Behaviours, Parent, Proposer, refusal
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.constants import Constants
from lhs_hf.search.settings import INITS, SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task

ROOT = Path(__file__).resolve().parents[2]
VARIANTS: dict[str, tuple[str, ...]] = {
    "edits": (),
    "constants": ("constants",),
    "niches": ("niches",),
    "constants+hidden": ("constants", "hidden"),
    "hidden+niches": ("hidden", "niches"),
}
HIDDEN = 0.25
ATTEMPTS = 20
ALIKE, OF_A_KIND = 0.85, 2
FINAL_BLOCKS = ("final-1/", "final-2/")


class Hidden(Proposer):
    """Lets some edits through that probe states tell nothing of."""

    def draw(self, edit: Any, *arguments: Any) -> Accepted | None:
        """As `Proposer.draw`, whatever probe states say in a quarter of the draws, and always for constants."""
        parent, pool, generator, known = arguments
        if edit.name != Constants.name and generator.random() >= HIDDEN:
            return super().draw(edit, *arguments)
        for _ in range(ATTEMPTS):
            proposal = edit.propose(parent, pool, self._task, generator)
            if proposal is not None and refusal(proposal.source, self._task, known) is None:
                return Accepted(proposal, program_hash(proposal.source), self.key(proposal.source))
        return None


class Parts(PortfolioSearch):
    """A portfolio with some of the parts."""

    def __init__(self, parts: tuple[str, ...], evaluator: Evaluator, database: RunDatabase, *rest: Any) -> None:
        super().__init__(None, evaluator, database, *rest)
        self._parts = parts
        self._probes = Behaviours(evaluator, practice=False)
        if "constants" not in parts:
            del self._edits[Constants.name]
        if "hidden" in parts:
            self._proposer = Hidden(self.task, self._probes)

    def _pool(self) -> list[Parent]:
        ranked = super()._pool()
        return self._niches(ranked) if "niches" in self._parts else ranked

    def _niches(self, ranked: list[Parent]) -> list[Parent]:
        """The pool and then what was dropped, best first, but few of a kind."""
        inside = {parent.hash for parent in ranked}
        first = [each for each in self.candidates if each.program_hash is not None and each.duplicate_of is None]
        others = [each for each in first if each.score is not None and each.program_hash not in inside]
        lowest = min(parent.score for parent in ranked)
        others.sort(key=lambda each: -(each.score or 0.0))
        beyond = [
            Parent(each.program, each.program_hash or "", each.family, lowest - 1e-9 * (place + 1))
            for place, each in enumerate(others)
        ]
        taken: list[tuple[Parent, np.ndarray]] = []
        for parent in [*ranked, *beyond]:
            decisions = self._probes.decisions(parent.source)
            if decisions is None or len(taken) == self.settings.pool:
                continue
            if sum((decisions == other).mean() >= ALIKE for _, other in taken) < OF_A_KIND:
                taken.append((parent, decisions))
        return [parent for parent, _ in taken]


def run(variant: str, task_name: str, init: str, seed: int, budget: int) -> dict[str, Any]:
    """One cell."""
    task = get_task(task_name)
    settings = SearchSettings.from_preset("portfolio", seed=seed, init=init, budget=budget)
    started = time.monotonic()
    with (
        EvaluationCache() as cache,
        Evaluator(task, workers=1, cache=cache) as evaluator,
        RunDatabase(":memory:") as database,
    ):
        search = Parts(VARIANTS[variant], evaluator, database, settings, portfolio_starts(task, init))
        outcome = search.run()
        entries = database.measurements()
    final = FINAL_BLOCKS if not TrainingInstances(task, seed).deterministic else ("search",)
    own = [each for each in entries if each["program"] == outcome.best.program_hash]
    values = [value for each in own if each["block"].startswith(final) for value in each["objectives"]]
    children = [each for each in outcome.candidates if each.round]
    return {
        **{"variant": variant, "task": task_name, "init": init, "seed": seed, "budget": budget},
        "objective": float(np.mean(values)),
        "instances": len(values),
        "instance_runs": sum(each["runs"] for each in entries),
        "candidates": len(outcome.candidates),
        "outcomes": dict(Counter(f"{each.operator}/{each.outcome}" for each in children)),
        "seconds": time.monotonic() - started,
        "program": outcome.best.program,
    }


def summary(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """By part: the gain in percent of searches with it over those without, paired over task, start and seed."""
    tables: dict[str, Any] = {}
    by_name = {(each["variant"], each["task"], each["init"], each["seed"]): each for each in cells}
    for variant in VARIANTS:
        groups: dict[str, list[float]] = {}
        for (name, task, init, seed), cell in by_name.items():
            base = by_name.get(("edits", task, init, seed))
            if name != variant or name == "edits" or base is None:
                continue
            alpha = get_task(task).alpha
            gain = 100 * alpha * (cell["objective"] - base["objective"]) / abs(base["objective"])
            groups.setdefault(f"{task}, {init}", []).append(gain)
            groups.setdefault("all", []).append(gain)
        if groups:
            tables[f"{variant} over edits"] = {
                name: asdict(Interval.of(gains)) for name, gains in sorted(groups.items())
            }
    return tables


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", nargs="+", default=["cvrp_construct", "vrptw_construct"])
    parser.add_argument("--variants", nargs="+", choices=list(VARIANTS), default=list(VARIANTS))
    parser.add_argument("--inits", nargs="+", choices=INITS, default=list(INITS))
    parser.add_argument("--seeds", nargs="+", type=int, default=[0, 1, 2, 3])
    parser.add_argument("--budget", type=int, default=60)
    parser.add_argument("--summary", action="store_true", help="only summarise the cells that there are")
    parser.add_argument("--runs", type=Path, default=Path("runs/portfolio_parts"))
    parser.add_argument("--output", type=Path, default=ROOT / "results" / "portfolio_parts.json")
    options = parser.parse_args()
    options.runs.mkdir(parents=True, exist_ok=True)
    wanted = [
        (variant, task, init, seed, options.budget)
        for seed in options.seeds
        for variant in options.variants
        for task in options.tasks
        for init in options.inits
    ]
    for cell in wanted if not options.summary else ():
        file = options.runs / "{1}-{2}-{0}-seed{3}-{4}.json".format(*cell)
        if not file.exists():
            file.write_text(json.dumps(run(*cell)))
    cells = [json.loads(file.read_text()) for file in sorted(options.runs.glob("*.json"))]
    text = json.dumps({"summary": summary(cells), "cells": cells}, indent=1)
    options.output.write_text(text + "\n")
    print(json.dumps(summary(cells), indent=1))


if __name__ == "__main__":
    main()
