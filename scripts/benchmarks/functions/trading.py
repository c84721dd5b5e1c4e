"""Money: energy, advertisements, rooms, cars, parts in stock."""

import math
from collections import deque

import numpy as np

from .made import Made


def battery_trading() -> Made:
    """An energy trader: power to buy (positive) or to sell (negative), from a forecast of prices."""
    rng = np.random.default_rng(4)
    years = []
    for _ in range(6):
        hours = np.arange(24 * 14)
        price = 60 + 25 * np.sin((hours - 9) / 24 * 2 * np.pi) + 12 * np.sin((hours - 2) / 12 * 2 * np.pi)
        price += rng.normal(0, 9, len(hours)) + 10 * np.repeat(rng.normal(0, 1, 14), 24)
        years.append(price)

    def objective(trade):
        profit = 0.0
        noise = np.random.default_rng(44)
        for price in years:
            soc = 0.0
            for t in range(len(price) - 12):
                forecast = price[t + 1 : t + 13] + noise.normal(0, 4, 12)
                mw = float(trade(float(price[t]), forecast, soc, 4.0))
                if not math.isfinite(mw):
                    return -math.inf
                mw = max(-1.0, min(1.0, mw))
                mw = min(mw, (4.0 - soc) / 0.92) if mw > 0 else max(mw, -soc)
                profit -= mw * price[t] + 1.5 * abs(mw)
                if mw < 0:
                    profit += 0.04 * mw * price[t]
                soc += mw * (0.92 if mw > 0 else 1.0)
        return profit / len(years)

    template = '''
import numpy as np

def trade(price: float, forecast: np.ndarray, soc: float, capacity: float) -> float:
    """MW to buy (positive) or to sell (negative) in this hour."""
    average = float(np.mean(forecast))
    if price < 0.9 * average:
        return 1.0
    if price > 1.1 * average:
        return -1.0
    return 0.0
'''
    return objective, template, "max"


def ad_bidding() -> Made:
    """An analyst of online marketing: the bid for one place, from what is left of the budget."""

    def campaign(seed):
        rng = np.random.default_rng(seed)
        n = 400
        values = rng.gamma(2.0, 1.5, n)
        prices = 0.5 * values * rng.uniform(0.3, 1.4, n) + rng.gamma(1.5, 0.8, n)
        return values.tolist(), prices.tolist(), float(rng.uniform(60, 160))

    campaigns = [campaign(s) for s in range(120)]

    def objective(bid):
        won = 0.0
        for values, prices, budget in campaigns:
            left = budget
            for k, (value, price) in enumerate(zip(values, prices)):
                if left <= 0:
                    break
                offer = bid(value, left, len(values) - k)
                if not isinstance(offer, (int, float)) or offer != offer:
                    raise ValueError("a bid is a number")
                if offer >= price and price <= left:
                    left -= price
                    won += value
        return won / len(campaigns)

    template = """
def bid(value, budget_left, auctions_left=1):
    return min(value, budget_left)
"""
    return objective, template, "max"


def hotel_booking() -> Made:
    """The revenue manager of a hotel: whether a request is accepted; arguments come by their names."""

    def season(seed):
        rng = np.random.default_rng(seed)
        requests = []
        for days_left in range(60, 0, -1):
            for _ in range(rng.poisson(1.2 + 1.2 * (days_left < 20))):
                base = 70 + (60 - days_left) * 1.1
                requests.append((float(base * rng.lognormal(0, 0.35)), int(rng.integers(1, 5)), days_left))
        return requests, int(rng.integers(60, 140))

    seasons = [season(s) for s in range(800)]

    def objective(accept):
        revenue = 0.0
        for requests, rooms in seasons:
            left = rooms
            for rate, size, days_left in requests:
                if size > left:
                    continue
                answer = accept(rate=rate, group_size=size, rooms_left=left, capacity=rooms, days_left=days_left)
                if answer not in (True, False):
                    raise ValueError("yes or no?")
                if answer:
                    left -= size
                    revenue += rate * size
        return revenue / len(seasons)

    template = """
def accept(rate, group_size, rooms_left, capacity, days_left):
    if days_left <= 3:
        return True
    return rate > 85
"""
    return objective, template, "max"


def asking_price() -> Made:
    """A car dealer: the least offer that is accepted today, of 25 that come one a day."""

    def car(seed):
        rng = np.random.default_rng(seed)
        centre = float(rng.uniform(4000, 9000))
        return [float(v) for v in centre * rng.lognormal(0, 0.22, 25)], centre

    cars = [car(s) for s in range(2000)]

    def objective(threshold):
        money = 0.0
        for offers, centre in cars:
            estimate = centre * 0.97
            for day, offer in enumerate(offers):
                least = threshold(day, len(offers) - day - 1, offers[:day], estimate)
                if not math.isfinite(least):
                    return -math.inf
                if offer >= least or day == len(offers) - 1:
                    money += offer - 60 * day
                    break
        return money / len(cars)

    template = """
def threshold(day, days_left, past_offers, estimate):
    if len(past_offers) < 5:
        return 2 * estimate
    return max(past_offers)
"""
    return objective, template, "max"


def spare_parts() -> Made:
    """A planner of maintenance: how many parts to order, a whole number."""

    def part(seed):
        rng = np.random.default_rng(seed)
        mean = float(rng.uniform(2, 15))
        info = {
            "mean": mean,
            "lead_time": int(rng.integers(1, 6)),
            "fixed": float(rng.uniform(20, 200)),
            "holding": float(rng.uniform(0.2, 1.0)),
            "shortage": float(rng.uniform(4, 20)),
        }
        return info, rng.poisson(mean, 150).tolist()

    parts = [part(s) for s in range(60)]

    def objective(order_quantity):
        cost = 0
        for info, demand in parts:
            stock, pipeline = int(info["mean"] * 3), deque([0] * info["lead_time"])
            for d in demand:
                stock += pipeline.popleft()
                state = {**info, "stock": stock, "on_order": sum(pipeline)}
                q = order_quantity(state)
                if q is None or q < 0 or q != int(q):
                    return float("inf")
                pipeline.append(int(q))
                cost += info["fixed"] if q else 0
                sold = min(d, stock)
                stock -= sold
                cost += info["holding"] * stock + info["shortage"] * (d - sold)
        return int(cost)

    template = """
import math

def order_quantity(part):
    position = part["stock"] + part["on_order"]
    if position < 30:
        return int(math.ceil(40 - position))
    return 0
"""
    return objective, template, "min"
