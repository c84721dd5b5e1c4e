"""Bike rebalancing: a truck carries bikes from full stations to empty ones, as far as its drive time reaches."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class BikeRebalancing(SimpleTask):
    """Solution: the stations in the order of the visits. The truck starts at station 0, empty, and ends anywhere.

    At a station with spare bikes it takes as many as fit, at one that lacks bikes it leaves as many as it has.
    """

    name = "bike_rebalancing"
    title = "Bike rebalancing with one truck, within a drive time"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return an array with one score for each station of `in_reach` (a numpy array of ids, ascending: those that "
        "can be reached in the `minutes_left` and where bikes can be moved); the truck at `truck_station` drives to "
        "the highest. `spare_bikes[s]` is how many bikes station s has too many, negative if it lacks some; the truck "
        "takes as many as fit, or leaves as many as are lacking. It has `bikes_aboard` of at most `truck_size`. "
        "`drive_minutes[a, b]` is for the drive from a to b and the stop. In the end few bikes are to be lacking."
    )
    template = '''\
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """The nearest station where there is something to do."""
    return -drive_minutes[truck_station, in_reach]
'''
    answers = "scores"
    alternatives = "in_reach"
    splits = make_splits(
        search={"count": 16, "stations": 24, "truck_size": 16, "minutes": 180, "calls": 20},
        test={"count": 32, "stations": 24, "truck_size": 16, "minutes": 180, "calls": 20},
        holdout={"count": 32, "stations": 36, "truck_size": 20, "minutes": 240, "calls": 30},
    )
    probe_parameters = {"stations": 13, "truck_size": 12, "minutes": 90}  # noqa: RUF012
    probe_feature_names = ("minutes", "moved", "moved_a_minute", "is_drop", "spare_bikes", "aboard", "crowd", "left")

    def draw(self, random, stations, truck_size, minutes):
        """Spare bikes -9 to 12, fewer at the right of the town, int64 (stations,); minutes with 2 for a stop, int64."""
        places = random.randint(0, 41, (stations, 2))
        steps = places[:, None] - places[None]
        drive = np.ceil(np.hypot(steps[..., 0], steps[..., 1])).astype(np.int64) + 2
        np.fill_diagonal(drive, 0)
        lacks = random.rand(stations) < np.where(places[:, 0] > 20, 0.75, 0.4)
        spare = np.where(lacks, -random.randint(1, 10, stations), random.randint(1, 13, stations))
        return {"spare": spare, "drive": drive, "truck_size": truck_size, "minutes": minutes}

    def construct(self, program, instance):
        """A call wherever there is a choice, until no bike can be moved; the program sees copies of the arrays."""
        spare, drive, size = instance["spare"].tolist(), instance["drive"], instance["truck_size"]
        here, aboard, left, visits = 0, 0, instance["minutes"], []
        while reach := _reach(spare, drive[here].tolist(), aboard, size, left):
            station = reach[0]
            if len(reach) > 1:
                given = here, np.array(reach), np.array(spare), aboard, size, left, drive.copy()
                station = int(self.ask(program, *given))
            moved = _moved(spare[station], aboard, size)
            left -= int(drive[here, station])
            spare[station] -= moved
            here, aboard = station, aboard + moved
            visits.append(station)
        return visits

    def objective(self, instance, solution):
        """Bikes lacking. Raises `Infeasible` for a visit too late or to no use, or if one more was possible."""
        spare, drive, left = instance["spare"].tolist(), instance["drive"].tolist(), instance["minutes"]
        here, aboard, size = 0, 0, instance["truck_size"]
        for visit, station in enumerate(check_ids(solution, len(solution), len(spare))):
            left -= drive[here][station]
            if left < 0:
                raise Infeasible(f"visit {visit}, of station {station}, exceeds the drive time by {-left}")
            moved = _moved(spare[station], aboard, size)
            if moved == 0:
                raise Infeasible(f"visit {visit}, of station {station}, moves no bike")
            spare[station] -= moved
            here, aboard = station, aboard + moved
        if reach := _reach(spare, drive[here], aboard, size, left):
            raise Infeasible(f"bikes can still be moved at station {reach[0]} after {len(solution)} visits")
        return float(sum(-bikes for bikes in spare if bikes < 0))

    def probe_features(self, choices, arguments):
        """Minutes, bikes moved, also a minute, kind, spare bikes, load after it, bikes lacking near by, time left."""
        spare, drive, aboard = arguments["spare_bikes"], arguments["drive_minutes"], arguments["bikes_aboard"]
        rows = []
        for station in choices:
            moved = _moved(int(spare[station]), aboard, arguments["truck_size"])
            minutes = drive[arguments["truck_station"], station]
            crowd = sum(-spare[other] / (3 + drive[station, other]) for other in range(len(spare)) if spare[other] < 0)
            left, rate = arguments["minutes_left"] - minutes, abs(moved) / (1 + minutes)
            rows.append((minutes, abs(moved), rate, moved < 0, spare[station], aboard + moved, crowd, left))
        return np.array(rows, dtype=float)


def _moved(spare, aboard, size):
    """Bikes taken at a station, negative if they are left there."""
    return min(spare, size - aboard) if spare > 0 else -min(-spare, aboard)


def _reach(spare, minutes, aboard, size, left):
    """Stations where bikes can be moved and that a drive reaches in the time left."""
    return [s for s, bikes in enumerate(spare) if _moved(bikes, aboard, size) and minutes[s] <= left]


TASK = BikeRebalancing()
