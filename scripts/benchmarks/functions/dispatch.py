"""Who comes next, and who serves: decisions one at a time, while time goes on."""

import heapq
import random
from collections import deque
from dataclasses import dataclass

import numpy as np

from .made import Made


def ambulance_dispatch() -> Made:
    """A planner of emergency services: the ambulance that goes to a call, by its id."""

    def shift(seed):
        rnd = random.Random(seed)
        stations = [(rnd.uniform(0, 12), rnd.uniform(0, 12)) for _ in range(7)]
        now, calls = 0.0, []
        for _ in range(120):
            now += rnd.expovariate(1 / 5.5)
            calls.append(
                {
                    "time": now,
                    "x": rnd.uniform(0, 12),
                    "y": rnd.uniform(0, 12),
                    "severity": rnd.choice([1, 1, 2, 4]),
                    "on_scene": rnd.uniform(8, 25),
                }
            )
        return stations, calls

    shifts = [shift(s) for s in range(25)]

    def objective(dispatch):
        total = weight = 0.0
        for stations, calls in shifts:
            units = [{"id": f"A{k}", "x": x, "y": y, "free_at": 0.0} for k, (x, y) in enumerate(stations)]
            for call in calls:
                chosen = dispatch(dict(call), [dict(u) for u in units])
                found = [u for u in units if u["id"] == chosen]
                if not found:
                    raise ValueError(f"no such unit: {chosen!r}")
                unit = found[0]
                drive = 1.5 * (abs(unit["x"] - call["x"]) + abs(unit["y"] - call["y"]))
                arrival = max(call["time"], unit["free_at"]) + drive
                total += call["severity"] * (arrival - call["time"])
                weight += call["severity"]
                unit["x"], unit["y"] = call["x"], call["y"]
                unit["free_at"] = arrival + call["on_scene"]
        return total / weight

    template = '''
def dispatch(call, units):
    """Send the ambulance that is free first."""
    return min(units, key=lambda u: u["free_at"])["id"]
'''
    return objective, template, "min"


@dataclass
class Server:
    name: str
    speed: float
    connections: int = 0
    backlog: float = 0.0


def load_balancer() -> Made:
    """A backend engineer: the server that a request goes to; the servers are objects that go on changing."""

    def traffic(seed):
        rnd = random.Random(100 + seed)
        return (
            [rnd.choice([1.0, 1.0, 2.0, 4.0]) for _ in range(8)],
            [(rnd.expovariate(1.0), min(40.0, rnd.paretovariate(1.5) * 1.3)) for _ in range(700)],
        )

    days = [traffic(s) for s in range(8)]

    def objective(pick):
        spent = []
        for speeds, requests in days:
            rate = sum(speeds) * 0.8 / 3.6
            servers = [Server(f"s{k}", v) for k, v in enumerate(speeds)]
            running = [deque() for _ in servers]
            now = 0.0
            for gap, size in requests:
                gap /= rate
                now += gap
                for server, ends in zip(servers, running):
                    server.backlog = max(0.0, server.backlog - gap * server.speed)
                    while ends and ends[0] <= now:
                        ends.popleft()
                    server.connections = len(ends)
                k = pick(servers, size)
                if k not in range(len(servers)):
                    raise ValueError(k)
                servers[k].backlog += size  # the caller's objects change after the answer
                took = servers[k].backlog / servers[k].speed
                running[k].append(now + took)
                spent.append(took)
        return float(np.mean(spent))

    template = """
def pick(servers, size):
    connections = [s.connections for s in servers]
    return connections.index(min(connections))
"""
    return objective, template, "min"


def callback_queue() -> Made:
    """The manager of a call centre: how urgent it is to call one waiting customer back."""

    def morning(seed):
        rnd = random.Random(7 * seed + 1)
        t, out = 0.0, []
        for _ in range(150):
            t += rnd.expovariate(1 / 1.5)
            out.append((t, rnd.uniform(2, 14), rnd.uniform(5, 90), float(int(rnd.lognormvariate(3, 0.8)))))
        return out

    mornings = [morning(s) for s in range(30)]

    def objective(urgency):
        earned = 0.0
        for customers in mornings:
            agents = [0.0] * 3
            heapq.heapify(agents)
            waiting, upcoming = [], deque(customers)
            while waiting or upcoming:
                now = heapq.heappop(agents)
                if not waiting and upcoming:
                    now = max(now, upcoming[0][0])
                while upcoming and upcoming[0][0] <= now:
                    waiting.append(upcoming.popleft())
                waiting = [c for c in waiting if c[0] + c[2] >= now]
                if not waiting:
                    heapq.heappush(agents, now)
                    continue
                scores = [float(urgency(now - c[0], c[1], c[2], c[3])) for c in waiting]
                if any(s != s for s in scores):
                    raise ValueError("nan")
                chosen = waiting.pop(scores.index(max(scores)))
                earned += chosen[3]
                heapq.heappush(agents, now + chosen[1])
        return earned / len(mornings)

    template = """
def urgency(waited, minutes, patience, revenue):
    # whoever waits longest is called back first
    return waited
"""
    return objective, template, "max"


def traffic_light() -> Made:
    """A traffic engineer: whether a crossing's lights change now, from the queues of its four arms."""

    def hour(seed):
        rng = np.random.default_rng(seed)
        rate = {"N": 0.08, "S": 0.1, "E": 0.32, "W": 0.18}
        return {
            d: [bool(v) for v in rng.random(900) < r * (1 + 0.7 * np.sin(np.arange(900) / 900 * 6.28 + seed))]
            for d, r in rate.items()
        }

    hours = [hour(s) for s in range(6)]

    def objective(switch):
        waited = cars = 0
        for arrivals in hours:
            queues = {d: deque() for d in "NSEW"}
            green, green_for, red_all = "NS", 0, 0
            for t in range(900):
                for d, q in queues.items():
                    if arrivals[d][t]:
                        q.append(t)
                        cars += 1
                if red_all:
                    red_all -= 1
                else:
                    if green_for >= 3:
                        answer = switch({d: deque(q) for d, q in queues.items()}, green, green_for, t)
                        if answer is None:
                            raise ValueError("True or False, not None")
                        if answer:
                            green, green_for, red_all = ("EW" if green == "NS" else "NS"), 0, 4
                    if not red_all:
                        green_for += 1
                        for d in green:
                            if queues[d] and t % 2 == 0:
                                queues[d].popleft()
                waited += sum(len(q) for q in queues.values())
        return waited / cars

    template = """
def switch(queues, green, green_for, now):
    return green_for >= 20
"""
    return objective, template, "min"
