"""Seed programs of `qap_construct`: one a cell, each named after its idea."""

# %% identity_order


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The first open facility gets the lowest free location."""
    facility = current_assignment.index(-1)
    location = 0
    while location in current_assignment:
        location += 1
    current_assignment[facility] = location
    return current_assignment


# %% reversed_order


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Fill facilities in order with locations counted down from the highest."""
    n = len(current_assignment)
    assignment = list(current_assignment)
    free = [k for k in range(n) if k not in assignment]
    assignment[assignment.index(-1)] = max(free)
    return assignment


# %% shifted_locations


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Spread facilities over the locations: each looks seven places further than its own number for a free one."""
    n = len(current_assignment)
    facility = current_assignment.index(-1)
    location = (7 * facility + 2) % n
    while location in current_assignment:
        location = (location + 1) % n
    current_assignment[facility] = location
    return current_assignment


# %% random_pair

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A random open facility goes to a random free location; the seed is the number of facilities placed."""
    assignment = np.array(current_assignment)
    open_facilities = np.flatnonzero(assignment < 0)
    free = np.setdiff1d(np.arange(len(assignment)), assignment)
    rng = np.random.default_rng(100 + len(free))
    assignment[rng.choice(open_facilities)] = rng.choice(free)
    return assignment.tolist()


# %% total_flow_to_center

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The busiest open facility goes to the most central free location, both measured by row sums."""
    n = len(current_assignment)
    flow = np.sum(flow_matrix, axis=1)
    distance = np.sum(distance_matrix, axis=1)
    facilities = [i for i in range(n) if current_assignment[i] == -1]
    locations = [k for k in range(n) if k not in current_assignment]
    facility = max(facilities, key=lambda i: flow[i])
    current_assignment[facility] = min(locations, key=lambda k: distance[k])
    return current_assignment


# %% busiest_to_remote

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Deliberately wrong way round: the five busiest open facilities at a time go to the most remote locations."""
    assignment = list(current_assignment)
    by_flow = [int(i) for i in np.argsort(-flow_matrix.sum(axis=1), kind="stable") if assignment[i] < 0]
    by_distance = [int(k) for k in np.argsort(-distance_matrix.sum(axis=1), kind="stable") if k not in assignment]
    for facility, location in zip(by_flow[:5], by_distance[:5]):
        assignment[facility] = location
    return assignment


# %% norm_matching

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Match by the length of rows: long flow vectors go with short distance vectors, half of the open pairs a call."""
    assignment = np.array(current_assignment)
    facilities = np.argsort(np.linalg.norm(flow_matrix, axis=1))[::-1]
    locations = np.argsort(np.linalg.norm(distance_matrix, axis=1))
    facilities = facilities[assignment[facilities] < 0]
    locations = locations[~np.isin(locations, assignment)]
    half = (len(facilities) + 1) // 2
    assignment[facilities[:half]] = locations[:half]
    return [int(k) for k in assignment]


# %% spread_matching

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Facilities with uneven flows go to locations with uneven distances, where a later choice has most to win."""
    assignment = list(current_assignment)
    unevenness = np.std(flow_matrix, axis=1)
    variety = np.std(distance_matrix, axis=1)
    open_facilities = [i for i, k in enumerate(assignment) if k < 0]
    free = sorted(set(range(len(assignment))) - set(assignment))
    facility = max(open_facilities, key=lambda i: unevenness[i])
    assignment[facility] = max(free, key=lambda k: variety[k])
    return assignment


