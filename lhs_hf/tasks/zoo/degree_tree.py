"""Degree-constrained spanning tree: join computers by cables, pair by pair; each has only so many ports."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class DegreeTree(SimpleTask):
    """Solution: the two ends of each cable in turn. With two ports or more each, any choice can lead to a tree."""

    name = "degree_tree"
    title = "Cheapest spanning tree with few edges at each vertex"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the cable to lay next, one of `pairs`: a list of tuples (i, j), i < j, in ascending order, of "
        "computers that are in different parts of the network and have a free port each. `cable_cost[i][j]`, a list "
        "of lists, is the cost of a cable between i and j, the same both ways. `free_ports[i]` is the number of "
        "cables that computer i can still take, `part[i]` the lowest number of a computer in the part that i belongs "
        "to: computers with the same one are joined already, each is alone at first. In the end all are to be in one "
        "part; the costs of all cables are to add up to as little as possible."
    )
    template = '''\
def lay_cable(pairs, cable_cost, free_ports, part):
    """The first computer that can be joined to another part takes its cheapest cable."""
    first = [pair for pair in pairs if pair[0] == pairs[0][0]]
    return min(first, key=lambda pair: cable_cost[pair[0]][pair[1]])
'''
    alternatives = "pairs"
    splits = make_splits(
        search={"count": 16, "computers": 22, "ports": [2, 2, 2, 3], "calls": 20},
        test={"count": 32, "computers": 22, "ports": [2, 2, 2, 3], "calls": 20},
        holdout={"count": 32, "computers": 30, "ports": [2, 2, 3, 4], "calls": 28},
    )
    probe_parameters = {"computers": 7, "ports": [2, 2, 3]}  # noqa: RUF012

    def draw(self, random, computers, ports):
        """Costs int64 (computers, computers): products of what both ends ask for, and distances; ports, of `ports`.

        Computers that ask for much are to be joined to those that ask for little, which have too few ports for that.
        """
        points = random.rand(computers, 2)
        gaps = np.sqrt(((points[:, None] - points[None, :]) ** 2).sum(axis=2))
        asked = random.randint(1, 50, computers)
        costs = np.triu(1 + asked[:, None] * asked / 15 + 30 * gaps, 1).astype(np.int64)
        return {"costs": costs + costs.T, "ports": random.choice(ports, computers)}

    def construct(self, program, instance):
        """One call a cable, as long as there are two to choose from; the program sees lists and tuples of its own."""
        costs, free = instance["costs"].tolist(), instance["ports"].tolist()
        part, laid = list(range(len(free))), []
        while any(part):
            ready = [computer for computer, ports in enumerate(free) if ports]
            pairs = [(i, j) for i in ready for j in ready if i < j and part[i] != part[j]]
            pair = pairs[0]
            if len(pairs) > 1:
                pair = self.ask(program, pairs, [list(row) for row in costs], list(free), list(part))
            low, high = sorted(part[computer] for computer in pair)
            part = [low if name == high else name for name in part]
            for computer in pair:
                free[computer] -= 1
            laid += pair
        return laid

    def objective(self, instance, solution):
        """Cost of all cables. Raises `Infeasible` for too many at a computer and for anything but one tree."""
        costs, free = instance["costs"].tolist(), instance["ports"].tolist()
        count = len(free)
        ends = check_ids(solution, 2 * count - 2, count)
        part, total = list(range(count)), 0
        for i, j in zip(ends[::2], ends[1::2]):
            if part[i] == part[j]:
                raise Infeasible(f"the cable {i}-{j} joins computers that are joined already")
            for computer in (i, j):
                free[computer] -= 1
                if free[computer] < 0:
                    raise Infeasible(f"computer {computer} has too few ports")
            gone = part[j]
            part = [part[i] if name == gone else name for name in part]
            total += costs[i][j]
        return float(total)

    def probe_features(self, choices, arguments):
        """Cost, how far the cheapest other pairs of either end are above it, free ports, costs of the ends, sizes."""
        cost, free, part = arguments["cable_cost"], arguments["free_ports"], arguments["part"]
        rows = []
        for i, j in choices:
            here = cost[i][j]
            others = [[cost[a][b] for a, b in choices if end in (a, b) and {a, b} != {i, j}] for end in (i, j)]
            rivals = sorted(min(each, default=200) - here for each in others)
            means = sorted(sum(cost[end]) for end in (i, j))
            sizes = sorted(part.count(part[end]) for end in (i, j))
            rows.append((here, *rivals, min(free[i], free[j]), sum(means), means[0], *sizes))
        return np.array(rows, dtype=float)


TASK = DegreeTree()
