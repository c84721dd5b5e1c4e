"""Cells of a comparison at work: each in one process, several processes side by side, none twice."""

from __future__ import annotations

import multiprocessing
import os
import shutil
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty
from typing import Any

from ..errors import CallError
from ..evaluation import Evaluator, Limits
from ..evaluation.cache import EvaluationCache
from ..evaluation.workers import checked_workers
from ..language import ModelError
from ..locks import FolderLock, FolderTaken
from ..opening.text import one_line
from ..tasks.base import Task
from .cell import Cell, CellResult
from .contender import Clock, Contender, Work
from .judging import PATIENCE, judged
from .language import LanguageSource
from .plan import Plan
from .store import DATABASE_NAME, Grid, GridDatabase, open_grid

RUNNING = "running"
"""Folder of what interrupted cells go on with."""

_LOOK_S = 0.5


@dataclass(frozen=True)
class Progress:
    """A cell that has ended: what came of it, or why nothing did; how many of all have results now."""

    cell: Cell
    result: CellResult | None
    problem: str
    done: int
    total: int


Listener = Callable[[Progress], None]


def compare(
    plan: Plan,
    output: Path | str,
    *,
    language: LanguageSource | None = None,
    processes: int = 1,
    workers: int | None = None,
    cluster: str | None = None,
    cached: bool = True,
    listener: Listener = lambda progress: None,
) -> Grid:
    """Run all cells of a plan that `output` does not have yet.

    A cell is stored when it ends. One that is interrupted goes on where it was when the same comparison is begun again;
    several calls, on machines that share the folder, may work on one grid.

    Args:
        plan: what is compared.
        output: folder of the grid, made if it does not exist.
        language: where language models come from; needed by methods that ask one.
        processes: how many cells are at work at once.
        workers: programs that a cell evaluates side by side; None shares the cores among the processes.
        cluster: the Ray cluster they run on, as for `Evaluator`; None runs them here.
        cached: results of evaluations are remembered between runs.
        listener: called in this process with every cell that ends.

    Raises `CallError` before anything is run for a plan that can not be carried out, or another grid in `output`.
    """
    folder = Path(output)
    plan.check()
    asking = [name for name, each in plan.contenders.items() if each.asks]
    if asking and language is None:
        raise CallError(f"{asking[0]} asks a language model: name one (--model)")
    if processes < 1:
        raise CallError(f"processes must be at least 1, got {processes}")
    if cluster == "local" and processes > 1:
        raise CallError("each process would start a cluster of its own; start one (ray start --head) and give auto")
    _check_folder(folder)
    if language is not None and asking:
        language.check()
    folder.mkdir(parents=True, exist_ok=True)
    name = language.name if language is not None and asking else ""
    order = {
        "methods": list(plan.contenders),
        "tasks": [task.name for task in plan.resolved_tasks],
        "unseeded": [name for name, each in plan.contenders.items() if not each.seeded],
    }
    with GridDatabase(folder / DATABASE_NAME) as database:
        database.begin(plan.identity(name), plan.digests(), order)
    share = checked_workers(workers, cluster)
    if workers is None:
        share = max(1, share // processes)
    # A fresh object: what was resolved here (functions among it) is resolved again by each process.
    worker = _Worker(replace(plan), folder, language, share, cluster, cached)
    if processes == 1:
        worker.run(listener)
    else:
        _side_by_side(worker, processes, listener)
    with suppress(OSError):  # cells that did not end are still in it
        (folder / RUNNING).rmdir()
    return open_grid(folder)


def _check_folder(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise CallError(f"{folder} is a file, expected a folder for the comparison")
    if folder.is_dir() and not (folder / DATABASE_NAME).exists() and any(folder.iterdir()):
        raise CallError(f"{folder} holds other files; expected a new or an empty folder, or one of a comparison")


@dataclass(frozen=True)
class _Worker:
    """Does the cells that nobody else is at."""

    plan: Plan
    folder: Path
    language: LanguageSource | None
    workers: int
    cluster: str | None
    cached: bool

    def run(self, listener: Listener, alive: Callable[[], bool] = lambda: True) -> None:
        """Every cell that has no result and is not at work elsewhere."""
        cells = list(self.plan.cells())
        with GridDatabase(self.folder / DATABASE_NAME) as database:
            for cell, contender, task in cells:
                if not alive():
                    return
                if database.has(cell):
                    continue
                place = self.folder / RUNNING / cell.name
                place.mkdir(parents=True, exist_ok=True)
                try:
                    lock = FolderLock(place)
                except (FolderTaken, FileNotFoundError):
                    continue
                try:
                    if database.has(cell):  # it ended while we came to it
                        continue
                    result, problem = self._one(database, cell, contender, task, place)
                    if result is not None:
                        shutil.rmtree(place, ignore_errors=True)
                finally:
                    lock.release()
                done = sum(database.has(each) for each, _, _ in cells)
                listener(Progress(cell, result, problem, done, len(cells)))

    def _one(
        self, database: GridDatabase, cell: Cell, contender: Contender, task: Task, place: Path
    ) -> tuple[CellResult | None, str]:
        clock = Clock(database.seconds(cell), lambda seconds: database.set_seconds(cell, seconds))
        language = self.language
        with (
            EvaluationCache() if self.cached else nullcontext() as cache,
            Evaluator(task, workers=self.workers, cache=cache, cluster=self.cluster) as evaluator,
        ):
            work = Work(
                cell,
                task,
                evaluator,
                place,
                self.plan.limits,
                self.plan.start_of(cell.method, task) if contender.begins else "reference",
                self.plan.latent_model,
                None if language is None else lambda: language.model(cell),
                clock,
            )
            try:
                chosen = contender.run(work)
            except (CallError, ModelError, RuntimeError) as problem:
                return None, one_line(problem, 500)
            seconds = clock.seconds
            database.set_seconds(cell, seconds)
        splits = self.plan.judged_on(task)
        with (
            EvaluationCache() as cache,
            Evaluator(
                task, workers=self.workers, limits=Limits(patience=PATIENCE), cache=cache, cluster=self.cluster
            ) as evaluator,
        ):
            result = judged(cell, task, evaluator, chosen, seconds, splits, self.plan.curves)
        database.add(result, chosen.transcript)
        return result, ""


def _side_by_side(worker: _Worker, processes: int, listener: Listener) -> None:
    context = multiprocessing.get_context("spawn")
    queue: Any = context.Queue()
    children = [context.Process(target=_child, args=(worker, queue)) for _ in range(processes)]
    for child in children:
        child.start()
    try:
        while any(child.is_alive() for child in children) or not queue.empty():
            with suppress(Empty):
                listener(queue.get(timeout=_LOOK_S))
    finally:
        for child in children:
            if child.is_alive():
                child.terminate()
            child.join()
    failed = [child.exitcode for child in children if child.exitcode]
    if failed:
        raise CallError(
            f"{len(failed)} of {processes} processes ended with status {failed[0]}; what they ended is kept"
        )


def _child(worker: _Worker, queue: Any) -> None:
    parent = os.getppid()
    with suppress(KeyboardInterrupt):
        worker.run(queue.put, alive=lambda: os.getppid() == parent)
