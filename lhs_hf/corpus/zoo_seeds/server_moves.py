"""Seed programs for `server_moves`: one complete program a cell, named after its idea."""


# %% farthest_server
def choose_server(servers, request, positions, travelled, past_requests):
    """The server that is farthest away."""
    x, y = request
    return max(servers, key=lambda s: abs(positions[s][0] - x) + abs(positions[s][1] - y))


# %% first_server
def choose_server(servers, request, positions, travelled, past_requests):
    """One server does all the work."""
    return servers[0]


# %% random_server
import random


def choose_server(servers, request, positions, travelled, past_requests):
    """Any server, from a generator seeded with the request and its number."""
    rng = random.Random(len(past_requests) * 10007 + request[0] * 101 + request[1])
    return rng.choice(servers)


# %% round_robin
def choose_server(servers, request, positions, travelled, past_requests):
    """The servers take turns, request by request."""
    return servers[len(past_requests) % len(servers)]


# %% nearest_server
def choose_server(servers, request, positions, travelled, past_requests):
    """The server that is nearest to the request; the one that moved less on ties."""
    best, shortest = None, None
    for server in servers:
        x, y = positions[server]
        key = (abs(x - request[0]) + abs(y - request[1]), travelled[server])
        if shortest is None or key < shortest:
            best, shortest = server, key
    return best


# %% balance
def choose_server(servers, request, positions, travelled, past_requests):
    """BALANCE: the distance moved so far and the way to the request together are to be least."""

    def total(server):
        x, y = positions[server]
        return travelled[server] + abs(x - request[0]) + abs(y - request[1])

    return min(servers, key=total)


# %% slight_balance
def choose_server(servers, request, positions, travelled, past_requests):
    """Nearest server with a tenth of the distance moved so far added."""
    scores = {}
    for server in servers:
        dx = positions[server][0] - request[0]
        dy = positions[server][1] - request[1]
        scores[server] = abs(dx) + abs(dy) + 0.1 * travelled[server]
    return min(scores, key=scores.get)


# %% harmonic
import random


def choose_server(servers, request, positions, travelled, past_requests):
    """HARMONIC: each server with a probability that falls with its distance, seeded with the number of requests."""
    inverse = []
    for server in servers:
        inverse.append(1.0 / (abs(positions[server][0] - request[0]) + abs(positions[server][1] - request[1])))
    return random.Random(len(past_requests)).choices(servers, weights=inverse)[0]


# %% least_recently_asked
def choose_server(servers, request, positions, travelled, past_requests):
    """The server whose place was asked for longest ago, as in paging."""
    backwards = past_requests[::-1]

    def age(server):
        place = positions[server]
        return backwards.index(place) if place in backwards else len(backwards)

    return max(servers, key=age)


# %% least_asked_place
from collections import Counter


def choose_server(servers, request, positions, travelled, past_requests):
    """The server whose place was asked for least often; among equals the nearest."""
    asked = Counter(past_requests)
    x, y = request
    return min(servers, key=lambda s: (asked[positions[s]], abs(positions[s][0] - x) + abs(positions[s][1] - y)))


# %% crowded_corner
def choose_server(servers, request, positions, travelled, past_requests):
    """Half the way to the request plus the way to the next other server: who leaves no gap moves."""

    def way(a, b):
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def score(server):
        here = positions[server]
        cover = min((way(here, positions[o]) for o in servers if o != server), default=0)
        return way(here, request) + 0.5 * cover

    return min(servers, key=score)


# %% distance_times_visits
def choose_server(servers, request, positions, travelled, past_requests):
    """Distance times one more than the number of times the server's place was asked for, with a root."""
    scores = []
    for server in servers:
        here = positions[server]
        distance = abs(here[0] - request[0]) + abs(here[1] - request[1])
        scores.append(distance * (1 + past_requests.count(here)) ** 0.5)
    return servers[scores.index(min(scores))]


