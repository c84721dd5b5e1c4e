"""Run folders that somebody else made: what is in one, and the task and models that it only names.

Reading a run writes nothing and loads nothing. A task of a person's own is a Python file, which runs when it is loaded:
its path in a run is told and never followed.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ..constants import DEFAULT_MODEL, embedded_model
from ..errors import CallError
from ..models.vllm_names import VLLM
from ..opening.databases import checked_beside, private_copy
from ..opening.files import inside, is_number
from ..opening.text import one_line
from ..tasks import entry_point_names, get_task, task_names, zoo_names
from ..tasks.base import Task
from .candidates import Candidates
from .database import ROWS, Candidate, RunDatabase
from .settings import EARLIER, SearchSettings

DATABASE_NAME = "run.sqlite"
OBJECT = "object:"
"""What stands before the class of a part that was given as an object: nothing can load it again by its name."""

_NAMED = ("task", "method", "model")
_OPTIONAL_NAMES = ("encoder", "decoder", "surrogate", "task_digest")
_SETTINGS = {**SearchSettings().as_dict(), **EARLIER}
_COUNTS = ("distinct_programs", "tokens")
_TABLES = ("found", "reference", "corpus", "bound")
_TEXT = 4096
_HUB_NAME = re.compile(r"\w[\w.-]*(/\w[\w.-]*)?(@\w[\w./-]*)?")


@dataclass(frozen=True)
class StoredRun:
    """What a run folder holds.

    `identity` says how the run was made, its settings among it (those that its version did not know are as
    it went); `result` is the stored `SearchResult` as plain data, None for a run that is not finished. `locator` is
    where its task came from on the machine that made it: something to tell, not to open. More than `ROWS` candidates
    are read from a copy of the database, which is there as long as they are.
    """

    folder: Path
    identity: dict[str, Any]
    result: dict[str, Any] | None
    candidates: Sequence[Candidate]
    locator: str | None


def existing_run(folder: Path) -> Path:
    """The database of a run folder. Raises `CallError` if there is none, or a link that leaves the folder."""
    path = inside(folder, DATABASE_NAME)
    if not path.is_file():
        raise CallError(
            f"{folder} holds no run: expected a file {DATABASE_NAME} in it (lhs-hf search --output {folder})"
        )
    return path


def open_run(folder: Path | str) -> StoredRun:
    """Read a run folder. Raises `CallError` if it holds no run, a damaged one, or values that no run has."""
    run = _read(Path(folder))
    if not run.candidates or "task" not in run.identity:
        raise CallError(f"{folder} holds no run: nothing was stored in it yet")
    return run


def check_run(folder: Path) -> None:
    """Raise `CallError` for a run folder that can not be gone on with because it is damaged."""
    _read(folder)


def _read(folder: Path) -> StoredRun:
    path = existing_run(folder)
    with ExitStack() as stack:
        copy = stack.enter_context(private_copy(path, live=RunDatabase.is_open(path)))
        database = stack.enter_context(RunDatabase(copy, name=path))
        with checked_beside(partial(_check_rows, copy, path)):
            database.check_pages()
            identity, result, locator, candidates = _contents(database)
        if not isinstance(candidates, list):
            weakref.finalize(candidates, stack.pop_all().close)
    known = {} if identity is None else {**_SETTINGS, **checked_identity(identity, str(path))}
    checked = None if result is None else _checked_result(result, str(path))
    return StoredRun(folder, known, checked, candidates, one_line(locator) if isinstance(locator, str) else None)


def _check_rows(copy: Path, path: Path) -> None:
    """Raise `CallError` for a file that holds too many candidates to be read now, some of which no run has."""
    with RunDatabase(copy, name=path) as database:
        database.bound()
        if next(database.select("COUNT(*)"))[0] > ROWS:
            database.check_candidates()


def _contents(database: RunDatabase) -> tuple[Any, Any, Any, Sequence[Candidate]]:
    """Identity, result, locator of the task, and the candidates; too many of them stay in the database, unchecked."""
    known = [database.get(key) for key in ("identity", "result", "task_locator")]
    if next(database.select("COUNT(*)"))[0] <= ROWS:
        return known[0], known[1], known[2], database.candidates()
    database.bound()
    database.sum_up()
    return known[0], known[1], known[2], Candidates(database)


def checked_identity(identity: object, name: str) -> dict[str, Any]:
    """How a run was made. Raises `CallError` unless its values have the types of those that a search stores."""
    if not isinstance(identity, dict):
        raise CallError(f"{name}: identity holds a {type(identity).__name__}, expected an object")
    for key in (*_NAMED, *_OPTIONAL_NAMES):
        value = identity.get(key)
        absent = value is None and key in _OPTIONAL_NAMES
        if not absent and (not isinstance(value, str) or not 0 < len(value) <= _TEXT):
            raise CallError(f"{name}: {key} of identity is {one_line(value, 60)!r}, expected a name")
    for key, default in _SETTINGS.items():
        if key in identity and not _like(identity[key], default):
            raise CallError(
                f"{name}: {key} of identity is {one_line(identity[key], 60)!r}, expected a {type(default).__name__}"
            )
    return identity


def _like(value: object, default: object) -> bool:
    """Whether a setting has the type of its default; numbers that may be None are floats."""
    if isinstance(default, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(default, bool)
    if default is None or isinstance(default, float):
        return value is None or is_number(value)
    if isinstance(default, int):
        return isinstance(value, int) and abs(value) <= 2**63
    return isinstance(value, str) and len(value) <= _TEXT


def _checked_result(result: object, name: str) -> dict[str, Any]:
    """A stored result as far as it is read again. Raises `CallError` for another type in it."""
    if not isinstance(result, dict):
        raise CallError(f"{name}: result holds a {type(result).__name__}, expected an object")
    for key in _COUNTS:
        if not isinstance(result.get(key), int):
            raise CallError(f"{name}: {key} of result is {one_line(result.get(key), 60)!r}, expected a number")
    if not isinstance(result.get("program"), str):
        raise CallError(f"{name}: program of result is {one_line(result.get('program'), 60)!r}, expected a text")
    for key in _TABLES:
        table = result.get(key)
        if not isinstance(table, dict) or not all(value is None or is_number(value) for value in table.values()):
            raise CallError(f"{name}: {key} of result is {one_line(table, 60)!r}, expected an objective by split")
    return result


def run_task(run: StoredRun, given: Task | str | Path | None = None) -> Task:
    """The task of a run: the one that the person gives, else the built-in or installed one of that name.

    A file that only the run names is never loaded. Raises `CallError` if the run is of another task, or its file had
    another content when the run was made.
    """
    name, stored = str(run.identity["task"]), run.identity.get("task_digest") or ""
    if given is None:
        known = (*(() if stored else task_names()), *zoo_names(), *entry_point_names())
        if name not in known:
            digest = f" (digest {one_line(stored, 80)})" if stored else ""
            came = f"; it was made with {run.locator}" if run.locator else ""
            raise CallError(
                f"{run.folder} is a run of a task of one's own, {one_line(name, 80)!r}{digest}: give its file with "
                f"--task FILE{came}"
            )
        given = name
    task = given if isinstance(given, Task) else get_task(str(given))
    if task.name != name:
        raise CallError(f"{run.folder} is a run of task {one_line(name, 80)!r}, not of {task.name!r}")
    if task.digest != stored:
        raise CallError(
            f"{run.folder} was made with another task {task.name}: the digest was {one_line(stored, 80) or 'none'}, "
            f"now it is {task.digest or 'none'}"
        )
    return task


def run_model(run: StoredRun, part: str, given: str | None = None) -> str | None:
    """The name of the model of a run, or of its `decoder`: what the person gives, else what the run names.

    A run may name the model that ships, or a repository of the Hub. Raises `CallError` for any other name, which would
    be a folder: only the person can say that one is meant.
    """
    stored = run.identity.get(part)
    if given is not None or stored is None:
        return given
    name = str(stored).removeprefix(VLLM)
    if name.startswith(OBJECT):
        raise CallError(
            f"{run.folder} was made with a {part} that was given as an object ({one_line(name[len(OBJECT) :], 60)}); "
            f"name the folder it lies in with --{part}"
        )
    if part == "model" and Path(name) == embedded_model():
        return DEFAULT_MODEL
    short = name in (DEFAULT_MODEL, DEFAULT_MODEL.rpartition("/")[2])
    if Path(name).exists() or not (short or _HUB_NAME.fullmatch(name)):
        raise CallError(
            f"{run.folder} names the folder {one_line(name)!r} as its {part}; if that is the one to load, say so with "
            f"--{part} {one_line(name)}"
        )
    return name
