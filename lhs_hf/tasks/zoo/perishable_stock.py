"""Perishable stock: order each morning, before the day's demand is known; what is too old in the evening is lost."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

WEEK = 7
CRATE = 8
MOST_CRATES = 15


class PerishableStock(SimpleTask):
    """Solution: the quantity ordered on each day. Profit in units of money: sales less purchases and delivery fees.

    Orders arrive at once and can be sold for `life` days. The oldest units are sold first, unmet demand is lost, and
    what is left after the last day is worth nothing.
    """

    name = "perishable_stock"
    title = "Ordering of perishable stock, day by day"
    sense = "max"
    problem_class = "covering"
    description = (
        "Return how much to order this morning, one of `quantities` (ascending from 0). `stock[k]` units can be sold "
        "on k more days after today, an order on len(stock) more days; the oldest are sold first. `past_demand` lists "
        "the demand of the days before, at least a week, today's is unknown. A unit sold earns `price`, one ordered "
        "costs `unit_cost`, each day with an order `delivery_fee`; profit over the `days_left` days is to be large."
    )
    template = '''\
def order_quantity(quantities, stock, past_demand, price, unit_cost, delivery_fee, days_left):
    """As much as yesterday's demand, whatever is in stock."""
    return min(quantities, key=lambda quantity: abs(quantity - past_demand[-1]))
'''
    alternatives = "quantities"
    splits = make_splits(
        search={"count": 16, "days": 28, "life": 3, "calls": 28},
        test={"count": 32, "days": 28, "life": 3, "calls": 28},
        holdout={"count": 32, "days": 42, "life": 4, "calls": 42},
    )
    probe_parameters = {"days": 14, "life": 3}  # noqa: RUF012
    probe_feature_names = ("quantity", "off_yesterday", "off_same_weekday", "off_mean", "off_two_days", "any")

    def draw(self, random, days, life):
        """A week of demand before the first day, then `days` more: Poisson around a mean for each weekday."""
        means = random.randint(10, 26) * random.uniform(0.4, 1.6, WEEK)
        return {
            "demand": random.poisson(np.resize(means, WEEK + days)),
            "life": life,
            "price": int(random.randint(8, 13)),
            "cost": int(random.randint(3, 7)),
            "fee": int(random.randint(5, 70)),
        }

    def construct(self, program, instance):
        """One call a day; the program sees lists of Python ints and no demand of today or later."""
        demand, prices = instance["demand"].tolist(), (instance["price"], instance["cost"], instance["fee"])
        stock, orders = [0] * (instance["life"] - 1), []
        for day in range(WEEK, len(demand)):
            quantities = [CRATE * crates for crates in range(MOST_CRATES + 1)]
            quantity = self.ask(program, quantities, list(stock), demand[:day], *prices, len(demand) - day)
            orders.append(quantity)
            stock = _evening([*stock, quantity], demand[day])[0]
        return orders

    def objective(self, instance, solution):
        """Profit. Raises `Infeasible` for a quantity that can not be ordered."""
        demand = instance["demand"].tolist()[WEEK:]
        stock, profit = [0] * (instance["life"] - 1), 0
        for day, quantity in enumerate(check_ids(solution, len(demand), CRATE * MOST_CRATES + 1)):
            if quantity % CRATE:
                raise Infeasible(f"{quantity} units are ordered on day {day}, a crate holds {CRATE}")
            stock, sold = _evening([*stock, quantity], demand[day])
            profit += instance["price"] * sold - instance["cost"] * quantity - instance["fee"] * (quantity > 0)
        return float(profit)

    def probe_features(self, choices, arguments):
        """Quantity, and how far it takes the stock from yesterday's, last week's and mean demand."""
        stock, past = arguments["stock"], arguments["past_demand"]
        mean, fresh = sum(past) / len(past), sum(stock[1:])
        rows = []
        for quantity in choices:
            level = quantity + sum(stock)
            rows.append(
                (
                    quantity,
                    abs(quantity - past[-1]),
                    abs(level - past[-WEEK]),
                    abs(level - mean),
                    abs(quantity + fresh - 2 * mean),
                    quantity > 0,
                )
            )
        return np.array(rows, dtype=float)


def _evening(stock, demand):
    """What is left for the days after, oldest first, and how much is sold."""
    kept, wanted = [], demand
    for units in stock:
        kept.append(max(0, units - wanted))
        wanted -= min(units, wanted)
    return kept[1:], demand - wanted


TASK = PerishableStock()
