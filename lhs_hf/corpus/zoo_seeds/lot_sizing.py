"""Seed programs for `lot_sizing`: one complete program a cell, named after its idea."""


# %% longest_lot
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """As few setups as possible: the longest lot."""
    return options[-1]


# %% random_length
import random


def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Any length, from a generator seeded with the item and its coming needs."""
    rng = random.Random(97 * item + sum(needs[item]))
    return rng.choice(options)


# %% two_periods
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Always two periods, as long as there are two left."""
    if 2 in options:
        return 2
    return options[0]


# %% silver_meal
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Silver-Meal: lengthen the lot as long as its cost for each period falls."""
    cost = setup_costs[item]
    best, lowest = options[0], cost
    for length in options[1:]:
        cost += holding_costs[item] * (length - 1) * needs[item][length - 1]
        if cost / length > lowest:
            break
        best, lowest = length, cost / length
    return best


# %% least_unit_cost
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """The length at which a unit of the lot costs least, setup and holding together."""

    def unit_cost(length):
        lot = needs[item][:length]
        held = sum(wait * need for wait, need in enumerate(lot))
        return (setup_costs[item] + holding_costs[item] * held) / sum(lot)

    return min(options, key=unit_cost)


# %% part_period_balance
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """The length whose holding cost comes nearest to the setup cost."""
    gaps = {}
    for length in options:
        held = sum(k * needs[item][k] for k in range(length))
        gaps[length] = abs(setup_costs[item] - holding_costs[item] * held)
    return min(options, key=gaps.get)


# %% economic_interval
import math


def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """The interval of the economic order quantity for the mean need, rounded."""
    mean = sum(needs[item]) / len(needs[item])
    interval = math.sqrt(2 * setup_costs[item] / (holding_costs[item] * mean))
    return min(max(options[0], round(interval)), options[-1])


# %% groff_rule
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Groff: add a period while its marginal holding cost stays below the marginal saving of setups."""
    length = 1
    while length < options[-1]:
        marginal = holding_costs[item] * needs[item][length] * length * (length + 1)
        if marginal > 2 * setup_costs[item]:
            break
        length += 1
    return length


# %% fill_the_capacity
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """The longest lot that needs no overtime, however long it is stored."""
    fitting = [length for length in options if sum(needs[item][:length]) <= capacity_left]
    return fitting[-1] if fitting else options[0]


# %% fair_share_of_capacity
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """The quantity nearest to an equal share of what is left among all items that are still to be made today."""
    waiting = sum(1 for row in needs if row[0] > 0)
    share = capacity_left / max(1, waiting)
    return min(options, key=lambda length: abs(sum(needs[item][:length]) - share))


# %% wagner_whitin
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """The first lot of the best plan for this item alone, by dynamic programming from the end."""
    row, horizon = needs[item], len(needs[item])
    value, first = [0] * (horizon + 1), [1] * (horizon + 1)
    for start in range(horizon - 1, -1, -1):
        if row[start] == 0:
            value[start] = value[start + 1]
            continue
        cost, lowest = setup_costs[item], None
        for end in range(start + 1, min(horizon, start + 6) + 1):
            cost += holding_costs[item] * (end - 1 - start) * row[end - 1]
            if lowest is None or cost + value[end] < lowest:
                lowest, first[start] = cost + value[end], end - start
        value[start] = lowest
    return first[0]


# %% wagner_whitin_with_overtime
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Plan the item alone, but charge the first lot for overtime once the others' needs of today are set aside."""
    row, horizon = needs[item], len(needs[item])
    spare = capacity_left - sum(other[0] for place, other in enumerate(needs) if place != item)
    value, first = [0] * (horizon + 1), 1
    for start in range(horizon - 1, -1, -1):
        if row[start] == 0:
            value[start] = value[start + 1]
            continue
        held, made, lowest = 0, 0, float("inf")
        for end in range(start + 1, min(horizon, start + 6) + 1):
            made += row[end - 1]
            held += holding_costs[item] * (end - 1 - start) * row[end - 1]
            total = setup_costs[item] + held + value[end]
            total += 3 * max(0, made - max(0, spare)) if start == 0 else 0
            if total < lowest:
                lowest, first = total, end - start
        value[start] = lowest
    return first


# %% silver_meal_with_overtime
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Lowest cost for each period where overtime counts like any other cost."""
    rates = []
    made = held = 0
    for length in options:
        made += needs[item][length - 1]
        held += (length - 1) * needs[item][length - 1]
        cost = setup_costs[item] + holding_costs[item] * held + 3 * max(0, made - capacity_left)
        rates.append(cost / length)
    return options[rates.index(min(rates))]


# %% ahead_of_a_peak
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """End the lot just before the largest need in sight, so that the peak is made when it is due."""
    row = needs[item][: options[-1] + 1]
    if len(row) < 2:
        return options[0]
    return max(range(1, len(row)), key=lambda k: (row[k], -k))


# %% savings_per_stored_unit
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Each need ahead saves a setup; take them while that beats holding and, where capacity is short, overtime."""
    length, made = 1, needs[item][0]
    pressure = sum(map(sum, needs)) / (capacity_left + capacity * (len(needs[item]) - 1) + 1)
    for k in range(1, options[-1]):
        need = needs[item][k]
        gain = setup_costs[item] - holding_costs[item] * k * need
        gain -= 3 * pressure * max(0, made + need - capacity_left)
        if need > 0 and gain < 0:
            break
        length, made = k + 1, made + need
    return length


# %% rollout_of_silver_meal
import numpy as np


def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Try each length, let Silver-Meal finish the next eight periods for all items, and compare the costs."""

    def follow(length):
        rows, cost = [row[:8] for row in needs], 0.0
        horizon = len(rows[0])
        for now in range(horizon):
            left = capacity_left if now == 0 else capacity
            for i, row in enumerate(rows):
                if row[now] == 0:
                    continue
                best = length if now == 0 and i == item else None
                if best is None:
                    best, total = 1, setup_costs[i]
                    rate = total
                    for k in range(1, min(6, horizon - now)):
                        total += holding_costs[i] * k * row[now + k]
                        if total / (k + 1) > rate:
                            break
                        best, rate = k + 1, total / (k + 1)
                lot = row[now : now + best]
                cost += setup_costs[i] + holding_costs[i] * sum(k * need for k, need in enumerate(lot))
                cost += 3 * max(0, sum(lot) - left)
                left = max(0, left - sum(lot))
                row[now : now + best] = [0] * len(lot)
        return cost

    costs = np.array([follow(length) for length in options])
    return options[int(costs.argmin())]
