"""Seed programs for `restless_jobs`: one complete program a cell, named after its idea."""


# %% least_worn
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Keep the best machine new and let the others go."""
    return min(wear, key=wear.get)


# %% in_turn
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """All machines in turn, whatever their state."""
    machines = sorted(wear)
    return machines[days_left % len(machines)]


# %% random_worn
import random


def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Any machine that is not new, from a generator seeded with the day."""
    worn = [machine for machine, level in wear.items() if level > 0]
    return random.Random(days_left).choice(worn or list(wear))


# %% dearest_when_broken
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Among machines at level 2 or more, the one whose last level costs most."""
    best, best_cost = None, -1
    for machine in wear:
        cost = cost_by_level[machine][-1] * (1 if wear[machine] >= 2 else 0.01 * wear[machine])
        if cost > best_cost:
            best, best_cost = machine, cost
    return best


# %% highest_cost_now
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """The machine that costs most at its present level."""
    return max(wear, key=lambda machine: cost_by_level[machine][wear[machine]])


# %% saved_today
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """What a repair saves today, expected over the wear that is still to come."""

    def expected(machine, level):
        costs = cost_by_level[machine]
        after = costs[min(level + 1, len(costs) - 1)]
        return costs[level] + wear_chance[machine] * (after - costs[level])

    return max(wear, key=lambda machine: expected(machine, wear[machine]) - expected(machine, 0))


# %% fast_wear_first
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Level times chance: attend to machines that wear fast."""
    return max(wear, key=lambda machine: (wear[machine] + 0.5) * wear_chance[machine])


# %% slow_wear_first
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Level over chance: a repair of a slow machine lasts."""
    return max(wear, key=lambda machine: wear[machine] / wear_chance[machine])


# %% cost_over_chance
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Cost at present for the days that a repair lasts: divided by the chance of wear."""
    best = None
    for machine, level in wear.items():
        ratio = (cost_by_level[machine][level] - cost_by_level[machine][0]) / wear_chance[machine]
        if best is None or ratio > best[0]:
            best = (ratio, machine)
    return best[1]


# %% cost_over_root_of_chance
import math


def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """A middle way: present cost over the root of the chance of wear."""
    return max(wear, key=lambda m: cost_by_level[m][wear[m]] / math.sqrt(wear_chance[m]))


# %% steepest_step_ahead
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Prevention: the expected rise of cost in the next step, plus half of what it costs already."""

    def urgency(machine):
        costs, level = cost_by_level[machine], wear[machine]
        rise = costs[min(level + 1, len(costs) - 1)] - costs[level]
        return wear_chance[machine] * rise + 0.5 * costs[level] if level else 0.0

    return max(wear, key=urgency)


# %% average_cost_index
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """The repair fee at which this level and the next are equally good times for a repair, in the long run."""

    def fee(machine):
        costs, level = cost_by_level[machine], wear[machine]
        return (level * costs[level] - sum(costs[:level])) / wear_chance[machine]

    return max(wear, key=fee)


# %% average_cost_index_of_the_day_after
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """The long-run repair fee of this level and of the next one, mixed by the chance of wear."""
    best, best_fee = None, float("-inf")
    for machine, level in wear.items():
        costs, chance = cost_by_level[machine], wear_chance[machine]
        fees = []
        for at in (level, min(level + 1, len(costs) - 1)):
            fees.append(at * costs[at] - sum(costs[:at]))
        fee = ((1 - chance) * fees[0] + chance * fees[1]) / chance
        if level == 0:
            fee = 0.0
        if fee > best_fee:
            best, best_fee = machine, fee
    return best


# %% expected_level_ten_days_on
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Cost saved over the next ten days if levels rise by exactly the chance each day, between levels by a line."""

    def cost(machine, level):
        costs = cost_by_level[machine]
        level = min(level, len(costs) - 1)
        low = int(level)
        high = min(low + 1, len(costs) - 1)
        return costs[low] + (level - low) * (costs[high] - costs[low])

    def saved(machine):
        total = 0.0
        for day in range(1, min(10, days_left) + 1):
            grown = day * wear_chance[machine]
            total += cost(machine, wear[machine] + grown) - cost(machine, grown)
        return total

    return max(wear, key=saved)


# %% saved_until_next_turn
import numpy as np


def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Expected cost saved over as many days as there are machines, with the exact chances of all levels."""
    days = min(days_left, len(wear))
    best, best_saving = None, -1.0
    for machine, level in wear.items():
        costs = np.array(cost_by_level[machine], dtype=float)
        chance = wear_chance[machine]
        state = np.zeros(len(costs))
        state[level] += 1
        state[0] -= 1
        saving = 0.0
        for _ in range(days):
            moved = chance * state[:-1]
            state[:-1] -= moved
            state[1:] += moved
            saving += state @ costs
        if saving > best_saving:
            best, best_saving = machine, saving
    return best


# %% today_or_tomorrow
def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """Cost of waiting: long-run repair fee at the expected level, with the rest of the time as a limit of its use."""

    def index(machine):
        costs, level, chance = cost_by_level[machine], wear[machine], wear_chance[machine]
        lasts = min(days_left, max(1.0, level / chance))
        mean_below = sum(costs[: level + 1]) / (level + 1)
        coming = costs[min(level + 1, len(costs) - 1)]
        return lasts * ((1 - chance) * costs[level] + chance * coming - mean_below)

    return max(wear, key=index)


# %% sampled_rollouts
import numpy as np


def machine_to_repair(wear, wear_chance, cost_by_level, days_left):
    """For the four most urgent machines: twenty drawn futures with repairs by the long-run fee; least cost wins."""
    machines = sorted(wear)
    costs = np.array([cost_by_level[m] for m in machines], dtype=float)
    chance = np.array([wear_chance[m] for m in machines])
    count, levels = costs.shape
    rows = np.arange(count)
    fees = np.arange(levels) * costs - (np.cumsum(costs, axis=1) - costs)
    coming = np.minimum(np.arange(levels) + 1, levels - 1)
    fees = ((1 - chance[:, None]) * fees + chance[:, None] * fees[:, coming]) / chance[:, None]
    days = min(15, days_left)
    wears = np.random.RandomState(days_left).rand(days, 20, count) < chance
    now = np.array([wear[m] for m in machines])

    def course(first):
        state = np.tile(now, (20, 1))
        choice = np.full(20, first)
        total = 0.0
        for day in range(days):
            state[np.arange(20), choice] = 0
            state = np.minimum(state + wears[day], levels - 1)
            total += costs[rows, state].sum()
            choice = fees[rows, state].argmax(axis=1)
        return total

    urgent = np.argsort(-fees[rows, now], kind="stable")[:4].tolist()
    return machines[min(urgent, key=course)]
