"""Steiner tree: lay pipes from a plant, one by one, until all customers are connected at little cost."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class SteinerTree(SimpleTask):
    """Solution: the two ends of each pipe in turn, the connected one first. All pipes that are laid are paid for."""

    name = "steiner_tree"
    title = "Steiner tree of a heating network, pipe by pipe"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the pipe to lay next, one of `extensions` (a list of tuples (inner, outer) in ascending order): it "
        "joins the place `outer` to `inner`, which is connected already. `connected` lists the connected places in "
        "the order in which they became so; the first one is the plant. `customers` lists the places that still have "
        "to be connected, ascending; pipes may pass other places too. `pipes` maps each place to a list of tuples "
        "(neighbor, cost), one for each pipe that can be or is laid there. It ends once all customers are connected; "
        "the costs of all laid pipes, also of those that no customer needs, are to be low in total."
    )
    template = '''\
def extend_network(extensions, pipes, connected, customers):
    """A pipe that reaches a customer, else the first one."""
    return next((pipe for pipe in extensions if pipe[1] in customers), extensions[0])
'''
    alternatives = "extensions"
    splits = make_splits(
        search={"count": 16, "places": 40, "customers": 12, "radius": 0.24, "calls": 30},
        test={"count": 32, "places": 40, "customers": 12, "radius": 0.24, "calls": 30},
        holdout={"count": 32, "places": 60, "customers": 20, "radius": 0.19, "calls": 50},
    )
    probe_parameters = {"places": 16, "customers": 5, "radius": 0.4}  # noqa: RUF012

    def draw(self, random, places, customers, radius):
        """Pipes int64 (pipes, 3): ends, ascending, and cost. The plant, then the customers: int64 (customers + 1,).

        Near places are linked, and each to the nearest one with a lower number; costs are distances times 60 to 140.
        """
        points = random.rand(places, 2)
        gaps = np.sqrt(((points[:, None] - points[None, :]) ** 2).sum(axis=2))
        linked = gaps < radius
        for place in range(1, places):
            linked[gaps[place, :place].argmin(), place] = True
        ends = np.argwhere(np.triu(linked, 1))
        costs = 1 + (gaps[tuple(ends.T)] * random.uniform(60, 140, len(ends))).astype(np.int64)
        pipes, terminals = np.column_stack([ends, costs]), random.permutation(places)[: customers + 1]
        return {"places": places, "pipes": pipes, "terminals": terminals}

    def construct(self, program, instance):
        """One call a pipe, if there are two to choose from; the program sees lists and dictionaries of its own."""
        pipes = {place: [] for place in range(instance["places"])}
        for one, other, cost in instance["pipes"].tolist():
            pipes[one].append((other, cost))
            pipes[other].append((one, cost))
        plant, *customers = instance["terminals"].tolist()
        connected, left, laid = [plant], sorted(customers), []
        while left:
            reached = [(inner, outer) for inner in sorted(connected) for outer, _ in pipes[inner]]
            options = [pipe for pipe in reached if pipe[1] not in connected]
            pipe = options[0]
            if len(options) > 1:
                shown = {place: list(around) for place, around in pipes.items()}
                pipe = self.ask(program, options, shown, list(connected), list(left))
            laid += pipe
            connected.append(pipe[1])
            left = [customer for customer in left if customer != pipe[1]]
        return laid

    def objective(self, instance, solution):
        """Cost of all pipes. Raises `Infeasible` unless they grow from the plant, one place each, to all customers."""
        count = instance["places"]
        if len(solution) % 2 or len(solution) > 2 * count - 2:
            raise Infeasible(f"expected two entries a pipe, {2 * count - 2} at most, got {len(solution)}")
        ends = check_ids(solution, len(solution), count)
        costs = {(one, other): cost for one, other, cost in instance["pipes"].tolist()}
        plant, *customers = instance["terminals"].tolist()
        connected, total = {plant}, 0
        for inner, outer in zip(ends[::2], ends[1::2]):
            pipe = min(inner, outer), max(inner, outer)
            if pipe not in costs:
                raise Infeasible(f"there is no pipe {inner}-{outer}")
            if inner not in connected or outer in connected:
                raise Infeasible(f"the pipe {inner}-{outer} does not lead from a connected place to a new one")
            connected.add(outer)
            total += costs[pipe]
        for customer in customers:
            if customer not in connected:
                raise Infeasible(f"customer {customer} is not connected")
        return float(total)

    def probe_features(self, choices, arguments):
        """Cost, customer or not, way to the nearest customer, both, gain for all per cost, mean way."""
        pipes, customers = arguments["pipes"], arguments["customers"]
        inner, outer = np.array(choices).T
        ways = np.array([[dict(around).get(other, 10**6) for other in pipes] for around in pipes.values()])
        np.fill_diagonal(ways, 0)
        cost = ways[inner, outer]
        for middle in pipes:
            ways = np.minimum(ways, ways[:, [middle]] + ways[middle])
        onward = ways[outer][:, customers]
        near, gain = onward.min(axis=1), np.maximum(0, ways[inner][:, customers] - onward).sum(axis=1)
        return np.column_stack([cost, np.isin(outer, customers), near, cost + near, gain / cost, onward.mean(axis=1)])


TASK = SteinerTree()
