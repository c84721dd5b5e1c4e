"""Shares and paired differences with cluster-bootstrap intervals, from the records of a paired test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from scipy.stats import binomtest

from lhs_hf.training.surrogate_trainer import spearman

from .moves import FIXED_MOVES, MOVES

Record = Mapping[str, Any]

# Name, what is averaged, and over which records.
METRICS: tuple[tuple[str, Callable[[Record], float], Callable[[Record], bool]], ...] = (
    ("valid", lambda r: r["status"] == "ok", lambda r: True),
    ("beats", lambda r: r["beats"], lambda r: True),
    ("beats_with_new_text", lambda r: r["beats"] and not r["in_corpus"], lambda r: True),
    ("beats_with_new_behaviour", lambda r: r["beats"] and r["new_behaviour"], lambda r: True),
    ("quantile", lambda r: r["quantile"], lambda r: True),
    ("change", lambda r: r["change"], lambda r: True),
    ("differs_from_parent", lambda r: r["differs"], lambda r: r["status"] == "ok"),
    ("new_text", lambda r: not r["in_corpus"], lambda r: r["status"] == "ok"),
    ("new_behaviour", lambda r: r["new_behaviour"], lambda r: r["status"] == "ok"),
)
PAIRED = ("valid", "beats", "quantile", "change")


def cluster_bootstrap(
    values: np.ndarray, weights: np.ndarray, clusters: Sequence[Any], *, samples: int = 2000, seed: int = 0
) -> np.ndarray:
    """Means sum(w x) / sum(w) of `samples` bootstrap draws of whole clusters, float64; empty draws are left out.

    `values`, `weights`: float64 (N,); `clusters`: the cluster of each.
    """
    _, inverse = np.unique(np.array([str(cluster) for cluster in clusters]), return_inverse=True)
    count = int(inverse.max()) + 1
    totals = np.bincount(inverse, values * weights, count)
    sizes = np.bincount(inverse, weights, count)
    draws = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=samples)
    denominators = draws @ sizes
    kept = denominators > 0
    return (draws @ totals)[kept] / denominators[kept]


def estimate(values: np.ndarray, weights: np.ndarray, clusters: Sequence[Any], seed: int = 0) -> dict[str, Any]:
    """Mean with its 95 % interval (`low`, `high`), and `n`, the records that count; None where nothing counts."""
    if not weights.sum():
        return {"mean": None, "low": None, "high": None, "n": 0}
    means = cluster_bootstrap(values, weights, clusters, seed=seed)
    low, high = np.quantile(means, [0.025, 0.975])
    mean = float((values * weights).sum() / weights.sum())
    return {"mean": mean, "low": float(low), "high": float(high), "n": int(weights.sum())}


def paired_difference(differences: np.ndarray, clusters: Sequence[Any], seed: int = 0) -> dict[str, Any]:
    """`estimate` of differences (N,), and `p`: two-sided, the bootstrap's share beyond zero, at least 1 / draws."""
    ones = np.ones(len(differences))
    found = estimate(differences, ones, clusters, seed)
    means = cluster_bootstrap(differences, ones, clusters, seed=seed)
    tail = min((means <= 0).sum(), (means >= 0).sum()) + 1
    return {**found, "p": float(min(1.0, 2 * tail / (len(means) + 1)))}


def mcnemar(first: np.ndarray, second: np.ndarray) -> dict[str, Any]:
    """Exact McNemar test of two boolean vectors (N,) of the same parents, two-sided."""
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    discordant = only_first + only_second
    p = float(binomtest(only_first, discordant).pvalue) if discordant else 1.0
    return {"only_first": only_first, "only_second": only_second, "p": p}


def rank_correlation(
    predicted: Sequence[float], true: Sequence[float], clusters: Sequence[Any], *, samples: int = 500, seed: int = 0
) -> dict[str, Any]:
    """Spearman's correlation of two sequences (N,) with its 95 % interval over bootstrap draws of whole clusters.

    None throughout for fewer than three values.
    """
    if len(true) < 3:
        return {"mean": None, "low": None, "high": None, "n": len(true)}
    first, second = torch.tensor(predicted, dtype=torch.float64), torch.tensor(true, dtype=torch.float64)
    members: dict[str, list[int]] = {}
    for row, cluster in enumerate(clusters):
        members.setdefault(str(cluster), []).append(row)
    groups = [members[name] for name in sorted(members)]
    generator = np.random.default_rng(seed)
    found = []
    for _ in range(samples):
        rows = [row for index in generator.integers(len(groups), size=len(groups)) for row in groups[index]]
        found.append(spearman(first[rows], second[rows]))
    low, high = np.quantile(found, [0.025, 0.975])
    return {"mean": spearman(first, second), "low": float(low), "high": float(high), "n": len(true)}


