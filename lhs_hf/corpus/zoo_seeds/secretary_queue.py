"""Seed programs for `secretary_queue`: one complete program a cell, named after its idea."""


# %% below_the_mean
def decide(value, seen_values, places_left, candidates_left):
    """Hire whoever is worse than the mean of those before."""
    if not seen_values:
        return 0
    return 1 if value < sum(seen_values) / len(seen_values) else 0


# %% coin
import random


def decide(value, seen_values, places_left, candidates_left):
    """Hire with the probability that fills the places evenly, seeded with the value and the place in the queue."""
    rng = random.Random(1000 * len(seen_values) + value)
    return int(rng.random() < places_left / (candidates_left + 1))


# %% first_come
def decide(value, seen_values, places_left, candidates_left):
    """Hire whoever comes, until the places are taken."""
    return 1


# %% above_the_mean
def decide(value, seen_values, places_left, candidates_left):
    """Hire whoever is better than the mean of those before."""
    if len(seen_values) == 0:
        return 0
    mean = sum(seen_values) / len(seen_values)
    return 1 if value > mean or candidates_left < places_left else 0


# %% best_so_far
def decide(value, seen_values, places_left, candidates_left):
    """Hire only who beats all before; at the end whoever comes."""
    if candidates_left < places_left:
        return 1
    return int(bool(seen_values) and value > max(seen_values))


# %% classical_rule
import math


def decide(value, seen_values, places_left, candidates_left):
    """The 1/e rule: watch the first part of the queue, then hire whoever beats the best of that part."""
    total = len(seen_values) + 1 + candidates_left
    watched = max(1, round(total / math.e))
    if candidates_left < places_left:
        return 1
    if len(seen_values) < watched:
        return 0
    return 1 if value > max(seen_values[:watched]) else 0


# %% optimistic_rule
def decide(value, seen_values, places_left, candidates_left):
    """Watch a quarter of the queue; from then on hire who beats the best of it for each place that is left."""
    total = len(seen_values) + 1 + candidates_left
    watched = sorted(seen_values[: total // 4], reverse=True)
    if len(seen_values) < total // 4:
        return 0
    if candidates_left < places_left:
        return 1
    return int(value > watched[min(places_left, len(watched)) - 1])


# %% among_the_best_so_far
def decide(value, seen_values, places_left, candidates_left):
    """After a sixth of the queue hire who is among the best of all so far, as many as there are places left."""
    total = len(seen_values) + candidates_left + 1
    if candidates_left < places_left:
        return 1
    if len(seen_values) < total / 6:
        return 0
    better = sum(1 for seen in seen_values if seen >= value)
    return 1 if better < places_left else 0


# %% quantile_of_places
def decide(value, seen_values, places_left, candidates_left):
    """Hire who is in the upper share of those before that has to be hired of those to come."""
    if len(seen_values) < 5:
        return 0
    share = places_left / (candidates_left + 1)
    rank = sum(seen > value for seen in seen_values) / len(seen_values)
    return int(rank < share)


# %% mean_and_spread
import numpy as np


def decide(value, seen_values, places_left, candidates_left):
    """A bar of mean plus one standard deviation that sinks as the queue gets short."""
    if len(seen_values) < 4:
        return 0
    total = len(seen_values) + candidates_left + 1
    bar = np.mean(seen_values) + (2.2 * candidates_left / total - 0.2) * np.std(seen_values)
    return 1 if value > bar or candidates_left < places_left else 0


# %% share_of_the_best
def decide(value, seen_values, places_left, candidates_left):
    """Hire from four fifths of the best value so far, after eight candidates."""
    if candidates_left < places_left:
        return 1
    if len(seen_values) < 8:
        return 0
    return int(value >= 0.8 * max(seen_values))


# %% one_for_each_stretch
def decide(value, seen_values, places_left, candidates_left):
    """Cut the rest of the queue into a stretch for each place; hire who beats all of the last stretch."""
    stretch = max(2, (candidates_left + 1) // places_left)
    recent = seen_values[-stretch:]
    if len(recent) < 4:
        return 0
    if candidates_left < places_left:
        return 1
    return 1 if value >= max(recent) else 0


# %% expected_best_by_dynamic_programming
def decide(value, seen_values, places_left, candidates_left):
    """Take the values so far for the distribution and compare with the expected worth of the place later."""
    if len(seen_values) < 8:
        return 0
    sample = sorted(seen_values)
    worth = [0.0] * (places_left + 1)
    for _ in range(candidates_left):
        after = worth[:]
        for k in range(1, places_left + 1):
            bar = worth[k] - worth[k - 1]
            gain = sum(max(each, bar) for each in sample) / len(sample)
            after[k] = worth[k - 1] + gain
        worth = after
    return int(value >= worth[places_left] - worth[places_left - 1])


# %% dynamic_programming_on_a_fitted_curve
import math


def decide(value, seen_values, places_left, candidates_left):
    """The same comparison with a normal curve fitted to the values so far, and a few candidates only watched."""
    n = len(seen_values)
    if n < 6:
        return 0
    mean = sum(seen_values) / n
    spread = math.sqrt(sum((each - mean) ** 2 for each in seen_values) / (n - 1)) + 1e-9
    worth = [0.0] * (places_left + 1)
    for _ in range(candidates_left):
        after = worth[:]
        for k in range(1, places_left + 1):
            z = (worth[k] - worth[k - 1] - mean) / spread
            above = 0.5 * math.erfc(z / math.sqrt(2))
            density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
            after[k] = worth[k] + spread * (density - z * above)
        worth = after
    return 1 if value > worth[-1] - worth[-2] else 0


# %% resampled_futures
import random


def decide(value, seen_values, places_left, candidates_left):
    """Draw futures from the values so far; hire who would be chosen in most of them with hindsight."""
    if candidates_left < places_left:
        return 1
    if len(seen_values) < 7:
        return 0
    rng = random.Random(value + 31 * candidates_left)
    chosen = 0
    for _ in range(20):
        future = rng.choices(seen_values, k=candidates_left)
        better = sum(1 for other in future if other > value)
        chosen += better < places_left
    return int(chosen >= 11)
