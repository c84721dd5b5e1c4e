"""Seed programs for `quadratic_knapsack`: one complete program a cell, named after its idea."""

# %% random_item
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Random numbers, seeded with the capacity left and the number of candidates."""
    return np.random.RandomState(100 * int(capacity_left) + len(candidates)).rand(len(candidates))


# %% heaviest_item
def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """The wrong way round: the heaviest item that fits."""
    return weights[candidates]


# %% own_profit_per_weight
def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Own profit for each unit of weight, as if there were no pairs."""
    return own_profit[candidates] / weights[candidates]


# %% largest_gain
def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """What the item brings with those that are packed, whatever it weighs."""
    scores = []
    for item in candidates:
        scores.append(own_profit[item] + sum(shared_profit[item, other] for other in selected))
    return scores


# %% gain_per_weight
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """What the item brings with those that are packed, for each unit of weight."""
    gain = own_profit[candidates] + shared_profit[np.ix_(candidates, selected)].sum(axis=1)
    return gain / weights[candidates]


# %% gain_per_root_of_weight
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """The gain over the square root of the weight, between the two plain rules; pairs alone count at first."""
    gain = shared_profit[candidates][:, selected].sum(axis=1) + (own_profit[candidates] if len(selected) else 0)
    if len(selected) == 0:
        gain = shared_profit[candidates].max(axis=1)
    return gain / np.sqrt(weights[candidates])


# %% all_profit_per_weight
def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Own profit and half of all that the item shares with any other, for each unit of weight."""
    return (own_profit + 0.5 * shared_profit.sum(axis=1))[candidates] / weights[candidates]


# %% gain_and_prospects
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """The gain and a share of the profit with all candidates, as large as the part of their weight that still fits."""
    gain = own_profit[candidates] + shared_profit[np.ix_(candidates, selected)].sum(axis=1)
    part = min(1.0, capacity_left / weights[candidates].sum())
    return (gain + part * shared_profit[np.ix_(candidates, candidates)].sum(axis=1)) / weights[candidates]


# %% best_partners
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """The gain and the profits with its five best partners that are still there, for each unit of weight."""
    gain = own_profit[candidates] + shared_profit[np.ix_(candidates, selected)].sum(axis=1)
    partners = np.sort(shared_profit[np.ix_(candidates, candidates)], axis=1)[:, -5:].sum(axis=1)
    return (gain + partners / (1 + len(selected))) / weights[candidates]


# %% best_pair
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """An item is worth as much as the best pair with it that fits: gains and shared profit for the weight of both."""
    gain = own_profit[candidates] + shared_profit[np.ix_(candidates, selected)].sum(axis=1)
    weight = weights[candidates]
    both = weight[:, None] + weight[None, :]
    value = (gain[:, None] + gain[None, :] + shared_profit[np.ix_(candidates, candidates)]) / both
    value[both > capacity_left] = 0
    np.fill_diagonal(value, gain / weight)
    return value.max(axis=1) + 0.01 * gain / weight


# %% groups_by_links
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Stay in the group: shared profits with packed items, and at first the number of common partners in the pairs."""
    linked = (shared_profit > 0).astype(float)
    if len(selected):
        near = linked[np.ix_(candidates, selected)].mean(axis=1)
        gain = own_profit[candidates] + shared_profit[np.ix_(candidates, selected)].sum(axis=1)
        return near**2 * gain / weights[candidates]
    triangles = ((linked @ linked) * linked).sum(axis=1)
    return (triangles / weights)[candidates]


# %% main_eigenvector
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Entries of the main eigenvector of the profits per weight of both items, with the packed items as a start."""
    root = np.sqrt(weights)
    matrix = (shared_profit + np.diag(own_profit)) / root[:, None] / root[None, :]
    vector = np.full(len(weights), 0.1)
    vector[selected] = 1.0
    for _ in range(8):
        vector = matrix @ vector
        vector /= vector.max()
        vector[selected] = 1.0
    return vector[candidates] / root[candidates]


# %% price_of_capacity
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Each item gets an upper bound by filling the rest with its best partners in parts; bound less price of weight."""
    fixed = own_profit[candidates] + shared_profit[np.ix_(candidates, selected)].sum(axis=1)
    weight = weights[candidates].astype(float)
    pairs = shared_profit[np.ix_(candidates, candidates)] / 2
    bounds = np.zeros(len(candidates))
    for row in range(len(candidates)):
        room = capacity_left - weight[row]
        order = np.argsort(-pairs[row] / weight)
        before = np.cumsum(weight[order]) - weight[order]
        part = np.clip((room - before) / weight[order], 0, 1)
        bounds[row] = fixed[row] + (part * pairs[row, order]).sum()
    ranked = np.argsort(-bounds / weight)
    last = ranked[min(len(ranked) - 1, int(np.searchsorted(np.cumsum(weight[ranked]), capacity_left)))]
    return bounds - bounds[last] / weight[last] * weight


