"""Seed programs for `clique_growth`: one complete program a cell, named after its idea."""


# %% lightest_first
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """The wrong way round: light vertices first."""
    return -weight


# %% fewest_left
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Keep as few vertices possible as one can; heavy vertices on ties."""
    return weight / 100 - len(common_weights)


# %% random_order
import random


def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """A random number, seeded with all that is known about the vertex."""
    seed = 7 * weight + 31 * sum(common_weights) + 101 * sum(common_degrees) + gained
    return random.Random(seed).random()


# %% most_left
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """The vertex that leaves most others possible, whatever it weighs."""
    return len(common_weights)


# %% most_weight_left
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Its weight and that of all vertices it leaves: an upper bound of what can still be gained."""
    return weight + sum(common_weights)


# %% weight_times_left
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """The product of the weight and the number of vertices that stay possible."""
    return weight * (1 + len(common_weights))


# %% weight_per_vertex_ruled_out
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Gain per cost: weight over the number of vertices that joining uses up."""
    used_up = rivals - len(common_weights)
    return weight / used_up


# %% most_links_left
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """The vertices that are left are to have as many links among each other as possible."""
    return sum(common_degrees) // 2 + 0.001 * weight


# %% links_at_first_weight_later
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """As long as many vertices are possible their number decides, later the weight does."""
    if rivals > 12:
        return len(common_weights) + 0.1 * weight
    return weight + 0.1 * len(common_weights)


# %% weight_plus_share_of_rest
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Own weight and a quarter of the weight that stays possible."""
    rest = 0
    for other in common_weights:
        rest += other
    return weight + 0.25 * rest


# %% weight_by_density
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Own weight plus the remaining weight times the squared density of the remaining links."""
    count = len(common_weights)
    if count < 2:
        return weight + sum(common_weights)
    density = sum(common_degrees) / (count * (count - 1))
    return weight + density**2 * sum(common_weights)


# %% expected_greedy_gain
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Own weight plus what a random order of the rest would gain on average, by its missing links."""
    count = len(common_weights)
    return weight + sum(w / (count - d) for w, d in zip(common_weights, common_degrees))


# %% best_next_vertex
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Look at the pair of this vertex and the best next one, which counts by its weight and its links."""
    if not common_weights:
        return weight
    after = max(w + 3 * d for w, d in zip(common_weights, common_degrees))
    return weight + after


# %% degree_bound
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """The size a clique in the rest can have by its degrees, filled with the heaviest vertices of enough links."""
    size = 0
    for rank, degree in enumerate(sorted(common_degrees, reverse=True)):
        if degree >= rank:
            size = rank + 1
    strong = [w for w, d in zip(common_weights, common_degrees) if d >= size - 1]
    return weight + sum(sorted(strong, reverse=True)[:size])


# %% likely_clique_size
import math


def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Guess the size of the largest clique in a random graph like the rest and fill it with average vertices."""
    count = len(common_weights)
    if count == 0:
        return weight
    density = sum(common_degrees) / max(1, count * (count - 1))
    size = min(count, 1 + 2 * math.log(count) / -math.log(min(0.95, max(0.05, density))))
    return weight + size * sum(common_weights) / count


# %% well_linked_rest
import heapq


def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Own weight plus the four best values of weight times share of links in the rest."""
    count = max(1, len(common_weights) - 1)
    values = [w * d / count for w, d in zip(common_weights, common_degrees)]
    return weight + sum(heapq.nlargest(4, values))


# %% closing_time
import numpy as np


def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """A rest that is fully linked is taken as a whole; else links count against weight, the more the larger it is."""
    weights, degrees = np.array(common_weights, dtype=float), np.array(common_degrees, dtype=float)
    count = len(weights)
    if count == 0 or degrees.min() == count - 1:
        return weight + weights.sum()
    missing = count - 1 - degrees
    return weight + float((weights * np.exp(-0.45 * missing)).sum()) + 0.3 * count


# %% chance_to_join
def vertex_priority(weight, common_weights, common_degrees, rivals, gained):
    """Pass through the rest from the best linked vertex on; each joins with the chance that it is linked to
    those before it."""
    count = len(common_weights)
    order = sorted(zip(common_degrees, common_weights), reverse=True)
    joined, value = 0.0, float(weight)
    for degree, other in order:
        share = degree / (count - 1) if count > 1 else 1.0
        chance = share**joined
        joined += chance
        value += chance * other
    return value
