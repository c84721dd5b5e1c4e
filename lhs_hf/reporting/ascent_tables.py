"""The paired test of ascent as Markdown, from the entries that `statistics.summarize` gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..plots.ascent import MOVE_NAMES, screening_name
from .run_report import markdown_table

Entry = Mapping[str, Any]

SHARES = (
    ("valid", "valid"),
    ("beats", "beats its parent"),
    ("change", "change of quantile"),
    ("new_text", "new text"),
    ("new_behaviour", "new behaviour"),
    ("beats_with_new_text", "beats, new text"),
    ("beats_with_new_behaviour", "beats, new behaviour"),
)

WORDS = """Each move starts at the same parents, and all moves of a parent are decoded with the same random draws.
*No step* decodes the parent's own point. *Random direction* goes as far as the gradient went; *in z*, as far as its
latent went. *Nearest elite* is the point of the nearest better training program. Shares are in per cent of all decoded
programs, *new text* and *new behaviour* in per cent of the valid ones. *Quantile*: share of the corpus that scores
lower, 0 for a program without a score. *New text*: not in the corpus. *New behaviour*: other decisions than every
corpus program on at least 5 % of the probe states. Changes and differences are in percentage points.

Brackets: 95 % intervals, bootstrap over families; where all outcomes are equal they have no width, which says nothing.
p: two-sided, not corrected for the number of comparisons. McNemar's test takes the parents of a family for independent,
the bootstrap does not."""


def interval(found: Mapping[str, Any], *, scale: float = 100.0, digits: int = 1, signed: bool = False) -> str:
    """An estimate as tables show it: the mean, and the 95 % interval in brackets where there is one.

    `scale` multiplies the figures; an em dash stands for a figure that does not exist.
    """
    sign = "+" if signed else ""

    def shown(value: float) -> str:
        # Adding zero turns a -0.0 into 0.0.
        return f"{round(scale * value, digits) + 0.0:{sign}.{digits}f}"

    if _absent(found["mean"]):
        return "—"
    if _absent(found.get("low")) or _absent(found.get("high")):
        return shown(found["mean"])
    return f"{shown(found['mean'])} [{shown(found['low'])}, {shown(found['high'])}]"


def p_value(p: float) -> str:
    """A p-value with three digits behind the point."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def entry_title(entry: Entry) -> str:
    """Radius and screening size of an entry in words."""
    return f"radius {entry['radius']:g}, {screening_name(entry['screening'])}"


def moves_table(moves: Mapping[str, Mapping[str, Any]]) -> str:
    """What each move gives: length of its step, in standard deviations, and the shares of `SHARES`."""
    header = ["move", "step", *(label for _, label in SHARES)]
    rows = [
        [
            MOVE_NAMES.get(move, move),
            f"{figures['length']['mean']:.2f}",
            *(interval(figures[name], signed=name == "change") for name, _ in SHARES),
        ]
        for move, figures in moves.items()
    ]
    return markdown_table(header, rows)


def differences_table(differences: Mapping[str, Mapping[str, Any]]) -> str:
    """The gradient minus each other move over the parents that both have, in percentage points."""
    header = [
        "gradient minus",
        "parents",
        "beats its parent",
        "p (bootstrap)",
        "only gradient : only control",
        "p (McNemar)",
        "valid",
        "change of quantile",
    ]
    rows = []
    for move, found in differences.items():
        exact = found["mcnemar"]
        rows.append(
            [
                MOVE_NAMES.get(move, move),
                str(found["beats"]["n"]),
                interval(found["beats"], signed=True),
                p_value(found["beats"]["p"]),
                f"{exact['only_first']} : {exact['only_second']}",
                p_value(exact["p"]),
                interval(found["valid"], signed=True),
                interval(found["change"], signed=True),
            ]
        )
    return markdown_table(header, rows)


