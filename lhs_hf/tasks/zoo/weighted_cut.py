"""Maximum weighted cut: put nodes on two sides, one by one; the weight of links between the sides counts."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class WeightedCut(SimpleTask):
    """Solution: the side of each node, 0 (left) or 1 (right). Weights may be negative."""

    name = "weighted_cut"
    title = "Maximum weighted cut, by pairs of a node and a side"
    sense = "max"
    problem_class = "assignment"
    description = (
        "Return the next move: a tuple (node, side) of a node of `unplaced` (a list, ascending) and 0 to put it "
        "to the left or 1 to put it to the right. `left` and `right` list the nodes that are there already, in the "
        "order they came; `weights[u][v]` is the weight of the link between u and v, negative for some, 0 where there "
        "is none. The weights of all links from left to right are to add up to as much as possible."
    )
    template = '''\
def choose_move(unplaced, left, right, weights):
    """The first node goes to the side with fewer nodes."""
    return unplaced[0], int(len(right) < len(left))
'''
    splits = make_splits(
        search={"count": 16, "nodes": 26, "density": 0.4, "calls": 26},
        test={"count": 32, "nodes": 26, "density": 0.4, "calls": 26},
        holdout={"count": 32, "nodes": 40, "density": 0.25, "calls": 40},
    )
    probe_parameters = {"nodes": 9, "density": 0.6}  # noqa: RUF012

    def draw(self, random, nodes, density):
        """Weights -5 to 10, each pair linked with probability `density`; int64 (nodes, nodes), symmetric."""
        weights = np.triu(random.randint(-5, 11, (nodes, nodes)) * (random.rand(nodes, nodes) < density), 1)
        return weights + weights.T

    def alternatives(self, unplaced, left, right, weights):
        """Each unplaced node on either side."""
        return [(node, side) for node in unplaced for side in (0, 1)]

    def construct(self, program, weights):
        """One call a node; the program sees lists of Python ints."""
        unplaced, sides = list(range(len(weights))), ([], [])
        while unplaced:
            node, side = self.ask(program, list(unplaced), list(sides[0]), list(sides[1]), weights.tolist())
            unplaced.remove(node)
            sides[side].append(node)
        return [int(node in sides[1]) for node in range(len(weights))]

    def objective(self, weights, solution):
        """Weight of the links between the sides, each counted once."""
        sides = np.array(check_ids(solution, len(weights), 2))
        return float(weights[np.ix_(sides == 0, sides == 1)].sum())

    def probe_features(self, choices, arguments):
        """What a move cuts and keeps, what is open, the largest open weight, side, node."""
        weights = np.array(arguments["weights"])
        sides = (arguments["left"], arguments["right"])
        rows = []
        for node, side in choices:
            cut, kept = weights[node, sides[1 - side]].sum(), weights[node, sides[side]].sum()
            around = weights[node, arguments["unplaced"]]
            rows.append((cut, kept, cut - kept, abs(cut - kept), around.sum(), abs(around).sum(), side, node))
        return np.array(rows, dtype=float)


TASK = WeightedCut()
