"""Seed programs for `arc_routing`: one complete program a cell, named after its idea."""

# %% any_street
import random


def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Any street, drawn by a generator seeded with the place and the number of streets."""
    return random.Random(101 * crossing + len(streets_left)).choice(streets_left)


# %% farthest_start
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The wrong way round: the street that begins farthest from the truck."""
    return max(streets_left, key=lambda street: shortest_way[crossing][street[0]])


# %% fullest_that_fits
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The street with the most garbage that still fits, whatever the way; the one with the least if none fits."""
    fitting = [street for street in streets_left if garbage[street] <= free_space]
    if not fitting:
        return min(streets_left, key=lambda street: garbage[street])
    return max(fitting, key=lambda street: garbage[street])


# %% nearest_that_fits
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The nearest street that still fits; if none does, the one nearest to the dump."""
    fitting = [street for street in streets_left if garbage[street] <= free_space]
    if fitting:
        return min(fitting, key=lambda street: shortest_way[crossing][street[0]])
    return min(streets_left, key=lambda street: shortest_way[dump][street[0]])


# %% near_and_away_from_the_dump
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The nearest street, a detour to the dump included; on ties the one that ends farthest from the dump."""

    def value(street):
        way = shortest_way[crossing][street[0]]
        if garbage[street] > free_space:
            way = shortest_way[crossing][dump] + shortest_way[dump][street[0]]
        return way, -shortest_way[dump][street[1]]

    return min(streets_left, key=value)


# %% away_while_half_empty
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Path scanning: nearest fitting street, away from the dump while the truck is less than half full, then back."""
    fitting = [street for street in streets_left if garbage[street] <= free_space]
    sign = -1 if 2 * free_space > truck_capacity else 1
    from_here = shortest_way[crossing] if fitting else shortest_way[dump]
    return min(fitting or streets_left, key=lambda street: (from_here[street[0]], sign * shortest_way[dump][street[1]]))


# %% load_per_way
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The most garbage for each unit of way to the street, by way of the dump where it does not fit."""
    best, best_ratio = None, -1.0
    for street in streets_left:
        way = shortest_way[crossing][street[0]]
        if garbage[street] > free_space:
            way = shortest_way[crossing][dump] + shortest_way[dump][street[0]]
        ratio = garbage[street] / (5 + way)
        if ratio > best_ratio:
            best, best_ratio = street, ratio
    return best


# %% least_detour_home
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The shortest way to the dump by way of the street, as for an insertion; the nearer one on ties."""
    fitting = [street for street in streets_left if garbage[street] <= free_space]
    place = crossing if fitting else dump

    def detour(street):
        start, end = street
        return shortest_way[place][start] + shortest_way[end][dump], shortest_way[place][start]

    return min(fitting or streets_left, key=detour)


# %% one_step_ahead
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The way to the street and from its end to the nearest other street that would then fit, or to the dump."""
    best, lowest = streets_left[0], float("inf")
    for street in streets_left:
        fits = garbage[street] <= free_space
        to_dump = shortest_way[crossing][dump] + shortest_way[dump][street[0]]
        way = shortest_way[crossing][street[0]] if fits else to_dump
        space = (free_space if fits else truck_capacity) - garbage[street]
        onward = shortest_way[street[1]][dump]
        for other in streets_left:
            if other not in (street, street[::-1]) and garbage[other] <= space:
                onward = min(onward, shortest_way[street[1]][other[0]])
        if way + onward < lowest:
            best, lowest = street, way + onward
    return best


# %% hardly_reached_otherwise
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Regret: the way to the street against the nearest end of another street from which it could be reached later."""
    fitting = [street for street in streets_left if garbage[street] <= free_space]
    place = crossing if fitting else dump

    def regret(street):
        others = [other[1] for other in streets_left if set(other) != set(street)]
        later = min((shortest_way[end][street[0]] for end in others), default=0)
        return 2 * shortest_way[place][street[0]] - later

    return min(fitting or streets_left, key=regret)


# %% farthest_first_then_nearest
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """A fresh truck goes to the street farthest from the dump and collects what is nearest on its way home."""
    fitting = [street for street in streets_left if garbage[street] <= free_space]
    if not fitting or (crossing == dump and free_space == truck_capacity):
        return max(streets_left, key=lambda s: (shortest_way[dump][s[0]], -shortest_way[dump][s[1]]))
    return min(fitting, key=lambda s: (shortest_way[crossing][s[0]], shortest_way[dump][s[1]]))


# %% home_when_nearly_full
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """The nearest fitting street, but with little space left what lies between the truck and the dump counts more."""
    fitting = [street for street in streets_left if garbage[street] <= free_space]
    full = 1 - free_space / truck_capacity
    place = crossing if fitting else dump

    def value(street):
        start, end = street
        home = shortest_way[end][dump] - shortest_way[place][dump]
        return shortest_way[place][start] + (1.6 * full - 0.6) * home

    return min(fitting or streets_left, key=value)


# %% far_from_other_streets
import numpy as np


