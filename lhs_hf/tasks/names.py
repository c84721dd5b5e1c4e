"""The built-in tasks and their modules."""

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
