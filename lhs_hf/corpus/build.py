"""Building the corpus: seeds and their variants, each through the same gate (paper, section 4.1 and appendix B).

Candidates are drawn in a fixed order and judged in that order, whatever the number of workers: the same seeds and the
same sources give the same bytes. (What depends on the machine is which programs are slower than the limit.) Finished
measurements live in `<output>/.build.sqlite`; a build that was killed starts again without repeating them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..tasks import get_task
from ..tasks.base import Task
from .card import write_card
from .dataset import SPLITS, CorpusRow, write_rows
from .exclusions import Exclusions
from .gate import LIMIT_S, Gate, ProgramEvaluator, TokenCounter, grammar_tokens
from .growing import Progress, TaskBuild, TaskReport, split_families
from .seeds_io import Seed, read_seeds
from .workfile import WorkFile

OUTPUT = Path("corpus")
"""Where a corpus is built unless a folder is named: never inside the package that is installed."""

PAPER_COUNTS: dict[str, int] = {
    "admissible_set": 498,
    "cflp_construct": 464,
    "cvrp_construct": 466,
    "jssp_construct": 473,
    "knapsack_construct": 439,
    "online_bin_packing": 479,
    "qap_construct": 416,
    "set_cover_construct": 474,
    "tsp_construct": 450,
    "vrptw_construct": 465,
}
"""Programs a task in the paper's corpus (appendix B): 4,624 in all."""

EvaluatorFactory = Callable[[Task, int], ProgramEvaluator]


@dataclass(frozen=True)
class BuildParts:
    """What else a corpus is built with.

    Attributes:
        evaluator_factory: (task, workers) -> what measures programs; None takes the sandboxed `Evaluator`.
        cluster: the Ray cluster that the sandboxed evaluator runs programs on; None runs them here.
        count_tokens: (source, task) -> length in decoder tokens; a `ValueError` refuses the program. None asks
            nothing and stores null; `grammar_tokens` makes one.
        seeds: task name -> seed programs.
        limit_s: a program that takes longer on the `search` split stays out. Which programs that were is written to
            `excluded.json`; where the same build was done before, that list decides instead of the clock.
        card: writes the card of the folder at the end.
    """

    evaluator_factory: EvaluatorFactory | None = None
    cluster: str | None = None
    count_tokens: TokenCounter | None = None
    seeds: Callable[[str], list[Seed]] = read_seeds
    limit_s: float = LIMIT_S
    card: Callable[[Path], None] = write_card


def build_corpus(
    tasks: Iterable[str | Task],
    counts: int | Mapping[str, int] = PAPER_COUNTS,
    seed: int = 0,
    output: str | Path = OUTPUT,
    workers: int = 1,
    progress: Progress | None = None,
    **parts: Any,
) -> dict[str, TaskReport]:
    """Build the corpus of some tasks; the files of other tasks in `output` stay.

    Args:
        tasks: tasks, or names of built-in ones.
        counts: programs a task, seeds included: one number, or one for each task's name.
        seed: of the family splits and of all augmentation.
        output: the folder of the data set.
        workers: programs that are measured at the same time.
        progress: called with (task name, programs accepted, target) after each batch.
        parts: see `BuildParts`.

    Returns a report for each task. A task whose families can not give the target ends below it, and the report says so.
    """
    output, using = Path(output), BuildParts(**parts)
    chosen = [get_task(task) if isinstance(task, str) else task for task in tasks]
    work = WorkFile(output / ".build.sqlite")
    reports: dict[str, TaskReport] = {}
    try:
        for task in chosen:
            target = counts if isinstance(counts, int) else counts[task.name]
            evaluator = (using.evaluator_factory or partial(_sandboxed, cluster=using.cluster))(task, workers)
            try:
                programs = using.seeds(task.name)
                exclusions = Exclusions(output, task.name, [seed, target, *(entry.source for entry in programs)])
                gate = Gate(task, evaluator, work, workers, using.count_tokens, using.limit_s, exclusions)
                build = TaskBuild(task, programs, target, seed, gate, progress)
                reports[task.name] = build.run()
                reference = gate.measure([task.template])[0].objective
            finally:
                evaluator.close()
            exclusions.write()
            _write_task(build.rows, task, output)
            _write_runtimes(build.rows, gate.runtimes, task, output)
            _write_reference(task.name, reference, output)
    finally:
        work.close()
    using.card(output)
    return reports


def _sandboxed(task: Task, workers: int, cluster: str | None = None) -> ProgramEvaluator:
    from ..evaluation import Evaluator, Limits

    # Processor time decides, so that a busy machine builds the same corpus.
    limits = Limits(wall_s=12 * LIMIT_S, cpu_s=4 * LIMIT_S)
    return Evaluator(task, split="search", workers=workers, limits=limits, cluster=cluster)


def _write_task(rows: list[CorpusRow], task: Task, output: Path) -> None:
    for split in SPLITS:
        path = output / task.name / f"{split}-00000.parquet"
        chosen = [row for row in rows if row.split == split]
        if chosen:
            write_rows(chosen, path)
        else:
            path.unlink(missing_ok=True)


def _write_runtimes(rows: list[CorpusRow], runtimes: Mapping[str, float], task: Task, output: Path) -> None:
    """Seconds on this machine, kept apart from the rows because they differ from run to run."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    path = output / "runtimes.parquet"
    old = parquet.read_table(path).to_pylist() if path.exists() else []
    records = [record for record in old if record["task"] != task.name]
    records += [{"task": task.name, "hash": row.hash, "runtime_s": runtimes[row.hash]} for row in rows]
    schema = pa.schema([("task", pa.string()), ("hash", pa.string()), ("runtime_s", pa.float64())])
    parquet.write_table(pa.Table.from_pylist(records, schema=schema), path)


def _write_reference(task: str, objective: float | None, output: Path) -> None:
    path = output / "references.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    known[task] = objective
    path.write_text(json.dumps(known, indent=2, sort_keys=True) + "\n", encoding="utf-8")


__all__ = [
    "OUTPUT",
    "PAPER_COUNTS",
    "BuildParts",
    "ProgramEvaluator",
    "TaskReport",
    "TokenCounter",
    "build_corpus",
    "grammar_tokens",
    "split_families",
]
