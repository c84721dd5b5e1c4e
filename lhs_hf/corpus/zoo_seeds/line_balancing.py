"""Seed programs for `line_balancing`: one complete program a cell, named after its idea."""


# %% longest_operation
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Fill the station, the longest operation that fits first."""
    return duration - cycle_time * opens


# %% shortest_operation
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """The wrong way round: the shortest operation first, so that long ones find no room."""
    return -duration - cycle_time * opens


# %% positional_weight
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Ranked positional weight: the operation with the most work in and behind it."""
    return (duration + tail) / (work_left + 1) - 2 * opens


# %% one_station_each
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Opens a station for every operation, the longest first."""
    return opens * cycle_time + duration


# %% random_order
import random


def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """A random number for each operation that fits, from a generator seeded with what is known of it."""
    seed = 1009 * work_left + 101 * duration + 11 * tail + len(others)
    return random.Random(seed).random() - opens


# %% most_freed
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """The operation that makes most other operations ready; the longer one on ties."""
    return len(freed) + duration / (2 * cycle_time) - 100 * opens


# %% smallest_squares
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """The least squared idle time of the current station: the opening of a new one fixes that of the old."""
    return -(room**2) if opens else -((room - duration) ** 2)


# %% even_share
import math


def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Close the station once it comes as near as it can to an even share of what is left for the fewest stations."""
    load = cycle_time - room
    stations = math.ceil((work_left + load) / cycle_time)
    share = (work_left + load) / stations
    return -abs(load - share) if opens else -abs(load + duration - share)


# %% even_share_with_some_loss
import math


def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """The longest operation within an even share, where a twentieth of the time may be lost; else a new station."""
    load = cycle_time - room
    stations = math.ceil(1.05 * (work_left + load) / cycle_time)
    gap = (work_left + load) / stations - load
    if opens:
        return 0.0
    return min(duration, gap) - max(0.0, duration - gap)


# %% forecast_of_squares
import math


def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """The squares that follow if this station stays as it is then and all others share the rest evenly."""
    if opens:
        closed, rest = room, work_left
    else:
        closed, rest = room - duration, work_left - duration
    stations = math.ceil(rest / cycle_time)
    return -(closed**2) - (stations * (cycle_time - rest / stations) ** 2 if stations else 0)


# %% best_fill_of_the_share
import math


def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """How near the sums of this and any ready operations come to an even share; positional weight decides ties."""
    load = cycle_time - room
    share = (work_left + load) / math.ceil((work_left + load) / cycle_time)
    weight = (duration + tail) / (1000 * work_left)
    if opens:
        return -abs(load - share) - 0.5 + weight
    sums = {load + duration}
    for other in (*others, *freed):
        sums |= {some + other for some in sums if some + other <= cycle_time}
    return weight - min(abs(some - share) for some in sums)


# %% fullest_reachable
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """The operation after which the ready ones can fill the station best; of these the one with the longest tail."""
    if opens:
        return -10 * cycle_time
    sums = {duration}
    for other in (*others, *freed):
        sums |= {some + other for some in sums if some + other <= room}
    return max(sums) + tail / (work_left + 1)


# %% best_pair
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Look one operation ahead: the smallest idle time that this one leaves, alone or with one that is ready then."""
    left = (cycle_time if opens else room) - duration
    idle = min([left] + [left - other for other in (*others, *freed) if other <= left])
    return -idle - cycle_time * opens


# %% tail_first_long_last
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """The longest tail while much room is left, the longest operation as the station fills up."""
    free = room / cycle_time
    return free * tail / work_left + (1 - free) * duration / cycle_time - 5 * opens


# %% four_fifths_full
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Close a station that is four fifths full, whatever would still fit; positional weight before that."""
    full = room < 0.2 * cycle_time
    return (opens == full) * 100 + (duration + tail) / (work_left + 1)


# %% keep_many_ready
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Keep a choice: the operation after which most of the ready ones fit into what is left of the station."""
    left = (cycle_time if opens else room) - duration
    return sum(other <= left for other in (*others, *freed)) + 0.01 * duration - 50 * opens


# %% price_of_idle_time
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """The squares saved for each unit of time, less a price of room that rises with the idle time left to share."""
    load = cycle_time - room
    slack = -(work_left + load) % cycle_time
    stations = (work_left + load + slack) // cycle_time
    price = 2 * slack / stations
    if opens:
        return duration / (10 * cycle_time)
    gain = room**2 - (room - duration) ** 2 - price * duration
    return gain / duration + tail / (5 * work_left)


# %% sampled_fillings
import math
import random


def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Forty random fillings of the station by ready operations: the mean of the best ten against an even share."""
    source = random.Random(7919 * work_left + 31 * duration + tail)
    load = cycle_time - room
    total = work_left + load
    share = total / math.ceil(1.02 * total / cycle_time)
    if opens:
        return -((load - share) ** 2) - 1.0
    misses = []
    for _ in range(40):
        pool, now = [*others, *freed], load + duration
        best = (now - share) ** 2
        source.shuffle(pool)
        for other in pool:
            if now + other <= cycle_time:
                now += other
                best = min(best, (now - share) ** 2)
        misses.append(best)
    return tail / (10 * work_left) - sum(sorted(misses)[:10]) / 10


# %% long_ones_to_new_stations
def rate_operation(duration, opens, room, tail, freed, others, work_left, cycle_time):
    """Long operations begin stations and short ones fill them up; a station with little room is closed."""
    if opens:
        return duration / cycle_time - (room > 0.12 * cycle_time)
    return 1 - duration / cycle_time if room < cycle_time else duration / cycle_time
