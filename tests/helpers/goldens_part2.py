"""Exact objectives of reference programs for bin packing, quadratic assignment, facility location and covering.

`GOLDENS` lists (task, label, source, split, mean objective); each value was obtained by two independent evaluators.
"""

from __future__ import annotations

from lhs_hf.tasks import get_task


def _program(header: str, body: str) -> str:
    lines = "\n".join(f"    {line}" if line else "" for line in body.strip("\n").split("\n"))
    return f"{header}\n{lines}\n"


def _source(task: str, body: str, imports: str = "") -> str:
    return imports + _program(get_task(task).signature(), body)


_FIRST_FIT = _source("online_bin_packing", "return np.zeros(len(bins))", "import numpy as np\n\n\n")
_WORST_FIT_OPENED = _source("online_bin_packing", "return np.where(bins == 100, 0, bins)", "import numpy as np\n\n\n")
_WORST_FIT = _source("online_bin_packing", "return bins")

_SUMS_AT_ONCE = _source(
    "qap_construct",
    """
facilities = np.argsort(-flow_matrix.sum(axis=1), kind="stable")
locations = np.argsort(distance_matrix.sum(axis=1), kind="stable")
assignment = np.empty(len(facilities), dtype=int)
assignment[facilities] = locations
return assignment.tolist()
""",
    "import numpy as np\n\n\n",
)

_LOWEST_ROOMY = _source(
    "cflp_construct",
    """
customer = remaining_customers[0]
demand = customer_demands[customer]
return customer, next(f for f, room in enumerate(remaining_capacities) if room >= demand)
""",
)
_LARGEST_DEMAND = _source(
    "cflp_construct",
    """
customer = max(remaining_customers, key=lambda c: customer_demands[c])
roomy = [f for f, room in enumerate(remaining_capacities) if room >= customer_demands[customer]]
return customer, min(roomy, key=lambda f: assignment_costs[f][customer])
""",
)

_FIRST_USEFUL = _source(
    "set_cover_construct",
    """
for subset in remaining_subsets:
    if any(element in remaining_elements for element in subset):
        return subset
return None
""",
)
_DENSEST = _source(
    "set_cover_construct",
    """
def share(subset):
    return sum(element in remaining_elements for element in subset) / len(subset)

best = max(remaining_subsets, key=share, default=None)
return best if best is not None and share(best) > 0 else None
""",
)

_DIGIT_POSITIONS = _source("admissible_set", "return float(sum(i * digit for i, digit in enumerate(el)))")

_VALUES: dict[tuple[str, str, str | None], dict[str, float]] = {
    ("online_bin_packing", "best fit", None): {
        "search": 2091.8,
        "test-1k": 422.5,
        "test-5k": 2090.8,
        "holdout": 2097.4,
    },
    ("online_bin_packing", "first fit", _FIRST_FIT): {"search": 2099.4, "test-1k": 424.6},
    ("online_bin_packing", "worst fit among opened", _WORST_FIT_OPENED): {"search": 2274.2, "test-1k": 456.8},
    ("online_bin_packing", "worst fit, a bin an item", _WORST_FIT): {"search": 5000.0, "test-1k": 1000.0},
    ("qap_construct", "identity", None): {"search": 6138278.0, "test": 6196611.18, "holdout": 6190278.64},
    ("qap_construct", "sorted sums at once", _SUMS_AT_ONCE): {"search": 6115057.5, "test": 6154814.36},
    ("cflp_construct", "cheapest with room", None): {"search": 278.625, "test": 281.68, "holdout": 280.94},
    ("cflp_construct", "lowest index with room", _LOWEST_ROOMY): {"search": 1395.25, "test": 1383.78},
    ("cflp_construct", "largest demand first", _LARGEST_DEMAND): {"search": 279.875, "test": 281.72},
    ("set_cover_construct", "greedy", None): {"search": 13.8125, "test": 13.59, "holdout": 13.45},
    ("set_cover_construct", "first useful", _FIRST_USEFUL): {"search": 21.625, "test": 21.96},
    ("set_cover_construct", "densest", _DENSEST): {"search": 19.5625, "test": 19.88},
    ("admissible_set", "constant", None): {"search": -1161.0, "test": -1161.0, "holdout": -102.0},
    ("admissible_set", "digit positions", _DIGIT_POSITIONS): {"search": -1500.0, "holdout": -141.0},
}

GOLDENS: list[tuple[str, str, str, str, float]] = [
    (task, label, source if source is not None else get_task(task).template, split, value)
    for (task, label, source), by_split in _VALUES.items()
    for split, value in by_split.items()
]
