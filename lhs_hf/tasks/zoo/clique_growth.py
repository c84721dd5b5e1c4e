"""Maximum-weight clique: grow a set of vertices that are all linked to each other until none can be added."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class CliqueGrowth(SimpleTask):
    """Solution: the vertices of the clique in the order in which they join. The objective is their total weight."""

    name = "clique_growth"
    title = "Maximum-weight clique, by priorities of vertices"
    sense = "max"
    problem_class = "packing"
    description = (
        "Return the priority of adding a vertex of the given `weight` to the clique. Of the `rivals` vertices that are "
        "linked to the whole clique, `common_weights` holds the weights of those that remain possible after it, and "
        "`common_degrees`, in the same order, how many others of those each is linked to; the clique has the weight "
        "`gained` so far. The vertex of the highest priority joins, until none is left, and the clique is to be as "
        "heavy as possible."
    )
    template = '''\
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """The heaviest vertex."""
    return weight
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "vertices": 60, "density": 0.7, "calls": 170},
        test={"count": 32, "vertices": 60, "density": 0.7, "calls": 170},
        holdout={"count": 32, "vertices": 80, "density": 0.6, "calls": 190},
    )
    probe_parameters = {"vertices": 13, "density": 0.65}  # noqa: RUF012

    def draw(self, random, vertices, density):
        """Weights int64 (vertices,), 5 to 20; links bool (vertices, vertices), symmetric.

        Vertices differ in how many links they have, and heavy ones have fewer.
        """
        weights = random.randint(5, 21, vertices)
        ease = density + 0.2 * random.rand(vertices) - 0.012 * (weights - 5)
        links = np.triu(random.rand(vertices, vertices) < np.sqrt(np.outer(ease, ease)), 1)
        return {"weights": weights, "links": links | links.T}

    def construct(self, program, instance):
        """One decision a vertex, one call for each vertex that is linked to the whole clique."""
        weights, links = instance["weights"], instance["links"]
        clique, possible = [], np.arange(len(weights))
        while len(possible):
            gained, calls = int(weights[clique].sum()), []
            for vertex in possible:
                common = possible[links[vertex, possible]]
                degrees = links[np.ix_(common, common)].sum(axis=1)
                about = tuple(weights[common].tolist()), tuple(degrees.tolist())
                calls.append((int(weights[vertex]), *about, len(possible), gained))
            clique.append(possible[self.ask_each(program, calls)])
            possible = possible[links[clique[-1], possible]]
        return clique

    def objective(self, instance, solution):
        """Total weight. Raises `Infeasible` for a repeated vertex or two without a link."""
        count = len(instance["weights"])
        if len(solution) > count:
            raise Infeasible(f"{len(solution)} vertices are chosen of {count}")
        clique = check_ids(solution, len(solution), count)
        for place, vertex in enumerate(clique):
            for other in clique[:place]:
                if other == vertex:
                    raise Infeasible(f"the vertex {vertex} is repeated")
                if not instance["links"][vertex, other]:
                    raise Infeasible(f"the vertices {other} and {vertex} are not linked")
        return float(instance["weights"][clique].sum())

    def probe_features(self, choices, arguments):
        """Weight, how many and how heavy the vertices after it are, how well they are linked, what it rules out."""
        rows = []
        for weight, weights, degrees, rivals, _ in choices:
            share = sum(degrees) / max(1, len(degrees) * (len(degrees) - 1))
            spread = sum(each / (len(degrees) - degree) for each, degree in zip(weights, degrees))
            best = max(weights, default=0)
            rows.append((weight, len(weights), sum(weights), sum(degrees), share, spread, best, rivals - len(weights)))
        return np.array(rows, dtype=float)


TASK = CliqueGrowth()
