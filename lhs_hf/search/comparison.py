"""What was found beside the reference and the best program of the corpus, on every split."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..evaluation import Evaluator
from ..tasks.base import Task


def compare_on_splits(
    task: Task,
    evaluator: Evaluator,
    programs: dict[str, str | None],
    known: Mapping[str, float | None],
    stop: Callable[[], bool] | None = None,
    on_stage: Callable[[str], None] | None = None,
) -> dict[str, dict[str, float | None]]:
    """Objective of each named program on every split, `search` first; None where it fails or is not given.

    `known`: objectives on `search` that the search has measured, by program text. Once `stop` says yes, what is not
    measured yet is left out of the table. `on_stage` is told which program meets which split.
    """
    table: dict[str, dict[str, float | None]] = {}
    for name, source in programs.items():
        table[name] = {}
        if source is None:
            continue
        for split in task.splits:
            measured = split == "search" and source in known
            if not measured and stop is not None and stop():
                continue
            if not measured and on_stage is not None:
                on_stage(f"{name} on {split}")
            table[name][split] = known[source] if measured else evaluator.evaluate(source, split).objective
    return table
