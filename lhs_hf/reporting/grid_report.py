"""Tables and figures of a comparison, from its folder alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

import numpy as np

from ..errors import CallError
from ..grid.cell import NO_WORD, CellResult
from ..grid.plan import SPLIT
from ..grid.statistics import Comparison, compared, curve, distances
from ..grid.store import Grid, open_grid
from ..opening.folders import replacing, write_text
from ..opening.text import markdown
from ..search.result import runtime_cell
from .paper import PAPER
from .run_report import markdown_table

TABLE_WORDS = """Mean ± standard deviation over seeds of the objective of the program that each method chose, on every
split; the best mean of a column is bold. A method without seeds ran once. Rows marked *printed* are the paper's own
figures: other machines, other language models, and where that is not known otherwise other instances."""

COST_WORDS = """Means over seeds. *Evaluations*: instance runs in programs on `search`. *Valid*: share of the programs
made that have a score. *Calls*: of a decoder or a language model, whatever they were for. *Runtime*: of the program
found on the split named, and how many times that of the reference program. *New*: programs that decide differently from
every program of the corpus on some probe state."""

DUEL_WORDS = """Gains on `{split}`, in percent of the other's objective, positive is better, with a 95 % interval over
seeds; a seed is a pair. *p*: paired t-test on a task, Wilcoxon's signed-rank test over all tasks together, corrected
for the number of rows (Holm)."""

_LAST = ("search", SPLIT)


def split_order(cells: Sequence[CellResult]) -> list[str]:
    """Splits that some cell has, test splits first, those with numbers in their names by size."""
    names = {name for each in cells for name in (*each.objectives, *each.failures)}

    def place(name: str) -> tuple[int, list[tuple[int, str]]]:
        parts = [(int(part), "") if part.isdecimal() else (0, part) for part in re.split(r"(\d+)", name)]
        return _LAST.index(name) + 1 if name in _LAST else 0, parts

    return sorted(names, key=place)


def objective_table(grid: Grid, task: str) -> str:
    """Rows are methods, columns are splits, as the paper has it; what it prints itself stands below."""
    cells = [each for each in grid.cells if each.task == task]
    splits, alpha = split_order(cells), cells[0].alpha
    means: dict[str, dict[str, float]] = {}
    rows = {}
    for method in grid.methods:
        own = grid.of(method, task)
        if own:
            values = {split: [each.objective(split) for each in own] for split in splits}
            rows[method] = [_spread(values[split]) for split in splits]
            whole = {split: [each for each in values[split] if each is not None] for split in splits}
            means[method] = {split: mean(whole[split]) for split in splits if len(whole[split]) == len(own)}
    for place, split in enumerate(splits):
        known = {method: alpha * each[split] for method, each in means.items() if split in each}
        for method, value in known.items():
            if value == max(known.values()):
                rows[method][place] = f"**{rows[method][place]}**"
    printed = [
        [f"{method} *(printed)*", *(_printed(each.get(split)) for split in splits)]
        for method, each in PAPER.get(task, {}).items()
    ]
    arrow = "↓" if alpha < 0 else "↑"
    header = [f"`{markdown(task)}` {arrow}", *(markdown(split) for split in splits)]
    return markdown_table(header, [*([markdown(method), *cells_] for method, cells_ in rows.items()), *printed])


def _spread(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return f"fails ({len(values) - len(known)} of {len(values)})"
    return f"{known[0]:.6g}" if len(known) == 1 else f"{mean(known):.6g} ± {stdev(known):.2g}"


def _printed(entry: tuple[float, float, float] | None) -> str:
    return "—" if entry is None else f"{entry[0]:g} ± {entry[1]:g}"


def cost_table(grid: Grid, task: str) -> str:
    """What the methods spent, how long their programs run, and which share of these is new."""
    cells = [each for each in grid.cells if each.task == task]
    split = _slowest(cells)
    rows = []
    for method in grid.methods:
        own = grid.of(method, task)
        if not own:
            continue
        spent = [each.spent for each in own]
        ran = [each for each in own if split in each.runtime_s]
        seconds = median(each.runtime_s[split] for each in ran) if ran else None
        reference = median(each.reference_runtime_s.get(split, 0.0) for each in ran) if ran else None
        rows.append(
            [
                markdown(method),
                str(len(own)),
                f"{mean(each.evaluations for each in spent):.0f}",
                _share(sum(each.valid for each in spent), sum(each.programs for each in spent)),
                f"{mean(each.calls for each in spent):.0f}",
                f"{mean(each.tokens for each in spent):.0f}",
                f"{mean(each.seconds for each in spent):.0f}",
                runtime_cell({split: {"found": seconds, "reference": reference}}, split),
                f"{sum(each.novelty == 'new' for each in own)} of {len(own)}",
            ]
        )
    header = [
        f"`{markdown(task)}`",
        "seeds",
        "evaluations",
        "valid",
        "calls",
        "tokens",
        "seconds",
        f"runtime on {split}",
        "new",
    ]
    return markdown_table(header, rows)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "—"


def _slowest(cells: Sequence[CellResult]) -> str:
    """The split on which programs take longest: where runtimes say most."""
    totals: dict[str, float] = {}
    for each in cells:
        for split, seconds in each.reference_runtime_s.items():
            totals[split] = max(totals.get(split, 0.0), seconds)
    return max(totals, key=lambda name: totals[name], default=SPLIT)


def duel_table(rows: Sequence[Comparison]) -> str:
    """A method against others, one row each."""
    body = []
    for row in rows:
        interval = row.gain
        gained = "—" if interval is None else f"{interval.mean:+.2f} %"
        reach = "" if interval is None or interval.low is None else f"{interval.low:+.2f} to {interval.high:+.2f}"
        p = ["—" if each is None else f"{each:.2g}" for each in (row.p, row.p_corrected)]
        record = f"{row.wins} / {row.ties} / {row.losses}"
        where = f"`{markdown(row.task)}`" if row.task else f"{row.better} tasks better"
        body.append([markdown(row.other), where, gained, reach or "—", record, *p])
    return markdown_table(["against", "task", "gain", "95 % interval", "win / tie / loss", "p", "p corrected"], body)


def report_grid(folder: Path | str) -> tuple[str, list[Path]]:
    """Write `report.md`, `table.md`, `grid.json`, `profile.png` and `convergence.png` into the folder of a comparison.

    `table.md` holds the objectives alone: the same programs give it to the byte. Returns the Markdown of the report and
    the files written. Raises `CallError` if the folder holds no comparison, or one without a finished cell.
    """
    folder = Path(folder)
    grid = open_grid(folder)
    if not grid.cells:
        raise CallError(f"{folder} has no finished cell yet")
    tables = "\n\n".join([TABLE_WORDS, *(objective_table(grid, task) for task in grid.tasks)])
    first = grid.methods[0]
    by_task, together = compared(grid, first)
    lines = [f"# {len(grid.methods)} methods on {len(grid.tasks)} task{'s' if len(grid.tasks) > 1 else ''}", ""]
    lines += [f"{equal_sentence(grid.about)} {len(grid.cells)} cells are finished.", "", tables, ""]
    if together:
        lines += [f"## {markdown(first)} against the others", "", DUEL_WORDS.format(split=SPLIT), ""]
        lines += [duel_table(together), "", duel_table(by_task), ""]
    lines += ["## What it cost", "", COST_WORDS, "", *(f"{cost_table(grid, task)}\n" for task in grid.tasks)]
    figures = _figures(grid, folder)
    lines += [f"![{text}]({path.name})\n" for path, text in figures]
    text = "\n".join(lines)
    data = {
        "about": grid.about,
        "cells": [asdict(each) for each in grid.cells],
        "against_others": [asdict(each) for each in (*together, *by_task)],
    }
    return text, [
        write_text(folder / "report.md", text),
        write_text(folder / "table.md", tables + "\n"),
        write_text(folder / "grid.json", json.dumps(data, indent=1, sort_keys=True) + "\n"),
        *(path for path, _ in figures),
    ]


def equal_sentence(about: dict[str, Any]) -> str:
    """What was equal for all methods, in words."""
    amount, unit = about.get("budget"), about.get("equal")
    words = {
        "evaluations": f"Each method has the instance runs of {amount} programs on `search`",
        "calls": f"Each method has {amount} calls of its model, or as many evaluations where it has none",
        "seconds": f"Each method has {amount} seconds",
    }
    model = about.get("language_model")
    asked = f"; the language model is {markdown(model)}" if isinstance(model, str) else ""
    return f"{words.get(str(unit), 'What was equal is not known')}{asked}."


def _figures(grid: Grid, folder: Path) -> list[tuple[Path, str]]:
    from ..plots import plot_incumbents, plot_profile, save

    profile = folder / "profile.png"
    with replacing(profile) as temporary:
        title = f"{len(grid.tasks)} tasks, {SPLIT}" if len(grid.tasks) > 1 else f"{grid.tasks[0]}, {SPLIT}"
        save(plot_profile(distances(grid), title=title).figure, temporary)
    figures = [(profile, "Share of each method's programs by how far they are behind the best, in percent.")]
    for task in grid.tasks:
        rows = {method: [each for each in grid.of(method, task) if each.curve] for method in grid.methods}
        most = max((each.spent.instance_runs for own in rows.values() for each in own), default=0)
        steps = np.linspace(0, most, 200).round().astype(int).tolist()
        curves = {method: curve(own, steps) for method, own in rows.items() if own}
        if most and curves:
            path = folder / f"convergence_{re.sub(NO_WORD, '_', task)}.png"
            with replacing(path) as temporary:
                save(plot_incumbents(curves, steps, title=task).figure, temporary)
            figures.append((path, f"Objective of the incumbents on {SPLIT} over instance runs, {task}, by method."))
    return figures
