"""Seed programs for `bike_rebalancing`: one complete program a cell, named after its idea."""

# %% random_scores
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Random scores from a generator seeded with the time left and the load."""
    return np.random.default_rng(1000 * int(minutes_left) + int(bikes_aboard)).random(len(in_reach))


# %% farthest_station
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """The wrong way round: the longest drive."""
    return drive_minutes[truck_station, in_reach]


# %% most_bikes_moved
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """The number of bikes that the visit moves, however long the drive is."""
    spare = spare_bikes[in_reach]
    return np.where(spare > 0, np.minimum(spare, truck_size - bikes_aboard), np.minimum(-spare, bikes_aboard))


# %% bikes_moved_a_minute
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Bikes moved for each minute of the drive, taken or left alike."""
    spare = spare_bikes[in_reach]
    moved = np.where(spare > 0, np.minimum(spare, truck_size - bikes_aboard), np.minimum(-spare, bikes_aboard))
    return moved / (0.5 + drive_minutes[truck_station, in_reach])


# %% leave_bikes_first
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """While bikes are aboard leave them at the nearest station that lacks some; otherwise the nearest one."""
    lacks = spare_bikes[in_reach] < 0
    return 1000 * lacks - drive_minutes[truck_station, in_reach]


# %% fill_up_first
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Take bikes until the truck is full and then leave them until it is empty: the nearest station of that kind."""
    scores = []
    emptying = bikes_aboard > 0.8 * truck_size
    for station in in_reach:
        wanted = (spare_bikes[station] < 0) == emptying
        scores.append(500 * wanted - drive_minutes[truck_station, station])
    return scores


# %% keep_half_full
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """The load after the visit should be near to half of the truck, so that any station can be served next."""
    scores = []
    for station in in_reach:
        spare = spare_bikes[station]
        moved = min(spare, truck_size - bikes_aboard) if spare > 0 else -min(-spare, bikes_aboard)
        scores.append(-abs(bikes_aboard + moved - truck_size / 2) - 0.8 * drive_minutes[truck_station, station])
    return scores


# %% smallest_job_near_by
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Stations that are put right completely come first, the smallest need before others; then the nearest."""
    spare = spare_bikes[in_reach]
    complete = np.where(spare > 0, spare <= truck_size - bikes_aboard, -spare <= bikes_aboard)
    return 100 * complete - np.abs(spare) - 0.5 * drive_minutes[truck_station, in_reach]


# %% largest_imbalance
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """The station that is farthest from its balance, the nearer one on ties."""
    return np.abs(spare_bikes[in_reach]) - 0.001 * drive_minutes[truck_station, in_reach]


# %% bikes_delivered_a_minute
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Bikes left a minute; bikes that are taken count less, as some lack no station and some run out of time."""
    scores = []
    lacking = -spare_bikes[spare_bikes < 0].sum()
    for station in in_reach:
        spare, minutes = spare_bikes[station], drive_minutes[truck_station, station]
        if spare < 0:
            scores.append(min(-spare, bikes_aboard) / (1 + minutes))
        else:
            taken = min(spare, truck_size - bikes_aboard, max(0, lacking - bikes_aboard))
            usable = max(0.0, 1 - 25 / (1 + minutes_left - minutes))
            scores.append(0.6 * usable * taken / (1 + minutes))
    return scores


# %% shadow_price_of_bikes
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """A bike aboard has a price that falls as the truck fills up and as time runs out; minutes have one too."""
    scores = []
    for station in in_reach:
        spare, minutes = int(spare_bikes[station]), drive_minutes[truck_station, station]
        time_value = min(1.0, max(0.0, (minutes_left - minutes) / 60))
        if spare < 0:
            left = min(-spare, bikes_aboard)
            gain = sum(1 - 0.7 * time_value * (1 - (bikes_aboard - k) / truck_size) for k in range(left))
        else:
            taken = min(spare, truck_size - bikes_aboard)
            gain = sum(0.7 * time_value * (1 - (bikes_aboard + k) / truck_size) for k in range(taken))
        scores.append(gain / (2 + minutes))
    return scores


# %% needs_around
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Gravity: bikes moved a minute, times what the surroundings of the station lack of them or offer beyond it."""
    scores = []
    for station in in_reach:
        spare = spare_bikes[station]
        pull = spare_bikes / (6.0 + drive_minutes[station])
        moved = min(spare, truck_size - bikes_aboard) if spare > 0 else min(-spare, bikes_aboard)
        onward = -pull[pull < 0].sum() if spare > 0 else pull[pull > 0].sum()
        scores.append(moved * (1 + onward) / (2 + drive_minutes[truck_station, station]))
    return np.array(scores)


