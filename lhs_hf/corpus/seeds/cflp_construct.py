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


# %% emptiest_facility_takes_its_cheapest
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Worst fit: the facility with the most room left invites the waiting customer that is cheapest for it."""
    host = max(range(len(remaining_capacities)), key=remaining_capacities.__getitem__)
    guests = [c for c in remaining_customers if customer_demands[c] <= remaining_capacities[host]]
    if not guests:
        return remaining_customers[0], None
    return min(guests, key=assignment_costs[host].__getitem__), host


# %% even_fill_levels
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Load balancing: the last customer goes where the fill level after serving it is lowest."""
    guest = remaining_customers[-1]
    lowest, target = 2.0, None
    for f, (served, room) in enumerate(zip(assignments, remaining_capacities)):
        load = sum(customer_demands[c] for c in served)
        if room < customer_demands[guest]:
            continue
        level = (load + customer_demands[guest]) / (load + room)
        if level < lowest:
            lowest, target = level, f
    return guest, target


# %% small_sites_packed_with_big_guests
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The smallest site that can still take anybody takes the biggest guest it can hold, whatever the price."""
    lightest = min(customer_demands[c] for c in remaining_customers)
    usable = [(room, f) for f, room in enumerate(remaining_capacities) if room >= lightest]
    if not usable:
        return remaining_customers[0], None
    room, site = min(usable)
    holdable = [c for c in remaining_customers if customer_demands[c] <= room]
    guest = max(holdable, key=lambda c: (customer_demands[c], -assignment_costs[site][c]))
    return guest, site


# %% facilities_take_turns
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Facilities pick in turn, by the count of customers served so far; each picks its cheapest guest."""
    count = len(remaining_capacities)
    turn = sum(len(served) for served in assignments)
    for offset in range(count):
        f = (turn + offset) % count
        best = None
        for c in remaining_customers:
            if customer_demands[c] <= remaining_capacities[f]:
                if best is None or assignment_costs[f][c] < assignment_costs[f][best]:
                    best = c
        if best is not None:
            return best, f
    return remaining_customers[0], None


# %% roulette_by_room_left
import random


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """A seeded roulette weighted by room over squared cost finds a facility for the largest demand."""
    wheel = random.Random(41 * len(remaining_customers) + sum(remaining_capacities))
    c = max(remaining_customers, key=lambda x: customer_demands[x])
    fitting = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
    if not fitting:
        return c, None
    weights = [remaining_capacities[f] / (1.0 + assignment_costs[f][c] ** 2) for f in fitting]
    return c, wheel.choices(fitting, weights=weights)[0]


# %% smallest_remainder_among_bargains
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Best fit restricted to bargains: of all pairs within three units of the customer's cheapest offer, the
    one with the smallest remainder."""
    best_key, answer = None, (remaining_customers[0], None)
    for c in remaining_customers:
        need = customer_demands[c]
        offers = [(assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= need]
        if not offers:
            continue
        floor = min(offers)[0]
        for price, f in offers:
            if price > floor + 3:
                continue
            key = (remaining_capacities[f] - need, price - floor, c)
            if best_key is None or key < best_key:
                best_key, answer = key, (c, f)
    return answer


# %% busiest_facility_until_full
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Keep feeding the facility that carries the largest load until nobody fits into it."""
    loads = [sum(customer_demands[c] for c in served) for served in assignments]
    by_load = sorted(range(len(loads)), key=lambda f: -loads[f])
    for f in by_load:
        fitting = [c for c in remaining_customers if customer_demands[c] <= remaining_capacities[f]]
        if fitting:
            row = assignment_costs[f]
            return min(fitting, key=lambda c: (row[c], -customer_demands[c])), f
    return remaining_customers[0], None


# %% opening_cost_shared_by_expected_guests
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """An imagined opening cost of fifteen is shared by the guests a closed facility could hold; cheapest pair."""
    typical = sum(customer_demands[c] for c in remaining_customers) / len(remaining_customers)
    share = []
    for served, room in zip(assignments, remaining_capacities):
        share.append(0.0 if served else 15.0 / max(1.0, room / typical))
    best, answer = 1e9, (remaining_customers[0], None)
    for f, row in enumerate(assignment_costs):
        for c in remaining_customers:
            if customer_demands[c] <= remaining_capacities[f] and row[c] + share[f] < best:
                best = row[c] + share[f]
                answer = (c, f)
    return answer


# %% stranded_leftover_penalty
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """A remainder too small for every other waiting customer is stranded and charged a third of its size."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands, dtype=float)[ids]
    left = np.array(remaining_capacities, dtype=float)[:, None] - need
    order = np.sort(need)
    second = order[min(1, len(order) - 1)]
    smallest_other = np.where(need == order[0], second, order[0])
    stranded = np.where((left >= 0) & (left < smallest_other), left, 0.0)
    costs = np.array(assignment_costs, dtype=float)[:, ids]
    excess = costs - np.where(left >= 0, costs, 1e5).min(axis=0)
    score = np.where(left >= 0, excess + stranded / 3.0 - 0.2 * need, np.inf)
    f, i = np.unravel_index(int(np.argmin(score)), score.shape)
    return int(ids[i]), int(f) if np.isfinite(score[f, i]) else None


# %% toll_for_popular_places
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Every facility charges a toll for the other demand that ranks it among its three cheapest, relative to
    its room."""
    demand = np.array(customer_demands, dtype=float)
    room = np.array(remaining_capacities, dtype=float)
    costs = np.where(room[:, None] >= demand, np.array(assignment_costs, dtype=float), 1e4)
    waiting = np.array(remaining_customers)
    rank = costs[:, waiting].argsort(axis=0, kind="stable").argsort(axis=0)
    interest = np.where(rank < 3, demand[waiting] / (1.0 + rank), 0.0)
    crowd = interest.sum(axis=1)
    toll = (crowd[:, None] - interest) / np.maximum(room, 1.0)[:, None]
    score = costs[:, waiting] + 2.0 * toll
    column = int(np.argmax(np.min(score, axis=0)))
    f = int(np.argmin(score[:, column]))
    c = int(waiting[column])
    return c, f if room[f] >= demand[c] else None


# %% facility_side_regret
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Regret of the facility: the site whose best guest beats its next best guest by most is settled first."""
    widest, answer = -1, (remaining_customers[0], None)
    for site, room in enumerate(remaining_capacities):
        row = assignment_costs[site]
        line = sorted((row[c], c) for c in remaining_customers if customer_demands[c] <= room)
        if not line:
            continue
        gap = line[1][0] - line[0][0] if len(line) > 1 else 45
        if gap > widest or (gap == widest and line[0][0] < row[answer[0]]):
            widest, answer = gap, (line[0][1], site)
    return answer


# %% aim_for_three_quarters_full
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Cost plus the distance of the resulting fill level from three quarters, ten units for a full turn."""
    loads = [sum(map(customer_demands.__getitem__, served)) for served in assignments]
    totals = [max(1, load + room) for load, room in zip(loads, remaining_capacities)]
    candidates = []
    for c in remaining_customers:
        need = customer_demands[c]
        for f, room in enumerate(remaining_capacities):
            if room >= need:
                level = (loads[f] + need) / totals[f]
                candidates.append((assignment_costs[f][c] + 10.0 * abs(level - 0.75), c, f))
    if not candidates:
        return remaining_customers[0], None
    return min(candidates)[1:]


