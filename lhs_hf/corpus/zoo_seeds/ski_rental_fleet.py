"""Seed programs for `ski_rental_fleet`: one complete program a cell, named after its idea."""


# %% buy_everything
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Never rent: buy whatever is missing."""
    return options[-1]


# %% random_number
import random


def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Any number, from a generator seeded with the day and the need."""
    rng = random.Random(13 * len(past_needs) + needed)
    return rng.choice(options)


# %% one_a_day
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Buy a single machine on each day on which one is missing."""
    return 1


# %% buy_on_second_week
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Rent for a week; from then on buy half of what is missing."""
    if len(past_needs) < 7:
        return 0
    return options[len(options) // 2]


# %% break_even
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Each further machine is bought on the day on which its rent would reach its price."""
    bought = 0
    for level in range(owned + 1, needed + 1):
        days = sum(1 for need in past_needs if need >= level)
        if (days + 1) * rent_price >= buy_price:
            bought += 1
    return bought


# %% half_break_even
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """As soon as the rent of a machine has reached half its price, buy it."""
    levels = range(owned + 1, needed + 1)
    return sum(2 * rent_price * sum(need >= level for need in past_needs) >= buy_price for level in levels)


# %% randomized_break_even
import math
import random


def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """The randomised rule: a part of the break-even day, drawn from the exponential density for each machine."""
    count = 0
    for level in range(owned + 1, needed + 1):
        share = math.log(1 + (math.e - 1) * random.Random(level * 1009 + buy_price).random())
        if rent_price * (1 + sum(need >= level for need in past_needs)) >= share * buy_price:
            count += 1
    return count


# %% total_rent_pays_one
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Buy as many machines as the rent of all days so far, for what the fleet of today lacks, would have paid."""
    rent = sum(rent_price * max(0, need - owned) for need in past_needs)
    return min(options[-1], rent // buy_price)


# %% least_need_of_the_week
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Own what was needed on every one of the last seven days; before that rent."""
    if len(past_needs) < 6:
        return 0
    floor = min(past_needs[-6:] + [needed])
    return min(max(0, floor - owned), options[-1])


# %% mean_need
import numpy as np


def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """After a few days own half of the mean need."""
    if len(past_needs) < 4:
        return 0
    level = int(0.5 * np.mean(past_needs + [needed]) + 0.5)
    return int(np.clip(level - owned, 0, options[-1]))


# %% cheap_machines_only
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Look at the prices alone: buy all if a machine costs less than twenty-five days of rent."""
    return options[-1] if buy_price < 25 * rent_price else 0


# %% best_fleet_of_recent_days
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """The number that would be best for forty days like the last twelve."""
    days = past_needs[-11:] + [needed]

    def cost(count):
        missing = sum(max(0, need - owned - count) for need in days)
        return buy_price * count + rent_price * missing * 40 / len(days)

    return min(options, key=cost)


# %% early_if_always_needed
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """A machine needed on every day so far is bought at a quarter of its break-even day, another one on that day."""
    history = past_needs + [needed]
    bought = 0
    for count in options[1:]:
        days = sum(need >= owned + count for need in history)
        share = 0.25 if days == len(history) else 1.0
        if days * rent_price >= share * buy_price:
            bought = count
    return bought


# %% thirty_more_days
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Thirty more days are expected; a machine pays if it is used on as large a share of them as of the past days."""
    history = past_needs + [needed]
    count = 0
    while count < options[-1]:
        used = sum(1 for need in history if need > owned + count) / len(history)
        if 30 * used * rent_price < buy_price:
            break
        count += 1
    return count


# %% recent_use_weighs_more
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Like thirty more days, with days weighing a tenth less for each day of age, and two days without use assumed."""
    history = past_needs + [needed]
    weights = [0.9**age for age in range(len(history))][::-1]
    total = sum(weights) + 2.0
    chosen = 0
    for count in options[1:]:
        share = sum(w for w, need in zip(weights, history) if need >= owned + count) / total
        if 32 * share * rent_price > buy_price:
            chosen = count
    return chosen


# %% simulated_walks
import random


def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Simulate random walks of the need for a random number of days and buy what is cheapest on average."""
    rng = random.Random(len(past_needs) * 31 + needed)
    steps = [b - a for a, b in zip(past_needs, past_needs[1:] + [needed])] + [-1, 0, 0, 1]
    use = [1] * len(options)
    for _ in range(25):
        level = needed
        for _ in range(min(120, int(rng.expovariate(1 / 40)))):
            level = max(0, level + rng.choice(steps))
            for count in options[1:]:
                use[count] += level >= owned + count
    return sum(1 for count in options[1:] if use[count] * rent_price / 25 > 1.1 * buy_price)
