"""Seed programs for `cflp_construct`: one complete program a cell, named after its idea."""


# %% last_customer_cheapest
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Serve the customers from the end of the list, each at the cheapest facility that still has room."""
    customer = remaining_customers[-1]
    need = customer_demands[customer]
    best_facility = None
    best_cost = float("inf")
    for facility, room in enumerate(remaining_capacities):
        cost = assignment_costs[facility][customer]
        if room >= need and cost < best_cost:
            best_cost = cost
            best_facility = facility
    return customer, best_facility


# %% highest_index_with_room
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Look at no cost at all: the first customer goes to the facility of highest index that has room."""
    customer = remaining_customers[0]
    for facility in range(len(remaining_capacities) - 1, -1, -1):
        if remaining_capacities[facility] >= customer_demands[customer]:
            return customer, facility
    return customer, None


# %% random_facility
import random


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """A random customer goes to a random facility with room, from a generator seeded with the number of
    customers left."""
    rng = random.Random(97 + len(remaining_customers))
    customer = rng.choice(remaining_customers)
    open_facilities = [f for f, room in enumerate(remaining_capacities) if room >= customer_demands[customer]]
    if not open_facilities:
        return customer, None
    return customer, rng.choice(open_facilities)


# %% dearest_facility
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The opposite of greedy: send the first customer to the most expensive facility with room."""
    customer = remaining_customers[0]
    options = [f for f in range(len(remaining_capacities)) if remaining_capacities[f] >= customer_demands[customer]]
    facility = max(options, key=lambda f: assignment_costs[f][customer], default=None)
    return customer, facility


# %% cheapest_pair
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Take the cheapest customer-facility pair of all that fit."""
    best = (None, None)
    lowest = float("inf")
    for customer in remaining_customers:
        demand = customer_demands[customer]
        for facility, row in enumerate(assignment_costs):
            if row[customer] < lowest and remaining_capacities[facility] >= demand:
                lowest = row[customer]
                best = (customer, facility)
    return best


# %% largest_demand_scarce_room
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Largest demand first; among facilities of equal lowest cost prefer the one with the least room."""
    customer = max(remaining_customers, key=lambda c: (customer_demands[c], -c))
    rooms = np.array(remaining_capacities)
    prices = np.array([row[customer] for row in assignment_costs], dtype=float)
    fits = rooms >= customer_demands[customer]
    if not fits.any():
        return customer, None
    prices[~fits] = np.inf
    order = np.lexsort((rooms, prices))
    return customer, int(order[0])


# %% regret_two
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Serve the customer that loses most if its cheapest facility with room goes to someone else (second minus
    first)."""
    chosen, target, worst_regret = None, None, -1.0
    for c in remaining_customers:
        options = sorted(
            (assignment_costs[f][c], f) for f, room in enumerate(remaining_capacities) if room >= customer_demands[c]
        )
        if not options:
            continue
        regret = options[1][0] - options[0][0] if len(options) > 1 else 1e6
        if regret > worst_regret:
            chosen, target, worst_regret = c, options[0][1], regret
    return chosen, target


# %% regret_to_depth_four
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Regret summed over the second, third and fourth cheapest facilities with room, in one sorted matrix."""
    costs = np.array(assignment_costs, dtype=float)[:, remaining_customers]
    rooms = np.array(remaining_capacities)[:, None]
    needs = np.array(customer_demands)[remaining_customers][None, :]
    costs[rooms < needs] = 1e4
    ladder = np.sort(costs, axis=0)
    depth = min(4, len(ladder))
    regret = (ladder[:depth] - ladder[0]).sum(axis=0)
    pick = int(np.argmax(regret))
    facility = int(np.argmin(costs[:, pick]))
    if costs[facility, pick] >= 1e4:
        return remaining_customers[pick], None
    return remaining_customers[pick], facility


# %% demand_weighted_regret
def two_cheapest(customer, capacities, demands, costs):
    first, second, where = float("inf"), float("inf"), None
    for f in range(len(capacities)):
        if capacities[f] < demands[customer]:
            continue
        price = costs[f][customer]
        if price < first:
            first, second, where = price, first, f
        elif price < second:
            second = price
    return first, second, where


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Large customers that care: regret plus one, times demand, decides who is served next."""
    best_score = -1.0
    answer = (remaining_customers[0], None)
    for c in remaining_customers:
        first, second, where = two_cheapest(c, remaining_capacities, customer_demands, assignment_costs)
        if where is None:
            continue
        score = customer_demands[c] * (1.0 + min(second - first, 100.0))
        if score > best_score:
            best_score = score
            answer = (c, where)
    return answer