# %% take_and_leave_pairs
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """The best rate of bikes left over one or two visits: here, or here and then at the best station that lacks."""
    lacking = [station for station in range(len(spare_bikes)) if spare_bikes[station] < 0]
    scores = []
    for station in in_reach:
        minutes = drive_minutes[truck_station, station]
        spare = spare_bikes[station]
        left = min(-spare, bikes_aboard) if spare < 0 else 0
        load = bikes_aboard - left if spare < 0 else min(truck_size, bikes_aboard + spare)
        rate = left / (1 + minutes)
        for other in lacking:
            total = minutes + drive_minutes[station, other]
            if other != station and total <= minutes_left:
                rate = max(rate, (left + min(-spare_bikes[other], load)) / (1 + total))
        scores.append(rate)
    return scores


# %% deliver_before_the_end
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Bikes moved a minute until the last third of the shift; from then on stations that lack bikes come first."""
    spare = spare_bikes[in_reach]
    minutes = drive_minutes[truck_station, in_reach]
    moved = np.where(spare > 0, np.minimum(spare, truck_size - bikes_aboard), np.minimum(-spare, bikes_aboard))
    late = minutes_left < 3 * drive_minutes.mean()
    return moved / (3 + minutes) + 100 * (late & (spare < 0))


# %% near_the_other_kind
import numpy as np


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Drive time and half of the drive from there to the nearest station of the other kind."""
    scores = []
    for station in in_reach:
        other_kind = spare_bikes * spare_bikes[station] < 0
        onward = drive_minutes[station][other_kind].min() if other_kind.any() else 30
        scores.append(-drive_minutes[truck_station, station] - 0.5 * onward)
    return np.array(scores, dtype=float)


# %% finish_by_rate
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Try every station next, go on with the most bikes moved a minute until time is up, and count bikes left."""
    table = drive_minutes.tolist()

    def change(spare, aboard):
        return min(spare, truck_size - aboard) if spare > 0 else -min(-spare, aboard)

    scores = []
    for station in in_reach.tolist():
        spare, here, aboard, clock, left, step = spare_bikes.tolist(), truck_station, bikes_aboard, minutes_left, 0, 0.0
        while station is not None:
            moved = change(spare[station], aboard)
            clock -= table[here][station]
            left += max(0, -moved) + 0.001 * max(0, -moved) * clock
            spare[station] -= moved
            aboard += moved
            here, station, best = station, None, 0.0
            for other, bikes in enumerate(spare):
                if bikes and table[here][other] <= clock:
                    step = abs(change(bikes, aboard)) / (3 + table[here][other])
                    if step > best:
                        station, best = other, step
        scores.append(left)
    return scores


# %% three_visits_deep
def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Search all sequences of three visits among the six nearest: bikes left, and a third of those aboard, a minute."""
    table = drive_minutes.tolist()

    def search(here, aboard, clock, spare, depth, left):
        spent = minutes_left - clock
        best = (left + 0.35 * aboard) / (4 + spent) if spent else 0.0
        if depth == 0:
            return best
        useful = [s for s, bikes in enumerate(spare) if (bikes > 0 and aboard < truck_size) or (bikes < 0 and aboard)]
        useful = [s for s in useful if table[here][s] <= clock]
        for station in sorted(useful, key=table[here].__getitem__)[:6]:
            best = max(best, visit(here, station, aboard, clock, spare, depth, left))
        return best

    def visit(here, station, aboard, clock, spare, depth, left):
        bikes = spare[station]
        moved = min(bikes, truck_size - aboard) if bikes > 0 else -min(-bikes, aboard)
        after = [*spare[:station], bikes - moved, *spare[station + 1 :]]
        clock -= table[here][station]
        return search(station, aboard + moved, clock, after, depth - 1, left + max(0, -moved))

    spare = spare_bikes.tolist()
    return [visit(truck_station, s, bikes_aboard, minutes_left, spare, 3, 0) for s in in_reach.tolist()]


# %% random_shifts
import random


def score_stations(truck_station, in_reach, spare_bikes, bikes_aboard, truck_size, minutes_left, drive_minutes):
    """Draw sixty courses of the rest of the shift; a station counts as much as the best course that starts there."""
    table, start = drive_minutes.tolist(), spare_bikes.tolist()
    generator = random.Random(17 * int(minutes_left) + int(bikes_aboard))
    choices = in_reach.tolist()
    best = dict.fromkeys(choices, -1.0)
    for number in range(60):
        station, first = choices[number % len(choices)], choices[number % len(choices)]
        spare, here, aboard, clock, value = list(start), truck_station, bikes_aboard, minutes_left, 0.0
        while station is not None:
            bikes = spare[station]
            moved = min(bikes, truck_size - aboard) if bikes > 0 else -min(-bikes, aboard)
            clock -= table[here][station]
            value += max(0, -moved)
            spare[station] -= moved
            aboard += moved
            here, station, highest = station, None, 0.0
            for other, bikes in enumerate(spare):
                useful = min(bikes, truck_size - aboard) if bikes > 0 else min(-bikes, aboard)
                if useful and table[here][other] <= clock:
                    draw = generator.uniform(0.6, 1.4) * useful / (3 + table[here][other])
                    if draw > highest:
                        station, highest = other, draw
        best[first] = max(best[first], value)
    return [best[station] for station in choices]
