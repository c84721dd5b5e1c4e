"""Seed programs for `bin_covering`: one complete program a cell, named after its idea."""


# %% largest_item
def priority(size, missing, left, total):
    """Items by falling size, whatever is missing."""
    return size


# %% random_item
import random


def priority(size, missing, left, total):
    """A random number, seeded with all that is known."""
    return random.Random(1009 * size + 31 * missing + 7 * left + total).random()


# %% most_overshoot
def priority(size, missing, left, total):
    """The wrong way round: bins are closed with as much waste as possible."""
    return max(0, size - missing) - 0.01 * size


# %% average_item
def priority(size, missing, left, total):
    """The item whose size is nearest to the average of what is left."""
    return -abs(size - total / left)


# %% unusual_item
def priority(size, missing, left, total):
    """Items far from the average go first, the largest and the smallest, while many are left to go with them."""
    return abs(size - total / left)


# %% nearest_to_missing
def priority(size, missing, left, total):
    """The size nearest to what is missing, below or above it."""
    return -abs(missing - size)


# %% close_at_once
def priority(size, missing, left, total):
    """An item that closes the bin, the smallest of them; otherwise the largest there is."""
    if size >= missing:
        return 1000 - size
    return size


# %% largest_that_leaves_it_open
def priority(size, missing, left, total):
    """Fill with the largest item that does not close the bin, and close it with the smallest."""
    return size if size < missing else -size


# %% half_of_missing
def priority(size, missing, left, total):
    """Two equal steps: an item of half of what is missing, unless one closes the bin with little waste."""
    over = size - missing
    if 0 <= over <= 2:
        return 10 - over
    return -abs(size - missing / 2)


# %% even_steps
def priority(size, missing, left, total):
    """Guess by the average how many items the bin still takes; each is to have an equal part."""
    average = total / left
    steps = max(1, round(missing / average))
    share = missing / steps
    return -(size - share) if size >= share else -2 * (share - size)


# %% one_large_then_small
def priority(size, missing, left, total):
    """An empty bin gets the largest item, then small ones follow until it is full."""
    empty = missing > 2 * total / left
    return size if empty else -size


# %% small_then_best_closing
def priority(size, missing, left, total):
    """Small items while more than 1.7 average items are missing, then the item that closes with the least waste."""
    if missing > 1.7 * total / left:
        return -size
    waste = size - missing
    return -waste if waste >= 0 else -100 + size


# %% close_only_if_cheap
def priority(size, missing, left, total):
    """A bin may close with a waste of 3; other items are put in by falling size, and costly closing comes last."""
    waste = size - missing
    if waste < 0:
        return size
    if waste <= 3:
        return 1000 - waste
    return -waste


# %% no_small_rests
def priority(size, missing, left, total):
    """Waste counts, and so does a rest that is smaller than any item is likely to be."""
    smallest = 0.3 * total / left
    rest = missing - size
    if rest <= 0:
        return rest
    return -(smallest - rest) - 1 if rest < smallest else -1 - 0.01 * rest


# %% average_rest
def priority(size, missing, left, total):
    """What stays missing is to be an item of average size, of which many are left; exact closing is better still."""
    rest = missing - size
    if rest <= 0:
        return 2 * rest
    average = total / left
    return -abs(rest - average) / average


# %% patience_by_items_left
def priority(size, missing, left, total):
    """The waste that is accepted grows as fewer items are left; a bin that stays open is to lack an average item."""
    accepted = 60 / left
    waste = size - missing
    if waste < 0:
        return -0.01 * abs(-waste - total / left)
    return 1 + accepted - waste if waste <= accepted else -waste


# %% waste_per_size
def priority(size, missing, left, total):
    """The share of the item that is of use; where the bin stays open, how near the item is to half of what lacks."""
    if size >= missing:
        return missing / size
    return 0.93 - 0.2 * abs(size / missing - 0.5)


# %% multiples_of_the_average
import math


def priority(size, missing, left, total):
    """The rest should be a bit less than a whole number of average items, by a wave of that length."""
    rest = missing - size
    if rest <= 0:
        return 1 + 0.1 * rest
    return math.cos(2 * math.pi * (rest / (total / left) + 0.1)) - 0.1


# %% expected_waste_of_one_more
def priority(size, missing, left, total):
    """Sizes spread evenly around the average: the waste now, or what the best next item would be expected to leave."""
    if size >= missing:
        return missing - size
    average = total / left
    low, high = 0.25 * average, 1.75 * average
    gap = (high - low) / left
    rest = missing - size
    if rest > high:
        return -1.0 - gap
    return -max(low - rest, 0) - gap


# %% ways_to_close
def priority(size, missing, left, total):
    """Count how likely one or two of the items left close the bin exactly; a wasted unit costs three tenths."""
    waste = size - missing
    if waste >= 0:
        return 1 - 0.3 * waste
    rest, average = -waste, total / left
    low, high = round(0.25 * average), round(1.75 * average)
    width = high - low + 1
    single = 1 if low <= rest <= high else 0
    pairs = sum(1 for one in range(low, rest - low + 1) if one <= high and rest - one <= high) / 2
    return 1 - (1 - 1 / width) ** (single * left) * (1 - 1 / width**2) ** (pairs * left * left)


# %% awkward_items_first
def priority(size, missing, left, total):
    """Large items are hard to place, so they are worth a little waste while they are many."""
    waste = max(0, size - missing)
    rest = max(0, missing - size)
    blocked = max(0, 0.25 * total / left - rest) if rest else 0
    return 0.08 * size - waste - blocked


# %% careful_while_it_matters
def priority(size, missing, left, total):
    """In the last bin close at once, as nothing can be saved there; before that count waste and rests too small."""
    waste = max(0, size - missing)
    rest = missing - size
    if total < missing + 60:
        return size if rest > 0 else 500 - size
    short = 0.25 * total / left
    lost = waste if rest <= 0 else max(0.0, short - rest)
    return -lost + 0.02 * size
