"""Hub location: flows between places travel over hubs, cheaper from hub to hub; every hub costs to open."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class HubLocation(SimpleTask):
    """Solution: the hubs in order, at least one. Each flow takes its cheapest way over one or two hubs."""

    name = "hub_location"
    title = "Uncapacitated hub location with multiple allocation, constructive"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return the place to make a hub next, one of `sites` (a list, ascending), or -1 to stop, allowed once `hubs` "
        "is not empty. `flow[a][b]` units travel from a to b, always over a first hub k and a last hub l (perhaps the "
        "same): a unit costs `distance[a][k]` + `discount` * `distance[k][l]` + `distance[l][b]`. A hub at s costs "
        "`opening_cost[s]`. Opening costs plus what all flows cost on their cheapest ways are to be small in total."
    )
    template = '''\
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """The three cheapest places."""
    if len(hubs) == 3:
        return -1
    return min(sites, key=lambda site: opening_cost[site])
'''
    splits = make_splits(
        search={"count": 16, "places": 15, "level": 5000, "discount": 0.5, "calls": 5},
        test={"count": 32, "places": 15, "level": 5000, "discount": 0.5, "calls": 5},
        holdout={"count": 32, "places": 20, "level": 7000, "discount": 0.25, "calls": 7},
    )
    probe_parameters = {"places": 9, "level": 1800, "discount": 0.5}  # noqa: RUF012
    probe_feature_names = ("opening_cost", "own_flow", "mean_distance", "to_hubs", "flow_distance", "total", "stops")

    def draw(self, random, places, level, discount):
        """Square of side 100, distances rounded; flows by the sizes of both ends; opening around `level`; all int64."""
        points = random.randint(0, 101, (places, 2))
        steps = points[:, None] - points[None]
        size = random.randint(1, 8, places)
        flow = size[:, None] * size[None] * random.randint(0, 3, (places, places)) // 2
        np.fill_diagonal(flow, 0)
        return {
            "flow": flow,
            "distance": np.rint(np.hypot(steps[..., 0], steps[..., 1])).astype(np.int64),
            "opening_cost": random.randint(level // 2, 2 * level + 1, places),
            "discount": discount,
        }

    def alternatives(self, sites, hubs, flow, distance, opening_cost, discount):
        """The places without a hub, and the end once there is a hub."""
        return [*sites, -1] if hubs else list(sites)

    def construct(self, program, instance):
        """One call a hub until the program stops or every place is one; the program sees copies."""
        flow, distance, opening = instance["flow"], instance["distance"], instance["opening_cost"]
        hubs, sites = [], list(range(len(flow)))
        while sites:
            given = list(sites), list(hubs), flow.copy(), distance.copy(), opening.copy(), instance["discount"]
            site = self.ask(program, *given)
            if site < 0:
                break
            sites.remove(site)
            hubs.append(site)
        return hubs

    def objective(self, instance, solution):
        """Opening costs plus flows times their cheapest ways. Raises `Infeasible` for no hub or one opened twice."""
        if not 1 <= len(solution) <= len(instance["flow"]):
            raise Infeasible(f"{len(solution)} hubs, expected 1 to {len(instance['flow'])}")
        hubs = check_ids(solution, len(solution), len(instance["flow"]))
        if len(set(hubs)) < len(hubs):
            raise Infeasible("a hub is opened twice")
        return _total(hubs, instance["flow"], instance["distance"], instance["opening_cost"], instance["discount"])

    def probe_features(self, choices, arguments):
        """Opening cost, flow and distances of a place, total cost afterwards, whether the choice ends."""
        hubs, flow, distance, opening, discount = [arguments[name] for name in self.arguments[1:]]
        rows = []
        for site in choices:
            total = _total([*hubs, site] if site >= 0 else hubs, flow, distance, opening, discount)
            if site < 0:
                rows.append((0, 0, 0, 0, 0, total, 1))
                continue
            own = flow[site] + flow[:, site]
            to_hubs = distance[site, hubs].min() if hubs else 0
            rows.append((opening[site], own.sum(), distance[site].mean(), to_hubs, own @ distance[site], total, 0))
        return np.array(rows, dtype=np.float64)


def _total(hubs, flow, distance, opening, discount):
    """Exact: all data are integers, the discounts binary fractions."""
    between = discount * distance[np.ix_(hubs, hubs)]
    reached = (distance[:, hubs, None] + between[None]).min(axis=1)
    ways = (reached[:, :, None] + distance[hubs][None]).min(axis=1)
    return float((flow * ways).sum() + opening[hubs].sum())


TASK = HubLocation()
