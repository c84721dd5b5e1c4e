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


# %% target_stock_squares
import numpy as np


def priority(item, bins):
    """Quadratic potential: steer the stock of rooms towards a target profile."""
    level = np.arange(101.0)
    target = 0.74 * np.exp(-(((level - 40.3) / 13.8) ** 2))
    target[:12] = -1.7
    stock = np.bincount(bins[bins < 100], minlength=101).astype(float)
    arrive = 2.0 * (stock - target) - 1.6
    leave = 1.0 - 0.7 * (stock - target)
    arrive[0] = -18.0
    arrive[1] -= 1.0
    leave[100] = -0.7
    return -(arrive[bins - item] + leave[bins])


# %% waiting_time_of_gap
import numpy as np


def priority(item, bins):
    """Queueing view: a gap waits behind equal gaps for its item; prefer short waits."""
    room = np.arange(101)
    tail = np.exp(-((np.maximum(room - 0.5, 0.0) / 45.0) ** 3))
    arrivals = tail - np.append(tail[1:], 0.0)
    queue = np.bincount(bins[bins < 100], minlength=101)
    wait = (1.0 + queue) / (arrivals + 0.004)
    cost = np.minimum(wait, 260.0)
    cost[0] = 20.0
    cost[1:4] = [120.0, 190.0, 240.0]
    return cost[bins] * 0.25 * (bins < 100) - cost[bins - item]


# %% marginal_coverage
import numpy as np


def priority(item, bins):
    """Coverage of the next item's exact gaps: what the new gap adds less what the old one covered."""
    level = np.arange(101)
    density = (level / 45.0) ** 2 * np.exp(-((level / 45.0) ** 3))
    have = np.bincount(bins[bins < 100], minlength=101)
    gain = np.where(have == 0, density, 0.1 * density)
    loss = np.where(have == 1, density, 0.1 * density)
    gain[0] = 0.5
    gain[1:16] -= 0.1
    gain[100] = 0.0
    loss[100] = 0.12
    return gain[bins - item] - loss[bins]


# %% exact_fill_convolution
import numpy as np


def priority(item, bins):
    """A room is worth the likelihood that one, two or three Weibull items fill it exactly."""
    size = np.arange(101)
    density = 3.0 / 45.0 * (size / 45.0) ** 2 * np.exp(-((size / 45.0) ** 3))
    two = np.convolve(density, density)[:101]
    three = np.convolve(two, density)[:101]
    value = density + 0.55 * two + 0.25 * three
    value[0] = 0.045
    value[100] = 0.016
    return value[bins - item] - 0.35 * value[bins]


# %% picky_by_stock
import numpy as np


def priority(item, bins):
    """Few rooms in stock make it picky: the accepted leftover grows with their number."""
    left = bins - item
    stock = np.count_nonzero(bins < 100)
    allowed = 1 + stock // 14
    fits = left <= allowed
    useful = (left >= 24) & (bins < 100)
    score = np.full(len(bins), -500.0)
    score[bins == 100] = -100.0
    score[useful] = -50.0 - np.abs(left[useful] - 46)
    score[fits] = -1.0 * left[fits]
    return score


# %% kernel_density_ratio
import numpy as np


def priority(item, bins):
    """Demand over supply: each gap's worth is divided by a blurred stock around it."""
    room = np.arange(101)
    counts = np.bincount(bins[bins < 100], minlength=101)[:101] * 1.0
    counts[100] = 0.0
    blurred = np.convolve(counts, [0.25, 0.5, 1.0, 0.5, 0.25], mode="same")
    demand = np.exp(-(((room - 42.0) / 15.0) ** 2))
    ratio = demand / (0.6 + blurred)
    ratio[0] = 2.5
    ratio[1:3] = (0.8, 0.3)
    ratio[100] = 0.0
    return ratio[bins - item] - 0.5 * ratio[bins] - 0.2 * (bins == 100)


# %% log_stock_utility
import numpy as np


def priority(item, bins):
    """Proportional fairness: maximise a demand-weighted logarithmic utility of the stock."""
    room = np.arange(101)
    weight = 10.0 * (room / 40.0) ** 2 * np.exp(-((room / 44.0) ** 3))
    held = np.bincount(bins[bins < 100], minlength=101)
    gain = weight * np.log1p(1.0 / (held + 1.0)) - 1.6
    drop = weight * np.log1p(1.0 / np.maximum(held, 1)) - 1.6
    gain[0] = 5.0
    gain[100] = 0.0
    drop[100] = 0.0
    return gain[bins - item] - drop[bins]


# %% price_of_rooms
import numpy as np


def priority(item, bins):
    """Shadow prices: a room's price decays exponentially with its oversupply."""
    grid = np.arange(101)
    wanted = 0.45 + 1.92 * np.exp(-(((grid - 46.1) / 17.4) ** 2))
    supply = np.bincount(bins[bins < 100], minlength=101)
    base = 28.7 * np.exp(-(((grid - 37) / 27.3) ** 2)) - 4.0
    price = base * np.exp(-supply / wanted)
    price[0] = 59.3
    price[1] = 12.9
    price[100] = -1.5
    return price[bins - item] - 1.33 * price[bins]


# %% next_item_quantile_match
import numpy as np

NEXT_SIZES = np.round(45.0 * (-np.log(1.0 - (np.arange(40) + 0.5) / 40.0)) ** (1.0 / 3.0)).astype(int)


