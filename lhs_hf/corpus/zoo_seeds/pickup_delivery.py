"""Seed programs for `pickup_delivery`: one complete program a cell, named after its idea."""


# %% farthest_place
def choose_move(position, load, capacity, moves, orders, travel):
    """Anti-greedy: always drive as far as possible."""
    return max(moves, key=lambda move: travel[position, move[1]])


# %% random_move
import random


def choose_move(position, load, capacity, moves, orders, travel):
    """Any move, from a generator seeded with place, load and the number of moves."""
    rng = random.Random(position + 100 * load + 10000 * len(moves))
    return moves[rng.randrange(len(moves))]


# %% in_order_of_requests
def choose_move(position, load, capacity, moves, orders, travel):
    """Serve the requests by number, one after the other."""
    return moves[0]


# %% nearest_place
def choose_move(position, load, capacity, moves, orders, travel):
    """The nearest place, whether pickup or delivery."""
    best, shortest = None, float("inf")
    for request, place in moves:
        if travel[position, place] < shortest:
            best, shortest = (request, place), travel[position, place]
    return best


# %% fill_up_first
def choose_move(position, load, capacity, moves, orders, travel):
    """The nearest pickup as long as one fits, deliveries only when the vehicle is full."""
    pickups = [move for move in moves if move[1] == orders[move[0]][0]]
    return min(pickups or moves, key=lambda move: travel[position, move[1]])


# %% biggest_load_first
def choose_move(position, load, capacity, moves, orders, travel):
    """Large requests first, for each unit of way: size over distance."""
    return max(moves, key=lambda move: orders[move[0]][2] / (1 + travel[position, move[1]]))


# %% small_sizes_first
def choose_move(position, load, capacity, moves, orders, travel):
    """Distance plus three for each unit of size that is picked up; deliveries count by their distance alone."""

    def value(move):
        pickup, _, size = orders[move[0]]
        return travel[position, move[1]] + (3 * size if move[1] == pickup else 0)

    return min(moves, key=value)


# %% shortest_request
def choose_move(position, load, capacity, moves, orders, travel):
    """A pickup costs the way to it and the way on to its delivery, a delivery only the way to it."""

    def value(move):
        request, place = move
        pickup, delivery, _ = orders[request]
        if place == delivery:
            return travel[position, delivery]
        return travel[position, pickup] + travel[pickup, delivery]

    return min(moves, key=value)


# %% pickup_discount_when_empty
def choose_move(position, load, capacity, moves, orders, travel):
    """Pickups look nearer while there is much free space, deliveries while there is little."""
    free = 1 - load / capacity
    best, best_value = moves[0], 1e18
    for move in moves:
        is_pickup = move[1] == orders[move[0]][0]
        value = travel[position, move[1]] * (1.3 - 0.5 * free if is_pickup else 0.8 + 0.5 * free)
        if value < best_value:
            best, best_value = move, value
    return best


# %% near_and_leads_home
def choose_move(position, load, capacity, moves, orders, travel):
    """Distance minus a fifth of the way to the depot: begin far out, come back late."""
    return min(moves, key=lambda move: travel[position, move[1]] - 0.2 * travel[move[1], 0])


# %% lonely_places_on_the_way
def choose_move(position, load, capacity, moves, orders, travel):
    """Distance minus half the distance from the place to its nearest other open place: it would cost a way later."""
    open_places = {place for pickup, delivery, _ in orders.values() for place in (pickup, delivery)}

    def value(move):
        near = min((travel[move[1], other] for other in open_places if other not in (move[1], position)), default=0)
        return travel[position, move[1]] - 0.5 * near

    return min(moves, key=value)


# %% toward_the_crowd
import numpy as np


def choose_move(position, load, capacity, moves, orders, travel):
    """Distance plus four tenths of the mean distance from the place to all places of open moves."""
    places = np.array([place for _, place in moves])
    value = travel[position, places] + 0.4 * travel[np.ix_(places, places)].mean(axis=1)
    return moves[int(value.argmin())]