# %% in_order_cheapest


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Facilities in their given order, each to the free location that costs least with those already placed."""
    n = len(current_assignment)
    facility = current_assignment.index(-1)
    placed = [i for i in range(n) if current_assignment[i] >= 0]
    used = set(current_assignment)
    best, best_cost = -1, float("inf")
    for location in range(n):
        if location in used:
            continue
        cost = sum(flow_matrix[facility, i] * distance_matrix[location, current_assignment[i]] for i in placed)
        if cost < best_cost:
            best, best_cost = location, cost
    current_assignment[facility] = best
    return current_assignment


# %% in_order_costliest

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """An adversary for comparison: facilities in order, each to the location that costs most so far."""
    assignment = np.asarray(current_assignment)
    facility = int(np.argmax(assignment < 0))
    placed = np.flatnonzero(assignment >= 0)
    cost = distance_matrix[:, assignment[placed]] @ flow_matrix[facility, placed]
    cost = np.where(np.isin(np.arange(len(assignment)), assignment), -1, cost)
    result = assignment.tolist()
    result[facility] = int(np.argmax(cost))
    return result


# %% attached_cheapest

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Next comes the facility with most flow to the placed ones, at the location that adds least cost."""
    a = np.array(current_assignment)
    placed = np.flatnonzero(a >= 0)
    waiting = np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[placed])
    if len(placed) == 0:
        facility = int(np.argmax(flow_matrix.sum(axis=1)))
        location = int(np.argmin(distance_matrix.sum(axis=1)))
    else:
        facility = int(waiting[np.argmax(flow_matrix[np.ix_(waiting, placed)].sum(axis=1))])
        added = distance_matrix[np.ix_(free, a[placed])] @ flow_matrix[facility, placed]
        location = int(free[np.argmin(added)])
    current_assignment[facility] = location
    return current_assignment


# %% detached_cheapest

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The opposite order: place the facility least tied to the placed ones, where it adds least cost."""
    a = np.array(current_assignment)
    done = a >= 0
    ties = flow_matrix[:, done].sum(axis=1).astype(float)
    ties[done] = np.inf
    facility = int(np.argmin(ties))
    added = (distance_matrix[:, a[done]] @ flow_matrix[facility, done]).astype(float)
    added[a[done]] = np.inf
    a[facility] = int(np.argmin(added))
    return list(map(int, a))


# %% cheapest_pair

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Among all open pairs, make the one that adds least cost; sums of rows break ties at the start."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    added = 2.0 * flow_matrix[:, done] @ distance_matrix[a[done], :]
    added += 1e-6 * np.outer(flow_matrix.sum(axis=1), distance_matrix.sum(axis=1))
    added[done, :] = np.inf
    added[:, a[done]] = np.inf
    facility, location = np.unravel_index(int(np.argmin(added)), added.shape)
    a[facility] = location
    return a.tolist()


# %% location_regret

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Regret: place the facility that would lose most if its best free location went to another."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    waiting = np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    added = flow_matrix[np.ix_(waiting, done)] @ distance_matrix[np.ix_(a[done], free)]
    if len(free) == 1 or len(done) == 0:
        row = int(np.argmax(flow_matrix[waiting].sum(axis=1)))
    else:
        two = np.partition(added, 1, axis=1)[:, :2]
        row = int(np.argmax(two[:, 1] - two[:, 0]))
    column = int(np.argmin(added[row] + 1e-6 * distance_matrix[free].sum(axis=1)))
    a[waiting[row]] = free[column]
    return a.tolist()


# %% sorted_row_bound

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Gilmore-Lawler style: bound a pair by its flows, descending, times the distances, ascending; the bounds,
    freed of row and column means, are refined by the cost with placed facilities counted once."""
    a = list(current_assignment)
    n = len(a)
    waiting = [i for i in range(n) if a[i] < 0]
    free = [k for k in range(n) if k not in a]
    placed = [i for i in range(n) if a[i] >= 0]
    # rows keep their zero diagonal: it sorts last among the flows and first among the distances
    flows = -np.sort(-flow_matrix[np.ix_(waiting, waiting)], axis=1)[:, : len(waiting) - 1]
    distances = np.sort(distance_matrix[np.ix_(free, free)], axis=1)[:, 1:]
    bound = flows @ distances.T
    bound = bound + flow_matrix[np.ix_(waiting, placed)] @ distance_matrix[np.ix_([a[i] for i in placed], free)]
    centred = bound - bound.mean(axis=0) - bound.mean(axis=1)[:, None]
    row, column = np.unravel_index(int(np.argmin(centred)), bound.shape)
    a[waiting[row]] = free[column]
    return a


