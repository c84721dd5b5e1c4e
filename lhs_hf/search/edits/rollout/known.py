"""Models of tasks of the paper, written down: those whose calls show all that the next one follows from.

Seven have none. The program of a vehicle does not see the customers that do not fit at the moment, that of a shop not
the operations that come after; items still to come are unknown, the words of an admissible set are rated one by one,
and an assignment is not chosen from a list. Tours could be played on, but it costs too much: with three first choices
the best rule of the corpus is 1.7 % better and takes twelve times as long on 50 cities, and more so on larger tours.
"""

from __future__ import annotations

from .costs import Cost, Part
from .task_model import TaskModel
from .updates import Dynamics, Update


def _model(changes: dict[str, str], step: str, options: str, without: str, last: str) -> TaskModel:
    updates = tuple(Update(argument, text) for argument, text in changes.items())
    cost = Cost((Part(1.0, step, "step"),), 1.0)
    return TaskModel(Dynamics(updates, (), tuple(changes), updates), cost, options, without, last, stops=True)


_WITHOUT = "[each for each in {left} if each != {tried}]"

MODELS = {
    "knapsack_construct": _model(
        {
            "remaining_capacity": "remaining_capacity - (x[0] if x[0] <= remaining_capacity else 0)",
            "remaining_items": "[each for each in remaining_items if each != x]",
        },
        "x[1] if x[0] <= remaining_capacity else 0",
        "remaining_items",
        _WITHOUT,
        "remaining_capacity <= 0",
    ),
    "set_cover_construct": _model(
        {
            "selected_subsets": "[*selected_subsets, x]",
            "remaining_subsets": "[*remaining_subsets[:(k := remaining_subsets.index(x))], *remaining_subsets[k + 1:]]",
            "remaining_elements": "[each for each in remaining_elements if each not in x]",
        },
        "1",
        "remaining_subsets",
        _WITHOUT,
        "not remaining_elements",
    ),
}
"""By name of the task."""
