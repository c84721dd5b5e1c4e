"""Seed programs for `linear_arrangement`: one complete program a cell, named after its idea."""


# %% by_number
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The order of the numbers."""
    return waiting[0]


# %% random_vertex
import random


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """A vertex drawn at random, seeded with the position and the open links."""
    rng = random.Random(41 * position + open_links)
    return int(rng.choice(list(waiting)))


# %% hubs_first
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The vertex with the most links goes first, which opens many at once."""
    return max(waiting, key=lambda v: placed_links[v] + waiting_links[v])


# %% most_new_links
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The wrong way round: open as many links as possible."""
    growth = waiting_links[waiting] - placed_links[waiting]
    return waiting[int(np.argmax(growth))]


# %% breadth_first
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The waiting neighbour of the vertex placed longest ago, of few links first; start at a vertex of few links."""
    for old in placed:
        around = [v for v in waiting if links[old, v]]
        if around:
            return min(around, key=lambda v: waiting_links[v])
    return min(waiting, key=lambda v: waiting_links[v])


# %% depth_first
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The waiting neighbour of the vertex placed last that has one."""
    for recent in reversed(placed):
        for v in waiting:
            if links[recent, v]:
                return v
    return waiting[0]


# %% most_placed_links
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The vertex that most placed ones wait for; fewer links to waiting ones on ties."""
    return max(waiting, key=lambda v: (placed_links[v], -waiting_links[v]))


# %% smallest_growth
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """Keep the number of open links small: those the vertex opens minus those it closes."""
    growth = waiting_links[waiting] - placed_links[waiting]
    return waiting[np.argmin(growth)]


# %% growth_then_oldest
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """Smallest growth of the open links; on ties the vertex whose open links are longest."""
    best, best_key = None, None
    for v in waiting:
        length = sum(position - i for i, u in enumerate(placed) if links[u, v])
        key = (waiting_links[v] - placed_links[v], -length)
        if best is None or key < best_key:
            best, best_key = v, key
    return best


# %% closed_share
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The vertex with the largest share of its links to placed ones."""

    def share(v):
        total = placed_links[v] + waiting_links[v]
        return (placed_links[v] + 0.1) / (total + 0.2)

    return max(waiting, key=share)


# %% oldest_open_links
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The vertex whose open links are longest in sum, less a fine for each link that it opens."""
    ages = position - np.arange(len(placed))
    length = links[np.ix_(waiting, placed)] @ ages
    return waiting[int(np.argmax(length - 6.0 * waiting_links[waiting]))]


# %% stay_near_the_front
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """Links to the latest six placed vertices count double, links to waiting ones count against."""
    recent = placed[-6:]
    near = links[np.ix_(waiting, recent)].sum(axis=1)
    score = placed_links[waiting] + near - 1.2 * waiting_links[waiting]
    return waiting[int(score.argmax())]


# %% two_steps_of_growth
def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """Growth now, twice as important, plus the smallest growth that any next vertex has afterwards."""
    growth = {int(v): int(waiting_links[v] - placed_links[v]) for v in waiting}
    best, best_value = None, float("inf")
    for v in growth:
        after = min(growth[u] - 2 * links[u, v] for u in growth if u != v)
        value = 2 * growth[v] + after
        if value < best_value:
            best, best_value = v, value
    return best


# %% shallow_level_order
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """Distance in links from a far vertex of the graph is the main order, growth of the open links the second."""
    count = len(links)

    def levels(start):
        level = np.full(count, count)
        level[start] = 0
        for depth in range(count):
            front = links[level == depth].sum(axis=0) > 0
            level[front & (level > depth + 1)] = depth + 1
        return level

    start = int(np.argmax(np.where(levels(0) < count, levels(0), -1)))
    level = levels(start)
    return min(waiting, key=lambda v: (level[v], waiting_links[v] - placed_links[v]))


# %% second_eigenvector
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """Vertices in the order of their entries in the second eigenvector of the Laplacian."""
    laplacian = np.diag(links.sum(axis=1)) - links
    vector = np.linalg.eigh(laplacian.astype(float))[1][:, 1]
    return waiting[int(np.argmin(vector[waiting]))]


# %% eigenvector_and_growth
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """Among the four lowest in the second eigenvector the one with the smallest growth."""
    laplacian = np.diag(links.sum(axis=1) + 0.01) - links
    vector = np.linalg.eigh(laplacian)[1][:, 1]
    ranked = waiting[np.argsort(vector[waiting])][:4]
    return min(ranked, key=lambda v: waiting_links[v] - placed_links[v])


# %% settled_positions
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """Waiting vertices settle at the mean position of their neighbours, with a pull to the end; the lowest is next."""
    count = len(links)
    place = np.full(count, float(count))
    place[placed] = np.arange(len(placed))
    degree = links.sum(axis=1)
    for _ in range(20):
        mean = (links @ place + 1.5 * count) / (degree + 1.5)
        place[waiting] = mean[waiting]
    return waiting[int(np.argmin(place[waiting] + 0.3 * waiting_links[waiting]))]


# %% finish_by_growth
import numpy as np


def choose_next(waiting, position, placed, links, placed_links, waiting_links, open_links):
    """The five vertices of smallest growth are tried, each followed by twelve steps of smallest growth; least sum of
    open links wins."""
    growth = (waiting_links - placed_links).astype(float)
    growth[placed] = np.inf
    tries = sorted(waiting, key=lambda v: (growth[v], -placed_links[v]))[: 5 if placed else len(waiting)]

    def total(v):
        left, opened, value = growth.copy(), open_links, 0.0
        for _ in range(min(12, len(waiting))):
            opened += left[v]
            value += opened
            left[v] = np.inf
            left -= 2.0 * links[v]
            v = int(left.argmin())
        return value

    return min(tries, key=total)
