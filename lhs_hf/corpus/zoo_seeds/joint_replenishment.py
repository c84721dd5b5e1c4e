"""Seed programs for `joint_replenishment`: one complete program a cell, named after its idea."""


# %% last_choice
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """The last pair of the list: long orders of everything."""
    return choices[-1]


# %% random_choice
import random


def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Any choice, from a generator seeded with what is still lacking."""
    rng = random.Random(int(needs.sum()) + 7 * len(ordered))
    return rng.choice(choices)


# %% longest_when_needed
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """A product that runs out is ordered for as long as possible; nobody joins."""
    if (-1, 0) in choices:
        return (-1, 0)
    return max(choices, key=lambda pair: pair[1])


# %% three_periods_for_all
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Every order day refills all products for at most three periods."""
    within = [pair for pair in choices if 0 < pair[1] <= 3]
    if within:
        return max(within, key=lambda pair: pair[1])
    return choices[0]


# %% silver_meal_alone
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Silver-Meal for each product with its own cost only; the end as soon as it is allowed."""
    if choices[0][0] < 0:
        return choices[0]
    product = choices[0][0]
    best, lowest = None, float("inf")
    for p, length in choices:
        if p != product:
            continue
        held = sum(k * needs[p, k] for k in range(length)) * holding_costs[p]
        rate = (product_costs[p] + held) / length
        if rate < lowest:
            best, lowest = (p, length), rate
    return best


# %% silver_meal_shared_cost
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Silver-Meal with an equal share of the common cost added to each product; nobody joins."""
    if (-1, 0) in choices:
        return (-1, 0)
    share = common_cost / len(product_costs)

    def rate(pair):
        p, length = pair
        held = holding_costs[p] * sum(k * int(needs[p, k]) for k in range(length))
        return (share + product_costs[p] + held) / length

    return min(choices, key=rate)


# %% joint_silver_meal
import numpy as np


def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """One common interval: the length at which serving all products together costs least a period."""
    best, lowest = 1, float("inf")
    for length in range(1, min(6, needs.shape[1]) + 1):
        part = needs[:, :length]
        held = (part @ np.arange(length)) @ holding_costs
        rate = (common_cost + product_costs[part.any(axis=1)].sum() + held) / length
        if rate < lowest:
            best, lowest = length, rate
    pairs = [pair for pair in choices if 0 < pair[1] <= best]
    return max(pairs, key=lambda pair: pair[1]) if pairs else choices[0]


# %% can_order_soon_lacking
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """A can-order rule: a product that lacks something tomorrow joins; orders last two periods."""
    for product, length in choices:
        if product >= 0 and needs[product, :2].sum() > 0:
            if (product, 2) in choices:
                return (product, 2)
            return (product, length)
    return choices[0]


# %% part_period_with_common_cost
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Order until holding has eaten the product's cost and half its share of the common one; join if it pays at all."""
    answer = None
    for p, length in choices:
        if p < 0:
            continue
        budget = product_costs[p] + 0.5 * common_cost / len(product_costs)
        held = holding_costs[p] * sum(k * needs[p, k] for k in range(length))
        if held <= budget and (answer is None or (p == answer[0] and length > answer[1])):
            answer = (p, length)
    return answer if answer is not None else choices[0]


# %% join_when_cheap_to_hold
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Two periods for whoever lacks; others join if storing their next need costs less than a tenth of an order day."""
    if choices[0] != (-1, 0):
        pairs = [pair for pair in choices if pair[1] <= 2]
        return max(pairs, key=lambda pair: pair[1])
    first_needs = {}
    for p, length in choices[1:]:
        first_needs.setdefault(p, length)
    cheap = {p: holding_costs[p] * (k - 1) * needs[p, k - 1] for p, k in first_needs.items()}
    p = min(cheap, key=cheap.get, default=None)
    if p is None or cheap[p] > common_cost / 10:
        return (-1, 0)
    return (p, first_needs[p])


# %% marginal_needs
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Extend an order while the next need, stored until its day, costs less than the product's own order would."""
    best = None
    for p, length in choices:
        if p < 0 or (best and best[0] != p):
            continue
        wait = length - 1
        if wait == 0 or holding_costs[p] * wait * needs[p, wait] <= product_costs[p] + common_cost / 4:
            best = (p, length)
        elif best:
            break
    return best or choices[0]


