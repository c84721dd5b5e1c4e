"""A small corpus from a person's own programs: scored, probed, without repetitions, divided for training."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .. import programs
from ..errors import CallError
from ..evaluation import Evaluation, Evaluator
from ..tasks.base import Task
from .dataset import CorpusRow, write_rows

VALIDATION_SHARE = 5
"""Every fifth program judges what the others teach."""


def write_own_corpus(task: Task, scored: Sequence[tuple[str, Evaluation]], evaluator: Evaluator, folder: Path) -> int:
    """Write the programs that run, one of each canonical form, as a corpus folder; returns how many.

    Each program is a family of its own. Every fifth, in the order of their hashes, is for validation. Raises
    `CallError` if fewer than two run.
    """
    known: dict[str, tuple[str, Evaluation]] = {}
    for source, evaluation in scored:
        if evaluation.ok:
            known.setdefault(programs.program_hash(source), (source, evaluation))
    if len(known) < 2:
        raise CallError(f"{len(known)} of {len(scored)} programs run and differ: a corpus needs at least two")
    parts: dict[str, list[CorpusRow]] = {"train": [], "validation": []}
    for number, key in enumerate(sorted(known)):
        source, evaluation = known[key]
        behaviour = evaluator.probe(source)
        if behaviour is None:
            continue
        part = "validation" if number % VALIDATION_SHARE == 1 else "train"
        parts[part].append(
            CorpusRow(
                task=task.name,
                program=source,
                canonical=programs.canonical(source),
                hash=key,
                family=f"own-{key[:12]}",
                split=part,
                tier="seed",
                parents=(),
                transforms=(),
                objective=float(evaluation.objective or 0.0),
                score=float(evaluation.score or 0.0),
                objectives=tuple(evaluation.objectives),
                tokens=None,
                decisions=behaviour.decisions,
                behaviour=behaviour.features,
            )
        )
    for part, rows in parts.items():
        write_rows(rows, folder / task.name / f"{part}-00000.parquet")
    return sum(map(len, parts.values()))
