"""Sweeping drone: cells of a field are swept one by one; the battery forces returns to the base, which take time."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class SweepingDrone(SimpleTask):
    """Solution: the cells by their numbers, as they are swept, and the number of cells for each charge at the base.

    A step to a neighbouring cell and the sweeping of a cell take a minute each, from the clock and from the battery.
    """

    name = "sweeping_drone"
    title = "Sweeping drone with a limited battery, constructive"
    sense = "min"
    problem_class = "routing"
    description = (
        "Return the cell to fly to next, one of `options`: tuples (row, column), ascending, of the cells that can be "
        "swept so that the battery still lasts for the way back, and at last `base` unless the drone is there. It is "
        "at `drone` with `battery` minutes left of `full_battery`; `unswept` lists all cells still to be swept. A step "
        "along a row or column takes a minute, sweeping a cell too, charging at the base `charging_time`; the time "
        "until everything is swept and the drone is back is to be small."
    )
    template = '''\
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """Row by row, as far as the battery allows."""
    return options[0]
'''
    alternatives = "options"
    splits = make_splits(
        search={"count": 16, "side": 14, "cells": 45, "battery": 70, "charging_time": 20, "calls": 50},
        test={"count": 32, "side": 14, "cells": 45, "battery": 70, "charging_time": 20, "calls": 50},
        holdout={"count": 32, "side": 18, "cells": 60, "battery": 85, "charging_time": 30, "calls": 65},
    )
    probe_parameters = {"side": 7, "cells": 14, "battery": 32, "charging_time": 10}  # noqa: RUF012
    probe_feature_names = ("distance", "to_base", "battery_left", "crowd", "nearest_other", "row", "column", "is_base")

    def draw(self, random, side, cells, battery, charging_time):
        """Base and cells are different places of a square field, int64 rows and columns; no cell is out of reach."""
        places = np.argwhere(np.ones((side, side)))[random.permutation(side * side)[: cells + 1]]
        field = np.array(sorted(places[1:].tolist()))
        return {"base": places[0], "cells": field, "battery": battery, "charging_time": charging_time}

    def construct(self, program, instance):
        """A call wherever there is a choice; the program sees lists of tuples and Python ints."""
        base, cells = tuple(instance["base"].tolist()), [tuple(cell) for cell in instance["cells"].tolist()]
        full, charging_time = instance["battery"], instance["charging_time"]
        numbers, unswept, solution, drone, battery = {cell: n for n, cell in enumerate(cells)}, cells, [], base, full
        while unswept:
            options = [cell for cell in unswept if _steps(drone, cell) + 1 + _steps(cell, base) <= battery]
            if drone != base:
                options.append(base)
            cell = options[0]
            if len(options) > 1:
                given = drone, battery, full, charging_time, base, list(options), list(unswept)
                cell = self.ask(program, *given)
            battery = full if cell == base else battery - _steps(drone, cell) - 1
            unswept = [other for other in unswept if other != cell]
            solution.append(numbers.get(cell, len(cells)))
            drone = cell
        return solution

    def objective(self, instance, solution):
        """Minutes until the drone is back. Raises `Infeasible` for an empty battery, or cells missing or repeated."""
        base, cells, battery = instance["base"].tolist(), instance["cells"].tolist(), instance["battery"]
        if not len(cells) <= len(solution) <= 2 * len(cells):
            raise Infeasible(f"{len(solution)} entries, expected {len(cells)} to {2 * len(cells)}")
        minutes, drone, swept = 0, base, set()
        for entry in check_ids(solution, len(solution), len(cells) + 1):
            charges = entry == len(cells)
            if entry in swept:
                raise Infeasible(f"cell {entry} is swept twice")
            place = base if charges else cells[entry]
            spent = _steps(drone, place) + (not charges)
            battery -= spent
            if battery < _steps(place, base):
                raise Infeasible(f"the battery does not last for the way back from entry {entry}")
            minutes += spent + charges * instance["charging_time"]
            if charges:
                battery = instance["battery"]
            else:
                swept.add(entry)
            drone = place
        if len(swept) < len(cells):
            raise Infeasible(f"{len(cells) - len(swept)} cells are not swept")
        return float(minutes + _steps(drone, base))

    def probe_features(self, choices, arguments):
        """Ways, battery left for more than the way back, cells around, nearest other cell, row, column, kind."""
        drone, base, unswept = arguments["drone"], arguments["base"], arguments["unswept"]
        rows = []
        for cell in choices:
            ways = [_steps(cell, other) for other in unswept if other != cell]
            near, home = min(ways, default=0), _steps(cell, base)
            left = arguments["battery"] - _steps(drone, cell) - home
            rows.append((_steps(drone, cell), home, left, sum(way <= 2 for way in ways), near, *cell, cell == base))
        return np.array(rows, dtype=np.float64)


def _steps(one, other):
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


TASK = SweepingDrone()