# %% economic_interval
import math


def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """One interval for all from the joint economic order quantity with mean needs."""
    per_period = float((needs.mean(axis=1) * holding_costs).sum())
    interval = math.sqrt(2 * (common_cost + float(product_costs.sum())) / max(per_period, 1e-9))
    limit = max(1, round(interval))
    for product, length in reversed(choices):
        if 0 < length <= limit:
            return (product, length)
    return choices[0]


# %% common_dates_by_dynamic_programming
import numpy as np


def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Best joint order days by dynamic programming if every order day serves all products until the next one."""
    horizon = needs.shape[1]
    value, step = [0.0] * (horizon + 1), [1] * (horizon + 1)
    for start in reversed(range(horizon)):
        options = []
        for length in range(1, min(6, horizon - start) + 1):
            part = needs[:, start : start + length]
            cost = holding_costs @ (part @ np.arange(length)) + product_costs[part.any(axis=1)].sum()
            if part.any() and not (start == 0 and ordered):
                cost += common_cost
            options.append((cost + value[start + length], length))
        value[start], step[start] = min(options)
    pairs = [pair for pair in choices if 0 < pair[1] <= step[0]]
    return max(pairs, key=lambda pair: pair[1], default=choices[0])


# %% dates_then_own_extension
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Find the best length until the next joint order day, then let products of high own cost reach beyond it."""
    horizon = needs.shape[1]
    rates = {}
    for length in range(1, min(6, horizon) + 1):
        total = common_cost
        for row, own, hold in zip(needs.tolist(), product_costs, holding_costs):
            lot = row[:length]
            total += (own if any(lot) else 0) + hold * sum(k * need for k, need in enumerate(lot))
        rates[length] = total / length
    until = min(rates, key=rates.get)
    product, answer = None, choices[0]
    for p, length in choices:
        if p < 0 or product not in (None, p):
            continue
        cheap = holding_costs[p] * (length - 1) * needs[p, length - 1] < product_costs[p]
        if length <= until or (product == p and cheap):
            product, answer = p, (p, length)
    return answer


# %% local_search_over_dates
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """Flip order days as long as that helps; for given days each product plans its own orders exactly."""
    horizon = min(12, needs.shape[1])
    rows = needs[:, :horizon].tolist()
    table = []
    for row, own, hold in zip(rows, product_costs.tolist(), holding_costs.tolist()):
        costs = [[0.0] * (horizon + 1) for _ in range(horizon)]
        for d in range(horizon):
            held = 0
            for e in range(d + 1, horizon + 1):
                held += hold * (e - 1 - d) * row[e - 1]
                costs[d][e] = own + held if any(row[d:e]) else 0.0
        table.append(costs)

    def plan(p, days):
        value, until = {horizon: 0.0}, {}
        for place in range(len(days) - 1, -1, -1):
            d, ends = days[place], [*days[place + 1 :], horizon]
            if d == 0 and p in ordered:
                ends = [e for e in ends if not any(rows[p][:e])] or [ends[0]]
            value[d], until[d] = min((table[p][d][e] + value[e], e) for e in ends)
            if d == 0 and p in ordered and any(rows[p][: ends[0]]):
                value[d] += 1e6
        return value[0], until[0]

    def total(days):
        return common_cost * len(days) + sum(plan(p, days)[0] for p in range(len(rows)))

    days = [d for d in range(horizon) if d % 2 == 0]
    cost = total(days)
    for d in [*range(1, horizon)] * 2:
        changed = sorted(set(days) ^ {d})
        if total(changed) < cost:
            days, cost = changed, total(changed)
    for p in dict.fromkeys(pair[0] for pair in choices if pair[0] >= 0):
        pairs = [pair for pair in choices if pair[0] == p and pair[1] <= plan(p, days)[1]]
        if pairs:
            return pairs[-1]
    return choices[0]
