"""Maximal covering location: open a fixed number of sites; the demand within reach of an open one counts."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class MaximalCovering(SimpleTask):
    """Solution: the opened sites in order, each once."""

    name = "maximal_covering"
    title = "Maximal covering location, constructive"
    sense = "max"
    problem_class = "covering"
    description = (
        "Return the site to open next, one of the keys of `reach`, which maps each site that is not open yet to the "
        "list of customers within its reach. `demand` maps each customer that no open site reaches to his demand; "
        "customers missing there are covered. `sites_left` sites are still to be opened, this one included. The total "
        "demand of all customers that are covered in the end is to be as large as possible."
    )
    template = '''\
def open_site(reach, demand, sites_left):
    """The site with the most customers in reach, covered or not."""
    return max(reach, key=lambda site: len(reach[site]))
'''
    splits = make_splits(
        search={"count": 16, "sites": 30, "customers": 80, "radius": 19, "opened": 6, "calls": 6},
        test={"count": 32, "sites": 30, "customers": 80, "radius": 19, "opened": 6, "calls": 6},
        holdout={"count": 32, "sites": 45, "customers": 120, "radius": 16, "opened": 8, "calls": 8},
    )
    probe_parameters = {"sites": 11, "customers": 30, "radius": 25, "opened": 4}  # noqa: RUF012
    probe_feature_names = ("new_demand", "new_customers", "customers", "rarity", "largest_demand", "shared", "site")

    def draw(self, random, sites, customers, radius, opened):
        """Points in a square of side 100; within: bool (sites, customers); demand: int64, 1 to 30, mostly small."""
        steps = random.randint(0, 101, (sites, 2))[:, None] - random.randint(0, 101, (customers, 2))[None]
        demand = np.minimum(random.randint(1, 31, customers), random.randint(1, 31, customers))
        return {"within": (steps**2).sum(axis=2) <= radius**2, "demand": demand, "opened": opened}

    def alternatives(self, reach, demand, sites_left):
        """All sites that are not open."""
        return list(reach)

    def construct(self, program, instance):
        """One call a site; the program sees new dictionaries of Python ints."""
        within, demand, opened = instance["within"], instance["demand"].tolist(), []
        for sites_left in range(instance["opened"], 0, -1):
            closed = [site for site in range(len(within)) if site not in opened]
            reach = {site: np.flatnonzero(within[site]).tolist() for site in closed}
            uncovered = np.flatnonzero(~within[opened].any(axis=0)).tolist()
            opened.append(self.ask(program, reach, {each: demand[each] for each in uncovered}, sites_left))
        return opened

    def objective(self, instance, solution):
        """Demand in reach of an open site. Raises `Infeasible` for another number of sites or one opened twice."""
        within = instance["within"]
        opened = check_ids(solution, instance["opened"], len(within))
        if len(set(opened)) < len(opened):
            raise Infeasible("a site is opened twice")
        return float(instance["demand"][within[opened].any(axis=0)].sum())

    def probe_features(self, choices, arguments):
        """New demand and customers, all customers, demand that few sites share, largest demand, shared demand, id."""
        reach, demand = arguments["reach"], arguments["demand"]
        holders = {each: sum(each in reach[site] for site in choices) for each in demand}
        rows = []
        for site in choices:
            new = [each for each in reach[site] if each in demand]
            amount, rarity = sum(demand[each] for each in new), sum(demand[each] / holders[each] for each in new)
            shared = sum(demand[each] * (holders[each] - 1) for each in new)
            rows.append(
                (amount, len(new), len(reach[site]), rarity, max((demand[e] for e in new), default=0), shared, site)
            )
        return np.array(rows, dtype=np.float64)


TASK = MaximalCovering()
