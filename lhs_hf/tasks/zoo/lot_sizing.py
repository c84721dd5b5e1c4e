"""Capacitated lot sizing: decide how many periods of demand each production lot covers."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

LONGEST = 6
OVERTIME = 3


class LotSizing(SimpleTask):
    """Solution: the quantity of each item in each period, period by period. Units of money.

    Each lot costs its setup, each unit in stock at the end of a period its holding cost, each unit that a period
    produces beyond the capacity 3. An item is produced when its stock is used up, for some periods in a row.
    """

    name = "lot_sizing"
    title = "Capacitated lot sizing, period by period"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return for how many periods, from this one on, a lot of `item` is to last: one of `options` (1, 2, ...). "
        "`needs[i][k]` is what item i still needs k periods from now, `capacity_left` what this period can still make "
        "without overtime (never below 0), `capacity` what a later one can; each unit beyond costs 3. A lot costs "
        "`setup_costs[item]`, a unit in stock `holding_costs[item]` a period; all costs together are to be small."
    )
    template = '''\
def periods_ahead(options, item, needs, capacity_left, capacity, setup_costs, holding_costs):
    """Lot for lot: only what this period needs."""
    return options[0]
'''
    alternatives = "options"
    splits = make_splits(
        search={"count": 16, "items": 5, "periods": 14, "calls": 30},
        test={"count": 32, "items": 5, "periods": 14, "calls": 30},
        holdout={"count": 32, "items": 8, "periods": 18, "calls": 60},
    )
    probe_parameters = {"items": 4, "periods": 10}  # noqa: RUF012
    probe_feature_names = ("periods", "quantity", "overtime", "cost_a_period", "cost_a_unit", "last_need", "next_need")

    def draw(self, random, items, periods):
        """Demands int64 (items, periods), a quarter of them zero; setup and holding costs int64 (items,); capacity."""
        demands = random.randint(5, 50, (items, periods)) * (random.rand(items, periods) < 0.75)
        return {
            "demands": demands,
            "setup": random.randint(40, 250, items),
            "holding": random.randint(1, 4, items),
            "capacity": int(1.2 * demands.sum() / periods) + 1,
        }

    def construct(self, program, instance):
        """One call for each item without stock for this period's demand; the program sees lists of Python ints."""
        demands, capacity = instance["demands"], instance["capacity"]
        items, periods = demands.shape
        setup, holding = instance["setup"].tolist(), instance["holding"].tolist()
        needs, made = demands.copy(), np.zeros((periods, items), dtype=np.int64)
        for period in range(periods):
            for item in np.flatnonzero(needs[:, period]).tolist():
                options = list(range(1, min(LONGEST, periods - period) + 1))
                left = max(0, capacity - int(made[period].sum()))
                ahead = needs[:, period:].tolist()
                length = self.ask(program, options, item, ahead, left, capacity, list(setup), list(holding))
                made[period, item] = needs[item, period : period + length].sum()
                needs[item, period : period + length] = 0
        return made.reshape(-1)

    def objective(self, instance, solution):
        """Setup, holding and overtime costs. Raises `Infeasible` where the demand of a period is not met."""
        demands = instance["demands"]
        items, periods = demands.shape
        entries = check_ids(solution, items * periods, int(demands.sum()) + 1)
        made = np.array(entries, dtype=np.int64).reshape(periods, items).T
        stock = np.cumsum(made - demands, axis=1)
        if (stock < 0).any():
            item, period = np.argwhere(stock < 0)[0]
            raise Infeasible(f"item {item} is short of {-stock[item, period]} in period {period}")
        overtime = np.maximum(0, made.sum(axis=0) - instance["capacity"]).sum()
        setups = ((made > 0) * instance["setup"][:, None]).sum()
        return float(setups + (stock * instance["holding"][:, None]).sum() + OVERTIME * overtime)

    def probe_features(self, choices, arguments):
        """Periods, quantity, overtime, cost of the lot for each period and each unit, needs at and after its end."""
        item, left = arguments["item"], arguments["capacity_left"]
        needs = [*arguments["needs"][item], 0]
        rows = []
        for length in choices:
            quantity = sum(needs[:length])
            held = sum(place * need for place, need in enumerate(needs[:length]))
            cost = arguments["setup_costs"][item] + arguments["holding_costs"][item] * held
            over = max(0, quantity - left)
            rows.append((length, quantity, over, cost / length, cost / quantity, needs[length - 1], needs[length]))
        return np.array(rows)


TASK = LotSizing()
