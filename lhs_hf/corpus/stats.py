"""What a corpus holds, in numbers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .dataset import DATA_FOLDER, SPLITS, CorpusRow, load_corpus

QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)

DISTINCT_SHARE = 0.05
"""Two programs behave differently if their decisions differ on at least this share of the probe states."""


KNOWN_OBJECTIVES = DATA_FOLDER / "known_objectives.json"


def known_objectives(task: str) -> dict[str, dict[str, float]]:
    """Objectives on every split of a task's template ("reference") and of its best corpus program ("corpus").

    As `scripts/known_objectives.py` measured them; {} for a task that has none.
    """
    known = json.loads(KNOWN_OBJECTIVES.read_text(encoding="utf-8")) if KNOWN_OBJECTIVES.exists() else {}
    return {who: entry["objectives"] for who, entry in known.get(task, {}).items()}


def reference_objectives(folder: str | Path = DATA_FOLDER) -> dict[str, float]:
    """Objective of each task's template on its `search` split, as measured when the corpus was built."""
    path = Path(folder) / "references.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def distinct_behaviours(decisions: np.ndarray) -> int:
    """How many rows of `decisions` (programs, probes) are new, read in order.

    A row counts if it differs on at least 5% of the probes from every row counted before it.
    """
    kept, count = np.empty_like(decisions), 0
    for row in decisions:
        if (np.mean(kept[:count] != row, axis=1) >= DISTINCT_SHARE).all():
            kept[count] = row
            count += 1
    return count


def corpus_stats(rows: Sequence[CorpusRow] | None = None, folder: str | Path = DATA_FOLDER) -> dict[str, Any]:
    """Counts and objectives of a corpus, ready for JSON.

    Args:
        rows: the rows to count; None reads all of `folder`.
        folder: where the reference objectives are.
    """
    rows = load_corpus(folder=folder) if rows is None else rows
    references = reference_objectives(folder)
    names = sorted({row.task for row in rows})
    tasks = {name: _task_stats([row for row in rows if row.task == name], references.get(name)) for name in names}
    return {
        "rows": len(rows),
        "tasks": tasks,
        "splits": {split: sum(row.split == split for row in rows) for split in SPLITS},
        "tiers": dict(sorted(Counter(row.tier for row in rows).items())),
        "families": len({(row.task, row.family) for row in rows}),
        "duplicates": sum(entry["duplicates"] for entry in tasks.values()),
        "split_families_shared": sum(entry["split_families_shared"] for entry in tasks.values()),
        "distinct_behaviours": sum(entry["distinct_behaviours"] for entry in tasks.values()),
    }


def _quantiles(scores: np.ndarray, sign: float) -> list[float]:
    """Objectives from the worst to the best, at QUANTILES."""
    return [float(sign * value) for value in np.quantile(scores, QUANTILES, method="nearest")]


def _task_stats(rows: Sequence[CorpusRow], reference: float | None) -> dict[str, Any]:
    splits_of: dict[str, set[str]] = {}
    for row in rows:
        splits_of.setdefault(row.family, set()).add(row.split)
    objectives = np.array([row.objective for row in rows])
    best = max(rows, key=lambda row: row.score)
    sign = -1.0 if any(row.score != row.objective for row in rows) else 1.0  # score = alpha * objective
    tokens = [row.tokens for row in rows if row.tokens is not None]
    return {
        "rows": len(rows),
        "sense": "min" if sign < 0 else "max",
        "splits": {split: sum(row.split == split for row in rows) for split in SPLITS},
        "tiers": dict(sorted(Counter(row.tier for row in rows).items())),
        "families": len(splits_of),
        "split_families_shared": sum(len(splits) > 1 for splits in splits_of.values()),
        "duplicates": len(rows) - len({row.hash for row in rows}),
        "best_objective": best.objective,
        "median_objective": float(np.median(objectives)),
        "objective_quantiles": _quantiles(sign * objectives, sign),
        "reference_objective": reference,
        "better_than_reference": None if reference is None else int(np.sum(sign * (objectives - reference) > 0)),
        "distinct_behaviours": distinct_behaviours(np.array([row.decisions for row in rows])),
        "median_tokens": float(np.median(tokens)) if tokens else None,
    }
