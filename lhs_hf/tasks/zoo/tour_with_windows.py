"""Travelling salesman with time windows: one vehicle, waiting allowed, every unit of lateness costs."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class TourWithWindows(SimpleTask):
    """Solution: all stops in order, stop i is place i + 1. The tour starts at place 0 at time 0 and returns to it."""

    name = "tour_with_windows"
    title = "Travelling salesman with time windows, constructive"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the stop to visit next, one of `pending` (a list, ascending). The vehicle is at `here` at time "
        "`clock`; `travel[a][b]` is the time from place a to place b (place 0 is the depot), `windows[p]` the list "
        "[opens, closes] of a place. A vehicle that is early waits until the window opens; one that is late serves at "
        "once, and each unit of time that it comes after closing costs `late_cost`. All travel times, the way back "
        "included, plus the cost of lateness are to be as small as possible; waiting is free."
    )
    template = '''\
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """The stop whose window opens first."""
    return min(pending, key=lambda stop: windows[stop][0])
'''
    alternatives = "pending"
    splits = make_splits(
        search={"count": 16, "stops": 20, "horizon": 1000, "late_cost": 1, "calls": 19},
        test={"count": 32, "stops": 20, "horizon": 1000, "late_cost": 1, "calls": 19},
        holdout={"count": 32, "stops": 30, "horizon": 1500, "late_cost": 2, "calls": 29},
    )
    probe_parameters = {"stops": 10, "horizon": 500, "late_cost": 1}  # noqa: RUF012
    probe_feature_names = ("travel", "opens", "closes", "waiting", "lateness", "slack", "onward", "stop")

    def draw(self, random, stops, horizon, late_cost):
        """Places in a square of side 100, times rounded, int64; windows int64 (stops + 1, 2), 40 to 240 long."""
        places = random.randint(0, 101, (stops + 1, 2))
        steps = places[:, None] - places[None]
        opens = random.randint(0, horizon + 1, stops + 1)
        windows = np.column_stack([opens, opens + random.randint(40, 241, stops + 1)])
        windows[0] = 0, 10 * horizon
        travel = np.rint(np.hypot(steps[..., 0], steps[..., 1])).astype(np.int64)
        return {"travel": travel, "windows": windows, "late_cost": late_cost}

    def construct(self, program, instance):
        """One call a stop but for the last, which is forced; the program sees nested lists of Python ints."""
        travel, windows, late_cost = instance["travel"].tolist(), instance["windows"].tolist(), instance["late_cost"]
        pending, tour, here, clock = list(range(1, len(travel))), [], 0, 0
        while len(pending) > 1:
            copies = [list(row) for row in travel], [list(window) for window in windows]
            stop = self.ask(program, here, clock, list(pending), *copies, late_cost)
            pending.remove(stop)
            tour.append(stop)
            clock = max(clock + travel[here][stop], windows[stop][0])
            here = stop
        return [stop - 1 for stop in [*tour, *pending]]

    def objective(self, instance, solution):
        """Time on the way plus `late_cost` times the lateness of all stops. Raises `Infeasible` for no permutation."""
        travel, windows = instance["travel"].tolist(), instance["windows"].tolist()
        here = clock = moving = late = 0
        for entry in check_permutation(solution, len(travel) - 1):
            stop = entry + 1
            moving += travel[here][stop]
            arrival = clock + travel[here][stop]
            late += max(0, arrival - windows[stop][1])
            here, clock = stop, max(arrival, windows[stop][0])
        return float(moving + travel[here][0] + instance["late_cost"] * late)

    def probe_features(self, choices, arguments):
        """Way, window, what waiting and lateness a stop would mean, slack, way onward to the nearest other, id."""
        travel, windows = arguments["travel"], arguments["windows"]
        rows = []
        for stop in choices:
            way, (opens, closes) = travel[arguments["here"]][stop], windows[stop]
            arrival = arguments["clock"] + way
            onward = min(travel[stop][other] for other in choices if other != stop)
            late = max(0, arrival - closes)
            rows.append((way, opens, closes, max(0, opens - arrival), late, closes - arrival, onward, stop))
        return np.array(rows)


TASK = TourWithWindows()
