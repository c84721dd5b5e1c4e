"""Goods on their way: picking, batches, containers, vans."""

import math
import random
from collections import namedtuple

from .made import Made


def picking_route() -> Made:
    """A student of logistics: the order in which a picker visits the places of a list."""
    AISLE = 20

    def order_list(seed):
        rnd = random.Random(seed)
        return [(rnd.randrange(9), rnd.randrange(1, AISLE)) for _ in range(rnd.randint(14, 30))]

    lists = [order_list(s) for s in range(400)]

    def walk(a, b):
        if a[0] == b[0]:
            return abs(a[1] - b[1])
        return 3 * abs(a[0] - b[0]) + min(a[1] + b[1], 2 * AISLE - a[1] - b[1])

    def objective(route):
        metres = 0
        for picks in lists:
            order = list(route(picks[:], AISLE))
            if sorted(order) != list(range(len(picks))):
                raise ValueError("every pick exactly once, please")
            here = (0, 0)
            for k in order:
                metres += walk(here, picks[k])
                here = picks[k]
            metres += walk(here, (0, 0))
        return float(metres)

    template = """
def route(picks, aisle_length):
    return sorted(range(len(picks)), key=lambda k: (picks[k][0], picks[k][1]))
"""
    return objective, template, "min"


def order_batching() -> Made:
    """A shift leader in a warehouse: orders in batches; the rule empties the dictionary that it gets."""

    def day(seed):
        rnd = random.Random(seed + 50)
        orders = {}
        for k in range(40):
            zone = rnd.randrange(12)
            aisles = {(zone + rnd.randrange(4)) % 12 for _ in range(rnd.randint(1, 4))} | (
                {rnd.randrange(12)} if rnd.random() < 0.3 else set()
            )
            orders[f"o{k}"] = (aisles, rnd.randint(2, 12))
        return orders

    days = [day(s) for s in range(150)]

    def objective(make_batches):
        total = 0.0
        for orders in days:
            batches = make_batches({k: (set(a), w) for k, (a, w) in orders.items()}, 30)
            if sorted(o for b in batches for o in b) != sorted(orders):
                return math.inf
            for batch in batches:
                if sum(orders[o][1] for o in batch) > 30:
                    return math.inf
                if batch:
                    total += 4 + 3 * len(set().union(*(orders[o][0] for o in batch)))
        return total / len(days)

    template = """
def make_batches(orders, capacity):
    batches = []
    while orders:
        batch, room, visited = [], capacity, set()
        fitting = list(orders)
        while fitting:
            order = fitting[0]
            aisles, weight = orders.pop(order)
            batch.append(order)
            visited |= aisles
            room -= weight
            fitting = [o for o in orders if orders[o][1] <= room]
        batches.append(batch)
    return batches
"""
    return objective, template, "min"


def container_yard() -> Made:
    """The operator of a terminal: the stack that a container is put on, so that few are moved again."""

    def ship_plan(seed):
        rnd = random.Random(seed)
        events, n = [], 90
        for k in range(n):
            arrive = rnd.uniform(0, 100)
            leave = arrive + rnd.expovariate(1 / 22) + 0.5
            events += [(arrive, "in", k, leave), (leave, "out", k, leave)]
        return sorted(events)

    plans = [ship_plan(s) for s in range(24)]

    def objective(choose_stack):
        moves = 0
        for events in plans:
            stacks = [[] for _ in range(8)]

            # `stacks` is an argument: the name is another list for the next ship.
            def put(leave, forbidden=None, stacks=stacks):
                free = [k for k, s in enumerate(stacks) if len(s) < 5 and k != forbidden]
                k = choose_stack(leave, [list(s) for s in stacks], free)
                if k not in free:
                    raise ValueError("stack is full")
                stacks[k].append(leave)

            for _, kind, _, leave in events:
                if kind == "in":
                    if sum(map(len, stacks)) < 34:
                        put(leave)
                    continue
                home = [k for k, s in enumerate(stacks) if leave in s]
                if not home:
                    continue
                while stacks[home[0]][-1] != leave:
                    moves += 1
                    put(stacks[home[0]].pop(), home[0])
                stacks[home[0]].pop()
        return moves

    template = """
import numpy as np

def choose_stack(leave, stacks, free):
    heights = [len(stacks[k]) for k in free]
    return free[np.argmin(heights)]
"""
    return objective, template, "min"


Stop = namedtuple("Stop", ["x", "y", "parcels"])


def van_routes() -> Made:
    """A delivery company: routes of vans; the objective clears the list of stops that it gave."""

    def town(n):
        rnd = random.Random(n)
        return [Stop(rnd.gauss(0, 12), rnd.gauss(0, 12), rnd.randint(1, 9)) for _ in range(n)]

    towns = [town(n) for n in (5, 6, 9, 14, 25, 40, 70, 110, 200)]

    def objective(routes):
        km = 0.0
        for stops in towns:
            mine = list(stops)
            answer = [list(r) for r in routes(mine, 40)]
            mine.clear()  # careless: the list it was given is gone now
            if sorted(k for r in answer for k in r) != list(range(len(stops))):
                raise ValueError("forgot somebody")
            for r in answer:
                if sum(stops[k].parcels for k in r) > 40:
                    raise ValueError("van too full")
                here = (0.0, 0.0)
                for k in [*r, None]:
                    there = (0.0, 0.0) if k is None else (stops[k].x, stops[k].y)
                    km += math.dist(here, there)
                    here = there
        return km

    template = """
from math import hypot

def routes(stops, capacity):
    todo = set(range(len(stops)))
    result = []
    while todo:
        route, load, x, y = [], 0, 0.0, 0.0
        while True:
            able = [k for k in todo if load + stops[k].parcels <= capacity]
            if not able:
                break
            k = min(able, key=lambda k: hypot(stops[k].x - x, stops[k].y - y))
            route.append(k)
            todo.discard(k)
            load += stops[k].parcels
            x, y = stops[k].x, stops[k].y
        result.append(route)
    return result
"""
    return objective, template, "min"