# %% overload_price
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Facilities that more demand wants than they can hold charge a price per unit; the first customer
    minimises cost plus price."""
    costs = np.array(assignment_costs, dtype=float)
    room = np.array(remaining_capacities, dtype=float)
    demand = np.array(customer_demands, dtype=float)
    wanted = np.zeros(len(room))
    for c in remaining_customers:
        column = np.where(room >= demand[c], costs[:, c], np.inf)
        wanted[np.argmin(column)] += demand[c]
    price = np.maximum(0.0, wanted - room) / np.maximum(room, 1.0)
    customer = remaining_customers[0]
    total = costs[:, customer] + price * demand[customer]
    total[room < demand[customer]] = np.inf
    facility = int(np.argmin(total))
    return customer, facility if np.isfinite(total[facility]) else None


# %% price_adjustment_rounds
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Eight rounds of price adjustment on overloaded facilities, then the customer of greatest regret in priced
    costs."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands, dtype=float)[ids]
    room = np.array(remaining_capacities, dtype=float)
    costs = np.array(assignment_costs, dtype=float)[:, ids]
    costs[room[:, None] < need[None, :]] = 1e6
    price = np.zeros(len(room))
    for step in range(8):
        favourite = np.argmin(costs + np.outer(price, need), axis=0)
        load = np.bincount(favourite, weights=need, minlength=len(room))
        price = np.maximum(0.0, price + 0.02 / (1 + step) * (load - room))
    priced = costs + np.outer(price, need)
    ordered = np.sort(priced, axis=0)
    regret = ordered[1] - ordered[0] if len(ordered) > 1 else ordered[0]
    pick = int(np.argmax(regret))
    facility = int(np.argmin(priced[:, pick]))
    if room[facility] < need[pick]:
        return int(ids[pick]), None
    return int(ids[pick]), facility


# %% most_contested_facility
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Settle the facility whose suitors overflow it most; the suitor that loses most per unit of demand gets
    the place."""
    suitors = {}
    for c in remaining_customers:
        fitting = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        if not fitting:
            continue
        fitting.sort(key=lambda f: assignment_costs[f][c])
        loss = 99
        if len(fitting) > 1:
            loss = assignment_costs[fitting[1]][c] - assignment_costs[fitting[0]][c]
        suitors.setdefault(fitting[0], []).append((loss / customer_demands[c], c))
    if not suitors:
        return remaining_customers[0], None

    def overflow(f):
        return sum(customer_demands[c] for _, c in suitors[f]) - remaining_capacities[f]

    facility = max(suitors, key=overflow)
    return max(suitors[facility])[1], facility


# %% quiet_facilities_first
def cheapest(customer, capacities, demands, costs):
    fitting = [f for f in range(len(capacities)) if capacities[f] >= demands[customer]]
    return min(fitting, key=lambda f: costs[f][customer]) if fitting else None


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Serve first whoever wants a facility that can hold all its suitors; the quarrels wait, smallest overload
    first."""
    wish = {c: cheapest(c, remaining_capacities, customer_demands, assignment_costs) for c in remaining_customers}
    load = {}
    for c, f in wish.items():
        if f is not None:
            load[f] = load.get(f, 0) + customer_demands[c]
    content = [c for c in remaining_customers if wish[c] is not None]
    if not content:
        return remaining_customers[0], None
    customer = min(content, key=lambda c: load[wish[c]] / remaining_capacities[wish[c]])
    return customer, wish[customer]


# %% tightest_fit
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Bin packing view: the first customer goes where the least room is left over, costs break ties."""
    customer = remaining_customers[0]
    need = customer_demands[customer]
    pick, smallest = None, (float("inf"), float("inf"))
    for f, room in enumerate(remaining_capacities):
        leftover = (room - need, assignment_costs[f][customer])
        if room >= need and leftover < smallest:
            pick, smallest = f, leftover
    return customer, pick


