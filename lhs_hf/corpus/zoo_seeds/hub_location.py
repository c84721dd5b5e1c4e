"""Seed programs for `hub_location`: one complete program a cell, named after its idea."""


# %% every_place
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Make every place a hub, whatever that costs."""
    return sites[-1]


# %% one_central_hub
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """A single hub in the middle of all places."""
    return -1 if hubs else min(sites, key=lambda site: sum(distance[site]))


# %% dearest_three
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Anti-greedy: the three hubs that cost most to open."""
    if len(hubs) > 2:
        return -1
    return max(sites, key=lambda site: opening_cost[site])


# %% random_quarter
import random


def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """A random quarter of the places, from a generator seeded with the total flow."""
    rng = random.Random(int(flow.sum()) + 13 * len(hubs))
    if 4 * len(hubs) >= len(flow):
        return -1
    return rng.choice(sites)


# %% largest_flows
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Hubs where most begins or ends; a fifth of the places."""
    if len(hubs) >= len(flow) // 5:
        return -1
    return max(sites, key=lambda site: flow[site].sum() + flow[:, site].sum())


# %% flow_for_the_money
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """The largest own flow for each unit of opening cost; stop when the cost exceeds the flow times forty."""
    best, best_ratio = -1, 0.0
    for site in sites:
        own = flow[site].sum() + flow[:, site].sum()
        ratio = own / opening_cost[site]
        if ratio > best_ratio:
            best, best_ratio = site, ratio
    if hubs and best_ratio < 1 / 40:
        return -1
    return best


# %% spread_out
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """The place farthest from all hubs, until none is more than 45 away."""
    if not hubs:
        return min(sites, key=lambda site: distance[site].max())
    lonely = max(sites, key=lambda site: min(distance[site][hub] for hub in hubs))
    return lonely if min(distance[lonely][hub] for hub in hubs) > 45 else -1


# %% weighted_median_and_opening
import numpy as np


def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """A facility view: every place sends all its flow to the nearest hub; open while that saves more than it costs."""
    amount = flow.sum(axis=0) + flow.sum(axis=1)
    near = distance[:, hubs].min(axis=1) if hubs else np.full(len(flow), 200)
    saved = (amount[:, None] * np.maximum(near[:, None] - distance, 0)).sum(axis=0) - opening_cost
    best = max(sites, key=lambda site: saved[site])
    return best if saved[best] > 0 or not hubs else -1


# %% cheap_and_central
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Opening cost plus own flow-weighted distances; hubs within 30 of another do not count; three at most."""
    amount = flow.sum(axis=0) + flow.sum(axis=1)
    apart = [site for site in sites if all(distance[site][hub] >= 30 for hub in hubs)]
    if not apart or len(hubs) == 3:
        return -1 if hubs else sites[0]
    return min(apart, key=lambda site: opening_cost[site] + 0.3 * (amount * distance[site]).sum())


# %% cheapest_then_worthwhile
def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Begin with the cheapest hub; go on with the place that saves most for itself for its opening cost."""
    if not hubs:
        return min(sites, key=lambda site: opening_cost[site])
    best, best_ratio = -1, 1.0
    for site in sites:
        own = int(flow[site].sum() + flow[:, site].sum())
        partners = sum(max(0, min(distance[p][hub] for hub in hubs) - distance[p][site]) for p in sites if p != site)
        alone = min(distance[site][hub] for hub in hubs)
        ratio = (own * alone + 0.5 * own * partners) / opening_cost[site]
        if ratio > best_ratio:
            best, best_ratio = site, ratio
    return best


# %% greedy_total
import numpy as np


def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Compute all cheapest ways: the hub with the lowest total cost, until none lowers it."""

    def total(chosen):
        between = discount * distance[np.ix_(chosen, chosen)]
        reached = (distance[:, chosen, None] + between[None]).min(axis=1)
        ways = (reached[:, :, None] + distance[chosen][None]).min(axis=1)
        return (flow * ways).sum() + opening_cost[chosen].sum()

    best = min(sites, key=lambda site: total([*hubs, site]))
    if hubs and total([*hubs, best]) >= total(hubs):
        return -1
    return best


# %% saving_per_cost
import numpy as np


