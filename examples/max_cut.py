"""Max-cut: put the nodes of a weighted graph, one after another, on two sides; the weight between them counts.

lhs-hf check-task examples/max_cut.py
lhs-hf search examples/max_cut.py --budget 60
"""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class MaxCut(SimpleTask):
    """Solution: the side, 0 or 1, of each node."""

    name = "max_cut"
    sense = "max"
    problem_class = "assignment"
    description = (
        "Return the pair (node, side) to decide next, one of `options`. `gains[i]` is the weight that option i adds to "
        "the cut at once, `losses[i]` what it leaves uncut, `open_weights[i]` the weight from its node to undecided "
        "ones. The total weight between the two sides is to be as large as possible."
    )
    template = '''\
def select_option(options, gains, losses, open_weights):
    """The next node, to the side that cuts more."""
    best = options[0]
    best_gain = -1.0
    for i in range(len(options)):
        if options[i][0] == options[0][0] and gains[i] > best_gain:
            best = options[i]
            best_gain = gains[i]
    return best
'''
    alternatives = "options"
    splits = make_splits(
        search={"count": 16, "nodes": 30, "calls": 30},
        test={"count": 50, "nodes": 30, "calls": 30},
        holdout={"count": 50, "nodes": 50, "calls": 50},
    )
    probe_parameters = {"nodes": 14}  # noqa: RUF012
    probe_feature_names = ("gain", "loss", "open_weight", "gain_minus_loss", "node", "side")

    def draw(self, random, nodes):
        """Symmetric weights 1 to 9, about three in ten pairs linked."""
        weights = np.triu(random.randint(1, 10, (nodes, nodes)) * (random.rand(nodes, nodes) < 0.3), 1)
        return weights + weights.T

    def construct(self, program, weights):
        """One call a node: all undecided nodes, on either side, are listed."""
        sides = np.full(len(weights), -1)
        while (sides < 0).any():
            undecided = np.flatnonzero(sides < 0)
            to_side = [weights @ (sides == side) for side in (0, 1)]
            options = [(int(node), side) for node in undecided for side in (0, 1)]
            gains = np.array([float(to_side[1 - side][node]) for node, side in options])
            losses = np.array([float(to_side[side][node]) for node, side in options])
            still_open = weights @ (sides < 0)
            open_weights = np.array([float(still_open[node]) for node, _ in options])
            node, side = self.ask(program, options, gains, losses, open_weights)
            sides[node] = side
        return sides

    def objective(self, weights, solution):
        """Weight between the two sides."""
        sides = np.array(check_ids(solution, len(weights), 2))
        return float(weights[np.ix_(sides == 0, sides == 1)].sum())

    def probe_features(self, choices, arguments):
        """What a sensible rule looks at."""
        gains, losses = arguments["gains"], arguments["losses"]
        nodes, sides = np.array(choices).T
        return np.column_stack([gains, losses, arguments["open_weights"], gains - losses, nodes, sides])


TASK = MaxCut()