# %% bound_with_placed

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Exact cost with placed facilities plus a sorted-vector bound on the open ones; the busiest facility chooses."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    waiting = np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    facility = waiting[int(np.argmax(flow_matrix[waiting].sum(axis=1)))]
    others = waiting[waiting != facility]
    flows = np.sort(flow_matrix[facility, others])[::-1]
    best, best_cost = free[0], np.inf
    for location in free:
        rest = np.sort(distance_matrix[location, free[free != location]])
        fixed = flow_matrix[facility, done] @ distance_matrix[location, a[done]]
        cost = 2.0 * fixed + flows @ rest
        if cost < best_cost:
            best, best_cost = location, cost
    a[facility] = best
    return a.tolist()


# %% bound_regret

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Regret measured on bounds: exact cost with placed ones plus sorted products for open ones, largest gap first."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    if len(free) == 1:
        a[waiting[0]] = free[0]
        return a.tolist()
    flows = np.sort(flow_matrix[np.ix_(waiting, waiting)], axis=1)[:, ::-1]
    distances = np.sort(distance_matrix[np.ix_(free, free)], axis=1)
    cost = flows[:, :-1] @ distances[:, 1:].T
    cost = cost + 2 * flow_matrix[np.ix_(waiting, done)] @ distance_matrix[np.ix_(a[done], free)]
    ordered = np.sort(cost, axis=1)
    row = int(np.argmax(ordered[:, 1] - ordered[:, 0]))
    a[waiting[row]] = free[int(np.argmin(cost[row]))]
    return a.tolist()


# %% mean_field

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Exact cost with placed facilities, mean distance for open ones; compare each pair with an average location."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    exact = 2.0 * flow_matrix[np.ix_(waiting, done)] @ distance_matrix[np.ix_(a[done], free)]
    open_flow = flow_matrix[np.ix_(waiting, waiting)].sum(axis=1)
    open_distance = distance_matrix[np.ix_(free, free)].mean(axis=1)
    cost = exact + np.outer(open_flow, open_distance)
    gain = cost.mean(axis=1, keepdims=True) - cost
    row, column = np.unravel_index(int(np.argmax(gain)), gain.shape)
    a[waiting[row]] = free[column]
    return a.tolist()