def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """What a hub saves on the flows over what it costs to open; only savings above the cost are taken."""

    def total(chosen):
        between = discount * distance[np.ix_(chosen, chosen)]
        reached = (distance[:, chosen, None] + between[None]).min(axis=1)
        ways = (reached[:, :, None] + distance[chosen][None]).min(axis=1)
        return (flow * ways).sum() + opening_cost[chosen].sum()

    if not hubs:
        return min(sites, key=lambda site: total([site]))
    now = total(hubs)
    ratios = [(now - total([*hubs, site]) + opening_cost[site]) / opening_cost[site] for site in sites]
    best = int(np.argmax(ratios))
    return sites[best] if ratios[best] > 1 else -1


# %% best_two_together
import numpy as np


def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Hubs help one another: find the pair with the lowest total and open the better half; a single one if that is
    lower still."""

    def total(chosen):
        between = discount * distance[np.ix_(chosen, chosen)]
        reached = (distance[:, chosen, None] + between[None]).min(axis=1)
        ways = (reached[:, :, None] + distance[chosen][None]).min(axis=1)
        return (flow * ways).sum() + opening_cost[chosen].sum()

    alone = {site: total([*hubs, site]) for site in sites}
    best = min(alone, key=alone.get)
    lowest = alone[best]
    for one in sites:
        for other in sites:
            if alone[one] < alone[other]:
                joint = total([*hubs, one, other])
                if joint < lowest:
                    best, lowest = one, joint
    if hubs and lowest >= total(hubs):
        return -1
    return best


# %% start_in_pairs
import numpy as np


def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """The first hub is half of the best pair, all later ones are greedy and must save at least a little."""

    def total(chosen):
        between = discount * distance[np.ix_(chosen, chosen)]
        reached = (distance[:, chosen, None] + between[None]).min(axis=1)
        ways = (reached[:, :, None] + distance[chosen][None]).min(axis=1)
        return (flow * ways).sum() + opening_cost[chosen].sum()

    if not hubs:
        pairs = [(total([one, other]), one) for one in sites for other in sites if one < other]
        return min(pairs)[1]
    best = min(sites, key=lambda site: total([*hubs, site]))
    return best if total([*hubs, best]) < 0.995 * total(hubs) else -1


# %% drop_from_all
import numpy as np


def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Think of all places as hubs and close the least useful one while that lowers the total; open what remains."""

    def total(chosen):
        between = discount * distance[np.ix_(chosen, chosen)]
        reached = (distance[:, chosen, None] + between[None]).min(axis=1)
        ways = (reached[:, :, None] + distance[chosen][None]).min(axis=1)
        return (flow * ways).sum() + opening_cost[chosen].sum()

    kept = [*hubs, *sites]
    while len(kept) > max(1, len(hubs)):
        value, weakest = min((total([k for k in kept if k != site]), site) for site in kept if site not in hubs)
        if value >= total(kept):
            break
        kept.remove(weakest)
    rest = [site for site in kept if site not in hubs]
    return min(rest, key=lambda site: total([*hubs, site])) if rest else -1


# %% exchange_plan
import numpy as np


def choose_hub(sites, hubs, flow, distance, opening_cost, discount):
    """Plan greedily, then add, close or exchange hubs of the plan while that helps; open its next hub."""

    def total(chosen):
        between = discount * distance[np.ix_(chosen, chosen)]
        reached = (distance[:, chosen, None] + between[None]).min(axis=1)
        ways = (reached[:, :, None] + distance[chosen][None]).min(axis=1)
        return (flow * ways).sum() + opening_cost[chosen].sum()

    plan = list(hubs) or [min(sites, key=lambda site: total([site]))]
    value = total(plan)
    fixed = set(hubs)
    while True:
        outside = [site for site in sites if site not in plan]
        trials = [[*plan, site] for site in outside]
        for old in plan:
            if old not in fixed:
                rest = [hub for hub in plan if hub != old]
                trials += [[*rest, site] for site in outside]
                if rest:
                    trials.append(rest)
        best = min(trials, key=total, default=plan)
        if not total(best) < value:
            break
        plan, value = best, total(best)
    rest = [site for site in plan if site not in fixed]
    return rest[0] if rest else -1
