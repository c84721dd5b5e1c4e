"""Seed programs for `index_policy`: one complete program a cell, named after its idea."""


# %% least_pulled
def arm_index(successes, failures, t, horizon):
    """Every arm in turn: pure exploration."""
    return -(successes + failures)


# %% most_failures
def arm_index(successes, failures, t, horizon):
    """Trust that an unlucky arm must get lucky: the rate of failures counts."""
    return failures / (successes + failures + 1.0)


# %% random_arm
import random


def arm_index(successes, failures, t, horizon):
    """A random number for every record."""
    return random.Random(7919 * t + 101 * successes + failures).random()


# %% most_successes
def arm_index(successes, failures, t, horizon):
    """Stay with the arm of the most successes; the smaller number of failures on ties."""
    return successes - failures / 1000


# %% posterior_mean
def arm_index(successes, failures, t, horizon):
    """The mean of the posterior with a uniform prior, and nothing else."""
    return (successes + 1) / (successes + failures + 2)


# %% optimistic_start
def arm_index(successes, failures, t, horizon):
    """Greedy, but each arm starts with four imaginary successes."""
    return (successes + 4) / (successes + failures + 4)


# %% ucb1
import math


def arm_index(successes, failures, t, horizon):
    """The classical upper bound: mean plus the root of two logarithms over the pulls."""
    pulls = successes + failures
    if pulls == 0:
        return float("inf")
    return successes / pulls + math.sqrt(2 * math.log(t + 1) / pulls)


# %% tuned_bound
import math


def arm_index(successes, failures, t, horizon):
    """Upper bound with the sample variance of the arm in place of a constant."""
    pulls = successes + failures
    if pulls == 0:
        return 10.0
    mean = successes / pulls
    logarithm = math.log(t + 1)
    variance = mean * (1 - mean) + math.sqrt(2 * logarithm / pulls)
    return mean + math.sqrt(logarithm / pulls * min(0.25, variance))


# %% kl_bound
import math


def arm_index(successes, failures, t, horizon):
    """The largest rate whose divergence from the observed one, times the pulls, stays within a logarithm."""
    pulls = successes + failures
    if pulls == 0:
        return 2.0
    mean = min(max(successes / pulls, 1e-9), 1 - 1e-9)
    low, high = mean, 1.0
    for _ in range(25):
        rate = (low + high) / 2
        near = min(rate, 1 - 1e-12)
        divergence = mean * math.log(mean / near) + (1 - mean) * math.log((1 - mean) / (1 - near))
        if pulls * divergence > math.log(t + 2):
            high = rate
        else:
            low = rate
    return low


# %% thompson
import random


def arm_index(successes, failures, t, horizon):
    """A draw from the posterior, with a generator seeded by round and record."""
    rng = random.Random(1000003 * t + 1009 * successes + failures)
    return rng.betavariate(successes + 1, failures + 1)


# %% explore_then_commit
def arm_index(successes, failures, t, horizon):
    """Pull all arms evenly in the first third of the time, then only the one with the best rate."""
    pulls = successes + failures
    if t < horizon // 3:
        return -pulls
    return (successes + 1) / (pulls + 2)


# %% mean_plus_deviation
def arm_index(successes, failures, t, horizon):
    """Posterior mean plus one posterior deviation."""
    a, b = successes + 1.0, failures + 1.0
    n = a + b
    return a / n + (a * b / (n * n * (n + 1))) ** 0.5


# %% shrinking_bonus
def arm_index(successes, failures, t, horizon):
    """Posterior mean plus a bonus that fades as the rounds run out."""
    n = successes + failures + 2
    bonus = 0.5 * (1 - t / horizon) / n**0.5
    return (successes + 1) / n + bonus


# %% stay_with_the_winner
def arm_index(successes, failures, t, horizon):
    """Leave an arm for good once its failures exceed what a good arm would allow; among the rest most successes."""
    allowed = 2 + 0.25 * successes
    if failures < allowed:
        return 1000.0 + successes - 0.5 * failures
    return (successes + 1) / (successes + failures + 2)


# %% knowledge_gradient
def arm_index(successes, failures, t, horizon):
    """Mean plus the rounds left times the chance of news, taken against a sure arm of 0.5."""
    n = successes + failures + 2
    mean = (successes + 1) / n
    left = horizon - t - 1
    up, down = (successes + 2) / (n + 1), (successes + 1) / (n + 1)
    rival = 0.5
    news = mean * max(0.0, up - rival) + (1 - mean) * max(0.0, down - rival) - max(0.0, mean - rival)
    return mean + left * news


# %% bayes_upper_quantile
import math


def arm_index(successes, failures, t, horizon):
    """An upper quantile of the posterior, whose level depends on the rounds left, by a normal approximation."""
    left = max(1, horizon - t)
    z = math.sqrt(max(0.0, math.log(left / 12.0)))
    a, b = successes + 1, failures + 1
    return a / (a + b) + z * math.sqrt(a * b / (a + b + 1)) / (a + b)


# %% known_arm_comparison
def arm_index(successes, failures, t, horizon):
    """A short Gittins index: the rate of a sure arm that is as good for the next five rounds as trying this one."""
    depth = min(5, horizon - t)

    def gain(rate):
        values = [0.0] * (depth + 1)
        for step in range(depth - 1, -1, -1):
            mean = [(successes + won + 1) / (successes + failures + step + 2) for won in range(step + 1)]
            values = [
                max(0.0, mean[won] - rate + mean[won] * values[won + 1] + (1 - mean[won]) * values[won])
                for won in range(step + 1)
            ]
        return values[0]

    low, high = (successes + 1) / (successes + failures + 2), 1.0
    for _ in range(6):
        middle = (low + high) / 2
        if gain(middle) > 1e-9:
            low = middle
        else:
            high = middle
    return low


# %% grid_posterior
import numpy as np


def arm_index(successes, failures, t, horizon):
    """The true prior on a grid: posterior mean plus a share of its deviation that fades with the time."""
    rates = np.linspace(0.01, 0.59, 30)
    weights = rates**successes * (1 - rates) ** failures
    weights = weights / weights.sum()
    mean = float(weights @ rates)
    deviation = float(weights @ (rates - mean) ** 2) ** 0.5
    return mean + 1.2 * (1 - t / horizon) * deviation
