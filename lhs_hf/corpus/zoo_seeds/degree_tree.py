"""Seed programs for `degree_tree`: one complete program a cell, named after its idea."""


# %% first_pair
def lay_cable(pairs, cable_cost, free_ports, part):
    """The first pair of the list."""
    return pairs[0]


# %% random_pair
import random


def lay_cable(pairs, cable_cost, free_ports, part):
    """Any pair, drawn by a generator that is seeded with the parts."""
    return random.Random(sum((k + 1) * name for k, name in enumerate(part))).choice(pairs)


# %% dearest_cable
def lay_cable(pairs, cable_cost, free_ports, part):
    """The wrong way round: the most expensive cable."""
    return max(pairs, key=lambda pair: cable_cost[pair[0]][pair[1]])


# %% cheapest_cable
def lay_cable(pairs, cable_cost, free_ports, part):
    """The cheapest cable between two parts."""
    return min(pairs, key=lambda pair: cable_cost[pair[0]][pair[1]])


# %% one_growing_tree
def lay_cable(pairs, cable_cost, free_ports, part):
    """The cheapest cable from the part of computer 0 to a computer outside."""
    best, lowest = pairs[0], float("inf")
    for i, j in pairs:
        if (part[i] == 0) != (part[j] == 0) and cable_cost[i][j] < lowest:
            best, lowest = (i, j), cable_cost[i][j]
    return best


# %% smallest_part
from collections import Counter


def lay_cable(pairs, cable_cost, free_ports, part):
    """The smallest parts grow first, by the cheapest cable."""
    size = Counter(part)

    def key(pair):
        i, j = pair
        return min(size[part[i]], size[part[j]]), cable_cost[i][j]

    return min(pairs, key=key)


# %% most_free_ports
def lay_cable(pairs, cable_cost, free_ports, part):
    """Computers with the most free ports, the cheaper cable on ties."""
    return max(pairs, key=lambda p: (free_ports[p[0]] + free_ports[p[1]], -cable_cost[p[0]][p[1]]))


# %% cost_per_port
def lay_cable(pairs, cable_cost, free_ports, part):
    """Cost divided by the number of free ports at both ends, as scarce ports are to be kept."""
    return min(pairs, key=lambda p: cable_cost[p[0]][p[1]] / (free_ports[p[0]] + free_ports[p[1]]))


# %% path_from_its_end
def lay_cable(pairs, cable_cost, free_ports, part):
    """Lengthen a chain: from the computer of the largest part with the fewest free ports, its cheapest cable."""
    size = {name: part.count(name) for name in part}
    largest = max(size, key=lambda name: (size[name], -name))
    ends = [(free_ports[c], c) for pair in pairs for c in pair if part[c] == largest]
    end = min(ends)[1]
    return min((p for p in pairs if end in p), key=lambda p: cable_cost[p[0]][p[1]])


# %% dear_computers_first
def lay_cable(pairs, cable_cost, free_ports, part):
    """The single computer that is expensive for all others takes its cheapest cable; later the cheapest of all."""
    single = [c for c in range(len(part)) if part.count(part[c]) == 1]
    if not single:
        return min(pairs, key=lambda p: cable_cost[p[0]][p[1]])
    dear = max(single, key=lambda c: sum(cable_cost[c]))
    return min((p for p in pairs if dear in p), key=lambda p: cable_cost[p[0]][p[1]])


# %% below_the_means
def lay_cable(pairs, cable_cost, free_ports, part):
    """The cable that is cheapest in comparison with the mean costs of the computers at both ends."""
    mean = [sum(row) / (len(row) - 1) for row in cable_cost]
    best, lowest = None, float("inf")
    for i, j in pairs:
        value = cable_cost[i][j] - mean[i] - mean[j]
        if value < lowest:
            best, lowest = (i, j), value
    return best


# %% partly_below_the_means
import numpy as np


def lay_cable(pairs, cable_cost, free_ports, part):
    """Cost less a third of the mean costs at both ends, taken over the pairs that are left."""
    cost = np.array([cable_cost[i][j] for i, j in pairs], dtype=float)
    ends = np.array(pairs)
    total, number = np.zeros(len(part)), np.zeros(len(part))
    for side in (0, 1):
        np.add.at(total, ends[:, side], cost)
        np.add.at(number, ends[:, side], 1)
    mean = total / np.maximum(number, 1)
    return pairs[int(np.argmin(cost - (mean[ends[:, 0]] + mean[ends[:, 1]]) / 3))]


# %% regret_of_computers
def lay_cable(pairs, cable_cost, free_ports, part):
    """The single computer that loses most if it misses its cheapest cable; between larger parts the cheapest."""
    offers = {}
    for i, j in pairs:
        for one, other in ((i, j), (j, i)):
            if part.count(part[one]) == 1:
                offers.setdefault(one, []).append((cable_cost[i][j], other))
    if not offers:
        return min(pairs, key=lambda p: cable_cost[p[0]][p[1]])

    def regret(computer):
        ranked = sorted(offers[computer])
        return ranked[1][0] - ranked[0][0] if len(ranked) > 1 else float("inf")

    loser = max(sorted(offers), key=regret)
    return tuple(sorted((loser, min(offers[loser])[1])))


# %% regret_of_parts
def lay_cable(pairs, cable_cost, free_ports, part):
    """For each part the cheapest cable against the cheapest one without the same port; the part with most to lose."""
    best, best_value = None, float("-inf")
    for name in sorted(set(part)):
        outgoing = sorted((cable_cost[i][j], i, j) for i, j in pairs if name in (part[i], part[j]))
        cost, i, j = outgoing[0]
        outside = j if part[i] == name else i
        second = next((other[0] for other in outgoing[1:] if outside not in other[1:]), 2 * cost)
        value = second - 1.3 * cost
        if value > best_value:
            best, best_value = (i, j), value
    return best


