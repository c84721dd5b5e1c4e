"""List update: a self-organising list; after each request the item asked for may move nearer to the front."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class ListUpdate(SimpleTask):
    """Solution: the place to which the item moves after each request; places count from 0.

    An access at place p costs `access` times p + 1, a move costs 1 for each neighbour that the item passes. The first
    item never moves.
    """

    name = "list_update"
    title = "List update with paid exchanges, online"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the priority of moving the item just asked for from place `depth` of the list to place `target` (0 is "
        "the front, `depth` means it stays); the highest priority wins, the first on ties. `own` is (requests, gap): "
        "how often the item was asked for before and how many requests ago, `displaced` the same for the item now at "
        "`target`; `time` counts all earlier requests. An access at place p costs 2 * (p + 1), a move 1 for each item "
        "passed; later requests are unknown, all costs together are to be small."
    )
    template = '''\
def move_priority(target, depth, own, displaced, time):
    """The item stays where it is."""
    return target
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "items": 12, "requests": 90, "calls": 500},
        test={"count": 32, "items": 12, "requests": 90, "calls": 500},
        holdout={"count": 32, "items": 18, "requests": 140, "calls": 1000},
    )
    probe_parameters = {"items": 14, "requests": 60}  # noqa: RUF012
    probe_feature_names = ("target", "off_half_way", "requests", "gap", "requests_apart", "gaps_apart", "rate")

    def draw(self, random, items, requests):
        """Requests from weights that change now and then: int64 (requests,), factor of an access, items."""
        calm, wanted = 0.5 * random.exponential(1.0, items) ** 2, []
        weights = calm
        for number in range(requests):
            if number == 0 or random.rand() < 0.05:
                weights = calm + random.permutation([6.0, 4.0] + [0.0] * (items - 2))
            wanted.append(random.choice(items, p=weights / weights.sum()))
        return {"requests": np.array(wanted), "access": 2, "items": items}

    def construct(self, program, instance):
        """One call for each place up to that of the item; the program sees Python ints and pairs of them."""
        order = list(range(instance["items"]))
        asked, last, moves = [0] * len(order), [-1] * len(order), []
        for time, item in enumerate(instance["requests"].tolist()):
            depth = order.index(item)
            known = [(asked[each], time - last[each]) for each in order[: depth + 1]]
            calls = [(target, depth, known[depth], known[target], time) for target in range(depth + 1)]
            moves.append(self.ask_each(program, calls) if depth else 0)
            order.insert(moves[-1], order.pop(depth))
            asked[item], last[item] = asked[item] + 1, time
        return moves

    def objective(self, instance, solution):
        """Costs of accesses and moves. Raises `Infeasible` for a move away from the front."""
        order, cost = list(range(instance["items"])), 0
        requests = instance["requests"].tolist()
        for item, target in zip(requests, check_ids(solution, len(requests), len(order))):
            depth = order.index(item)
            if target > depth:
                raise Infeasible(f"item {item} moves back from place {depth} to {target}")
            cost += instance["access"] * (depth + 1) + depth - target
            order.insert(target, order.pop(depth))
        return float(cost)

    def probe_features(self, choices, arguments):
        """Place, length of the move, and how the item that is there compares."""
        return np.array(
            [
                (
                    target,
                    abs(2 * target - depth),
                    there[0],
                    there[1],
                    abs(own[0] - there[0]),
                    abs(own[1] - there[1]),
                    there[0] / there[1],
                )
                for target, depth, own, there, _ in choices
            ]
        )


TASK = ListUpdate()