# %% remove_until_it_fits
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Pack all candidates and remove what loses least for its weight until the rest fits; the last ones are best."""
    inside = [int(item) for item in candidates]
    loss = own_profit + shared_profit[:, selected].sum(axis=1) + shared_profit[:, candidates].sum(axis=1)
    load = weights[candidates].sum()
    scores = {}
    while inside:
        item = min(inside, key=lambda each: loss[each] / weights[each])
        scores[item] = len(scores) if load > capacity_left else len(candidates) + loss[item] / weights[item]
        inside.remove(item)
        load -= weights[item]
        if load + weights[item] > capacity_left:
            loss = loss - shared_profit[:, item]
    return np.array([scores[int(item)] for item in candidates], dtype=float)


# %% soft_packing
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Each item is in with a probability, from its expected gain per weight against a price that fills the knapsack."""
    fixed = own_profit[candidates] + shared_profit[np.ix_(candidates, selected)].sum(axis=1)
    weight, pairs = weights[candidates], shared_profit[np.ix_(candidates, candidates)]
    chance = np.full(len(candidates), min(1.0, capacity_left / weight.sum()))
    rate = fixed / weight
    for step in range(20):
        rate = (fixed + pairs @ chance) / weight
        low, high = 0.0, rate.max() + 1
        for _ in range(12):
            price = (low + high) / 2
            fresh = 1 / (1 + np.exp(np.clip((price - rate) * (0.5 + 0.1 * step), -50, 50)))
            low, high = (price, high) if fresh @ weight > capacity_left else (low, price)
        chance = 0.6 * chance + 0.4 * fresh
    return chance + 1e-6 * rate


# %% finish_by_gain_per_weight
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Try each candidate, finish by gain per weight, and score the total profit that this brings."""

    def finish(first):
        gain = own_profit + shared_profit[:, selected].sum(axis=1)
        open_items, room, total, item = candidates, capacity_left, 0, first
        while True:
            total += gain[item]
            room -= weights[item]
            gain = gain + shared_profit[item]
            open_items = open_items[(open_items != item) & (weights[open_items] <= room)]
            if len(open_items) == 0:
                return total
            item = open_items[np.argmax(gain[open_items] / weights[open_items])]

    return [finish(item) for item in candidates]


# %% grow_then_exchange
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Fill by gain per weight, exchange single items while that improves, and pack what is then in, best gain first."""
    gain = own_profit + shared_profit[:, selected].sum(axis=1)
    inside, room = np.zeros(len(weights), dtype=bool), int(capacity_left)
    open_items = candidates
    while len(open_items):
        item = open_items[np.argmax(gain[open_items] / weights[open_items])]
        inside[item], room, gain = True, room - weights[item], gain + shared_profit[item]
        open_items = candidates[~inside[candidates] & (weights[candidates] <= room)]
    for _ in range(30):
        ins, outs = candidates[inside[candidates]], candidates[~inside[candidates]]
        if len(outs) == 0:
            break
        change = gain[outs][None, :] - gain[ins][:, None] - shared_profit[np.ix_(ins, outs)]
        change[weights[outs][None, :] - weights[ins][:, None] > room] = -1
        row, column = np.unravel_index(change.argmax(), change.shape)
        if change[row, column] <= 0:
            break
        out, item = ins[row], outs[column]
        inside[out], inside[item] = False, True
        room += weights[out] - weights[item]
        gain = gain - shared_profit[out] + shared_profit[item]
    return inside[candidates] * 10**6 + gain[candidates]


# %% dense_cores
import numpy as np


def score_items(candidates, selected, weights, own_profit, shared_profit, capacity_left):
    """Grow a set from each candidate by profit with the set per weight alone; items of the best set are packed."""
    base = own_profit + shared_profit[:, selected].sum(axis=1)
    best, scores = -1.0, np.zeros(len(candidates))
    for first in candidates:
        open_items, room, item = candidates, capacity_left, first
        members, total, ties = [], 0, np.zeros(len(weights))
        while True:
            members.append(item)
            total += base[item] + ties[item]
            room -= weights[item]
            ties = ties + shared_profit[item]
            open_items = open_items[(open_items != item) & (weights[open_items] <= room)]
            if len(open_items) == 0:
                break
            item = open_items[np.argmax(ties[open_items] / weights[open_items])]
        if total > best:
            best, scores = total, np.isin(candidates, members) * (1 + ties[candidates] / (1 + ties.max()))
    return scores