# %% expected_return
def choose_server(servers, request, positions, travelled, past_requests):
    """Distance plus the expected cost of coming back: share of requests at the place times the next server's way."""
    recent = past_requests[-30:]

    def way(a, b):
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    best, lowest = servers[0], float("inf")
    for server in servers:
        here = positions[server]
        others = [positions[other] for other in servers if other != server] + [request]
        back = min(way(here, place) for place in others)
        score = way(here, request) + 4.0 * back * recent.count(here) / (len(recent) + 1)
        if score < lowest:
            best, lowest = server, score
    return best


# %% median_of_the_past
import numpy as np


def choose_server(servers, request, positions, travelled, past_requests):
    """Distance plus a few times the mean distance from all past requests to the servers after the move."""
    past = np.array([*past_requests, request])
    points = np.array([positions[server] for server in servers])
    ways = np.abs(past[:, None, :] - points[None, :, :]).sum(axis=2)
    to_request = np.abs(past - np.array(request)).sum(axis=1)
    scores = []
    for place in range(len(servers)):
        after = ways.copy()
        after[:, place] = to_request
        scores.append(ways[-1, place] + 6.0 * after.min(axis=1).mean())
    return servers[int(np.argmin(scores))]


# %% two_requests_ahead
from collections import Counter


def choose_server(servers, request, positions, travelled, past_requests):
    """Distance plus the expected way of nearest servers to the next two requests, drawn like the past ones."""
    asked = Counter(past_requests).most_common(8)
    total = sum(times for _, times in asked) or 1

    def way(a, b):
        return abs(a[0] - b[0]) + abs(a[1] - b[1])

    def expected(points, depth):
        cost = 0.0
        for place, times in asked:
            nearest = min(range(len(points)), key=lambda i: way(points[i], place))
            step = way(points[nearest], place)
            if depth > 1:
                step += expected([place if i == nearest else p for i, p in enumerate(points)], depth - 1)
            cost += times / total * step
        return cost

    def score(server):
        points = [request if other == server else positions[other] for other in servers]
        return way(positions[server], request) + 2.0 * expected(points, 2)

    return min(servers, key=score)


# %% work_function
import itertools

import numpy as np


def choose_server(servers, request, positions, travelled, past_requests):
    """The work function algorithm for the last sixty requests, restricted to occupied and much asked places."""
    recent, here = past_requests[-60:], [positions[server] for server in servers]
    places = list(dict.fromkeys([*here, request]))
    often = sorted(set(recent) - set(places), key=lambda place: (-recent.count(place), place))
    places += often[: max(0, 8 - len(places))]
    ways = np.array([[abs(a[0] - b[0]) + abs(a[1] - b[1]) for b in places] for a in places])
    groups = list(itertools.combinations(range(len(places)), len(set(here))))
    number = {frozenset(group): place for place, group in enumerate(groups)}
    table = {}
    for r in range(len(places)):
        after, cost = [], []
        for group in groups:
            there = r in group
            after.append([number[frozenset(group) if there else frozenset(group) - {x} | {r}] for x in group])
            cost.append([0 if there else ways[x, r] for x in group])
        table[r] = np.array(after), np.array(cost)
    work = np.zeros(len(groups))
    for place in [*recent, request]:
        if place in places:
            after, cost = table[places.index(place)]
            work = (work[after] + cost).min(axis=1)
    now, target = frozenset(places.index(place) for place in here), places.index(request)

    def value(server):
        x = places.index(positions[server])
        return work[number[now - {x} | {target}]] + ways[x, target]

    return min(servers, key=value) if len(now) == len(here) else servers[0]


# %% replayed_past
def choose_server(servers, request, positions, travelled, past_requests):
    """Move each server in turn and let nearest servers answer the last twenty requests again."""
    best, lowest = None, float("inf")
    for server in servers:
        x, y = positions[server]
        cost = abs(x - request[0]) + abs(y - request[1])
        points = [request if other == server else positions[other] for other in servers]
        for a, b in past_requests[-20:]:
            ways = [abs(p - a) + abs(q - b) for p, q in points]
            near = min(ways)
            points[ways.index(near)] = (a, b)
            cost += 0.5 * near
        if cost < lowest:
            best, lowest = server, cost
    return best
