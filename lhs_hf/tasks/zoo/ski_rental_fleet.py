"""Fleet ski rental: machines are needed for an unknown number of days; each missing one is rented or bought."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class SkiRentalFleet(SimpleTask):
    """Solution: how many machines are bought on each day. Costs in units of money.

    A bought machine is owned for all days to come; what is still missing on a day is rented for that day. The need of
    a day is known only on that day, and nobody knows which day is the last.
    """

    name = "ski_rental_fleet"
    title = "Renting or buying a fleet, online"
    sense = "min"
    problem_class = "covering"
    description = (
        "Return how many machines to buy today, one of `options` (0 up to what is missing); the other missing ones are "
        "rented for the day. `needed` machines are needed today, `owned` are there; `past_needs` lists the needs of "
        "all days before. `rent_price` is paid for a machine and a day, `buy_price` once. How long machines will be "
        "needed is unknown; what is paid in all is to be small."
    )
    template = '''\
def machines_to_buy(options, needed, owned, past_needs, rent_price, buy_price):
    """Rent whatever is missing."""
    return options[0]
'''
    alternatives = "options"
    splits = make_splits(
        search={"count": 32, "days": 40, "largest": 8, "calls": 30},
        test={"count": 64, "days": 40, "largest": 8, "calls": 30},
        holdout={"count": 64, "days": 60, "largest": 12, "calls": 45},
    )
    probe_parameters = {"days": 40, "largest": 12}  # noqa: RUF012
    probe_feature_names = (
        "bought",
        "off_mean",
        "off_median",
        "cost_so_far",
        "cost_if_twice_as_long",
        "off_recent_least",
    )

    def draw(self, random, days, largest):
        """Needs walk at random for an exponential number of days (mean `days`): int64 (days,), rent, price to buy."""
        length = 4 + int(min(random.exponential(days), 4 * days))
        walk = random.randint(2, largest) + np.cumsum(random.choice([-1, 0, 0, 1], length))
        noise = random.choice([-1, 0, 0, 0, 1], length)
        rent = int(random.randint(3, 10))
        needs = np.clip(walk + noise, 0, largest)
        return {"needs": needs, "rent": rent, "price": int(rent * random.uniform(8, 50))}

    def construct(self, program, instance):
        """One call a day on which machines are missing; the program sees Python ints and no day to come."""
        owned, bought = 0, []
        needs, rent, price = instance["needs"].tolist(), instance["rent"], instance["price"]
        for day, needed in enumerate(needs):
            options = list(range(max(0, needed - owned) + 1))
            count = self.ask(program, options, needed, owned, needs[:day], rent, price) if len(options) > 1 else 0
            owned += count
            bought.append(count)
        return bought

    def objective(self, instance, solution):
        """What is paid for rent and machines. Raises `Infeasible` for more machines than are missing."""
        owned, paid = 0, 0
        needs = instance["needs"].tolist()
        for day, count in enumerate(check_ids(solution, len(needs), max(needs) + 1)):
            missing = max(0, needs[day] - owned)
            if count > missing:
                raise Infeasible(f"{count} machines are bought on day {day}, {missing} are missing")
            owned += count
            paid += instance["price"] * count + instance["rent"] * (missing - count)
        return float(paid)

    def probe_features(self, choices, arguments):
        """How many are bought, and what the fleet would have been worth on the days before."""
        past, owned = [*arguments["past_needs"], arguments["needed"]], arguments["owned"]
        mean, middle = sum(past) / len(past), sorted(past)[len(past) // 2]
        price = arguments["buy_price"] / arguments["rent_price"]
        rows = []
        for count in choices:
            fleet = owned + count
            hindsight = price * count + sum(max(0, need - fleet) for need in past)
            twice = price * count + 2 * sum(max(0, need - fleet) for need in past)
            rows.append((count, abs(fleet - mean), abs(fleet - middle), hindsight, twice, abs(fleet - min(past[-7:]))))
        return np.array(rows)


TASK = SkiRentalFleet()
