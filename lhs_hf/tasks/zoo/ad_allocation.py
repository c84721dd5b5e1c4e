"""Ad allocation (AdWords): give each impression to an advertiser at once; budgets bound what they pay."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class AdAllocation(SimpleTask):
    """Solution: the advertiser of each impression. Revenue in cents.

    An advertiser pays the bid for an impression, but never more than what is left of the budget.
    """

    name = "ad_allocation"
    title = "Ad allocation with budgets, online"
    sense = "max"
    problem_class = "assignment"
    description = (
        "Return an array with one score for each advertiser: the impression goes to the highest. `bids[a]` is what "
        "advertiser a offers for it, `budget_left[a]` what a can still pay, `budgets[a]` the budget at the start. "
        "Row i of `seen_bids` holds the bids for the impression i before this one. What comes later is unknown; the "
        "sum of min(bid, budget left) over all impressions is to be large."
    )
    template = '''\
def score_advertisers(bids, budget_left, budgets, seen_bids):
    """The highest bid, whatever is left to pay it."""
    return bids
'''
    answers = "scores"
    splits = make_splits(
        search={"count": 16, "advertisers": 8, "impressions": 120, "calls": 120},
        test={"count": 32, "advertisers": 8, "impressions": 120, "calls": 120},
        holdout={"count": 32, "advertisers": 12, "impressions": 200, "calls": 200},
    )
    probe_parameters = {"advertisers": 10, "impressions": 60}  # noqa: RUF012
    probe_feature_names = ("bid", "paid", "share_left", "left", "paid_times_share", "paid_over_usual", "days_left")

    def draw(self, random, advertisers, impressions):
        """Kinds that many want come first, those that only high bidders want later: int64 (impressions, advertisers).

        Random order lets the highest bid do well; here high bidders are needed most once others bid no more.
        """
        high = random.permutation(advertisers) < 0.4 * advertisers
        wide = np.arange(advertisers)[:, None] < advertisers // 2
        wanted = random.rand(advertisers, advertisers) < np.where(wide, 0.75, 0.5 * high)
        level = random.randint(25, 45, (advertisers, advertisers)) * wanted * np.where(high, 1.2, 1.0)
        time = 0.7 * np.sort(random.rand(impressions)) + 0.3 * random.rand(impressions)
        kinds = (time * advertisers).astype(np.int64)
        bids = (level[kinds] * random.uniform(0.8, 1.2, (impressions, advertisers))).astype(np.int64)
        shares = random.dirichlet(np.full(advertisers, 12.0))
        return {"bids": bids, "budgets": (1.2 * shares * bids.max(axis=1).sum()).astype(np.int64) + 1}

    def alternatives(self, bids, budget_left, budgets, seen_bids):
        """All advertisers, also those who do not bid."""
        return range(len(bids))

    def construct(self, program, instance):
        """One call an impression; the program sees copies of arrays, and of the bids only the rows so far."""
        bids, budgets = instance["bids"], instance["budgets"]
        left, winners = budgets.copy(), []
        for row in range(len(bids)):
            arguments = (bids[row].copy(), left.copy(), budgets.copy(), bids[:row].copy())
            winner = self.ask(program, *arguments)
            left[winner] -= min(bids[row, winner], left[winner])
            winners.append(winner)
        return winners

    def objective(self, instance, solution):
        """Revenue. Raises `Infeasible` unless each impression has an advertiser."""
        bids, left = instance["bids"].tolist(), instance["budgets"].tolist()
        revenue = 0
        for row, winner in zip(bids, check_ids(solution, len(bids), len(left))):
            paid = min(row[winner], left[winner])
            left[winner] -= paid
            revenue += paid
        return float(revenue)

    def probe_features(self, choices, arguments):
        """Bid, payment, share and amount left, their product, and the bid against the advertiser's earlier bids."""
        bids, left, seen = arguments["bids"], arguments["budget_left"], arguments["seen_bids"]
        paid, share = np.minimum(bids, left), left / arguments["budgets"]
        usual = seen.mean(axis=0) if len(seen) else bids
        return np.column_stack([bids, paid, share, left, paid * share, paid - usual, left / (1.0 + usual)])


TASK = AdAllocation()
