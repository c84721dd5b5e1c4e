"""The ten tasks of the paper by name, a zoo of small ones, and one's own by a file's path or by an entry point.

Importing this package imports no task and neither torch nor transformers.
"""

from __future__ import annotations

import difflib
from functools import cache
from importlib import import_module, metadata

from .base import FreshSplit, IllegalAnswer, Infeasible, NoFreshInstances, OnlineTask, ProbeState, Split, Task
from .names import BUILT_IN, ZOO, task_names, zoo_names

ENTRY_POINT_GROUP = "lhs_hf.tasks"


class UnknownTask(ValueError):
    """No task has this name; the message lists the ones that exist."""


@cache
def _entry_points() -> dict[str, metadata.EntryPoint]:
    return {entry.name: entry for entry in metadata.entry_points(group=ENTRY_POINT_GROUP)}


def entry_point_names() -> tuple[str, ...]:
    """Names of the tasks that installed packages offer through the entry-point group `lhs_hf.tasks`."""
    return tuple(_entry_points())


@cache
def _installed(name: str) -> Task:
    from .files import from_entry_point

    return from_entry_point(_entry_points()[name])


def known_names() -> tuple[str, ...]:
    """Names that `get_task` knows: of the built-in tasks, of the zoo and of entry points."""
    return (*BUILT_IN, *zoo_names(), *_entry_points())


def get_task(name: str) -> Task:
    """A task by name or by the path of its file (anything that ends in `.py`), one object a process and file content.

    Names are those of the built-in tasks, of the zoo and of entry points in the group `lhs_hf.tasks`. Raises
    `UnknownTask`, and `TaskFileError` for a file that can not be loaded.
    """
    if name in BUILT_IN:
        return import_module(f".{BUILT_IN[name]}", __name__).TASK
    if name in zoo_names():
        return import_module(f".zoo.{name}", __name__).TASK
    if name.endswith(".py"):
        from .files import load_task_file

        return load_task_file(name)
    if name in _entry_points():
        return _installed(name)
    names = (*BUILT_IN, *_entry_points())
    near = difflib.get_close_matches(name, known_names(), 1)
    guess = f" (did you mean {near[0]!r}?)" if near else ""
    raise UnknownTask(
        f"unknown task {name!r}{guess}; the tasks are: {', '.join(names)}; those of the zoo (lhs-hf tasks --zoo); "
        "or give the path of a task file"
    )


__all__ = [
    "ENTRY_POINT_GROUP",
    "ZOO",
    "FreshSplit",
    "IllegalAnswer",
    "Infeasible",
    "NoFreshInstances",
    "OnlineTask",
    "ProbeState",
    "Split",
    "Task",
    "UnknownTask",
    "entry_point_names",
    "get_task",
    "known_names",
    "task_names",
    "zoo_names",
]
