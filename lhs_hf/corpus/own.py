"""A small corpus from a person's own programs: scored, probed, without repetitions, divided for training."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import programs
from ..errors import CallError
from ..evaluation import Evaluation, Evaluator
from ..tasks.base import Task
from .dataset import CorpusRow, write_rows

VALIDATION_SHARE = 5
"""Every fifth program judges what the others teach, ..."""
_LARGEST = 3
"""... and a family that is more than a third of all only teaches."""


@dataclass(frozen=True)
class ScoredProgram:
    """A program and what `search` says of it; `family`: the idea it descends from, "" for one of its own."""

    source: str
    evaluation: Evaluation
    family: str = ""


def write_own_corpus(task: Task, scored: Sequence[ScoredProgram], evaluator: Evaluator, folder: Path) -> int:
    """Write the programs that run, one of each canonical form, as a corpus folder; returns how many.

    A family is on one side: whole families, in the order of their hashes, are for validation until these are a fifth.
    Where all are of one family or two each program counts as one. Raises `CallError` if fewer than two run.
    """
    known: dict[str, ScoredProgram] = {}
    for each in scored:
        if each.evaluation.ok:
            known.setdefault(programs.program_hash(each.source), each)
    if len(known) < 2:
        raise CallError(f"{len(known)} of {len(scored)} programs run and differ: a corpus needs at least two")
    families = {key: each.family or f"own-{key[:12]}" for key, each in known.items()}
    if not _judging(families):
        families = {key: f"own-{key[:12]}" for key in known}
    judging = _judging(families)
    parts: dict[str, list[CorpusRow]] = {"train": [], "validation": []}
    for key in sorted(known):
        source, evaluation = known[key].source, known[key].evaluation
        behaviour = evaluator.probe(source)
        if behaviour is None:
            continue
        part = "validation" if families[key] in judging else "train"
        parts[part].append(
            CorpusRow(
                task=task.name,
                program=source,
                canonical=programs.canonical(source),
                hash=key,
                family=families[key],
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


def _judging(families: Mapping[str, str]) -> set[str]:
    """The families for validation, of those by program; none if each is more than a third of all."""
    sizes = Counter(families.values())
    chosen: set[str] = set()
    for name in sorted(sizes, key=lambda each: hashlib.sha256(each.encode()).hexdigest()):
        if VALIDATION_SHARE * sum(sizes[each] for each in chosen) >= len(families):
            break
        if _LARGEST * sizes[name] <= len(families):
            chosen.add(name)
    return chosen
