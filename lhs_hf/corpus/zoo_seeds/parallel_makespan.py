"""Seed programs for `parallel_makespan`: one complete program a cell, named after its idea."""


# %% as_listed
def score_jobs(lengths, loads):
    """All jobs alike: the order of the list."""
    return [0] * len(lengths)


# %% last_listed
def score_jobs(lengths, loads):
    """The list from its end."""
    return list(range(len(lengths)))


# %% random_scores
import random


def score_jobs(lengths, loads):
    """Random numbers from a generator seeded with lengths and loads."""
    generator = random.Random(sum(lengths) + 31 * sum(loads))
    return [generator.random() for _ in lengths]


# %% longest_first
import numpy as np


def score_jobs(lengths, loads):
    """LPT: the longest job first."""
    return np.array(lengths, dtype=float)


# %% nearest_the_mean
def score_jobs(lengths, loads):
    """The job whose length is nearest to the mean of those that are left."""
    mean = sum(lengths) / len(lengths)
    return [-abs(length - mean) for length in lengths]


# %% farthest_from_the_mean
def score_jobs(lengths, loads):
    """Extremes first: the job whose length is farthest from the mean of those that are left."""
    mean = sum(lengths) / len(lengths)
    return [abs(length - mean) for length in lengths]


# %% long_and_short_in_turn
def score_jobs(lengths, loads):
    """The longest job on an empty machine and for every second job, the shortest one for the others."""
    sign = 1 if loads[0] == 0 or len(lengths) % 2 == 0 else -1
    return [sign * length for length in lengths]


# %% level_with_the_next
def score_jobs(lengths, loads):
    """The job that brings the machine nearest to the load of the last machine; the longest one at the start."""
    gap = loads[-1] - loads[0]
    if loads[0] == 0:
        return lengths
    return [-abs(length - gap) for length in lengths]


# %% fill_to_the_mean
def score_jobs(lengths, loads):
    """The longest job that does not go beyond the mean load of all work; the shortest one if every job does."""
    target = (sum(loads) + sum(lengths)) / len(loads)
    scores = []
    for length in lengths:
        over = loads[0] + length - target
        scores.append(length if over <= 0 else -1000 - over)
    return scores


# %% longest_or_good_fit
def score_jobs(lengths, loads):
    """LPT, unless a job fills the machine up to within a tenth below the mean load of all work."""
    target = (sum(loads) + sum(lengths)) / len(loads)
    return [length + (500 if 0 <= target - loads[0] - length <= target / 10 else 0) for length in lengths]


# %% balanced_pairs
def score_jobs(lengths, loads):
    """On an empty machine the longest job; later the one that with the load comes nearest to twice the mean length."""
    if loads[0] == 0:
        return list(lengths)
    mean = (sum(loads) + sum(lengths)) / (len(loads) * 2)
    return [-abs(loads[0] % (2 * mean) + length - 2 * mean) for length in lengths]


# %% shorter_of_the_long_ones
def score_jobs(lengths, loads):
    """As many of the longest jobs as there are machines form a class; its shortest member goes first."""
    ranked = sorted(lengths, reverse=True)
    border = ranked[min(len(loads), len(ranked)) - 1]
    return [200 - length if length >= border else length - 200 for length in lengths]


# %% pair_to_the_mean
def score_jobs(lengths, loads):
    """The longer half of the pair of jobs (or a single one) that fills the machine best up to the mean load."""
    target = (sum(loads) + sum(lengths)) / len(loads) - loads[0]
    scores = [-abs(target - length) for length in lengths]
    for i, one in enumerate(lengths):
        for j, other in enumerate(lengths):
            if i != j and other <= one:
                scores[i] = max(scores[i], -abs(target - one - other))
    return [score + one / 50 for score, one in zip(scores, lengths)]


# %% subset_to_the_mean
from itertools import combinations


def score_jobs(lengths, loads):
    """Of all sets of up to three jobs, with the longest on an empty machine, the best fill to the mean; its longest."""
    target = (sum(loads) + sum(lengths)) / len(loads) - loads[0]
    longest = lengths.index(max(lengths))
    best, lowest = (longest,), float("inf")
    for size in (1, 2, 3):
        for places in combinations(range(len(lengths)), size):
            if loads[0] == 0 and longest not in places:
                continue
            miss = sum(lengths[place] for place in places) - target
            if max(miss * 2, -miss) < lowest:
                best, lowest = places, max(miss * 2, -miss)
    first = max(best, key=lambda place: lengths[place])
    return [1.0 if place == first else 0.0 for place in range(len(lengths))]


# %% multifit
def score_jobs(lengths, loads):
    """Smallest capacity for which best fit decreasing succeeds; the longest job that it gives to the free machine."""
    ranked = sorted(range(len(lengths)), key=lambda place: -lengths[place])
    low = int(max(loads[-1], (sum(loads) + sum(lengths)) / len(loads)))
    for capacity in range(low, low + sum(lengths)):
        room = [capacity - load for load in loads]
        own = []
        for place in ranked:
            fitting = [machine for machine in range(len(loads)) if room[machine] >= lengths[place]]
            if not fitting:
                break
            machine = min(fitting, key=lambda each: room[each])
            room[machine] -= lengths[place]
            if machine == 0:
                own.append(place)
        else:
            return [length + 1000 * (place in own) for place, length in enumerate(lengths)]
    return lengths


# %% finish_longest_first
import heapq


def score_jobs(lengths, loads):
    """Try each job, place the others longest first, and score it by minus the makespan; then by its length."""
    scores = []
    for place, length in enumerate(lengths):
        machines = list(loads)
        others = lengths[:place] + lengths[place + 1 :]
        for each in [length] + sorted(others, reverse=True):
            heapq.heappush(machines, heapq.heappop(machines) + each)
        scores.append(-max(machines) + length / 1000)
    return scores
