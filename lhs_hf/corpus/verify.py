"""Measuring the programs of a corpus again and comparing every number."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..evaluation import Evaluator, Limits
from ..tasks import get_task
from .dataset import CorpusRow

# Generous: what is compared is results, and a machine may be several times slower than the one that built the corpus.
_CPU_S = 60.0


@dataclass
class Verification:
    """How many programs were measured, how many gave every number again, and what the others gave."""

    programs: int = 0
    equal: int = 0
    different: list[str] = field(default_factory=list)
    slowest_s: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return dict(vars(self))


def sample(rows: Sequence[CorpusRow], count: int | None, seed: int) -> list[CorpusRow]:
    """`count` rows drawn without replacement, in stored order; all of them for None."""
    if count is None or count >= len(rows):
        return list(rows)
    chosen = np.random.default_rng(seed).choice(len(rows), count, replace=False)
    return [rows[int(index)] for index in sorted(chosen)]


def verify(
    rows: Sequence[CorpusRow], workers: int = 1, progress: Callable[[str, int, int], None] | None = None
) -> Verification:
    """Score rows on `search` and on the probe states again.

    `progress` is called with (task, rows done, rows in all) for each row.
    """
    found = Verification()
    for name in sorted({row.task for row in rows}):
        chosen = [row for row in rows if row.task == name]
        limits = Limits(wall_s=10 * _CPU_S, cpu_s=_CPU_S)
        with Evaluator(get_task(name), workers=workers, limits=limits) as evaluator:
            results = evaluator.evaluate_many([row.program for row in chosen])
            for done, (row, result) in enumerate(zip(chosen, results), 1):
                found.programs += 1
                found.slowest_s = max(found.slowest_s, result.runtime_s)
                problem = ""
                if not result.ok:
                    problem = f"{result.status}: {result.message}"
                elif result.objectives != row.objectives or result.objective != row.objective:
                    problem = f"objective {result.objective!r} instead of {row.objective!r}"
                else:
                    behaviour = evaluator.probe(row.program)
                    decisions = None if behaviour is None else behaviour.decisions
                    if decisions is None or not np.array_equal(decisions, row.decisions):
                        problem = "other decisions on the probe states"
                if problem:
                    found.different.append(f"{name} {row.hash[:12]} ({row.family}): {problem}")
                found.equal += not problem
                if progress is not None:
                    progress(name, done, len(chosen))
    return found
