"""Graph colouring: colour the nodes of a random graph so that linked nodes differ; fewer colours are better."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class GraphColoring(SimpleTask):
    """Solution: the colour of each node, from 0; each chosen node gets the lowest colour its neighbours leave free."""

    name = "graph_coloring"
    title = "Graph colouring, constructive"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return the id of the node to colour next, one of `uncolored_nodes` (ascending). It gets the lowest colour "
        "that none of its neighbours has. `colors` holds the colour of each node, -1 if it has none yet; "
        "`adjacency_matrix` is 0 or 1. As few colours as possible are to be used."
    )
    template = '''\
def select_next_node(uncolored_nodes, colors, adjacency_matrix):
    """The first node."""
    return uncolored_nodes[0]
'''
    alternatives = "uncolored_nodes"
    splits = make_splits(
        search={"count": 16, "nodes": 40, "density": 0.5, "calls": 40},
        test={"count": 50, "nodes": 40, "density": 0.5, "calls": 40},
        holdout={"count": 50, "nodes": 60, "density": 0.3, "calls": 60},
    )
    probe_parameters = {"nodes": 16, "density": 0.4}  # noqa: RUF012
    probe_feature_names = (
        "degree",
        "degree_among_uncolored",
        "saturation",
        "colored_neighbours",
        "node_id",
        "free_color",
    )

    def draw(self, random, nodes, density):
        """Each pair is linked with probability `density`; int64 (nodes, nodes), symmetric, zero diagonal."""
        links = np.triu(random.rand(nodes, nodes) < density, 1).astype(np.int64)
        return links + links.T

    def construct(self, program, adjacency):
        """One call a node; the program sees copies of the colours and of the matrix."""
        colors = np.full(len(adjacency), -1)
        while (colors < 0).any():
            node = self.ask(program, np.flatnonzero(colors < 0), colors.copy(), adjacency.copy())
            colors[node] = _lowest_free(adjacency, colors, node)
        return colors

    def objective(self, adjacency, solution):
        """Number of different colours. Raises `Infeasible` if two linked nodes share one."""
        colors = np.array(check_ids(solution, len(adjacency), len(adjacency)))
        clash = np.argwhere((colors[:, None] == colors[None, :]) & (adjacency > 0))
        if len(clash):
            raise Infeasible(f"nodes {clash[0][0]} and {clash[0][1]} are linked and have one colour")
        return float(len(np.unique(colors)))

    def probe_features(self, choices, arguments):
        """Degrees, saturation and the colour a node would get."""
        adjacency, colors = arguments["adjacency_matrix"], arguments["colors"]
        nodes = np.asarray(choices)
        neighbours = [np.unique(colors[(adjacency[node] > 0) & (colors >= 0)]) for node in nodes]
        return np.column_stack(
            [
                adjacency[nodes].sum(axis=1),
                adjacency[nodes] @ (colors < 0),
                [len(each) for each in neighbours],
                adjacency[nodes] @ (colors >= 0),
                nodes,
                [_lowest_free(adjacency, colors, node) for node in nodes],
            ]
        )


def _lowest_free(adjacency, colors, node):
    taken = set(colors[adjacency[node] > 0].tolist())
    return next(color for color in range(len(adjacency)) if color not in taken)


TASK = GraphColoring()
