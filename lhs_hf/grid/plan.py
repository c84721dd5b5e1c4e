"""What a comparison is asked for: methods, tasks, seeds, what is equal; checked before anything runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..corpus.dataset import corpus_tasks
from ..errors import CallError, unknown
from ..tasks import get_task
from ..tasks.base import Task
from .cell import Cell
from .contender import Contender, Limits
from .contenders import contender
from .controls import given, program_of
from .settings import INITS, GridSettings

SPLIT = "holdout"
"""The split that methods are compared on: no method and no setting was chosen by it."""


@dataclass(frozen=True, kw_only=True)
class Plan(GridSettings):
    """A comparison.

    `methods` are names of `CONTENDERS`, paths of files that define a method, or entry points; `NAME@corpus` and
    `NAME@reference` say where one of them starts. `tasks` are names or paths of task files. `programs` are folders of
    programs to evaluate beside them, one file a task (`TASK.py`). `splits` are those that programs are judged on,
    besides `holdout`; none is all. All else is as in `GridSettings`.
    """

    methods: tuple[str, ...]
    tasks: tuple[str, ...]
    programs: tuple[str, ...] = ()
    splits: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, values in (("methods", (*self.methods, *self.programs)), ("tasks", self.tasks)):
            if not values:
                raise CallError(f"a comparison needs at least one of its {name}")
            for value in values:
                if values.count(value) > 1:
                    raise CallError(f"{value} stands twice among the {name}")

    @cached_property
    def contenders(self) -> dict[str, Contender]:
        """All that take part, by the name they have in the tables. Raises `CallError`."""
        chosen = {}
        for spelled in self.methods:
            name, _, start = spelled.partition("@")
            each = contender(name)
            if start and start not in INITS[1:]:
                raise unknown(f"start of {name}", start, INITS[1:])
            if start and not each.begins:
                raise CallError(f"{name} has a start of its own; leave out @{start}")
            chosen[f"{each.name}@{start}" if start else each.name] = each
        for folder in self.programs:
            each = given(Path(folder))
            if each.name in chosen:
                raise CallError(f"two methods are called {each.name}; rename the folder {folder}")
            missing = [task.name for task in self.resolved_tasks if not program_of(Path(folder), task.name).is_file()]
            if len(missing) == len(self.resolved_tasks):
                raise CallError(f"{folder} has no program of these tasks: expected, say, {missing[0]}.py in it")
            chosen[each.name] = each
        return chosen

    @cached_property
    def resolved_tasks(self) -> tuple[Task, ...]:
        """The tasks. Raises `UnknownTask`, and `CallError` for two of one name."""
        tasks = tuple(get_task(name) for name in self.tasks)
        for task in tasks:
            if sum(other.name == task.name for other in tasks) > 1:
                raise CallError(f"the task {task.name} stands twice among the tasks")
        return tasks

    def check(self) -> None:
        """Raise `CallError` for all that can be known to be wrong before the first cell."""
        tasks, contenders = self.resolved_tasks, self.contenders
        for split in self.splits:
            if not any(split in task.splits for task in tasks):
                raise unknown("split", split, dict.fromkeys(name for task in tasks for name in task.splits))
        for task in tasks:
            for name, each in contenders.items():
                wants = self.start_of(name, task) == "corpus" and each.begins
                if (wants or name == "corpus") and not _has_corpus(task):
                    raise CallError(f"there is no corpus of {task.name}, which {name} needs; use --init reference")

    def start_of(self, name: str, task: Task) -> str:
        """Where a method starts: "corpus" or "reference"."""
        _, _, start = name.partition("@")
        start = start or self.init
        return ("corpus" if _has_corpus(task) else "reference") if start == "auto" else start

    def judged_on(self, task: Task) -> list[str]:
        """The splits that programs of a task are evaluated on in the end."""
        return [name for name in task.splits if not self.splits or name in (*self.splits, SPLIT)]

    @property
    def limits(self) -> Limits:
        """What each method may spend."""
        calls = 2 * self.budget if self.calls is None else self.calls
        return Limits(self.equal, self.budget, calls, self.temperature, self.max_tokens)

    def cells(self) -> Iterator[tuple[Cell, Contender, Task]]:
        """All cells; the first seed of everything comes first, so that there is a whole table early."""
        for seed in range(self.seeds):
            for task in self.resolved_tasks:
                for name, each in self.contenders.items():
                    missing = name in self._folders and not program_of(self._folders[name], task.name).is_file()
                    if (each.seeded or seed == 0) and not missing:
                        yield Cell(name, task.name, seed), each, task

    @property
    def _folders(self) -> dict[str, Path]:
        return {Path(folder).resolve().name: Path(folder) for folder in self.programs}

    def identity(self, language_model: str = "") -> dict[str, Any]:
        """What must agree between all cells of a grid. Methods, tasks and seeds may be added later."""
        return {
            "budget": self.budget,
            "equal": self.equal,
            "init": self.init,
            "calls": self.limits.calls,
            "latent_model": self.latent_model,
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            **({"language_model": language_model} if language_model else {}),
        }

    def digests(self) -> dict[str, str]:
        """Of the files that tasks and methods come from: a grid does not mix two contents of one name."""
        files = {f"task {task.name}": task.digest for task in self.resolved_tasks}
        files |= {f"method {name}": each.digest for name, each in self.contenders.items()}
        return {name: digest for name, digest in files.items() if digest}


def _has_corpus(task: Task) -> bool:
    return not task.digest and task.name in corpus_tasks()


def split_names(names: str) -> tuple[str, ...]:
    """Names with commas between them."""
    return tuple(name.strip() for name in names.split(",") if name.strip())
