"""Prize-collecting travelling salesman: a tour from a depot that may leave customers out, each for a penalty."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class PrizeCollectingTour(SimpleTask):
    """Solution: the stops in order, at last place 0, the depot, where the tour also starts."""

    name = "prize_collecting_tour"
    title = "Prize-collecting travelling salesman, constructive"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the place to go to next: a customer of `unvisited` (a list, ascending), or `depot` to end the tour. "
        "The tour stands at `current`; `distances[a][b]` is the length of the way between two places, `penalties[c]` "
        "what customer c costs if it is never visited. The length of the tour, the way back to the depot included, "
        "plus the penalties of all customers left out is to be as small as possible."
    )
    template = '''\
def next_stop(current, depot, unvisited, distances, penalties):
    """The nearest customer, as long as there is one."""
    return min(unvisited, key=lambda customer: distances[current][customer])
'''
    splits = make_splits(
        search={"count": 16, "customers": 25, "highest": 40, "calls": 20},
        test={"count": 32, "customers": 25, "highest": 40, "calls": 20},
        holdout={"count": 32, "customers": 40, "highest": 30, "calls": 32},
    )
    probe_parameters = {"customers": 11, "highest": 50}  # noqa: RUF012
    probe_feature_names = ("distance", "penalty", "detour", "gain", "way_back", "mean_distance", "ends_tour")

    def draw(self, random, customers, highest):
        """Places in a square of side 100, depot first; distances rounded, int64; penalties 2 to `highest`, int64."""
        places = random.randint(0, 101, (customers + 1, 2))
        steps = places[:, None] - places[None]
        penalties = random.randint(2, highest + 1, customers + 1)
        penalties[0] = 0
        return {"distances": np.rint(np.hypot(steps[..., 0], steps[..., 1])).astype(np.int64), "penalties": penalties}

    def alternatives(self, current, depot, unvisited, distances, penalties):
        """Every customer that is left, then the depot."""
        return [*unvisited, depot]

    def construct(self, program, instance):
        """One call a stop, until the program ends the tour or nobody is left; the program sees copies."""
        distances, penalties = instance["distances"], instance["penalties"]
        unvisited, tour, current = list(range(1, len(penalties))), [], 0
        while unvisited:
            current = self.ask(program, current, 0, list(unvisited), distances.copy(), penalties.copy())
            if current == 0:
                break
            unvisited.remove(current)
            tour.append(current)
        return [*tour, 0]

    def objective(self, instance, solution):
        """Length plus penalties. Raises `Infeasible` unless the tour ends at the depot and visits no place twice."""
        distances, penalties = instance["distances"], instance["penalties"]
        if not 1 <= len(solution) <= len(penalties):
            raise Infeasible(f"{len(solution)} stops, expected 1 to {len(penalties)}")
        stops = check_ids(solution, len(solution), len(penalties))
        if stops[-1] != 0:
            raise Infeasible("the tour does not end at the depot")
        if len(set(stops)) < len(stops):
            raise Infeasible("a place is visited twice")
        length = distances[[0, *stops[:-1]], stops].sum()
        return float(length + penalties.sum() - penalties[stops].sum())

    def probe_features(self, choices, arguments):
        """Ways, penalty, detour on the way back, what a visit gains, distance to the others, whether it ends."""
        current, depot = arguments["current"], arguments["depot"]
        distances, penalties = arguments["distances"], arguments["penalties"]
        places = np.asarray(choices)
        detour = distances[current, places] + distances[places, depot] - distances[current, depot]
        return np.column_stack(
            [
                distances[current, places],
                penalties[places],
                detour,
                penalties[places] - detour,
                distances[places, depot],
                distances[np.ix_(places, places)].mean(axis=1),
                places == depot,
            ]
        )


TASK = PrizeCollectingTour()