def summarize(records: Sequence[Record], seed: int = 0) -> list[dict[str, Any]]:
    """One entry a radius and screening size.

    Each has `all` (every task together) and `tasks`, with `moves` (the `METRICS` of each move) and `gradient_minus`
    (for each other move: paired differences over the parents that both have, `mcnemar` on beating the parent). Each
    task also has `prediction`: how the true scores of valid decoded programs, all moves together, correlate with what
    was predicted at the `point` they were decoded from and of the `program` after encoding it again; `all` has their
    means over tasks. Clusters are families.
    """
    radii = sorted({record["radius"] for record in records if record["radius"]})
    sizes = sorted({size for record in records for size in record["chosen_by"]})
    entries = []
    for radius in radii:
        for size in sizes:
            chosen = [r for r in records if size in r["chosen_by"] and r["radius"] in (0.0, radius)]
            tasks = sorted({record["task"] for record in chosen})
            by_task = {}
            for task in tasks:
                of_task = [record for record in chosen if record["task"] == task]
                by_task[task] = {**_compare(of_task, seed), "prediction": _prediction(of_task, seed)}
            together = {**_compare(chosen, seed), "prediction": _mean_prediction(by_task)}
            entries.append({"radius": radius, "screening": size, "all": together, "tasks": by_task})
    return entries


def _prediction(records: Sequence[Record], seed: int) -> dict[str, Any]:
    found = {}
    for name in ("point", "program"):
        known = [r for r in records if r["score"] is not None and r[f"predicted_{name}"] is not None]
        predicted, true = [r[f"predicted_{name}"] for r in known], [r["score"] for r in known]
        found[name] = rank_correlation(predicted, true, [r["family"] for r in known], seed=seed)
    return found


def _mean_prediction(tasks: Mapping[str, Mapping[str, Any]]) -> dict[str, float | None]:
    means: dict[str, float | None] = {}
    for name in ("point", "program"):
        found = [task["prediction"][name]["mean"] for task in tasks.values()]
        known = [value for value in found if value is not None]
        means[name] = sum(known) / len(known) if known else None
    return means


def _compare(records: Sequence[Record], seed: int) -> dict[str, Any]:
    by_move: dict[str, dict[tuple[str, int], Record]] = {}
    for record in records:
        by_move.setdefault(record["move"], {})[record["task"], record["parent"]] = record
    moves = {}
    for move in sorted(by_move, key=MOVES.index):
        found = list(by_move[move].values())
        clusters = [(record["task"], record["family"]) for record in found]
        moves[move] = {
            name: estimate(
                np.array([float(value(record)) for record in found]),
                np.array([float(counts(record)) for record in found]),
                clusters,
                seed,
            )
            for name, value, counts in METRICS
        }
        lengths = [record["length"] for record in found]
        moves[move]["length"] = {"mean": float(np.mean(lengths)), "fixed": move in FIXED_MOVES}
    versus = {}
    for move in moves:
        shared = sorted(by_move.get("gradient", {}).keys() & by_move[move].keys())
        if move == "gradient" or not shared:
            continue
        first = [by_move["gradient"][key] for key in shared]
        second = [by_move[move][key] for key in shared]
        clusters = [(record["task"], record["family"]) for record in first]
        versus[move] = {
            name: paired_difference(
                np.array([float(value(a)) - float(value(b)) for a, b in zip(first, second)]), clusters, seed
            )
            for name, value, _ in METRICS
            if name in PAIRED
        }
        versus[move]["mcnemar"] = mcnemar(
            np.array([record["beats"] for record in first]), np.array([record["beats"] for record in second])
        )
    return {"moves": moves, "gradient_minus": versus}
