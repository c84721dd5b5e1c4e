"""Figures of judges: learned on edits of train families, judged on edits of validation families."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from latents.statistics import estimate
from numpy.typing import NDArray

from lhs_hf.models.modeling_surrogate import LHSSurrogate

from .judges import JUDGES, Array, Edits, auc, joined, numbers, online
from .outcomes import EDITS

GOOD = 0.8
"""Parents above this share of the training programs are like those of a search."""

_SAMPLES = 300
_ONLINE = ("control", "control + surrogate", "differences, firm ridge")


def report(
    records: Mapping[str, Sequence[Mapping[str, Any]]], surrogates: Mapping[str, LHSSurrogate], log: Mapping[str, Any]
) -> dict[str, Any]:
    """What the log says (`edits`), and what each judge is worth (`judges`), over all tasks and by task.

    Args:
        records: of each task; `surrogates`: those the model came with.
    """
    parts = {
        name: {source: numbers([r for r in rows if r["source"] == source], surrogates[name]) for source in _SOURCES}
        for name, rows in records.items()
    }
    train, held = ({name: part[source] for name, part in parts.items()} for source in ("train", "validation"))
    judges = {}
    for name, values in predictions(train, held).items():
        judges[name] = {
            **worth(values, held),
            "good_parents": worth(*_good(values, held)),
        }
    return {"log": dict(log), "edits": {name: outcomes(rows) for name, rows in records.items()}, "judges": judges}


_SOURCES = ("train", "validation")


def predictions(train: Mapping[str, Edits], held: Mapping[str, Edits]) -> dict[str, dict[str, Array]]:
    """What every judge says of the held-out edits: judge -> task -> values (N,)."""
    together = joined(list(train.values()))
    table: dict[str, dict[str, Array]] = {}
    for name, fit in JUDGES.items():
        table[name] = {task: fit(train[task])(held[task]) for task in held}
        if not name.startswith(("surrogate", "few")):
            judge = fit(together)
            table[f"{name}; all tasks"] = {task: judge(held[task]) for task in held}
    for name in _ONLINE:
        fit = JUDGES[name]
        table[f"{name}; online"] = {task: online(fit, None, held[task]) for task in held}
        table[f"{name}; online, warm"] = {task: online(fit, train[task], held[task]) for task in held}
    return table


def worth(values: Mapping[str, Array], held: Mapping[str, Edits]) -> dict[str, Any]:
    """AUC (mean over tasks, interval over families), hits by quartile, and what dropping and keeping bring.

    `hits`: shares of hits among all, without the worst quarter, of the better of 2 and the best of 4 drawn at random;
    `gain`: the mean gain of an evaluation in percent, where worse children count 0. Ranks are within tasks.
    """
    by_task = {name: auc(values[name], held[name].hit) for name in held}
    known = [value for value in by_task.values() if value is not None]
    low, high = np.quantile(_resampled(values, held), [0.025, 0.975]) if known else (None, None)
    place = {name: _places(values[name]) for name in held}
    hit = np.concatenate([held[name].hit for name in held])
    gain = 100 * np.concatenate([np.where(held[name].hit, held[name].gain, 0.0) for name in held])
    places = np.concatenate([place[name] for name in held])
    quartile = np.minimum((4 * places).astype(int), 3)
    weights = {
        "all": np.ones(len(places)),
        "without worst quarter": (quartile > 0).astype(np.float64),
        # The chance that a row is the best of m is proportional to its place to the power of m - 1.
        "best of 2": places,
        "best of 4": places**3,
    }
    return {
        "auc": {"mean": float(np.mean(known)) if known else None, "low": low, "high": high, "tasks": by_task},
        "hits_by_quartile": [float(hit[quartile == q].mean()) if (quartile == q).any() else None for q in range(4)],
        "hits": {name: float(np.average(hit, weights=each)) for name, each in weights.items()},
        "gain": {name: float(np.average(gain, weights=each)) for name, each in weights.items()},
        "edits": len(hit),
    }


def outcomes(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Shares of hits by source and operator with intervals over families, and of children that decide alike."""
    children = [each for each in records if each["child"]]
    table: dict[str, Any] = {}
    for source in _SOURCES:
        differ = [each for each in children if each["source"] == source and each["changed"]]
        alike = [each for each in children if each["source"] == source and not each["changed"]]
        by_operator = {name: _share([each for each in differ if each["operator"] == name]) for name in EDITS}
        table[source] = {"all": _share(differ), "operators": by_operator, "decide_alike": _share(alike)}
    return table


def _share(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    from .judges import ACCEPT

    hit = [float(bool(each["gain"] and each["gain"] > 0 and each["better"] < ACCEPT)) for each in records]
    families = [each["family"] for each in records]
    return estimate(np.array(hit), np.ones(len(hit)), families) if hit else {"mean": None, "n": 0}


def _places(values: Array) -> Array:
    """Ranks between 0 and 1 within a task, ties at their mean."""
    from scipy.stats import rankdata

    return np.asarray((rankdata(values) - 0.5) / max(1, len(values)), dtype=np.float64)


def _good(values: Mapping[str, Array], held: Mapping[str, Edits]) -> tuple[dict[str, Array], dict[str, Edits]]:
    rows: dict[str, NDArray[np.int64]] = {name: np.flatnonzero(held[name].quantile >= GOOD) for name in held}
    rows = {name: each for name, each in rows.items() if len(each)}
    return {name: values[name][each] for name, each in rows.items()}, {n: held[n].take(rows[n]) for n in rows}


def _resampled(values: Mapping[str, Array], held: Mapping[str, Edits]) -> list[float]:
    """Mean AUC over tasks of bootstrap draws of whole families."""
    generator = np.random.default_rng(0)
    groups = {}
    for name, edits in held.items():
        families = np.array(edits.families)
        groups[name] = [np.flatnonzero(families == each) for each in sorted(set(edits.families))]
    draws = []
    for _ in range(_SAMPLES):
        scores = []
        for name, members in groups.items():
            rows = np.concatenate([members[i] for i in generator.integers(len(members), size=len(members))])
            score = auc(values[name][rows], held[name].hit[rows])
            scores += [score] if score is not None else []
        draws += [float(np.mean(scores))] if scores else []
    return draws
