"""k-center: open a fixed number of centres among the points so that no point is far from its nearest centre."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class CenterLocation(SimpleTask):
    """Solution: the points where centres are opened, in order, each once."""

    name = "center_location"
    title = "k-center location, by scores"
    sense = "min"
    problem_class = "covering"
    description = (
        "Return a score for each point of `candidates` (an array, ascending), as an array or a list; a centre is "
        "opened at the one with the highest score. `distances[a][b]` is the distance of two points, `nearest[p]` that "
        "of a point to its nearest centre so far (a very large number before the first), `left` how many centres are "
        "still to be opened, this one included. The largest distance of a point to its nearest centre is to be small."
    )
    template = '''\
def score_points(candidates, distances, nearest, left):
    """Central points: those with the smallest mean distance to all others."""
    return -distances[candidates].mean(axis=1)
'''
    alternatives = "candidates"
    answers = "scores"
    splits = make_splits(
        search={"count": 16, "points": 50, "centers": 6, "calls": 6},
        test={"count": 32, "points": 50, "centers": 6, "calls": 6},
        holdout={"count": 32, "points": 70, "centers": 9, "calls": 9},
    )
    probe_parameters = {"points": 14, "centers": 4}  # noqa: RUF012
    probe_feature_names = ("nearest", "mean_distance", "radius_after", "mean_after", "eccentricity", "crowd")

    def draw(self, random, points, centers):
        """Points in a square of side 1000, half of them around four towns; distances rounded, int64."""
        towns = random.randint(0, 1001, (4, 2))[random.randint(0, 4, points)] + random.randint(-150, 151, (points, 2))
        places = np.where(random.rand(points, 1) < 0.5, towns, random.randint(0, 1001, (points, 2)))
        steps = places[:, None] - places[None]
        distances = np.rint(np.hypot(steps[..., 0], steps[..., 1])).astype(np.int64)
        return {"distances": distances, "centers": centers}

    def construct(self, program, instance):
        """One call a centre; the program sees copies of NumPy arrays."""
        distances, centers = instance["distances"], []
        nearest = np.full(len(distances), 10**9)
        for left in range(instance["centers"], 0, -1):
            candidates = np.setdiff1d(np.arange(len(distances)), centers)
            center = int(self.ask(program, candidates, distances.copy(), nearest.copy(), left))
            centers.append(center)
            nearest = np.minimum(nearest, distances[center])
        return centers

    def objective(self, instance, solution):
        """Largest distance to the nearest centre. Raises `Infeasible` for another number of centres or one twice."""
        distances = instance["distances"]
        centers = check_ids(solution, instance["centers"], len(distances))
        if len(set(centers)) < len(centers):
            raise Infeasible("a centre is opened twice")
        return float(distances[centers].min(axis=0).max())

    def probe_features(self, choices, arguments):
        """Distance to a centre, mean distance, radius and mean distance afterwards, eccentricity, points close by."""
        distances, nearest = arguments["distances"], arguments["nearest"]
        rows = distances[np.asarray(choices)]
        after = np.minimum(rows, nearest)
        crowd = (rows <= np.median(distances) / 2).sum(axis=1)
        return np.column_stack(
            [nearest[choices], rows.mean(axis=1), after.max(axis=1), after.mean(axis=1), rows.max(axis=1), crowd]
        )


TASK = CenterLocation()
