"""Seed programs for `spare_parts`: one complete program a cell, named after its idea."""


# %% highest_stock
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """The wrong way round: to the warehouse that has most."""
    return net_stock + on_the_way


# %% random_warehouse
import random


def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """A random number, seeded with the state of the warehouse."""
    return random.Random(1000 * net_stock + 100 * on_the_way + 10 * shortage_cost + days_left + transit_days).random()


# %% lowest_position
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """The warehouse with the fewest parts, those on the way included."""
    return -net_stock - on_the_way


# %% dearest_shortage
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """The warehouse with the highest shortage cost, always."""
    return shortage_cost


# %% nearest_warehouse
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """The warehouse that a part reaches first; of equals the one with fewer parts."""
    return -100 * transit_days - net_stock - on_the_way


# %% demand_per_part
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """The warehouse with the largest demand for each part that it would then have."""
    return daily_demand / max(1, 1 + net_stock + on_the_way)


# %% days_of_supply
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """The warehouse whose parts last for the fewest days."""
    return -(net_stock + on_the_way) / daily_demand


# %% runs_out_before_arrival
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """What demand takes until a part arrives, less what there is."""
    return daily_demand * (transit_days + 1) - net_stock - on_the_way


# %% cost_of_the_gap
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """Shortage cost of the expected gap when a part arrives, holding cost of what is too much then."""
    gap = daily_demand * (transit_days + 1) - net_stock - on_the_way
    if gap > 0:
        return shortage_cost * gap
    return holding_cost * gap


# %% waiting_customers_first
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """Customers who wait without a part on the way, by shortage cost; then the lowest position."""
    unserved = max(0, -net_stock - on_the_way)
    return 1000 * min(unserved, 1) * shortage_cost - net_stock - on_the_way


# %% weighted_cover
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """Days of supply beyond the transit time; dear shortages make few of them look fewer."""
    ratio = shortage_cost / holding_cost
    cover = (net_stock + on_the_way) / daily_demand - transit_days
    return -cover / ratio if cover > 0 else -cover * ratio


# %% base_stock_level
import math


def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """How far the position is below mean demand plus a safety stock for the critical ratio, in deviations."""
    mean = daily_demand * (transit_days + 1)
    ratio = shortage_cost / (shortage_cost + holding_cost)
    level = mean + 2 * (2 * ratio - 1) * math.sqrt(mean)
    return (level - net_stock - on_the_way) / math.sqrt(mean)


# %% newsvendor_gain
import math


def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """Expected gain of one more part on the day it arrives, with Poisson demand until then."""
    mean, position = daily_demand * (transit_days + 1), net_stock + on_the_way
    term, enough = math.exp(-mean), 0.0
    for count in range(position + 1):
        enough += term
        term *= mean / (count + 1)
    return shortage_cost * (1 - enough) - holding_cost * enough


# %% expected_gain_until_the_end
import math


def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """Expected gain of one more part over all evenings from its arrival on, as if no other part were sent later."""
    position, gain = net_stock + on_the_way, 0.0
    for evening in range(transit_days + 1, days_left + 1):
        mean = daily_demand * evening
        enough, term = 0.0, math.exp(-mean)
        for count in range(position + 1):
            enough += term
            term *= mean / (count + 1)
        gain += shortage_cost * (1 - enough) - holding_cost * enough
    return gain


# %% gain_of_the_next_days
import math


def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """Mean gain over three evenings from the arrival on, by the normal curve; nothing if it arrives too late."""
    if transit_days >= days_left:
        return 0.0
    gain = 0.0
    for evening in range(transit_days + 1, min(transit_days + 3, days_left) + 1):
        mean = daily_demand * evening
        short = 0.5 * math.erfc((net_stock + on_the_way + 0.5 - mean) / math.sqrt(2 * mean))
        gain += (shortage_cost + holding_cost) * short - holding_cost
    return gain / (min(transit_days + 3, days_left) - transit_days)


# %% fewest_days_in_stock
def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """Days that customers wait in vain without the part, less the days that it would lie in stock."""
    wanted = (net_stock + on_the_way + 1) / daily_demand
    arrival = min(transit_days, days_left)
    if wanted <= arrival:
        return shortage_cost * (days_left - arrival)
    waits = max(0.0, days_left - wanted)
    return shortage_cost * waits - holding_cost * (min(wanted, days_left) - arrival)


# %% sampled_demand
import random


def part_priority(net_stock, on_the_way, transit_days, daily_demand, holding_cost, shortage_cost, days_left):
    """Draw demands of the days until three days after the arrival; what one more part saves in the mean."""
    rng, saved = random.Random(days_left), 0
    for _ in range(12):
        left = net_stock + on_the_way
        for day in range(min(days_left, transit_days + 4)):
            left -= sum(rng.random() < daily_demand / 4 for _ in range(4))
            if day >= transit_days:
                saved += shortage_cost if left < 0 else -holding_cost
    return saved
