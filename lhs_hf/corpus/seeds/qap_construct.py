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


# %% noise_scores
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Every open pair gets a seeded normal score and the largest one is made."""
    size = len(current_assignment)
    taken = [k for k in current_assignment if k >= 0]
    scores = np.random.default_rng(31 + len(taken)).normal(size=(size, size))
    scores[:, taken] = -np.inf
    for facility, location in enumerate(current_assignment):
        if location >= 0:
            scores[facility] = -np.inf
    facility, location = divmod(int(scores.argmax()), size)
    current_assignment[facility] = location
    return current_assignment


# %% index_parity_interleave
def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Even facilities first, odd locations first, nothing else considered."""
    size = len(current_assignment)
    facility = min((i for i in range(size) if current_assignment[i] == -1), key=lambda i: (i % 2, i))
    location = min((k for k in range(size) if k not in current_assignment), key=lambda k: (-(k % 2), k))
    answer = current_assignment[:]
    answer[facility] = location
    return answer


# %% middle_of_the_lists
def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The median open facility by flow goes to the median free location by distance."""
    people = [i for i, spot in enumerate(current_assignment) if spot == -1]
    spots = [k for k in range(len(current_assignment)) if k not in current_assignment]
    people.sort(key=lambda i: (int(flow_matrix[i].sum()), i))
    spots.sort(key=lambda k: (int(distance_matrix[k].sum()), k))
    middle = len(people) // 2
    current_assignment[people[middle]] = spots[middle]
    return current_assignment


# %% row_sum_hash
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A check sum of the facility's flows addresses a location, as in a hash table with linear probing."""
    n = len(current_assignment)
    facility = list(current_assignment).index(-1)
    weights = np.arange(1, n + 1)
    address = int(flow_matrix[facility] @ weights) % n
    for step in range(n):
        location = (address + step) % n
        if location not in current_assignment:
            current_assignment[facility] = location
            break
    return current_assignment


# %% edge_on_longest_hop
def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Perversely, the open facility with the largest single flow goes to an end of the longest free hop."""
    n = len(current_assignment)
    todo = [i for i in range(n) if current_assignment[i] < 0]
    spare = [k for k in range(n) if k not in current_assignment]
    loud, far = todo[0], spare[0]
    loudest = longest = -1
    for i in todo:
        peak = max(flow_matrix[i, j] for j in range(n))
        if peak > loudest:
            loudest, loud = peak, i
    for k in spare:
        reach = max(distance_matrix[k, m] for m in range(n))
        if reach > longest:
            longest, far = reach, k
    current_assignment[loud] = far
    return current_assignment


# %% two_random_choices
import random


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A random open facility compares two random free locations and takes the cheaper one."""
    n = len(current_assignment)
    rng = random.Random(5 + current_assignment.count(-1))
    facility = rng.choice([i for i in range(n) if current_assignment[i] == -1])
    free = [k for k in range(n) if k not in current_assignment]
    pair = rng.sample(free, min(2, len(free)))

    def price(k):
        total = 0
        for other, spot in enumerate(current_assignment):
            if spot >= 0:
                total += flow_matrix[facility, other] * distance_matrix[k, spot]
        return total

    current_assignment[facility] = min(pair, key=price)
    return current_assignment


# %% even_flow_first
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The facility with the flattest flows takes the location whose median distance is smallest."""
    assignment = np.array(current_assignment)
    spread = np.ptp(flow_matrix, axis=1).astype(float)
    spread[assignment >= 0] = np.inf
    medians = np.median(distance_matrix, axis=1)
    medians[assignment[assignment >= 0]] = np.inf
    assignment[spread.argmin()] = medians.argmin()
    return assignment.tolist()


# %% locations_in_order
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Locations are served in index order, each by the facility that adds least cost
    there per unit of its flow."""
    a = np.array(current_assignment)
    here = min(set(range(len(a))) - set(current_assignment))
    placed = np.nonzero(a >= 0)[0]
    best, lowest = -1, np.inf
    for i in np.nonzero(a < 0)[0]:
        rate = flow_matrix[i, placed] @ distance_matrix[here, a[placed]] / (1.0 + flow_matrix[i].sum())
        if rate < lowest:
            best, lowest = int(i), rate
    a[best] = here
    return list(map(int, a))


# %% smallest_bottleneck
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The busiest facility avoids its single worst product of flow and distance, a bottleneck view."""
    a = np.array(current_assignment)
    settled = np.flatnonzero(a >= 0)
    vacant = [k for k in range(len(a)) if k not in current_assignment]
    chosen = max(np.flatnonzero(a < 0), key=lambda i: flow_matrix[i].sum())
    if len(settled) == 0:
        a[chosen] = min(vacant, key=lambda k: distance_matrix[k].max())
    else:
        products = flow_matrix[chosen, settled] * distance_matrix[:, a[settled]]
        a[chosen] = min(vacant, key=lambda k: (products[k].max(), products[k].sum()))
    return a.tolist()


# %% harmonic_nearness
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Nearness is one over distance; the pair with the largest gravity to placed facilities is made."""
    n = len(current_assignment)
    nearness = 1.0 / (5.0 + distance_matrix)
    pull = np.zeros((n, n))
    for i, spot in enumerate(current_assignment):
        if spot >= 0:
            pull += np.outer(flow_matrix[i], nearness[spot])
    pull += 0.2 * np.outer(flow_matrix.mean(axis=1), nearness.sum(axis=1))
    for i, spot in enumerate(current_assignment):
        if spot >= 0:
            pull[i, :] = -1.0
            pull[:, spot] = -1.0
    i, k = np.unravel_index(pull.argmax(), pull.shape)
    current_assignment[int(i)] = int(k)
    return current_assignment


# %% index_pair_jointly
import itertools


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The first two open facilities in index order share out the free locations as cheaply as possible."""
    n = len(current_assignment)
    todo = [i for i in range(n) if current_assignment[i] == -1][:2]
    free = [k for k in range(n) if k not in current_assignment]
    if len(todo) == 1:
        current_assignment[todo[0]] = free[0]
        return current_assignment
    first, second = todo
    spots = {i: k for i, k in enumerate(current_assignment) if k >= 0}
    cost = {}
    for i, k in itertools.product(todo, free):
        cost[i, k] = sum(int(flow_matrix[i, j]) * int(distance_matrix[k, m]) for j, m in spots.items())
    link = int(flow_matrix[first, second])
    best = min(
        itertools.permutations(free, 2),
        key=lambda two: cost[first, two[0]] + cost[second, two[1]] + link * int(distance_matrix[two[0], two[1]]),
    )
    current_assignment[first] = best[0]
    return current_assignment


# %% worst_flow_far_away
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Waste first: the facility with least flow to the open ones is parked where the
    free distances are longest."""
    a = np.asarray(current_assignment).copy()
    waiting = np.where(a == -1)[0]
    mask = np.ones(len(a), dtype=bool)
    mask[a[a >= 0]] = False
    free = np.where(mask)[0]
    loads = [flow_matrix[i, waiting].sum() for i in waiting]
    remoteness = [distance_matrix[k, free].sum() for k in free]
    a[waiting[int(np.argmin(loads))]] = free[int(np.argmax(remoteness))]
    return a.tolist()


