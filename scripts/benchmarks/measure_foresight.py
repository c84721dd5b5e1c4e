"""How well the decisions of programs that have raced tell which other ones are good, on tasks of the zoo.

    python scripts/benchmarks/measure_foresight.py [--rules 120] [--tasks departing_items,hub_location]

For each task of the zoo that is for training or development, and whose rules can be written (`NewRule`), so many random
rules run on four training instances. `Expectation` learns from 10, 20 and 40 of them, drawn five times, and ranks the
others: Spearman's correlation, and how many times its share of the best tenth the best quarter holds.

Result: results/foresight.json, one row a task, and the means. About five minutes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from statistics import mean
from typing import Any, cast

import numpy as np
from scipy.stats import spearmanr

from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing import TrainingInstances
from lhs_hf.search.edits import Behaviours, Known, NewRule, Parent, Proposer
from lhs_hf.search.portfolio.foresight import Expectation
from lhs_hf.search.portfolio.leanings import Leanings
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task
from lhs_hf.tasks.names import ZOO_UNSEEN, zoo_names

RESULT = Path(__file__).resolve().parents[2] / "results" / "foresight.json"
LEARNED, DRAWS, FEWEST, SEED = (4, 10, 20, 40), 5, 60, 123
KINDS = ("leanings", "words alone", "decisions alone")


class WithoutFeatures:
    """A task of whose features nobody thought."""

    tells_features = False

    def __init__(self, task: Task) -> None:
        self._task = task

    def __getattr__(self, name: str) -> Any:
        return getattr(self._task, name)


def rules(task: Task, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Decisions (N, 64) and scores (N,) of the reference and of random rules that run."""
    generator, known, decisions, scores = np.random.default_rng(0), Known(), [], []
    with Evaluator(task) as evaluator:
        behaviours = Behaviours(evaluator, practice=False)
        proposer, edit, parent = Proposer(task, behaviours), NewRule(), Parent.of(task.template, "reference", 0.0)
        instances = TrainingInstances(task, SEED)
        split = instances.split(instances.block(0))
        sources = [task.template]
        for _ in range(count if behaviours.tell else 0):
            accepted = proposer.draw(edit, parent, [parent], generator, known)
            if accepted is not None:
                known.add(accepted.proposal.source, accepted.hash, accepted.key)
                sources.append(accepted.proposal.source)
        for source in sources:
            result, decided = evaluator.evaluate(source, split), behaviours.decisions(source)
            if result.ok and decided is not None:
                decisions.append(decided)
                scores.append(task.alpha * mean(result.objectives))
    return np.array(decisions), np.array(scores)


def ranked(decisions: np.ndarray, scores: np.ndarray, learned: int, leanings: Leanings | None) -> tuple[float, float]:
    """Spearman's correlation on rules that were not learned from, and what the best quarter has of the best tenth."""
    correlations, shares = [], []
    best = scores >= np.quantile(scores, 0.9)
    for draw in range(DRAWS):
        order = np.array([0, *(1 + np.random.default_rng(draw).permutation(len(scores) - 1))])
        known, others = order[:learned], order[learned:]
        expected, _ = Expectation(decisions[known], scores[known], leanings).of(decisions[others])
        correlations.append(float(np.nan_to_num(spearmanr(scores[others], expected)[0])))
        quarter = others[np.argsort(-expected, kind="stable")[: len(others) // 4]]
        if best[others].any():
            shares.append(float(best[quarter].mean() / best[others].mean()))
    return mean(correlations), mean(shares)


def main() -> None:
    """Measure and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", type=int, default=120, help="rules of a task")
    parser.add_argument("--tasks", default=",".join(name for name in zoo_names() if name not in ZOO_UNSEEN))
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for name in arguments.tasks.split(","):
        task = get_task(name)
        decisions, scores = rules(task, arguments.rules) if NewRule.applies(task) else (np.empty(0), np.empty(0))
        if len(scores) < FEWEST or len(set(scores)) < 5:
            print(f"{name}: {len(scores)} rules, too few", flush=True)
            continue
        leanings: dict[str, Leanings | None] = {
            "leanings": Leanings(task),
            "words alone": Leanings(cast(Task, WithoutFeatures(task))),
            "decisions alone": None,
        }
        measured = {
            kind: {str(count): ranked(decisions, scores, count, leanings[kind]) for count in LEARNED} for kind in KINDS
        }
        rows.append({"task": name, "rules": len(scores), "spearman_and_lift": measured})
        print(f"{name}: {measured}", flush=True)
    means = {
        kind: {
            str(count): [mean(row["spearman_and_lift"][kind][str(count)][part] for row in rows) for part in (0, 1)]
            for count in LEARNED
        }
        for kind in KINDS
    }
    RESULT.write_text(json.dumps({"rules": arguments.rules, "means": means, "tasks": rows}, indent=1) + "\n")
    print(means)


if __name__ == "__main__":
    main()
