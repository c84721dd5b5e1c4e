"""Tables of searches of tasks that nothing was trained on, from results/unseen.json (unseen.py)."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import mean, median
from typing import Any

from lhs_hf.grid.statistics import Comparison, Interval
from lhs_hf.reporting.grid_report import duel_table
from lhs_hf.reporting.run_report import markdown_table, number
from lhs_hf.tasks.names import ZOO_LOOKED_AT, ZOO_UNSEEN

NAMES = {
    "default": "a search",
    "gp": "genetic programming",
    "climb": "hill climbing",
    "tuned": "reference, tuned",
    "prior": "from the prior",
}
"""What the tables call the methods of `unseen.py`, in the order of their columns."""

ARROWS = {"min": "↓", "max": "↑"}
DIGITS = 5
PATIENCE_S = 180
"""What a search of a task of one's own should take at most, seconds."""


def unseen_tables(content: Mapping[str, Any]) -> str:
    """Task by task the means of the seeds on `test`, the best method in bold, then how much the default gains."""
    return "\n\n".join((_by_task(content["cells"]), _together(content["summary"])))


def _by_task(cells: list[Mapping[str, Any]]) -> str:
    rows, shares, times = [], [], []
    for task in ZOO_UNSEEN:
        own = [each for each in cells if each["task"] == task]
        sense = own[0]["sense"]
        objectives = {
            method: mean(mean(each["objectives"]["test"]) for each in own if each["method"] == method)
            for method in ("reference", *NAMES)
        }
        best = (min if sense == "min" else max)(objectives.values())
        figures = [
            f"**{number(each, DIGITS)}**" if each == best else number(each, DIGITS) for each in objectives.values()
        ]
        spent = [each["spent"] for each in own if each["method"] == "default"]
        seconds = [each["seconds"] for each in spent]
        times += seconds
        shares.append(sum(each["valid"] for each in spent) / sum(each["programs"] for each in spent))
        mark = " *" if task in ZOO_LOOKED_AT else ""
        label = f"`{task}`{mark} {ARROWS[sense]}"
        rows.append([label, *figures, f"{100 * shares[-1]:.0f} %", f"{mean(seconds):.0f} s"])
    table = markdown_table(["task", "reference", *NAMES.values(), "valid", "a search takes"], rows)
    quick = sum(each <= PATIENCE_S for each in times)
    sentences = (
        f"In the mean of the tasks {100 * mean(shares):.1f} % are valid, {100 * min(shares):.1f} % on the worst.",
        f"The median search takes {median(times):.0f} s; {quick} of {len(times)} end within {PATIENCE_S} s.",
    )
    return f"{table}\n\n{' '.join(sentences)}"


def _together(summary: Mapping[str, Any]) -> str:
    tables = []
    for group, title in (("unseen", "All twelve"), ("strangers", "The eight without *")):
        rows = [
            Comparison(**{**each, "other": NAMES.get(each["other"], each["other"]), "gain": Interval(**each["gain"])})
            for each in summary[group]["default_over"]["together"]
        ]
        tables.append(f"{title}:\n\n{duel_table(rows)}")
    return "\n\n".join(tables)
