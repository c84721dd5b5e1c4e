"""A search as a person asks for it: a run folder, the starting programs, the loop, the final comparison."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from ..corpus.dataset import load_corpus
from ..errors import CallError, unknown
from ..evaluation import Evaluator
from ..evaluation.cache import EvaluationCache
from ..opening.files import inside
from ..opening.folders import write_text
from ..opening.text import one_line
from ..tasks.base import Task
from . import private_holdout
from .components import Components, load_components
from .database import SCREENED, RunDatabase
from .loop import LatentSearch, Listener, StepListener
from .result import SearchResult, best_candidate, incumbent_history, passed_over
from .settings import SearchSettings

DATABASE_NAME = "run.sqlite"
METHODS = ("lhs",)


def default_workers() -> int:
    """Evaluation workers: one a core this process may use, at most 8."""
    affinity = getattr(os, "sched_getaffinity", None)
    cores = len(affinity(0)) if affinity is not None else os.cpu_count() or 1
    return max(1, min(8, cores))


def choose_output(task: Task, settings: SearchSettings, output: Path | None, resume: bool) -> Path:
    """The run folder: the one named, the newest unfinished look-alike to resume, else a new one under `runs/`."""
    if output is not None:
        database = output / DATABASE_NAME
        if output.exists() and not output.is_dir():
            raise CallError(f"{output} is a file, expected a folder for the run")
        if resume and not database.exists():
            raise CallError(f"{output} holds no run to resume ({DATABASE_NAME} is missing)")
        if database.exists() and not resume:
            raise CallError(f"{output} already holds a run; pass --resume to go on with it, or another --output")
        return output
    base = Path("runs") / f"{task.name}-{settings.optimizer}-seed{settings.seed}"
    existing = [path for path in sorted(base.parent.glob(f"{base.name}*")) if (path / DATABASE_NAME).exists()]
    existing = [path for path in existing if path.name[len(base.name) :].lstrip("-").isdigit() or path == base]
    existing.sort(key=lambda path: int(path.name[len(base.name) :].lstrip("-") or 1))
    if resume:
        if not existing:
            raise CallError(f"no run to resume: there is no {base}/{DATABASE_NAME}")
        return existing[-1]
    return base if not existing else base.with_name(f"{base.name}-{len(existing) + 1}")


def existing_run(folder: Path) -> Path:
    """The database of a run folder. Raises `CallError` if there is none, or a link that leaves the folder."""
    path = inside(folder, DATABASE_NAME)
    if not path.is_file():
        raise CallError(
            f"{folder} holds no run: expected a file {DATABASE_NAME} in it (lhs-hf search --output {folder})"
        )
    return path


def starting_programs(task: Task, settings: SearchSettings) -> list[tuple[str, str]]:
    """(role, source) of the programs a search starts from: the reference, and with `init="corpus"` the best rows.

    The best training programs of the corpus are taken, one for each objective; its test families stay unseen.
    """
    starts = [("reference", task.template)]
    if settings.init == "corpus":
        try:
            rows = [row for row in load_corpus(task.name) if row.split != "test"]
        except FileNotFoundError as problem:
            raise CallError(f"{problem}; or use --init reference") from None
        rows.sort(key=lambda row: (-row.score, row.hash))
        seen: set[float] = set()
        for row in rows:
            if row.objective not in seen and len(seen) < settings.pool:
                seen.add(row.objective)
                starts.append(("corpus", row.program))
    return starts


def _check_resumed(database: RunDatabase, identity: dict[str, Any], output: Path) -> None:
    stored = database.get("identity")
    if stored is None:
        database.set("identity", identity)
        return
    if not isinstance(stored, dict):
        raise CallError(f"{output} does not say how its run was made; expected an object, got {type(stored).__name__}")
    # A run of a version without some setting ran with its default.
    defaults = SearchSettings().as_dict()
    for key, value in identity.items():
        if stored.get(key, defaults.get(key)) != value and key != "budget":
            made_with = one_line(repr(stored.get(key)))
            raise CallError(f"{output} was made with {key}={made_with}, not {value!r}; resume it with the same")
    database.set("identity", identity)


def compare_on_splits(
    task: Task,
    evaluator: Evaluator,
    programs: dict[str, str | None],
    known: Mapping[str, float | None],
    stop: Callable[[], bool] | None = None,
) -> dict[str, dict[str, float | None]]:
    """Objective of each named program on every split, `search` first; None where it fails or is not given.

    `known`: objectives on `search` that the search has measured, by program text. Once `stop` says yes, what is not
    measured yet is left out of the table.
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
            table[name][split] = known[source] if measured else evaluator.evaluate(source, split).objective
    return table