def priority(item, bins):
    """One step ahead: count the forty quantile items that only the new gap would close."""
    present = np.zeros(104)
    present[bins[bins < 100]] = 1.0
    open_now = present[NEXT_SIZES] + present[NEXT_SIZES + 1]
    missing = np.bincount(NEXT_SIZES[open_now == 0], minlength=104)[:104].astype(float)
    served = missing + np.insert(missing[:-1], 0, 0.0)
    served[:17] = -6.0
    served[:2] = [14.0, 7.0]
    served[17:101] -= np.abs(np.arange(17, 101) - 40) * 0.03
    served[100] = 0.0
    wanted = np.bincount(NEXT_SIZES[open_now > 0], minlength=101)[:101] * 0.8
    wanted[100] = 1.5
    return served[bins - item] - wanted[bins]


# %% waste_plus_crowding
import numpy as np


def single_bin_loss():
    """Loss of each room if only good enough items are taken from a passing stream."""
    edge = np.exp(-((np.maximum(np.arange(102) - 0.5, 0.0) / 45.0) ** 3))
    chance = edge[:-1] - edge[1:]
    loss = np.arange(101.0)
    for room in range(1, 101):
        after = loss[room - np.arange(1, room + 1)]
        order = np.argsort(after)
        mass = np.cumsum(chance[1 : room + 1][order])
        gains = np.cumsum((after * chance[1 : room + 1])[order])
        loss[room] = min(room, float(np.min((0.15 + gains) / np.maximum(mass, 1e-9))))
    return loss


LOSS = single_bin_loss()


def priority(item, bins):
    """Optimal stopping value of every room, plus a toll on rooms that the stock already holds."""
    stock = np.bincount(bins[bins < 100], minlength=101)
    toll = 0.35 * stock
    toll[0] = 0.0
    return (LOSS + 0.8 * toll)[bins] - (LOSS + toll)[bins - item]


# %% buy_and_sell_curves
import numpy as np


def priority(item, bins):
    """Two curves: what the new gap earns, and what the used room would have earned."""
    grid = np.arange(101)
    stock = np.bincount(bins[bins < 100], minlength=101)
    buy = np.interp(grid, [0, 1, 2, 4, 17, 25, 37, 50, 60, 100], [51, 2.2, 0, -82, 0, 14.4, 22, 10.3, 3.5, 6.6])
    sell = np.interp(grid, [1, 15, 30, 45, 55, 75, 95, 100], [21, -0.8, 13.9, 24, 20, -8.9, 2.3, 8.8])
    buy[1:] -= 0.9 * stock[1:]
    sell -= 2.3 * stock
    return buy[bins - item] - sell[bins]


# %% entropy_of_stock
import math

import numpy as np


def priority(item, bins):
    """Keep rooms diverse: raise the entropy of their histogram, closings aside."""
    stock = {}
    for room in bins[bins < 100].tolist():
        stock[room] = stock.get(room, 0) + 1

    def term(count):
        return -count * math.log(count) if count > 1 else 0.0

    gain = np.zeros(101)
    for room in range(int(item), 101):
        here = stock.get(room, 0)
        there = stock.get(room - int(item), 0)
        change = term(there + 1) - term(there)
        if here:
            change += term(here - 1) - term(here)
        rest = room - int(item)
        gain[room] = change + (4.0 if rest == 0 else -0.02 * abs(rest - 40) - 1.5 * (1 < rest < 18))
    return gain[bins]


# %% cumulative_profile
import numpy as np


def priority(item, bins):
    """Kolmogorov style: keep the cumulative stock near the cumulative demand."""
    grid = np.arange(101)
    opened = bins[bins < 100]
    have = np.searchsorted(np.sort(opened), grid, side="right")
    want = 34.0 * (1.0 - np.exp(-((grid / 44.0) ** 4)))
    surplus = have - want
    slope = np.convolve(surplus, [1.0, 0.0, 0.0, 0.0, 0.0, -1.0], mode="same")
    worth = -2.0 * slope - np.abs(grid - 40.0) * 0.25
    worth[0] = 12.0
    worth[1] = 3.0
    worth[100] = -12.0
    return worth[bins - item] - 0.3 * worth[bins]


# %% partner_of_expected_sizes
import numpy as np


def priority(item, bins):
    """Spare the rooms that the next few sizes want: each size reserves its tightest room."""
    opened = np.sort(bins[bins < 100])
    sizes = np.arange(25, 61)
    tight = np.append(opened, 400)[np.searchsorted(opened, sizes)]
    close = tight - sizes <= 2
    reserved = np.bincount(tight[close], weights=1.0 - 0.02 * np.abs(sizes[close] - 40), minlength=101)
    left = np.arange(101) - item
    worth = np.where(left <= 1, 8.0 - 3.0 * left, -np.abs(left - 41) / 12.0)
    worth = np.where((left > 1) & (left < 18), -6.0, worth)
    worth[100] += 1.2
    return (worth - 1.3 * reserved)[bins]


# %% chi_square_profile
import numpy as np


def priority(item, bins):
    """Chi-square distance between the stock and a bell-shaped target."""
    room = np.arange(101)
    target = 0.08 + 1.6 * np.exp(-0.5 * ((room - 42) / 9.0) ** 2)
    seen = np.bincount(bins[bins < 100], minlength=101)
    drift = seen - target
    cost_in = (2 * drift + 1) / target
    relief = (1 - 2 * drift) / target
    cost_in[0], cost_in[1], cost_in[100] = -6.0, -1.0, 0.0
    relief[100] = 1.0
    return -np.minimum(cost_in, 12.0)[bins - item] - np.clip(relief, -4.0, 4.0)[bins]


# %% regret_over_sizes
import numpy as np


