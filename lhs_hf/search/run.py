"""A run: the folder, the lock and the database of one search, and what it was asked to do."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import TracebackType
from typing import Any

from .. import __version__
from .._moved import moved
from ..errors import CallError, unknown
from ..locks import FolderLock, FolderTaken
from ..opening.folders import write_text
from ..opening.text import one_line
from ..tasks.base import Task
from .database import RunDatabase
from .settings import EARLIER, SearchSettings
from .stored import DATABASE_NAME, OBJECT, check_run, existing_run, open_run  # noqa: F401  (`existing_run`: its old place)

METHODS = ("lhs",)
RUNS = Path("runs")
SETTINGS_NAME = "settings.json"
"""The settings of a run, beside its database: for people, and for `lhs-hf search --config`. Nothing here reads it."""

_ELAPSED = "elapsed_s"
_ELAPSED_EVERY_S = 2.0


@dataclass(frozen=True)
class RunIdentity:
    """What a search was asked to do: what must agree when it is resumed.

    `encoder`, `decoder` and `surrogate` name the parts that replaced the model's own, None where none did.
    """

    task: Task
    settings: SearchSettings
    model: str
    method: str = "lhs"
    encoder: str | None = None
    decoder: str | None = None
    surrogate: str | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise unknown("method", self.method, METHODS)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON, as run databases hold it."""
        return {
            "task": self.task.name,
            **({"task_digest": self.task.digest} if self.task.digest else {}),
            **({"surrogate": self.surrogate} if self.surrogate else {}),
            "method": self.method,
            "model": self.model,
            "encoder": self.encoder,
            "decoder": self.decoder,
            **self.settings.as_dict(),
        }

    def as_config(self) -> dict[str, Any]:
        """What `lhs-hf search --config` takes; parts that were given as objects are left out."""
        parts = {"encoder": self.encoder, "decoder": self.decoder, "surrogate": self.surrogate}
        named = {name: part for name, part in parts.items() if part and not part.startswith(OBJECT)}
        made = {"task": self.task.locator, "method": self.method, "model": self.model}
        return {**made, **named, **self.settings.as_dict()}


def part_identity(part: Any) -> str | None:
    """What a run remembers a replaced part by: its name, or the class of an object; None for no replacement."""
    if part is None or isinstance(part, str):
        return part
    return str(part) if isinstance(part, Path) else f"{OBJECT}{type(part).__name__}"


MAY_CHANGE = ("budget", "time_limit")
"""Settings that a run may be given anew when it goes on."""


class Run:
    """One search's folder. A context manager: while it is open no other search works in it.

    `database` holds the candidates and everything said about the run; `elapsed_s` counts the seconds of all its parts.
    A run that ends before it has a candidate leaves no trace. Made by `create` and `resume`.
    """

    def __init__(self, identity: RunIdentity, folder: Path | None, *, fresh: bool) -> None:
        self.identity, self.folder = identity, folder
        self._fresh = fresh
        self._made_folder = False
        self._lock: FolderLock | None = None
        self.database: RunDatabase

    @classmethod
    def create(cls, identity: RunIdentity, folder: Path | None) -> Run:
        """A new run in a folder that is empty or does not exist; None keeps everything in memory."""
        return cls(identity, folder, fresh=True)

    @classmethod
    def resume(cls, identity: RunIdentity, folder: Path) -> Run:
        """A run that goes on. Its identity must be the stored one; the budget may be larger."""
        return cls(identity, folder, fresh=False)

    def __enter__(self) -> Run:
        """Lock the folder and open the database.

        Raises `CallError` for a folder that can not be had: of another search at work, of another run, of other files.
        """
        if self.folder is None:
            self.database = RunDatabase(":memory:")
        else:
            self._open_folder(self.folder)
        self._started = time.monotonic()
        self._before = self._stored_seconds()
        self._written = self._started
        return self

    def _open_folder(self, folder: Path) -> None:
        self._made_folder = not folder.exists()
        try:
            if self._fresh:
                check_new(folder)
                folder.mkdir(parents=True, exist_ok=True)
            else:
                check_run(folder)
            try:
                self._lock = FolderLock(folder)
            except FolderTaken as taken:
                raise CallError(
                    f"another search is at work in {folder}; wait for it, or choose another --output"
                ) from taken
            self.database = RunDatabase(folder / DATABASE_NAME)
            try:
                self._check_identity(folder)
                self.database.set("task_locator", self.identity.task.locator)
                write_text(folder / SETTINGS_NAME, json.dumps(self.identity.as_config(), indent=2) + "\n")
            except BaseException:
                self.database.close()
                raise
        except OSError as error:
            raise CallError(f"{folder} can not be used: {error.strerror or error}; choose another --output") from None
        except BaseException:
            self._unlock()
            raise

    def _check_identity(self, folder: Path) -> None:
        identity = self.identity.as_dict()
        stored = self.database.get("identity")
        if stored is not None:
            _agree(folder, stored, {key: value for key, value in identity.items() if key not in MAY_CHANGE})
            _not_less(folder, stored, self.identity.settings.budget)
        self.database.set("identity", identity)
        if self.database.get("version") is None:
            self.database.set("version", __version__)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        empty = self._fresh and self.folder is not None and next(iter(self.database), None) is None
        if not empty:
            self._store_seconds()
        self.database.close()
        if empty and self.folder is not None:
            for name in (*(f"{DATABASE_NAME}{end}" for end in ("", "-wal", "-shm")), SETTINGS_NAME):
                (self.folder / name).unlink(missing_ok=True)
            if self._made_folder:
                with suppress(OSError):  # somebody put a file into it
                    self.folder.rmdir()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    @property
    def elapsed_s(self) -> float:
        """Seconds that this search has taken, those before it was resumed included."""
        return self._before + time.monotonic() - self._started

    def tick(self) -> None:
        """Store the time now and then, so that a killed search keeps it."""
        if time.monotonic() - self._written > _ELAPSED_EVERY_S:
            self._store_seconds()

    def _store_seconds(self) -> None:
        self._written = time.monotonic()
        self.database.set(_ELAPSED, self.elapsed_s)

    def _stored_seconds(self) -> float:
        stored = self.database.get(_ELAPSED)
        return float(stored) if isinstance(stored, (int, float)) and stored >= 0 else 0.0