# %% cost_plus_fullness
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Cheapest pair where a customer that fills a facility pays up to three units more."""
    pairs = [
        (assignment_costs[f][c] + 3.0 * customer_demands[c] / room, c, f)
        for f, room in enumerate(remaining_capacities)
        for c in remaining_customers
        if room >= customer_demands[c]
    ]
    if not pairs:
        return remaining_customers[0], None
    _, customer, facility = min(pairs)
    return customer, facility


# %% one_step_ahead
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Try the three cheapest facilities of the neediest customer and add what the rest would pay at best
    afterwards."""
    costs = np.array(assignment_costs, dtype=float)
    room = np.array(remaining_capacities)
    need = np.array(customer_demands)
    customer = max(remaining_customers, key=lambda c: customer_demands[c])
    others = [c for c in remaining_customers if c != customer]
    column = np.where(room >= need[customer], costs[:, customer], np.inf)
    best_total, best_facility = np.inf, None
    for f in np.argsort(column, kind="stable")[:3]:
        if not np.isfinite(column[f]):
            break
        after = room.copy()
        after[f] -= need[customer]
        reach = np.where(after[:, None] >= need[others][None, :], costs[:, others], 500.0)
        total = column[f] + reach.min(axis=0).sum()
        if total < best_total:
            best_total, best_facility = total, int(f)
    return customer, best_facility


# %% four_customers_ahead
def greedy_cost(customers, capacities, demands, costs):
    total = 0
    for c in customers:
        fitting = [f for f in range(len(capacities)) if capacities[f] >= demands[c]]
        if not fitting:
            return total + 1000
        f = min(fitting, key=lambda g: costs[g][c])
        capacities[f] -= demands[c]
        total += costs[f][c]
    return total


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """First customer, four cheapest facilities: play the next four customers greedily after each and keep the
    cheapest."""
    customer, window = remaining_customers[0], remaining_customers[1:5]
    options = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[customer]]
    options.sort(key=lambda f: assignment_costs[f][customer])
    choice, lowest = None, float("inf")
    for f in options[:4]:
        rooms = list(remaining_capacities)
        rooms[f] -= customer_demands[customer]
        value = assignment_costs[f][customer] + greedy_cost(window, rooms, customer_demands, assignment_costs)
        if value < lowest:
            choice, lowest = f, value
    return customer, choice


# %% rival_damage
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Cost plus the damage done: the regret of every rival that would no longer fit into its favourite facility."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands)[ids]
    room = np.array(remaining_capacities)
    costs = np.array(assignment_costs, dtype=float)[:, ids]
    costs[room[:, None] < need] = 1e4
    favourite = costs.argmin(axis=0)
    ranked = np.sort(costs, axis=0)
    regret = ranked[min(1, len(ranked) - 1)] - ranked[0]
    best, answer = np.inf, (int(ids[0]), None)
    for i in range(len(ids)):
        f = favourite[i]
        if costs[f, i] >= 1e4:
            continue
        rivals = (favourite == f) & (need > room[f] - need[i])
        rivals[i] = False
        score = regret[rivals].sum() - regret[i]
        if score < best:
            best, answer = score, (int(ids[i]), int(f))
    return answer


# %% cheapest_per_unit
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Pairs by cost per unit of demand, so that big customers in cheap places come first."""

    def value(pair):
        c, f = pair
        return assignment_costs[f][c] / max(1, customer_demands[c])

    pairs = []
    for c in remaining_customers:
        pairs.extend((c, f) for f, room in enumerate(remaining_capacities) if room >= customer_demands[c])
    return min(pairs, key=value) if pairs else (remaining_customers[0], None)


# %% rising_price_limit
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Accept the first facility below a price limit that rises in steps of five until something fits."""
    customer = remaining_customers[0]
    highest = max(row[customer] for row in assignment_costs)
    limit = 10
    while limit < highest + 5:
        for facility, row in enumerate(assignment_costs):
            if row[customer] <= limit and remaining_capacities[facility] >= customer_demands[customer]:
                return customer, facility
        limit += 5
    return customer, None


