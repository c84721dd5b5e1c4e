"""What the pictures of solutions say, in words and numbers: titles and alternative texts."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, comb
from typing import Any

import numpy as np

from ..tasks import get_task
from ..tasks.base import Task
from . import packing, routing, scheduling


def amount(value: float) -> str:
    """A number as titles show it: whole numbers with thousands marked, others with three decimals."""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3f}"


def headline(task: Task, instance: Any, objective: float) -> str:
    """The objective with its name: "tour length 5.931"."""
    if task.name == "admissible_set":
        bound = comb(*instance)
        return f"{amount(bound + objective)} of at most {amount(bound)} vectors"
    return _NAMES[task.name].format(amount(objective))


def improvement(task: Task, instance: Any, found: float, reference: float, other: str = "the reference") -> str:
    """How much better or worse the objective found is than the reference's, or what `other` names, in words."""
    if task.name == "admissible_set":  # the objective is what the set lacks; people compare sizes
        found, reference = comb(*instance) + found, comb(*instance) + reference
    if found == reference:
        return f"as good as {other}"
    word = "better" if task.alpha * (found - reference) > 0 else "worse"
    if reference == 0:
        return f"{amount(abs(found - reference))} {word} than {other}"
    return f"{100 * abs(found - reference) / abs(reference):.2f} % {word} than {other}"


def instance_bound(task: Task, instance: Any) -> tuple[float, str] | None:
    """(bound or optimum of this instance in task units, its kind), where it takes no search to know one."""
    if task.name == "jssp_construct":
        return float(max(instance.times.sum(axis=0).max(), instance.times.sum(axis=1).max())), "bound"
    if task.name == "online_bin_packing":
        from ..tasks.online_bin_packing import CAPACITY

        return float(ceil(instance.sum() / CAPACITY)), "bound"
    if task.name == "knapsack_construct":
        best = np.zeros(instance.capacity + 1, dtype=np.int64)
        for weight, value, _ in instance.items:
            if weight <= instance.capacity:
                best[weight:] = np.maximum(best[weight:], best[: len(best) - weight] + value)
        return float(best[-1]), "optimum"
    return None


def gap_words(task: Task, instance: Any, objective: float) -> str:
    """The distance to the bound or optimum of the instance ("8.10 % from the bound"); empty where none is known."""
    known = instance_bound(task, instance)
    if known is None or known[0] == 0:
        return ""
    gap = 100 * task.alpha * (known[0] - objective) / abs(known[0])
    return f"at the {known[1]}" if gap == 0 else f"{gap:.2f} % from the {known[1]}"


def details(task: Task, instance: Any, solution: np.ndarray) -> str:
    """What else a feasible solution shows, in a few words with numbers."""
    return _DETAILS[task.name](instance, solution)


def _tsp(instance: Any, solution: np.ndarray) -> str:
    return f"a closed tour through {len(solution) + 1} cities"


def _cvrp(instance: Any, solution: np.ndarray) -> str:
    trips = routing.trips_of(solution, last_return=True)
    return f"{len(trips)} trips from the depot to {len(instance.demands) - 1} customers"


def _vrptw(instance: Any, solution: np.ndarray) -> str:
    trips = routing.trips_of(solution, last_return=False)
    return f"{len(trips)} trips from the depot reach {instance.served} customers within their time windows"


def _jssp(instance: Any, solution: np.ndarray) -> str:
    jobs, machines = instance.times.shape
    busy = instance.times.sum() / (machines * scheduling.operations(instance, solution)[:, 3].max())
    return f"Gantt chart of {jobs} jobs on {machines} machines, which are busy {busy:.0%} of the time"


def _knapsack(instance: Any, solution: np.ndarray) -> str:
    packed = packing.packed_items(instance, solution)
    weight = sum(instance.items[index][0] for index in packed)
    return f"{len(packed)} of {len(instance.items)} items packed, weight {weight} of {instance.capacity}"


def _bins(instance: np.ndarray, solution: np.ndarray) -> str:
    from ..tasks.online_bin_packing import CAPACITY

    bins = len(np.unique(solution))
    return f"{len(instance)} items packed, {1 - instance.sum() / (bins * CAPACITY):.2%} of the room lost"


def _qap(instance: Any, solution: np.ndarray) -> str:
    return f"matrix of {len(solution)} facilities assigned to as many locations"


def _cflp(instance: Any, solution: np.ndarray) -> str:
    used = len(np.unique(solution[1::2]))
    return f"{len(instance.demands)} customers served by {used} of {len(instance.capacities)} facilities"


def _cover(instance: Any, solution: np.ndarray) -> str:
    elements = len(set().union(*instance))
    return f"{len(solution)} of {len(instance)} subsets chosen, which cover all {elements} elements that can be covered"


def _admissible(instance: Any, solution: np.ndarray) -> str:
    from ..tasks.admissible_set import greedy_words

    rows = len(greedy_words(instance.n, instance.w, solution)[1])
    return f"{rows} words of {instance.n} digits, {instance.w} of them not 0, that stand for the vectors of the set"


_NAMES = {
    "tsp_construct": "tour length {}",
    "cvrp_construct": "distance {}",
    "vrptw_construct": "distance {}",
    "jssp_construct": "makespan {}",
    "knapsack_construct": "value {}",
    "online_bin_packing": "{} bins",
    "qap_construct": "cost {}",
    "cflp_construct": "cost {}",
    "set_cover_construct": "{} subsets",
}
_DETAILS: dict[str, Callable[[Any, np.ndarray], str]] = {
    "tsp_construct": _tsp,
    "cvrp_construct": _cvrp,
    "vrptw_construct": _vrptw,
    "jssp_construct": _jssp,
    "knapsack_construct": _knapsack,
    "online_bin_packing": _bins,
    "qap_construct": _qap,
    "cflp_construct": _cflp,
    "set_cover_construct": _cover,
    "admissible_set": _admissible,
}


def as_task(task: Task | str) -> Task:
    """The task, or the built-in one of this name."""
    return get_task(task) if isinstance(task, str) else task
