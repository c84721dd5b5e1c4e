"""Seed programs for `ad_allocation`: one complete program a cell, named after its idea."""

# %% lowest_bid
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Anti-greedy: the lowest bid that still brings something."""
    paid = np.minimum(bids, budget_left)
    return np.where(paid > 0, 1e6 - paid, 0.0)


# %% random_scores
import random


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Random scores from a generator seeded with the number of impressions and the bids."""
    rng = random.Random(len(seen_bids) * 7919 + int(bids.sum()))
    return [rng.random() for _ in bids]


# %% greedy_payment
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """What the advertiser would really pay now."""
    return np.minimum(bids, budget_left)


# %% most_budget_left
def score_advertisers(bids, budget_left, budgets, seen_bids):
    """BALANCE: the most money left among those who bid anything."""
    return [float(left) if bid > 0 else -1.0 for bid, left in zip(bids, budget_left)]


# %% largest_share_left
def score_advertisers(bids, budget_left, budgets, seen_bids):
    """The largest share of its budget left among those who bid; the bid decides between equal shares."""
    scores = []
    for bid, left, budget in zip(bids, budget_left, budgets):
        scores.append(left / budget + 1e-6 * bid if bid > 0 else -1.0)
    return scores


# %% exponential_discount
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """The rule of Mehta and others: bid times one less the exponential of what is spent."""
    spent = 1.0 - budget_left / budgets
    return np.minimum(bids, budget_left) * (1.0 - np.exp(spent - 1.0))


# %% linear_discount
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Payment times the share of the budget that is left."""
    return np.minimum(bids, budget_left) * budget_left / budgets


# %% root_discount
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Payment times the square root of the share that is left: nearer to greedy."""
    share = np.sqrt(budget_left / np.maximum(budgets, 1))
    return np.minimum(bids, budget_left) * share


# %% many_bids_left
def score_advertisers(bids, budget_left, budgets, seen_bids):
    """How often the advertiser could pay this bid again, capped at ten, times the bid."""
    scores = []
    for a in range(len(bids)):
        times = budget_left[a] / bids[a] if bids[a] else 0.0
        scores.append(min(times, 10.0) * bids[a])
    return scores


# %% above_own_mean
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Payment less half of the advertiser's mean bid so far: budgets wait for what is wanted most."""
    paid = np.minimum(bids, budget_left)
    if len(seen_bids) == 0:
        return paid
    return np.where(paid > 0, paid - 0.5 * seen_bids.mean(axis=0), -1e6)


# %% rare_bidders_wait
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Advertisers who bid on few of the impressions so far are preferred when they do."""
    often = (seen_bids > 0).sum(axis=0) + 1.0
    rarity = 1.0 - 0.4 * often / (len(seen_bids) + 2.0)
    return np.minimum(bids, budget_left) * rarity


# %% budget_against_demand
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Payment times a power of the budget left against what the recent impressions would have cost the advertiser."""
    recent = seen_bids[-25:]
    demand = recent.sum(axis=0) + 1.0
    ease = budget_left / demand
    return np.minimum(bids, budget_left) * np.power(ease, 0.4)


# %% learned_prices
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Replay the past with budgets in proportion, raise the price of those who run out early, and discount by it."""
    paid = np.minimum(bids, budget_left).astype(float)
    if len(seen_bids) < 8:
        return paid
    prices = np.zeros(len(bids))
    allowed = budgets * min(1.0, len(seen_bids) / 110.0)
    for _ in range(6):
        winners = (seen_bids * (1.0 - prices)).argmax(axis=1)
        spent = np.bincount(winners, seen_bids[np.arange(len(winners)), winners], len(bids))
        prices = np.clip(prices + 0.12 * np.sign(spent - allowed), 0.0, 0.9)
    return paid * (1.0 - 0.6 * prices) * (1.0 - np.exp(-budget_left / budgets))


# %% spend_at_an_even_pace
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Who has spent clearly more than the middle advertiser counts half until the others have caught up."""
    spent = 1.0 - budget_left / budgets
    ahead = spent > np.median(spent) + 0.08
    return np.minimum(bids, budget_left) * np.where(ahead, 0.5, 1.0)


# %% regret_of_exhaustion
def score_advertisers(bids, budget_left, budgets, seen_bids):
    """Payment less what the advertiser's last impressions show to be lost once its budget is gone."""
    recent = seen_bids[-12:].tolist()
    scores = []
    for a, bid in enumerate(bids.tolist()):
        paid = min(bid, int(budget_left[a]))
        margin = 0.0
        for row in recent:
            second = max(other for b, other in enumerate(row) if b != a)
            margin += max(0, row[a] - second)
        pressure = margin / (float(budget_left[a]) + 1.0)
        scores.append(paid * (1.0 - min(0.9, pressure)) if paid else -1.0)
    return scores


# %% discount_and_rarity
import numpy as np


def score_advertisers(bids, budget_left, budgets, seen_bids):
    """The exponential discount with a steeper exponent, and a bonus for bids far above the advertiser's own mean."""
    share = budget_left / budgets
    value = np.minimum(bids, budget_left) * (1.0 - np.exp(-2.0 * share))
    if len(seen_bids) > 5:
        usual = seen_bids.mean(axis=0) + 10.0
        value = value * np.power(bids / usual, 0.2)
    return value
