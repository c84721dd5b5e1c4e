"""Node colouring: give neighbouring nodes different colours and use few; the program picks a node and its colour."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class NodeColoring(SimpleTask):
    """Solution: the colour of each node, from 0. The objective is the number of different colours."""

    name = "node_coloring"
    title = "Node colouring, by pairs of a node and a colour"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return the node to colour next and its colour: one tuple of `pairs`, a list of all (node, color) that are "
        "allowed, ascending; the highest color of a node is a new one, the others are in use. `adjacency` maps each "
        "node to the list of its neighbours, `colors` maps the nodes that are done to their colors. Neighbours differ "
        "in color, and as few colors as possible are to be used in the end."
    )
    template = '''\
def color_next(pairs, adjacency, colors):
    """The first node, with the lowest color that is allowed."""
    return pairs[0]
'''
    alternatives = "pairs"
    splits = make_splits(
        search={"count": 16, "nodes": 36, "groups": 6, "density": 0.65, "calls": 36},
        test={"count": 32, "nodes": 36, "groups": 6, "density": 0.65, "calls": 36},
        holdout={"count": 32, "nodes": 48, "groups": 6, "density": 0.55, "calls": 48},
    )
    probe_parameters = {"nodes": 9, "groups": 4, "density": 0.65}  # noqa: RUF012

    def draw(self, random, nodes, groups, density):
        """Nodes fall into hidden groups; two of different groups are linked with probability `density`.

        So `groups` colours are always enough. Edges int64 (edges, 2), ascending.
        """
        group = random.permutation(np.arange(nodes) % groups)
        linked = np.triu((group[:, None] != group[None, :]) & (random.rand(nodes, nodes) < density), 1)
        return {"nodes": nodes, "edges": np.argwhere(linked)}

    def construct(self, program, instance):
        """One call a node; the program sees tuples and dictionaries of Python ints."""
        adjacency = {node: [] for node in range(instance["nodes"])}
        for one, other in instance["edges"].tolist():
            adjacency[one].append(other)
            adjacency[other].append(one)
        colors = {}
        while len(colors) < len(adjacency):
            palette = range(len(set(colors.values())) + 1)
            pairs = [
                (node, color)
                for node in adjacency
                if node not in colors
                for color in palette
                if all(colors.get(other) != color for other in adjacency[node])
            ]
            shown = {node: list(others) for node, others in adjacency.items()}
            node, color = self.ask(program, pairs, shown, dict(colors))
            colors[node] = color
        return [colors[node] for node in adjacency]

    def objective(self, instance, solution):
        """Number of different colours. Raises `Infeasible` if neighbours share one."""
        colors = check_ids(solution, instance["nodes"], instance["nodes"])
        for one, other in instance["edges"].tolist():
            if colors[one] == colors[other]:
                raise Infeasible(f"the neighbours {one} and {other} have the same colour")
        return float(len(set(colors)))

    def probe_features(self, choices, arguments):
        """Whether the colour is new, how often it is used, what is free around the node, and whom it would block."""
        adjacency, colors = arguments["adjacency"], arguments["colors"]
        used = list(colors.values())
        rows = []
        for node, color in choices:
            open_neighbors = [other for other in adjacency[node] if other not in colors]
            blocked = [all(colors.get(far) != color for far in adjacency[other]) for other in open_neighbors]
            saturation = len({colors[other] for other in adjacency[node] if other in colors})
            new = color not in used
            rows.append((new, used.count(color), saturation, len(open_neighbors), sum(blocked), color, node))
        return np.array(rows, dtype=float)


TASK = NodeColoring()
