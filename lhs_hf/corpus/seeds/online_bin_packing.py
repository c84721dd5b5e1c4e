"""Seed programs of `online_bin_packing`: one a cell, each named after its idea."""

# %% tightest_bin


def priority(item, bins):
    """Best fit: the less room is left over, the better."""
    return item - bins


# %% earliest_bin

import numpy as np


def priority(item, bins):
    """First fit: all bins are equal, so the earliest one with room wins."""
    return np.zeros(len(bins))


# %% roomiest_opened

import numpy as np


def priority(item, bins):
    """Worst fit among opened bins; an untouched bin comes last."""
    return np.where(bins < 100, bins, 0)


# %% newest_opened

import numpy as np


def priority(item, bins):
    """Prefer the bin that was opened most recently; open another one only when no opened bin has room."""
    position = np.arange(len(bins))
    return np.where(bins == 100, -1 - position, position)


# %% never_share


def priority(item, bins):
    """Deliberately bad: every item gets a bin to itself."""
    return 1.0 * bins


# %% seeded_lottery

import numpy as np


def priority(item, bins):
    """A lottery among opened bins, with a generator seeded by the item and the number of bins with room."""
    rng = np.random.default_rng(int(item) + 7 * len(bins))
    tickets = rng.random(len(bins))
    tickets[bins == 100] = -1.0
    return tickets


# %% second_roomiest

import numpy as np


def priority(item, bins):
    """Almost worst fit: the opened bin with the second most room, so that one bin stays free for large items."""
    scores = np.where(bins < 100, bins, 0).astype(float)
    scores[np.argmax(scores)] = 0.5
    return scores


# %% last_three_tightest

import numpy as np


def priority(item, bins):
    """Bounded memory: best fit among the three most recently opened bins, all older ones are closed for good."""
    opened = np.flatnonzero(bins < 100)
    scores = np.full(len(bins), -1000.0)
    recent = opened[-3:]
    scores[recent] = item - bins[recent]
    scores[bins == 100] = -101.0
    return scores


# %% exact_or_earliest


def priority(item, bins):
    """Only an exact fit is special; without one the earliest bin with room takes the item."""
    return (bins == item) * 1.0


# %% near_exact_or_roomy

import numpy as np


def priority(item, bins):
    """Close a bin if at most three units would be lost; otherwise keep residuals large by taking the roomiest."""
    left = bins - item
    roomy = np.where(bins < 100, left, -1.0)
    return np.where(left <= 3, 1000.0 - left, roomy)


# %% awkward_gap

import numpy as np


def priority(item, bins):
    """Best fit, except that residuals too small for a usual item and too large to lose rank below a new bin."""
    left = bins - item
    awkward = (left >= 4) & (left <= 18)
    return np.where(awkward, -200.0 - left, -1.0 * left)


# %% gap_bands

import numpy as np


def priority(item, bins):
    """Three classes of residual: nearly full, still useful for two items, and the rest; ties by order."""
    left = bins - item
    scores = np.zeros(len(bins))
    scores[bins == 100] = 1.0
    scores[(left >= 30) & (bins < 100)] = 2.0
    scores[left <= 2] = 3.0
    return scores


# %% u_shaped_residual

import numpy as np


def priority(item, bins):
    """A U-shaped score: a leftover of about thirteen is the worst, both smaller and larger ones are better."""
    left = bins - item
    score = (left - 13.0) ** 2
    return np.where(bins == 100, 120.0, np.minimum(score, 400.0 - left))


# %% integer_multiple


