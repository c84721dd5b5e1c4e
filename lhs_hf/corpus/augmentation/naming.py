"""Tier a, names: variables, arguments and helper functions under other names that a person would also choose."""

from __future__ import annotations

import libcst as cst
import numpy as np

from .editing import read
from .reading import bound_names, names, walk
from .registry import TaskInterface, transform

# Each line lists names for one thing.
_GROUPS = """
distance_matrix dist_mat distances dist_matrix travel
current_node current here current_city position_now
destination_node destination goal end_node terminal home_node
unvisited_nodes unvisited candidates open_nodes pending_nodes
depot base warehouse depot_node
rest_capacity capacity_left remaining_load free_capacity room_left
demands demand_of node_demands quantities
current_time clock time_now now
time_windows windows opening_hours
current_status status state clocks
feasible_operations operations ready_operations candidate_operations
remaining_capacity capacity_left space_left budget
remaining_items items available_items open_items
bins residuals remaining_space bin_capacities
item item_size new_item size
current_assignment assignment partial_assignment placement
flow_matrix flow_mat traffic flows_between
assignments assigned customers_of current_assignments
remaining_customers open_customers customers_left unassigned_customers
remaining_capacities capacities_left free_capacities room_at
customer_demands demand_of requirements
assignment_costs costs_of cost_table service_costs
selected_subsets selected taken_subsets picked_subsets
remaining_subsets open_subsets available_subsets subsets
remaining_elements uncovered open_elements uncovered_elements
el vector digits
best chosen winner incumbent
best_score top_score record
best_node chosen_node next_node best_city
best_cost lowest_cost least_cost
best_value record_value
best_ratio top_ratio
best_rate top_rate
best_distance shortest nearest_distance
best_index chosen_index
best_gain top_gain
best_facility chosen_facility
node city candidate stop
other neighbour another
score merit rating
scores merits ratings
cost price expense
costs prices expenses
distance dist gap
distances dists gaps
weight mass
weights masses
value profit worth
values profits
ratio rate quotient
index position idx
total overall
count number_of tally
generator rng random_generator
order ordering sequence
ordered ranked sorted_candidates
fitting feasible affordable
useful helpful
options choices alternatives
answer result outcome
choice selection pick
left remaining leftover
free unused vacant
row line_of
missing lacking uncovered_part
room slack spare
gain benefit improvement
regret opportunity_cost
customer client
facility site
location place
demand requirement
step hop leg
home way_back
rest remainder
first leading
second runner_up
waiting pending
done finished completed
detour extra_distance
saving advantage
penalty fine_paid
average mean_value
threshold limit cutoff
alpha coefficient
near close_by
far distant
density concentration
load usage
subset group
element member
job order_id
machine resource
time duration
operation task_entry
"""

SYNONYMS: dict[str, list[str]] = {}
for _line in _GROUPS.strip().splitlines():
    _members = _line.split()
    for _name in _members:
        SYNONYMS.setdefault(_name, [])
        SYNONYMS[_name] += [other for other in _members if other != _name and other not in SYNONYMS[_name]]

_HELPER_NAMES = ("evaluate_choice", "rate_candidate", "helper", "measure", "rule", "judge", "compute_score", "assess")


@transform("a")
def rename_variables(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Rename up to four variables or arguments of one function to natural synonyms."""
    program = read(source)
    functions = program.functions()
    keywords = {arg.keyword.value for arg in program.find(cst.Arg) if arg.keyword is not None}
    toplevel = {found.value for statement in program.module.body for found in _module_names(statement)}
    for position in generator.permutation(len(functions)) if functions else []:
        function = functions[int(position)]
        if any(isinstance(node, (cst.Global, cst.Nonlocal)) for node in walk(function)):
            continue
        options = [
            name
            for name in bound_names(function)
            if name in SYNONYMS and name not in keywords and name not in program.imports and name not in toplevel
        ]
        wanted = int(generator.integers(1, 5))
        chosen = [options[int(i)] for i in generator.permutation(len(options))[:wanted]]
        table: dict[str, str] = {}
        for name in chosen:
            new = program.fresh(generator, [word for word in SYNONYMS[name] if word not in table.values()])
            if new is not None:
                table[name] = new
        if table:
            nodes = [node for node in names(function) if node.value in table]
            return program.replace_names(nodes, table)
    return None


@transform("a")
def rename_helper(source: str, generator: np.random.Generator, task: TaskInterface) -> str | None:
    """Rename a helper function."""
    program = read(source)
    main = program.main(task.function_name)
    helpers = [function.name.value for function in program.functions() if function is not main]
    rebound = {name for function in program.functions() for name in bound_names(function)}
    helpers = [name for name in helpers if helpers.count(name) == 1 and name not in rebound]
    if not helpers or main is None or main.name.value != task.function_name:
        return None
    old = helpers[int(generator.integers(len(helpers)))]
    new = program.fresh(generator, _HELPER_NAMES)
    if new is None:
        return None
    return program.replace_names([node for node in names(program.module) if node.value == old], {old: new})


def _module_names(statement: cst.CSTNode) -> list[cst.Name]:
    """Variables a top-level statement names, function bodies left out (a function's own name counts)."""
    return [statement.name] if isinstance(statement, cst.FunctionDef) else list(names(statement))
