"""Minimum-weight vertex cover: choose vertices, one by one, until every edge has a chosen end."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class VertexCover(SimpleTask):
    """Solution: the chosen vertices in order. Choice ends once all edges are covered."""

    name = "vertex_cover"
    title = "Minimum-weight vertex cover, constructive"
    sense = "min"
    problem_class = "covering"
    description = (
        "Return the vertex to take next, one of `candidates` (a list, ascending; each has an uncovered edge). "
        "`neighbors` maps each vertex to the list of vertices that it still shares an uncovered edge with, `weights` "
        "maps it to its weight. The weights of all that are taken are to add up to as little as possible."
    )
    template = '''\
def choose_vertex(candidates, neighbors, weights):
    """The first vertex."""
    return candidates[0]
'''
    alternatives = "candidates"
    splits = make_splits(
        search={"count": 16, "vertices": 40, "degree": 5.0, "calls": 30},
        test={"count": 32, "vertices": 40, "degree": 5.0, "calls": 30},
        holdout={"count": 32, "vertices": 60, "degree": 4.0, "calls": 45},
    )
    probe_parameters = {"vertices": 14, "degree": 3.5}  # noqa: RUF012

    def draw(self, random, vertices, degree):
        """Edges int64 (edges, 2), ascending, each with equal probability; weights int64 (vertices,), 1 to 20."""
        linked = np.triu(random.rand(vertices, vertices) < degree / (vertices - 1), 1)
        return {"edges": np.argwhere(linked), "weights": random.randint(1, 21, vertices)}

    def construct(self, program, instance):
        """One call a vertex; the program sees lists and dictionaries of Python numbers."""
        weights = dict(enumerate(instance["weights"].tolist()))
        left = {tuple(edge) for edge in instance["edges"].tolist()}
        chosen = []
        while left:
            neighbors = {vertex: [] for edge in sorted(left) for vertex in edge}
            for one, other in sorted(left):
                neighbors[one].append(other)
                neighbors[other].append(one)
            vertex = self.ask(program, sorted(neighbors), neighbors, dict(weights))
            left = {edge for edge in left if vertex not in edge}
            chosen.append(vertex)
        return chosen

    def objective(self, instance, solution):
        """Total weight. Raises `Infeasible` for a vertex taken twice or an edge without a chosen end."""
        count = len(instance["weights"])
        if len(solution) > count:
            raise Infeasible(f"{len(solution)} vertices are chosen of {count}")
        chosen = check_ids(solution, len(solution), count)
        if len(set(chosen)) < len(chosen):
            raise Infeasible("a vertex is chosen twice")
        for one, other in instance["edges"].tolist():
            if one not in chosen and other not in chosen:
                raise Infeasible(f"the edge {one}-{other} is not covered")
        return float(instance["weights"][chosen].sum())

    def probe_features(self, choices, arguments):
        """Weight, uncovered degree, their ratio, weights around, id."""
        neighbors, weights = arguments["neighbors"], arguments["weights"]
        rows = []
        for vertex in choices:
            weight, degree = weights[vertex], len(neighbors[vertex])
            rows.append((weight, degree, weight / degree, sum(weights[other] for other in neighbors[vertex]), vertex))
        return np.array(rows)


TASK = VertexCover()
