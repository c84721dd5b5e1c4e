"""Seed programs for `prize_collecting_tour`: one complete program a cell, named after its idea."""


# %% stay_home
def next_stop(current, depot, unvisited, distances, penalties):
    """Never leave the depot and pay every penalty."""
    return depot


# %% farthest_customer
def next_stop(current, depot, unvisited, distances, penalties):
    """Anti-greedy: jump to the customer that is farthest away."""
    return max(unvisited, key=lambda customer: distances[current][customer])


# %% coin_flip
import random


def next_stop(current, depot, unvisited, distances, penalties):
    """A random customer; once half of them are visited a coin decides whether the tour ends."""
    rng = random.Random(17 * current + len(unvisited))
    if len(unvisited) < len(penalties) // 2 and rng.random() < 0.5:
        return depot
    return rng.choice(unvisited)


# %% dearest_penalty
def next_stop(current, depot, unvisited, distances, penalties):
    """Visit the customers by falling penalty and stop at those below the average penalty."""
    mean = penalties.sum() / (len(penalties) - 1)
    worst = max(unvisited, key=lambda customer: penalties[customer])
    return worst if penalties[worst] > mean else depot


# %% nearest_if_penalty_larger
def next_stop(current, depot, unvisited, distances, penalties):
    """Among the customers whose penalty exceeds the way to them the nearest; if there is none, home."""
    best, shortest = depot, float("inf")
    for customer in unvisited:
        way = distances[current][customer]
        if way < penalties[customer] and way < shortest:
            best, shortest = customer, way
    return best


# %% penalty_per_distance
import numpy as np


def next_stop(current, depot, unvisited, distances, penalties):
    """The largest penalty a unit of way, and home once the best ratio falls below one half."""
    customers = np.array(unvisited)
    ratio = penalties[customers] / np.maximum(distances[current, customers], 1)
    place = int(np.argmax(ratio))
    return unvisited[place] if ratio[place] >= 0.5 else depot


# %% smallest_detour_that_pays
def next_stop(current, depot, unvisited, distances, penalties):
    """The customer with the smallest detour on the way home, if its penalty is larger than that detour."""

    def detour(customer):
        return distances[current][customer] + distances[customer][depot] - distances[current][depot]

    paying = [customer for customer in unvisited if detour(customer) < penalties[customer]]
    return min(paying, key=detour, default=depot)


# %% largest_saving
def next_stop(current, depot, unvisited, distances, penalties):
    """Penalty minus detour on the way home: the largest difference, and the end when none is positive."""
    best, best_saving = depot, 0
    for customer in unvisited:
        detour = distances[current][customer] + distances[customer][depot] - distances[current][depot]
        if penalties[customer] - detour > best_saving:
            best, best_saving = customer, penalties[customer] - detour
    return best


# %% skip_the_cheap
import numpy as np


def next_stop(current, depot, unvisited, distances, penalties):
    """Nearest neighbour without the customers whose penalty is below the way to their nearest other place."""
    kept = []
    for customer in unvisited:
        ways = np.delete(distances[customer], customer)
        if penalties[customer] >= ways.min():
            kept.append(customer)
    if not kept:
        return depot
    return min(kept, key=lambda customer: (distances[current][customer], -penalties[customer]))


# %% distance_minus_third_of_penalty
def next_stop(current, depot, unvisited, distances, penalties):
    """Distance minus a third of the penalty is small; customers worth less than half their distance do not count."""
    best, best_value = depot, 1e18
    for customer in unvisited:
        value = distances[current][customer] - penalties[customer] / 3
        if 2 * penalties[customer] >= distances[current][customer] and value < best_value:
            best, best_value = customer, value
    return best


# %% gravity
def next_stop(current, depot, unvisited, distances, penalties):
    """Every unvisited customer pulls with its penalty, weaker with the distance; go where the pull is strong and the
    way short, and home once nothing but weak pull is left."""
    pull = {c: sum(penalties[d] / (10.0 + distances[c][d]) for d in unvisited) for c in unvisited}
    strongest = max(unvisited, key=lambda c: pull[c] / (5.0 + distances[current][c]))
    return strongest if pull[strongest] > 0.1 * distances[current][strongest] else depot


# %% nearest_with_cut_off_tail
def next_stop(current, depot, unvisited, distances, penalties):
    """Follow the nearest-neighbour path in thought; go on only if some beginning of it is better than going home."""
    here, left = current, set(unvisited)
    cost, best, first = 0, distances[current][depot], depot
    start = None
    while left:
        nearest = min(left, key=lambda customer: (distances[here][customer], customer))
        start = nearest if start is None else start
        cost += distances[here][nearest] - penalties[nearest]
        here = nearest
        left.discard(nearest)
        if cost + distances[here][depot] < best:
            best, first = cost + distances[here][depot], start
    return first


# %% two_steps_ahead
def next_stop(current, depot, unvisited, distances, penalties):
    """Look at pairs of customers: the pair that leaves the lowest way minus penalties names the next one."""
    best, answer = distances[current][depot], depot
    for one in unvisited:
        first = distances[current][one] - penalties[one]
        for other in unvisited:
            value = first + distances[one][depot]
            if other != one:
                value = first + distances[one][other] - penalties[other] + distances[other][depot]
            if value < best:
                best, answer = value, one
    return answer


# %% nearest_rollout
def next_stop(current, depot, unvisited, distances, penalties):
    """Try every customer, follow worthwhile nearest neighbours from it, cut the tail where it is best, keep the
    cheapest plan."""
    ways, fines = distances.tolist(), penalties.tolist()
    best, answer = ways[current][depot], depot
    for start in unvisited:
        here, cost = start, ways[current][start] - fines[start]
        plan = cost + ways[here][depot]
        left = [customer for customer in unvisited if customer != start]
        while left:
            near = [customer for customer in left if fines[customer] * 1.5 >= ways[here][customer]] or left
            row = ways[here]
            step = min(near, key=row.__getitem__)
            cost += row[step] - fines[step]
            left.remove(step)
            here = step
            plan = min(plan, cost + ways[here][depot])
        if plan < best:
            best, answer = plan, start
    return answer


# %% insertion_plan
def next_stop(current, depot, unvisited, distances, penalties):
    """Plan the rest of the tour by cheapest insertion as long as it pays, beginning with each of the eight best
    customers, and go to the first stop of the best plan."""
    ways, fines = distances.tolist(), penalties.tolist()
    detour = {c: ways[current][c] + ways[c][depot] - ways[current][depot] for c in unvisited}
    best, answer = ways[current][depot], depot
    for seed in sorted(unvisited, key=lambda c: detour[c] - fines[c])[:8]:
        plan, left = [current, seed, depot], set(unvisited) - {seed}
        while left:
            options = []
            for c in left:
                for place, (a, b) in enumerate(zip(plan, plan[1:]), 1):
                    options.append((fines[c] - ways[a][c] - ways[c][b] + ways[a][b], -c, place))
            gain, customer, place = max(options)
            if gain <= 0:
                break
            plan.insert(place, -customer)
            left.discard(-customer)
        cost = sum(ways[a][b] for a, b in zip(plan, plan[1:])) - sum(fines[c] for c in plan[1:-1])
        if cost < best:
            best, answer = cost, plan[1]
    return answer
