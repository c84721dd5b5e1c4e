"""Travelling repairman: one repairer visits all broken sites; customers together are to wait as little as possible."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class Repairman(SimpleTask):
    """Solution: the sites in the order of the visits. The repairer starts at (50, 50) and moves along the axes."""

    name = "repairman"
    title = "Travelling repairman, by priorities of sites"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the priority of driving next to the point `site`, a tuple (x, y); the repairer is at `here`. The way "
        "there takes `travel` minutes, the work there `repair` minutes; from it `onward` minutes lead to the nearest "
        "other waiting site, and `crowd` other waiting sites are within 20 minutes. `waiting` sites are not visited "
        "yet. The site of the highest priority is next; the sum of all arrival times is to be as small as possible."
    )
    template = '''\
def priority(here, site, travel, repair, onward, crowd, waiting):
    """The shortest work first."""
    return -repair
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "sites": 30, "longest": 40, "calls": 460},
        test={"count": 32, "sites": 30, "longest": 40, "calls": 460},
        holdout={"count": 32, "sites": 45, "longest": 30, "calls": 1030},
    )
    probe_parameters = {"sites": 12, "longest": 40}  # noqa: RUF012
    probe_feature_names = ("travel", "repair", "travel_and_repair", "onward", "crowd", "from_middle")

    def draw(self, random, sites, longest):
        """About half of the points around three towns, int64 (sites, 2); repairs int64, 1 to `longest`."""
        towns = random.randint(10, 91, (3, 2))[random.randint(0, 3, sites)] + random.randint(-10, 11, (sites, 2))
        anywhere = random.randint(0, 101, (sites, 2))
        points = np.where(random.rand(sites, 1) < 0.5, towns, anywhere)
        return {"points": points, "repairs": random.randint(1, longest + 1, sites)}

    def construct(self, program, instance):
        """One decision a site but for the last, which is forced; the program sees tuples and Python ints."""
        points, repairs = [tuple(point) for point in instance["points"].tolist()], instance["repairs"].tolist()
        left, order, here = list(range(len(points))), [], (50, 50)
        while len(left) > 1:
            calls = []
            for site in left:
                ways = [_minutes(points[site], points[other]) for other in left if other != site]
                crowd = sum(way <= 20 for way in ways)
                travel = _minutes(here, points[site])
                calls.append((here, points[site], travel, repairs[site], min(ways), crowd, len(left)))
            site = left[self.ask_each(program, calls)]
            left.remove(site)
            order.append(site)
            here = points[site]
        return [*order, *left]

    def objective(self, instance, solution):
        """Sum of the minutes until the repairer arrives at each site. Raises `Infeasible` for no permutation."""
        points, repairs = instance["points"].tolist(), instance["repairs"].tolist()
        here, clock, total = (50, 50), 0, 0
        for site in check_permutation(solution, len(points)):
            clock += _minutes(here, points[site])
            total += clock
            clock += repairs[site]
            here = points[site]
        return float(total)

    def probe_features(self, choices, arguments):
        """Travel, repair, their sum, way onward, crowd, distance from the middle of the square."""
        rows = []
        for _, site, travel, repair, onward, crowd, _ in choices:
            rows.append((travel, repair, travel + repair, onward, crowd, _minutes(site, (50, 50))))
        return np.array(rows)


def _minutes(one, other):
    """One minute for each unit of the way along the axes."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


TASK = Repairman()