# -- where a run lies


def check_new(folder: Path) -> None:
    """Raise `CallError` unless a new run can begin in a folder: it does not exist, or is empty."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise CallError(f"{folder} is a file, expected a folder for the run")
    if (folder / DATABASE_NAME).exists():
        raise CallError(f"{folder} already holds a run; pass --resume to go on with it, or another --output")
    names = sorted(path.name for path in folder.iterdir())
    if names:
        shown = ", ".join(one_line(name, 40) for name in names[:3]) + (", ..." if len(names) > 3 else "")
        raise CallError(f"{folder} holds other files ({shown}); expected a new or an empty folder for the run")


def choose_output(task: Task, settings: SearchSettings, output: Path | None, resume: bool) -> Path:
    """The run folder: the one named; else the newest unfinished one of its name to resume, or a new one in `runs/`.

    Raises `CallError` for a folder that can not be used so.
    """
    if output is not None:
        if not resume:
            check_new(output)
        elif output.exists() and not output.is_dir():
            raise CallError(f"{output} is a file, expected the folder of a run")
        elif not (output / DATABASE_NAME).exists():
            raise CallError(f"{output} holds no run to resume ({DATABASE_NAME} is missing)")
        return output
    kind = settings.proposals if settings.raced else settings.optimizer
    base = RUNS / f"{task.name}-{kind}-seed{settings.seed}"
    numbered = _numbered(base)
    if not resume:
        # Never the number of a run that was deleted while a later one is there.
        return base if not numbered else base.with_name(f"{base.name}-{max(numbered) + 1}")
    existing = [path for _, path in sorted(numbered.items()) if (path / DATABASE_NAME).exists()]
    if not existing:
        raise CallError(f"no run to resume: there is no {base}/{DATABASE_NAME}")
    unfinished = [path for path in existing if not _finished(path)]
    return (unfinished or existing)[-1]


def _numbered(base: Path) -> dict[int, Path]:
    """The folders called `base` (number 1), `base`-2, `base`-3, ..."""
    numbered = {}
    for path in base.parent.glob(f"{base.name}*"):
        match = re.fullmatch(re.escape(base.name) + r"(?:-(\d+))?", path.name)
        if match:
            numbered[int(match[1] or 1)] = path
    return numbered


def _finished(folder: Path) -> bool:
    try:
        return open_run(folder).result is not None
    except CallError:
        return False


# -- what a run was asked to do


def resumed_settings(folder: Path, given: Mapping[str, Any]) -> SearchSettings:
    """The settings of the run in a folder, to go on with it.

    `given` are those that were said again: they must agree, but for a larger `budget` and another `time_limit`, which
    are the new ones. Raises `CallError` otherwise, and for a folder without a run.
    """
    identity = open_run(folder).identity
    names = [field.name for field in fields(SearchSettings)]
    for name in given:
        if name not in names:
            raise unknown("search setting", name, sorted(names))
    stored = SearchSettings(**{name: identity[name] for name in names})
    _agree(folder, identity, {name: value for name, value in given.items() if name not in MAY_CHANGE})
    changes = {name: given[name] for name in MAY_CHANGE if name in given}
    _not_less(folder, identity, changes.get("budget", stored.budget))
    return replace(stored, **changes)


def _agree(folder: Path, stored: Any, identity: Mapping[str, Any]) -> None:
    if not isinstance(stored, dict):
        raise CallError(f"{folder} does not say how its run was made; expected an object, got {type(stored).__name__}")
    # A run of a version without some setting ran with what it is by default, or as all runs did then.
    defaults = {**SearchSettings().as_dict(), **EARLIER}
    for key, value in identity.items():
        if stored.get(key, defaults.get(key)) != value:
            made_with = one_line(repr(stored.get(key, defaults.get(key))))
            raise CallError(f"{folder} was made with {key}={made_with}, not {value!r}; resume it with the same")


def _not_less(folder: Path, stored: Mapping[str, Any], budget: int) -> None:
    before = stored.get("budget", SearchSettings().budget)
    if not isinstance(before, int) or budget < before:
        raise CallError(
            f"{folder} has a budget of {one_line(str(before), 40)}; it can be raised, not lowered to {budget}"
        )


__getattr__ = moved(__name__, "lhs_hf.search.search")  # `run_search` was here
