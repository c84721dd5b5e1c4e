"""A search as a person asks for it: the parts, the run, Algorithm 1, the final comparison."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

from ..corpus.novelty import Novelty, Reference, novelty
from ..errors import CallError
from ..evaluation import Evaluation, Evaluator
from ..evaluation.cache import EvaluationCache
from ..evaluation.workers import checked_workers
from ..opening.folders import write_text
from ..reporting.conclusion import conclusion
from ..store import MEMORY
from ..tasks.base import Task
from ..trackers import check_tracker
from . import private_holdout
from .candidates import Candidates, beyond_memory
from .comparison import Table, compare_on_splits, corpus_gain, objectives, runtimes
from .components import Components
from .database import Candidate
from .islands.archive import ARCHIVE_NAME, Archive
from .islands.executors import ExecutorFactory
from .islands.messages import Setup
from .islands.search import IslandSearch
from .loop import LatentSearch
from .options import SearchOptions
from .outcome import Outcome, no_program
from .portfolio import PortfolioSearch
from .progress import SearchProgress
from .result import SearchResult, best_candidate, counts, incumbent_history
from .run import Run
from .settings import SearchSettings
from .starts import best_corpus_row, portfolio_starts, starting_programs, stored_starts
from .threads import few_threads
from .tracking import SearchTracker
from .values import OWN
from .watcher import Watcher


def search(
    components: Components,
    run: Run,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    cache: EvaluationCache | None = None,
    watcher: Watcher | None = None,
    private_seed: int | None = None,
) -> SearchResult:
    """Algorithm 1 in an open run, and the comparison of what it found on every split.

    `workers` and `cluster` as for `Evaluator`. `private_seed` as `private_holdout.chosen_seed` gives it. Raises
    `CallError` if the run holds points of another model, `RuntimeError` if even the reference program fails.
    """
    _check_width(run, len(components.scale))

    def loop(evaluator: Evaluator, watched: Watcher) -> Outcome:
        with few_threads(getattr(components.decoder, "model", None)):
            return _loop(components, evaluator, run, watched)

    return _searched(loop, run, workers, cluster, cache, watcher or Watcher(), private_seed)


def search_on_islands(
    executor: ExecutorFactory,
    setup: Setup,
    run: Run,
    *,
    workers: int | None = None,
    cluster: str | None = None,
    cache: EvaluationCache | None = None,
    watcher: Watcher | None = None,
    private_seed: int | None = None,
) -> SearchResult:
    """Islands in an open run, and the comparison of what they found on every split.

    `executor` makes what runs the islands that `setup` describes; the rest as `search` has it.
    """

    def loop(evaluator: Evaluator, watched: Watcher) -> Outcome:
        place = MEMORY if run.folder is None else run.folder / ARCHIVE_NAME
        with executor(setup) as islands, Archive(place) as archive:
            return IslandSearch(
                setup,
                islands,
                evaluator,
                run.database,
                archive,
                watched.listener,
                watched.stop,
                lambda: _seconds_left(run),
            ).run()

    return _searched(loop, run, workers, cluster, cache, watcher or Watcher(), private_seed)


def _searched(
    loop: Callable[[Evaluator, Watcher], Outcome],
    run: Run,
    workers: int | None,
    cluster: str | None,
    cache: EvaluationCache | None,
    watcher: Watcher,
    private_seed: int | None,
) -> SearchResult:
    task = run.identity.task
    best_row = best_corpus_row(task)
    row = best_row.program if best_row is not None else None

    def listen(candidate: Candidate) -> None:
        run.tick()
        if watcher.listener is not None:
            watcher.listener(candidate)

    with Evaluator(task, workers=checked_workers(workers, cluster), cache=cache, cluster=cluster) as evaluator:
        # No part of the identity: the programs that are found do not depend on it.
        secret = private_holdout.seed_of_run(task, run.database, private_seed)
        outcome = loop(evaluator, replace(watcher, listener=listen))
        best = outcome.best
        # The comparison may take longer than the search: whoever interrupts it has the program.
        if run.folder is not None:
            write_text(run.folder / "best.py", task.restored(best.program))
        on_search, known = _on_search(evaluator, outcome, (best.program, task.template, row))
        decided, given = evaluator.probe(best.program), best.role == OWN
        kind = novelty(task, Reference.of_task(task), best.program, decided, on_search[0] or (), given)
        if watcher.on_stage is not None:
            watcher.on_stage("private holdout")
        checked = private_holdout.check(task, evaluator, secret, best.program, on_search, row, watcher.stop)
        # Last, since it may be interrupted: large splits take longest.
        table = compare_on_splits(
            task,
            evaluator,
            {"found": best.program, "reference": task.template, "corpus": row},
            known,
            watcher.stop,
            watcher.on_stage,
            watcher.on_split,
        )
    result = _result(run, outcome, known, table, checked, best_row, kind)
    # The history of a long search is no value for a database, and follows from the candidates.
    history = [] if beyond_memory(outcome.candidates) else result.history
    run.database.set("result", {**result.as_dict(), "history": history})
    return result


def _loop(components: Components, evaluator: Evaluator, run: Run, watcher: Watcher) -> Outcome:
    """Run the loop that the settings ask for. Raises `RuntimeError` if even the reference program fails."""
    task, settings, database = run.identity.task, run.identity.settings, run.database
    stop = watcher.stop or (lambda: False)

    def seconds_left() -> float:
        return _seconds_left(run)

    if settings.raced:
        starts = stored_starts(database.read("WHERE round = 0 ORDER BY id")) or portfolio_starts(task, settings.init)
        portfolio = PortfolioSearch(
            components, evaluator, database, settings, starts, watcher.listener, stop, seconds_left
        )
        portfolio.steps.listener = watcher.on_progress
        return portfolio.run()
    latents = LatentSearch(
        components,
        evaluator,
        database,
        settings,
        starting_programs(task, settings),
        watcher.listener,
        watcher.on_step,
        lambda: stop() or seconds_left() <= 0,
    )
    latents.steps.listener = watcher.on_progress
    candidates = latents.run()
    best = best_candidate(candidates)
    if best is None:
        raise no_program(task, candidates[0])
    return Outcome(candidates, best)


def _seconds_left(run: Run) -> float:
    limit = run.identity.settings.time_limit
    return math.inf if limit is None else limit - run.elapsed_s


def _on_search(
    evaluator: Evaluator, outcome: Outcome, compared: tuple[str | None, ...]
) -> tuple[tuple[tuple[float, ...] | None, tuple[float, ...] | None], dict[str, Evaluation]]:
    """Objectives of the found program and the reference on `search`, one an instance; and what is known there.

    `compared`: the programs of which that is wanted.
    """
    if outcome.training is None:
        valid = (each for each in outcome.candidates if each.ok and each.program in compared)
        known = {candidate.program: _evaluation(candidate) for candidate in valid}
        return (outcome.best.objectives, outcome.candidates[0].objectives), known
    # The portfolio has not met the published instances: what follows is no part of its choice.
    found, reference = (
        evaluator.evaluate(program, "search") for program in (outcome.best.program, outcome.candidates[0].program)
    )
    known = {outcome.best.program: found, outcome.candidates[0].program: reference}
    return (found.objectives or None, reference.objectives or None), known


def _evaluation(candidate: Candidate) -> Evaluation:
    """What a search stored of an evaluation on `search`."""
    values = candidate.objectives or ()
    return Evaluation(candidate.status, candidate.objective, candidate.score, values, candidate.runtime_s or 0.0)


def run_search(task: Task, settings: SearchSettings, **options: Any) -> SearchResult:
    """Search for a better program for `task` and compare what was found on every split.

    `options` are those of `SearchOptions`. The run is made or resumed, its parts are loaded; `search` does the rest.

    Raises `CallError` for a wrong call, before anything is loaded where that can be known; an interrupted run keeps
    every finished candidate and can be resumed.
    """
    chosen = SearchOptions(**options)
    check_tracker(chosen.report_to)
    wanted_seed = private_holdout.chosen_seed(task, chosen.private_seed)
    workers = checked_workers(chosen.workers, chosen.cluster)
    identity = chosen.identity(task, settings)
    if not chosen.resume:
        starting_programs(task, settings)
    with chosen.run(identity) as run:
        known = Candidates(run.database) if chosen.resume else ()
        watcher = Watcher(**{each.name: getattr(chosen, each.name) for each in fields(Watcher)})
        with (
            SearchProgress(task, settings, known, chosen.progress) as bar,
            SearchTracker(chosen.report_to, run, known) as tracker,
        ):
            shown = Watcher(listener=bar.candidate, on_stage=bar.stage, on_progress=bar.progress)
            rest: dict[str, Any] = {
                "workers": workers,
                "cluster": chosen.cluster,
                "cache": chosen.cache,
                "watcher": watcher.beside(tracker.watcher).beside(shown),
                "private_seed": wanted_seed,
            }
            if settings.islands > 1:
                executor, setup = chosen.islands(run, workers)
                result = search_on_islands(executor, setup, run, **rest)
            else:
                result = search(chosen.parts(task, settings.space), run, **rest)
            bar.say(result.conclusion)
            return result


def _check_width(run: Run, width: int) -> None:
    for column in ("before", "after"):
        for (size,) in run.database.select(f"DISTINCT length({column}) / 4", f"WHERE {column} IS NOT NULL"):
            if size != width:
                raise CallError(f"{run.folder} holds points of size {size}; those of this model have {width}")


def _result(
    run: Run,
    outcome: Outcome,
    known: dict[str, Evaluation],
    table: Table,
    checked: private_holdout.PrivateHoldout | None,
    best_row: Any,
    kind: Novelty,
) -> SearchResult:
    task = run.identity.task
    objective = float(known[outcome.best.program].objective or 0.0)
    result = SearchResult(
        task=task.name,
        sense=task.sense,
        program=task.restored(outcome.best.program),
        objective=objective,
        score=task.alpha * objective,
        reference_objective=float(getattr(known.get(task.template), "objective", None) or 0.0),
        best_in_corpus=best_row.objective if best_row is not None else None,
        **counts(outcome.candidates),
        found=objectives(table, "found"),
        reference=objectives(table, "reference"),
        corpus=objectives(table, "corpus"),
        private_holdout=checked.as_dict() if checked is not None else None,
        bound=dict(task.bounds),
        bound_kind=task.bound_kind,
        training=outcome.training,
        history=incumbent_history(task, outcome.candidates),
        output=str(run.folder) if run.folder is not None else None,
        settings=run.identity.settings.as_dict(),
        runtime_s=run.elapsed_s,
        novelty=kind.as_dict(),
        runtime=runtimes(table),
        corpus_gain=corpus_gain(task, table),
    )
    return replace(result, conclusion=conclusion(task, result.as_dict()))