def priority(item, bins):
    """Regret: a room is dear if the next tightest one would cost similar sizes more waste."""
    opened = np.array(sorted(set(bins[bins < 100].tolist())), dtype=int)
    regret = np.zeros(102)
    if len(opened):
        following = np.append(opened[1:], 100)
        likely = np.exp(-(((opened - 40.0) / 16.0) ** 2))
        regret[opened] = np.minimum(following - opened, 8) * likely
    left = bins - item
    fit = np.zeros(101)
    fit[:4] = [14.0, 9.0, 4.0, 0.0]
    fit[4:20] = -9.0
    fit[20:60] = 1.0 - np.abs(np.arange(20, 60) - 40) * 0.1
    fit[60:] = -3.0
    return fit[left] - regret[bins]


# %% first_missing_gap
import numpy as np


def priority(item, bins):
    """Build a collection of gaps: create the missing one nearest to the usual item size."""
    owned = set(bins[bins < 100].tolist())
    grades = np.full(101, -3.0)
    for gap in range(25, 59):
        grades[gap] = (-1.0 if gap in owned else 1.0) - abs(gap - 41) / 50
    grades[0] = 5.0
    grades[1] = 3.0
    grades[2] = 0.9
    grades[60:90] = -2.0
    grades[100] = -2.5
    return grades[bins - item]


# %% crowded_source_rare_goal
import numpy as np


def priority(item, bins):
    """Flow from plenty to scarcity: the source's count over the goal's count decides."""
    tally = np.bincount(bins[bins < 100], minlength=101)
    tally[100] = 2
    left = bins - item
    flow = (tally[bins] + 0.5) / (tally[left] + 1.0)
    band = np.zeros(101)
    band[0] = 50.0
    band[1] = 20.0
    band[2:20] = -20.0
    band[28:56] = 2.0
    band[100] = -5.0
    return flow + band[left]


# %% opening_charge
import numpy as np


def priority(item, bins):
    """The charge for opening a bin rises with the number of useful rooms on hand."""
    useful = np.count_nonzero((bins >= 20) & (bins <= 60))
    charge = 0.05 * max(0, useful - 18) ** 1.5
    left = bins - item
    worth = np.zeros(101)
    for gap in range(101):
        if gap < 3:
            worth[gap] = 10.0 - 4.0 * gap
        elif gap < 20:
            worth[gap] = -4.0 + 0.02 * gap
        else:
            worth[gap] = 3.0 - abs(gap - 42) / 10.0
    return worth[left] - charge * (bins == 100)


# %% big_pairs_small_fill
import numpy as np


def priority(item, bins):
    """Roles by size: large items seek their complement, small ones prepare a room for more."""
    spare = np.arange(101) - item
    fresh = np.arange(101) == 100
    if item > 47:
        close = np.where(spare <= 2, 90.0 - 10.0 * spare, -20.0)
        close[(spare >= 26) & (spare <= 52)] = 10.0
        return np.where(fresh & (item < 75), 20.0, close)[bins]
    goal = np.array([0, 27, 41, 68])
    gap = np.abs(spare[:, None] - goal[None, :])
    cost = gap * np.array([9.0, 2.0, 0.8, 1.4]) + np.array([0.0, 9.0, 6.0, 14.0])
    return (-np.min(cost, axis=1) - 3.0 * fresh)[bins]


# %% multiples_with_spread
import numpy as np


def priority(item, bins):
    """Rooms of roughly k mean items are comfortable, with a spread that widens as the square root of k."""
    room = np.arange(101.0)
    comfort = np.full(101, 0.0)
    for k in (1, 2):
        comfort += np.exp(-(((room - 40.0 * k) / (11.0 * k**0.5)) ** 2)) / k**1.5
    comfort[0] = 2.4
    comfort[1] = 1.5
    comfort[2] = 0.6
    comfort[100] = 0.42
    return comfort[bins - item] - 0.55 * comfort[bins]


# %% soft_minimum_costs
import numpy as np


def priority(item, bins):
    """Soft minimum over three stories of a gap: close it now, wait for one item, or wait for two items."""
    gap = np.arange(101.0)
    held = np.bincount(bins[bins < 100], minlength=101)
    now = 3.5 * gap
    one = 6.0 + 0.5 * held + ((gap - 39.0) / 9.0) ** 2
    two = 11.0 + 0.8 * held + ((gap - 74.0) / 13.0) ** 2
    story = np.exp(-now / 2.0) + np.exp(-one / 2.0) + np.exp(-two / 2.0)
    cost = -2.0 * np.log(story + 1e-300)
    cost[100] = 13.0
    return 0.5 * cost[bins] - cost[bins - item]


# %% three_best_lookahead
import numpy as np


def priority(item, bins):
    """Look ahead for the three most promising rooms: which likely sizes fit the stock then?"""
    left = np.arange(101) - item
    base = np.where(left <= 1, 20.0 - 6.0 * left, np.where(left < 20, -9.0, -np.abs(left - 41) * 0.1))
    opened = bins[bins < 100]
    levels = set(opened.tolist()) | {100}
    stock = np.bincount(opened, minlength=140)
    sizes = np.arange(24, 62)
    likely = np.exp(-(((sizes - 41) / 15.0) ** 2))
    score = base - 50.0
    for room in sorted(levels, key=lambda level: base[level])[-3:]:
        trial = stock.copy()
        trial[room] -= 1
        trial[room - item] += 1
        there = trial[24:63] > 0
        exact = likely @ there[:-1]
        loose = likely @ (there[1:] & ~there[:-1])
        score[room] = base[room] + 1.5 * exact + 0.7 * loose - 2.5 * (room == 100)
    return score[bins]


# %% youngest_among_good
import numpy as np


