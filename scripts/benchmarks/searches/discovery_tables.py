"""Tables of the default search's gains over other methods, from the summary in results/discovery.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lhs_hf.reporting.ascent_tables import interval, p_value
from lhs_hf.reporting.run_report import markdown_table

NAMES = {
    "corpus": "best in corpus",
    "latent": "latents alone",
    "climb": "hill climbing",
    "gp": "genetic programming",
    "random": "random direction",
    "prior": "best of N from the prior",
    "tuned": "best in corpus, tuned",
}
"""What the tables call the methods of `discovery.py`."""

OUTCOMES = ("wins", "ties", "losses")

EXACT = 0.1
"""Percent; smaller gains have a third digit behind the point."""

TABLES = {
    "corpus": (("corpus", "latent", "climb"), ("gp", "random", "prior", "tuned")),
    "reference": (("latent@reference", "climb@reference"),),
}
"""The methods that stand side by side, by where the searches begin."""


def discovery_tables(content: Mapping[str, Any], start: str, tasks: Sequence[str]) -> str:
    """The tables of searches that begin at `start`, a key of `TABLES`.

    `content` is what `discovery.py --summary` writes. A task has a row where one of the methods has run.
    """
    summary = content["summary"][start]
    return "\n\n".join(_table(summary, others, tasks) for others in TABLES[start])


def _table(summary: Mapping[str, Any], others: Sequence[str], tasks: Sequence[str]) -> str:
    by_task = {(each["task"], each["other"]): each for each in summary["by_task"]}
    together = {each["other"]: each for each in summary["against"]}
    rows = []
    for task in tasks:
        if any((task, other) in by_task for other in others):
            cells = [cell for other in others for cell in _cells(by_task.get((task, other)))]
            rows.append([f"`{task}`", *cells])
    last = ["all together, p"]
    for other in others:
        last += [p_value(together[other]["p_corrected"]), _counts(together[other])]
    header = [part for other in others for part in (f"over {NAMES[other.partition('@')[0]]}, %", "")]
    return markdown_table(["task", *header], [*rows, last])


def _cells(comparison: Mapping[str, Any] | None) -> tuple[str, str]:
    if comparison is None:
        return "", ""
    gain = comparison["gain"]
    pairs = sum(comparison[name] for name in OUTCOMES)
    # Pairs whose other objective is 0 have no percentage: a mean of the rest says nothing of all.
    if gain is None or gain["count"] < pairs:
        return "—", _counts(comparison)
    return interval(gain, scale=1.0, digits=3 if abs(gain["mean"]) < EXACT else 2, signed=True), _counts(comparison)


def _counts(comparison: Mapping[str, Any]) -> str:
    return " / ".join(str(comparison[name]) for name in OUTCOMES)
