"""Seed programs for `graph_partition`: one complete program a cell, named after its idea."""


# %% fill_in_order
def score_parts(vertex, open_parts, members, capacity, links):
    """Fill the parts one after the other."""
    return [-part for part in open_parts]


# %% even_total_weight
def score_parts(vertex, open_parts, members, capacity, links):
    """Balance the parts by the total weight of the links at their members, wherever those lead."""
    return [-sum(sum(links[other].values()) for other in members[part]) for part in open_parts]


# %% random_part
import random


def score_parts(vertex, open_parts, members, capacity, links):
    """Random scores, seeded with the vertex and the room left."""
    rng = random.Random(100 * vertex + len(open_parts))
    return [rng.random() for _ in open_parts]


# %% least_weight
def score_parts(vertex, open_parts, members, capacity, links):
    """The wrong way round: the part that the vertex has the least weight to."""
    around = links[vertex]
    return [-sum(around.get(other, 0) for other in members[part]) for part in open_parts]


# %% open_new_part_if_weak
def score_parts(vertex, open_parts, members, capacity, links):
    """The part with the most weight to the vertex; an empty one counts as if it had 4."""
    scores = []
    for part in open_parts:
        total = 0 if members[part] else 4
        for other in members[part]:
            total += links[vertex].get(other, 0)
        scores.append(total)
    return scores


# %% most_weight_even_sizes
def score_parts(vertex, open_parts, members, capacity, links):
    """The part with the most weight to the vertex; ties go to the part with the most room."""
    around = links[vertex]
    return [sum(around.get(o, 0) for o in members[p]) - 0.01 * len(members[p]) for p in open_parts]


# %% weight_times_room
def score_parts(vertex, open_parts, members, capacity, links):
    """Linear greedy: the weight to a part counts by the share of the part that is still empty."""
    around = links[vertex]
    scores = []
    for part in open_parts:
        room = 1 - len(members[part]) / capacity
        weight = sum(around.get(other, 0) for other in members[part])
        scores.append((weight + 0.01) * room)
    return scores


# %% mean_weight_per_member
def score_parts(vertex, open_parts, members, capacity, links):
    """Average weight to the members of a part, as if each part had one more member with a weight of 1.5."""
    around = links[vertex]
    return [(1.5 + sum(around.get(o, 0) for o in members[p])) / (len(members[p]) + 1) for p in open_parts]


# %% heaviest_single_link
def score_parts(vertex, open_parts, members, capacity, links):
    """Follow the heaviest link of the vertex into a part."""

    def strongest(part):
        return max((links[vertex].get(other, 0) for other in members[part]), default=0.5)

    return list(map(strongest, open_parts))


# %% size_fine
import math


def score_parts(vertex, open_parts, members, capacity, links):
    """Weight to a part less a fine that grows with the square root of its size."""
    around = links[vertex]
    scores = []
    for part in open_parts:
        weight = sum(around.get(other, 0) for other in members[part])
        scores.append(weight - 2.5 * math.sqrt(len(members[part])))
    return scores


# %% similar_neighborhoods
def score_parts(vertex, open_parts, members, capacity, links):
    """Share of common vertices in the two neighbourhoods, each with its centre, on average over the members; an
    empty part counts as 0.15."""
    own = {vertex, *links[vertex]}
    scores = []
    for part in open_parts:
        alike = 0.0
        for other in members[part]:
            theirs = {other, *links[other]}
            alike += len(own & theirs) / len(own | theirs)
        scores.append(alike / len(members[part]) if members[part] else 0.15)
    return scores


# %% direct_and_two_steps
def score_parts(vertex, open_parts, members, capacity, links):
    """Weight of the direct links plus four tenths of what paths over later vertices weigh, by their weaker link."""
    scores = []
    for part in open_parts:
        inside = set(members[part])
        direct = sum(w for other, w in links[vertex].items() if other in inside)
        indirect = 0
        for middle, first in links[vertex].items():
            if middle > vertex:
                indirect += sum(min(first, second) for other, second in links[middle].items() if other in inside)
        scores.append(direct + 0.4 * indirect - 2.0 * len(inside))
    return scores


# %% likelihood_of_group
import math