# %% random_among_five_cheapest
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The first customer draws one of its five cheapest facilities with room, seeded by its own number."""
    customer = remaining_customers[0]
    generator = np.random.default_rng(1000 + customer)
    fitting = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[customer]]
    if len(fitting) == 0:
        return customer, None
    fitting.sort(key=lambda f: assignment_costs[f][customer])
    shortlist = fitting[:5]
    return customer, shortlist[int(generator.integers(len(shortlist)))]


# %% noisy_costs
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The cheapest pair when every cost is seen through multiplicative noise from a seeded generator."""
    generator = np.random.default_rng(len(remaining_customers))
    costs = np.array(assignment_costs, dtype=float)[:, remaining_customers]
    costs = costs * generator.uniform(0.6, 1.4, size=costs.shape)
    needs = np.array([customer_demands[c] for c in remaining_customers])
    blocked = np.array(remaining_capacities)[:, None] < needs[None, :]
    costs[blocked] = np.inf
    facility, column = np.unravel_index(int(np.argmin(costs)), costs.shape)
    customer = remaining_customers[int(column)]
    return customer, None if blocked[facility, column] else int(facility)


# %% cheap_on_average_facility
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Fill the facility that is cheapest on average over the waiting customers, with the customer cheapest for it."""
    best_mean = float("inf")
    answer = (remaining_customers[0], None)
    for facility, room in enumerate(remaining_capacities):
        guests = [c for c in remaining_customers if customer_demands[c] <= room]
        if not guests:
            continue
        row = assignment_costs[facility]
        mean = sum(row[c] for c in guests) / len(guests)
        if mean < best_mean:
            best_mean = mean
            answer = (min(guests, key=lambda c: row[c]), facility)
    return answer


# %% stay_with_open_facilities
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """As if opening cost eight units: facilities that serve someone already are preferred unless clearly dearer."""
    used = [len(served) > 0 for served in assignments]
    lowest, choice = float("inf"), None
    customer = max(remaining_customers, key=lambda c: customer_demands[c])
    for f in range(len(remaining_capacities)):
        if remaining_capacities[f] < customer_demands[customer]:
            continue
        opening = 0 if used[f] else 8
        if assignment_costs[f][customer] + opening < lowest:
            lowest = assignment_costs[f][customer] + opening
            choice = f
    return customer, choice


# %% fewest_guests
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """One guest each: facilities that serve the fewest customers so far come first, the cheaper one among equals."""
    customer = remaining_customers[0]
    options = [f for f, room in enumerate(remaining_capacities) if room >= customer_demands[customer]]
    if not options:
        return customer, None
    return customer, min(options, key=lambda f: (len(assignments[f]), assignment_costs[f][customer]))


# %% second_cheapest
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Leave everyone's favourite free: the largest customer takes the second cheapest facility with room."""
    customer = max(remaining_customers, key=customer_demands.__getitem__)
    row = sorted((assignment_costs[f][customer], f) for f in range(len(remaining_capacities)))
    fitting = [f for _, f in row if remaining_capacities[f] >= customer_demands[customer]]
    if not fitting:
        return customer, None
    return customer, fitting[min(1, len(fitting) - 1)]


