"""Minimum linear arrangement: put vertices on positions 0, 1, 2, ... so that linked ones are near each other."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class LinearArrangement(SimpleTask):
    """Solution: the vertices by position. The objective is the sum of the distances between linked vertices."""

    name = "linear_arrangement"
    title = "Minimum linear arrangement, position by position"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return the vertex to put on the next `position`, one of `waiting` (an integer array, ascending). `placed` is "
        "the list of the vertices on positions 0, 1, ... before it; of each vertex `placed_links[v]` counts the links "
        "to placed ones and `waiting_links[v]` those to waiting ones, `links` is the 0/1 matrix of all of them, and "
        "`open_links` is the number of links between placed and waiting vertices. The sum over all links of the "
        "distance between the positions of their ends is to be as small as possible."
    )
    template = '''\
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The vertex with the fewest links to waiting ones."""
    return min(waiting, key=lambda vertex: waiting_links[vertex])
'''
    alternatives = "waiting"
    splits = make_splits(
        search={"count": 16, "vertices": 32, "radius": 0.3, "far": 6, "calls": 31},
        test={"count": 32, "vertices": 32, "radius": 0.3, "far": 6, "calls": 31},
        holdout={"count": 32, "vertices": 48, "radius": 0.22, "far": 8, "calls": 47},
    )
    probe_parameters = {"vertices": 12, "radius": 0.35, "far": 4}  # noqa: RUF012

    def draw(self, random, vertices, radius, far):
        """Points in a strip: near ones are linked, and `far` random pairs; int64 (vertices, vertices), 0 or 1."""
        points = random.rand(vertices, 2) * (1.5, 0.7)
        gaps = points[:, None] - points[None, :]
        links = ((gaps**2).sum(axis=2) < radius**2).astype(np.int64)
        links[tuple(random.randint(0, vertices, (2, far)))] = 1
        links = np.triu(links | links.T, 1)
        return links + links.T

    def construct(self, program, links):
        """One call a vertex but for the last, which is forced."""
        waiting, placed = list(range(len(links))), []
        while len(waiting) > 1:
            to_placed, to_waiting = links[:, placed].sum(axis=1), links[:, waiting].sum(axis=1)
            opened = int(to_placed[waiting].sum())
            shown = np.array(waiting), len(placed), list(placed), links.copy(), to_placed, to_waiting, opened
            vertex = int(self.ask(program, *shown))
            waiting.remove(vertex)
            placed.append(vertex)
        return placed + waiting

    def objective(self, links, solution):
        """Sum of distances, each link counted once."""
        order = np.array(check_permutation(solution, len(links)))
        place = np.argsort(order)
        return float((np.abs(place[:, None] - place[None, :]) * links).sum() // 2)

    def probe_features(self, choices, arguments):
        """Links to both kinds, their difference, all links, how long the open ones are, what comes after, id."""
        vertices, links = np.asarray(choices), arguments["links"]
        done, ahead = arguments["placed_links"][vertices], arguments["waiting_links"][vertices]
        ages = arguments["position"] - np.arange(len(arguments["placed"]))
        age = links[np.ix_(vertices, arguments["placed"])] @ ages
        inner = links[np.ix_(vertices, vertices)]
        begun = inner @ (done > 0)
        return np.column_stack([done, ahead, ahead - done, ahead + done, age, begun, inner @ ahead, vertices])


TASK = LinearArrangement()
