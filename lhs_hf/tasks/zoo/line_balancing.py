"""Assembly line balancing: give operations to stations of one cycle time; few stations with even loads are better."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class LineBalancing(SimpleTask):
    """Solution: the station of each operation, from 0: not before a predecessor's, and not busy beyond the cycle."""

    name = "line_balancing"
    title = "Assembly line balancing, smooth loads"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return the priority of an operation that is ready: all that must precede it are placed. That of the highest "
        "priority is placed next, on ties at the current station rather than the next, then by number. It takes "
        "`duration` and goes to the current station if `opens` is 0, where `room` of the `cycle_time` is still free, "
        "or to the next one if `opens` is 1, and then the current one is closed and its `room` stays idle; what fits "
        "is offered both ways. `tail` is the total time of all operations that must come after it; tuples of durations "
        "are `freed`, of those that it makes ready at once, and `others`, of the other ready ones. `work_left` is the "
        "total time of all that are not placed, this one included. The sum over all stations of the square of the idle "
        "time is to be small: few stations, evenly loaded."
    )
    template = '''\
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Fill the current station in the order of the operations as long as one fits."""
    return -opens
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "operations": 26, "cycle_time": 60, "calls": 160},
        test={"count": 32, "operations": 26, "cycle_time": 60, "calls": 160},
        holdout={"count": 32, "operations": 40, "cycle_time": 80, "calls": 260},
    )
    probe_parameters = {"operations": 14, "cycle_time": 40}  # noqa: RUF012
    probe_feature_names = ("duration", "opens", "room_after", "tail", "frees", "rest_a_station", "best_fit", "weight")

    def draw(self, random, operations, cycle_time):
        """Durations int64 (operations,), pairs (earlier, later): each has up to 2 predecessors, of the 6 before it."""
        share = np.where(random.rand(operations) < 0.25, 0.3, 0.0) + random.uniform(0.05, 0.5, operations)
        pairs = set()
        for later in range(1, operations):
            number = random.randint(1, 3) * (random.rand() < 0.875)
            pairs |= {(int(earlier), later) for earlier in random.randint(max(0, later - 6), later, number)}
        durations = np.maximum(1, share * cycle_time).astype(np.int64)
        return {"durations": durations, "pairs": np.array(sorted(pairs)), "cycle_time": cycle_time}

    def construct(self, program, instance):
        """One decision an operation, unless there is but one; one call for each ready operation and way to place it."""
        durations, cycle_time = instance["durations"].tolist(), instance["cycle_time"]
        before, after = _relations(len(durations), instance["pairs"].tolist())
        stations, station, room = [-1] * len(durations), 0, cycle_time
        while -1 in stations:
            left = {number for number, place in enumerate(stations) if place < 0}
            ready = sorted(number for number in left if not before[number] & left)
            moves = [(number, 0) for number in ready if durations[number] <= room]
            moves += [(number, 1) for number in ready if room < cycle_time]
            calls = []
            for number, opens in moves:
                freed = [later for later in sorted(after[number]) if before[later] & left == {number}]
                sets = (freed, [other for other in ready if other != number])
                lists = (tuple(durations[each] for each in some) for some in sets)
                tail, work = (sum(durations[each] for each in some) for some in (after[number], left))
                calls.append((durations[number], opens, room, tail, *lists, work, cycle_time))
            number, opens = moves[self.ask_each(program, calls) if len(calls) > 1 else 0]
            station, room = (station + 1, cycle_time) if opens else (station, room)
            stations[number] = station
            room -= durations[number]
        return stations

    def objective(self, instance, solution):
        """Sum of squared idle times up to the last station. Raises `Infeasible` for order and overload."""
        durations, cycle_time = instance["durations"].tolist(), instance["cycle_time"]
        stations = check_ids(solution, len(durations), len(durations))
        for earlier, later in instance["pairs"].tolist():
            if stations[later] < stations[earlier]:
                raise Infeasible(f"operation {later} is at a station before that of its predecessor {earlier}")
        busy = np.bincount(stations, weights=durations).astype(np.int64).tolist()
        for station, time in enumerate(busy):
            if time > cycle_time:
                raise Infeasible(f"station {station} is busy for {time} of {cycle_time}")
        return float(sum((cycle_time - time) ** 2 for time in busy))

    def probe_features(self, choices, arguments):
        """Duration and way, room after it, work behind it, how even the rest can be, what could still fill the room."""
        rows = []
        for duration, opens, room, tail, freed, others, work, cycle_time in choices:
            after = (cycle_time if opens else room) - duration
            stations = max(1, -(-(work - duration - after) // cycle_time))
            fill = max((each for each in (*freed, *others) if each <= after), default=0)
            rest = (work - duration) / stations
            rows.append((duration, opens, after, tail, len(freed), rest, after - fill, duration + tail))
        return np.array(rows, dtype=float)


def _relations(count, pairs):
    """The sets of all operations before and of all after each one."""
    before = [set() for _ in range(count)]
    for earlier, later in sorted(pairs, key=lambda pair: pair[1]):
        before[later] |= before[earlier] | {earlier}
    return before, [{later for later in range(count) if number in before[later]} for number in range(count)]


TASK = LineBalancing()
