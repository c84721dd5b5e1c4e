"""Seed programs for `steiner_tree`: one complete program a cell, named after its idea."""


# %% cheapest_pipe
def extend_network(extensions, pipes, connected, customers):
    """The cheapest pipe, wherever it leads."""
    return min(extensions, key=lambda pipe: dict(pipes[pipe[0]])[pipe[1]])


# %% dearest_pipe
def extend_network(extensions, pipes, connected, customers):
    """The wrong way round: the most expensive pipe."""
    return max(extensions, key=lambda pipe: dict(pipes[pipe[0]])[pipe[1]])


# %% random_pipe
import random


def extend_network(extensions, pipes, connected, customers):
    """Any pipe, drawn by a generator that is seeded with the connected places."""
    return random.Random(sum((k + 1) * place for k, place in enumerate(connected))).choice(extensions)


# %% customers_then_cheapest
def extend_network(extensions, pipes, connected, customers):
    """The cheapest pipe that reaches a customer at once; if there is none, the cheapest of all."""

    def key(pipe):
        cost = next(cost for place, cost in pipes[pipe[0]] if place == pipe[1])
        return pipe[1] not in customers, cost

    return min(extensions, key=key)


# %% newest_place
def extend_network(extensions, pipes, connected, customers):
    """Go on from the place that was connected last, to the place with the most pipes."""
    latest = max(extensions, key=lambda pipe: connected.index(pipe[0]))[0]
    onward = [pipe for pipe in extensions if pipe[0] == latest]
    return max(onward, key=lambda pipe: (pipe[1] in customers, len(pipes[pipe[1]])))


# %% fewest_pipes_to_a_customer
from collections import deque


def extend_network(extensions, pipes, connected, customers):
    """Towards the customer that the fewest pipes reach, whatever they cost."""
    first = {}
    queue = deque(connected)
    seen = set(connected)
    while queue:
        place = queue.popleft()
        if place in customers:
            return first[place]
        for other, _ in sorted(pipes[place], key=lambda pair: pair[1]):
            if other not in seen:
                seen.add(other)
                first[other] = first.get(place, (place, other))
                queue.append(other)
    return extensions[0]


# %% nearest_customer
import heapq


def extend_network(extensions, pipes, connected, customers):
    """The first pipe of the cheapest way from the network to any customer."""
    heap = [(0, place, None) for place in connected]
    heapq.heapify(heap)
    done = set()
    while heap:
        distance, place, start = heapq.heappop(heap)
        if place in customers:
            return start
        if place in done:
            continue
        done.add(place)
        for other, cost in pipes[place]:
            if other not in done and other not in connected:
                heapq.heappush(heap, (distance + cost, other, start or (place, other)))
    return extensions[0]


# %% farthest_customer
import heapq


def extend_network(extensions, pipes, connected, customers):
    """The first pipe of the cheapest way to the customer that is hardest to reach."""
    heap = [(0, place, None) for place in sorted(connected)]
    done, last = set(), extensions[0]
    while heap:
        distance, place, start = heapq.heappop(heap)
        if place in done:
            continue
        done.add(place)
        if place in customers:
            last = start
        for other, cost in pipes[place]:
            if other not in done and other not in connected:
                heapq.heappush(heap, (distance + cost, other, start or (place, other)))
    return last


# %% ways_from_the_plant
import heapq


def extend_network(extensions, pipes, connected, customers):
    """Each customer gets its cheapest way from the plant; the first pipe of these that is missing."""
    heap, before = [(0, connected[0], None)], {}
    while heap:
        distance, place, previous = heapq.heappop(heap)
        if place not in before:
            before[place] = previous
            for other, cost in pipes[place]:
                if other not in before:
                    heapq.heappush(heap, (distance + cost, other, place))
    place = customers[0]
    while before[place] not in connected:
        place = before[place]
    return before[place], place


# %% cost_and_mean_way
import numpy as np


def extend_network(extensions, pipes, connected, customers):
    """Least cost plus mean way from the new place to all customers that wait."""
    ways = np.full((len(pipes), len(pipes)), 10**6)
    for place in pipes:
        ways[place, place] = 0
        for other, cost in pipes[place]:
            ways[place, other] = cost
    for middle in pipes:
        ways = np.minimum(ways, ways[:, [middle]] + ways[[middle]])
    value = [dict(pipes[inner])[outer] + ways[outer, customers].mean() for inner, outer in extensions]
    return extensions[int(np.argmin(value))]


# %% way_shared_by_most
import heapq
from collections import Counter


def extend_network(extensions, pipes, connected, customers):
    """Each customer names the pipe where its cheapest way leaves the network; most votes, then the shorter way."""
    heap = [(0, place, None) for place in sorted(connected)]
    start, distance = {}, {}
    while heap:
        so_far, place, pipe = heapq.heappop(heap)
        if place in distance:
            continue
        distance[place], start[place] = so_far, pipe
        for other, cost in pipes[place]:
            if other not in distance and other not in connected:
                heapq.heappush(heap, (so_far + cost, other, pipe or (place, other)))
    votes = Counter(start[customer] for customer in customers)
    return start[min(customers, key=lambda c: (-votes[start[c]], distance[c]))]


# %% cut_spanning_tree
def extend_network(extensions, pipes, connected, customers):
    """The cheapest tree over all places, dead ends cut off; of its pipes at the network the cheapest comes next."""
    inside, tree = set(connected), []
    while len(inside) < len(pipes):
        cost, inner, outer = min(
            (cost, inner, outer) for inner in inside for outer, cost in pipes[inner] if outer not in inside
        )
        inside.add(outer)
        tree.append((cost, inner, outer))
    needed, used = set(customers), []
    for cost, inner, outer in reversed(tree):
        if outer in needed:
            needed.add(inner)
            if inner in connected:
                used.append((cost, inner, outer))
    return min(used)[1:]