# %% price_of_the_last_port
def lay_cable(pairs, cable_cost, free_ports, part):
    """A computer's last port costs what the next best computer would ask: the gap to it is added to the cost."""
    count = len(part)
    usual = [sum(sorted(cable_cost[c])[1 : count // 2]) / (count // 2 - 1) for c in range(count)]
    middle = sorted(usual)[count // 2]

    def key(pair):
        extra = sum(max(0, middle - usual[c]) for c in pair if free_ports[c] == 1)
        return cable_cost[pair[0]][pair[1]] + 0.8 * extra

    return min(pairs, key=key)


# %% port_prices
def lay_cable(pairs, cable_cost, free_ports, part):
    """Prices of ports rise where the cheapest tree uses too many; the cheapest cable by cost and prices."""
    price = [0.0] * len(part)
    for step in range(25):
        ranked = sorted(pairs, key=lambda p: cable_cost[p[0]][p[1]] + price[p[0]] + price[p[1]])
        name, used = list(part), [0] * len(part)
        for i, j in ranked:
            if name[i] != name[j]:
                gone = name[j]
                name = [name[i] if each == gone else each for each in name]
                used[i] += 1
                used[j] += 1
        for c in range(len(part)):
            price[c] = max(0.0, price[c] + 12 / (1 + 0.2 * step) * (used[c] - free_ports[c]))
    return min(pairs, key=lambda p: cable_cost[p[0]][p[1]] + price[p[0]] + price[p[1]])


# %% best_two_cables
def lay_cable(pairs, cable_cost, free_ports, part):
    """The first of the two cables, one after the other, that cost least in view of what their ends ask on average."""
    mean = [sum(row) / len(row) for row in cable_cost]
    value = {(i, j): cable_cost[i][j] - 0.5 * (mean[i] + mean[j]) for i, j in pairs}
    ranked = sorted(pairs, key=value.get)
    best, lowest = ranked[0], float("inf")
    for i, j in ranked[:12]:
        for a, b in ranked:
            parts = {part[i], part[j], part[a], part[b]}
            used_up = any(free_ports[c] < 2 for c in {i, j} & {a, b})
            if len(parts) > 2 and not used_up:
                if value[i, j] + value[a, b] < lowest:
                    best, lowest = (i, j), value[i, j] + value[a, b]
                break
    return best


# %% finish_by_cheapest
def lay_cable(pairs, cable_cost, free_ports, part):
    """Try the eight cheapest cables and finish each with the cheapest ones; the start of the cheapest tree."""
    ranked = sorted(pairs, key=lambda p: cable_cost[p[0]][p[1]])

    def total(first):
        name, ports, cost = list(part), list(free_ports), 0
        for i, j in [first, *ranked]:
            if name[i] != name[j] and ports[i] and ports[j]:
                gone = name[j]
                name = [name[i] if each == gone else each for each in name]
                ports[i] -= 1
                ports[j] -= 1
                cost += cable_cost[i][j]
        return cost

    return min(ranked[:8], key=total)


# %% finish_with_noise
import random


def lay_cable(pairs, cable_cost, free_ports, part):
    """Finish many times with the cheapest cables under disturbed costs; the cheapest cable of the cheapest result."""
    rng = random.Random(len(pairs))
    best, lowest = None, float("inf")
    for trial in range(15):
        extra = [12 * trial**0.5 * rng.random() for _ in part]
        ranked = sorted(pairs, key=lambda p: cable_cost[p[0]][p[1]] - extra[p[0]] - extra[p[1]])
        name, ports, laid = list(part), list(free_ports), []
        for i, j in ranked:
            if name[i] != name[j] and ports[i] and ports[j]:
                gone = name[j]
                name = [name[i] if each == gone else each for each in name]
                ports[i] -= 1
                ports[j] -= 1
                laid.append((cable_cost[i][j], i, j))
        cost = sum(each[0] for each in laid)
        if cost < lowest:
            best, lowest = min(laid)[1:], cost
    return best


# %% exchange_cables
def lay_cable(pairs, cable_cost, free_ports, part):
    """Finish by cost below the means, exchange single cables while that saves, then lay the cheapest one."""
    mean = [sum(row) / len(row) for row in cable_cost]

    def joined(cables):
        name = list(part)
        for i, j in cables:
            gone = name[j]
            name = [name[i] if each == gone else each for each in name]
        return name

    tree, name, ports = [], list(part), list(free_ports)
    for i, j in sorted(pairs, key=lambda p: cable_cost[p[0]][p[1]] - 0.4 * (mean[p[0]] + mean[p[1]])):
        if name[i] != name[j] and ports[i] and ports[j]:
            tree.append((i, j))
            ports[i] -= 1
            ports[j] -= 1
            name = joined(tree)
    improved = True
    while improved:
        improved = False
        for old in sorted(tree, key=lambda p: -cable_cost[p[0]][p[1]]):
            rest = [pair for pair in tree if pair != old]
            name = joined(rest)
            for c in old:
                ports[c] += 1
            fitting = [p for p in pairs if name[p[0]] != name[p[1]] and ports[p[0]] and ports[p[1]]]
            new = min(fitting, key=lambda p: cable_cost[p[0]][p[1]])
            for c in new:
                ports[c] -= 1
            if cable_cost[new[0]][new[1]] < cable_cost[old[0]][old[1]]:
                improved = True
            tree = [*rest, new]
    return min(tree, key=lambda p: cable_cost[p[0]][p[1]])
