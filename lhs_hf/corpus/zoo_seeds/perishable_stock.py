"""Seed programs for `perishable_stock`: one complete program a cell, named after its idea."""


# %% largest_order
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Never run out: the largest order."""
    return quantities[-1]


# %% random_quantity
import random


def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Any quantity from the lower half, from a generator seeded with the day and yesterday's demand."""
    rng = random.Random(1000 * days_left + past_demand[-1])
    return rng.choice(quantities[: len(quantities) // 2])


# %% up_to_mean_demand
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Fill the stock up to the mean demand of all days so far."""
    mean = sum(past_demand) / len(past_demand)
    missing = mean - sum(stock)
    return min(quantities, key=lambda quantity: abs(quantity - missing))


# %% same_day_last_week
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """What the same day of last week took, less what is in stock."""
    missing = past_demand[-7] - sum(stock)
    for quantity in quantities:
        if quantity >= missing:
            return quantity
    return quantities[-1]


# %% newsvendor_quantile
import numpy as np


def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """The newsvendor's quantile of past demand as the level of today's stock."""
    level = np.quantile(past_demand, (price - unit_cost) / price)
    missing = level - sum(stock)
    return quantities[int(np.argmin([abs(quantity - missing) for quantity in quantities]))]


# %% newsvendor_by_weekday
import math


def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Newsvendor around the weekday's mean, with the square root of the mean as its spread."""
    same = past_demand[-7::-7]
    mean = sum(same) / len(same)
    ratio = (price - unit_cost) / price
    level = mean + 2.0 * (ratio - 0.5) * math.sqrt(mean)
    return min(quantities, key=lambda quantity: abs(quantity + sum(stock) - level))


# %% empty_then_two_days
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Order only when less than half a day's demand is in stock, then for two days."""
    mean = sum(past_demand[-7:]) / 7
    if sum(stock) > 0.5 * mean:
        return 0
    return min(quantities, key=lambda quantity: abs(quantity - 2 * mean))


# %% reorder_point_and_level
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """An (s, S) rule: below one mean day fill up to two and a half, near the end only to what is still asked for."""
    mean = sum(past_demand) / len(past_demand)
    on_hand = sum(stock)
    if on_hand >= mean:
        return 0
    target = mean * min(2.5, days_left)
    best = quantities[0]
    for quantity in quantities:
        if on_hand + quantity <= target:
            best = quantity
    return best


# %% ignore_what_expires
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Units on their last day count for today only; order so that tomorrow starts with half a day's demand."""
    mean = sum(past_demand[-14:]) / len(past_demand[-14:])
    fresh = sum(stock[1:])
    today = max(0.0, mean - stock[0])
    wanted = today + (0.5 * mean if days_left > 1 else 0.0) - fresh
    return max([quantity for quantity in quantities if quantity <= wanted], default=0)


# %% economic_days
import math


def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Days of cover from fee and price, at most the life of the goods; ordered once the stock is below today's need."""
    mean = sum(past_demand) / len(past_demand)
    days = math.sqrt(2 * delivery_fee / (0.2 * unit_cost * mean + 1e-9))
    days = max(1.0, min(days, len(stock), days_left))
    if sum(stock) >= past_demand[-7]:
        return 0
    return min(quantities, key=lambda quantity: abs(quantity + sum(stock) - days * mean))


# %% smoothing
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Exponential smoothing of the daily demand plus a margin that grows with price over cost."""
    level = float(past_demand[0])
    for demand in past_demand[1:]:
        level += 0.3 * (demand - level)
    margin = 1.0 + 0.1 * (price - 2 * unit_cost) / price
    missing = margin * level - sum(stock)
    return next((quantity for quantity in quantities if quantity >= missing), quantities[-1])


# %% forecast_and_fee_rate
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """If today is not covered, cover as many days of the weekday forecast as make fee and waste a day lowest."""

    def forecast(day):
        same = past_demand[day % 7 :: 7]
        return sum(same) / len(same)

    today = len(past_demand)
    if sum(stock) >= 0.8 * forecast(today):
        return 0
    best, lowest = 0.0, float("inf")
    total = 0.0
    for cover in range(1, min(len(stock) + 1, days_left) + 1):
        total += forecast(today + cover - 1)
        risk = unit_cost * 0.15 * (cover - 1) * total
        if (delivery_fee + risk) / cover < lowest:
            best, lowest = total, (delivery_fee + risk) / cover
    return min(quantities, key=lambda quantity: abs(quantity + sum(stock) - best))


# %% expected_profit_with_salvage
import numpy as np


def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Expected profit of today over past days as scenarios; units left with life in them keep most of their cost."""
    demands = np.array(past_demand[-7::-7] * 2 + past_demand[-14:], dtype=float)
    worth = 0.7 * unit_cost if days_left > 1 else 0.0

    def profit(quantity):
        sold = np.minimum(demands, sum(stock) + quantity)
        kept = np.minimum(quantity + sum(stock[1:]), sum(stock) + quantity - sold)
        fee = delivery_fee if quantity else 0
        return float((price * sold + worth * kept).mean()) - unit_cost * quantity - 0.5 * fee

    return max(quantities, key=profit)


# %% four_day_tree
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Deterministic look-ahead: the best orders of the next four days if the weekday means come true."""
    today = len(past_demand)
    means = [sum(past_demand[d % 7 :: 7]) / len(past_demand[d % 7 :: 7]) for d in range(today, today + 4)]
    means = means[:days_left]

    def value(day, shelf):
        if day == len(means):
            return (0.3 * unit_cost * sum(shelf) if days_left > 4 else 0.0), 0
        best = (-1e9, 0)
        covers = [sum(means[day : day + k]) - sum(shelf) for k in range(1, 4)]
        for quantity in {0, *(8 * max(0, round(cover / 8)) for cover in covers)}:
            left, wanted = [], means[day]
            for units in [*shelf, quantity]:
                left.append(max(0.0, units - wanted))
                wanted = max(0.0, wanted - units)
            gain = price * (means[day] - wanted) - unit_cost * quantity - delivery_fee * (quantity > 0)
            best = max(best, (gain + value(day + 1, left[1:])[0], quantity))
        return best

    return min(value(0, stock)[1], quantities[-1])


# %% simulated_orders
import random


def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """Simulate five days for each quantity on ten drawn demand paths; later days cover two days when they run low."""
    rng = random.Random(len(past_demand))
    today = len(past_demand)
    days = [(past_demand[d % 7 :: 7]) for d in range(today, today + min(5, days_left))]
    means = [sum(same) / len(same) for same in days]
    paths = [[max(0, round(rng.gauss(mean, mean**0.5))) for mean in means] for _ in range(10)]

    def profit(quantity):
        total = 0.0
        for path in paths:
            shelf, order = list(stock), quantity
            for day, wanted in enumerate(path):
                if day and sum(shelf) < 0.7 * means[day]:
                    order = 8 * max(1, round((sum(means[day : day + 2]) - sum(shelf)) / 8))
                total -= unit_cost * order + (delivery_fee if order else 0)
                left = []
                for units in [*shelf, order]:
                    sold = min(units, wanted)
                    total += price * sold
                    wanted -= sold
                    left.append(units - sold)
                shelf, order = left[1:], 0
            total += 0.5 * unit_cost * sum(shelf) if days_left > 5 else 0.0
        return total

    return max(quantities, key=profit)
