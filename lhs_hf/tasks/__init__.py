"""The ten tasks of the paper, by name. Importing this package imports no task and neither torch nor transformers."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from .base import IllegalAnswer, Infeasible, OnlineTask, ProbeState, Split, Task

_MODULES = {
    "tsp_construct": "tsp",
    "cvrp_construct": "cvrp",
    "vrptw_construct": "vrptw",
    "jssp_construct": "jssp",
    "knapsack_construct": "knapsack",
    "online_bin_packing": "online_bin_packing",
    "qap_construct": "qap",
    "cflp_construct": "cflp",
    "set_cover_construct": "set_cover",
    "admissible_set": "admissible_set",
}


class UnknownTask(ValueError):
    """No task has this name; the message lists the ones that exist."""


def task_names() -> tuple[str, ...]:
    """Names of the built-in tasks."""
    return tuple(_MODULES)


@cache
def get_task(name: str) -> Task:
    """The built-in task called `name`, one object a process. Raises `UnknownTask`."""
    if name not in _MODULES:
        raise UnknownTask(f"unknown task {name!r}; the tasks are: {', '.join(_MODULES)}")
    return import_module(f".{_MODULES[name]}", __name__).TASK


__all__ = [
    "IllegalAnswer",
    "Infeasible",
    "OnlineTask",
    "ProbeState",
    "Split",
    "Task",
    "UnknownTask",
    "get_task",
    "task_names",
]