def run_search(
    task: Task,
    settings: SearchSettings,
    *,
    model: Any = "lhs-tiny",
    encoder: Any = None,
    decoder: Any = None,
    surrogate: Any = None,
    device: str = "cpu",
    method: str = "lhs",
    output: Path | None = None,
    resume: bool = False,
    listener: Listener | None = None,
    components: Components | None = None,
    workers: int | None = None,
    cache: EvaluationCache | None = None,
    store: bool = True,
    on_step: StepListener | None = None,
    stop: Callable[[], bool] | None = None,
    private_seed: int | str | None = None,
) -> SearchResult:
    """Search for a better program for `task` and compare what was found on every split.

    Args:
        model: name of a composite model, or an `LHSModel`.
        encoder, decoder: names or objects that replace the model's own.
        surrogate: name, folder or object that replaces the model's surrogate of this task.
        device: where the model's parts run; with `components` they are where they are.
        output: run folder; None chooses one under `runs/`. With `store=False` nothing is written.
        resume: go on with the run in `output`.
        listener: called with every evaluated candidate.
        on_step: called with the points of a round before they are decoded (see `LatentSearch`).
        stop: asked before every round and every further split of the comparison; yes ends the search with what it has.
        private_seed: of the private holdout (`search.private_holdout`), to check a program on one used before: a number
            of at most 128 bits, or its text. None draws one that nobody knows; `resume` uses the one of the run.

    Raises `CallError` for a wrong call; an interrupted run keeps every finished candidate and can be resumed.
    """
    if method not in METHODS:
        raise unknown("method", method, METHODS)
    started = time.monotonic()
    wanted_seed = private_holdout.chosen_seed(task, private_seed)
    folder = choose_output(task, settings, output, resume) if store else None
    if components is None:
        components = load_components(
            model, task, settings.space, encoder=encoder, decoder=decoder, surrogate=surrogate, device=device
        )
    starts = starting_programs(task, settings)
    best_row = best_corpus_row(task)
    if folder is not None:
        if resume:
            from ..opening.runs import check_run  # it knows `existing_run`

            check_run(folder, len(components.scale))
        folder.mkdir(parents=True, exist_ok=True)
    path = folder / DATABASE_NAME if folder is not None else ":memory:"
    identity = {
        "task": task.name,
        **({"task_digest": task.digest} if task.digest else {}),
        **({"surrogate": str(surrogate)} if isinstance(surrogate, (str, Path)) else {}),
        "method": method,
        "model": model if isinstance(model, str) else str(model.config._name_or_path),
        "encoder": encoder if isinstance(encoder, str) else None,
        "decoder": decoder if isinstance(decoder, str) else None,
        **settings.as_dict(),
    }
    with RunDatabase(path) as database, Evaluator(task, workers=workers or default_workers(), cache=cache) as evaluator:
        if folder is not None:
            _check_resumed(database, identity, folder)
            database.set("task_locator", task.locator)
        # No part of the identity: the programs that are found do not depend on it.
        secret = private_holdout.seed_of_run(task, database, wanted_seed)
        candidates = LatentSearch(components, evaluator, database, settings, starts, listener, on_step, stop).run()
        best = best_candidate(candidates)
        if best is None:
            raise RuntimeError(f"no valid program for {task.name}: even the reference fails ({candidates[0].message})")
        table = compare_on_splits(
            task,
            evaluator,
            {
                "found": best.program,
                "reference": task.template,
                "corpus": best_row.program if best_row is not None else None,
            },
            {candidate.program: candidate.objective for candidate in candidates if candidate.ok},
            stop,
        )
        on_search = (best.objectives, candidates[0].objectives)
        row = best_row.program if best_row is not None else None
        checked = private_holdout.check(task, evaluator, secret, best.program, on_search, row, stop)
        made = [candidate for candidate in candidates if candidate.decoded]
        result = SearchResult(
            task=task.name,
            sense=task.sense,
            program=best.program,
            objective=float(best.objective or 0.0),
            score=float(best.score or 0.0),
            reference_objective=float(candidates[0].objective or 0.0),
            best_in_corpus=best_row.objective if best_row is not None else None,
            candidates=len(made),
            valid=sum(candidate.ok for candidate in made),
            decoder_calls=len(made),
            tokens=sum(candidate.tokens for candidate in made),
            distinct_programs=len({candidate.program_hash for candidate in made if candidate.ok}),
            screened=sum(candidate.status == SCREENED for candidate in made),
            passed_over=passed_over(made),
            found=table["found"],
            reference=table["reference"],
            corpus=table["corpus"],
            private_holdout=checked.as_dict() if checked is not None else None,
            bound=dict(task.bounds),
            bound_kind=task.bound_kind,
            history=incumbent_history(task, candidates),
            output=str(folder) if folder is not None else None,
            settings=settings.as_dict(),
            runtime_s=time.monotonic() - started,
        )
        database.set("result", result.as_dict())
        if folder is not None:
            write_text(folder / "best.py", result.program)
    return result


def best_corpus_row(task: Task) -> Any:
    """The corpus row with the best score on `search`, all splits of families together; None without a corpus."""
    try:
        rows = load_corpus(task.name)
    except FileNotFoundError:
        return None
    return max(rows, key=lambda row: (row.score, row.hash), default=None)
