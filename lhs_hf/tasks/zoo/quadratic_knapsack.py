"""Quadratic knapsack: items bring a profit of their own and more in pairs; they are packed one by one."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class QuadraticKnapsack(SimpleTask):
    """Solution: the packed items in order. Packing ends once no further item fits."""

    name = "quadratic_knapsack"
    title = "Quadratic knapsack, by scores of items"
    sense = "max"
    problem_class = "packing"
    description = (
        "Return an array with one score for each of `candidates` (an array of ids, ascending: all items that are not "
        "packed and still fit); the one with the highest score is packed. `selected` is the array of the items packed "
        "so far, `weights[i]` the weight of item i, `own_profit[i]` its profit, `shared_profit[i, j]` what items i and "
        "j bring if both are packed (symmetric, at least 0, 0 on the diagonal), `capacity_left` the weight that can "
        "still be added. Own and shared profits of all packed items together are to be large."
    )
    template = '''\
def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """The lightest item."""
    return -weights[candidates]
'''
    alternatives = "candidates"
    answers = "scores"
    splits = make_splits(
        search={"count": 16, "items": 50, "groups": 6, "share": 0.25, "calls": 18},
        test={"count": 32, "items": 50, "groups": 6, "share": 0.25, "calls": 18},
        holdout={"count": 32, "items": 80, "groups": 10, "share": 0.15, "calls": 18},
    )
    probe_parameters = {"items": 16, "groups": 3, "share": 0.4}  # noqa: RUF012
    probe_feature_names = ("weight", "own", "gain", "gain_per_weight", "candidates_share", "all_per_weight", "id")

    def draw(self, random, items, groups, share):
        """Two of a group mostly share a profit, others seldom: weights 15 to 50, own profits to 60, shared to 100."""
        group = random.randint(0, groups, items)
        linked = random.rand(items, items) < np.where(group[:, None] == group, 0.65, 0.05)
        shared = np.triu(random.randint(1, 101, (items, items)) * linked, 1)
        weights = random.randint(15, 51, items)
        return {
            "weights": weights,
            "own": random.randint(1, 61, items),
            "shared": shared + shared.T,
            "capacity": int(share * weights.sum()),
        }

    def construct(self, program, instance):
        """One call an item, but for a last one without a choice; the program sees copies of the arrays."""
        weights, own, shared = instance["weights"], instance["own"], instance["shared"]
        left, waiting, packed = instance["capacity"], np.arange(len(weights)), []
        while True:
            waiting = waiting[weights[waiting] <= left]
            if len(waiting) < 2:
                return [*packed, *waiting.tolist()]
            selected = np.array(packed, dtype=np.int64)
            item = int(self.ask(program, waiting.copy(), selected, weights.copy(), own.copy(), shared.copy(), left))
            waiting = waiting[waiting != item]
            left -= int(weights[item])
            packed.append(item)

    def objective(self, instance, solution):
        """Total profit. Raises `Infeasible` for an item packed twice and if all are too heavy together."""
        count = len(instance["weights"])
        if len(solution) > count:
            raise Infeasible(f"{len(solution)} items are packed of {count}")
        packed = check_ids(solution, len(solution), count)
        if len(set(packed)) < len(packed):
            raise Infeasible("an item is packed twice")
        weight = int(instance["weights"][packed].sum())
        if weight > instance["capacity"]:
            raise Infeasible(f"the items weigh {weight}, more than {instance['capacity']}")
        return float(instance["own"][packed].sum() + instance["shared"][np.ix_(packed, packed)].sum() // 2)

    def probe_features(self, choices, arguments):
        """Weight, own profit, gain, gain per weight, profit shared with candidates, all profit per weight, id."""
        weights, own, shared = (arguments[name] for name in ("weights", "own_profit", "shared_profit"))
        items = np.array(choices)
        weight, gain = weights[items], own[items] + shared[np.ix_(items, arguments["selected"])].sum(axis=1)
        around = shared[np.ix_(items, items)].sum(axis=1)
        columns = (weight, own[items], gain, gain / weight, around, (gain + around) / weight, items)
        return np.column_stack(columns)


TASK = QuadraticKnapsack()
