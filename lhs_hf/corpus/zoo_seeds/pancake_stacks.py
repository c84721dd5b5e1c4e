"""Seed programs for `pancake_stacks`: one complete program a cell, named after its idea."""


# %% whole_or_all_but_one
def choose_flip(stack, prefixes, flips_left):
    """Turn the whole stack and all but its last pancake over in turn, which sorts next to nothing."""
    return prefixes[-1] if flips_left % 2 else prefixes[-2]


# %% random_flip
import random


def choose_flip(stack, prefixes, flips_left):
    """Any flip, from a generator seeded with the flips that are left."""
    return random.Random(flips_left).choice(prefixes)


# %% random_gap_flip
import random


def choose_flip(stack, prefixes, flips_left):
    """Any flip that tears no pair of neighbouring sizes apart."""
    rng = random.Random(17 * flips_left + stack[0])
    below = stack[1:] + [len(stack) + 1]
    harmless = [p for p in prefixes if abs(stack[p - 1] - below[p - 1]) != 1]
    return rng.choice(harmless or prefixes)


# %% top_pancake_home
def choose_flip(stack, prefixes, flips_left):
    """Send the top pancake straight to its place; with the smallest on top, fetch the largest misplaced one."""
    if stack[0] > 1:
        return stack[0]
    misplaced = [place for place, size in enumerate(stack) if size != place + 1]
    return max(misplaced, key=lambda place: stack[place]) + 1


# %% least_inversions
def choose_flip(stack, prefixes, flips_left):
    """The flip after which the fewest pairs lie in the wrong order."""
    best, fewest = prefixes[0], 10**9
    for prefix in prefixes:
        after = stack[:prefix][::-1] + stack[prefix:]
        wrong = 0
        for i in range(len(after)):
            for j in range(i):
                if after[j] > after[i]:
                    wrong += 1
        if wrong < fewest:
            best, fewest = prefix, wrong
    return best


# %% least_displacement
import numpy as np


def choose_flip(stack, prefixes, flips_left):
    """The flip after which pancakes are nearest to their places, summed over all of them."""
    sizes = np.array(stack)
    places = np.arange(1, len(sizes) + 1)
    distance = [np.abs(np.concatenate([sizes[:p][::-1], sizes[p:]]) - places).sum() for p in prefixes]
    return prefixes[int(np.argmin(distance))]


# %% block_selection
def choose_flip(stack, prefixes, flips_left):
    """Selection by the largest misplaced pancake, but sizes that already lie in a run below it travel along."""
    size = max(size for place, size in enumerate(stack, 1) if size != place)
    place = stack.index(size)
    if place == 0:
        return size
    start = place
    while start > 0 and stack[start - 1] == stack[start] - 1:
        start -= 1
    if start == 0:
        return place + 1
    end = place
    while stack[end + 1] == stack[end] - 1 and end + 1 < size - 1:
        end += 1
    return place + 1 if end == place or start < place else end + 1


# %% join_top_else_any_gap
import random


def choose_flip(stack, prefixes, flips_left):
    """Put the top next to a pancake one larger or smaller where that closes a gap; else cut at some gap by chance."""
    below = stack + [len(stack) + 1]
    for place in range(2, len(below)):
        if abs(stack[0] - below[place]) == 1 and abs(below[place - 1] - below[place]) != 1:
            return place
    cuts = [place for place in prefixes if abs(below[place - 1] - below[place]) != 1]
    return random.Random(flips_left).choice(cuts or prefixes)


# %% join_top_to_larger
def choose_flip(stack, prefixes, flips_left):
    """Only joins of the top with the next larger size; otherwise the deepest flip that cuts at a gap."""
    top = stack[0]
    below = stack + [len(stack) + 1]
    place = below.index(top + 1)
    if place > 1 and below[place - 1] != top + 2:
        return place
    cuts = [p for p in prefixes if abs(below[p - 1] - below[p]) != 1 and p != flips_left % len(stack)]
    return cuts[-1] if cuts else prefixes[-1]


# %% fewest_gaps_large_top
def choose_flip(stack, prefixes, flips_left):
    """The flip that leaves the fewest gaps; among equals the one that brings up the largest pancake."""
    below = stack + [len(stack) + 1]

    def closed(prefix):
        return (abs(stack[0] - below[prefix]) == 1) - (abs(stack[prefix - 1] - below[prefix]) == 1)

    return max(prefixes, key=lambda prefix: (closed(prefix), stack[prefix - 1]))


