"""What was found beside the reference and the best program of the corpus, on every split."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..evaluation import Evaluation, Evaluator
from ..evaluation.racing import compare
from ..tasks.base import Task

Table = Mapping[str, Mapping[str, Evaluation]]
"""Evaluations by the name of a program, then by split."""

SplitListener = Callable[[str, dict[str, float | None]], None]
"""Called with the name of a split and the objectives there by the name of a program, None for one that fails."""

FIRST_SPLITS = ("search", "holdout")
"""What programs are compared on first: a comparison that is interrupted later has a result."""
_BEYOND = 1.25
"""A program is not run on a split where it is forecast to take so many times what is allowed there."""


def compare_on_splits(
    task: Task,
    evaluator: Evaluator,
    programs: dict[str, str | None],
    known: Mapping[str, Evaluation],
    stop: Callable[[], bool] | None = None,
    on_stage: Callable[[str], None] | None = None,
    on_split: SplitListener | None = None,
) -> dict[str, dict[str, Evaluation]]:
    """Each named program on every split; no splits for one that is not given.

    Split after split, `search` and `holdout` first: large test splits may take longer than the search. `known`: what
    the search has measured on `search`, by program text. Once `stop` says yes, what is not measured yet is left out of
    the table; so it is where a person interrupts a split behind these two, and where the time that a program took on
    smaller splits shows that it can not finish (`hopeless`). `on_stage` is told which program meets which split,
    `on_split` what came of a split.
    """
    measured: dict[str, dict[str, Evaluation]] = {name: {} for name in programs}
    interrupted = False
    for split in sorted(
        task.splits, key=lambda each: FIRST_SPLITS.index(each) if each in FIRST_SPLITS else len(FIRST_SPLITS)
    ):
        for name, source in programs.items():
            if source is None:
                continue
            if split == "search" and source in known:
                measured[name][split] = known[source]
                continue
            if interrupted or (stop is not None and stop()) or hopeless(task, measured[name], split):
                continue
            if on_stage is not None:
                on_stage(f"{name} on {split}")
            try:
                measured[name][split] = evaluator.evaluate(source, split)
            except KeyboardInterrupt:
                if split in FIRST_SPLITS:
                    raise
                interrupted = True
        row = {name: each[split].objective for name, each in measured.items() if split in each}
        if on_split is not None and row:
            on_split(split, row)
    return {name: {split: row[split] for split in task.splits if split in row} for name, row in measured.items()}


def hopeless(task: Task, measured: Mapping[str, Evaluation], split: str) -> bool:
    """Whether a program can not finish `split`, by the seconds that it took on smaller splits.

    A split's time limit goes with the number of its program calls, which the seconds are taken to follow by a power law
    through the two largest of the smaller splits. A call takes longer where instances are larger, so that the power is
    never below one.
    """
    limit = task.time_limit(split)
    times = {task.time_limit(each): measured[each].runtime_s for each in measured if measured[each].ok}
    smaller = sorted((calls, seconds) for calls, seconds in times.items() if calls < limit and seconds > 0)
    if len(smaller) < 2:
        return False
    (few, short), (many, long) = smaller[-2:]
    power = max(1.0, math.log(long / short) / math.log(many / few))
    return long * (limit / many) ** power > _BEYOND * limit


def objectives(table: Table, name: str) -> dict[str, float | None]:
    """A program's objective by split; None where it fails."""
    return {split: evaluation.objective for split, evaluation in table[name].items()}


def runtimes(table: Table) -> dict[str, dict[str, float | None]]:
    """Wall seconds by split of the program found and of the reference; None where one fails or was not run.

    What was remembered took its time when it ran.
    """
    splits = dict.fromkeys(split for name in ("found", "reference") for split in table[name])
    rows = {split: {name: table[name].get(split) for name in ("found", "reference")} for split in splits}
    return {
        split: {name: each.runtime_s if each is not None and each.ok else None for name, each in row.items()}
        for split, row in rows.items()
    }


def corpus_gain(task: Task, table: Table, split: str = "holdout") -> dict[str, Any] | None:
    """How much better than the best of the corpus the program found is, from a paired test on a split.

    `gain` is a share of the mean objective of the best in corpus, positive is better; `low` and `high` are the ends of
    its 95 % interval, None on a single instance. `difference` is the gain in task units; where the best in corpus has
    nothing but zeros it is all there is, and the shares are None. None if one of the two has no objectives there.
    """
    ours, theirs = table["found"].get(split), table["corpus"].get(split)
    if ours is None or theirs is None or not ours.ok or not theirs.ok:
        return None
    comparison = compare(ours.objectives, theirs.objectives, task.alpha)
    low, high = comparison.interval() if comparison.instances > 1 else (None, None)
    gain: float | None = comparison.gain
    if not any(theirs.objectives) and not comparison.same:
        gain = low = high = None
    return {
        "split": split,
        "difference": float(task.alpha * (np.mean(ours.objectives) - np.mean(theirs.objectives))),
        "gain": gain,
        "low": low,
        "high": high,
        "instances": comparison.instances,
        "same": comparison.same,
    }
