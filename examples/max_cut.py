"""Max-cut: put the nodes of a weighted graph, one after another, on two sides; the weight between them counts.

lhs-hf check-task examples/max_cut.py
lhs-hf search examples/max_cut.py --budget 60
"""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class MaxCut(SimpleTask):
    """Solution: the side, 0 or 1, of each node; each chosen node goes to the side where it cuts more."""

    name = "max_cut"
    sense = "max"
    problem_class = "assignment"
    description = (
        "Return the id of the node to place next, one of `unplaced_nodes` (ascending). It goes to the side that cuts "
        "more of its weight. `side_weights[s][v]` is the weight between node v and the nodes placed on side s, "
        "`weight_matrix` the weight between two nodes, 0 if they are not linked. The total weight between the two "
        "sides is to be as large as possible."
    )
    template = '''\
def select_next_node(unplaced_nodes, side_weights, weight_matrix):
    """The first node."""
    return unplaced_nodes[0]
'''
    alternatives = "unplaced_nodes"
    splits = make_splits(
        search={"count": 16, "nodes": 30, "calls": 30},
        test={"count": 50, "nodes": 30, "calls": 30},
        holdout={"count": 50, "nodes": 50, "calls": 50},
    )
    probe_parameters = {"nodes": 14}  # noqa: RUF012
    probe_feature_names = ("cut", "uncut", "difference", "open_weight", "total_weight", "node_id")

    def draw(self, random, nodes):
        """Symmetric weights 1 to 9, about three in ten pairs linked; int64 (nodes, nodes)."""
        weights = np.triu(random.randint(1, 10, (nodes, nodes)) * (random.rand(nodes, nodes) < 0.3), 1)
        return weights + weights.T

    def construct(self, program, weights):
        """One call a node; the program sees copies."""
        sides = np.full(len(weights), -1)
        while (sides < 0).any():
            to_side = np.stack([weights @ (sides == side) for side in (0, 1)])
            node = self.ask(program, np.flatnonzero(sides < 0), to_side.copy(), weights.copy())
            sides[node] = int(to_side[0, node] > to_side[1, node])
        return sides

    def objective(self, weights, solution):
        """Weight between the two sides."""
        sides = np.array(check_ids(solution, len(weights), 2))
        return float(weights[np.ix_(sides == 0, sides == 1)].sum())

    def probe_features(self, choices, arguments):
        """What a sensible rule looks at."""
        nodes = np.asarray(choices)
        to_side = arguments["side_weights"][:, nodes]
        weights = arguments["weight_matrix"][nodes]
        cut, uncut = to_side.max(axis=0), to_side.min(axis=0)
        return np.column_stack([cut, uncut, cut - uncut, weights[:, nodes].sum(axis=1), weights.sum(axis=1), nodes])


TASK = MaxCut()