# %% closest_sum_product_to_mean
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Aim at mediocrity: make the pair whose added cost is nearest to the average of all open pairs."""
    a = np.array(current_assignment)
    done, rest = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(a.size), a[done])
    table = flow_matrix[rest][:, done] @ distance_matrix[a[done]][:, vacant]
    table = table + flow_matrix[rest].mean(axis=1)[:, None] * distance_matrix[vacant].mean(axis=1)
    gap = np.abs(table - table.mean())
    r, c = divmod(int(np.argmin(gap)), vacant.size)
    a[rest[r]] = vacant[c]
    return a.tolist()


# %% mutual_favourites
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Add each pair's rank in its facility's list and in its location's list and make
    the best placed pair."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    rows = np.flatnonzero(a < 0)
    cols = np.setdiff1d(np.arange(len(a)), a[done])
    cost = flow_matrix[np.ix_(rows, done)] @ distance_matrix[np.ix_(a[done], cols)]
    cost = cost + 0.3 * np.outer(flow_matrix[rows].sum(axis=1), distance_matrix[cols].mean(axis=1))
    by_row = cost.argsort(axis=1).argsort(axis=1)
    shares = cost / (1.0 + cost.mean(axis=1, keepdims=True))
    by_col = shares.argsort(axis=0).argsort(axis=0)
    # of the two lists the facilities' relative costs settle ties
    total = by_row + by_col + 1e-3 * shares
    r, c = np.unravel_index(int(total.argmin()), total.shape)
    a[rows[r]] = cols[c]
    return a.tolist()


# %% column_regret
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Locations regret: the free location that would lose most without its best facility is filled first."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    rows = np.flatnonzero(a < 0)
    cols = np.setdiff1d(np.arange(len(a)), a[done])
    if rows.size == 1:
        a[rows[0]] = cols[0]
        return a.tolist()
    near = distance_matrix.mean() - distance_matrix[np.ix_(cols, a[done])]
    merit = near @ flow_matrix[np.ix_(done, rows)]
    merit = merit - 0.5 * np.outer(distance_matrix[cols].mean(axis=1), flow_matrix[rows].sum(axis=1))
    ranked = np.sort(merit, axis=1)
    hungry = int(np.argmax(ranked[:, -1] - ranked[:, -2]))
    a[rows[int(np.argmax(merit[hungry]))]] = cols[hungry]
    return a.tolist()


# %% vogel_penalties
import numpy as np


def penalties(cost):
    """Second best minus best of each row."""
    two = np.partition(cost, 1, axis=1)
    return two[:, 1] - two[:, 0]


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Vogel's rule: whichever facility or location has the largest penalty is served
    at its cheapest partner."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    rows = np.flatnonzero(a < 0)
    cols = np.setdiff1d(np.arange(len(a)), a[done])
    if len(rows) == 1:
        a[rows[0]] = cols[0]
        return a.tolist()
    f = flow_matrix - flow_matrix.mean()
    d = distance_matrix - distance_matrix.mean()
    cost = 2 * f[np.ix_(rows, done)] @ d[np.ix_(a[done], cols)]
    cost = cost + np.outer(f[rows].sum(axis=1), d[cols].mean(axis=1))
    down, across = penalties(cost), penalties(cost.T)
    if down.max() >= across.max():
        r = int(down.argmax())
        c = int(cost[r].argmin())
    else:
        c = int(across.argmax())
        r = int(cost[:, c].argmin())
    a[rows[r]] = cols[c]
    return a.tolist()


# %% three_deep_regret
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Regret over the three next best locations together decides which facility goes now."""
    n = len(current_assignment)
    placed = [i for i in range(n) if current_assignment[i] != -1]
    spots = [current_assignment[i] for i in placed]
    free = [k for k in range(n) if k not in spots]
    record, winner, target = -1.0, current_assignment.index(-1), free[0]
    for i in range(n):
        if i in placed:
            continue
        costs = distance_matrix[free][:, spots] @ flow_matrix[i, placed]
        costs = costs + 0.4 * flow_matrix[i].mean() * distance_matrix[free].sum(axis=1)
        order = np.argsort(costs)
        ahead = costs[order[1:4]] - costs[order[0]]
        if ahead.sum() > record:
            record, winner, target = float(ahead.sum()), i, free[int(order[0])]
    current_assignment[winner] = target
    return current_assignment


# %% strongest_ties_only
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Only a facility's five strongest flows to placed ones count when it looks for a location."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    centrality = distance_matrix[vacant].mean(axis=1)
    best = (np.inf, -1, -1)
    for i in np.flatnonzero(a < 0):
        friends = done[np.argsort(-flow_matrix[i, done])[:5]]
        bill = distance_matrix[np.ix_(vacant, a[friends])] @ flow_matrix[i, friends] + centrality
        k = int(bill.argmin())
        relative = (bill[k] - bill.mean()) * (1 + len(friends))
        if relative < best[0]:
            best = (relative, int(i), int(vacant[k]))
    a[best[1]] = best[2]
    return a.tolist()


# %% spearman_opposition
import numpy as np


