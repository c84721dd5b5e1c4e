"""Contenders that search little or not at all: the reference, the best of the corpus, other numbers, given programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from .. import programs
from ..corpus.dataset import load_corpus
from ..errors import CallError
from ..evaluation.racing import Ledger, TrainingInstances, Trials, finalists
from ..methods.hill_climbing import corpus_starts
from ..program_files import read_program
from ..search.edits import Behaviours, live_literals, tune
from .contender import Chosen, Contender, Work

_CONTENDERS, _TUNED_ON = 20, 3


def reference(work: Work) -> Chosen:
    """The program that the task comes with."""
    return Chosen(work.task.template, 0)


def best_in_corpus(work: Work) -> Chosen:
    """The best of the training programs that are best on `search`, chosen on 200 fresh instances."""
    try:
        rows = sorted(load_corpus(work.task.name, "train"), key=lambda row: (-row.score, row.hash))
    except FileNotFoundError:
        raise CallError(f"there is no corpus of {work.task.name}") from None
    ledger = Ledger()
    trials = Trials(work.evaluator, TrainingInstances(work.task, work.cell.seed), ledger)
    best = finalists(trials, [row.program for row in rows[:_CONTENDERS]])[0].source
    return Chosen(best, ledger.runs, incumbents=((ledger.runs, 0, best),))


def tuned(work: Work) -> Chosen:
    """The starting program with other numbers: CMA-ES on the live ones, all on the same fresh instances."""
    if work.limits.unit == "seconds":
        raise CallError("tuned counts evaluations, not seconds; leave it out, or compare with --equal evaluations")
    source = corpus_starts(work.task)[0].source if work.init == "corpus" else work.task.template
    numbers = live_literals(source, Behaviours(work.evaluator, practice=False))
    if not numbers:
        return Chosen(source, 0, incumbents=((0, 0, source),))
    trials = Trials(work.evaluator, TrainingInstances(work.task, work.cell.seed), Ledger())
    block = trials.instances.block(_TUNED_ON)

    def scores(texts: Sequence[str]) -> list[float | None]:
        work.clock.tick()
        contenders = [trials.contender(text) for text in texts]
        trials.measure(contenders, block)
        solved = [trials.objectives(each, [block]).get(block.name) for each in contenders]
        return [None if values is None else work.task.alpha * float(np.mean(values)) for values in solved]

    most = work.limits.programs * work.cost // block.size
    best = tune(source, numbers, scores, most, np.random.default_rng(work.cell.seed))
    runs = trials.ledger.runs
    return Chosen(best.source, runs, incumbents=((0, 0, source), (runs, 0, best.source)))


def given(folder: Path) -> Contender:
    """Programs that a person has: a folder with one file a task, `TASK.py`. Raises `CallError` for no folder."""
    if not folder.is_dir():
        raise CallError(f"there is no folder {folder}; expected one with programs named after their task (TASK.py)")

    def run(work: Work) -> Chosen:
        source = read_program(program_of(folder, work.task.name))
        programs.check_signature(programs.parse(source), work.task.function_name, len(work.task.arguments))
        return Chosen(source, 0)

    return Contender(folder.resolve().name, run, f"the programs in {folder.name}/", seeded=False, begins=False)


def program_of(folder: Path, task: str) -> Path:
    """Where a folder of programs has that of a task."""
    return folder / f"{task}.py"


CONTROLS = (
    Contender("reference", reference, "the program that the task comes with", seeded=False, begins=False),
    Contender("corpus", best_in_corpus, "the best of the corpus, chosen on 200 fresh instances", begins=False),
    Contender("tuned", tuned, "the starting program with other numbers, by CMA-ES"),
)