def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Way to the street minus a part of its mean distance to all others: outlying streets early, when they are near."""
    starts = [street[0] for street in streets_left]
    values = []
    for start, end in streets_left:
        fits = garbage[start, end] <= free_space
        way = shortest_way[crossing][start] if fits else shortest_way[crossing][dump] + shortest_way[dump][start]
        values.append(way - 0.5 * np.mean([shortest_way[end][other] for other in starts]))
    return streets_left[int(np.argmin(values))]


# %% fill_up_exactly
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Near streets as usual; with less than a third of the space left, loads that leave little of it unused."""
    fitting = [street for street in streets_left if garbage[street] <= free_space]
    if not fitting:
        return min(streets_left, key=lambda s: shortest_way[dump][s[0]])
    if 3 * free_space > truck_capacity:
        return min(fitting, key=lambda s: (shortest_way[crossing][s[0]], -garbage[s]))
    return min(fitting, key=lambda s: shortest_way[crossing][s[0]] + 4 * (free_space - garbage[s]))


# %% finish_nearest_first
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Try the ten nearest next, finish each by the nearest street, and take the start of the shortest route."""

    def way(place, space, street):
        start = street[0]
        if garbage[street] <= space:
            return shortest_way[place][start]
        return shortest_way[place][dump] + shortest_way[dump][start]

    def finish(street):
        place, space, total, left = crossing, free_space, 0, list(streets_left)
        while True:
            total += way(place, space, street)
            space = (space if garbage[street] <= space else truck_capacity) - garbage[street]
            place = street[1]
            left = [other for other in left if set(other) != set(street)]
            if not left:
                return total + shortest_way[place][dump]
            street = min(left, key=lambda other: way(place, space, other))

    ranked = sorted(streets_left, key=lambda street: way(crossing, free_space, street))
    return min(ranked[:10], key=finish)


# %% best_trip_of_many
import random


def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Draw thirty ways to fill the truck and keep the start of that with the least way for each load collected."""
    generator = random.Random(31 * crossing + 7 * len(streets_left) + free_space)
    best, lowest = None, float("inf")
    for _ in range(30):
        place, space, left, trip, driven = crossing, free_space, streets_left, [], 0
        while True:
            fitting = [street for street in left if garbage[street] <= space]
            if not fitting:
                break
            near = sorted(fitting, key=lambda street: shortest_way[place][street[0]])
            street = near[min(int(generator.expovariate(0.9)), len(near) - 1)]
            driven += shortest_way[place][street[0]]
            place, space = street[1], space - garbage[street]
            trip.append(street)
            left = [other for other in left if set(other) != set(street)]
        rate = (driven + shortest_way[place][dump]) / (1 + free_space - space)
        if trip and rate < lowest:
            best, lowest = trip[0], rate
    return best or min(streets_left, key=lambda street: shortest_way[dump][street[0]])


# %% insert_into_trips
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Put streets at their cheapest place in this trip or later ones, farthest first; drive the first of this trip."""
    trips, spaces = [[]], [free_space]
    for street in sorted(streets_left, key=lambda s: (-shortest_way[dump][s[0]] - shortest_way[dump][s[1]], s)):
        if street[0] > street[1]:
            continue
        best = None
        for number in range(len(trips) + 1):
            trip = trips[number] if number < len(trips) else []
            if garbage[street] > (spaces[number] if number < len(trips) else truck_capacity):
                continue
            for spot in range(len(trip) + 1):
                before = trip[spot - 1][1] if spot else dump if number else crossing
                after = trip[spot][0] if spot < len(trip) else dump
                for start, end in (street, street[::-1]):
                    more = shortest_way[before][start] + shortest_way[end][after] - shortest_way[before][after]
                    if best is None or more < best[0]:
                        best = more, number, spot, (start, end)
        _, number, spot, chosen = best
        if number == len(trips):
            trips.append([])
            spaces.append(truck_capacity)
        trips[number].insert(spot, chosen)
        spaces[number] -= garbage[street]
    planned = next(trip for trip in trips if trip)
    return planned[0]


# %% improve_the_order
def next_street(crossing, dump, streets_left, garbage, free_space, truck_capacity, shortest_way):
    """Order all streets by the nearest, then turn and move single streets while that shortens the route."""

    def length(order):
        place, space, total = crossing, free_space, 0
        for street in order:
            if garbage[street] > space:
                total += shortest_way[place][dump]
                place, space = dump, truck_capacity
            total += shortest_way[place][street[0]]
            place, space = street[1], space - garbage[street]
        return total + shortest_way[place][dump]

    order, place, left = [], crossing, list(streets_left)
    while left:
        street = min(left, key=lambda other: shortest_way[place][other[0]])
        order.append(street)
        left = [other for other in left if set(other) != set(street)]
        place = street[1]
    best = length(order)
    for street in list(order):
        rest = [other for other in order if set(other) != set(street)]
        for spot in range(min(len(rest), 8) + 1):
            for each in (street, street[::-1]):
                trial = [*rest[:spot], each, *rest[spot:]]
                total = length(trial)
                if total < best:
                    order, best = trial, total
    return order[0]