# %% mutual_rank
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Ranks instead of costs: the pair whose rank for the customer plus a quarter of its rank for the facility
    is smallest."""
    ids = np.asarray(remaining_customers)
    costs = np.asarray(assignment_costs, dtype=float)[:, ids]
    rank_for_customer = costs.argsort(axis=0, kind="stable").argsort(axis=0)
    rank_for_facility = costs.argsort(axis=1, kind="stable").argsort(axis=1)
    score = rank_for_customer + 0.25 * rank_for_facility
    fits = np.asarray(remaining_capacities)[:, None] >= np.asarray(customer_demands)[ids][None, :]
    if not fits.any():
        return int(ids[0]), None
    score[~fits] = np.inf
    flat = int(np.argmin(score))
    return int(ids[flat % len(ids)]), flat // len(ids)


# %% proposals_with_rejection
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """One round of proposals: each customer asks its favourite, each facility fills up by regret; a kept
    customer is served, largest demand first."""
    proposals = [[] for _ in remaining_capacities]
    for c in remaining_customers:
        ranked = sorted(
            (assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]
        )
        if ranked:
            regret = ranked[min(1, len(ranked) - 1)][0] - ranked[0][0]
            proposals[ranked[0][1]].append((-regret, customer_demands[c], c))
    kept = []
    for f, asking in enumerate(proposals):
        room = remaining_capacities[f]
        for _, demand, c in sorted(asking):
            if demand <= room:
                room -= demand
                kept.append((demand, -c, f))
    if not kept:
        return remaining_customers[0], None
    winner = max(kept)
    return -winner[1], winner[2]


# %% fewest_cheap_options
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Most constrained first: the customer with the fewest facilities with room within six units of its cheapest."""
    answer, fewest = (remaining_customers[0], None), float("inf")
    for c in remaining_customers:
        prices = {f: assignment_costs[f][c] for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]}
        if not prices:
            continue
        cheapest = min(prices, key=prices.get)
        near = sum(1 for p in prices.values() if p <= prices[cheapest] + 6)
        if near < fewest:
            fewest = near
            answer = (c, cheapest)
    return answer


# %% widest_spread_first
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Customers whose costs vary most go first; the facility is the one furthest below its own average price."""
    costs = np.array(assignment_costs, dtype=float)
    spread = costs.std(axis=0)
    customer = max(remaining_customers, key=lambda c: spread[c])
    bargain = costs[:, customer] - costs.mean(axis=1)
    bargain[np.array(remaining_capacities) < customer_demands[customer]] = np.inf
    facility = int(np.argmin(bargain))
    if not np.isfinite(bargain[facility]):
        return customer, None
    return customer, facility


# %% worst_off_first
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The customer whose best offer is the dearest chooses first."""
    offers = []
    for c in remaining_customers:
        prices = [
            (assignment_costs[f][c], f)
            for f in range(len(assignments))
            if remaining_capacities[f] >= customer_demands[c]
        ]
        if prices:
            price, facility = min(prices)
            offers.append((price, -c, facility))
    if not offers:
        return remaining_customers[0], None
    _, negative, facility = max(offers)
    return -negative, facility


# %% keep_best_suitors_knapsack
def best_group(room, group):
    table = [(0.0, ())] * (room + 1)
    for gain, demand, c in group:
        for space in range(room, demand - 1, -1):
            value = table[space - demand][0] + gain
            if value > table[space][0]:
                table[space] = (value, table[space - demand][1] + (c,))
    return table[room][1]


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The facility asked for the most demand keeps the suitors of highest total regret that fit (a small
    knapsack); the first of them is served."""
    groups = {}
    for c in remaining_customers:
        fitting = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        fitting.sort(key=lambda f: assignment_costs[f][c])
        if fitting:
            other = fitting[min(1, len(fitting) - 1)]
            gain = 0.5 + assignment_costs[other][c] - assignment_costs[fitting[0]][c]
            groups.setdefault(fitting[0], []).append((gain, customer_demands[c], c))
    if not groups:
        return remaining_customers[0], None
    facility = max(groups, key=lambda f: sum(item[1] for item in groups[f]) / remaining_capacities[f])
    return best_group(remaining_capacities[facility], groups[facility])[0], facility


# %% first_quartile_offer
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Settle for a moderate offer: the facility a quarter of the way up the price list of the first customer."""
    customer = remaining_customers[0]
    fitting = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[customer]]
    if not fitting:
        return customer, None
    by_price = sorted(fitting, key=lambda f: assignment_costs[f][customer])
    return customer, by_price[len(by_price) // 4]


# %% double_centred_costs
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Costs relative to the averages of customer and facility over what is still open; the most negative pair
    goes first."""
    costs = np.array(assignment_costs, dtype=float)[:, remaining_customers]
    need = np.array([customer_demands[c] for c in remaining_customers])
    fits = np.array(remaining_capacities)[:, None] >= need
    if not fits.any():
        return remaining_customers[0], None
    centred = costs - costs.mean(axis=0, keepdims=True) - costs.mean(axis=1, keepdims=True) + costs.mean()
    centred = np.where(fits, centred, np.inf)
    facility, column = divmod(int(centred.argmin()), len(remaining_customers))
    return remaining_customers[column], facility
