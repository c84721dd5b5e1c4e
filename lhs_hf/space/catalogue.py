"""The tasks that visitors may name: a list that is made when the server starts, and no file outside of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import CallError
from ..tasks import entry_point_names, get_task, task_names
from ..tasks.base import Task
from .checks import name_of

DEFAULT_TASK = "vrptw_construct"
"""A search of the default budget finds a program there that is new and better than the best known, in little time."""


class TaskCatalogue:
    """Built-in tasks, those of installed packages, and files that the person who starts the server named.

    Args:
        files: task files. They run in this process, as that person's own code, and are asked for by the name of their
            task; a name that is no name here is never looked up anywhere else, least of all as a path.

    Raises `CallError` for a file that holds no task, and for two tasks of one name.
    """

    def __init__(self, files: Iterable[str | Path] = ()) -> None:
        self._tasks: dict[str, Task] = {name: get_task(name) for name in (*task_names(), *entry_point_names())}
        for file in files:
            from ..tasks.files import load_task_file

            task = load_task_file(file)
            if task.name in self._tasks:
                raise CallError(f"{file}: there is a task called {task.name!r} already; choose another name")
            self._tasks[task.name] = task

    def __iter__(self) -> Iterator[Task]:
        return iter(self._tasks.values())

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all tasks that may be asked for."""
        return tuple(self._tasks)

    def get(self, name: Any) -> Task:
        """The task of that name. Raises `CallError` for anything else."""
        return self._tasks[name_of("task", name, self._tasks)]

    def choices(self) -> list[tuple[str, str]]:
        """Title and name of each task, for a list to choose from."""
        return [(task.title, task.name) for task in self]
