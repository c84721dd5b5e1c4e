"""Seed programs for `list_update`: one complete program a cell, named after its idea."""


# %% move_to_front
def move_priority(target, depth, own, displaced, time):
    """The item always goes to the front."""
    return -target


# %% random_place
import random


def move_priority(target, depth, own, displaced, time):
    """Any place, from a generator seeded with the time and the place."""
    return random.Random(101 * time + target).random()


# %% transpose
def move_priority(target, depth, own, displaced, time):
    """One place forward."""
    return -abs(target - (depth - 1))


# %% half_way
def move_priority(target, depth, own, displaced, time):
    """Half of the way to the front."""
    return -abs(target - depth // 2)


# %% worst_displacement
def move_priority(target, depth, own, displaced, time):
    """The place of the item that was asked for most often: popular items are pushed back."""
    requests, gap = displaced
    return requests - 0.01 * gap


# %% frequency_count
def move_priority(target, depth, own, displaced, time):
    """In front of all items that were asked for less often; the list is ordered by counts."""
    if target == depth:
        return 0.0
    if own[0] + 1 > displaced[0]:
        return 100.0 - target
    return -1.0


# %% every_second_request
def move_priority(target, depth, own, displaced, time):
    """To the front on each second request of the item only."""
    if own[0] % 2 == 1:
        return -target
    return target


# %% front_when_recent
def move_priority(target, depth, own, displaced, time):
    """To the front if the item was asked for among the last six requests, else one place forward."""
    goal = 0 if own[0] > 0 and own[1] <= 6 else depth - 1
    return -abs(target - goal)


# %% timestamp
def move_priority(target, depth, own, displaced, time):
    """TIMESTAMP: in front of the first item not asked for since the last request of this one; new items stay."""
    if target == depth:
        return 0
    if own[0] == 0:
        return -1
    return 1000 - target if displaced[1] > own[1] else -1


# %% recency_order
def move_priority(target, depth, own, displaced, time):
    """In front of the first item that has waited for more than eight requests."""
    stale = displaced[1] > 8
    if target == depth:
        return 0
    return 500 - target if stale else -target - 1


# %% rate_order
def move_priority(target, depth, own, displaced, time):
    """In front of the first item whose count over gap is lower than the item's own."""
    mine = (own[0] + 1) / (own[1] + 1)
    theirs = displaced[0] / (displaced[1] + 1)
    if target == depth:
        return 0.0
    return 1e3 - target if theirs < mine else -1e3


# %% count_with_fading
import math


def move_priority(target, depth, own, displaced, time):
    """Counts fade with the gap, by a tenth a request; the item passes all that have less left."""

    def strength(pair):
        return pair[0] * math.exp(-0.1 * pair[1])

    if target == depth:
        return 0
    if 1.0 + strength(own) > 1.2 * strength(displaced):
        return 50 - target
    return -1


# %% saving_less_exchanges
def move_priority(target, depth, own, displaced, time):
    """What the move saves in accesses of the next requests, if the item keeps its rate, less its exchanges."""
    rate = (own[0] + 1.0) / (time + 6.0)
    if own[0] and own[1] < 10:
        rate += 0.15
    horizon = 14
    other = displaced[0] / (time + 6.0) + 1.0 / (displaced[1] + 4.0)
    passed = depth - target
    return passed * (2 * horizon * (rate - 0.5 * other) - 1)


# %% swap_with_the_oldest
def move_priority(target, depth, own, displaced, time):
    """To the place of the item that has waited longest of all in front; the nearer to the front on ties."""
    if target == depth:
        return -1
    return displaced[1]


# %% two_thirds_when_frequent
def move_priority(target, depth, own, displaced, time):
    """Items asked for more often than the average of twelve go to the front, the others a third of the way."""
    frequent = own[0] + 1 > (time + 1) / 12
    goal = 0 if frequent else depth - depth // 3
    return -abs(target - goal)


# %% rates_pay_for_exchanges
def move_priority(target, depth, own, displaced, time):
    """Rates blended from count and gap; an item is passed if forty requests at the difference save an exchange."""

    def rate(requests, gap):
        return 0.5 * requests / (time + 4) + 0.25 / (gap + 2)

    if target == depth:
        return 0
    gap = own[1] if own[0] else 30
    saving = 2 * 40 * (rate(own[0] + 1, gap) - rate(displaced[0], displaced[1]))
    return 50 - target if saving > 1 else -1


# %% front_when_hot_else_by_count
def move_priority(target, depth, own, displaced, time):
    """Two requests in short order take the item to the front; others pass items that are rarer and not fresh."""
    if own[0] > 1 and own[1] <= 3:
        return -target
    if target == depth:
        return 0
    return 100 - target if displaced[0] <= own[0] and displaced[1] > 3 else -10