# %% currents
import numpy as np


def extend_network(extensions, pipes, connected, customers):
    """Each customer sends a unit of current to the network through pipes as resistors; the largest current wins."""
    waiting = [place for place in pipes if place not in connected]
    row = {place: number for number, place in enumerate(waiting)}
    matrix = np.zeros((len(waiting), len(waiting)))
    for place in waiting:
        for other, cost in pipes[place]:
            matrix[row[place], row[place]] += 1 / cost
            if other in row:
                matrix[row[place], row[other]] -= 1 / cost
    source = np.array([float(place in customers) for place in waiting])
    voltage = np.linalg.solve(matrix, source)
    current = [voltage[row[outer]] / dict(pipes[inner])[outer] for inner, outer in extensions]
    return extensions[int(np.argmax(current))]


# %% rising_moats
def extend_network(extensions, pipes, connected, customers):
    """Dual prices: groups of customers pay for their pipes in step; the first that reach the network are laid."""
    group = {place: place for place in pipes}
    for place in connected:
        group[place] = connected[0]
    active = set(customers)
    left = {}
    for one in pipes:
        for other, cost in pipes[one]:
            if one < other and group[one] != group[other]:
                left[one, other] = float(cost)
    paid = []
    while active:
        step, tight = min(
            (left[one, other] / ((group[one] in active) + (group[other] in active)), (one, other))
            for one, other in left
            if group[one] in active or group[other] in active
        )
        for one, other in left:
            left[one, other] -= step * ((group[one] in active) + (group[other] in active))
        paid.append(tight)
        merged = {group[place] for place in tight}
        joined = connected[0] in merged
        name = connected[0] if joined else min(merged)
        for place in group:
            if group[place] in merged:
                group[place] = name
        active -= merged
        if not joined:
            active.add(name)
        left = {pipe: rest for pipe, rest in left.items() if group[pipe[0]] != group[pipe[1]]}
    around = {place: [] for place in pipes}
    for one, other in paid:
        around[one].append(other)
        around[other].append(one)

    def leads_to_customer(place, previous):
        return place in customers or any(leads_to_customer(o, place) for o in around[place] if o != previous)

    return next(pipe for pipe in extensions if pipe[1] in around[pipe[0]] and leads_to_customer(pipe[1], pipe[0]))


# %% finish_after_each_way
import heapq


def extend_network(extensions, pipes, connected, customers):
    """Serve each customer first in trial, all others by nearest ways; the first pipe of the cheapest network."""

    def way_to(sources, goals):
        heap, done = [(0, place, None) for place in sorted(sources)], {}
        while True:
            distance, place, previous = heapq.heappop(heap)
            if place not in done:
                done[place] = previous
                if place in goals:
                    break
                for other, cost in pipes[place]:
                    if other not in done and other not in sources:
                        heapq.heappush(heap, (distance + cost, other, place))
        way = [place]
        while done[way[-1]] is not None:
            way.append(done[way[-1]])
        return distance, way[::-1]

    best, best_total = None, float("inf")
    for first in customers:
        total, way = way_to(connected, {first})
        start = (way[0], way[1])
        tree = set(connected).union(way)
        left = set(customers) - tree
        while left and total < best_total:
            cost, way = way_to(tree, left)
            total += cost
            tree.update(way)
            left -= tree
        if total < best_total:
            best, best_total = start, total
    return best


# %% disturbed_costs
import heapq
import random


def extend_network(extensions, pipes, connected, customers):
    """Connect all by nearest ways under several disturbed costs; the first pipe of the one that is truly cheapest."""
    rng = random.Random(len(connected))
    best, best_total = None, float("inf")
    for trial in range(8):
        factor = {place: 1 + 0.5 * rng.random() * (trial > 0) for place in pipes}
        tree, left, total, first = set(connected), set(customers), 0, None
        while left:
            heap, done = [(0, place, None) for place in sorted(tree)], {}
            while True:
                distance, place, previous = heapq.heappop(heap)
                if place in done:
                    continue
                done[place] = previous
                if place in left:
                    break
                for other, cost in pipes[place]:
                    if other not in done and other not in tree:
                        heapq.heappush(heap, (distance + cost * factor[place] * factor[other], other, place))
            while done[place] is not None:
                tree.add(place)
                total += dict(pipes[place])[done[place]]
                if done[place] in connected and first is None:
                    first = (done[place], place)
                place = done[place]
            left -= tree
        if total < best_total:
            best, best_total = first, total
    return best


# %% improve_the_places_used
def extend_network(extensions, pipes, connected, customers):
    """Places to pass are added or dropped while the cheapest tree over them gets cheaper; its cheapest pipe here."""

    def spanning(places):
        inside, total, starts = set(connected), 0, []
        nearest = {}
        newest = list(connected)
        while True:
            for inner in newest:
                for outer, cost in pipes[inner]:
                    if outer in places and outer not in inside and (cost, inner) < nearest.get(outer, (10**6, 0)):
                        nearest[outer] = cost, inner
            if not nearest:
                return (total if places <= inside else 10**6 - len(inside)), starts
            outer = min(nearest, key=nearest.get)
            cost, inner = nearest.pop(outer)
            inside.add(outer)
            total += cost
            newest = [outer]
            if inner in connected:
                starts.append((cost, inner, outer))

    used = set(pipes) - set(connected)
    total, starts = spanning(used)
    optional = sorted(used - set(customers))
    improved = True
    while improved:
        improved = False
        for place in optional:
            trial = used ^ {place}
            cost, there = spanning(trial)
            if cost < total:
                used, total, starts, improved = trial, cost, there, True
    return min(starts)[1:]
