"""Pickup and delivery: one vehicle of limited capacity carries every request from its pickup to its delivery."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class PickupDelivery(SimpleTask):
    """Solution: all stops in order; entry 2 r is the pickup of request r (place 2 r + 1), 2 r + 1 its delivery."""

    name = "pickup_delivery"
    title = "Single-vehicle pickup and delivery, constructive"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the next move of the vehicle, one of `moves`: a list of pairs (request, place), one for every delivery "
        "of what is on board and one for every pickup that still fits, ascending. `orders` maps each request to its "
        "tuple (pickup place, delivery place, size); `load` of `capacity` is on board. `travel[a][b]` is the distance "
        "of two places; the vehicle is at `position` and ends where it began, at place 0. Its route is to be short."
    )
    template = '''\
def choose_move(position, load, capacity, moves, orders, travel):
    """The nearest delivery if something is on board, else the nearest pickup."""
    return min(moves, key=lambda move: (move[1] != orders[move[0]][1], travel[position, move[1]]))
'''
    alternatives = "moves"
    splits = make_splits(
        search={"count": 16, "requests": 12, "capacity": 10, "calls": 23},
        test={"count": 32, "requests": 12, "capacity": 10, "calls": 23},
        holdout={"count": 32, "requests": 18, "capacity": 14, "calls": 35},
    )
    probe_parameters = {"requests": 8, "capacity": 12}  # noqa: RUF012
    probe_feature_names = ("travel", "is_delivery", "size", "own_trip", "to_others", "nearest_other", "to_depot", "id")

    def draw(self, random, requests, capacity):
        """Places in a square of side 100, distances rounded, int64; sizes 1 to half the capacity, int64."""
        places = random.randint(0, 101, (2 * requests + 1, 2))
        steps = places[:, None] - places[None]
        travel = np.rint(np.hypot(steps[..., 0], steps[..., 1])).astype(np.int64)
        return {"travel": travel, "sizes": random.randint(1, capacity // 2 + 1, requests), "capacity": capacity}

    def construct(self, program, instance):
        """One call a stop but for the last, which is forced; the program sees a matrix copy and Python ints."""
        travel, sizes, capacity = instance["travel"], instance["sizes"].tolist(), instance["capacity"]
        orders = {request: (2 * request + 1, 2 * request + 2, size) for request, size in enumerate(sizes)}
        waiting, aboard, route, load = set(orders), set(), [0], 0
        while waiting or aboard:
            moves = [(request, orders[request][1]) for request in aboard]
            moves += [(request, orders[request][0]) for request in waiting if load + sizes[request] <= capacity]
            moves.sort()
            if len(waiting) + len(aboard) > 1:
                open_orders = {request: orders[request] for request in sorted(waiting | aboard)}
                move = self.ask(program, route[-1], load, capacity, list(moves), open_orders, travel.copy())
            else:
                move = moves[0]
            request, place = move
            if request in waiting:
                waiting.remove(request)
                aboard.add(request)
                load += sizes[request]
            else:
                aboard.remove(request)
                load -= sizes[request]
            route.append(place)
        return [place - 1 for place in route[1:]]

    def objective(self, instance, solution):
        """Length of the closed route. Raises `Infeasible` for a delivery before its pickup or too high a load."""
        travel, sizes, load, here, length = instance["travel"], instance["sizes"].tolist(), 0, 0, 0
        aboard = set()
        for entry in check_permutation(solution, 2 * len(sizes)):
            request, delivers = divmod(entry, 2)
            if delivers and request not in aboard:
                raise Infeasible(f"request {request} is delivered before it is picked up")
            aboard.add(request)
            load += -sizes[request] if delivers else sizes[request]
            if load > instance["capacity"]:
                raise Infeasible(f"a load of {load} at the pickup of request {request} exceeds the capacity")
            length += travel[here, entry + 1]
            here = entry + 1
        return float(length + travel[here, 0])

    def probe_features(self, choices, arguments):
        """Way, kind, size, way between pickup and delivery, ways to other places, id."""
        travel, orders, position = arguments["travel"], arguments["orders"], arguments["position"]
        rows = []
        for request, place in choices:
            pickup, delivery, size = orders[request]
            others = [travel[place, other] for _, other in choices if other != place]
            ways = travel[position, place], place == delivery, size, travel[pickup, delivery]
            rows.append((*ways, np.mean(others), min(others), travel[place, 0], request))
        return np.array(rows, dtype=np.float64)


TASK = PickupDelivery()
