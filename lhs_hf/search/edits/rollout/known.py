"""Models of tasks of the paper, written down: those whose calls show all that the next one follows from.

Six have none. The program of a vehicle does not see the customers that do not fit at the moment, that of a shop not
the operations that come after; items still to come are unknown, and the words of an admissible set are rated one by
one. Tours could be played on, but it costs too much: with three first choices the best rule of the corpus is 1.7 %
better and takes twelve times as long on 50 cities, and more so on larger tours.
"""

from __future__ import annotations

from .costs import Cost, Part, When
from .task_model import TaskModel
from .updates import Dynamics, Update


def _changes(changes: dict[str, str]) -> Dynamics:
    updates = tuple(Update(argument, text) for argument, text in changes.items())
    return Dynamics(updates, (), tuple(changes), updates)


def _cost(text: str, when: When = "step") -> Cost:
    return Cost((Part(1.0, text, when),), 1.0)


_WITHOUT = "[each for each in {left} if each != {tried}]"

MODELS = {
    "knapsack_construct": TaskModel(
        _changes(
            {
                "remaining_capacity": "remaining_capacity - (x[0] if x[0] <= remaining_capacity else 0)",
                "remaining_items": "[each for each in remaining_items if each != x]",
            }
        ),
        _cost("x[1] if x[0] <= remaining_capacity else 0"),
        options="remaining_items",
        without=_WITHOUT,
        last="remaining_capacity <= 0",
        stops=True,
    ),
    "set_cover_construct": TaskModel(
        _changes(
            {
                "selected_subsets": "[*selected_subsets, x]",
                "remaining_subsets": "[*remaining_subsets[:(k := remaining_subsets.index(x))],"
                " *remaining_subsets[k + 1:]]",
                "remaining_elements": "[each for each in remaining_elements if each not in x]",
            }
        ),
        _cost("1"),
        options="remaining_subsets",
        without=_WITHOUT,
        last="not remaining_elements",
        stops=True,
    ),
    # Each of two rules misses the optimum on one instance of forty; whichever is better hardly ever does, and takes 30
    # times as long.
    "cflp_construct": TaskModel(
        _changes(
            {
                "assignments": "[[*row, x[0]] if k == x[1] else row for k, row in enumerate(assignments)]",
                "remaining_customers": "[each for each in remaining_customers if each != x[0]]",
                "remaining_capacities": "[room - customer_demands[x[0]] if k == x[1] else room"
                " for k, room in enumerate(remaining_capacities)]",
            }
        ),
        # More than anyone can cost, for a customer that is left without a place.
        _cost("1000 if x[1] is None else assignment_costs[x[1]][x[0]]"),
        options="remaining_customers",
        without="",
        last="",
        listed=False,
        live=("remaining_customers", "remaining_capacities"),
        lengthy=True,
    ),
    "qap_construct": TaskModel(
        _changes({"current_assignment": "list(x)"}),
        _cost("(flow_matrix * distance_matrix[np.ix_(current_assignment, current_assignment)]).sum()", "after"),
        options="[each for each in current_assignment if each < 0]",
        without="",
        last="",
        listed=False,
        live=("current_assignment",),
        whole="current_assignment",
    ),
}
"""By name of the task."""