def score_parts(vertex, open_parts, members, capacity, links):
    """Log odds that the vertex belongs: a link to a member speaks for a part, the more if heavy, its lack against."""
    around = links[vertex]
    scores = []
    for part in open_parts:
        odds = 0.3 * math.log(capacity - len(members[part]))
        for other in members[part]:
            odds += 0.6 + 0.1 * around[other] if other in around else -0.3
        scores.append(odds)
    return scores


# %% keep_room_for_the_linked
def score_parts(vertex, open_parts, members, capacity, links):
    """Weight to the part minus what later vertices want of its few free places."""
    scores = []
    for part in open_parts:
        weight = sum(links[vertex].get(other, 0) for other in members[part])
        room = capacity - len(members[part])
        wishes = []
        for later in range(vertex + 1, len(links)):
            wishes.append(sum(links[later].get(other, 0) for other in members[part]))
        wishes.sort(reverse=True)
        displaced = wishes[room - 1] if room <= len(wishes) else 0
        scores.append(weight - 0.7 * displaced)
    return scores


# %% regions_grow
import numpy as np


def score_parts(vertex, open_parts, members, capacity, links):
    """Later vertices belong to parts by shares that spread over the links; the shares of the vertex are its scores."""
    count = len(links)
    weights = np.zeros((count, count))
    for one, around in links.items():
        for other, weight in around.items():
            weights[one, other] = weight
    share = np.full((count, len(members)), 1.0 / len(members))
    for part, inside in enumerate(members):
        share[inside] = np.eye(len(members))[part]
    for _ in range(12):
        spread = weights @ (share - share.mean(axis=0)) / 15.0
        spread = np.exp(spread - spread.max(axis=1, keepdims=True))
        share[vertex:] = (spread / spread.sum(axis=1, keepdims=True))[vertex:]
    return share[vertex, open_parts]


# %% spectral_distance
import numpy as np


def score_parts(vertex, open_parts, members, capacity, links):
    """Points from leading eigenvectors of the scaled weights; the part whose centre lies in the direction of the
    vertex. Empty parts count as a right angle."""
    count = len(links)
    weights = np.zeros((count, count))
    for one, around in links.items():
        weights[one, list(around)] = list(around.values())
    scale = 1.0 / np.sqrt(weights.sum(axis=1) + 3.0)
    values, vectors = np.linalg.eigh(scale[:, None] * weights * scale[None, :])
    points = vectors[:, -len(members) : -1]
    points = points / (np.linalg.norm(points, axis=1, keepdims=True) + 1e-9)
    scores = []
    for part in open_parts:
        centre = points[members[part]].mean(axis=0) if members[part] else points[vertex] * 0.15
        scores.append(float(points[vertex] @ centre))
    return scores


# %% complete_and_swap
import numpy as np


def score_parts(vertex, open_parts, members, capacity, links):
    """Complete the parts greedily, swap free vertices while a swap lowers the cut, and see where the vertex ends."""
    count = len(links)
    weights = np.zeros((count, count))
    for one, around in links.items():
        weights[one, list(around)] = list(around.values())
    pull = np.stack([weights[:, inside].sum(axis=1) for inside in members])
    room = [capacity - len(inside) for inside in members]
    where = np.zeros(count, dtype=int)
    for v in range(vertex, count):
        part = max((p for p in range(len(members)) if room[p]), key=lambda p: pull[p, v] * room[p] + 0.01 * room[p])
        where[v] = part
        room[part] -= 1
        pull[part] += weights[v]
    free = np.arange(vertex, count)
    for _ in range(60):
        own = pull[where[free], free]
        move = pull[where[free]][:, free].T - own[:, None]
        gain = move + move.T - 2 * weights[np.ix_(free, free)]
        gain[where[free][:, None] == where[free][None, :]] = 0
        i, j = np.unravel_index(gain.argmax(), gain.shape)
        if gain[i, j] <= 1e-9:
            break
        u, v = free[i], free[j]
        pull[where[u]] += weights[v] - weights[u]
        pull[where[v]] += weights[u] - weights[v]
        where[u], where[v] = where[v], where[u]
    return [float(part == where[vertex]) for part in open_parts]
