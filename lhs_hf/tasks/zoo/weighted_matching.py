"""Maximum-weight matching in a general graph: pick edges that share no vertex, until none can be added."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class WeightedMatching(SimpleTask):
    """Solution: the two ends of each picked edge in turn. The objective is the total weight of these edges."""

    name = "weighted_matching"
    title = "Maximum-weight matching, edge by edge"
    sense = "max"
    problem_class = "assignment"
    description = (
        "Return the edge to match next: one tuple (u, v) of `edges`, a list in ascending order of those whose ends are "
        "both free. `weight[u][v]`, a dictionary of dictionaries that has both directions, is the weight of such an "
        "edge and lists the free neighbours of u. Each vertex is matched once at most; the weights of all matched "
        "edges are to add up to as much as possible."
    )
    template = '''\
def pick_edge(edges, weight):
    """The first edge."""
    return edges[0]
'''
    alternatives = "edges"
    splits = make_splits(
        search={"count": 16, "vertices": 60, "degree": 3.5, "calls": 26},
        test={"count": 32, "vertices": 60, "degree": 3.5, "calls": 26},
        holdout={"count": 32, "vertices": 80, "degree": 3.0, "calls": 34},
    )
    probe_parameters = {"vertices": 11, "degree": 2.6}  # noqa: RUF012

    def draw(self, random, vertices, degree):
        """Edges int64 (edges, 3): ends, ascending, and weight. Each vertex has a worth of 10 to 30.

        The weight of an edge is the sum of the worths of its ends and 0 to 20 more, so edges at busy vertices compete.
        """
        worth = random.randint(10, 31, vertices)
        links = np.argwhere(np.triu(random.rand(vertices, vertices) < degree / (vertices - 1), 1))
        return {"vertices": vertices, "edges": np.column_stack([links, self._weigh(random, worth, links)])}

    def _weigh(self, random, worth, links):
        return worth[links].sum(axis=1) + random.randint(0, 21, len(links))

    def construct(self, program, instance):
        """One call an edge, as long as there are two to choose from; the program sees tuples and dictionaries."""
        left, matched = instance["edges"].tolist(), []
        while left:
            weight = {vertex: {} for edge in left for vertex in edge[:2]}
            for one, other, value in left:
                weight[one][other] = weight[other][one] = value
            edges = [(one, other) for one, other, _ in left]
            edge = self.ask(program, edges, weight) if len(edges) > 1 else edges[0]
            left = [each for each in left if each[0] not in edge and each[1] not in edge]
            matched += edge
        return matched

    def objective(self, instance, solution):
        """Total weight. Raises `Infeasible` for half an edge, two vertices without one, or a vertex matched twice."""
        count = instance["vertices"]
        if len(solution) > count or len(solution) % 2:
            raise Infeasible(f"expected two entries an edge, {count} at most, got {len(solution)}")
        ends = check_ids(solution, len(solution), count)
        if len(set(ends)) < len(ends):
            raise Infeasible("a vertex is matched twice")
        weight = {(one, other): value for one, other, value in instance["edges"].tolist()}
        total = 0
        for one, other in zip(ends[::2], ends[1::2]):
            if (min(one, other), max(one, other)) not in weight:
                raise Infeasible(f"there is no edge {one}-{other}")
            total += weight[min(one, other), max(one, other)]
        return float(total)

    def probe_features(self, choices, arguments):
        """Weight, the largest weights that compete at either end, degrees of the ends, weight ruled out, id."""
        weight = arguments["weight"]
        rows = []
        for one, other in choices:
            at_one = [value for vertex, value in weight[one].items() if vertex != other]
            at_other = [value for vertex, value in weight[other].items() if vertex != one]
            rivals = sorted([max(at_one, default=0), max(at_other, default=0)])
            degrees = sorted([len(at_one), len(at_other)])
            rows.append((weight[one][other], *rivals, *degrees, sum(at_one) + sum(at_other), one))
        return np.array(rows, dtype=float)


TASK = WeightedMatching()
