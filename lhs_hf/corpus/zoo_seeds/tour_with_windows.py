"""Seed programs for `tour_with_windows`: one complete program a cell, named after its idea."""


# %% latest_window_first
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """The wrong way round: the stop whose window closes last."""
    return max(pending, key=lambda stop: windows[stop][1])


# %% shuffled
import random


def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Any stop, drawn by a generator that is seeded with place and time."""
    return random.Random(1000 * clock + here).choice(pending)


# %% nearest
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """The nearest stop; windows are ignored."""
    return min(pending, key=lambda stop: travel[here][stop])


# %% earliest_closing
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """The window that closes first, the nearer stop on ties."""
    return min(pending, key=lambda stop: (windows[stop][1], travel[here][stop]))


# %% middle_of_window
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Order the stops by the middle of their windows."""
    best, best_middle = pending[0], float("inf")
    for stop in pending:
        opens, closes = windows[stop]
        if (opens + closes) / 2 < best_middle:
            best, best_middle = stop, (opens + closes) / 2
    return best


# %% earliest_service
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """The stop that can be served first, waiting included; the shorter window on ties."""

    def key(stop):
        opens, closes = windows[stop]
        return max(clock + travel[here][stop], opens), closes - opens

    return min(pending, key=key)


# %% least_slack
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """The least time between arrival and closing, among stops that can still be reached in time if there are any."""
    slack = {stop: windows[stop][1] - clock - travel[here][stop] for stop in pending}
    reachable = [stop for stop in pending if slack[stop] >= 0]
    return min(reachable or pending, key=slack.get)


# %% nearest_open
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """The nearest of the stops whose window is open at arrival, otherwise the one that opens soonest."""
    open_now = []
    for stop in pending:
        opens, closes = windows[stop]
        if opens <= clock + travel[here][stop] <= closes:
            open_now.append(stop)
    if open_now:
        return min(open_now, key=lambda stop: travel[here][stop])
    return min(pending, key=lambda stop: abs(windows[stop][0] - clock - travel[here][stop]))


# %% weighted_sum
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Solomon's mixture: way, time until service begins and urgency, added with weights."""
    best, best_value = None, 1e18
    for stop in pending:
        way = travel[here][stop]
        begin = max(clock + way, windows[stop][0])
        urgency = windows[stop][1] - clock - way
        value = 0.4 * way + 0.4 * (begin - clock) + 0.2 * urgency
        if value < best_value:
            best, best_value = stop, value
    return best


# %% way_plus_closing
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Way plus half the closing time: near stops first, as long as nothing closes much earlier."""
    return min(pending, key=lambda stop: travel[here][stop] + 0.5 * windows[stop][1])


# %% give_up_the_late
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Stops that are late anyway can stay late: serve the others by way and closing time, the late ones when near."""
    on_time = [stop for stop in pending if clock + travel[here][stop] <= windows[stop][1]]
    near = [stop for stop in pending if travel[here][stop] <= 8]
    if near:
        return min(near, key=lambda stop: windows[stop][1])
    return min(on_time or pending, key=lambda stop: 1.5 * travel[here][stop] + windows[stop][1])


# %% lateness_of_the_others
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Way to the stop, its lateness, and the lateness all others would have if each were visited right afterwards."""

    def cost(stop):
        arrival = clock + travel[here][stop]
        leave = max(arrival, windows[stop][0])
        late = max(0, arrival - windows[stop][1])
        for other in pending:
            if other != stop:
                late += max(0, leave + travel[stop][other] - windows[other][1])
        return travel[here][stop] + late_cost * late

    return min(pending, key=lambda stop: (cost(stop), windows[stop][1]))


# %% regret_of_waiting
import numpy as np


def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Lateness that the others gain because this stop comes first, against the lateness this stop gains if another
    does; the best balance, with the way as a charge."""
    ids = np.array(pending)
    ways = np.array(travel)
    opens, closes = np.array(windows).T
    arrival = clock + ways[here, ids]
    leave = np.maximum(arrival, opens[ids])
    then = leave[:, None] + ways[np.ix_(ids, ids)] - closes[ids]
    direct = np.maximum(arrival - closes[ids], 0)
    harm = np.maximum(then, 0) - direct[None, :]
    np.fill_diagonal(harm, 0)
    balance = ways[here, ids] + 0.3 * (leave - arrival) + late_cost * (harm.sum(axis=1) - harm.mean(axis=0)) / 3
    return pending[int(np.argmin(balance))]


# %% greedy_rollout
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Try every stop, go on from it by way, waiting and closing time, and keep the one whose whole tour is cheapest."""
    best, best_cost = None, float("inf")
    for first in pending:
        place, time, cost, left = here, clock, 0, list(pending)
        stop = first
        while True:
            arrival = time + travel[place][stop]
            cost += travel[place][stop] + late_cost * max(0, arrival - windows[stop][1])
            time, place = max(arrival, windows[stop][0]), stop
            left.remove(stop)
            if not left:
                break
            row = travel[place]
            stop = min(left, key=lambda s: row[s] + 0.4 * max(0, windows[s][0] - time - row[s]) + 0.2 * windows[s][1])
        cost += travel[place][0]
        if cost < best_cost:
            best, best_cost = first, cost
    return best


# %% insertion_by_closing
def choose_stop(here, clock, pending, travel, windows, late_cost):
    """Insert the stops by closing time, each where the tour so far grows least in cost, and begin with the first."""

    def cost(tour):
        place, time, total = here, clock, 0
        for stop in tour:
            way = travel[place][stop]
            total += way + late_cost * max(0, time + way - windows[stop][1])
            time, place = max(time + way, windows[stop][0]), stop
        return total + travel[place][0]

    tour = []
    for stop in sorted(pending, key=lambda s: windows[s][1]):
        tour = min((tour[:i] + [stop] + tour[i:] for i in range(len(tour) + 1)), key=cost)
    return tour[0]
