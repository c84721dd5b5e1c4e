"""Minimum feedback arcs: put the vertices of a weighted digraph into an order with little weight on backward arcs."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class FeedbackArcs(SimpleTask):
    """Solution: the vertices from first to last. The objective is the weight of arcs that lead to an earlier vertex."""

    name = "feedback_arcs"
    title = "Minimum feedback arc set, as an order of vertices"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return an array of scores, one for each vertex of `remaining` (an integer array, ascending); the vertex with "
        "the largest score is put next into the order, from front to back. `arc_weights[u, v]` is the weight of the "
        "arc from u to v, 0 if there is none. The weight of all arcs that lead from a vertex to an earlier one is to "
        "be as small as possible."
    )
    template = '''\
def score_vertices(remaining, arc_weights):
    """The vertex with the most arcs that leave it."""
    return (arc_weights[remaining] > 0).sum(axis=1)
'''
    answers = "scores"
    alternatives = "remaining"
    splits = make_splits(
        search={"count": 16, "vertices": 30, "density": 0.35, "noise": 0.3, "calls": 29},
        test={"count": 32, "vertices": 30, "density": 0.35, "noise": 0.3, "calls": 29},
        holdout={"count": 32, "vertices": 45, "density": 0.2, "noise": 0.25, "calls": 44},
    )
    probe_parameters = {"vertices": 11, "density": 1.0, "noise": 0.45}  # noqa: RUF012

    def draw(self, random, vertices, density, noise):
        """Weights int64 (vertices, vertices), 1 to 9: arcs follow a hidden order but for a share of `noise`.

        Arcs between vertices that are near in that order are more frequent and light, long ones rare and heavy.
        """
        rank = random.permutation(vertices)
        gap = rank[None, :] - rank[:, None]
        near = np.exp(-np.abs(gap) / (0.5 * vertices))
        backward = random.rand(vertices, vertices) < noise
        linked = (random.rand(vertices, vertices) < 1.6 * density * near) & np.where(backward, gap < 0, gap > 0)
        return np.where(linked, random.randint(1, 6, linked.shape) + np.abs(gap) * 4 // vertices, 0)

    def construct(self, program, weights):
        """One call a vertex but for the last, which is forced; the program sees arrays."""
        remaining, order = list(range(len(weights))), []
        while len(remaining) > 1:
            vertex = self.ask(program, np.array(remaining), weights.copy())
            remaining.remove(vertex)
            order.append(vertex)
        return order + remaining

    def objective(self, weights, solution):
        """Weight of the arcs that lead from a later vertex to an earlier one."""
        order = np.array(check_permutation(solution, len(weights)))
        return float(np.tril(weights[np.ix_(order, order)], -1).sum())

    def probe_features(self, choices, arguments):
        """Weight that leaves a vertex and weight that enters it, their difference and share, numbers of arcs, id."""
        vertices = np.asarray(choices)
        inner = arguments["arc_weights"][np.ix_(vertices, vertices)]
        leaving, entering = inner.sum(axis=1), inner.sum(axis=0)
        share = leaving / np.maximum(1, leaving + entering)
        numbers = (inner > 0).sum(axis=1), (inner > 0).sum(axis=0)
        return np.column_stack([leaving, entering, leaving - entering, share, *numbers, inner.max(axis=0), vertices])


TASK = FeedbackArcs()
