"""Shares of children that beat their parents, and paired differences of proposers, with intervals over families."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from latents.statistics import estimate, mcnemar, paired_difference

Record = Mapping[str, Any]

# Name, what is averaged, and over which records.
METRICS: tuple[tuple[str, Callable[[Record], float], Callable[[Record], bool]], ...] = (
    ("valid", lambda r: r["score"] is not None, lambda r: True),
    ("beats", lambda r: r["beats"], lambda r: True),
    ("beats_best", lambda r: r["beats_best"], lambda r: True),
    ("change", lambda r: r["change"], lambda r: True),
    ("gain_of_improving", lambda r: 100 * r["gain"], lambda r: r["beats"] and r["gain"] is not None),
    ("new_text_of_improving", lambda r: not r["in_corpus"], lambda r: r["beats"]),
    ("new_of_improving", lambda r: r["new_behaviour"], lambda r: r["beats"]),
    ("decides_alike", lambda r: r["decides_alike"], lambda r: r["score"] is not None),
)


def summarize(records: Sequence[Record], seed: int = 0) -> dict[str, Any]:
    """`all` and `tasks`: `proposers` (the `METRICS` of each) and `differences` of each two over the parents of both.

    A difference has `beats` and `change` (clusters are families) and `mcnemar`, on beating the parent.
    """
    tasks = sorted({record["task"] for record in records})
    by_task = {task: _compare([record for record in records if record["task"] == task], seed) for task in tasks}
    return {"all": _compare(records, seed), "tasks": by_task}


def beside(before: Mapping[str, Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """A summary with what another one has of other proposers.

    Differences of two proposers stay where neither is measured anew: those of an earlier run meet other draws.
    """
    tasks = {
        task: _beside(before["tasks"].get(task, {}), table["tasks"].get(task, {}))
        for task in sorted({*before["tasks"], *table["tasks"]})
    }
    return {"all": _beside(before["all"], table["all"]), "tasks": tasks}


def _beside(before: Mapping[str, Any], now: Mapping[str, Any]) -> dict[str, Any]:
    new = now.get("proposers", {})
    differences = {
        name: each for name, each in before.get("differences", {}).items() if not set(name.split(" - ")) & set(new)
    }
    return {
        "proposers": dict(sorted({**before.get("proposers", {}), **new}.items())),
        "differences": {**differences, **now.get("differences", {})},
    }


def _compare(records: Sequence[Record], seed: int) -> dict[str, Any]:
    by_name: dict[str, dict[tuple[str, int], Record]] = {}
    for record in records:
        by_name.setdefault(record["move"], {})[record["task"], record["parent"]] = record
    proposers = {name: _figures(list(each.values()), seed) for name, each in sorted(by_name.items())}
    differences = {}
    for one, two in combinations(sorted(by_name), 2):
        shared = sorted(by_name[one].keys() & by_name[two].keys())
        if shared:
            pairs = [(by_name[one][key], by_name[two][key]) for key in shared]
            differences[f"{one} - {two}"] = _difference(pairs, seed)
    return {"proposers": proposers, "differences": differences}


def _figures(records: Sequence[Record], seed: int) -> dict[str, Any]:
    clusters = [(record["task"], record["family"]) for record in records]
    figures = {}
    for name, value, counts in METRICS:
        kept = np.array([float(counts(record)) for record in records])
        values = np.array([float(value(record)) if counts(record) else 0.0 for record in records])
        figures[name] = estimate(values, kept, clusters, seed)
    figures["seconds"] = float(np.mean([record["seconds"] for record in records]))
    return figures


def _difference(pairs: Sequence[tuple[Record, Record]], seed: int) -> dict[str, Any]:
    clusters = [(first["task"], first["family"]) for first, _ in pairs]
    found: dict[str, Any] = {
        name: paired_difference(np.array([float(a[name]) - float(b[name]) for a, b in pairs]), clusters, seed)
        for name in ("beats", "change")
    }
    found["mcnemar"] = mcnemar(*(np.array([pair[side]["beats"] for pair in pairs]) for side in (0, 1)))
    return found
