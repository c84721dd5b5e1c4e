"""Seed programs for `maximal_covering`: one complete program a cell, named after its idea."""


# %% first_site
def open_site(reach, demand, sites_left):
    """The closed site with the smallest number."""
    return min(reach)


# %% any_site
import random


def open_site(reach, demand, sites_left):
    """A random site, from a generator seeded with what is left to cover."""
    rng = random.Random(100 * sum(demand.values()) + sites_left)
    return rng.choice(sorted(reach))


# %% least_new_demand
def open_site(reach, demand, sites_left):
    """Anti-greedy: the smallest demand, but not none unless it must be."""
    gains = {site: sum(demand.get(customer, 0) for customer in near) for site, near in reach.items()}
    useful = [site for site in reach if gains[site] > 0]
    return min(useful or list(reach), key=gains.get)


# %% most_new_demand
def open_site(reach, demand, sites_left):
    """The classical greedy rule: the site that adds the most demand."""
    best, best_gain = None, -1
    for site in reach:
        gain = 0
        for customer in reach[site]:
            gain += demand.get(customer, 0)
        if gain > best_gain:
            best, best_gain = site, gain
    return best


# %% most_new_customers
def open_site(reach, demand, sites_left):
    """Count the uncovered customers in reach, whatever they demand."""
    return max(reach, key=lambda site: len([customer for customer in reach[site] if customer in demand]))


# %% highest_mean_demand
def open_site(reach, demand, sites_left):
    """The highest new demand for each customer in reach: nothing is to be covered twice."""
    return max(reach, key=lambda site: sum(demand.get(c, 0) for c in reach[site]) / max(1, len(reach[site])))


# %% largest_customer_first
def open_site(reach, demand, sites_left):
    """Find the largest uncovered customer that can be reached; the site that serves him and most others is opened."""
    gains = {site: sum(demand.get(c, 0) for c in near) for site, near in reach.items()}
    for customer in sorted(demand, key=demand.get, reverse=True):
        holders = [site for site in reach if customer in reach[site]]
        if holders:
            return max(holders, key=gains.get)
    return min(reach)


# %% squared_demand
def open_site(reach, demand, sites_left):
    """Large customers count more than in proportion: the sum of squared demands."""
    return max(reach, key=lambda site: sum(demand.get(customer, 0) ** 2 for customer in reach[site]))


# %% shared_demand_divided
from collections import Counter


def open_site(reach, demand, sites_left):
    """A customer's demand is split among the sites that reach him, so demand nobody else serves is worth most."""
    holders = Counter(customer for near in reach.values() for customer in near)
    return max(reach, key=lambda site: sum(demand[c] / holders[c] for c in reach[site] if c in demand))


# %% softly_shared
from collections import Counter


def open_site(reach, demand, sites_left):
    """Demand counts a little less where many sites could serve it later; the last choice is plainly greedy."""
    power = 0.25 if sites_left > 1 else 0.0
    holders = Counter(customer for near in reach.values() for customer in near)

    def value(site):
        return sum(demand[c] / holders[c] ** power for c in reach[site] if c in demand)

    return max(reach, key=value)


# %% gain_less_overlap
def open_site(reach, demand, sites_left):
    """New demand, less three for each customer in reach who is covered already."""
    best, best_value = None, float("-inf")
    for site, near in reach.items():
        new = [demand[customer] for customer in near if customer in demand]
        value = sum(new) - 3 * (len(near) - len(new))
        if value > best_value:
            best, best_value = site, value
    return best


# %% spare_the_rivals
def open_site(reach, demand, sites_left):
    """New demand minus a part of what the best remaining rivals lose by it."""
    open_near = {site: {c for c in near if c in demand} for site, near in reach.items()}
    gains = {site: sum(demand[c] for c in near) for site, near in open_near.items()}
    rivals = sorted(gains, key=gains.get, reverse=True)[: 2 * sites_left]

    def value(site):
        taken = [sum(demand[c] for c in open_near[site] & open_near[rival]) for rival in rivals if rival != site]
        return gains[site] - 0.12 * sum(taken)

    return max(reach, key=value)


# %% top_pair
def open_site(reach, demand, sites_left):
    """The pair of sites that covers the most demand together; its larger half is opened."""
    near = {site: {c for c in reach[site] if c in demand} for site in reach}
    gains = {site: sum(demand[c] for c in near[site]) for site in near}
    if sites_left == 1:
        return max(near, key=gains.get)
    best, answer = -1, None
    for one in near:
        for other in near:
            if gains[other] <= gains[one] and other != one:
                joint = gains[one] + sum(demand[c] for c in near[other] - near[one])
                if joint > best:
                    best, answer = joint, one
    return answer


# %% greedy_completion
import numpy as np


def open_site(reach, demand, sites_left):
    """Open each site in thought, go on greedily until all are placed, and take the one whose end covers most."""
    sites, customers = list(reach), list(demand)
    place = {customer: index for index, customer in enumerate(customers)}
    table = np.zeros((len(sites), len(customers)))
    for row, site in enumerate(sites):
        for customer in reach[site]:
            if customer in place:
                table[row, place[customer]] = demand[customer]
    totals = []
    for row in range(len(sites)):
        left, total = table * (table[row] == 0), table[row].sum()
        for _ in range(sites_left - 1):
            gains = left.sum(axis=1)
            top = int(gains.argmax())
            total += gains[top]
            left = left * (left[top] == 0)
        totals.append(total)
    return sites[int(np.argmax(totals))]


# %% swap_until_no_better
def open_site(reach, demand, sites_left):
    """Make a greedy plan for all sites left, exchange sites while that helps, and open the best of the plan."""
    near = {site: {c for c in reach[site] if c in demand} for site in reach}

    def covered(plan):
        return sum(demand[c] for c in set().union(*(near[site] for site in plan)))

    plan = []
    for _ in range(min(sites_left, len(near))):
        plan.append(max((site for site in near if site not in plan), key=lambda site: covered([*plan, site])))
    value, better = covered(plan), True
    while better:
        better = False
        for index in range(len(plan)):
            for site in near:
                trial = plan[:index] + [site] + plan[index + 1 :]
                if site not in plan and covered(trial) > value:
                    plan, value, better = trial, covered(trial), True
    return max(plan, key=lambda site: covered([site]))