# %% double_centred_cost

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Remove row and column means from the added costs: the pair that is cheap for both sides comes first."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    cost = 1.0 * flow_matrix[np.ix_(waiting, done)] @ distance_matrix[np.ix_(a[done], free)]
    cost += np.outer(flow_matrix[waiting].mean(axis=1), distance_matrix[free].mean(axis=1))
    centred = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
    best = int(np.argmin(centred))
    a[waiting[best // len(free)]] = free[best % len(free)]
    return a.tolist()


# %% standardised_facility_cost

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """For each open facility, standardise the added costs over locations; make the most exceptional assignment."""
    n = len(current_assignment)
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    free = [k for k in range(n) if k not in current_assignment]
    best = (float("inf"), -1, -1)
    for facility in np.flatnonzero(a < 0):
        cost = distance_matrix[np.ix_(free, a[done])] @ flow_matrix[facility, done]
        cost = cost + 0.05 * distance_matrix[free].sum(axis=1)
        z = (cost - cost.mean()) / (cost.std() + 1e-9)
        best = min(best, (float(z.min()), int(facility), free[int(np.argmin(z))]))
    current_assignment[best[1]] = best[2]
    return current_assignment


# %% flow_chain

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A chain: the latest link hands over to its strongest open partner, at the free location nearest to its own."""
    n = len(current_assignment)
    free = [k for k in range(n) if k not in current_assignment]
    link = int(np.argmax(np.sum(flow_matrix, axis=1)))
    if current_assignment[link] < 0:
        current_assignment[link] = min(free, key=lambda k: distance_matrix[k].sum())
        return current_assignment
    visited = {link}
    partner = max((i for i in range(n) if i != link), key=lambda i: flow_matrix[link, i])
    while current_assignment[partner] >= 0:
        visited.add(partner)
        link = partner
        partner = max((i for i in range(n) if i not in visited), key=lambda i: flow_matrix[link, i])
    here = current_assignment[link]
    current_assignment[partner] = min(free, key=lambda k: distance_matrix[here, k])
    return current_assignment


# %% strongest_edge


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Two at a time: the strongest flow between open facilities is laid on the shortest free distance."""
    assignment = list(current_assignment)
    n = len(assignment)
    facilities = [i for i in range(n) if assignment[i] == -1]
    locations = [k for k in range(n) if k not in assignment]
    if len(facilities) == 1:
        assignment[facilities[0]] = locations[0]
        return assignment
    edges = [(flow_matrix[i, j], i, j) for i in facilities for j in facilities if i < j]
    hops = [(distance_matrix[k, m], k, m) for k in locations for m in locations if k < m]
    _, i, j = max(edges)
    _, k, m = min(hops)
    assignment[i], assignment[j] = k, m
    return assignment


# %% oriented_edge

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The strongest open flow goes to the pair of free locations that is cheapest with it and all placed facilities."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    if len(waiting) == 1:
        a[waiting[0]] = free[0]
        return a.tolist()
    flows = flow_matrix[np.ix_(waiting, waiting)]
    i, j = (int(x) for x in np.unravel_index(int(np.argmax(flows)), flows.shape))
    if i == j:
        i, j = 0, 1
    added = flow_matrix[np.ix_(waiting, done)] @ distance_matrix[np.ix_(a[done], free)]
    cost = added[i][:, None] + added[j][None, :] + flows[i, j] * distance_matrix[np.ix_(free, free)]
    cost = cost + 0.2 * np.add.outer(distance_matrix[free].sum(axis=1), distance_matrix[free].sum(axis=1))
    np.fill_diagonal(cost, cost.max() + 1)
    k, m = np.unravel_index(int(np.argmin(cost)), cost.shape)
    a[waiting[i]], a[waiting[j]] = free[k], free[m]
    return a.tolist()


# %% partner_of_latest


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """For the placed facility with most open flow, place its strongest partner at the location nearest to it."""
    n = len(current_assignment)
    placed = [i for i in range(n) if current_assignment[i] >= 0]
    waiting = [i for i in range(n) if current_assignment[i] < 0]
    free = sorted(set(range(n)).difference(current_assignment))
    if not placed:
        current_assignment[waiting[-1]] = free[-1]
        return current_assignment
    host = max(placed, key=lambda i: flow_matrix[i, waiting].sum())
    guest = max(waiting, key=lambda j: flow_matrix[host, j])
    current_assignment[guest] = min(free, key=lambda k: distance_matrix[current_assignment[host], k])
    return current_assignment


# %% periphery_first

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """From the outside in: the quietest facility picks, among the five most remote free locations, the cheapest."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    quiet = flow_matrix.sum(axis=1).astype(float)
    quiet[done] = np.inf
    facility = int(np.argmin(quiet))
    remoteness = distance_matrix.sum(axis=1).astype(float)
    remoteness[a[done]] = -np.inf
    shortlist = [k for k in np.argsort(-remoteness)[:5] if np.isfinite(remoteness[k])]
    costs = [flow_matrix[facility, done] @ distance_matrix[k, a[done]] for k in shortlist]
    a[facility] = shortlist[int(np.argmin(costs))]
    return a.tolist()


# %% both_ends

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Alternate between the ends: busiest to most central, then quietest to most remote; centrality among free ones."""
    assignment = list(current_assignment)
    waiting = [i for i, k in enumerate(assignment) if k == -1]
    free = [k for k in range(len(assignment)) if k not in assignment]
    flow = flow_matrix[np.ix_(waiting, waiting)].sum(axis=1)
    distance = distance_matrix[np.ix_(free, free)].sum(axis=1)
    if len(waiting) % 2 == 0:
        i, k = np.argmax(flow), np.argmin(distance)
    else:
        i, k = np.argmin(flow), np.argmax(distance)
    assignment[waiting[int(i)]] = free[int(k)]
    return assignment


# %% location_calls

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Locations choose: the most central free one takes the facility whose flow to placed ones suits its distances."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = [k for k in range(len(a)) if k not in current_assignment]
    location = min(free, key=lambda k: distance_matrix[k].sum())
    near = distance_matrix.mean() - distance_matrix[location, a[done]]
    appeal = flow_matrix[np.ix_(waiting, done)] @ near + 0.1 * flow_matrix[waiting].sum(axis=1)
    a[waiting[int(np.argmax(appeal))]] = location
    return a.tolist()


# %% anticorrelation

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Choose the pair whose flows and distances to the placed facilities are most opposed, by correlation."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    if len(done) < 3:
        a[waiting[0]] = free[int(np.argmin(distance_matrix[free].sum(axis=1)))]
        return a.tolist()
    f = flow_matrix[np.ix_(waiting, done)] - flow_matrix[np.ix_(waiting, done)].mean(axis=1, keepdims=True)
    d = distance_matrix[np.ix_(free, a[done])] - distance_matrix[np.ix_(free, a[done])].mean(axis=1, keepdims=True)
    lengths = np.outer(np.linalg.norm(f, axis=1), np.linalg.norm(d, axis=1))
    correlation = (f @ d.T) / (lengths + 1e-9)
    row, column = np.unravel_index(int(np.argmin(correlation)), correlation.shape)
    a[waiting[row]] = free[column]
    return a.tolist()


# %% leading_eigenvectors

import numpy as np


def leading_entries(matrix):
    """Sizes of the entries of the eigenvector with the largest eigenvalue."""
    _, vectors = np.linalg.eigh(matrix.astype(float))
    return np.abs(vectors[:, -1])


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Spectral matching: the open facility with most weight in the leading eigenvector takes the lightest location."""
    assignment = list(current_assignment)
    waiting = [i for i, k in enumerate(assignment) if k < 0]
    free = [k for k in range(len(assignment)) if k not in assignment]
    flow_weight = leading_entries(flow_matrix[np.ix_(waiting, waiting)])
    distance_weight = leading_entries(distance_matrix[np.ix_(free, free)])
    assignment[waiting[int(np.argmax(flow_weight))]] = free[int(np.argmin(distance_weight))]
    return assignment


# %% sampled_pairs

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Draw forty open pairs and make the one with the least added cost relative to its facility's placed flow."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    rng = np.random.default_rng(len(waiting))
    best, best_rate = (waiting[0], free[0]), np.inf
    for _ in range(40):
        i, k = rng.choice(waiting), rng.choice(free)
        flows = flow_matrix[i, done]
        rate = (flows @ distance_matrix[k, a[done]] + 1.0) / (flows.sum() + 1.0)
        if rate < best_rate:
            best, best_rate = (i, k), rate
    a[best[0]] = best[1]
    return a.tolist()


# %% core_then_cheapest

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The busiest fifth goes to the center by rank, the others in flow order to the cheapest location."""
    n = len(current_assignment)
    order = [int(i) for i in np.argsort(-flow_matrix.sum(axis=1), kind="stable")]
    central = [int(k) for k in np.argsort(distance_matrix.sum(axis=1), kind="stable")]
    assignment = list(current_assignment)
    if max(assignment) < 0:
        for facility, location in zip(order[: max(1, n // 5)], central):
            assignment[facility] = location
        return assignment
    placed = [i for i in order if assignment[i] >= 0]
    spots = [assignment[i] for i in placed]
    facility = next(i for i in order if assignment[i] < 0)
    free = [k for k in range(n) if k not in assignment]
    assignment[facility] = min(free, key=lambda k: float(flow_matrix[facility, placed] @ distance_matrix[k, spots]))
    return assignment


# %% two_step_lookahead

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Place the most attached facility where its cost plus the best following cost of the runner-up is least."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    ties = flow_matrix[np.ix_(waiting, done)].sum(axis=1) + 0.01 * flow_matrix[waiting].sum(axis=1)
    ranked = waiting[np.argsort(-ties, kind="stable")]
    if len(ranked) == 1:
        a[ranked[0]] = free[0]
        return a.tolist()
    first, second = ranked[0], ranked[1]
    reach = distance_matrix[np.ix_(free, a[done])]
    one = reach @ flow_matrix[first, done]
    two = reach @ flow_matrix[second, done]
    joint = one[:, None] + two[None, :] + flow_matrix[first, second] * distance_matrix[np.ix_(free, free)]
    joint = joint + 0.5 * distance_matrix[free].sum(axis=1)[:, None]
    joint[np.arange(len(free)), np.arange(len(free))] = np.inf
    a[first] = free[int(np.argmin(joint.min(axis=1)))]
    return a.tolist()


# %% one_relocation

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The busiest open facility goes where it adds least cost; then one placed facility with most to gain moves."""
    a = np.array(current_assignment)
    newcomer = int(np.argmax(np.where(a < 0, flow_matrix.sum(axis=1), -1)))
    done = np.flatnonzero(a >= 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    added = distance_matrix[np.ix_(free, a[done])] @ flow_matrix[newcomer, done]
    a[newcomer] = free[int(np.argmin(added))]
    free = free[free != a[newcomer]]
    if len(free) == 0:
        return a.tolist()
    best_gain, mover, target = 0, newcomer, a[newcomer]
    for other in done:
        rest = np.append(done[done != other], newcomer)
        now = distance_matrix[a[other], a[rest]] @ flow_matrix[other, rest]
        then = distance_matrix[np.ix_(free, a[rest])] @ flow_matrix[other, rest]
        if now - then.min() > best_gain:
            best_gain, mover, target = now - then.min(), other, free[int(np.argmin(then))]
    a[mover] = target
    return a.tolist()


# %% soft_assignment

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Turn added costs into weights, balance rows and columns a few times and make the most certain assignment."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    cost = 2.0 * flow_matrix[np.ix_(waiting, done)] @ distance_matrix[np.ix_(a[done], free)]
    open_flow = flow_matrix[np.ix_(waiting, waiting)].sum(axis=1)
    cost += np.outer(open_flow, distance_matrix[np.ix_(free, free)].mean(axis=1))
    weight = np.exp(-4.0 * (cost - cost.min()) / (cost.std() + 1e-9))
    for _ in range(8):
        weight = weight / (weight.sum(axis=1, keepdims=True) + 1e-300)
        weight = weight / (weight.sum(axis=0, keepdims=True) + 1e-300)
    row, column = np.unravel_index(int(np.argmax(weight)), weight.shape)
    a[waiting[row]] = free[column]
    return a.tolist()


# %% heaviest_flow_near_median

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Facilities by their largest single flow; locations by their median distance to the free ones."""
    assignment = list(current_assignment)
    waiting = [i for i, k in enumerate(assignment) if k < 0]
    free = [k for k in range(len(assignment)) if k not in assignment]
    facility = max(waiting, key=lambda i: (flow_matrix[i].max(), flow_matrix[i].sum()))
    location = min(free, key=lambda k: float(np.median(distance_matrix[k, free])))
    assignment[facility] = location
    return assignment


# %% shared_neighbourhood

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Keep only strong flows and short distances and match facilities by the overlap with what is already placed."""
    a = np.array(current_assignment)
    done, waiting = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    free = np.setdiff1d(np.arange(len(a)), a[done])
    strong = (flow_matrix > np.quantile(flow_matrix, 0.7)).astype(float)
    short = (distance_matrix < np.quantile(distance_matrix, 0.3)).astype(float)
    overlap = strong[np.ix_(waiting, done)] @ short[np.ix_(a[done], free)]
    overlap += 0.01 * np.outer(strong[waiting].sum(axis=1), short[free].sum(axis=1))
    best = int(np.argmax(overlap))
    a[waiting[best // len(free)]] = free[best % len(free)]
    return a.tolist()
