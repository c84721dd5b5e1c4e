"""The k-server problem in the plane: requests appear one by one, and one server moves to each."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class ServerMoves(SimpleTask):
    """Solution: the server that moves to each request. Distances are Manhattan distances and add up.

    A request at which a server stands is answered by the first such server: there is no choice, its entry is ignored.
    """

    name = "server_moves"
    title = "k servers in the plane, online"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the server that moves to `request`, one of `servers` (an array: 0, 1, ...). `positions` maps each "
        "server to its point (x, y), `travelled` to the distance moved so far; `past_requests` lists earlier points. "
        "Points come again and again, and later ones are unknown. The Manhattan distances of all moves together are "
        "to be small."
    )
    template = '''\
def choose_server(servers, request, positions, travelled, past_requests):
    """The server that has moved least so far."""
    return min(servers, key=lambda server: travelled[server])
'''
    alternatives = "servers"
    splits = make_splits(
        search={"count": 24, "servers": 4, "sites": 12, "requests": 80, "calls": 55},
        test={"count": 32, "servers": 4, "sites": 12, "requests": 80, "calls": 55},
        holdout={"count": 32, "servers": 6, "sites": 18, "requests": 120, "calls": 80},
    )
    probe_parameters = {"servers": 8, "sites": 20, "requests": 40}  # noqa: RUF012
    probe_feature_names = ("distance", "travelled", "next_server", "visits", "loss", "age", "x", "server")

    def draw(self, random, servers, sites, requests):
        """Sites, some asked for much more often; places int64 (sites, 2), requests (requests,), starts (servers,)."""
        places = random.randint(0, 100, (sites, 2))
        weights = random.exponential(1.0, sites) ** 2
        return {
            "places": places,
            "requests": random.choice(sites, requests, p=weights / weights.sum()),
            "starts": random.choice(sites, servers, replace=False),
        }

    def construct(self, program, instance):
        """One call a request at which no server stands; ids are an array, places pairs of Python ints."""
        places = [tuple(place) for place in instance["places"].tolist()]
        positions = {server: places[site] for server, site in enumerate(instance["starts"].tolist())}
        travelled, past, moves = dict.fromkeys(positions, 0), [], []
        for site in instance["requests"].tolist():
            request = places[site]
            if request in positions.values():
                moves.append(0)
            else:
                servers = np.arange(len(positions))
                server = int(self.ask(program, servers, request, dict(positions), dict(travelled), list(past)))
                travelled[server] += _distance(positions[server], request)
                positions[server] = request
                moves.append(server)
            past.append(request)
        return moves

    def objective(self, instance, solution):
        """Distance that all servers move. Raises `Infeasible` unless a server is named for each request."""
        places, total = instance["places"].tolist(), 0
        positions = [places[site] for site in instance["starts"].tolist()]
        requests = instance["requests"].tolist()
        for site, server in zip(requests, check_ids(solution, len(requests), len(positions))):
            if places[site] not in positions:
                total += _distance(positions[server], places[site])
                positions[server] = places[site]
        return float(total)

    def probe_features(self, choices, arguments):
        """Distance, distance moved so far, what leaving a place means: the next server, and how often it was asked."""
        positions, past = arguments["positions"], arguments["past_requests"]
        rows = []
        for server in choices:
            here = positions[server]
            others = min(_distance(here, place) for other, place in positions.items() if other != server)
            visits = past.count(here)
            ages = [age for age, place in enumerate(reversed(past)) if place == here]
            far = _distance(here, arguments["request"])
            age = ages[0] if ages else len(past)
            rows.append((far, arguments["travelled"][server], others, visits, visits * others, age, here[0], server))
        return np.array(rows)


def _distance(one, other):
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


TASK = ServerMoves()