def priority(item, bins):
    """Harmonic thinking: prefer bins whose room is nearly a whole multiple of the item."""
    size = max(1, int(item))
    remainder = bins % size
    return -1.0 * remainder - 0.05 * (bins // size)


# %% harmonic_classes

import numpy as np


def priority(item, bins):
    """Harmonic classes: with k items of this size to a bin, use bins whose room holds a whole share of k-ths."""
    k = max(1, min(6, 100 // int(item)))
    share = 100.0 / k
    distance = np.abs(bins / share - np.rint(bins / share)) * share
    return np.where(bins == 100, -9.0, -distance - 0.02 * (bins - item))


# %% big_items_apart

import numpy as np


def priority(item, bins):
    """Items above half a bin fit tightly; smaller ones first join bins that already hold more than half."""
    if item > 50:
        return item - bins
    holds_big = (bins < 50) * 1.0
    return 100.0 * holds_big + np.where(bins < 100, bins, -1.0)


# %% three_sizes

import numpy as np


def priority(item, bins):
    """A rule for each size: small items fill gaps, medium ones take the roomiest opened bin, large ones fit tightly."""
    left = bins - item
    if item < 25:
        return -left
    if item < 45:
        return np.where(bins < 100, left + 100.0 * (left < 3), -1.0)
    return np.where(left > 25, -left - 10.0, -left)


# %% typical_next_item

import numpy as np


def priority(item, bins):
    """Like residuals near zero, one or two typical items of about 40; distances to the nearest of these count."""
    left = bins - item
    to_full = left * 1.0
    to_one = np.abs(left - 40) * 0.7 + 2.0
    to_two = np.abs(left - 80) * 0.5 + 6.0
    return -np.minimum(np.minimum(to_full, to_one), to_two)


# %% gaussian_bumps

import numpy as np


def priority(item, bins):
    """Smooth rewards for residuals: a sharp bump at zero, a wide one at the mean item size, one at its double."""
    grid = np.arange(101.0)
    worth = 1.5 * np.exp(-((grid / 3.0) ** 2))
    worth += np.exp(-(((grid - 43.0) / 12.0) ** 2))
    worth += 0.5 * np.exp(-(((grid - 82.0) / 16.0) ** 2))
    return worth[bins - item]


# %% chance_to_close

import numpy as np


def priority(item, bins):
    """Weibull expectation: the chance that one further item leaves at most four units in what remains of the bin."""
    grid = np.arange(101.0)
    below = 1.0 - np.exp(-(((grid + 0.5) / 45.0) ** 3))
    above = 1.0 - np.exp(-((np.maximum(grid - 4.5, 0.0) / 45.0) ** 3))
    chance = below - above
    chance[:4] = [1.0, 0.7, 0.4, 0.25]
    return chance[bins - item]


# %% expected_residual

import numpy as np


def priority(item, bins):
    """Minimise the expected waste after one more random item from a Weibull law, which may or may not fit."""
    size = np.arange(101)
    survival = np.exp(-((size / 45.0) ** 3))
    mass = np.append(-np.diff(survival), 0.0)
    expected = np.cumsum(np.cumsum(mass))
    stay = size * survival
    waste = np.minimum(size, 0.4 * expected + 0.6 * stay + 6.0)
    waste[0] = 0.0
    return -waste[bins - item]


# %% patient_bin_values

import numpy as np


def priority(item, bins):
    """Drop in bin value: a room is worth what its fitting share of Weibull items makes of it, before minus after."""
    room = np.arange(101)
    usable = 1.0 - np.exp(-((room / 38.0) ** 4))
    loss = room * (1.0 - usable) + 6.0 * np.sin(np.pi * room / 40.0) ** 2 * usable
    before = loss[bins]
    after = loss[bins - item]
    return before - after - 5.0 * (bins == 100)


# %% waste_recursion

import numpy as np


def waste_by_room():
    """Expected waste of each room when a bin may refuse items, at a small price for every item it sees."""
    edges = np.exp(-(((np.arange(102) - 0.5).clip(0) / 45.0) ** 3))
    mass = edges[:-1] - edges[1:]
    waste = np.zeros(101)
    for room in range(1, 101):
        offers = waste[room - np.arange(1, room + 1)]
        value = float(room)
        for _ in range(80):
            taken = np.minimum(offers, value)
            seen = mass[1 : room + 1]
            value = min(value, 0.12 + float(np.sum(seen * taken)) + (1.0 - float(np.sum(seen))) * value)
        waste[room] = value
    return waste


WASTE = waste_by_room()


def priority(item, bins):
    """Dynamic programme over one bin: choose the bin whose expected final waste falls most."""
    return WASTE[bins] - WASTE[bins - item]


# %% level_squares

import numpy as np


def priority(item, bins):
    """Sum of squares: keep the numbers of opened bins with each room as even as possible."""
    count = np.bincount(bins, minlength=101).astype(float)
    count[0] = count[100] = 0.0
    before = bins
    after = bins - item
    change = 2.0 * count[after] + 1.0 - np.where(before < 100, 2.0 * count[before] - 1.0, 0.0)
    change[after == 0] -= 2.0
    return -change


# %% crowded_level

import numpy as np


def priority(item, bins):
    """Thin out the crowd: take a bin from the room level that most opened bins share, small leftovers first."""
    count = np.bincount(bins, minlength=101) * 1.0
    count[100] = 0.0
    left = bins - item
    return 4.0 * count[bins] + 30.0 * (left <= 2) - 0.1 * left


# %% rare_residual

import numpy as np


def priority(item, bins):
    """Variety of gaps: create the residual of which fewest opened bins exist, weighted by how usable it is."""
    count = np.bincount(bins, minlength=101) * 1.0
    left = bins - item
    scarcity = 1.0 / (1.0 + count)
    usable = np.minimum(np.arange(101) / 30.0, 1.0)
    usable[:3] = 2.0
    worth = scarcity * usable
    worth[100] = 0.0
    return worth[left] - 0.3 * (bins == 100)


# %% stock_of_gaps

import numpy as np


def priority(item, bins):
    """Keep gaps in stock for the sizes that come often: worth is Weibull demand less the gaps in stock."""
    grid = np.arange(101.0)
    demand = 60.0 * (grid / 45.0) ** 2 * np.exp(-((grid / 45.0) ** 3))
    stock = np.bincount(bins, minlength=101)
    stock[100] = 0
    shortage = np.maximum(demand - 0.5 * stock, -20.0)
    shortage[0] = 45.0
    shortage[100] = 0.0
    return shortage[bins - item] - shortage[bins]


# %% old_bins_first

import numpy as np


def priority(item, bins):
    """Best fit with age: each place later in the order costs as much as some units of residual."""
    age_cost = 0.6 * np.arange(len(bins))
    return -1.0 * (bins - item) - age_cost


# %% room_for_twice

import numpy as np


def priority(item, bins):
    """Aim at bins that hold exactly this item, or this item twice; anything in between is graded by distance."""
    single = np.abs(bins - item)
    double = np.abs(bins - 2 * item) + 3
    return -np.minimum(single, double).astype(float)


# %% mature_bins

import numpy as np


def priority(item, bins):
    """Fill bins with much room first, in order; best fit among those that are at most three fifths empty."""
    left = bins - item
    mature = bins <= 60
    return np.where(mature, -1.0 * left, np.where(bins < 100, 0.5, -100.0))


# %% tolerance_by_size

import numpy as np


def priority(item, bins):
    """A leftover is tolerated in proportion to the item; beyond that a bin scores by its remaining room."""
    tolerance = 1 + item // 12
    left = bins - item
    inside = left <= tolerance
    outside = np.where(bins == 100, 40.0, np.where(left >= 22, left * 1.0, left - 60.0))
    return np.where(inside, 500.0 - left, outside)


# %% even_rooms


def priority(item, bins):
    """A weak habit: prefer bins whose room after packing is a multiple of ten, then of five, whatever its size."""
    left = bins - item
    return (left % 10 == 0) * 2.0 + (left % 5 == 0) * 1.0


# %% warm_up

import numpy as np


def priority(item, bins):
    """Worst fit while few bins are open, so that a varied stock arises; best fit with a bonus for exact fits later."""
    opened = int(np.sum(bins < 100))
    left = bins - item
    if opened < 40:
        return np.where(left == 0, 1000.0, np.where(bins < 100, left, 101.0))
    return -1.0 * left + 20.0 * (left == 0)


# %% two_item_close

import numpy as np


def priority(item, bins):
    """Count the ways in which one or two items of nine quantile sizes would close the bin, nearer closings more."""
    quantiles = np.array([20, 26, 31, 36, 40, 44, 48, 53, 60])
    pairs = (quantiles[:, None] + quantiles[None, :]).ravel()
    ends = np.concatenate([np.zeros(3, dtype=int), quantiles, pairs[pairs <= 98]])
    worth = np.bincount(ends, minlength=104).astype(float)
    worth[:101] += 0.6 * worth[1:102] + 0.3 * worth[2:103]
    worth[9:30] *= 0.5
    worth[0] = 9.0
    return worth[bins - item]


# %% sawtooth_index

import numpy as np


def priority(item, bins):
    """Hash the item to a preferred place among the opened bins and take the nearest one with room."""
    opened = max(1, int(np.count_nonzero(bins < 100)))
    place = (int(item) * 37) % opened
    distance = np.abs(np.arange(len(bins)) - place)
    return -1.0 * distance


# %% keep_halves


def priority(item, bins):
    """Protect bins with room for a large item: breaking a room of 50 or more costs extra unless the fit is close."""
    left = bins - item
    breaks = (bins >= 50) & (left < 50) & (left > 6)
    cost = left + 35.0 * breaks
    cost[bins == 100] = 64.0
    return -cost
