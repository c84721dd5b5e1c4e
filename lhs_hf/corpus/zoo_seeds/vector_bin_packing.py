"""Seed programs for `vector_bin_packing`: one complete program a cell, named after its idea."""


# %% always_a_new_bin
def score_bins(item, bins, fitting, coming):
    """A bin for each item: the last row gets the largest number."""
    return list(range(len(fitting)))


# %% random_bin
import random


def score_bins(item, bins, fitting, coming):
    """Any bin, the empty one included, with a generator seeded from the item and the number of items to come."""
    rng = random.Random(int(item.sum()) + 1000 * len(coming))
    return [rng.random() for _ in fitting]


# %% first_fit
import numpy as np


def score_bins(item, bins, fitting, coming):
    """The bin that was opened first."""
    return -np.arange(len(fitting))


# %% newest_bin
def score_bins(item, bins, fitting, coming):
    """The bin opened last; a new one only where no other can hold the item."""
    scores = list(range(len(fitting)))
    scores[-1] = -1
    return scores


# %% best_fit_by_sum
def score_bins(item, bins, fitting, coming):
    """The least that is left in all dimensions together."""
    return -(bins[fitting] - item).sum(axis=1)


# %% least_left_in_one_dimension
def score_bins(item, bins, fitting, coming):
    """The bin that is left with least in its scarcest dimension."""
    return -(bins[fitting] - item).min(axis=1)


# %% least_left_at_most
def score_bins(item, bins, fitting, coming):
    """The bin whose largest remainder is smallest."""
    scores = []
    for row in bins[fitting]:
        left = max(int(room) - int(size) for room, size in zip(row, item))
        scores.append(-left)
    return scores


# %% dot_product
def score_bins(item, bins, fitting, coming):
    """The bin in use whose free place has the largest dot product with the item."""
    scores = (bins[fitting] @ item).astype(float)
    scores[-1] = -1.0
    return scores


# %% cosine
import numpy as np


def score_bins(item, bins, fitting, coming):
    """The bin in use whose free place points in the direction of the item."""
    free = bins[fitting]
    length = np.sqrt((free**2).sum(axis=1) * (item**2).sum())
    scores = (free @ item) / np.maximum(length, 1e-9)
    scores[-1] = -1.0
    return scores


# %% balance_after
def score_bins(item, bins, fitting, coming):
    """What is left is to be equal in all dimensions; of bins alike in that the fuller one."""
    after = bins[fitting] - item
    scores = -(after.max(axis=1) - after.min(axis=1)) - 0.001 * after.sum(axis=1)
    scores[-1] = -1000.0
    return scores


# %% balance_gained
def score_bins(item, bins, fitting, coming):
    """How much more balanced the item makes the bin, and a third of how full the bin is."""
    scores = []
    for row in bins[fitting].tolist():
        after = [room - size for room, size in zip(row, item.tolist())]
        gained = (max(row) - min(row)) - (max(after) - min(after))
        scores.append(gained - sum(after) / 3)
    return scores


# %% product_of_remainders
import numpy as np


def score_bins(item, bins, fitting, coming):
    """The volume of what is left is to be small."""
    return -np.prod(bins[fitting] - item + 1.0, axis=1)


# %% open_rather_than_unbalance
import numpy as np


def score_bins(item, bins, fitting, coming):
    """Best fit, but a bin that would be left with under a fifth of one dimension and half of another is avoided."""
    after = bins[fitting] - item
    scores = -after.sum(axis=1).astype(float)
    bad = (after.min(axis=1) < 20) & (after.max(axis=1) > 50)
    bad[-1] = False
    return scores - 150.0 * bad


# %% weighted_by_demand
import numpy as np


def score_bins(item, bins, fitting, coming):
    """Best fit where a dimension weighs as much as the items to come ask of it."""
    weight = coming.sum(axis=0) if len(coming) else np.ones(len(item))
    weight = weight / weight.sum()
    left = (bins[fitting] - item) / 100.0
    return -(left**2) @ weight


# %% fewest_options_lost
def score_bins(item, bins, fitting, coming):
    """The fewest items to come that fit into the bin now and do not afterwards; the fuller bin on ties."""
    scores = []
    for row in bins[fitting]:
        before = (coming <= row).all(axis=1).sum()
        after = (coming <= row - item).all(axis=1).sum()
        scores.append(-(before - after) - 0.01 * (row - item).sum())
    scores[-1] -= 5 * len(coming) + 10
    return scores


# %% best_partner
def score_bins(item, bins, fitting, coming):
    """Look at the next twenty items: what is left of a bin after the one among them that fills it best."""
    free = bins[fitting]
    scores = []
    for place, row in enumerate(free):
        after = row - item
        left = int(after.sum())
        for other in coming[:20]:
            if (other <= after).all():
                left = min(left, int((after - other).sum()))
        scores.append(-left - (200 if place == len(free) - 1 else 0))
    return scores


# %% rollout_first_fit
import numpy as np


def score_bins(item, bins, fitting, coming):
    """Finish each choice by putting the rest into the bins first fit; the fewest bins, then the fullest one now."""
    scores = []
    for place in fitting:
        room = np.vstack([bins, np.full((len(coming) + 1, len(item)), 100)])
        room[place] -= item
        for other in coming[:25]:
            room[(room >= other).all(axis=1).argmax()] -= other
        used = (room < 100).any(axis=1).sum()
        scores.append(-float(used) - 0.001 * float(bins[place].sum()))
    return scores


# %% plan_by_decreasing_size
import numpy as np


def score_bins(item, bins, fitting, coming):
    """Plan all items that are left, largest first and best fit, and put this one where the plan has it."""
    rest = np.vstack([item[None, :], coming])
    room = bins.copy()
    for place in np.argsort(-rest.max(axis=1), kind="stable"):
        left = (room - rest[place]).sum(axis=1).astype(float)
        left[(room < rest[place]).any(axis=1)] = np.inf
        chosen = int(np.argmin(left))
        if place == 0:
            return [1.0 if number == min(chosen, len(bins) - 1) else 0.0 for number in fitting]
        room[chosen] -= rest[place]
        if (room[-1] < 100).any():
            room = np.vstack([room, np.full((1, len(item)), 100)])


# %% waste_after_best_large_item
import numpy as np


def score_bins(item, bins, fitting, coming):
    """Best fit, but a bin pays for each percent that the best large item to come of each dimension leaves unused."""
    scores = []
    for number in fitting:
        after = bins[number] - item
        waste = 0.0
        for dimension, left in enumerate(after):
            large = coming[:40, dimension]
            large = large[(large >= 30) & (large <= left)]
            waste += left - (large.max() if len(large) else 0)
        scores.append(-waste - 0.05 * after.sum() - (60 if number == len(bins) - 1 else 0))
    return scores
