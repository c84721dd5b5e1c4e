"""Open stacks: make products one after another so that customers' orders are open for a short time."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_permutation, make_splits


class OpenStacks(SimpleTask):
    """Solution: the products in the order in which they are made. The objective is in minutes.

    An order is open from the start of its first product to the end of its last one.
    """

    name = "open_stacks"
    title = "Total time that orders are open"
    sense = "min"
    problem_class = "scheduling"
    description = (
        "Return an array of scores, one for each product of `unmade` (an integer array, ascending); the product with "
        "the highest score is made next. `wanted[c, p]` (a boolean array) says whether the order of customer c has "
        "product p, whether p is made already or not; `minutes[p]` is how long making p takes, once for all customers. "
        "`opened[c]` (a boolean array) is True if some product of customer c is made already and another one is not. "
        "An order is open from the start of its first product to the end of its last one, also while products of "
        "others are made; the sum of these times over all customers is to be small."
    )
    template = '''\
def rate_products(unmade, wanted, opened, minutes):
    """The quickest product first."""
    return -minutes[unmade]
'''
    answers = "scores"
    alternatives = "unmade"
    splits = make_splits(
        search={"count": 16, "customers": 16, "products": 26, "spread": 0.5, "calls": 25},
        test={"count": 32, "customers": 16, "products": 26, "spread": 0.5, "calls": 25},
        holdout={"count": 32, "customers": 24, "products": 36, "spread": 0.4, "calls": 35},
    )
    probe_parameters = {"customers": 8, "products": 12, "spread": 0.5}  # noqa: RUF012
    probe_feature_names = ("opens", "closes", "open_wanted", "minutes", "urgency", "missing", "wanted_by", "product")

    def draw(self, random, customers, products, spread):
        """Orders of 2 to 6 products, bool (customers, products); minutes int64 (products,), 3 to 30.

        Products and customers have a place on a hidden line; orders have products near their customer, up to `spread`.
        """
        gaps = np.abs(random.rand(customers, 1) - random.rand(products)) + spread * random.rand(customers, products)
        wanted = gaps.argsort(axis=1).argsort(axis=1) < random.randint(2, 7, (customers, 1))
        wanted[gaps.argmin(axis=0), np.arange(products)] |= ~wanted.any(axis=0)
        return {"wanted": wanted, "minutes": random.randint(3, 31, products)}

    def construct(self, program, instance):
        """One call a product, but for the last one; the program sees copies of the arrays."""
        wanted, minutes = instance["wanted"], instance["minutes"]
        unmade, order = list(range(len(minutes))), []
        while len(unmade) > 1:
            opened = wanted[:, order].any(axis=1) & wanted[:, unmade].any(axis=1)
            product = self.ask(program, np.array(unmade), wanted.copy(), opened, minutes.copy())
            unmade.remove(product)
            order.append(int(product))
        return order + unmade

    def objective(self, instance, solution):
        """Sum of the times that orders are open. Raises `Infeasible` unless each product is made once."""
        minutes = instance["minutes"].tolist()
        order = check_permutation(solution, len(minutes))
        total = 0
        for row in instance["wanted"].tolist():
            places = [place for place, product in enumerate(order) if row[product]]
            total += sum(minutes[product] for product in order[places[0] : places[-1] + 1])
        return float(total)

    def probe_features(self, choices, arguments):
        """Orders that a product opens, closes and advances, minutes, shares of what is missing, customers, id."""
        unmade, wanted, opened = np.asarray(choices), arguments["wanted"], arguments["opened"]
        missing = wanted[:, unmade]
        counts = missing.sum(axis=1, keepdims=True)
        opens, advances = missing[~opened].sum(axis=0), missing[opened].sum(axis=0)
        closes = (missing & (counts == 1)).sum(axis=0)
        urgency = (missing[opened] / np.maximum(1, counts[opened])).sum(axis=0)
        work = (missing * counts).sum(axis=0)
        return np.column_stack(
            [opens, closes, advances, arguments["minutes"][unmade], urgency, work, opens + advances, unmade]
        )


TASK = OpenStacks()
