"""Searches with a model that has not seen the best families: what they find, beside the best that it has seen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lhs_hf.grid.cell import CellResult
from lhs_hf.grid.plan import SPLIT
from lhs_hf.grid.statistics import Interval, gain, paired
from lhs_hf.grid.store import Grid
from lhs_hf.reporting.run_report import markdown_table

SEEN = "corpus"
STARTS = {"corpus": "default", "reference": "default@reference"}
"""The searches, by where they begin."""

WORDS = """All on `holdout`, means over the seeds. *Seen*: the best of the training families that were left in, chosen
on 200 fresh instances: the best that the model has seen. *Whole corpus*: the same of all training families. *From the
corpus*, *from the reference*: the default search that begins there, with its gain over the best seen in percent and the
95 % interval over the seeds. *Valid*: programs that run, of all that were written."""


def without_best_figures(task: str, grid: Grid, whole: Grid) -> dict[str, Any]:
    """The figures of one task. `grid`: searches without the best families; `whole`: those with everything."""
    by_start = {}
    for start, method in STARTS.items():
        pairs = paired(grid, method, SEEN, task)
        gains = [each for each in (gain(*pair) for pair in pairs) if each is not None]
        interval = Interval.of(gains) if gains else None
        by_start[start] = {
            "found": [ours.objective(SPLIT) for ours, _ in pairs],
            "gain": None if interval is None else [interval.mean, interval.low, interval.high],
            "passes": interval is not None and interval.mean > 0,
            "novelty": [ours.novelty for ours, _ in pairs],
            "valid": sum(ours.spent.valid for ours, _ in pairs) / max(1, sum(ours.spent.programs for ours, _ in pairs)),
        }
    return {"seen": _mean(grid.of(SEEN, task)), "whole": _mean(whole.of(SEEN, task)), **by_start}


def merged(before: dict[str, Any], content: dict[str, Any]) -> dict[str, Any]:
    """What was measured before with the new figures in it; `steps` says which of them are of another model."""
    elsewhere = before["left_out"]["steps"] != content["left_out"]["steps"]
    tasks = dict(before["tasks"])
    for task, figures in content["tasks"].items():
        kept = tasks.get(task, {})
        measured = {name: value for name, value in figures.items() if name not in STARTS or value["found"]}
        tasks[task] = {**kept, **measured, **({"steps": content["left_out"]["steps"]} if elsewhere else {})}
    return {**before, "tasks": tasks}


def _mean(cells: Sequence[CellResult]) -> float | None:
    objectives = [value for value in (cell.objective(SPLIT) for cell in cells) if value is not None]
    return float(np.mean(objectives)) if objectives else None


def without_best_text(content: Mapping[str, Any]) -> str:
    """The table over the tasks and what it says."""
    made, tasks = content["left_out"], content["tasks"]
    shared = [task for task in tasks if task not in made["without"]]
    trained = (
        f" Its encoder, decoder, mapper and flow have seen {len(shared)} of the tasks; of the others, marked *, only "
        "the surrogate was trained."
    )
    counts = {start: min(len(figures[start]["found"]) for figures in tasks.values()) for start in STARTS}
    same = len(set(counts.values())) == 1
    seeds = (
        str(counts["corpus"]) if same else " and ".join(f"{count} from the {start}" for start, count in counts.items())
    )
    intro = (
        f"A model that has not seen the best {100 * made['best_share']:.0f} % of each task's families, trained for "
        f"{made['steps']} steps of the autoencoder, with surrogates trained on what is left, and searches that take "
        f"their programs from what is left, too.{trained if made['without'] else ''} {content['settings']['budget']} "
        f"programs a search, seeds: {seeds}."
    )
    rows = [
        [
            f"`{task}`{'*' if task in made['without'] else ''}{'†' if 'steps' in figures else ''}",
            _number(figures["seen"]),
            _number(figures["whole"]),
            *(_found(figures[start]) for start in STARTS),
            f"{100 * min(figures[start]['valid'] for start in STARTS):.0f} %",
        ]
        for task, figures in tasks.items()
    ]
    table = markdown_table(["task", "seen", "whole corpus", "from the corpus", "from the reference", "valid"], rows)
    others = sorted({figures["steps"] for figures in tasks.values() if "steps" in figures})
    again = f"† Measured later, with a model of {' or '.join(map(str, others))} steps." if others else ""
    passed = {start: sum(figures[start]["passes"] for figures in tasks.values()) for start in STARTS}
    verdict = (
        f"In the mean of its seeds the search passes the best that its model has seen on {passed['corpus']} of "
        f"{len(tasks)} tasks from the corpus, and on {passed['reference']} from the reference program alone."
    )
    return "\n\n".join(filter(None, [intro, table, WORDS, again, verdict]))


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.6g}"


def _found(figures: Mapping[str, Any]) -> str:
    solved = [value for value in figures["found"] if value is not None]
    if not solved or figures["gain"] is None:
        return "-"
    mean, low, high = figures["gain"]
    interval = "" if low is None else f" [{_percent(low)}, {_percent(high)}]"
    return f"{np.mean(solved):.6g} ({_percent(mean)} %{interval})"


def _percent(gain: float) -> str:
    """With two decimals, or as many as a gain takes that is not nothing."""
    return f"{gain:+.2f}" if abs(gain) >= 0.005 or gain == 0 else f"{gain:+.1g}"
