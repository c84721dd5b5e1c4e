"""The built-in tasks and their modules, and the names of the zoo."""

from __future__ import annotations

BUILT_IN = {
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


def task_names() -> tuple[str, ...]:
    """Names of the built-in tasks."""
    return tuple(BUILT_IN)


ZOO: dict[str, tuple[str, ...]] = {
    "graphs": ("vertex_cover",),
    "packing": ("bin_covering",),
}
"""Small further tasks by kind: each is a file of its name in `lhs_hf/tasks/zoo`, and of no table of the paper."""


def zoo_names() -> tuple[str, ...]:
    """Names of the tasks of the zoo."""
    return tuple(name for names in ZOO.values() for name in names)
