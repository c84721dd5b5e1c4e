"""Seed programs for `sweeping_drone`: one complete program a cell, named after its idea."""


# %% one_cell_a_flight
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """Return to the base after every cell."""
    return options[-1]


# %% farthest_away
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """Anti-greedy: the place with the longest way."""
    return max(options, key=lambda cell: abs(cell[0] - drone[0]) + abs(cell[1] - drone[1]))


# %% drifting
import random


def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """A random cell, from a generator seeded with place and battery; the base only if nothing else is left."""
    rng = random.Random(drone[0] + 100 * drone[1] + 10000 * battery)
    cells = [cell for cell in options if cell != base]
    return rng.choice(cells) if cells else base


# %% serpentine
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """Rows in order, even ones from left to right and odd ones back."""
    cells = [cell for cell in options if cell != base]
    return min(cells, key=lambda cell: (cell[0], cell[1] if cell[0] % 2 == 0 else -cell[1]))


# %% nearest_cell
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """The nearest cell that the battery allows; the base when none is left."""
    best, shortest = base, float("inf")
    for row, column in options:
        way = abs(row - drone[0]) + abs(column - drone[1])
        if (row, column) != base and way < shortest:
            best, shortest = (row, column), way
    return best


# %% nearest_but_home_in_time
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """The nearest cell, but home as soon as the next one is farther than the base is."""

    def way(cell):
        return abs(cell[0] - drone[0]) + abs(cell[1] - drone[1])

    cells = [cell for cell in options if cell != base]
    nearest = min(cells, key=way)
    if drone != base and way(nearest) > way(base) and battery < full_battery / 2:
        return base
    return nearest


# %% farthest_from_base_first
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """A flight begins at the cell farthest from the base and goes on with the nearest cells."""

    def way(one, other):
        return abs(one[0] - other[0]) + abs(one[1] - other[1])

    if drone == base:
        return max(options, key=lambda cell: way(cell, base))
    return min((cell for cell in options if cell != base), key=lambda cell: way(cell, drone))


# %% around_the_base
import math


def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """Sweep around the base like a clock hand: cells by their angle, near ones first."""

    def angle(cell):
        return round(math.atan2(cell[0] - base[0], cell[1] - base[1]), 1)

    cells = [cell for cell in options if cell != base]
    return min(cells, key=lambda cell: (angle(cell), abs(cell[0] - base[0]) + abs(cell[1] - base[1])))


# %% near_and_far_out
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """Way to the cell minus a third of its way to the base: near cells, those far out first."""
    best, best_value = None, 1e9
    for cell in options:
        way = abs(cell[0] - drone[0]) + abs(cell[1] - drone[1])
        home = abs(cell[0] - base[0]) + abs(cell[1] - base[1])
        value = way - home / 3 + (1000 if cell == base else 0)
        if value < best_value:
            best, best_value = cell, value
    return best


# %% out_and_back
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """With a full battery cells far from the base count as near, with a low one cells close to it."""
    level = 0.9 * battery / full_battery - 0.45

    def value(cell):
        way = abs(cell[0] - drone[0]) + abs(cell[1] - drone[1])
        return way - level * (abs(cell[0] - base[0]) + abs(cell[1] - base[1]))

    return min([cell for cell in options if cell != base], key=value)


# %% lonely_cells_on_the_way
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """The nearest cell, where a cell with few others within three steps looks a little nearer."""
    best, best_value = base, 1e9
    for r, c in options:
        if (r, c) == base:
            continue
        crowd = sum(1 for row, column in unswept if abs(row - r) + abs(column - c) <= 3) - 1
        value = abs(r - drone[0]) + abs(c - drone[1]) + 0.4 * min(crowd, 6)
        if value < best_value:
            best, best_value = (r, c), value
    return best


# %% toward_the_crowd
import numpy as np


def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """Way, divided by the root of the number of unswept cells around: dense patches first."""
    field = np.array(unswept)
    cells = np.array([cell for cell in options if cell != base])
    way = np.abs(cells - np.array(drone)).sum(axis=1)
    around = (np.abs(cells[:, None] - field[None]).sum(axis=2) <= 3).sum(axis=1)
    row, column = cells[int(np.argmin(way / np.sqrt(around)))]
    return int(row), int(column)


# %% two_steps_ahead
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """The way to a cell plus the way from it to the nearest other one, a little less for cells far from the base."""

    def way(one, other):
        return abs(one[0] - other[0]) + abs(one[1] - other[1])

    best, best_value = base, 1e9
    for cell in options:
        if cell == base:
            continue
        onward = min((way(cell, other) for other in unswept if other != cell), default=0)
        value = way(drone, cell) + 0.6 * onward - 0.1 * way(cell, base)
        if value < best_value:
            best, best_value = cell, value
    return best


# %% nearest_flights_in_thought
def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """For the six nearest cells, and the base, think all flights to the end with nearest cells; the quickest end
    decides."""

    def way(one, other):
        return abs(one[0] - other[0]) + abs(one[1] - other[1])

    home = {cell: way(cell, base) for cell in unswept}
    home[base] = 0
    best, best_time = options[0], float("inf")
    trials = sorted((cell for cell in options if cell != base), key=lambda cell: way(drone, cell))[:6]
    for first in trials + [base] * (drone != base and battery < full_battery / 2):
        here, power, time, left = drone, battery, 0, set(unswept)
        target = first
        while True:
            step = way(here, target) + (target != base)
            time, power, here = time + step, power - step, target
            left.discard(target)
            if target == base:
                time, power = time + charging_time, full_battery
            if not left:
                break
            ways = [(way(here, cell) - home[cell] / 3, cell) for cell in left if way(here, cell) + home[cell] < power]
            target = min(ways)[1] if ways else base
        if time + home[here] < best_time:
            best, best_time = first, time + home[here]
    return best


# %% sector_flight
import math


def fly_to(drone, battery, full_battery, charging_time, base, options, unswept):
    """Each flight serves one side of the base: near cells are preferred, cells in another direction than the drone
    are postponed, and far ones come before those close to the base."""

    def value(cell):
        way = abs(cell[0] - drone[0]) + abs(cell[1] - drone[1])
        home = abs(cell[0] - base[0]) + abs(cell[1] - base[1])
        if drone == base:
            return -home
        turn = math.atan2(cell[0] - base[0], cell[1] - base[1]) - math.atan2(drone[0] - base[0], drone[1] - base[1])
        return way + 1.5 * (1 - math.cos(turn)) - 0.3 * home

    return min([cell for cell in options if cell != base], key=value)
