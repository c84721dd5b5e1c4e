"""Shares and means with 95% intervals, for programs of which several share a family."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from scipy.stats import binomtest

RESAMPLES = 2000

Clusters = list[tuple[float, int]]
"""Sum of the outcomes and their number, one pair a family."""


def wilson(count: int, n: int) -> tuple[float, float]:
    """Wilson's 95% interval of a share of independent outcomes."""
    if n == 0:
        return 0.0, 1.0
    interval = binomtest(count, n).proportion_ci(method="wilson")
    return float(interval.low), float(interval.high)


def bootstrap(strata: Sequence[Clusters], seed: int = 0) -> tuple[float, float]:
    """95% percentile interval of a ratio of sums; whole clusters are drawn again, each stratum (task) on its own."""
    generator = np.random.default_rng(seed)
    sums, counts = np.zeros(RESAMPLES), np.zeros(RESAMPLES)
    for clusters in strata:
        table = np.array(clusters, dtype=np.float64)
        drawn = generator.multinomial(len(table), np.full(len(table), 1 / len(table)), size=RESAMPLES)
        sums += drawn @ table[:, 0]
        counts += drawn @ table[:, 1]
    low, high = np.percentile(sums / counts, [2.5, 97.5])
    return float(low), float(high)


def share(outcomes: Sequence[bool], families: Sequence[Hashable]) -> dict[str, Any]:
    """The record of a share: `interval` covers Wilson's interval and, if families repeat, the bootstrap by family.

    Both are needed: Wilson takes programs of a family for independent, and the bootstrap of outcomes that are all equal
    has no width.
    """
    return _record("share", [_clusters([float(outcome) for outcome in outcomes], families)])


def mean(values: Sequence[float], families: Sequence[Hashable]) -> dict[str, Any]:
    """The record of a mean, its interval by bootstrap over families."""
    return _record("mean", [_clusters(values, families)])


def pool(records: Sequence[Any]) -> Any:
    """One tree out of the trees of several tasks: shares and means over all programs, numbers added up.

    Raises `TypeError` for a leaf that is neither.
    """
    first = records[0]
    if isinstance(first, dict) and "families" in first:
        kind = "share" if "share" in first else "mean"
        pooled = _record(kind, [_parse(record["families"]) for record in records])
        del pooled["families"]
        return pooled
    if isinstance(first, dict):
        keys = list(dict.fromkeys(key for record in records for key in record))
        return {key: pool([record[key] for record in records if key in record]) for key in keys}
    if isinstance(first, (int, float)):
        return sum(records)
    raise TypeError(f"can not pool {type(first).__name__}; expected a share, a mean, a number or a dict of them")


def _record(kind: str, strata: Sequence[Clusters]) -> dict[str, Any]:
    total = sum(value for clusters in strata for value, _ in clusters)
    n = sum(count for clusters in strata for _, count in clusters)
    if n == 0:
        raise ValueError(f"a {kind} of nothing")
    low, high = bootstrap(strata)
    record: dict[str, Any] = {kind: total / n, "n": n}
    if kind == "share":
        repeated = any(count > 1 for clusters in strata for _, count in clusters)
        exact = wilson(round(total), n)
        record["count"] = round(total)
        record["wilson"] = list(exact)
        record["by_family"] = [low, high] if repeated else None
        low, high = (min(low, exact[0]), max(high, exact[1])) if repeated else exact
    record["interval"] = [min(low, total / n), max(high, total / n)]
    record["families"] = " ".join(f"{value:.6g}/{count}" for clusters in strata for value, count in clusters)
    return record


def _clusters(values: Sequence[float], families: Sequence[Hashable]) -> Clusters:
    if len(values) != len(families):
        raise ValueError(f"{len(values)} outcomes, but {len(families)} families")
    sums: dict[Hashable, tuple[float, int]] = {}
    for value, family in zip(values, families):
        total, count = sums.get(family, (0.0, 0))
        sums[family] = (total + float(value), count + 1)
    return list(sums.values())


def _parse(families: str) -> Clusters:
    pairs = [pair.split("/") for pair in families.split()]
    return [(float(value), int(count)) for value, count in pairs]