# %% regret_early_cost_late
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Progress moves the weight from regret and demand at the start to plain low cost at the end."""
    done = sum(map(len, assignments))
    t = done / (done + len(remaining_customers))
    need = np.take(customer_demands, remaining_customers)
    blocked = np.array(remaining_capacities)[:, None] < need
    price = np.array(assignment_costs, dtype=float)[:, remaining_customers]
    price[blocked] = 200.0
    if len(price) == 1:
        return remaining_customers[0], 0
    low = np.partition(price, 1, axis=0)
    keen = (1.0 - t) * ((low[1] - low[0]) + 0.3 * need) - t * low[0]
    i = int(np.argmax(keen))
    f = int(np.argmin(price[:, i]))
    return remaining_customers[i], f


# %% shortest_supply_facility_picks
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The facility that could hold the smallest share of its first and second choice applicants picks the one
    with the cheapest offer per unit of lost alternative."""
    applicants = [[] for _ in remaining_capacities]
    for c in remaining_customers:
        offers = sorted(
            (assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]
        )
        for place, (price, f) in enumerate(offers[:2]):
            other = offers[1 - place][0] if len(offers) > 1 else 99
            applicants[f].append((price - other, -customer_demands[c], c))
    tightest, host = float("inf"), None
    for f, line in enumerate(applicants):
        wanted = -sum(item[1] for item in line)
        if wanted and any(item[0] <= 0 for item in line) and remaining_capacities[f] / wanted < tightest:
            tightest, host = remaining_capacities[f] / wanted, f
    if host is None:
        return remaining_customers[0], None
    return min(applicants[host])[2], host


# %% congestion_multiplies_cost
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Cost grows with the square of the fill level after the step, as travel time does on a busy road."""
    customer = min(remaining_customers, key=lambda c: (min(row[c] for row in assignment_costs), c))
    need = customer_demands[customer]
    facility, slowest = None, float("inf")
    for f, room in enumerate(remaining_capacities):
        if room < need:
            continue
        size = room + sum(customer_demands[c] for c in assignments[f])
        fill = 1.0 - (room - need) / size
        delay = assignment_costs[f][customer] * (1.0 + fill * fill)
        if delay < slowest:
            facility, slowest = f, delay
    return customer, facility


# %% keep_large_rooms_for_large_demands
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Smallest demand first, but it avoids a room that would drop below a larger waiting customer's need where
    that customer finds it cheap."""
    c = min(remaining_customers, key=lambda x: (customer_demands[x], x))
    rivals = [x for x in remaining_customers if customer_demands[x] > customer_demands[c]]
    need = customer_demands[c]
    room = np.array(remaining_capacities)
    costs = np.array(assignment_costs, dtype=float)
    score = costs[:, c].copy()
    for x in rivals:
        before = room >= customer_demands[x]
        harmed = before & (room - need < customer_demands[x])
        floor = costs[before, x].min() if before.any() else 0.0
        score[harmed] += np.maximum(0.0, 6.0 - (costs[harmed, x] - floor))
    score[room < need] = np.inf
    f = int(np.argmin(score))
    return c, f if room[f] >= need else None


# %% marginal_log_barrier
import math


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """A logarithmic barrier on room prices each step by how much it shrinks the room; the widest gap per
    unit goes first."""

    def barrier(c, f):
        left = remaining_capacities[f] - customer_demands[c]
        return assignment_costs[f][c] + 2.5 * math.log((remaining_capacities[f] + 1.0) / (left + 1.0))

    best = []
    for c in remaining_customers:
        ranked = sorted((barrier(c, f), f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c])
        if ranked:
            follow = ranked[1][0] if len(ranked) > 1 else ranked[0][0] + 60.0
            best.append(((ranked[0][0] - follow) / customer_demands[c], c, ranked[0][1]))
    if not best:
        return remaining_customers[0], None
    _, c, f = min(best)
    return c, f


# %% expected_crowd_by_logit_choice
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Waiting demand spreads over facilities by a logit choice; expected overflow against room makes the price
    and priced regret times the strain of the chosen place orders the customers."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands, dtype=float)[ids]
    room = np.array(remaining_capacities, dtype=float)
    costs = np.array(assignment_costs, dtype=float)[:, ids]
    fits = room[:, None] >= need
    costs = np.where(fits, costs, 1e3)
    pull = np.exp(-(costs - costs.min(axis=0)) / 1.5)
    pull /= pull.sum(axis=0)
    crowd = pull @ need
    price = np.maximum(0.0, crowd[:, None] - pull * need + need - room[:, None]) * 0.05
    total = costs + price
    ladder = np.sort(total, axis=0)
    gap = ladder[min(1, len(ladder) - 1)] - ladder[0]
    home = np.argmin(total, axis=0)
    strain = crowd[home] / np.maximum(room[home], 1.0)
    i = int(np.argmax(strain * (1.0 + gap)))
    f = int(home[i])
    return int(ids[i]), f if fits[f, i] else None


