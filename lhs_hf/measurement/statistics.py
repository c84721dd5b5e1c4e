"""Shares and paired differences with cluster-bootstrap intervals, from the records of a paired test."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

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
    tail = sum(math.comb(discordant, k) for k in range(min(only_first, only_second) + 1))
    p = min(1.0, 2 * tail / 2**discordant)
    return {"only_first": only_first, "only_second": only_second, "p": p}


def summarize(records: Sequence[Record], seed: int = 0) -> list[dict[str, Any]]:
    """One entry a radius and screening size.

    Each has `all` (every task together) and `tasks`, with `moves` (the `METRICS` of each move) and `gradient_minus`
    (for each other move: paired differences over the parents that both have, `mcnemar` on beating the parent).
    Clusters are families.
    """
    radii = sorted({record["radius"] for record in records if record["radius"]})
    sizes = sorted({size for record in records for size in record["chosen_by"]})
    entries = []
    for radius in radii:
        for size in sizes:
            chosen = [r for r in records if size in r["chosen_by"] and r["radius"] in (0.0, radius)]
            tasks = sorted({record["task"] for record in chosen})
            entries.append(
                {
                    "radius": radius,
                    "screening": size,
                    "all": _compare(chosen, seed),
                    "tasks": {task: _compare([r for r in chosen if r["task"] == task], seed) for task in tasks},
                }
            )
    return entries


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
