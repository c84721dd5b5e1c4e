"""Exact objectives of reference programs for routing, shop scheduling and knapsack.

`GOLDENS` lists (task, label, source, split, mean objective); each value was obtained by two independent evaluators.
"""

from __future__ import annotations

from textwrap import indent

from lhs_hf.tasks import get_task


def _source(task: str, body: str) -> str:
    return "import numpy as np\n\n\n" + get_task(task).signature() + "\n" + indent(body.strip("\n"), "    ") + "\n"


_CVRP_RETURN_EARLY = """
if current_node != depot and rest_capacity < 10:
    return depot
return unvisited_nodes[np.argmin(distance_matrix[current_node][unvisited_nodes])]
"""

_BODIES: dict[tuple[str, str], str] = {
    ("tsp_construct", "farthest"): "return unvisited_nodes[-1]",
    ("cvrp_construct", "nearest"): "return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])",
    ("cvrp_construct", "return_below_10"): _CVRP_RETURN_EARLY,
    ("vrptw_construct", "nearest"): "return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])",
    ("vrptw_construct", "closing"): "return unvisited_nodes[np.argmin(time_windows[unvisited_nodes, 1])]",
    ("jssp_construct", "longest"): "return max(feasible_operations, key=lambda operation: operation[2])",
    ("jssp_construct", "first"): "return feasible_operations[0]",
    ("knapsack_construct", "lightest"): "return min(remaining_items, key=lambda item: item[0])",
    ("knapsack_construct", "first"): "return remaining_items[0]",
}

_VALUES: dict[tuple[str, str], dict[str, float]] = {
    ("tsp_construct", "template"): {
        "search": 6.8239686184057184,
        "test-50": 7.0333892658387,
        "test-100": 9.662524095192241,
        "test-200": 13.396401951374004,
        "holdout": 7.082476553834194,
    },
    ("tsp_construct", "farthest"): {"search": 35.85450182978367, "test-50": 36.442813876916965},
    ("cvrp_construct", "template"): {
        "search": 15.038005452835502,
        "test-50": 14.709545115919145,
        "test-100": 25.15868368736022,
        "holdout": 14.827819631471973,
    },
    ("cvrp_construct", "nearest"): {"search": 13.610775714030819, "test-100": 24.285043257172507},
    ("cvrp_construct", "return_below_10"): {"search": 13.520293634784327, "test-100": 23.201330061303835},
    ("vrptw_construct", "template"): {
        "search": 32.47105318440174,
        "test": 32.65441029555254,
        "holdout": 32.26563551015104,
    },
    ("vrptw_construct", "nearest"): {"search": 26.47650755770893, "test": 26.494329238576725},
    ("vrptw_construct", "closing"): {"search": 22.91827941134056, "test": 23.445784571358637},
    ("jssp_construct", "template"): {"search": 5872.6875, "test": 5971.81, "holdout": 5850.66},
    ("jssp_construct", "longest"): {"search": 7509.9375, "test": 7548.75},
    ("jssp_construct", "first"): {"search": 5132.5, "test": 5159.01},
    ("knapsack_construct", "template"): {
        "search": 234.25,
        "test-uncorrelated": 409.32,
        "test-weakly": 132.83,
        "test-strongly": 162.05,
        "holdout": 236.13,
    },
    ("knapsack_construct", "lightest"): {"search": 197.0625, "test-weakly": 101.84},
    ("knapsack_construct", "first"): {"search": 125.40625, "test-weakly": 102.85},
}

GOLDENS: list[tuple[str, str, str, str, float]] = [
    (task, label, get_task(task).template if label == "template" else _source(task, _BODIES[task, label]), split, value)
    for (task, label), values in _VALUES.items()
    for split, value in values.items()
]