# %% fewest_gaps_then_future
def choose_flip(stack, prefixes, flips_left):
    """Fewest gaps; among equals the flip after which most next flips would close a gap, then the longer one."""

    def joins(order):
        ends = order[1:] + [len(order) + 1]
        open_ends = [low for up, low in zip(order, ends) if abs(up - low) != 1]
        return len(order) - len(open_ends), sum(1 for low in open_ends if abs(low - order[0]) == 1)

    def value(prefix):
        kept, chances = joins(stack[:prefix][::-1] + stack[prefix:])
        return 2 * kept + chances, prefix

    return max(prefixes, key=value)


# %% gaps_and_displacement
def choose_flip(stack, prefixes, flips_left):
    """Four for each gap plus a tenth of the distance of every pancake from its place."""
    plate = len(stack) + 1
    best, best_value = prefixes[0], float("inf")
    for prefix in prefixes:
        after = stack[:prefix][::-1] + stack[prefix:]
        gaps = sum(1 for a, b in zip(after, after[1:] + [plate]) if abs(a - b) > 1)
        away = sum(abs(size - place) for place, size in enumerate(after, 1))
        value = 4 * gaps + 0.1 * away
        if value < best_value:
            best, best_value = prefix, value
    return best


# %% two_flips_ahead
def choose_flip(stack, prefixes, flips_left):
    """The first of the two flips that together leave the fewest gaps; ties go to a first flip that leaves few."""
    plate = len(stack) + 1

    def turn(order, prefix):
        return order[:prefix][::-1] + order[prefix:]

    def gaps(order):
        return sum(abs(a - b) > 1 for a, b in zip(order, order[1:] + [plate]))

    def value(prefix):
        after = turn(stack, prefix)
        now = gaps(after)
        if now == 0:
            return -1, 0
        ends = after + [plate]
        change = min((abs(ends[q - 1] - ends[q]) == 1) - (abs(ends[0] - ends[q]) == 1) for q in prefixes)
        return now + change, now

    return min(prefixes, key=value)


# %% rollout_of_joins
def choose_flip(stack, prefixes, flips_left):
    """Try each harmless flip, finish with greedy joins and selection, and take the flip that needs fewest in all."""
    plate = len(stack) + 1

    def turn(order, prefix):
        return order[:prefix][::-1] + order[prefix:]

    def greedy(order):
        ends = order + [plate]
        for place in range(2, plate):
            if abs(order[0] - ends[place]) == 1 and abs(ends[place - 1] - ends[place]) != 1:
                return place
        size = max(size for place, size in enumerate(order, 1) if size != place)
        return size if order[0] == size else order.index(size) + 1

    def needed(prefix):
        order, count, goal = turn(stack, prefix), 0, sorted(stack)
        while order != goal and count < 3 * plate:
            order = turn(order, greedy(order))
            count += 1
        return count

    ends = stack + [plate]
    harmless = [p for p in prefixes if abs(ends[p - 1] - ends[p]) != 1]
    return min(harmless or prefixes, key=needed)


# %% deepening_on_gaps
def choose_flip(stack, prefixes, flips_left):
    """Iterative deepening with the number of gaps as a bound; after 600 steps the best greedy flip must do."""
    plate = len(stack) + 1
    budget = [600]

    def gaps(order):
        return sum(abs(a - b) > 1 for a, b in zip(order, order[1:] + [plate]))

    def change(order, prefix):
        below = order[prefix] if prefix < len(order) else plate
        return (abs(order[prefix - 1] - below) == 1) - (abs(order[0] - below) == 1)

    def solve(order, left, depth):
        if left == 0:
            return []
        budget[0] -= 1
        for prefix in sorted(prefixes, key=lambda p: change(order, p)):
            after = left + change(order, prefix)
            if after > depth - 1 or budget[0] < 0:
                break
            rest = solve(order[:prefix][::-1] + order[prefix:], after, depth - 1)
            if rest is not None:
                return [prefix] + rest
        return None

    start = gaps(stack)
    for depth in range(start, start + 4):
        plan = solve(stack, start, depth)
        if plan:
            return plan[0]
    return min(prefixes, key=lambda p: (change(stack, p), -p))