def priority(item, bins):
    """Next fit with memory of six: recent bins first if the loss is small, else the earliest."""
    opened = np.flatnonzero(bins < 100)
    order = np.zeros(len(bins))
    order -= np.arange(len(bins)) / len(bins)
    for rank, place in enumerate(reversed(opened.tolist())):
        if rank == 6:
            break
        if bins[place] - item <= 5:
            order[place] = 10 - rank
    return order


# %% digit_sum_of_room
import numpy as np


def priority(item, bins):
    """A superstition: rooms whose two digits add up to much are preferred, whatever the item is."""
    digits = np.array([room // 10 + room % 10 for room in range(100)] + [-1])
    return digits[bins]


# %% odd_leaves_even
import numpy as np


def priority(item, bins):
    """Parity: keep every leftover odd while there is one to keep, then the fuller bin, then the older one."""
    leftover = bins - item
    odd = np.bitwise_and(leftover, 1)
    return odd * 200 - leftover


# %% median_room
import numpy as np


def priority(item, bins):
    """Average fit: use the opened bin whose room is nearest to the median of the rooms on hand."""
    opened = bins[bins < 100]
    middle = np.median(opened) if opened.size else 100.0
    table = -np.abs(np.arange(101) - middle)
    table[100] = -200.0
    return table[bins]


# %% mean_minus_spread
import numpy as np


def priority(item, bins):
    """Aim one standard deviation below the mean room of the opened bins, or at the item if that is larger."""
    opened = bins[bins < 100]
    if len(opened) < 2:
        return np.negative(bins)
    aim = max(float(item), opened.mean() - opened.std())
    distance = np.abs(np.arange(101) - aim)
    return -distance[bins]


# %% coin_per_room
import random

import numpy as np


def priority(item, bins):
    """Every room size gets a random grade from a generator seeded with the item."""
    dice = random.Random(1009 * int(item) + 3)
    grade = [dice.random() for _ in range(100)] + [-1.0]
    return np.array(grade)[bins]


# %% best_fit_with_mistakes
import numpy as np


def priority(item, bins):
    """Best fit disturbed by seeded noise of up to a dozen units."""
    noise = np.random.default_rng(17 + bins.size).random(bins.size)
    return -(bins + 12.0 * noise)


# %% alternate_extremes
import numpy as np


def priority(item, bins):
    """Take turns by the parity of the listed bins: the tightest room or the widest opened one."""
    tight = np.negative(bins)
    if len(bins) % 2 == 0:
        return tight
    return np.where(bins == 100, -1, bins)


# %% avoid_exact
import numpy as np


def priority(item, bins):
    """Perverse: never close a bin exactly, and waste a little wherever possible."""
    rest = np.arange(101) - int(item)
    taste = 30.0 - np.abs(rest - 7.0)
    taste[rest == 0] = -50.0
    taste[100] = -80.0
    return taste[bins]


# %% capped_worst_fit
import numpy as np


def priority(item, bins):
    """Worst fit below a ceiling: the roomiest bin with at most sixty left, else tight fits."""
    ceiling = 60
    return np.where(bins <= ceiling, bins + 0.0, ceiling - bins)


# %% last_opened_unless_loss
import numpy as np


def priority(item, bins):
    """Stay with the newest bin unless the tightest room loses less than a tenth of the item."""
    slack = bins - item
    if slack.min() * 10 <= item:
        return -slack
    newest = np.flatnonzero(bins < 100)[-1:]
    answer = np.zeros(len(bins))
    answer[bins == 100] = 0.5
    answer[newest] = 1.0
    return answer


# %% every_third_size_new
import numpy as np


def priority(item, bins):
    """Sizes divisible by three open a bin of their own, while fewer than twenty-five rooms are listed."""
    opened = int((bins < 100).sum())
    if item % 3 == 0 and opened < 25:
        return np.where(bins == 100, 1.0, 0.0)
    return -bins / 100.0


# %% room_to_item_ratio
import numpy as np


def priority(item, bins):
    """The ratio of room to item should be just over a whole number, never one and a half."""
    grades = []
    size = float(max(item, 1))
    for room in range(101):
        ratio = room / size
        whole = int(ratio)
        grades.append(-(ratio - whole) / (whole + 1.0) - 0.04 * whole)
    grades[100] -= 0.2
    return np.array(grades)[bins]


# %% complement_to_average
import numpy as np


def priority(item, bins):
    """A leftover equal to the mean load of the opened bins is welcome."""
    opened = bins[bins < 100]
    load = 100.0 - opened.mean() if opened.size else 45.0
    load = min(max(load, 30.0), 60.0)
    rest = np.arange(101) - int(item)
    score = -np.abs(rest - load) - 8.0
    score[(rest >= 0) & (rest <= 2)] = 0.0
    score[rest == 0] = 1.0
    score[100] -= 12.0
    return score[bins]


# %% staircase_loss
import numpy as np


def priority(item, bins):
    """A staircase of leftovers with a grade for each step; the earliest bin inside a step."""
    steps = [1, 3, 6, 19, 28, 36, 47, 58, 75]
    grades = np.array([100.0, 80.0, 25.0, -30.0, 20.0, 50.0, 60.0, 35.0, 10.0, 15.0])
    left = np.arange(101) - item
    table = grades[np.searchsorted(steps, left, side="right")]
    return table[bins]


# %% tent_around_forty
import numpy as np


def priority(item, bins):
    """A tent: leftovers near forty earn up to one, a full bin a little more."""
    left = np.arange(101) - item
    tent = np.maximum(0.0, 1.0 - np.abs(left - 40) / 20.0)
    tent[left == 0] = 1.4
    tent[left == 1] = 0.9
    tent[100] -= 0.35
    return tent[bins]


# %% rational_closeness
import numpy as np


def priority(item, bins):
    """Reciprocal attraction: leftovers 0, 38 and 77 pull, a leftover of 9 repels."""
    left = np.arange(101.0) - float(item)
    pull = 3.0 / (0.5 + np.abs(left)) + 9.0 / (6.0 + np.abs(left - 38.0)) + 4.0 / (8.0 + np.abs(left - 77.0))
    push = 8.0 / (5.0 + np.abs(left - 9.0))
    return (pull - push).take(bins)


# %% cosine_wave
import numpy as np


def priority(item, bins):
    """A damped wave of the leftover with crests at zero and at the usual size."""
    left = np.arange(101) - int(item)
    wave = np.cos(2.0 * np.pi * left / 41.0) * np.exp(-np.abs(left) / 120.0)
    wave = wave + 0.7 * (left == 0) + 0.3 * (left == 1)
    wave[100] -= 0.2
    return wave[bins]


# %% product_of_rooms
import numpy as np


def priority(item, bins):
    """The loss is the leftover times a power of the load."""
    room = np.arange(101)
    left = room - item
    loss = left * (100.0 - room) ** 0.8
    loss[100] = 600.0
    return -loss[bins]


# %% tight_ratio_powers
import numpy as np


def priority(item, bins):
    """Filling degree to a high power as a reward, minus the filling degree that the bin already had."""
    level = np.arange(101) / 100.0
    fill_before = 1.0 - level
    fill_after = np.minimum(1.0, fill_before + item / 100.0)
    merit = fill_after**9 - 0.6 * fill_before**3
    merit[100] -= 0.15
    return merit[bins]


# %% size_ladder
import numpy as np


def priority(item, bins):
    """The item's size decides which single leftover is ideal, by interpolation in a table."""
    ideal = np.interp(int(item), [1, 20, 30, 40, 50, 60, 80, 100], [50, 42, 38, 36, 40, 36, 20, 0])
    rest = np.arange(101) - int(item)
    score = 10.0 - np.abs(rest - ideal)
    for loss, bonus in enumerate((40.0, 25.0, 9.0)):
        score[rest == loss] = bonus
    score[100] -= 6.0
    return score[bins]


# %% small_items_as_glue
import numpy as np


def priority(item, bins):
    """Small items are glue: they fit within one unit or join the roomiest opened bin."""
    spare = bins - item
    tolerance = 1 if item < 30 else 2 if item < 50 else 4
    glued = spare <= tolerance
    if glued.any():
        return np.where(glued, 100 - spare, 0)
    if item < 30:
        return np.where(bins < 100, bins, 55)
    return np.where(spare < 22, -spare, 50 - np.abs(spare - 44))


# %% two_stocks
import numpy as np


def priority(item, bins):
    """Keep two stocks level, rooms for one item and rooms for two; feed the scarcer one."""
    ones = int(((bins >= 25) & (bins <= 58)).sum())
    twos = int(((bins >= 60) & (bins <= 92)).sum())
    rest = np.arange(101) - int(item)
    score = np.full(101, -4.0)
    score[(rest >= 25) & (rest <= 58)] = 2.0 if ones <= 3 * twos + 8 else 0.5
    score[(rest >= 60) & (rest <= 92)] = 1.5 if ones > 3 * twos + 8 else 0.0
    score[rest == 2] = 2.5
    score[rest == 1] = 4.0
    score[rest == 0] = 6.0
    score[100] -= 1.2
    return score[bins] - 0.01 * np.minimum(rest[bins], 30)


# %% queue_ahead_penalty
import numpy as np


def priority(item, bins):
    """Tiers of leftovers; among reusable ones, equal rooms already listed are the toll."""
    stock = {}
    for room in bins.tolist():
        if room == 100:
            break
        stock[room] = stock.get(room, 0) + 1
    table = np.zeros(101)
    for room in range(int(item), 101):
        rest = room - int(item)
        if rest <= 2:
            table[room] = 30 - 8 * rest
        elif rest < 21:
            table[room] = -30 - rest
        else:
            table[room] = -3.5 * stock.get(rest, 0) - abs(rest - 40) * 0.3
    table[100] -= 2.0
    return table[bins]


# %% borda_of_three_rules
import numpy as np


def priority(item, bins):
    """A committee: ranks by tightness, demand and scarcity of the leftover are added."""
    opened = bins[bins < 100]
    rooms = np.append(np.unique(opened), 100)
    stock = np.bincount(opened, minlength=101)
    rest = rooms - item
    demand = -np.abs(rest - 40.0) - 60.0 * (rest < 20)
    demand[rest < 2] = 5.0
    scarce = -1.0 * stock[rest] - 4.0 * (rooms == 100)
    votes = np.zeros(101)
    for opinion, weight in ((-rest, 0.6), (demand, 1.5), (scarce, 1.0)):
        ranks = np.searchsorted(np.sort(opinion), opinion)
        votes[rooms] += weight * ranks
    votes[rooms] -= 400.0 * ((rest > 2) & (rest < 21))
    votes[rooms[rest <= 1]] += 400.0
    return votes[bins]


# %% widest_hole_in_stock
import numpy as np


def priority(item, bins):
    """Spread gaps out: a new gap should lie far from its neighbours on hand."""
    opened = np.sort(bins[bins < 100])
    fence = np.concatenate(([10], opened, [72]))
    rest = np.arange(101) - item
    spot = np.clip(np.searchsorted(fence, rest), 1, len(fence) - 1)
    free = np.minimum(np.abs(rest - fence[spot - 1]), np.abs(fence[spot] - rest)).astype(float)
    free -= np.abs(rest - 41) * 0.12
    free[(rest < 22) | (rest > 62)] = -8.0
    free[(rest == 0) | (rest == 1)] = 30.0
    free[rest == 2] = 4.0
    free[100] -= 2.5
    return free[bins]


# %% expected_next_loss
import numpy as np


def priority(item, bins):
    """How much the new gap lowers the expected best-fit loss of the next Weibull item."""
    size = np.arange(101)
    chance = (size / 45.0) ** 2 * np.exp(-((size / 45.0) ** 3))
    opened = np.append(np.sort(bins[bins < 100]), 400)
    current = np.minimum(opened[np.searchsorted(opened, size)] - size, 4)
    saved = np.zeros(101)
    for shift in range(4):
        saved[shift:] += (chance * np.maximum(current - shift, 0))[: 101 - shift]
    worth = saved - 0.9
    worth[0], worth[1], worth[100] = 3.0, 1.6, 0.0
    guard = np.where(np.bincount(opened[:-1], minlength=101) == 1, chance, 0.3 * chance)
    guard[100] = 0.0
    return worth[bins - item] - 1.2 * guard[bins]


# %% newsvendor_stock
import math

import numpy as np


def priority(item, bins):
    """Newsvendor: a further gap pays only if Poisson demand exceeds the stock of it."""
    rooms = np.arange(101)
    rate = 90.0 * rooms**2 / 30375.0 * np.exp(-((rooms / 45.0) ** 3))
    stock = np.bincount(bins[bins < 100], minlength=101)
    term = np.exp(-rate)
    below = term.copy()
    for k in range(1, 7):
        term = term * rate / k
        below += np.where(stock >= k, term, 0.0)
    pays = 1.0 - below
    ends = [4.0, 2.2, math.sqrt(0.3)]
    arrive = np.where(rooms < 18, -1.0, 1.1 * pays)
    arrive[:3] = ends
    arrive[100] = 0.0
    leave = 0.8 * pays
    leave[100] = 0.25
    return arrive[bins - item] - leave[bins]


# %% scale_estimate
import numpy as np


def priority(item, bins):
    """Estimate the mean size from the loads of the opened bins; gap targets follow it."""
    opened = bins[bins < 100]
    loads = 100.0 - opened[opened > 45]
    guess = (40.0 * 6 + loads.sum()) / (6 + len(loads))
    guess = min(max(guess, 15.0), 46.0)
    rest = np.arange(101.0) - item
    ones = np.exp(-(((rest - guess) / (0.32 * guess)) ** 2))
    twos = 0.45 * np.exp(-(((rest - 2.0 * guess) / (0.45 * guess)) ** 2))
    score = ones + twos - 0.12 * np.bincount(opened, minlength=101)[np.maximum(rest, 0).astype(int)]
    score[(rest >= 0) & (rest < 2)] = 3.0
    score[rest == 0] = 4.0
    score[100] -= 0.25
    return score[bins]


# %% stock_in_classes
import numpy as np


def priority(item, bins):
    """Coarse inventory: gaps in classes of four units, the largest deficit is served."""
    share = np.array([0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 5, 5, 4, 3, 2, 2, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0])
    stock = np.bincount(bins[bins < 100] // 4, minlength=26)[:26]
    deficit = (share - stock).astype(float)
    levels = np.arange(101)
    served = deficit[(levels - item) // 4]
    taken = deficit[levels // 4] * 0.6
    result = served - taken
    rest = levels - item
    result += np.where(rest == 0, 14.0, np.where(rest == 1, 7.0, 0.0))
    result -= 9.0 * ((rest > 2) & (rest < 19))
    result[100] = served[100] - 1.5
    return result[bins]


# %% committee_of_targets
import numpy as np


def priority(item, bins):
    """Ensemble of linear, logarithmic and reciprocal worths of the same inventory."""
    room = np.arange(101)
    want = 0.05 + 2.0 * np.exp(-(((room - 41) / 13.0) ** 2))
    hold = np.bincount(bins[bins < 100], minlength=101)
    linear = (want - hold) / 2.0
    logs = np.log((want + 0.5) / (hold + 0.5))
    ratio = want / (1.0 + hold) - 0.5
    mix = 0.5 * linear + 0.3 * logs + 0.7 * ratio
    arrive = mix.copy()
    arrive[0], arrive[1], arrive[100] = 3.4, 1.2, 0.0
    leave = 0.55 * mix
    leave[100] = 0.1
    return arrive[bins - item] - leave[bins]


# %% close_or_build
import numpy as np


def priority(item, bins):
    """Close a bin if the best closing is within the item's limit, else build a useful gap."""
    stock = np.bincount(bins[bins < 100], minlength=101)
    rest = bins - item
    tightest = int(rest.min())
    limit = 2 if 30 <= item <= 50 else 3
    if tightest <= limit:
        return -rest
    room = np.arange(101)
    build = 24.0 - np.abs(room - 42) - 9.0 * stock
    build[:20] = -90.0
    build[100] = -30.0
    keep = np.where(room < 60, 0.5 * (24.0 - np.abs(room - 40)), 0.0)
    keep[100] = 4.0
    return build[rest] - keep[bins]


# %% successive_filters
import numpy as np


def priority(item, bins):
    """Filters: no dead leftovers, then none already in stock, then the roomier source."""
    stock = np.bincount(bins[bins < 100], minlength=101)
    room = np.arange(int(item), 101)
    rest = room - int(item)
    score = np.zeros(101)
    score[room] += 1000.0 * ((rest <= 2) | (rest >= 23))
    score[room] += np.where(rest <= 2, 500.0 - 60.0 * rest, -100.0 * np.minimum(stock[rest], 3))
    score[room] += np.where(room < 100, room * 0.4, -60.0)
    return score[bins]


# %% item_tailored_reluctance
import numpy as np


def priority(item, bins):
    """Common sizes can wait for an exact gap and build rooms; rare sizes must close."""
    common = float(np.exp(-(((int(item) - 41) / 14.0) ** 2)))
    left = np.arange(101) - item
    held = np.bincount(bins[bins < 100], minlength=101)
    waste = left * (2.5 + 2.0 * common)
    build = 9.0 + np.abs(left - 39) * 0.35 + 1.6 * held[np.maximum(left, 0)]
    build -= 3.0 * common
    table = -np.minimum(waste, np.where(left < 20, 30.0, build))
    table -= 4.0 * np.exp(-(((np.arange(101) - 40) / 12.0) ** 2)) * (left > 0)
    table[100] -= 1.0
    return table[bins]


# %% stock_cap_then_tight
import numpy as np


def priority(item, bins):
    """A valve: the more rooms are open, the more a tight fit counts against a good gap."""
    opened = int(bins.argmax())
    rest = np.arange(101) - item
    pressure = min(1.0, opened / 34.0)
    shape = 1.0 - np.abs(rest - 42) / 22.0
    shape = np.where(rest < 17, -1.6, np.maximum(shape, -0.4))
    table = shape - pressure * rest / 70.0
    table[rest == 2] = 0.6
    table[rest == 1] = 1.8
    table[rest == 0] = 2.5
    table[100] -= 0.4 + 0.5 * pressure
    return table[bins]


# %% same_item_again
import numpy as np


def priority(item, bins):
    """Look at repeats: could a similar item be served well after this one?"""
    rest = np.arange(101) - item
    near = np.abs(rest - item)
    twin = np.where(near <= 12, 6.0 - 0.5 * near, 0.0)
    other = np.exp(-(((rest - 41) / 11.0) ** 2)) * 5.0
    ladder = np.where(rest <= 0, 20.0, np.where(rest <= 2, 13.0 - 5.0 * rest, 0.0))
    dead = np.where((rest > 2) & (rest < 21), -7.0, 0.0)
    table = ladder + dead + np.maximum(0.6 * twin, other)
    table[100] -= 1.5
    return table[bins]


# %% near_duplicates_first
import numpy as np


def priority(item, bins):
    """A gap close to a stocked one is nearly a duplicate, and duplicates go first."""
    marks = np.bincount(bins[bins < 100], minlength=105).astype(float)
    near = marks.copy()
    for shift, weight in ((1, 0.6), (2, 0.3)):
        near += weight * (np.roll(marks, shift) + np.roll(marks, -shift))
    scale = 0.3 + np.exp(-(((np.arange(105) - 42) / 12.0) ** 2))
    excess = near / scale
    excess[100] = 1.5
    tidy = -1.2 * excess
    tidy[:3] = [22.0, 12.0, 0.0]
    tidy[3:19] -= 14.0
    return tidy[bins - item] + 0.7 * excess[bins]


# %% lexicographic_rooms
import numpy as np


def priority(item, bins):
    """Sort rooms by a tuple: class of the leftover, change of crowding, then the roomier one."""
    stock = {}
    for room in bins[bins < 100].tolist():
        stock[room] = stock.get(room, 0) + 1

    def key(room):
        rest = room - int(item)
        kind = 0 if rest <= 1 else 1 if 26 <= rest <= 58 else 2 if rest >= 20 or rest == 2 else 3
        detail = rest if kind == 0 else stock.get(rest, 0) - stock.get(room, 0)
        return (kind, detail, room == 100, -room)

    ranks = np.zeros(101)
    for place, room in enumerate(sorted(list(stock) + [100], key=key)):
        ranks[room] = -place
    return ranks[bins]


# %% zone_floor
import numpy as np


def priority(item, bins):
    """Max-min over four zones of gaps: the zone furthest below its quota is fed."""
    opened = bins[bins < 100]
    zones = ((22, 33, 5.0), (34, 43, 9.0), (44, 56, 8.0), (57, 90, 4.0))
    fill = [np.count_nonzero((opened >= low) & (opened <= high)) / quota for low, high, quota in zones]
    table = np.full(101, -2.0)
    for (low, high, quota), degree in zip(zones, fill):
        table[low : high + 1] = 1.0 - degree
    table[:3] = [9.0, 6.0, 0.5]
    used = 0.3 * table
    used[:22] = 0.0
    table[100] = -2.0
    used[100] = 0.6
    return table[bins - item] - used[bins] - 0.002 * bins


# %% seeded_tournament
import numpy as np


def priority(item, bins):
    """Tournament of five opened bins drawn by a seeded generator; tight fits always play."""
    rng = np.random.default_rng(31 * int(item) + len(bins))
    left = bins - item
    merit = np.full(len(bins), -60.0)
    opened = np.flatnonzero(bins < 100)
    if len(opened):
        drawn = opened[rng.integers(0, len(opened), 5)]
        merit[drawn] = np.where(left[drawn] < 20, -70.0, 20.0 - np.abs(left[drawn] - 41))
    merit[left <= 1] = 50.0 - left[left <= 1]
    merit[bins == 100] = 5.0
    return merit


# %% gap_hazard
import numpy as np


def priority(item, bins):
    """Survival of a gap: the chance that twenty further items all miss it."""
    room = np.arange(101)
    tail = np.exp(-((room / 45.0) ** 3))
    hit = tail[np.maximum(room - 3, 0)] - tail
    queue = np.bincount(bins[bins < 100], minlength=101)
    density = np.convolve(queue, np.ones(3), mode="same")
    dies = (1.0 - hit / (1.0 + 0.7 * density)) ** 20
    loss = dies * np.minimum(room, 45) * 0.5
    loss[:3] = [0.0, 2.5, 6.0]
    loss[3:18] += 9.0
    loss[100] = 12.5
    return 0.55 * loss[bins] - loss[bins - item]


# %% slope_of_square_roots
import numpy as np


def priority(item, bins):
    """Concave welfare: a gap yields the square root of its stock times its demand."""
    kind = np.arange(101)
    demand = 15.2 * np.exp(-np.abs(kind - 42.9) / 23.5)
    amount = np.bincount(bins[bins < 100], minlength=101)
    up = demand * (np.sqrt(amount + 1.0) - np.sqrt(amount)) - 5.6
    down = demand * (np.sqrt(amount) - np.sqrt(np.maximum(amount - 1.0, 0.0))) - 3.35
    up[:2] = [34.8, 1.7]
    up[100] = 0.0
    down[100] = -1.1
    return up[bins - item] - 0.91 * down[bins]


# %% dear_sources
import numpy as np


def priority(item, bins):
    """Opportunity cost: rooms that likely sizes would fill are dear to break, crowded ones cheap."""
    room = np.arange(101)
    held = np.bincount(bins[bins < 100], minlength=101)
    stock = np.maximum(held, 1)
    dear = 10.4 * (room / 26.3) ** 2 * np.exp(-((room / 43.7) ** 3)) / stock
    dear[100] = 6.4
    rest = np.arange(101) - item
    gain = np.where(rest < 0, -50.0, np.where(rest == 0, 8.2, np.where(rest == 1, 0.2, -7.9)))
    gain[rest >= 20] = -0.5
    gain += 1.9 * ((rest >= 28) & (rest <= 54)) - 1.46 * held[np.maximum(rest, 0)] * (rest > 0)
    return (gain - dear)[bins]


# %% harmonic_partner_weights
import numpy as np


def priority(item, bins):
    """Halves, thirds, quarters and fifths: the leftover should hold whole class sizes."""
    classes = np.array([50, 33, 25, 20])
    rest = np.arange(101) - int(item)
    waste = np.full(101, 99)
    for size in classes.tolist():
        waste = np.minimum(waste, np.where(rest >= size, rest % size + 4, 99))
    waste = np.minimum(waste, np.where(rest >= 0, rest * 3, 99))
    cost = waste + 0.03 * np.arange(101)
    cost[100] += 6.0
    return -cost[bins]


# %% opened_share_switch
import numpy as np


def priority(item, bins):
    """Choosy while few rooms are open; with a tenth of the bins open fall back to tight fits."""
    opened = np.count_nonzero(bins < 100)
    share = opened / max(1, len(bins))
    left = np.arange(101) - item
    if share > 0.1:
        return -left[bins]
    choosy = np.where(left < 2, 60 - left, np.where(left < 24, -40, 30 - np.abs(left - 44) - opened // 6))
    choosy[100] = choosy[100] - 12
    return choosy[bins]


# %% target_by_item_side
import numpy as np


def priority(item, bins):
    """Deficits against a profile that shifts: larger items call for smaller gaps."""
    level = np.arange(101)
    centre = 41.0 + 0.12 * (41.0 - float(item))
    profile = 1.9 / (1.0 + ((level - centre) / 10.0) ** 4) + 0.3 / (1.0 + ((level - 72) / 9.0) ** 2)
    profile[:18] = -1.2
    stock = np.bincount(bins[bins < 100], minlength=101)
    inflow = profile - stock
    inflow[0] = 3.4
    inflow[1] = 1.0
    inflow[100] = 0.4
    outflow = profile - stock + 0.9
    outflow[100] = 1.0
    return inflow[bins - item] - 0.8 * outflow[bins]


# %% fluid_patterns
import numpy as np


def priority(item, bins):
    """Patterns of two and three items: loads of 52 to 66 first, then 26 to 43, else refuse."""
    load = 100 - np.arange(101) + int(item)
    table = np.full(101, -5.0)
    table[(load >= 44) & (load <= 74)] = 2.0
    table[(load >= 52) & (load <= 66)] = 3.0
    table[(load >= 26) & (load <= 43)] = 1.0
    table[load == 98] = 2.5
    table[load == 99] = 6.0
    table[load == 100] = 8.0
    held = np.bincount(bins[bins < 100], minlength=101)
    table -= 0.9 * held[np.clip(100 - load, 0, 100)] * (load < 98)
    table += 0.25 * held
    table[100] -= 1.0
    return table[bins]


# %% unserved_probable_items
import numpy as np


def priority(item, bins):
    """One further round: twelve probable items that no present gap serves seek the new gap."""
    marks = np.zeros(160)
    marks[bins[bins < 100]] = 1.0
    probable = np.array([22, 28, 31, 34, 37, 40, 42, 45, 48, 52, 56, 62])
    unmet = 1.0 - np.minimum(1.0, marks[probable] + 0.7 * marks[probable + 1] + 0.5 * marks[probable + 2])
    relief = np.zeros(101)
    for offset, quality in ((0, 1.0), (1, 0.7), (2, 0.5)):
        relief[probable + offset] += quality * unmet
    relief[:3] = [5.0, 3.2, 0.6]
    relief[3:19] = -3.0
    relief[19:60] -= np.abs(np.arange(19, 60) - 41) * 0.02
    relief[60:101] = -0.3
    own = np.zeros(101)
    own[probable] = 0.4
    own[100] = 0.5
    return relief[bins - item] - own[bins]