# %% next_step_too
def choose_move(position, load, capacity, moves, orders, travel):
    """The way to a place plus seven tenths of the way from it to the nearest move that is legal afterwards."""

    def value(move):
        request, place = move
        pickup, delivery, size = orders[request]
        later = load + size if place == pickup else load - size
        ways = [travel[place, delivery]] if place == pickup else []
        for other, stop in moves:
            fits = stop == orders[other][1] or later + orders[other][2] <= capacity
            if stop != place and fits:
                ways.append(travel[place, stop])
        return travel[position, place] + 0.7 * min(ways, default=travel[place, 0])

    return min(moves, key=value)


# %% pickups_near_loaded_deliveries
def choose_move(position, load, capacity, moves, orders, travel):
    """Prefer pickups whose delivery lies close to places that must be visited anyway, and deliveries that are near."""
    best, best_value = None, float("inf")
    for request, place in moves:
        pickup, delivery, _ = orders[request]
        value = float(travel[position, place])
        if place == pickup:
            targets = [stop for other, stop in moves if other != request]
            value += 0.5 * min([travel[delivery, stop] for stop in targets] + [travel[delivery, pickup]])
        if value < best_value:
            best, best_value = (request, place), value
    return best


# %% nearest_rollout
def choose_move(position, load, capacity, moves, orders, travel):
    """Finish the route with the nearest legal place after every move, and make the move whose route is shortest."""
    ways = travel.tolist()
    loaded = {request for request, place in moves if place == orders[request][1]}
    best, best_length = moves[0], float("inf")
    for move in moves:
        here, length, used = position, 0, load
        aboard, waiting = set(loaded), set(orders) - loaded
        request, place = move
        while True:
            length += ways[here][place]
            here = place
            if request in aboard:
                aboard.remove(request)
                used -= orders[request][2]
            else:
                waiting.remove(request)
                aboard.add(request)
                used += orders[request][2]
            options = [(ways[here][orders[r][1]], r, orders[r][1]) for r in aboard]
            options += [(ways[here][orders[r][0]], r, orders[r][0]) for r in waiting if used + orders[r][2] <= capacity]
            if not options:
                break
            _, request, place = min(options)
        length += ways[here][0]
        if length < best_length:
            best, best_length = move, length
    return best


# %% insert_requests
def choose_move(position, load, capacity, moves, orders, travel):
    """Plan the rest of the route by inserting whole requests where they lengthen it least, and do its first move."""
    ways = travel.tolist()
    loaded = [request for request, place in moves if place == orders[request][1]]
    plan = []
    for request in loaded:
        stop = (request, orders[request][1], -orders[request][2])
        sites = [position] + [s[1] for s in plan] + [0]
        extra = [ways[a][stop[1]] + ways[stop[1]][b] - ways[a][b] for a, b in zip(sites, sites[1:])]
        plan.insert(extra.index(min(extra)), stop)
    for request in sorted(set(orders) - set(loaded), key=lambda r: -ways[orders[r][0]][orders[r][1]]):
        pickup, delivery, size = orders[request]
        sites = [position] + [s[1] for s in plan] + [0]
        loads = [load]
        for s in plan:
            loads.append(loads[-1] + s[2])
        best, chosen = float("inf"), (0, 0)
        for i in range(len(plan) + 1):
            a, b = sites[i], sites[i + 1]
            first = ways[a][pickup] - ways[a][b]
            for j in range(i, len(plan) + 1):
                if loads[j] + size > capacity:
                    break
                c, d = sites[j], sites[j + 1]
                if j == i:
                    extra = first + ways[pickup][delivery] + ways[delivery][b]
                else:
                    extra = first + ways[pickup][b] + ways[c][delivery] + ways[delivery][d] - ways[c][d]
                if extra < best:
                    best, chosen = extra, (i, j)
        i, j = chosen
        plan.insert(j, (request, delivery, -size))
        plan.insert(i, (request, pickup, size))
    return plan[0][:2]
