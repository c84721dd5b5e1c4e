"""Joint replenishment: several products share one ordering cost; decide period by period what to order for how long."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

LONGEST = 6
STOP = (-1, 0)


class JointReplenishment(SimpleTask):
    """Solution: the quantity ordered of each product in each period, period by period. Units of money.

    A period with any order costs the common cost once, each product ordered in it its own cost, each unit in stock at
    the end of a period its holding cost. Orders arrive at once.
    """

    name = "joint_replenishment"
    title = "Joint replenishment, order by order"
    sense = "min"
    problem_class = "covering"
    description = (
        "Return one of `choices`: a pair (product, periods) orders what the product needs in so many periods from "
        "today, (-1, 0) ends today's orders. `needs[p, k]` is what product p still lacks k periods from now; products "
        "that lack something today come first, and `ordered` lists those ordered today. The first order of a period "
        "costs `common_cost`, each one `product_costs[p]`, a stored unit `holding_costs[p]` a period; the sum of all "
        "costs is to be small."
    )
    template = '''\
def choose_order(choices, needs, ordered, common_cost, product_costs, holding_costs):
    """What today lacks and nothing more."""
    return choices[0]
'''
    alternatives = "choices"
    splits = make_splits(
        search={"count": 16, "products": 5, "periods": 12, "calls": 35},
        test={"count": 32, "products": 5, "periods": 12, "calls": 35},
        holdout={"count": 32, "products": 7, "periods": 15, "calls": 60},
    )
    probe_parameters = {"products": 4, "periods": 7}  # noqa: RUF012
    probe_feature_names = ("product", "periods", "quantity", "holding_cost", "saved_cost", "cost_a_period", "lacks_now")

    def draw(self, random, products, periods):
        """Demands int64 (products, periods), four in ten zero; costs: common, setup and holding int64 (products,)."""
        return {
            "demands": random.randint(4, 40, (products, periods)) * (random.rand(products, periods) < 0.6),
            "common": int(random.randint(80, 240)),
            "setup": random.randint(10, 80, products),
            "holding": random.randint(1, 4, products),
        }

    def construct(self, program, instance):
        """Periods in which nothing is lacking pass without a call. Pairs are Python ints, `needs` is an array."""
        demands = instance["demands"]
        products, periods = demands.shape
        needs, bought = demands.copy(), np.zeros((periods, products), dtype=np.int64)
        for period in range(periods):
            ordered = []
            while needs[:, period].any() or ordered:
                ahead = needs[:, period:]
                open_products = np.flatnonzero(ahead[:, 0]).tolist()
                choices = [] if open_products else [STOP]
                for product in open_products or sorted(set(range(products)) - set(ordered)):
                    last = np.flatnonzero(ahead[product, :LONGEST]).tolist()
                    choices += [(product, each + 1) for each in last]
                costs = (instance["common"], instance["setup"].copy(), instance["holding"].copy())
                product, length = self.ask(program, choices, ahead.copy(), list(ordered), *costs)
                if product < 0:
                    break
                bought[period, product] = ahead[product, :length].sum()
                ahead[product, :length] = 0
                ordered.append(product)
        return bought.reshape(-1)

    def objective(self, instance, solution):
        """Ordering and holding costs. Raises `Infeasible` where the demand of a period is not met."""
        demands = instance["demands"]
        products, periods = demands.shape
        entries = check_ids(solution, products * periods, int(demands.sum()) + 1)
        bought = np.array(entries, dtype=np.int64).reshape(periods, products).T
        stock = np.cumsum(bought - demands, axis=1)
        if (stock < 0).any():
            product, period = np.argwhere(stock < 0)[0]
            raise Infeasible(f"product {product} lacks {-stock[product, period]} in period {period}")
        orders = instance["common"] * bought.any(axis=0).sum() + ((bought > 0) * instance["setup"][:, None]).sum()
        return float(orders + (stock * instance["holding"][:, None]).sum())

    def probe_features(self, choices, arguments):
        """Product, periods, quantity, holding cost, its balance with the product's cost; zeros for the end."""
        rows = []
        for product, length in choices:
            lot = arguments["needs"][product, :length] if length else np.zeros(1)
            held = float(arguments["holding_costs"][product] * (lot @ np.arange(len(lot))))
            own = float(arguments["product_costs"][product]) if length else 0.0
            rows.append((product, length, lot.sum(), held, own - held, (own + held) / max(1, length), lot[0]))
        return np.array(rows)


TASK = JointReplenishment()
