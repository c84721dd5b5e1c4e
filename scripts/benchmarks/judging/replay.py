"""Edits of whole searches as a judge would have met them: what a portfolio's run database says of each child."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.components import Components
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.portfolio.shares import SUCCESS

from .judges import JUDGES, Array, Edits, numbers, online
from .report import worth

_FIXED = ("few changed decisions", "surrogate of the child", "surrogate, child - parent")
_JUDGES = ("control", "control + surrogate", "direction", "differences, firm ridge")


@dataclass(frozen=True)
class Run:
    """One search of one task: its edits in their order, the round of each, and what came of it.

    `changed`: probe states of 64 on which child and parent decide differently; `gains`: over the incumbent, NaN where
    the child has no result.
    """

    edits: Edits
    rounds: NDArray[np.int64]
    changed: NDArray[np.int64]
    outcomes: list[str]
    gains: Array


def replayed(file: Path, components: Components, evaluator: Evaluator) -> Run:
    """The edits of a portfolio's run. A hit is a child that got through its race; its gain is that over the incumbent.

    A child that the budget did not pay for is left out.
    """
    with RunDatabase(str(file)) as database:
        candidates = database.candidates()
    kept = [each for each in candidates if each.role == "edit" and each.outcome not in ("", "unpaid")]
    parents = [candidates[each.parent or 0].program for each in kept]
    sources = list(dict.fromkeys([*parents, *(each.program for each in kept)]))
    behaviours = dict(zip(sources, evaluator.probe_many(sources)))
    embedded = components.embed_many(sources, list(behaviours.values()), evaluator.task)
    points = {source: None if point is None else point.tolist() for source, point in zip(sources, embedded)}
    records: list[dict[str, Any]] = []
    for child, parent in zip(kept, parents):
        before, after = behaviours[parent], behaviours[child.program]
        hit = child.outcome in SUCCESS
        records.append(
            {
                "child": child.program,
                "operator": child.operator,
                "changed": before and after and int((before.decisions != after.decisions).sum()),
                "u_parent": points[parent],
                "u_child": points[child.program],
                # Hits by the rule of the race, not by the test of one comparison.
                "gain": max(child.gain or 0.0, 1e-12) if hit else -1.0,
                "better": 0.0 if hit else 1.0,
                "parent_quantile": 1.0,
                "family": str(child.round),
            }
        )
    rows = [row for row, each in enumerate(records) if each["changed"] and each["u_parent"] and each["u_child"]]
    return Run(
        numbers(records, components.surrogate),
        np.array([kept[row].round for row in rows], dtype=np.int64),
        np.array([records[row]["changed"] for row in rows], dtype=np.int64),
        [kept[row].outcome for row in rows],
        np.array([kept[row].gain for row in rows], dtype=np.float64),
    )


def bands(
    changed: NDArray[np.int64], outcomes: list[str], gains: Array, edges: tuple[int, ...] = (1, 3, 6, 11, 21, 65)
) -> list[dict[str, Any]]:
    """What becomes of children by how many of 64 decisions they change: from each edge to below the next.

    `gain`: the mean over all of them of the gain over the incumbent in percent, where worse ones count 0.
    """
    table = []
    for low, high in pairwise(edges):
        rows = np.flatnonzero((changed >= low) & (changed < high))
        counts = Counter(outcomes[row] for row in rows)
        gain = 100 * float(np.maximum(np.nan_to_num(gains[rows]), 0.0).mean()) if len(rows) else None
        table.append({"from": low, "to": high - 1, "edits": len(rows), "outcomes": dict(counts), "gain": gain})
    return table


def replay_report(runs: dict[str, Run], logs: dict[str, Edits]) -> dict[str, Any]:
    """What `judges` are worth in these searches (clusters are rounds), and `bands`.

    Args:
        runs: by "task, ...". `logs`: logged edits of a task's training families, to start with.

    `within_rounds`: the chance that, of two children of one round, the one that got through is preferred.
    """
    held = {name: run.edits for name, run in runs.items()}
    task = {name: name.split(",")[0] for name in runs}
    table = {name: {run: JUDGES[name](each)(each) for run, each in held.items()} for name in _FIXED}
    for name in _JUDGES:
        fit = JUDGES[name]
        table[f"{name}; logged edits"] = {run: fit(logs[task[run]])(each) for run, each in held.items()}
        table[f"{name}; online"] = {run: online(fit, None, each) for run, each in held.items()}
        table[f"{name}; online, warm"] = {run: online(fit, logs[task[run]], each) for run, each in held.items()}
    changed, gains = (np.concatenate([getattr(run, name) for run in runs.values()]) for name in ("changed", "gains"))
    judges = {
        name: {**worth(values, held), "within_rounds": _within(values, runs)} for name, values in sorted(table.items())
    }
    return {"judges": judges, "bands": bands(changed, [each for run in runs.values() for each in run.outcomes], gains)}


def _within(values: dict[str, Array], runs: dict[str, Run]) -> dict[str, Any]:
    """Concordance over pairs of one round, and its interval over rounds."""
    right, pairs = [], []
    for name, run in runs.items():
        for number in np.unique(run.rounds):
            rows = np.flatnonzero(run.rounds == number)
            hit, value = run.edits.hit[rows], values[name][rows]
            differences = value[hit][:, None] - value[~hit][None, :]
            pairs.append(differences.size)
            right.append(float((differences > 0).sum() + 0.5 * (differences == 0).sum()))
    count, wins = np.array(pairs, dtype=np.float64), np.array(right)
    draws = np.random.default_rng(0).multinomial(len(count), np.full(len(count), 1 / len(count)), size=2000)
    low, high = np.quantile((draws @ wins) / np.maximum(draws @ count, 1), [0.025, 0.975])
    return {"mean": float(wins.sum() / count.sum()), "low": float(low), "high": float(high), "pairs": int(count.sum())}