def ranks(table):
    """Ranks of each row's entries, centred."""
    order = table.argsort(axis=1).argsort(axis=1).astype(float)
    return order - (table.shape[1] - 1) / 2


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Pairs are judged by the rank order of flows against the rank order of distances, values ignored."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    todo = np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    if done.size < 2:
        a[todo[np.argmax(flow_matrix[todo].std(axis=1))]] = vacant[np.argmin(distance_matrix[vacant].sum(axis=1))]
        return a.tolist()
    score = ranks(flow_matrix[np.ix_(todo, done)]) @ ranks(distance_matrix[np.ix_(vacant, a[done])]).T
    r, c = np.unravel_index(score.argmin(), score.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% shrunken_covariance
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Most negative covariance of flows and distances about the global means, shrunk
    by both vectors' lengths."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f = (flow_matrix - flow_matrix.mean())[todo]
    d = (distance_matrix - distance_matrix.mean())[vacant]
    covariance = f[:, done] @ d[:, a[done]].T
    covariance = covariance + 0.5 * np.outer(f[:, todo].sum(axis=1), d[:, vacant].mean(axis=1))
    scale = np.sqrt(np.outer((f**2).sum(axis=1), (d**2).sum(axis=1))) ** 0.6
    ratio = covariance / (scale + 1e-9)
    best = int(ratio.argmin())
    a[todo[best // vacant.size]] = vacant[best % vacant.size]
    return a.tolist()


# %% capped_flows
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Flows below their median are noise: subtract it, cut at zero and place by
    centred costs of the remainder."""
    a = np.array(current_assignment)
    excess = np.maximum(flow_matrix - np.median(flow_matrix), 0)
    placed = a >= 0
    free = np.ones(len(a), dtype=bool)
    free[a[placed]] = False
    cost = excess[:, placed] @ distance_matrix[a[placed], :]
    cost = cost + 0.5 * np.outer(excess[:, ~placed].sum(axis=1), distance_matrix[:, free].mean(axis=1))
    inner = cost[~placed][:, free]
    inner = inner - inner.mean(axis=0) - inner.mean(axis=1, keepdims=True)
    r, c = divmod(int(np.argmin(inner)), inner.shape[1])
    a[np.flatnonzero(~placed)[r]] = np.flatnonzero(free)[c]
    return a.tolist()


# %% votes_of_the_placed
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Each placed facility votes for its three nearest free locations with its flow to
    the newcomer as weight."""
    n = len(current_assignment)
    settled = {i: k for i, k in enumerate(current_assignment) if k >= 0}
    newcomers = [i for i in range(n) if i not in settled]
    vacant = [k for k in range(n) if k not in settled.values()]
    votes = {}
    for host, spot in settled.items():
        nearest = sorted(vacant, key=lambda k: distance_matrix[spot, k])[:3]
        for place, location in enumerate(nearest):
            for guest in newcomers:
                key = (guest, location)
                votes[key] = votes.get(key, 0.0) + flow_matrix[host, guest] / (1 + place)
    if not votes:
        busiest = max(newcomers, key=lambda i: np.sum(flow_matrix[i]))
        current_assignment[busiest] = min(vacant, key=lambda k: np.sum(distance_matrix[k]))
        return current_assignment
    guest, location = max(sorted(votes), key=lambda key: votes[key])
    current_assignment[guest] = location
    return current_assignment


# %% bad_location_disposal
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Fill the most harmful free location now, with the facility that is least hurt by it."""
    a = np.array(current_assignment)
    done = np.flatnonzero(a >= 0)
    todo = np.flatnonzero(a < 0)
    free = [k for k in range(a.size) if k not in current_assignment]
    harm = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], free)]
    harm += np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[np.ix_(free, free)].mean(axis=1))
    worst = harm.mean(axis=0).argmax()
    relief = harm[:, worst] - harm.mean(axis=1)
    a[todo[relief.argmin()]] = free[worst]
    return a.tolist()


# %% profile_target
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Turn a facility's flows into wished distances and take the location with the closest profile."""
    n = len(current_assignment)
    placed = [i for i in range(n) if current_assignment[i] >= 0]
    spots = [current_assignment[i] for i in placed]
    waiting = [i for i in range(n) if i not in placed]
    free = [k for k in range(n) if k not in spots]
    top = float(flow_matrix.max()) + 1.0
    wish = (1.0 - flow_matrix / top) * (distance_matrix.max() + 1.0)
    if not placed:
        i = int(np.argmax([flow_matrix[j].sum() for j in waiting]))
        current_assignment[waiting[i]] = free[int(np.argmin(distance_matrix[free].mean(axis=1)))]
        return current_assignment
    misfit = {}
    for i in waiting:
        difference = distance_matrix[free][:, spots] - wish[i, placed]
        misses = np.square(difference).sum(axis=1)
        k = int(misses.argmin())
        misfit[i, free[k]] = float(misses[k])
    i, k = min(misfit, key=misfit.get)
    current_assignment[i] = k
    return current_assignment


# %% indirect_flows
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Flows over one intermediate facility count a little, so that groups stay together."""
    n = len(current_assignment)
    centred = flow_matrix - flow_matrix.mean()
    via = centred @ centred
    extended = centred + 0.3 * via * (np.abs(centred).mean() / (np.abs(via).mean() + 1e-9))
    hops = distance_matrix - distance_matrix.mean()
    done = np.array([i for i in range(n) if current_assignment[i] >= 0], dtype=int)
    spots = np.array([k for k in current_assignment if k >= 0], dtype=int)
    cost = extended[:, done] @ hops[spots, :] + np.outer(extended.mean(axis=1), hops.sum(axis=1)) * 0.5
    cost[done, :] = np.inf
    cost[:, spots] = np.inf
    i, k = divmod(int(cost.argmin()), n)
    current_assignment[i] = k
    return current_assignment


# %% lowest_entropy_facility
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The facility whose soft choice among locations has least entropy knows best what
    it wants and goes first."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    cost = flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 0.5 * np.outer(flow_matrix[todo].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    cost = cost - cost.mean(axis=0)
    share = np.exp(-(cost - cost.min(axis=1, keepdims=True)) / (0.5 * cost.std() + 1e-9))
    share /= share.sum(axis=1, keepdims=True)
    entropy = -(share * np.log(share + 1e-12)).sum(axis=1)
    sure = int(entropy.argmin())
    a[todo[sure]] = vacant[int(share[sure].argmax())]
    return a.tolist()


# %% regret_tournament
import random


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Six facilities drawn at random hold a tournament of regret; only the winner is placed."""
    n = len(current_assignment)
    open_ones = [i for i in range(n) if current_assignment[i] < 0]
    free = [k for k in range(n) if k not in current_assignment]
    done = [i for i in range(n) if current_assignment[i] >= 0]
    spots = [current_assignment[i] for i in done]
    rng = random.Random(1000 * len(free) + n)
    entrants = rng.sample(open_ones, min(6, len(open_ones)))
    reach = distance_matrix[free]
    results = []
    for i in entrants:
        bills = reach[:, spots] @ flow_matrix[i, done] + 0.3 * flow_matrix[i].mean() * reach.sum(axis=1)
        order = bills.argsort()
        runner_up = order[min(1, len(order) - 1)]
        results.append((float(bills[runner_up] - bills[order[0]]), i, free[int(order[0])]))
    _, i, k = max(results)
    current_assignment[i] = k
    return current_assignment


# %% alternating_initiative
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Facilities and locations take turns: first the neediest facility chooses, next
    the best connected location."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f = flow_matrix[np.ix_(todo, done)]
    d = distance_matrix[np.ix_(vacant, a[done])]
    if len(done) % 2 == 0:
        mover = int(np.argmax(f.std(axis=1) if len(done) else flow_matrix[todo].sum(axis=1)))
        spot = int(np.argmin(d @ f[mover] + 10.0 * distance_matrix[vacant].sum(axis=1)))
    else:
        spot = int(np.argmax(d.std(axis=1)) if len(done) > 1 else np.argmin(d.sum(axis=1)))
        pull = (d[spot].mean() - d[spot]) @ (f - f.mean(axis=1, keepdims=True)).T
        mover = int(np.argmax(pull))
    a[todo[mover]] = vacant[spot]
    return a.tolist()


# %% hurwicz_bounds
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The future of a pair is two parts its luckiest and one part its unluckiest order
    of flows and distances."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    rising = np.sort(distance_matrix[np.ix_(vacant, vacant)], axis=1)[:, 1:]
    ascending = np.sort(flow_matrix[np.ix_(todo, todo)], axis=1)[:, 1:]
    unlucky = ascending @ rising.T
    lucky = ascending @ rising[:, ::-1].T
    future = (2.0 * lucky + unlucky) / 3.0
    total = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)] + 1.4 * future
    total -= total.mean(axis=1, keepdims=True)
    total -= total.mean(axis=0, keepdims=True)
    r, c = np.unravel_index(total.argmin(), total.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% convex_flows
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Raise flows to the power 1.4 and take roots of distances: strong ties and short
    hops matter out of proportion."""
    a = np.array(current_assignment)
    f = flow_matrix.astype(float) ** 1.4
    d = np.sqrt(distance_matrix)
    used = set(a[a >= 0].tolist())
    locations = np.array([k for k in range(len(a)) if k not in used])
    people = np.array([i for i in range(len(a)) if a[i] < 0])
    base = np.zeros((len(people), len(locations)))
    for j, m in enumerate(a):
        if m >= 0:
            base += np.outer(f[people, j] - f[:, j].mean(), d[locations, m] - d[:, m].mean())
    base += np.outer(f[people].mean(axis=1) - f.mean(), d[locations].sum(axis=1) - d.sum() / len(a))
    r, c = divmod(int(base.argmin()), len(locations))
    a[people[r]] = locations[c]
    return a.tolist()


# %% four_classes
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Sort flows and distances into four classes each and count agreements of strong with short."""
    a = np.array(current_assignment)
    marks = [0.25, 0.5, 0.75]
    strength = np.searchsorted(np.quantile(flow_matrix, marks), flow_matrix) - 1.5
    shortness = 1.5 - np.searchsorted(np.quantile(distance_matrix, marks), distance_matrix)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    agreement = strength[np.ix_(todo, done)] @ shortness[np.ix_(a[done], vacant)]
    outlook = np.outer(strength[np.ix_(todo, todo)].sum(axis=1), shortness[np.ix_(vacant, vacant)].sum(axis=1))
    agreement = agreement + 0.6 * outlook / len(todo)
    best = int(agreement.argmax())
    a[todo[best // len(vacant)]] = vacant[best % len(vacant)]
    return a.tolist()


# %% veterans_trade_places
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A centred pair is made; then the busiest placed facility trades places with one
    other if both together gain."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    table = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    open_flow = flow_matrix[np.ix_(todo, todo)].sum(axis=1)
    table = table + 1.5 * np.outer(open_flow, distance_matrix[np.ix_(vacant, vacant)].mean(axis=1))
    table = table - table.mean(axis=0) - table.mean(axis=1)[:, None]
    r, c = np.unravel_index(table.argmin(), table.shape)
    a[todo[r]] = vacant[c]
    if len(done) < 2:
        return a.tolist()
    star = done[int(np.argmax(flow_matrix[done] @ (a >= 0)))]
    best_gain, partner = 0.0, star
    for j in done[done != star]:
        rest = np.flatnonzero((a >= 0) & (np.arange(len(a)) != star) & (np.arange(len(a)) != j))
        flows = flow_matrix[star, rest] - flow_matrix[j, rest]
        gain = float(flows @ (distance_matrix[a[star], a[rest]] - distance_matrix[a[j], a[rest]]))
        if gain > best_gain:
            best_gain, partner = gain, j
    a[star], a[partner] = a[partner], a[star]
    return a.tolist()


# %% recall_the_worst
import numpy as np


def cheapest(a, flow_matrix, distance_matrix):
    """The open pair whose centred cost is lowest."""
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None]
    r, c = divmod(int(cost.argmin()), len(vacant))
    return todo[r], vacant[c]


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Place one pair; then call back the placed facility that pays most above its
    average and settle it anew."""
    a = np.array(current_assignment)
    fresh, spot = cheapest(a, flow_matrix, distance_matrix)
    a[fresh] = spot
    done = np.flatnonzero(a >= 0)
    flows = flow_matrix[np.ix_(done, done)]
    hops = distance_matrix[np.ix_(a[done], a[done])]
    paid = (flows * hops).sum(axis=1)
    expected = flows.sum(axis=1) * distance_matrix[:, a[done]].mean()
    paid = paid - expected
    paid[done == fresh] = -np.inf
    if len(done) > 2 and np.any(a < 0):
        a[done[int(paid.argmax())]] = -1
        again, spot = cheapest(a, flow_matrix, distance_matrix)
        a[again] = spot
    return a.tolist()


# %% heavy_triangle_start
import itertools

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Start from a heavy triangle of flows on a tight triangle of locations, then grow
    by attachment and centrality."""
    n = len(current_assignment)
    placed = [i for i in range(n) if current_assignment[i] >= 0]
    free = [k for k in range(n) if k not in current_assignment]
    if not placed and n > 3:
        heavy = np.argsort(-flow_matrix.sum(axis=1), kind="stable")[:9].tolist()
        tight = np.argsort(distance_matrix.sum(axis=1), kind="stable")[:9].tolist()
        trio = max(itertools.combinations(heavy, 3), key=lambda t: flow_matrix[np.ix_(t, t)].sum())
        spots = min(itertools.combinations(tight, 3), key=lambda t: distance_matrix[np.ix_(t, t)].sum())
        for i, k in zip(trio, spots):
            current_assignment[i] = k
        return current_assignment
    taken = [current_assignment[i] for i in placed]
    level = distance_matrix[np.ix_(free, taken)].mean(axis=0)
    best = None
    for i in range(n):
        if current_assignment[i] < 0:
            gain = (level - distance_matrix[np.ix_(free, taken)]) @ (flow_matrix[i, placed] - flow_matrix.mean())
            c = int(np.argmax(gain))
            if best is None or gain[c] > best[0]:
                best = (gain[c], i, free[c])
    current_assignment[best[1]] = best[2]
    return current_assignment


# %% zero_penalties
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Reduce rows and columns to zeros as in assignment problems and take the zero
    that is dearest to avoid."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    if len(todo) == 1:
        a[todo[0]] = vacant[0]
        return a.tolist()
    flows = flow_matrix[np.ix_(todo, todo)]
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 1.5 * np.outer(flows.sum(axis=1), distance_matrix[np.ix_(vacant, vacant)].mean(axis=1))
    cost = cost - cost.min(axis=1, keepdims=True)
    cost = cost - cost.min(axis=0)
    best, pick = -1.0, (0, 0)
    for r, c in zip(*np.nonzero(cost <= 1e-6)):
        penalty = np.delete(cost[r], c).min() + np.delete(cost[:, c], r).min()
        if penalty > best:
            best, pick = penalty, (r, c)
    a[todo[pick[0]]] = vacant[pick[1]]
    return a.tolist()


# %% bidding_rounds
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Open facilities bid for free locations for twelve rounds; the best sale by value
    minus price is kept."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    value = -2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    value -= np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    value -= value.mean(axis=1, keepdims=True)
    prices = value.mean(axis=0)
    step = 0.15 * value.std() + 1e-9
    for _ in range(12):
        wanted = (value - prices).argmax(axis=1)
        demand = np.bincount(wanted, minlength=len(vacant))
        prices = prices + step * np.sign(demand - 1)
        step *= 0.9
    net = value - prices
    net -= net.mean(axis=1, keepdims=True)
    r = int(net.max(axis=1).argmax())
    a[todo[r]] = vacant[int(net[r].argmax())]
    return a.tolist()


# %% cross_regret
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """For each pair compare with the best alternative in its row and in its column at once."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    if todo.size == 1:
        a[todo[0]] = vacant[0]
        return a.tolist()
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 1.5 * np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    cost = cost - cost.mean(axis=1, keepdims=True) - cost.mean(axis=0)
    low = np.sort(cost, axis=1)
    rows = np.where(cost == low[:, :1], low[:, 1:2], low[:, :1])
    high = np.sort(cost, axis=0)
    columns = np.where(cost == high[:1], high[1:2], high[:1])
    edge = rows + columns - 2.0 * cost - 0.5 * cost
    r, c = np.unravel_index(edge.argmax(), edge.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% keep_options_open
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Among the ten best centred pairs prefer one that leaves the next cost table with a large spread."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f = flow_matrix - flow_matrix.mean()
    d = distance_matrix - distance_matrix.mean()
    table = 2.0 * f[np.ix_(todo, done)] @ d[np.ix_(a[done], vacant)]
    table = table + np.outer(f[np.ix_(todo, todo)].sum(axis=1), d[np.ix_(vacant, vacant)].mean(axis=1))
    table = table - table.mean(axis=0) - table.mean(axis=1)[:, None]
    best, pick = -np.inf, 0
    for flat in np.argsort(table, axis=None)[:10]:
        r, c = divmod(int(flat), len(vacant))
        after = table + 2.0 * np.outer(f[todo, todo[r]], d[vacant, vacant[c]])
        spread = np.delete(np.delete(after, r, axis=0), c, axis=1)
        merit = 0.7 * spread.std() * np.sqrt(len(todo)) - table[r, c] if spread.size else 0.0
        if merit > best:
            best, pick = merit, int(flat)
    a[todo[pick // len(vacant)]] = vacant[pick % len(vacant)]
    return a.tolist()


# %% three_compatible_pairs_at_once
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Up to three centred pairs that do not clash are made in one call while most facilities are open."""
    n = len(current_assignment)
    answer = np.array(current_assignment)
    done, todo = np.flatnonzero(answer >= 0), np.flatnonzero(answer < 0)
    vacant = np.setdiff1d(np.arange(n), answer[done])
    table = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(answer[done], vacant)]
    table = table + 1.3 * np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    table = table - table.mean(axis=1, keepdims=True)
    table = table - table.mean(axis=0, keepdims=True)
    quota = 3 if 2 * len(todo) > n and len(done) > 0 else 1
    while quota > 0 and np.isfinite(table.min()):
        r, c = np.unravel_index(int(table.argmin()), table.shape)
        answer[todo[r]] = vacant[c]
        table[r] = np.inf
        table[:, c] = np.inf
        quota -= 1
    return [int(k) for k in answer]


# %% restricted_candidate_list
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A seeded die picks one of the pairs whose centred cost is within three per cent of the best."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    reach = distance_matrix[vacant] - distance_matrix[vacant].mean(axis=0)
    ties = flow_matrix[todo] - flow_matrix[todo].mean(axis=0)
    score = ties[:, done] @ reach[:, a[done]].T + 0.4 * np.outer(ties.sum(axis=1), reach.mean(axis=1))
    limit = score.min() + 0.03 * (score.max() - score.min())
    options = np.argwhere(score <= limit)
    rng = np.random.default_rng(7 * len(todo) + int(flow_matrix[0, -1]))
    r, c = options[rng.integers(len(options))]
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% most_selective_facility
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The facility with the longest lower tail of standardised costs goes next,
    wherever its centred cost is least."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 1.2 * np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    by_column = (cost - cost.mean(axis=0)) / (cost.std(axis=0) + 1e-9)
    by_row = (by_column - by_column.mean(axis=1, keepdims=True)) / (by_column.std(axis=1, keepdims=True) + 1e-9)
    weight = 0.5 * by_row + by_column - by_column.mean(axis=1, keepdims=True)
    order = np.sort(weight, axis=1)
    tail = order[:, 0] - 0.5 * order[:, min(2, len(vacant) - 1)]
    r = int(tail.argmin())
    a[todo[r]] = vacant[int(weight[r].argmin())]
    return a.tolist()


# %% geometric_scaling
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Divide centred costs by the root of the spreads of row and column: surprise counts, not only size."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    flows = -np.sort(-flow_matrix[np.ix_(todo, todo)], axis=1)[:, : len(todo) - 1]
    hops = np.sort(distance_matrix[np.ix_(vacant, vacant)], axis=1)[:, 1:]
    x = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)] + 1.5 * flows @ hops.T
    x = x - x.mean(axis=1, keepdims=True)
    x = x - x.mean(axis=0)
    power = np.square(x)
    scale = np.outer(power.mean(axis=1), power.mean(axis=0)) ** 0.25
    x = x / (scale + 1e-9)
    best = int(x.argmin())
    a[todo[best // vacant.size]] = vacant[best % vacant.size]
    return a.tolist()


# %% low_rank_costs
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Smooth the centred cost table by its four largest singular components before
    choosing its lowest entry."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    table = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    table = table + np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    table = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    left, sizes, right = np.linalg.svd(table, full_matrices=False)
    smooth = (left[:, :4] * sizes[:4]) @ right[:4]
    mixed = table + 0.7 * smooth
    r, c = np.unravel_index(mixed.argmin(), mixed.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% quantile_reference
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Pairs are compared with the lower quartile of their row and column, what a later
    choice may hope for."""
    n = len(current_assignment)
    fixed = {i: k for i, k in enumerate(current_assignment) if k != -1}
    people = np.array([i for i in range(n) if i not in fixed])
    spots = np.array(sorted(set(range(n)) - set(fixed.values())))
    cost = np.zeros((len(people), len(spots)))
    for j, m in fixed.items():
        cost += 2.0 * np.outer(flow_matrix[people, j], distance_matrix[spots, m])
    cost += 1.3 * np.outer(flow_matrix[np.ix_(people, people)].sum(axis=1), distance_matrix[spots].mean(axis=1))
    cost -= np.quantile(cost, 0.25, axis=0)
    cost -= np.quantile(cost, 0.25, axis=1, keepdims=True)
    r, c = divmod(int(np.argmin(cost)), len(spots))
    current_assignment[int(people[r])] = int(spots[c])
    return current_assignment


# %% best_remainder_lookahead
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Try the eight best pairs and judge each by the row and column minima of the cost
    table it leaves behind."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    m = len(todo)
    f = flow_matrix[np.ix_(todo, todo)].astype(float)
    d = distance_matrix[np.ix_(vacant, vacant)].astype(float)
    table = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    table = table + 1.5 * np.sort(f, axis=1)[:, :0:-1] @ np.sort(d, axis=1)[:, 1:].T
    table = table - table.mean(axis=0) - table.mean(axis=1)[:, None] + table.mean()
    f, d = f - f.mean(), d - d.mean()
    best, pick = np.inf, 0
    for flat in table.argsort(axis=None)[:8]:
        r, c = divmod(int(flat), m)
        value = table[r, c]
        if m > 1:
            after = np.delete(np.delete(table + 2.0 * np.outer(f[r], d[c]), r, axis=0), c, axis=1)
            value += 4.0 * (after.min(axis=0).mean() + after.min(axis=1).mean())
        if value < best:
            best, pick = value, int(flat)
    a[todo[pick // m]] = vacant[pick % m]
    return a.tolist()


# %% self_consistent_field
import numpy as np


def balanced(cost, sharpness):
    """Doubly stochastic weights that favour cheap entries."""
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1, keepdims=True) + cost.mean()
    weight = np.exp(np.clip(-sharpness * cost / (cost.std() + 1e-9), -40, 40))
    for _ in range(6):
        weight /= weight.sum(axis=1, keepdims=True)
        weight /= weight.sum(axis=0)
    return weight


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Soft positions of the open facilities give expected distances, these give new
    soft positions, four times."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    fixed = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    flows, hops = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    chance = np.full(fixed.shape, 1.0 / len(todo))
    for _ in range(4):
        chance = balanced(fixed + flows @ chance @ hops, 2.0)
    r, c = np.unravel_index(chance.argmax(), chance.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% damped_field_by_progress
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A damped soft assignment whose sharpness grows as fewer facilities remain open."""
    n = len(current_assignment)
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(n), a[done])
    progress = len(done) / n
    known = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    soft = np.ones_like(known, dtype=float) / len(vacant)
    for sharpness in (1.0 + progress, 1.0 + 2.0 * progress, 1.0 + 2.5 * progress):
        cost = known + 1.2 * flow_matrix[np.ix_(todo, todo)] @ soft @ distance_matrix[np.ix_(vacant, vacant)]
        cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
        fresh = np.exp(np.clip(-sharpness * cost / (cost.std() + 1e-9), -40, 40))
        for _ in range(5):
            fresh = fresh / fresh.sum(axis=0)
            fresh = fresh / fresh.sum(axis=1, keepdims=True)
        soft = 0.4 * soft + 0.6 * fresh
    best = int(soft.argmax())
    a[todo[best // len(vacant)]] = vacant[best % len(vacant)]
    return a.tolist()


# %% two_temperatures
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Balance the same costs once warm and once cold and take the pair with the largest product of both."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 2.0 * np.outer(f.sum(axis=1), d.mean(axis=1))
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
    cost = cost / (cost.std() + 1e-9)
    agreement = np.ones_like(cost)
    for heat in (1.0, 0.25):
        weight = np.exp(np.clip(-cost / heat, -40, 40))
        for _ in range(7):
            weight = weight / weight.sum(axis=1, keepdims=True)
            weight = weight / weight.sum(axis=0, keepdims=True)
        agreement = agreement * weight
    r, c = np.unravel_index(agreement.argmax(), agreement.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% clear_margin
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Settle the facility whose balanced chance for one location leads its second
    choice by the widest margin."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    if len(vacant) == 1:
        a[todo[0]] = vacant[0]
        return a.tolist()
    flows = -np.sort(-flow_matrix[np.ix_(todo, todo)], axis=1)[:, :-1]
    hops = np.sort(distance_matrix[np.ix_(vacant, vacant)], axis=1)[:, 1:]
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)] + 1.5 * flows @ hops.T
    cost = cost - cost.mean(axis=1, keepdims=True) - cost.mean(axis=0) + cost.mean()
    chance = np.exp(np.clip(-2.5 * cost / (cost.std() + 1e-9), -40, 40))
    for _ in range(8):
        chance /= chance.sum(axis=1, keepdims=True)
        chance /= chance.sum(axis=0, keepdims=True)
    ordered = np.sort(chance, axis=1)
    r = int(np.argmax(ordered[:, -1] - ordered[:, -2]))
    a[todo[r]] = vacant[int(chance[r].argmax())]
    return a.tolist()


# %% uncontested_claim
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A claim is worth its chance times the chance that no other open facility claims the same location."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 1.6 * np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1, keepdims=True) + cost.mean()
    claim = np.exp(-3.0 * (cost - cost.min(axis=1, keepdims=True)) / (cost.std() + 1e-9))
    claim = claim / claim.sum(axis=1, keepdims=True)
    refusal = np.log1p(-0.98 * claim)
    silence = refusal.sum(axis=0) - refusal
    worth = np.log(claim + 1e-15) + silence
    r, c = divmod(int(worth.argmax()), len(vacant))
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% expected_outcome_reference
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Compare each pair with what its facility and its location may expect under balanced soft choices."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f = flow_matrix[np.ix_(todo, todo)] - flow_matrix.mean()
    d = distance_matrix[np.ix_(vacant, vacant)] - distance_matrix.mean()
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 1.5 * np.outer(f.sum(axis=1), d.mean(axis=1))
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
    soft = np.exp(np.clip(-1.5 * cost / (cost.std() + 1e-9), -30, 30))
    for _ in range(6):
        soft = soft / soft.sum(axis=1, keepdims=True)
        soft = soft / soft.sum(axis=0)
    cost = cost + 0.5 * f @ (soft - 1.0 / len(todo)) @ d
    hope = (soft * cost).sum(axis=1, keepdims=True) + (soft * cost).sum(axis=0)
    r, c = np.unravel_index((cost - hope).argmin(), cost.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% soft_minimum_reference
import numpy as np


def soft_minimum(table, axis, heat):
    """Smooth version of the minimum along an axis."""
    low = table.min(axis=axis, keepdims=True)
    return low - heat * np.log(np.exp((low - table) / heat).mean(axis=axis, keepdims=True))


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Subtract smooth minima of rows and then of columns, a pair of approximate dual prices."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    outlook = np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)] + 1.8 * outlook
    cost = cost - cost.mean(axis=0)
    cost = cost - cost.mean(axis=1, keepdims=True)
    heat = 0.7 * cost.std() + 1e-9
    for _ in range(3):
        cost = cost - soft_minimum(cost, 1, heat)
        cost = cost - soft_minimum(cost, 0, heat)
    best = int(cost.argmin())
    a[todo[best // len(vacant)]] = vacant[best % len(vacant)]
    return a.tolist()


# %% bound_and_field_blend
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Exact cost with placed ones plus a blend of the sorted bound and the mean field,
    balanced before choosing."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    bound = -np.sort(-f, axis=1)[:, : len(todo) - 1] @ np.sort(d, axis=1)[:, 1:].T
    mean_field = np.outer(f.sum(axis=1), d.sum(axis=1) / max(1, len(todo) - 1))
    share = len(todo) / len(a)
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = exact + (1.0 - share) * mean_field + (0.6 + share) * bound
    cost = cost - cost.mean(axis=1, keepdims=True)
    cost = cost - cost.mean(axis=0, keepdims=True)
    weight = np.exp(np.clip(-2.0 * cost / (cost.std() + 1e-9), -40, 40))
    for step in range(12):
        weight = weight / weight.sum(axis=step % 2, keepdims=True)
    r, c = np.unravel_index(int(weight.argmax()), weight.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% rank_committee
import numpy as np


def places(table):
    """Position of each entry among all, the smallest first."""
    return table.argsort(axis=None).argsort().reshape(table.shape)


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A committee of centred cost, correlation and sorted bound adds up the ranks each gives to a pair."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f, d = flow_matrix - flow_matrix.mean(), distance_matrix - distance_matrix.mean()
    open_flows, open_hops = f[np.ix_(todo, todo)], d[np.ix_(vacant, vacant)]
    exact = 2.0 * f[np.ix_(todo, done)] @ d[np.ix_(a[done], vacant)]
    field = exact + 1.5 * np.outer(open_flows.sum(axis=1), open_hops.mean(axis=1))
    bound = exact + 1.5 * np.sort(open_flows, axis=1)[:, ::-1] @ np.sort(open_hops, axis=1).T
    bound = bound - bound.mean(axis=0) - bound.mean(axis=1, keepdims=True)
    lengths = np.outer((f[todo] ** 2).sum(axis=1), (d[vacant] ** 2).sum(axis=1)) ** 0.4
    field = field - field.mean(axis=0) - field.mean(axis=1, keepdims=True) + field.mean()
    total = places(field) + places(bound) + 0.5 * places(field / (lengths + 1e-9))
    r, c = divmod(int(np.argmin(total + 1e-9 * field)), len(vacant))
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% three_phases
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Opening by sorted bounds, middle game by normalised surprise, end game by the sum of both regrets."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    stage = len(done) / len(a)
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    bound = -np.sort(-f, axis=1)[:, : len(todo) - 1] @ np.sort(d, axis=1)[:, 1:].T
    cost = exact + 1.7 * bound
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
    if 0.25 < stage < 0.75:
        cost = cost / (np.outer(cost.std(axis=1), cost.std(axis=0)) ** 0.5 + 1e-9)
    elif stage >= 0.75 and len(todo) > 1:
        next_row = np.partition(cost, 1, axis=1)[:, 1:2]
        next_column = np.partition(cost, 1, axis=0)[1:2]
        cost = 2.5 * cost - next_row - next_column
    best = int(cost.argmin())
    a[todo[best // len(vacant)]] = vacant[best % len(vacant)]
    return a.tolist()


# %% short_rollouts
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Each of the six best pairs is played on greedily for seven steps; the best sum
    of centred costs decides."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    m = len(todo)
    f = flow_matrix[np.ix_(todo, todo)] - flow_matrix.mean()
    d = distance_matrix[np.ix_(vacant, vacant)] - distance_matrix.mean()
    start = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    start = start + 1.5 * np.outer(f.sum(axis=1), d.mean(axis=1))
    start = start - start.mean(axis=0) - start.mean(axis=1)[:, None] + start.mean()
    best, pick = np.inf, 0
    for flat in start.argsort(axis=None)[:6].tolist():
        table, total, move = start.copy(), 0.0, flat
        for _ in range(min(7, m)):
            r, c = divmod(move, m)
            total += table[r, c]
            table += 2.0 * np.outer(f[r], d[c])
            table[r, :] = 1e12
            table[:, c] = 1e12
            move = int(table.argmin())
        if total < best:
            best, pick = total, flat
    a[todo[pick // m]] = vacant[pick % m]
    return a.tolist()


# %% joint_pair_of_pairs
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Among the forty best pairs find two that fit together best, mutual flow
    included, and make the better one."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    if len(todo) == 1:
        a[todo[0]] = vacant[0]
        return a.tolist()
    f = flow_matrix[np.ix_(todo, todo)] - flow_matrix.mean()
    d = distance_matrix[np.ix_(vacant, vacant)] - distance_matrix.mean()
    table = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    table = table + 1.5 * np.sort(f, axis=1)[:, ::-1] @ np.sort(d, axis=1).T
    table = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True)
    shortlist = table.argsort(axis=None)[: max(40, 2 * len(todo))]
    rows, cols = np.divmod(shortlist, len(vacant))
    single = table[rows, cols]
    joint = single[:, None] + single + 2.0 * f[np.ix_(rows, rows)] * d[np.ix_(cols, cols)]
    clash = (rows[:, None] == rows) | (cols[:, None] == cols)
    joint[clash] = np.inf
    one, two = np.unravel_index(joint.argmin(), joint.shape)
    lead = one if single[one] <= single[two] else two
    a[todo[rows[lead]]] = vacant[cols[lead]]
    return a.tolist()


# %% narrow_beam
import heapq

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """A beam of three partial continuations, four steps deep; the first move of the best one is made."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    m = len(todo)
    f = flow_matrix[np.ix_(todo, todo)] - flow_matrix.mean()
    d = distance_matrix[np.ix_(vacant, vacant)] - distance_matrix.mean()
    table = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    table = table + 1.4 * np.outer(f.sum(axis=1), d.mean(axis=1))
    table = table - table.mean(axis=0) - table.mean(axis=1, keepdims=True) + table.mean()
    beam = [(0.0, -1, table)]
    for _ in range(min(4, m)):
        children = []
        for total, first, state in beam:
            for flat in np.argpartition(state, 3 if m > 1 else 0, axis=None)[:3].tolist():
                children.append((total + float(state.flat[flat]), len(children), flat, first, state))
        beam = []
        for total, _, flat, first, state in heapq.nsmallest(3, children):
            r, c = divmod(flat, m)
            after = state + 2.0 * np.outer(f[r], d[c])
            after[r, :] = 1e12
            after[:, c] = 1e12
            beam.append((total, flat if first < 0 else first, after))
    move = beam[0][1]
    a[todo[move // m]] = vacant[move % m]
    return a.tolist()


# %% perturbed_majority
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Add seeded noise to the centred costs twelve times and make the pair that is
    mutually best most often."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    m = len(todo)
    outlook = np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)] + 1.6 * outlook
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1, keepdims=True)
    cost = cost / (cost.std() + 1e-9)
    rng = np.random.default_rng(m)
    count = -0.01 * cost
    for _ in range(12):
        shaken = cost + 0.5 * rng.standard_normal((m, m))
        favourite = shaken.argmin(axis=1)
        mutual = shaken.argmin(axis=0)[favourite] == np.arange(m)
        count[np.flatnonzero(mutual), favourite[mutual]] += 1.0
    best = int(count.argmax())
    a[todo[best // m]] = vacant[best % m]
    return a.tolist()


# %% elite_samples
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Forty random orders of the six neediest facilities on their six best locations;
    the elite votes for one pair."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 1.5 * np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None]
    rows = cost.min(axis=1).argsort()[:6]
    cols = cost[rows].min(axis=0).argsort()[:6]
    rng = np.random.default_rng(11 + len(todo))
    samples = rng.permuted(np.tile(np.arange(len(rows)), (40, 1)), axis=1)
    part = cost[np.ix_(rows, cols)]
    slots = np.arange(len(rows))
    flows = flow_matrix[np.ix_(todo[rows], todo[rows])] - flow_matrix.mean()
    hops = distance_matrix[np.ix_(vacant[cols], vacant[cols])]
    pairs = hops[samples[:, :, None], samples[:, None, :]]
    value = part[slots, samples].sum(axis=1) + (flows * pairs).sum(axis=(1, 2))
    score = -0.5 * part / (np.abs(part).max() + 1e-9)
    for rank, sample in enumerate(value.argsort()[:8]):
        score[slots, samples[sample]] += (8 - rank) / 24
    r, c = np.unravel_index(score.argmax(), score.shape)
    a[todo[rows[r]]] = vacant[cols[c]]
    return a.tolist()


# %% enumerated_ending
import itertools

import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Balanced cross comparison until five facilities are left; then all endings of
    these five are compared."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    if len(todo) <= 5:
        best, ending = np.inf, None
        for order in itertools.permutations(range(len(todo))):
            value = exact[range(len(todo)), order].sum() + (f * d[np.ix_(order, order)]).sum()
            if value < best:
                best, ending = value, order
        a[todo[0]] = vacant[ending[0]]
        return a.tolist()
    cost = exact + 2.0 * np.outer(f.sum(axis=1), d.mean(axis=1))
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
    weight = np.exp(np.clip(-3.0 * cost / (cost.std() + 1e-9), -40, 40))
    for _ in range(5):
        weight = weight / np.sqrt(np.outer(weight.sum(axis=1), weight.sum(axis=0)))
    r, c = np.unravel_index(weight.argmax(), weight.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% late_trades
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Normalised centred choice; in the last third one exchange of two placed
    facilities is allowed after each step."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 1.5 * np.outer(flow_matrix[np.ix_(todo, todo)].sum(axis=1), distance_matrix[vacant].mean(axis=1))
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1, keepdims=True) + cost.mean()
    cost = cost / (np.sqrt(np.outer(cost.std(axis=1), cost.std(axis=0))) + 1e-9)
    r, c = np.unravel_index(cost.argmin(), cost.shape)
    a[todo[r]] = vacant[c]
    if 3 * len(done) > 2 * len(a):
        f, d = flow_matrix[np.ix_(done, done)], distance_matrix[np.ix_(a[done], a[done])]
        moved = flow_matrix[np.ix_(done, a >= 0)] @ distance_matrix[np.ix_(a[a >= 0], a[done])]
        stay = np.diag(moved)
        change = moved + moved.T - stay - stay[:, None] + 2 * f * d
        i, j = np.unravel_index(change.argmin(), change.shape)
        if change[i, j] < 0:
            a[done[i]], a[done[j]] = a[done[j]], a[done[i]]
    return a.tolist()


# %% fading_bound_weight
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The optimistic bound counts double at the start and fades out, while the exact
    part is never discounted."""
    n = len(current_assignment)
    todo = [i for i in range(n) if current_assignment[i] < 0]
    done = [i for i in range(n) if current_assignment[i] >= 0]
    spots = [current_assignment[i] for i in done]
    vacant = [k for k in range(n) if k not in spots]
    m = len(todo)
    trust = 0.5 + 2.5 * (m / n) ** 2
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(spots, vacant)]
    far = np.sort(flow_matrix[np.ix_(todo, todo)], axis=1)[:, 1:]
    near = np.sort(-distance_matrix[np.ix_(vacant, vacant)], axis=1)[:, : m - 1]
    both = exact - trust * far @ near.T
    prices = np.zeros(m)
    # alternating means and half spreads serve as prices of locations
    for _ in range(2):
        wishes = both - prices
        prices = prices + 0.5 * (wishes.mean(axis=0) + wishes.min(axis=0) - wishes.mean())
    net = both - prices
    net = net - 0.7 * net.mean(axis=1, keepdims=True) - 0.3 * np.median(net, axis=1)[:, None]
    r, c = divmod(int(net.argmin()), m)
    current_assignment[todo[r]] = vacant[c]
    return current_assignment


# %% rational_affinity
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Affinity falls as an inverse fourth power of excess cost; two field iterations
    couple the open facilities."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    coupled = np.outer(f.sum(axis=1), d.mean(axis=1))
    affinity = np.ones(exact.shape)
    for _ in range(3):
        cost = exact + 1.3 * coupled
        cost = cost - cost.mean(axis=0) - cost.mean(axis=1, keepdims=True)
        excess = (cost - cost.min()) / (cost.std() + 1e-9)
        affinity = (1.0 + 0.3 * excess) ** -4.0
        for _ in range(5):
            affinity = affinity / affinity.sum(axis=0)
            affinity = affinity / affinity.sum(axis=1, keepdims=True)
        coupled = f @ affinity @ d
    r, c = np.unravel_index(affinity.argmax(), affinity.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% static_completion_test
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """The four best pairs are each completed by one greedy matching; the true cost of that sketch decides."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    m = len(todo)
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    guide = exact + 1.5 * np.outer(f.sum(axis=1), d.mean(axis=1))
    guide = guide - guide.mean(axis=0) - guide.mean(axis=1)[:, None] + guide.mean()
    best, pick = np.inf, 0
    for flat in guide.argsort(axis=None)[:4].tolist():
        r, c = divmod(flat, m)
        after = guide + 2.0 * np.outer(f[r] - f.mean(), d[c] - d.mean())
        order = np.full(m, -1)
        order[r] = c
        after[:, c] = 1e12
        for i in after.min(axis=1).argsort():
            if i != r:
                order[i] = after[i].argmin()
                after[:, order[i]] = 1e12
        sketch = exact[np.arange(m), order].sum() + (f * d[np.ix_(order, order)]).sum()
        value = sketch / m + guide[r, c]
        if value < best:
            best, pick = value, flat
    a[todo[pick // m]] = vacant[pick % m]
    return a.tolist()


# %% spectral_coordinates
import numpy as np


def coordinates(matrix, count):
    """Entries of the eigenvectors that belong to the largest eigenvalues in size, scaled by their roots."""
    values, vectors = np.linalg.eigh(matrix - matrix.mean())
    top = np.argsort(-np.abs(values))[:count]
    return vectors[:, top] * np.sqrt(np.abs(values[top])), np.sign(values[top])


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Describe flows and distances by five spectral coordinates each and add their
    filtered cost to the exact one."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f, f_sign = coordinates(flow_matrix, 5)
    d, d_sign = coordinates(distance_matrix, 5)
    overlap = (f[done] * f_sign).T @ (d[a[done]] * d_sign)
    filtered = f[todo] @ overlap @ d[vacant].T
    exact = flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    exact = exact + 0.7 * np.outer(flow_matrix[todo].mean(axis=1), distance_matrix[vacant].sum(axis=1))
    exact = exact - exact.mean(axis=0) - exact.mean(axis=1, keepdims=True)
    score = exact + 0.5 * filtered
    r, c = divmod(int(score.argmin()), len(vacant))
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% frozen_field_gradient
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Averaged greedy matchings pull a doubly stochastic matrix downhill four times;
    its surest entry is fixed."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    m = len(todo)
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    fixed = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    average = np.full((m, m), 1.0 / m)
    slope = fixed
    for step in range(4):
        slope = fixed + 1.2 * f @ average @ d
        slope = slope - slope.mean(axis=0) - slope.mean(axis=1, keepdims=True)
        corner = np.zeros((m, m))
        left = slope.copy()
        for i in slope.min(axis=1).argsort():
            k = int(left[i].argmin())
            corner[i, k] = 1.0
            left[:, k] = np.inf
        average += (corner - average) * 0.5 / (step + 1)
    sure = average - 0.1 * slope / (slope.std() + 1e-9)
    r, c = np.unravel_index(sure.argmax(), sure.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% policy_duel
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Centred cost and cross regret each name a pair; if they differ, the sum of the
    next best moves decides."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    m = len(todo)
    if m == 1:
        a[todo[0]] = vacant[0]
        return a.tolist()
    f = flow_matrix[np.ix_(todo, todo)] - flow_matrix.mean()
    d = distance_matrix[np.ix_(vacant, vacant)] - distance_matrix.mean()
    cost = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    cost = cost + 1.8 * np.outer(f.sum(axis=1), d.mean(axis=1))
    cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
    regret = np.partition(cost, 1, axis=1)[:, 1:2] + np.partition(cost, 1, axis=0)[1:2] - 2.0 * cost
    duel = {}
    for flat in (int(cost.argmin()), int(regret.argmax())):
        r, c = divmod(flat, m)
        after = cost + 2.0 * np.outer(f[r], d[c])
        keep_rows, keep_columns = np.arange(m) != r, np.arange(m) != c
        after = np.sort(after[keep_rows][:, keep_columns], axis=1)[:, 0]
        duel[flat] = 0.2 * cost[r, c] + np.sort(after)[: 1 + m // 2].mean()
    winner = min(duel, key=duel.get)
    a[todo[winner // m]] = vacant[winner % m]
    return a.tolist()


# %% fragile_fields
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Soft chances times the open flow at stake: certain and important facilities are
    settled before certain ones."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    base = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    chance = np.ones(base.shape) / len(todo)
    cost = base
    for heat in (1.0, 0.7, 0.5):
        cost = base + f @ chance @ d
        cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
        chance = np.exp(np.clip(-cost / (heat * cost.std() + 1e-9), -40, 40))
        for _ in range(4):
            chance = chance / chance.sum(axis=1)[:, None]
            chance = chance / chance.sum(axis=0)[None, :]
    stake = np.abs(cost).mean(axis=1) / (np.abs(cost).mean() + 1e-9)
    worth = chance * stake[:, None] ** 0.3
    best = int(worth.argmax())
    a[todo[best // len(vacant)]] = vacant[best % len(vacant)]
    return a.tolist()


# %% growing_doubt
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Open facilities influence each other through soft positions, strongly at first
    and hardly at the end."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    weight = 2.0 * len(todo) / len(a)
    hops = np.outer(np.ones(len(todo)), d.mean(axis=1))
    chance = hops
    for _ in range(3):
        cost = exact + weight * f @ hops
        cost = cost - cost.mean(axis=1, keepdims=True)
        cost = cost - cost.mean(axis=0, keepdims=True)
        chance = np.exp(np.clip(-2.0 * cost / (cost.std() + 1e-9), -40, 40))
        for _ in range(5):
            chance = chance / chance.sum(axis=1, keepdims=True)
            chance = chance / chance.sum(axis=0, keepdims=True)
        hops = chance @ d
    r, c = divmod(int(chance.argmax()), len(vacant))
    a[todo[r]] = vacant[c]
    return a.tolist()


# %% field_with_lookahead
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Four pairs of highest balanced chance are tested by the minima of the cost table that each leaves."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    m = len(todo)
    f, d = (
        flow_matrix[np.ix_(todo, todo)].astype(float),
        distance_matrix[np.ix_(vacant, vacant)].astype(float),
    )
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    chance, cost = np.full((m, m), 1.0 / m), exact
    for heat in (0.8, 0.5):
        cost = exact + 1.2 * f @ chance @ d
        cost = cost - cost.mean(axis=0) - cost.mean(axis=1, keepdims=True) + cost.mean()
        chance = np.exp(np.clip(-cost / (heat * cost.std() + 1e-9), -40, 40))
        for _ in range(5):
            chance /= chance.sum(axis=1, keepdims=True)
            chance /= chance.sum(axis=0)
    best, pick = np.inf, int(chance.argmax())
    scale = cost.std() + 1e-9
    for flat in np.argsort(-chance, axis=None)[:4].tolist():
        if m > 2:
            r, c = divmod(flat, m)
            after = cost + 2.0 * np.outer(f[r] - f.mean(), d[c] - d.mean())
            after[r, :] = 1e12
            after[:, c] = 1e12
            rest = np.sort(after.min(axis=1))[: m - 1].mean() + np.sort(after.min(axis=0))[: m - 1].mean()
            value = 2.0 * rest / scale - 0.5 * np.log(chance[r, c] + 1e-12)
            if value < best:
                best, pick = value, flat
    a[todo[pick // m]] = vacant[pick % m]
    return a.tolist()


# %% shaken_fields
import numpy as np


def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Two soft assignments started from opposite seeded disturbances are averaged and
    the surest entry is made."""
    a = np.array(current_assignment)
    done, todo = np.flatnonzero(a >= 0), np.flatnonzero(a < 0)
    vacant = np.setdiff1d(np.arange(len(a)), a[done])
    f, d = flow_matrix[np.ix_(todo, todo)], distance_matrix[np.ix_(vacant, vacant)]
    exact = 2.0 * flow_matrix[np.ix_(todo, done)] @ distance_matrix[np.ix_(a[done], vacant)]
    kick = np.random.default_rng(3 + len(todo)).uniform(-0.5, 0.5, exact.shape)
    merged = np.zeros(exact.shape)
    for sign in (1.0, -1.0):
        soft = (1.0 + sign * kick) / len(todo)
        for _ in range(2):
            cost = exact + f @ soft @ d
            cost = cost - cost.mean(axis=0) - cost.mean(axis=1)[:, None] + cost.mean()
            soft = np.exp(np.clip(-1.8 * cost / (cost.std() + 1e-9), -40, 40))
            for axis in (0, 1, 0, 1, 0, 1):
                soft = soft / soft.sum(axis=axis, keepdims=True)
        merged = merged + np.sqrt(soft)
    r, c = np.unravel_index(int(merged.argmax()), merged.shape)
    a[todo[r]] = vacant[c]
    return a.tolist()
