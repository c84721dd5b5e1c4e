"""Spare parts: a depot sends one scarce part after another to regional warehouses with random demand."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits

CUSTOMERS = 10


class SpareParts(SimpleTask):
    """Solution: the warehouse of each part, in the order in which they leave the depot. The objective is a cost.

    Each day parts that were sent arrive, the depot sends all parts that it gets, and customers come: those without a
    part wait. In the evening each part in stock costs holding, each customer who waits shortage.
    """

    name = "spare_parts"
    title = "Spare parts for regional warehouses"
    sense = "min"
    problem_class = "covering"
    description = (
        "Return the priority of a warehouse for the spare part that leaves the depot now; the one of the highest "
        "priority gets it, `transit_days` mornings from now. It has `net_stock` parts (below 0: so many customers "
        "wait) and `on_the_way` parts sent but not there yet. During a day about `daily_demand` customers come at "
        "random and want a part each; in the evening each part in stock costs `holding_cost`, each customer who waits "
        "`shortage_cost`. `days_left` evenings are to come, today's included; what arrives after them has no use. "
        "Parts are too few for all; the cost of all warehouses and evenings is to be small."
    )
    template = '''\
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """The warehouse with the lowest stock."""
    return -net_stock
'''
    answers = "priority"
    splits = make_splits(
        search={"count": 16, "warehouses": 5, "days": 24, "calls": 240},
        test={"count": 32, "warehouses": 5, "days": 24, "calls": 240},
        holdout={"count": 32, "warehouses": 8, "days": 30, "calls": 800},
    )
    probe_parameters = {"warehouses": 8, "days": 12}  # noqa: RUF012
    probe_feature_names = ("net_stock", "position", "cover", "excess", "shortage_cost", "pressing", "transit", "demand")

    def draw(self, random, warehouses, days):
        """Demand int64 (days, warehouses): of ten customers, each comes with a chance; supply, a tenth less: (days,).

        Start, transit days, chance in percent, holding and shortage costs int64 (warehouses,).
        """
        chance, transit = random.randint(1, 9, warehouses), random.randint(1, 7, warehouses)
        supply = (random.randint(0, 1000, (days, 10)) < 9 * chance.sum()).sum(axis=1)
        return {
            "demand": (random.randint(0, 100, (days, warehouses, CUSTOMERS)) < chance[:, None]).sum(axis=2),
            "supply": supply,
            "start": random.randint(0, 4, warehouses) + chance * transit // 10,
            "transit": transit,
            "chance_percent": chance,
            "holding": random.randint(1, 5, warehouses),
            "shortage": random.choice([4, 8, 15, 30], warehouses) + random.randint(0, 4, warehouses),
        }

    def construct(self, program, instance):
        """One decision a part, one call for each warehouse; the program sees Python numbers."""
        days, warehouses = instance["demand"].shape
        transit, holding, shortage = (instance[name].tolist() for name in ("transit", "holding", "shortage"))
        demand = (instance["chance_percent"] * CUSTOMERS / 100).tolist()
        arriving, stock, solution = np.zeros((days + max(transit), warehouses), dtype=np.int64), instance["start"], []
        for day in range(days):
            stock = stock + arriving[day]
            for _ in range(instance["supply"][day]):
                coming = arriving[day + 1 :].sum(axis=0).tolist()
                calls = zip(stock.tolist(), coming, transit, demand, holding, shortage, [days - day] * warehouses)
                warehouse = self.ask_each(program, list(calls))
                arriving[day + transit[warehouse], warehouse] += 1
                solution.append(warehouse)
            stock = stock - instance["demand"][day]
        return solution

    def objective(self, instance, solution):
        """Holding and shortage costs. Raises `Infeasible` unless each part goes to a warehouse."""
        entries = check_ids(solution, int(instance["supply"].sum()), len(instance["start"]))
        transit, received = instance["transit"].tolist(), np.zeros_like(instance["demand"])
        for day, warehouse in zip(np.repeat(np.arange(len(received)), instance["supply"]).tolist(), entries):
            if day + transit[warehouse] < len(received):
                received[day + transit[warehouse], warehouse] += 1
        stock = instance["start"] + np.cumsum(received - instance["demand"], axis=0)
        costs = np.where(stock > 0, instance["holding"] * stock, -instance["shortage"] * stock)
        return float(costs.sum())

    def probe_features(self, choices, arguments):
        """Stock, parts in all, days that they last, excess at arrival, shortage cost, its gap's cost, the rest."""
        rows = []
        for stock, coming, transit, demand, _, shortage, _ in choices:
            position, needed = stock + coming, demand * (transit + 1)
            pressing = shortage * (needed - position)
            rows.append((stock, position, position / demand, position - needed, shortage, pressing, transit, demand))
        return np.array(rows)


TASK = SpareParts()