# %% marginal_suitor_sets_unit_price
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Each facility's unit price is the regret per unit of the first suitor that no longer fits; then cost plus
    price decides and the guests of dear places come first."""
    need = np.array(customer_demands, dtype=float)
    room = np.array(remaining_capacities, dtype=float)
    costs = np.where(room[:, None] >= need, np.array(assignment_costs, dtype=float), 1e3)
    ladder = np.sort(costs, axis=0)
    density = (ladder[min(1, len(ladder) - 1)] - ladder[0]) / np.maximum(need, 1.0)
    home = np.argmin(costs, axis=0)
    left, price = room.copy(), np.zeros(len(room))
    for c in sorted(remaining_customers, key=lambda x: -density[x]):
        if need[c] <= left[home[c]]:
            left[home[c]] -= need[c]
        else:
            price[home[c]] = max(price[home[c]], density[c])
    best, answer = -1e9, (remaining_customers[0], None)
    for c in remaining_customers:
        total = costs[:, c] + price * need[c]
        f = int(np.argmin(total))
        first, second = np.partition(total, 1)[:2] if len(total) > 1 else (total[0], total[0])
        rank = 10.0 * price[f] * need[c] + second - first - 0.5 * need[c]
        if room[f] >= need[c] and rank > best:
            best, answer = rank, (c, f)
    return answer


# %% last_place_alert
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Facilities with room for only one more typical guest sell that place to the highest bidder; otherwise the
    plain cheapest pair."""
    needs = sorted(customer_demands[c] for c in remaining_customers)
    typical = needs[len(needs) // 2]
    bids, plain = [], []
    for c in remaining_customers:
        offers = [(assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        if not offers:
            continue
        offers.sort()
        price, f = offers[0]
        plain.append((price, c, f))
        if remaining_capacities[f] < 2 * typical:
            runner_up = offers[1][0] if len(offers) > 1 else 100
            bids.append((price - runner_up, -customer_demands[c], c, f))
    if bids:
        return min(bids)[2:]
    if not plain:
        return remaining_customers[0], None
    return min(plain)[1:]


# %% slack_ranked_against_price
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The hardest demand to house takes the facility with the best sum of cost rank and half its rank by room."""

    def homes(c):
        return [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]

    guest = min(remaining_customers, key=lambda c: (len(homes(c)), -c))
    options = homes(guest)
    if not options:
        return guest, None
    by_price = sorted(options, key=lambda f: assignment_costs[f][guest])
    by_room = sorted(options, key=lambda f: -remaining_capacities[f])
    points = {f: by_price.index(f) + 0.5 * by_room.index(f) for f in options}
    return guest, min(points, key=points.get)


# %% blocked_queue_cost
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """For every pair the exact rise of the others' cheapest offers once the room shrinks; smallest excess plus
    rise, largest demand on ties."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands)[ids]
    room = np.array(remaining_capacities)
    costs = np.array(assignment_costs, dtype=float)[:, ids]
    open_costs = np.where(room[:, None] >= need, costs, 300.0)
    ladder = np.sort(open_costs, axis=0)
    regret = ladder[min(1, len(ladder) - 1)] - ladder[0]
    home = np.argmin(open_costs, axis=0)
    score = open_costs - ladder[0] - 0.001 * need
    for j in range(len(ids)):
        f = int(home[j])
        harm = room[f] - need < need[j]
        harm[j] = False
        score[f] += np.where(harm, regret[j], 0.0)
    score[open_costs >= 300.0] = 1e6
    f, i = divmod(int(np.argmin(score)), len(ids))
    return int(ids[i]), f if room[f] >= need[i] else None


# %% bound_gap_of_forbidding
def relaxed(waiting, rooms, demands, offers):
    total = 0
    for c in waiting:
        total += next((price for price, f in offers[c] if rooms[f] >= demands[c]), 400)
    return total


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Branching view: the relaxed bound when a customer gets its favourite against when it takes the runner-up;
    the largest gap is settled, the better side taken."""
    offers = {}
    for c in remaining_customers:
        fits = [(row[c], f) for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]]
        offers[c] = sorted(fits)
    ready = [c for c in remaining_customers if offers[c]]
    ready.sort(key=lambda c: offers[c][0][0] - offers[c][min(1, len(offers[c]) - 1)][0])
    best_gap, answer = -1, (remaining_customers[0], None)
    for c in ready[:8]:
        others = [x for x in remaining_customers if x != c]
        values = []
        for price, f in offers[c][:2]:
            rooms = list(remaining_capacities)
            rooms[f] -= customer_demands[c]
            values.append((price + relaxed(others, rooms, customer_demands, offers), f))
        gap = abs(values[-1][0] - values[0][0]) if len(values) > 1 else 500
        if gap > best_gap:
            best_gap, answer = gap, (c, min(values)[1])
    return answer


# %% rollout_by_static_regret
def play(order, rooms, demands, offers):
    total = 0
    for c in order:
        spot = next(((p, f) for p, f in offers[c] if rooms[f] >= demands[c]), (200, None))
        total += spot[0]
        if spot[1] is not None:
            rooms[spot[1]] -= demands[c]
    return total


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Rollouts for the largest customer: after each of its four cheapest places the others follow in order of
    regret."""
    head = max(remaining_customers, key=lambda c: (customer_demands[c], c))
    offers, regret = {}, {}
    for c in remaining_customers:
        fits = [f for f, room in enumerate(remaining_capacities) if room >= customer_demands[c]]
        offers[c] = sorted((assignment_costs[f][c], f) for f in fits)
        regret[c] = offers[c][1][0] - offers[c][0][0] if len(fits) > 1 else 100
    rest = sorted((c for c in remaining_customers if c != head), key=lambda c: -regret[c])
    outcomes = []
    for price, f in offers[head][:4]:
        rooms = list(remaining_capacities)
        rooms[f] -= customer_demands[head]
        outcomes.append((price + play(rest, rooms, customer_demands, offers), f))
    return head, min(outcomes)[1] if outcomes else None


# %% rollout_best_of_three_orders
def follow(order, rooms, demands, offers):
    total = 0
    for c in order:
        for price, f in offers[c]:
            if rooms[f] >= demands[c]:
                rooms[f] -= demands[c]
                total += price
                break
        else:
            total += 150
    return total


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The keenest customer tries three places; each is worth the best of three greedy completions by regret, by
    demand and by regret per unit."""
    offers, gap = {}, {}
    for c in remaining_customers:
        fits = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        offers[c] = sorted((assignment_costs[f][c], f) for f in fits)
        gap[c] = offers[c][1][0] - offers[c][0][0] if len(fits) > 1 else 60
    lead = max(remaining_customers, key=lambda c: gap[c] / customer_demands[c])
    rest = [c for c in remaining_customers if c != lead]
    orders = [
        sorted(rest, key=lambda c: -gap[c]),
        sorted(rest, key=lambda c: -customer_demands[c]),
        sorted(rest, key=lambda c: -gap[c] / customer_demands[c]),
    ]
    best, place = float("inf"), None
    for price, f in offers[lead][:3]:
        rooms = list(remaining_capacities)
        rooms[f] -= customer_demands[lead]
        value = price + min(follow(order, rooms[:], customer_demands, offers) for order in orders)
        if value < best:
            best, place = value, f
    return lead, place


# %% who_should_go_first_rollout
def finish(order, capacities, demands, menu):
    left, bill = list(capacities), 0
    for c in order:
        spot = [f for f in menu[c] if left[f[1]] >= demands[c]][:1]
        for price, f in spot:
            bill += price
            left[f] -= demands[c]
        bill += 0 if spot else 250
    return bill


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Up to five suitors of the most oversubscribed facility each move to the front of a queue by id; the front
    with the cheapest queue wins."""
    menu, suitors = {}, {}
    for c in remaining_customers:
        rooms = enumerate(remaining_capacities)
        menu[c] = sorted((assignment_costs[f][c], f) for f, r in rooms if r >= customer_demands[c])[:6]
        if menu[c]:
            suitors.setdefault(menu[c][0][1], []).append(c)
    if not suitors:
        return remaining_customers[0], None
    busy = max(suitors, key=lambda f: sum(customer_demands[c] for c in suitors[f]) - remaining_capacities[f])
    trials = {}
    for c in suitors[busy][:5]:
        queue = [c] + [x for x in remaining_customers if x != c]
        trials[c] = finish(queue, remaining_capacities, customer_demands, menu)
    return min(trials, key=trials.get), busy


# %% cheapest_expulsion_subset
import itertools


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """For every overbooked facility enumerate which suitors to send away at least loss; the costliest quarrel is
    settled by seating its dearest kept suitor."""
    claims = {}
    for c in remaining_customers:
        fits = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        fits.sort(key=lambda f: assignment_costs[f][c])
        if fits:
            first, other = fits[0], fits[min(1, len(fits) - 1)]
            claims.setdefault(first, []).append((assignment_costs[other][c] - assignment_costs[first][c], c))
    heaviest, answer = -1.0, (remaining_customers[0], None)
    for f, line in claims.items():
        line = sorted(line, reverse=True)[:7]
        least, kept = float("inf"), line[:1]
        for size in range(1, len(line) + 1):
            for group in itertools.combinations(line, size):
                if sum(customer_demands[c] for _, c in group) <= remaining_capacities[f]:
                    loss = sum(g for g, _ in line) - sum(g for g, _ in group)
                    if loss < least:
                        least, kept = loss, list(group)
        if least + 0.01 * len(line) > heaviest:
            heaviest, answer = least + 0.01 * len(line), (kept[0][1], f)
    return answer


# %% sampled_queues_average
import random


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The guest whose favourite has least room tries three places, judged by the mean bill of six
    shuffled queues of the others."""
    dice = random.Random(7 + 13 * len(remaining_customers))
    prices = {}
    for c in remaining_customers:
        spots = [
            (row[c], f) for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]
        ]
        prices[c] = sorted(spots)[:8]
    if not any(prices.values()):
        return remaining_customers[0], None
    big = min((remaining_capacities[prices[c][0][1]], -c) for c in remaining_customers if prices[c])[1] * -1
    others = [c for c in remaining_customers if c != big]
    queues = []
    for _ in range(6):
        dice.shuffle(others)
        queues.append(others[:])

    def bill(place):
        total = 0
        for queue in queues:
            rooms = list(remaining_capacities)
            rooms[place] -= customer_demands[big]
            for c in queue:
                ok = [spot for spot in prices[c] if rooms[spot[1]] >= customer_demands[c]]
                total += ok[0][0] if ok else 100
                if ok:
                    rooms[ok[0][1]] -= customer_demands[c]
        return total / len(queues)

    choices = prices[big][:3]
    return big, min(choices, key=lambda spot: spot[0] + bill(spot[1]))[1]


# %% small_beam_over_the_keenest
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """A beam of six over the five most contested customers, three places each; the first move of the best
    branch is played."""
    lists = {}
    for c in remaining_customers:
        fits = [(row[c], f) for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]]
        lists[c] = sorted(fits)[:4]
    demand_at = {}
    for c in remaining_customers:
        for _, f in lists[c][:1]:
            demand_at[f] = demand_at.get(f, 0) + customer_demands[c]

    def contest(c):
        if not lists[c]:
            return -1.0
        f = lists[c][0][1]
        return demand_at[f] / remaining_capacities[f] + (0.02 * (lists[c][-1][0] - lists[c][0][0]))

    front = sorted(remaining_customers, key=contest, reverse=True)[:5]
    beam = [(0, list(remaining_capacities), None)]
    for c in front:
        grown = []
        for total, rooms, start in beam:
            for price, f in lists[c]:
                if rooms[f] >= customer_demands[c]:
                    after = rooms[:]
                    after[f] -= customer_demands[c]
                    grown.append((total + price, after, f if start is None else start))
        if grown:
            beam = sorted(grown, key=lambda state: state[0])[:6]
    return front[0], beam[0][2]


# %% pair_trade_for_the_same_room
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Two customers that want the same room and do not fit together are compared: the dearer one to send away
    is seated, the quarrel with most at stake first; calm guests wait."""
    wish, loss = {}, {}
    for c in remaining_customers:
        need = customer_demands[c]
        fits = sorted((assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= need)
        if fits:
            wish[c] = fits[0][1]
            loss[c] = fits[1][0] - fits[0][0] if len(fits) > 1 else 99
    stake, winner = -1, None
    guests = list(wish)
    for i, a in enumerate(guests):
        for b in guests[i + 1 :]:
            clash = wish[a] == wish[b] and customer_demands[a] + customer_demands[b] > remaining_capacities[wish[a]]
            if clash and min(loss[a], loss[b]) > stake:
                stake = min(loss[a], loss[b])
                winner = a if loss[a] >= loss[b] else b
    if winner is None and guests:
        winner = max(guests, key=lambda c: (customer_demands[c] / remaining_capacities[wish[c]], loss[c]))
    if winner is None:
        return remaining_customers[0], None
    return winner, wish[winner]


# %% bottleneck_release_by_smooth_price
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Prices rise by the smallest amount that sends one suitor away from each overbooked room, for a few rounds;
    the smallest demand of the tightest room follows them."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands, dtype=float)[ids]
    room = np.array(remaining_capacities, dtype=float)
    priced = np.where(room[:, None] >= need, np.array(assignment_costs, dtype=float)[:, ids], 1e4)
    home = priced.argmin(axis=0)
    load = np.bincount(home, weights=need, minlength=len(room))
    for _ in range(12 if len(room) > 1 else 0):
        f = int(np.argmax(load - room))
        if load[f] <= room[f]:
            break
        mine = np.flatnonzero(home == f)
        two = np.partition(priced[:, mine], 1, axis=0)
        priced[f] += need * (np.min((two[1] - two[0]) / need[mine]) + 0.01)
        home = priced.argmin(axis=0)
        load = np.bincount(home, weights=need, minlength=len(room))
    tight = load[home] / np.maximum(room[home], 1.0)
    i = int(np.lexsort((need, -tight))[0])
    target = int(home[i])
    return int(ids[i]), target if room[target] >= need[i] else None


# %% veto_by_loss_of_future_service
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """A facility's worth is the total saving it could still bring; cost plus the share of worth a step eats,
    weighted down as the work proceeds."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands, dtype=float)[ids]
    room = np.array(remaining_capacities, dtype=float)
    fits = room[:, None] >= need
    costs = np.where(fits, np.array(assignment_costs, dtype=float)[:, ids], 500.0)
    runner = np.sort(costs, axis=0)[min(1, len(costs) - 1)]
    saving = np.maximum(0.0, runner - costs)
    overload = np.maximum(0.0, (saving > 0) @ need - room)
    worth = (saving.sum(axis=1)[:, None] - saving) * (overload > 0)[:, None]
    fraction = need / np.maximum(room, 1.0)[:, None]
    phase = len(ids) / (len(ids) + sum(len(group) for group in assignments))
    score = np.where(fits, costs + phase * worth * fraction, np.inf)
    best = score.min(axis=0)
    i = int(np.argmax(np.where(np.isfinite(best), need + 40.0 * (best > costs.min(axis=0)), -1.0)))
    f = int(np.argmin(score[:, i]))
    return int(ids[i]), f if fits[f, i] else None


# %% regret_after_leaving_the_crowd
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Regret is measured against the cheapest place with room beyond its own suitors, the real refuge; smallest
    unused refuge room breaks ties."""
    booked = [0] * len(remaining_capacities)
    menu = {}
    for c in remaining_customers:
        fits = [f for f in range(len(booked)) if remaining_capacities[f] >= customer_demands[c]]
        menu[c] = sorted(fits, key=lambda f: assignment_costs[f][c])
        for f in menu[c][:1]:
            booked[f] += customer_demands[c]
    top, answer = (-1, 0), (remaining_customers[0], None)
    for c in remaining_customers:
        if not menu[c]:
            continue
        home = menu[c][0]
        spare = [f for f in menu[c][1:] if remaining_capacities[f] - booked[f] >= customer_demands[c]]
        refuge = assignment_costs[spare[0]][c] if spare else 80
        slack = remaining_capacities[spare[0]] - booked[spare[0]] if spare else 0
        key = (refuge - assignment_costs[home][c], -slack)
        if key > top:
            top, answer = key, (c, home)
    return answer


# %% deviation_search_on_regret_queue
def run_queue(queue, first_choice, capacities, demands, spots):
    rooms, cost, start = list(capacities), 0, None
    for step, c in enumerate(queue):
        free = [s for s in spots[c] if rooms[s[1]] >= demands[c]]
        skip = min(1, len(free) - 1) if step == first_choice else 0
        if not free:
            cost += 200
            continue
        cost += free[skip][0]
        rooms[free[skip][1]] -= demands[c]
        start = free[skip][1] if step == 0 else start
    return cost, start


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """One allowed deviation: a queue by lost alternatives is replayed with the second choice at one of the first eight
    steps, and the start of the cheapest replay is played."""
    spots = {}
    for c in remaining_customers:
        known = [
            (row[c], f) for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]
        ]
        spots[c] = sorted(known)[:7]
    queue = sorted(
        remaining_customers, key=lambda c: (sum(p for p, _ in spots[c][:1]) - sum(p for p, _ in spots[c][1:3]), -c)
    )
    best = run_queue(queue, -1, remaining_capacities, customer_demands, spots)
    for step in range(min(8, len(queue))):
        trial = run_queue(queue, step, remaining_capacities, customer_demands, spots)
        if trial[0] < best[0]:
            best = trial
    return queue[0], best[1]


# %% last_seated_before_the_cut
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Rooms are shared among suitors in order of loss per unit; the whole guest nearest the cut of the most
    overbooked room is settled inside."""
    lines, menu = {}, {}
    for c in remaining_customers:
        able = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        menu[c] = sorted((assignment_costs[f][c], f) for f in able)
        if menu[c]:
            second = menu[c][1][0] if len(menu[c]) > 1 else 120
            lines.setdefault(menu[c][0][1], []).append(((second - menu[c][0][0]) / customer_demands[c], c))
    if not lines:
        return remaining_customers[0], None

    def pressure(f):
        return sum(customer_demands[c] for _, c in lines[f]) / remaining_capacities[f]

    host = max(lines, key=pressure)
    room = remaining_capacities[host]
    inside = None
    for _, c in sorted(lines[host], reverse=True):
        if customer_demands[c] > room:
            continue
        room -= customer_demands[c]
        inside = c
    return inside, host


# %% third_choice_gap
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Regret of order three: third minus first offer, the second minus first only breaks ties."""
    table = {}
    for c in remaining_customers:
        offers = sorted(
            (assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]
        )
        if offers:
            padded = [price for price, _ in offers] + [200, 200]
            table[c] = (padded[2] - padded[0], padded[1] - padded[0], offers[0][1])
    if not table:
        return remaining_customers[0], None
    customer = max(table, key=lambda c: table[c][:2])
    return customer, table[customer][2]


# %% geometric_regret_tail
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """All later offers count as regret, each half as much as the one before."""
    waiting = np.array(remaining_customers)
    price = np.array(assignment_costs, dtype=float)[:, waiting]
    price[np.array(remaining_capacities)[:, None] < np.array(customer_demands)[waiting]] = 150.0
    ladder = np.sort(price, axis=0) - price.min(axis=0)
    weight = 0.5 ** np.arange(len(ladder))
    weight[0] = 0.0
    winner = int((weight @ ladder).argmax())
    facility = int(price[:, winner].argmin())
    return int(waiting[winner]), facility if price[facility, winner] < 150.0 else None


# %% relative_second_offer
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Proportional regret: the customer whose second offer is the largest multiple of its first."""
    champion, seat, top = remaining_customers[0], None, 0.0
    for c in remaining_customers:
        row = [assignment_costs[f][c] if r >= customer_demands[c] else 9999 for f, r in enumerate(remaining_capacities)]
        first = min(row)
        if first >= 9999:
            continue
        where = row.index(first)
        row[where] = 9999
        multiple = (min(row) + 1.0) / (first + 1.0)
        if multiple > top:
            champion, seat, top = c, where, multiple
    return champion, seat


# %% lowest_preference_entropy
import math


def entropy_of(prices):
    low = min(prices)
    weights = [math.exp((low - p) / 4.0) for p in prices]
    total = sum(weights)
    return -sum(w / total * math.log(w / total) for w in weights if w > 1e-12)


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Customers as soft voters: the one with the most decided preferences (lowest entropy) chooses first."""
    best, decided = (remaining_customers[0], None), float("inf")
    for c in remaining_customers:
        offers = [
            (row[c], f) for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]
        ]
        if offers:
            doubt = entropy_of([p for p, _ in offers])
            if doubt < decided:
                decided, best = doubt, (c, min(offers)[1])
    return best


# %% fewest_places_that_fit
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Pure scarcity: the customer that fits into the fewest facilities, the harder one to please among
    equals."""

    def places(c):
        return [f for f in range(len(remaining_capacities)) if remaining_capacities[f] >= customer_demands[c]]

    def hardship(c):
        prices = [assignment_costs[f][c] for f in places(c)]
        return len(prices), -sum(prices) / max(1, len(prices))

    reachable = [c for c in remaining_customers if places(c)]
    if not reachable:
        return remaining_customers[0], None
    customer = min(reachable, key=hardship)
    return customer, min(places(customer), key=lambda f: (assignment_costs[f][customer], remaining_capacities[f]))


# %% median_offer_minus_best
import statistics


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The customer with the deepest bargain against the median of its open offers, once more per unit of
    demand."""
    ranking = []
    for position, c in enumerate(remaining_customers):
        menu = {f: assignment_costs[f][c] for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]}
        if menu:
            place = min(menu, key=menu.get)
            depth = statistics.median(menu.values()) - menu[place]
            ranking.append((depth * (1.0 + customer_demands[c] / 20.0), -position, place))
    if not ranking:
        return remaining_customers[0], None
    _, back, place = max(ranking)
    return remaining_customers[-back], place


# %% standard_score_bargain
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Standard scores inside each customer's own open offers: the pair furthest below its customer's mean."""
    ids = list(remaining_customers)
    best = 1e9
    answer = (ids[0], None)
    room = np.array(remaining_capacities)
    matrix = np.array(assignment_costs, dtype=float)
    for c in ids:
        open_places = np.flatnonzero(room >= customer_demands[c])
        if open_places.size == 0:
            continue
        offers = matrix[open_places, c]
        k = int(offers.argmin())
        score = (offers[k] - offers.mean()) / (offers.std() + 1.0) - (3.0 if open_places.size == 1 else 0.0)
        if score < best:
            best = score
            answer = (c, int(open_places[k]))
    return answer


# %% min_max_scaled_pair
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Every customer's prices are scaled to run from 0 to 1, then price times leftover share picks the
    pair."""
    column_ids = np.array(remaining_customers)
    prices = np.array(assignment_costs, dtype=float)[:, column_ids]
    need = np.array(customer_demands, dtype=float)[column_ids]
    room = np.array(remaining_capacities, dtype=float)[:, None]
    low, high = prices.min(axis=0), prices.max(axis=0)
    scaled = (prices - low) / np.maximum(high - low, 1.0)
    leftover = (room - need) / np.maximum(room, 1.0)
    score = np.where(room >= need, scaled + 0.05 * leftover, np.inf)
    if not np.isfinite(score).any():
        return int(column_ids[0]), None
    place, k = np.unravel_index(score.argmin(), score.shape)
    return int(column_ids[k]), int(place)


# %% borda_popularity_tax
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Customers hand 5, 4, 3, 2, 1 points to their cheapest places; points above the room make a tax that the
    hardest customer adds to its costs."""
    votes = [0.0] * len(remaining_capacities)
    menus = {}
    for c in remaining_customers:
        menu = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        menu.sort(key=lambda f: assignment_costs[f][c])
        if menu:
            menus[c] = menu
        for points, f in zip((5, 4, 3, 2, 1), menu):
            votes[f] += points * customer_demands[c] / 5.0
    if not menus:
        return remaining_customers[0], None

    def taxed(c, f):
        return assignment_costs[f][c] + 2.0 * max(0.0, votes[f] / max(1, remaining_capacities[f]) - 0.9)

    bills = {c: sorted(taxed(c, f) for f in menu) + [120.0] for c, menu in menus.items()}
    customer = max(bills, key=lambda c: bills[c][1] - bills[c][0])
    return customer, min(menus[customer], key=lambda f: taxed(customer, f))


# %% sealed_bid_round
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """One sealed-bid round: every customer bids its regret plus one per unit of demand on its favourite; the
    facility with the highest total of rejected bids is settled first."""
    bids = {}
    for c in remaining_customers:
        offers = sorted(
            (row[c], f) for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]
        )
        if not offers:
            continue
        second = offers[1][0] if len(offers) > 1 else offers[0][0] + 90
        bids.setdefault(offers[0][1], []).append(((second - offers[0][0] + 1) / customer_demands[c], c))
    if not bids:
        return remaining_customers[0], None
    rejected = {}
    for f, book in bids.items():
        book.sort(reverse=True)
        space, lost = remaining_capacities[f], 0.0
        for value, c in book:
            if customer_demands[c] <= space:
                space -= customer_demands[c]
            else:
                lost += value * customer_demands[c]
        rejected[f] = lost
    place = max(rejected, key=lambda f: (rejected[f], bids[f][0][0]))
    return bids[place][0][1], place


# %% bertsekas_price_bids
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """A few bids with rising prices: contested favourites grow dearer by the strongest bid increment, then
    the customer with most to lose at those prices moves."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands)[ids]
    room = np.array(remaining_capacities)
    base = np.where(room[:, None] >= need, np.array(assignment_costs, dtype=float)[:, ids], 400.0)
    if len(base) == 1:
        return int(ids[base[0].argmin()]), 0
    price = np.zeros(len(room))
    for _ in range(4):
        priced = base + price[:, None]
        wish = priced.argmin(axis=0)
        two = np.partition(priced, 1, axis=0)
        load = np.bincount(wish, weights=need, minlength=len(room))
        for f in np.flatnonzero(load > room):
            price[f] += 0.5 + 0.5 * np.min((two[1] - two[0])[wish == f])
    priced = base + price[:, None]
    two = np.partition(priced, 1, axis=0)
    k = int((two[1] - two[0]).argmax())
    f = int(priced[:, k].argmin())
    if base[f, k] >= 400.0:
        return int(ids[k]), None
    return int(ids[k]), f


# %% joint_pair_of_rivals
import itertools


def menu_of(c, rooms, demands, costs):
    fitting = [f for f, r in enumerate(rooms) if r >= demands[c]]
    return sorted(fitting, key=lambda f: costs[f][c])[:3]


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The two customers of greatest regret are placed together at their cheapest joint choice; the larger
    moves."""
    menus = {c: menu_of(c, remaining_capacities, customer_demands, assignment_costs) for c in remaining_customers}
    menus = {c: menu for c, menu in menus.items() if menu}
    if not menus:
        return remaining_customers[0], None

    def regret(c):
        prices = [assignment_costs[f][c] for f in menus[c]]
        return prices[1] - prices[0] if len(prices) > 1 else 100

    duo = sorted(menus, key=regret, reverse=True)[:2]
    if len(duo) == 1:
        return duo[0], menus[duo[0]][0]
    a, b = duo
    best, plan = float("inf"), (a, menus[a][0])
    for f, g in itertools.product(menus[a], menus[b]):
        crowded = f == g and customer_demands[a] + customer_demands[b] > remaining_capacities[f]
        total = assignment_costs[f][a] + assignment_costs[g][b] + (150 if crowded else 0)
        if total < best:
            best = total
            plan = (a, f) if customer_demands[a] >= customer_demands[b] else (b, g)
    return plan


# %% four_hardest_permuted
import itertools


def serve_in_turn(order, rooms, demands, costs):
    left = list(rooms)
    bill, opening = 0, None
    for c in order:
        fitting = [f for f in range(len(left)) if left[f] >= demands[c]]
        if fitting:
            f = min(fitting, key=lambda g: costs[g][c])
            left[f] -= demands[c]
            bill += costs[f][c]
            opening = f if opening is None else opening
        else:
            bill += 200
            opening = -1 if opening is None else opening
    return bill, opening


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """All orders of the four customers with most demand times cheapest price; the first of the best order
    moves."""
    pressure = {}
    for c in remaining_customers:
        open_prices = [
            row[c] for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]
        ]
        pressure[c] = customer_demands[c] * min(open_prices, default=0)
    hardest = sorted(remaining_customers, key=lambda c: -pressure[c])[:4]
    results = []
    for order in itertools.permutations(hardest):
        bill, opening = serve_in_turn(order, remaining_capacities, customer_demands, assignment_costs)
        if opening >= 0:
            results.append((bill, order[0], opening))
    if not results:
        return remaining_customers[0], None
    _, customer, place = min(results)
    return customer, place


# %% copeland_duels
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Rivals for one favourite fight pairwise duels (which order costs both less?); most wins minus losses
    goes."""
    first, loss = {}, {}
    for c in remaining_customers:
        menu = sorted(
            (assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]
        )
        if menu:
            first[c] = menu[0][1]
            loss[c] = menu[1][0] - menu[0][0] if len(menu) > 1 else 80
    if not first:
        return remaining_customers[0], None
    points = dict.fromkeys(first, 0)
    for a in first:
        for b in first:
            together = customer_demands[a] + customer_demands[b] > remaining_capacities[first[a]]
            if a < b and first[a] == first[b] and together and loss[a] != loss[b]:
                winner, loser = (a, b) if loss[a] > loss[b] else (b, a)
                points[winner] += 1
                points[loser] -= 1
    customer = max(points, key=lambda c: (points[c], customer_demands[c], loss[c]))
    return customer, first[customer]


# %% served_last_loss
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """What would I pay as the last one? All others take their favourites first; the customer whose bill rises
    most is served now."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands)[ids]
    room = np.array(remaining_capacities)
    price = np.where(room[:, None] >= need, np.array(assignment_costs, dtype=float)[:, ids], 250.0)
    favourite = price.argmin(axis=0)
    load = np.bincount(favourite, weights=need, minlength=len(room))
    now = price.min(axis=0)
    increase = np.zeros(len(ids))
    for k in range(len(ids)):
        load_without_me = load.copy()
        load_without_me[favourite[k]] -= need[k]
        survivors = price[room - load_without_me >= need[k], k]
        increase[k] = (survivors.min() if survivors.size else 250.0) - now[k]
    second = np.sort(price, axis=0)[min(1, len(price) - 1)] - now
    pick = int(np.argmax(increase + 0.01 * second))
    if now[pick] >= 250.0:
        return int(ids[pick]), None
    return int(ids[pick]), int(favourite[pick])


# %% alternate_size_and_regret
def offers_for(c, rooms, demands, costs):
    return sorted((costs[f][c], f) for f, r in enumerate(rooms) if r >= demands[c])


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Turns alternate: on even counts the largest customer moves, on odd counts the one with the largest
    regret."""
    menus = {c: offers_for(c, remaining_capacities, customer_demands, assignment_costs) for c in remaining_customers}
    able = [c for c in remaining_customers if menus[c]]
    if not able:
        return remaining_customers[0], None
    if len(remaining_customers) % 2 == 0:
        customer = max(able, key=lambda c: customer_demands[c])
    else:
        customer = max(able, key=lambda c: (menus[c] + [(99, 0)])[1][0] - menus[c][0][0])
    return customer, menus[customer][0][1]


# %% tightness_blended_priority
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Priority blends regret and demand, and demand weighs more the tighter the total room becomes."""
    waiting = np.array(remaining_customers)
    size = np.array(customer_demands, dtype=float)[waiting]
    space = np.array(remaining_capacities, dtype=float)
    usable = space[space >= size.min()].sum()
    tight = min(1.0, size.sum() / max(usable, 1.0))
    offer = np.array(assignment_costs, dtype=float)[:, waiting]
    offer[space[:, None] < size[None, :]] = 120.0
    ordered = np.sort(offer, axis=0)
    regret = ordered[min(1, len(ordered) - 1)] - ordered[0]
    priority = (1.0 - tight) * regret / (regret.max() + 1.0) + tight * size / size.max() * (1.0 + regret / 40.0)
    priority[ordered[0] >= 120.0] = -1.0
    k = int(priority.argmax())
    f = int(offer[:, k].argmin())
    return int(waiting[k]), (f if space[f] >= size[k] else None)


# %% waiting_lottery_price
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Expected price of waiting: each facility stays open with a chance set by room over demand in reach, and
    the customer whose expected later price exceeds today's most goes now."""
    ids = np.array(remaining_customers)
    need = np.array(customer_demands, dtype=float)[ids]
    room = np.array(remaining_capacities, dtype=float)
    price = np.where(room[:, None] >= need, np.array(assignment_costs, dtype=float)[:, ids], 160.0)
    reach = np.exp((price.min(axis=0) - price) / 2.0) * (price < 160.0)
    expected_load = (reach / np.maximum(reach.sum(axis=0), 1e-9)) @ need
    stays = np.minimum(0.95, room / np.maximum(2.0 * expected_load, 1e-9))
    excess = np.full(len(ids), -1.0)
    for k in range(len(ids)):
        chance, later = 1.0, 0.0
        for f in price[:, k].argsort(kind="stable")[:6]:
            later += chance * stays[f] * price[f, k]
            chance *= 1.0 - stays[f]
        excess[k] = later + chance * 100.0 - price[:, k].min()
    excess[price.min(axis=0) >= 160.0] = -1e6
    pick = int(excess.argmax())
    place = int(price[:, pick].argmin())
    return int(ids[pick]), place if room[place] >= need[pick] else None


# %% three_rank_sum
def ranks(values):
    ordered = sorted(set(values.values()))
    return {c: ordered.index(v) for c, v in values.items()}


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Rank statistics: ranks for demand, for regret and for missing places are added, regret twice."""
    menus = {}
    for c in remaining_customers:
        menu = sorted(
            (row[c], f)
            for row, r, f in zip(assignment_costs, remaining_capacities, range(999))
            if r >= customer_demands[c]
        )
        if menu:
            menus[c] = menu
    if not menus:
        return remaining_customers[0], None
    size = ranks({c: customer_demands[c] for c in menus})
    scarce = ranks({c: -len(menu) for c, menu in menus.items()})
    regret = ranks({c: menu[1][0] - menu[0][0] if len(menu) > 1 else 99 for c, menu in menus.items()})
    customer = max(menus, key=lambda c: size[c] + scarce[c] + 2 * regret[c])
    return customer, menus[customer][0][1]


# %% pareto_front_of_needs
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Keep the customers that nobody beats in both demand and regret; of that front the cheapest to serve
    moves."""
    profile = []
    for c in remaining_customers:
        best, second, place = 150, 150, -1
        for f, r in enumerate(remaining_capacities):
            if r < customer_demands[c]:
                continue
            price = assignment_costs[f][c]
            if price < best:
                best, second, place = price, best, f
            elif price < second:
                second = price
        if place >= 0:
            profile.append((customer_demands[c], second - best, best, c, place))
    if not profile:
        return remaining_customers[0], None
    front = []
    for p in profile:
        beaten = any(q[0] >= p[0] and q[1] >= p[1] and (q[0] > p[0] or q[1] > p[1]) for q in profile)
        if not beaten:
            front.append(p)
    winner = min(front, key=lambda p: (p[2], -p[1]))
    return winner[3], winner[4]


# %% median_demand_customer
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Neither large nor small: the customer of median demand takes its cheapest place, the roomier one in
    ties."""
    by_size = sorted(remaining_customers, key=lambda c: customer_demands[c])
    customer = by_size[len(by_size) // 2]
    place, mark = None, (1000, 0)
    for f in range(len(remaining_capacities)):
        entry = (assignment_costs[f][customer], -remaining_capacities[f])
        if remaining_capacities[f] >= customer_demands[customer] and entry < mark:
            place, mark = f, entry
    return customer, place


# %% least_regret_moves
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Anti-regret: whoever cares least about losing its favourite is sent there first, small demands
    ahead."""
    calm = []
    for c in remaining_customers:
        menu = sorted(
            (assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]
        )
        if len(menu) > 1:
            calm.append((menu[1][0] - menu[0][0], customer_demands[c], c, menu[0][1]))
        elif menu:
            calm.append((500, customer_demands[c], c, menu[0][1]))
    if not calm:
        return remaining_customers[0], None
    customer, place = min(calm)[2:]
    return customer, place


# %% checksum_probe
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Hash table: the smallest customer's number and demand address a facility, then linear probing for
    room."""
    customer = min(remaining_customers, key=lambda c: (customer_demands[c], c))
    count = len(remaining_capacities)
    slot = (7 * customer + 3 * customer_demands[customer]) % count
    for _ in range(count):
        if remaining_capacities[slot] >= customer_demands[customer]:
            return customer, slot
        slot = (slot + 1) % count
    return customer, None


# %% regret_roulette
import random


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """A seeded wheel: the customer is drawn with weight one plus squared regret and takes its cheapest
    place."""
    wheel = random.Random(5 * len(remaining_customers) + sum(remaining_capacities))
    names, weights, targets = [], [], []
    for c in remaining_customers:
        menu = sorted(
            (row[c], f) for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]
        )
        if menu:
            regret = menu[1][0] - menu[0][0] if len(menu) > 1 else 30
            names.append(c)
            weights.append(1.0 + regret**2)
            targets.append(menu[0][1])
    if not names:
        return remaining_customers[0], None
    k = wheel.choices(range(len(names)), weights=weights)[0]
    return names[k], targets[k]


# %% tournament_of_four
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Four customers are drawn with a seeded generator; the one whose offers rise most steeply takes its
    favourite."""
    generator = np.random.default_rng(23 + len(remaining_customers))
    drawn = generator.permutation(len(remaining_customers))[:4]
    entrants = [remaining_customers[int(k)] for k in drawn]
    steepest, result = -1.0, (entrants[0], None)
    for c in entrants:
        column = np.array([row[c] for row in assignment_costs], dtype=float)
        open_places = np.flatnonzero(np.array(remaining_capacities) >= customer_demands[c])
        if len(open_places) > 0:
            ordered = np.sort(column[open_places])
            slope = float(ordered[: len(ordered) // 2 + 1].mean() - ordered[0])
            if slope > steepest:
                steepest = slope
                result = (c, int(open_places[column[open_places].argmin()]))
    return result


# %% soft_second_price
import math


def soft_min(prices, heat):
    if not prices:
        return 130.0
    low = min(prices)
    return low - heat * math.log(sum(math.exp((low - p) / heat) for p in prices))


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Regret against the soft minimum of all other offers, times the root of demand: near substitutes calm a
    customer down."""
    worst, best = None, (remaining_customers[0], None)
    for c in remaining_customers:
        fitting = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        if fitting:
            top = min(fitting, key=lambda f: (assignment_costs[f][c], -remaining_capacities[f]))
            others = [assignment_costs[f][c] for f in fitting if f != top]
            urgency = (soft_min(others, 5.0) - assignment_costs[top][c] + 12.0) * customer_demands[c] ** 0.5
            if worst is None or urgency > worst:
                worst = urgency
                best = (c, top)
    return best


# %% regret_against_safe_places
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The second choice counts only where room is left after all favourites are met, so regret is measured
    against safe places, scaled by how crowded the favourite is."""
    waiting = np.array(remaining_customers)
    load = np.zeros(len(remaining_capacities))
    room = np.array(remaining_capacities, dtype=float)
    matrix = np.array(assignment_costs, dtype=float)
    demand = np.array(customer_demands)
    wish = {}
    for c in waiting.tolist():
        column = np.where(room >= demand[c], matrix[:, c], np.inf)
        if np.isfinite(column).any():
            wish[c] = int(column.argmin())
            load[wish[c]] += demand[c]
    if not wish:
        return remaining_customers[0], None

    def worry(c):
        safe = matrix[(room - load >= demand[c]) & (np.arange(len(room)) != wish[c]), c]
        fallback = safe.min() if safe.size else 75.0
        crowd = min(2.0, load[wish[c]] / max(room[wish[c]], 1.0))
        return (fallback - matrix[wish[c], c]) * (0.25 + crowd)

    customer = max(wish, key=worry)
    return customer, wish[customer]


# %% eviction_bill_per_pair
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Opportunity cost by pair: price above the customer's best plus the regret of the demand it crowds out,
    minus its own regret; the lowest sum moves."""
    ids = np.array(remaining_customers)
    size = np.array(customer_demands, dtype=float)[ids]
    room = np.array(remaining_capacities, dtype=float)
    price = np.where(room[:, None] >= size, np.array(assignment_costs, dtype=float)[:, ids], 180.0)
    low = price.min(axis=0)
    second = np.sort(price, axis=0)[min(1, len(price) - 1)]
    regret = np.minimum(second - low, 60.0)
    is_best = price == low
    density = np.where(is_best, regret / size, 0.0)
    demand_here = np.where(is_best, size, 0.0).sum(axis=1)
    mean_density = density.sum(axis=1) / np.maximum(1, is_best.sum(axis=1))
    squeezed = np.clip(demand_here[:, None] - is_best * size + size - room[:, None], 0.0, size)
    total = price - low + 2.0 * squeezed * mean_density[:, None] - regret
    total[price >= 180.0] = np.inf
    f, k = divmod(int(total.argmin()), len(ids))
    return int(ids[k]), f if np.isfinite(total[f, k]) else None


# %% short_rollout_of_regret
def rank_by_regret(customers, rooms, demands, costs):
    found = []
    for c in customers:
        menu = sorted((costs[f][c], f) for f in range(len(rooms)) if rooms[f] >= demands[c])
        if menu:
            gap = menu[1][0] - menu[0][0] if len(menu) > 1 else 120
            found.append(((gap + 1) * demands[c], c, menu))
    return sorted(found, key=lambda item: (-item[0], item[1]))


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Three neediest customers by regret times demand, two places each: after every trial the next five such
    moves are played and blocked demand is fined."""
    leaders = rank_by_regret(remaining_customers, remaining_capacities, customer_demands, assignment_costs)
    if not leaders:
        return remaining_customers[0], None
    circle = [c for _, c, _ in leaders[:6]]
    best, move = float("inf"), (leaders[0][1], leaders[0][2][0][1])
    for _, c, menu in leaders[:3]:
        for price, f in menu[:2]:
            rooms = list(remaining_capacities)
            rooms[f] -= customer_demands[c]
            pending = [k for k in circle if k != c]
            bill = price
            while pending:
                queue = rank_by_regret(pending, rooms, customer_demands, assignment_costs)
                if not queue:
                    break
                _, k, choices = queue[0]
                bill += choices[0][0]
                rooms[choices[0][1]] -= customer_demands[k]
                pending.remove(k)
            bill += sum(12 * customer_demands[k] for k in pending)
            if bill < best:
                best, move = bill, (c, f)
    return move


# %% threshold_with_single_option
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Raise a price limit until everyone has an option below it; customers with a single such option go
    first, dearest ahead."""
    menus = {}
    for c in remaining_customers:
        menu = sorted(
            (assignment_costs[f][c], f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]
        )
        if menu:
            menus[c] = menu
    if not menus:
        return remaining_customers[0], None
    limit = max(menu[0][0] for menu in menus.values())
    below = {c: sum(price <= limit for price, _ in menu) for c, menu in menus.items()}
    customer = sorted(menus, key=lambda c: (below[c], -menus[c][0][0], -customer_demands[c]))[0]
    return customer, menus[customer][0][1]


# %% crowded_top_three
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Hall-style stress: demand of all who share a top-three place with the customer, over the room of those
    three places; the most stressed customer moves."""
    top = {}
    for c in remaining_customers:
        fitting = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        if fitting:
            top[c] = sorted(fitting, key=lambda f: assignment_costs[f][c])[:3]
    stress, customer = -1.0, None
    for c, mine in top.items():
        sharing = sum(customer_demands[d] for d, theirs in top.items() if theirs[0] in mine)
        ratio = sharing / sum(remaining_capacities[f] for f in mine)
        ratio += 0.02 * (assignment_costs[mine[-1]][c] - assignment_costs[mine[0]][c])
        if ratio > stress:
            stress, customer = ratio, c
    if customer is None:
        return remaining_customers[0], None
    return customer, top[customer][0]


# %% swap_proof_choice
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """The customer of largest demand times price takes the place it would keep in every swap: its price there
    minus what the keenest rival would save by having it instead."""
    customer = max(
        remaining_customers, key=lambda c: (min(row[c] for row in assignment_costs) * customer_demands[c], c)
    )
    fitting = [f for f, r in enumerate(remaining_capacities) if r >= customer_demands[customer]]
    if not fitting:
        return customer, None
    floor = {}
    for c in remaining_customers:
        prices = sorted(assignment_costs[f][c] for f, r in enumerate(remaining_capacities) if r >= customer_demands[c])
        floor[c] = prices[min(1, len(prices) - 1)] if prices else 0

    def envy(f):
        left = remaining_capacities[f] - customer_demands[customer]
        shut = [
            c for c in remaining_customers if c != customer and left < customer_demands[c] <= remaining_capacities[f]
        ]
        return max((floor[c] - assignment_costs[f][c] for c in shut), default=0)

    return customer, min(
        fitting, key=lambda f: (assignment_costs[f][customer] + max(0, envy(f)), -remaining_capacities[f])
    )


# %% size_classes_by_turn
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Three size classes take turns, large, small, middle; inside a class the smallest price per regret point
    wins."""
    able = {}
    for c in remaining_customers:
        menu = sorted(
            (row[c], f) for f, row in enumerate(assignment_costs) if remaining_capacities[f] >= customer_demands[c]
        )
        if menu:
            able[c] = menu
    if not able:
        return remaining_customers[0], None
    served = sum(len(guests) for guests in assignments)
    ordered = sorted(able, key=lambda c: -customer_demands[c])
    third = max(1, len(ordered) // 3)
    classes = [ordered[:third], ordered[-third:], ordered[third:-third] or ordered]

    def price_of_regret(c):
        later = able[c][1][0] if len(able[c]) > 1 else 100
        return able[c][0][0] / (1.0 + later - able[c][0][0])

    customer = min(classes[served % 3], key=price_of_regret)
    return customer, able[customer][0][1]


# %% customer_dual_ascent
import numpy as np


def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Customer dual prices climb offer by offer until reserved demand fills a place; whoever pays the highest
    surcharge over its cheapest offer moves, then regret decides."""
    ids = np.array(remaining_customers)
    size = np.array(customer_demands, dtype=float)[ids]
    room = np.array(remaining_capacities, dtype=float)
    price = np.where(room[:, None] >= size, np.array(assignment_costs, dtype=float)[:, ids], 140.0)
    low = price.min(axis=0)
    dual = low.copy()
    for _ in range(5):
        interested = price <= dual
        share = size / np.maximum(1, interested.sum(axis=0))
        full = (interested * share).sum(axis=1) > room
        stuck = ~(interested & ~full[:, None]).any(axis=0)
        if not stuck.any():
            break
        dual = np.where(stuck, np.where(price > dual, price, 140.0).min(axis=0), dual)
    ladder = np.sort(price, axis=0)
    score = 2.0 * (dual - low) + ladder[min(1, len(ladder) - 1)] - low + 0.02 * size
    score[low >= 140.0] = -1.0
    k = int(score.argmax())
    f = int(price[:, k].argmin())
    return int(ids[k]), f if room[f] >= size[k] else None


# %% fair_share_saving
def select_next_assignment(assignments, remaining_customers, remaining_capacities, customer_demands, assignment_costs):
    """Each customer owns a share of the open room and budget by its demand; the one whose best price lies
    furthest under its share of the average price moves."""
    total_need = sum(customer_demands[c] for c in remaining_customers)
    offers = {}
    for c in remaining_customers:
        menu = [(assignment_costs[f][c], -r, f) for f, r in enumerate(remaining_capacities) if r >= customer_demands[c]]
        if menu:
            offers[c] = min(menu)
    if not offers:
        return remaining_customers[0], None
    budget = sum(price for price, _, _ in offers.values())
    customer = max(offers, key=lambda c: budget * customer_demands[c] / max(1, total_need) - offers[c][0])
    return customer, offers[customer][2]
