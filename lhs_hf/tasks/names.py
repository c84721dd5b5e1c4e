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
    "graphs": (
        "clique_growth",
        "degree_tree",
        "feedback_arcs",
        "graph_partition",
        "linear_arrangement",
        "node_coloring",
        "steiner_tree",
        "vertex_cover",
        "weighted_cut",
        "weighted_matching",
    ),
    "scheduling": (
        "batch_furnace",
        "flow_time_releases",
        "job_rejection",
        "line_balancing",
        "open_shop",
        "parallel_makespan",
        "permutation_flow_shop",
        "resource_projects",
        "setup_times",
    ),
    "packing": (
        "bin_covering",
        "cutting_stock",
        "departing_items",
        "quadratic_knapsack",
        "shelf_packing",
        "variable_bin_sizes",
        "vector_bin_packing",
    ),
    "assignment": (
        "bottleneck_assignment",
        "exam_timetable",
        "frequency_assignment",
        "three_index_assignment",
    ),
    "routing": (
        "arc_routing",
        "bike_rebalancing",
        "pickup_delivery",
        "prize_collecting_tour",
        "repairman",
        "sweeping_drone",
        "tour_with_windows",
    ),
    "location": ("center_location", "hub_location", "maximal_covering"),
    "inventory": (
        "joint_replenishment",
        "lot_sizing",
        "perishable_stock",
        "spare_parts",
    ),
    "online": (
        "ad_allocation",
        "ambulance_dispatch",
        "call_admission",
        "list_update",
        "secretary_queue",
        "server_moves",
        "ski_rental_fleet",
    ),
    "sequencing": (
        "block_relocation",
        "open_stacks",
        "pancake_stacks",
        "reversal_sorting",
    ),
    "bandits": ("box_search", "index_policy", "restless_jobs"),
    "strings": (
        "closest_string",
        "code_guessing",
        "common_subsequence",
        "common_superstring",
    ),
}
"""Small further tasks by kind: each is a file of its name in `lhs_hf/tasks/zoo`, and of no table of the paper."""


ZOO_DEVELOPMENT = (
    "bin_covering",
    "clique_growth",
    "feedback_arcs",
    "hub_location",
    "node_coloring",
    "open_shop",
    "repairman",
    "tour_with_windows",
    "vertex_cover",
    "weighted_cut",
)
"""Tasks of the zoo by which models and methods for unseen tasks are chosen."""

ZOO_UNSEEN = (
    "ad_allocation",
    "box_search",
    "center_location",
    "closest_string",
    "graph_partition",
    "index_policy",
    "lot_sizing",
    "perishable_stock",
    "resource_projects",
    "shelf_packing",
    "variable_bin_sizes",
    "weighted_matching",
)
"""Tasks of the zoo that nothing is trained on or chosen by.

`numpy.random.default_rng(25).choice(names, 12, replace=False)` of the sorted names that are not for development,
without those of `ZOO_LATER` and `permutation_flow_shop`, whose problem is that of an example file.
"""

ZOO_LATER = (
    "ambulance_dispatch",
    "arc_routing",
    "bike_rebalancing",
    "call_admission",
    "code_guessing",
    "common_subsequence",
    "cutting_stock",
    "degree_tree",
    "exam_timetable",
    "job_rejection",
    "line_balancing",
    "open_stacks",
    "quadratic_knapsack",
    "spare_parts",
    "steiner_tree",
)
"""Tasks that the zoo got after the unseen ones were drawn: for training."""

ZOO_LOOKED_AT = ("ad_allocation", "closest_string", "graph_partition", "weighted_matching")
"""Those of them whose files were read while words for strings, groups, dictionaries of dictionaries and columns that
are no rows were written.

Since then they are no strangers: their figures say how a task does that fits, not what to expect of another.
"""


def zoo_names() -> tuple[str, ...]:
    """Names of the tasks of the zoo."""
    return tuple(name for names in ZOO.values() for name in names)