def verdict(differences: Mapping[str, Mapping[str, Any]]) -> str:
    """Which controls the gradient beats in the share that beats its parent, by whether the interval holds zero."""
    groups: dict[str, list[str]] = {"above": [], "not told apart from": [], "below": []}
    for move, found in differences.items():
        beats = found["beats"]
        group = "above" if beats["low"] > 0 else "below" if beats["high"] < 0 else "not told apart from"
        groups[group].append(MOVE_NAMES.get(move, move))
    said = [f"{group} {', '.join(names)}" for group, names in groups.items() if names]
    return "Share that beats its parent, the gradient against the controls: " + "; ".join(said) + "."


def task_table(tasks: Mapping[str, Entry]) -> str:
    """The gradient minus each control by task: points of the share that beats its parent, and McNemar's p."""
    controls = list(dict.fromkeys(move for task in tasks.values() for move in task["gradient_minus"]))
    rows = []
    for name, task in tasks.items():
        cells = []
        for move in controls:
            found = task["gradient_minus"].get(move)
            exact = "" if found is None else f", p {p_value(found['mcnemar']['p'])}"
            cells.append("—" if found is None else interval(found["beats"], signed=True) + exact)
        rows.append([f"`{name}`", interval(task["moves"]["gradient"]["beats"]), *cells])
    names = [f"minus {MOVE_NAMES.get(move, move)}" for move in controls]
    return markdown_table(["task", "gradient beats its parent", *names], rows)


def folded(title: str, body: str) -> str:
    """Markdown that opens on a click."""
    return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"


def ascent_section(entries: Sequence[Entry], settings: Mapping[str, Any], picture: str) -> str:
    """Everything about the paired test under one heading; `picture` is the Markdown of its figure."""
    told = [
        f"{name} {settings[key]:g}"
        for key, name in (
            ("parents", "parents a task: at most"),
            ("steps", "steps"),
            ("uncertainty", "weight of the uncertainty"),
            ("prior_weight", "weight of the prior"),
            ("temperature", "temperature"),
            ("top_p", "top-p"),
            ("seed", "seed"),
        )
        if settings.get(key) is not None
    ]
    if settings.get("guidance") is not None:
        told.append("guidance on" if settings["guidance"] else "guidance off")
    space = settings.get("space")
    parts = [
        f"## Ascent: the paired test on {settings['split']} families",
        WORDS,
        (f"Searched space: {space}; " if space else "") + ", ".join(told) + ".",
        picture,
    ]
    for entry in entries:
        together = entry["all"]
        parts += [
            f"### {entry_title(entry).capitalize()}",
            f"{len(entry['tasks'])} tasks, {together['moves']['gradient']['valid']['n']} parents.",
            moves_table(together["moves"]),
        ]
        if together["gradient_minus"]:
            parts += [
                verdict(together["gradient_minus"]),
                differences_table(together["gradient_minus"]),
                folded("By task: share that beats its parent, points", task_table(entry["tasks"])),
            ]
    return "\n\n".join(parts)


def prediction_section(entries: Sequence[Entry]) -> str:
    """How the scores of decoded programs correlate with what was predicted: means over tasks, then each task.

    Empty if no entry has such figures.
    """
    known = [
        entry for entry in entries if any(not _absent(value) for value in entry["all"].get("prediction", {}).values())
    ]
    if not known:
        return ""
    rows = [
        [
            entry_title(entry),
            *(_correlation({"mean": entry["all"]["prediction"][name]}) for name in ("point", "program")),
        ]
        for entry in known
    ]
    parts = [
        "Spearman's correlation of the true scores of valid decoded programs, all moves together, with what the "
        "surrogate predicted at the *point* they were decoded from and of the *program* after encoding it again; "
        "means over tasks:",
        markdown_table(["decoded at", "point", "program"], rows),
    ]
    for entry in known:
        by_task = [
            [
                f"`{name}`",
                str(task["prediction"]["point"]["n"]),
                *(_correlation(task["prediction"][key]) for key in ("point", "program")),
            ]
            for name, task in entry["tasks"].items()
        ]
        table = markdown_table(["task", "programs", "point", "program"], by_task)
        parts.append(folded(f"By task: {entry_title(entry)}", table))
    return "\n\n".join(parts)


def _correlation(found: Mapping[str, Any]) -> str:
    return interval(found, scale=1.0, digits=2, signed=True)


def _absent(value: float | None) -> bool:
    return value is None or math.isnan(value)
