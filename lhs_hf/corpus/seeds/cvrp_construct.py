# %% nearest
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Drive to the closest customer that still fits into the vehicle."""
    best = None
    best_distance = float("inf")
    for node in unvisited_nodes:
        if distance_matrix[current_node][node] < best_distance:
            best_distance = distance_matrix[current_node][node]
            best = node
    return best


# %% farthest
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Drive to the most distant customer that fits."""
    return unvisited_nodes[np.argmax(distance_matrix[current_node, unvisited_nodes])]


# %% lowest_id
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Serve the customers in the order of their numbers."""
    return unvisited_nodes[0]


# %% random_seeded
import random


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Serve a random customer; the generator is seeded with the free capacity and the place we are at."""
    generator = random.Random(100 * int(current_node) + int(rest_capacity))
    return generator.choice(list(unvisited_nodes))


# %% demand_per_distance
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Deliver where most goods leave the vehicle for each unit of distance driven."""
    chosen = unvisited_nodes[0]
    best_rate = -1.0
    for node in unvisited_nodes:
        rate = demands[node] / (distance_matrix[current_node][node] + 1e-9)
        if rate > best_rate:
            best_rate = rate
            chosen = node
    return chosen


# %% largest_demand
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Big orders first, the nearer one if two are equally big."""
    return max(unvisited_nodes, key=lambda node: (demands[node], -distance_matrix[current_node][node]))


# %% smallest_demand
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Small orders first, so that a vehicle visits many customers; distance breaks ties."""
    order = np.lexsort((distance_matrix[current_node, unvisited_nodes], demands[unvisited_nodes]))
    return unvisited_nodes[order[0]]


# %% savings
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Append the customer with the largest saving against a trip of its own; a new route opens with the farthest."""
    to_depot = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[np.argmax(to_depot)]
    saving = distance_matrix[current_node, depot] + to_depot - distance_matrix[current_node, unvisited_nodes]
    return unvisited_nodes[np.argmax(saving)]


# %% savings_with_shape
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Savings with a stretched link term and a bonus for large demands; a new route opens with the nearest customer."""
    if current_node == depot:
        return min(unvisited_nodes, key=lambda node: distance_matrix[depot][node])
    mean_demand = sum(demands[node] for node in unvisited_nodes) / len(unvisited_nodes)
    best, best_value = unvisited_nodes[0], -float("inf")
    for node in unvisited_nodes:
        value = distance_matrix[node][depot] - 1.6 * distance_matrix[current_node][node]
        value += 0.03 * demands[node] / mean_demand
        if value > best_value:
            best, best_value = node, value
    return best


# %% far_seed_then_nearest
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Open each route at the customer farthest from the depot and continue with nearest neighbours."""
    if current_node == depot:
        return max(unvisited_nodes, key=lambda node: distance_matrix[depot][node])
    return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])


# %% return_when_home_is_near
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Nearest customer, but an almost empty vehicle goes home when the depot is closer than that customer."""
    nearest = min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])
    almost_empty = rest_capacity < 10
    if current_node != depot and almost_empty:
        if distance_matrix[current_node][depot] < distance_matrix[current_node][nearest]:
            return depot
    return nearest


# %% return_unless_on_the_way
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Accept the nearest customer only if its detour is cheaper than half of a later trip to it; otherwise go home."""
    step = distance_matrix[current_node, unvisited_nodes]
    pick = unvisited_nodes[np.argmin(step)]
    if current_node == depot:
        return pick
    home = distance_matrix[current_node, depot]
    detour = distance_matrix[current_node, pick] + distance_matrix[pick, depot] - home
    own_trip = 2.0 * distance_matrix[pick, depot]
    return depot if detour > 0.5 * own_trip and rest_capacity < 20 else pick


# %% cheapest_detour
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Take the customer that lengthens the way home least."""

    def detour(node):
        return distance_matrix[current_node][node] + distance_matrix[node][depot] - distance_matrix[current_node][depot]

    return min(unvisited_nodes, key=detour)


# %% detour_per_demand
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Pay as little extra way home as possible for each unit delivered."""
    ahead = distance_matrix[unvisited_nodes, current_node] + 0.6 * distance_matrix[unvisited_nodes, depot]
    extra = ahead - 0.6 * distance_matrix[current_node, depot]
    load = demands[unvisited_nodes] ** 0.5
    price = np.where(extra > 0, extra / np.maximum(load, 1e-9), extra * load)
    return unvisited_nodes[np.argmin(price)]


# %% sweep_around_depot
import numpy as np


def angles_seen_from(depot, d):
    far = int(d[depot].argmax())
    base = max(d[depot, far], 1e-9)
    x = (d[depot] ** 2 - d[far] ** 2 + base**2) / (2 * base)
    y = np.sqrt(np.maximum(d[depot] ** 2 - x**2, 0))
    guide = int(y.argmax())
    gap = np.hypot(x - x[guide], y - y[guide])
    y[np.abs(gap - d[guide]) > 1e-6] *= -1
    return np.arctan2(y, x)


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Turn a ray around the depot, rebuilt from distances alone, and serve the next customer it meets."""
    angle = angles_seen_from(depot, distance_matrix)
    if current_node == depot:
        return unvisited_nodes[angle[unvisited_nodes].argmin()]
    ahead = (angle[unvisited_nodes] - angle[current_node]) % (2 * np.pi)
    return unvisited_nodes[ahead.argmin()]


# %% same_direction
import math


def opening_angle(a, b, c):
    """The angle between sides a and b of a triangle whose third side is c."""
    if a * b < 1e-12:
        return 0.0
    cosine = (a * a + b * b - c * c) / (2.0 * a * b)
    return math.acos(max(-1.0, min(1.0, cosine)))


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Stay in a narrow sector: the step grows with the angle, at the depot, between here and the customer."""
    best_node = unvisited_nodes[0]
    best_cost = float("inf")
    for node in unvisited_nodes:
        step = distance_matrix[current_node][node]
        turn = opening_angle(distance_matrix[depot][current_node], distance_matrix[depot][node], step)
        cost = step * (1.0 + 0.8 * turn)
        if cost < best_cost:
            best_cost = cost
            best_node = node
    return best_node


# %% exact_fill
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Near the end of a route look for a customer or a pair that uses up the capacity exactly; else nearest."""
    near = sorted(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])[:8]
    if rest_capacity > 18:
        return near[0]
    for node in near:
        left = rest_capacity - demands[node]
        if left == 0 or any(other != node and demands[other] == left for other in near):
            return node
    return near[0]


# %% fill_with_leftover_penalty
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Stretch each step by the capacity that no remaining customer could use after it."""
    order = demands[unvisited_nodes]
    smallest = order.min()
    left = rest_capacity - order
    wasted = np.where(left < smallest, left, 0)
    cost = distance_matrix[current_node, unvisited_nodes] * (1.0 + wasted)
    return unvisited_nodes[int(np.argmin(cost))]


# %% skip_regret
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Serve the customer that loses most if passed over: its best later link is compared with the step from here."""
    if len(unvisited_nodes) == 1:
        return unvisited_nodes[0]
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)].copy()
    np.fill_diagonal(block, np.inf)
    alternative = np.minimum(block.min(axis=1), distance_matrix[unvisited_nodes, depot])
    regret = 0.6 * alternative - distance_matrix[current_node, unvisited_nodes]
    return unvisited_nodes[np.argmax(regret)]


# %% two_step_lookahead
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Add to the step the cheapest thing that can follow within the capacity: another customer or the way home."""
    best_node = unvisited_nodes[0]
    best_total = float("inf")
    for node in unvisited_nodes:
        left = rest_capacity - demands[node]
        follow = distance_matrix[node][depot]
        for other in unvisited_nodes:
            if other != node and demands[other] <= left:
                follow = min(follow, distance_matrix[node][other])
        total = distance_matrix[current_node][node] + follow
        if total < best_total:
            best_total = total
            best_node = node
    return best_node


# %% route_rollout
def finish_route(node, others, capacity, depot, demands, rows):
    """Length and load of a greedy route from a customer back to the depot."""
    length = 0.0
    load = 0
    left = set(others)
    while True:
        capacity -= demands[node]
        load += demands[node]
        left.discard(node)
        options = [other for other in left if demands[other] <= capacity]
        if not options:
            return length + rows[node][depot], load
        following = min(options, key=lambda other: rows[node][other])
        length += rows[node][following]
        node = following


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Complete the route greedily from each of five near customers; keep the start that delivers most cheaply."""
    rows = distance_matrix.tolist()
    others = [int(node) for node in unvisited_nodes]
    near = sorted(others, key=lambda node: rows[current_node][node])[:5]
    amounts = [int(amount) for amount in demands]
    best, best_rate = near[0], float("inf")
    for node in near:
        length, load = finish_route(node, others, rest_capacity, depot, amounts, rows)
        rate = (rows[current_node][node] + length) / max(load, 1)
        if rate < best_rate:
            best, best_rate = node, rate
    return best


# %% dense_cluster_seed
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Open a route in the middle of the densest remote cluster, then serve neighbours, those off the crowd first."""
    block = distance_matrix[unvisited_nodes][:, unvisited_nodes]
    density = np.exp(-8.0 * block).sum(axis=1)
    if current_node == depot:
        remote = distance_matrix[depot, unvisited_nodes]
        return unvisited_nodes[np.argmax(density * remote)]
    return unvisited_nodes[np.argmin(distance_matrix[current_node, unvisited_nodes] + 0.02 * density)]


# %% crowd_centroid
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Prefer near customers that lie far from the other remaining ones; they would cost a trip of their own."""
    size = len(unvisited_nodes)
    best_node, lowest = unvisited_nodes[0], float("inf")
    for node in unvisited_nodes:
        crowd = sum(distance_matrix[node][other] for other in unvisited_nodes) / size
        value = distance_matrix[current_node][node] - 0.3 * crowd
        if value < lowest:
            best_node, lowest = node, value
    return best_node


# %% outbound_then_inbound
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """A full vehicle is drawn away from the depot and an emptying one back to it."""
    fullness = rest_capacity / 40.0
    pull = 0.9 * (0.5 - fullness)
    cost = distance_matrix[current_node, unvisited_nodes] + pull * distance_matrix[depot, unvisited_nodes]
    return unvisited_nodes[np.argmin(cost)]


# %% return_cost_by_load
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """The way home from a customer counts only to the degree that the vehicle will be empty after serving it."""
    most = max(rest_capacity, 40)
    chosen = None
    lowest = float("inf")
    for node in unvisited_nodes:
        emptied = 1.0 - (rest_capacity - demands[node]) / most
        cost = distance_matrix[current_node][node] + emptied**2 * distance_matrix[node][depot]
        if cost < lowest:
            lowest = cost
            chosen = node
    return chosen


# %% loneliness
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Discount customers whose nearest two remaining neighbours are far away."""
    block = np.sort(distance_matrix[unvisited_nodes][:, unvisited_nodes], axis=1)
    lonely = block[:, 1:3].sum(axis=1) / 2.0
    cost = distance_matrix[current_node, unvisited_nodes] - 0.45 * lonely
    return unvisited_nodes[cost.argmin()]


# %% rank_sum
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Rank customers by nearness, by size of order and by remoteness from the depot, and add up the places."""
    nodes = list(unvisited_nodes)
    points = dict.fromkeys(nodes, 0.0)
    criteria = [
        (3.0, lambda node: distance_matrix[current_node][node]),
        (0.5, lambda node: -demands[node]),
        (1.0, lambda node: -distance_matrix[depot][node]),
    ]
    for weight, key in criteria:
        for place, node in enumerate(sorted(nodes, key=key)):
            points[node] += weight * place
    return min(nodes, key=points.get)


# %% competing_predecessors
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Compare the saving of a customer after this one with the best it could have with any other remaining customer."""
    home = distance_matrix[depot]
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    mutual = home[unvisited_nodes][:, None] + home[unvisited_nodes][None, :] - block
    np.fill_diagonal(mutual, -np.inf)
    rival = mutual.max(axis=1) if len(unvisited_nodes) > 1 else np.zeros(1)
    own = home[current_node] + home[unvisited_nodes] - distance_matrix[current_node, unvisited_nodes]
    advantage = own - 0.5 * rival
    return unvisited_nodes[np.argmax(advantage)]


# %% near_and_far_routes
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Start routes with the farthest or the nearest customer, by the parity of those left, then stay close."""
    if current_node == depot:
        by_reach = sorted(unvisited_nodes, key=lambda node: distance_matrix[depot][node])
        return by_reach[-1] if len(by_reach) % 2 == 0 else by_reach[0]
    return min(unvisited_nodes, key=lambda node: distance_matrix[node][current_node])


# %% depot_rings
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Keep to a ring: a change of the distance to the depot costs extra, and new routes open on the outermost ring."""
    reach = distance_matrix[depot]
    if current_node == depot:
        return unvisited_nodes[np.argmax(reach[unvisited_nodes])]
    change = np.abs(reach[unvisited_nodes] - reach[current_node])
    return unvisited_nodes[np.argmin(distance_matrix[current_node, unvisited_nodes] + 0.5 * change)]


# %% noisy_nearest
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Blur all distances with seeded noise of a third before taking the smallest."""
    generator = np.random.default_rng(17 * int(current_node) + 3)
    noise = generator.uniform(0.67, 1.33, size=len(unvisited_nodes))
    return unvisited_nodes[np.argmin(noise * distance_matrix[current_node, unvisited_nodes])]


# %% exact_last_customers
def best_finish(here, left, depot, rows):
    """Shortest way from here through all that is left to the depot, with its first stop."""
    best = rows[here][depot] if not left else float("inf")
    first = depot
    for node in left:
        rest = [other for other in left if other != node]
        length = rows[here][node] + best_finish(node, rest, depot, rows)[0]
        if length < best:
            best, first = length, node
    return best, first


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Once at most five near customers fill the vehicle, order them and the way home optimally; before, nearest."""
    near = sorted((int(node) for node in unvisited_nodes), key=lambda node: distance_matrix[current_node][node])
    group = []
    room = rest_capacity
    for node in near:
        if demands[node] <= room:
            group.append(node)
            room -= demands[node]
    if len(group) > 5:
        return near[0]
    return best_finish(current_node, group, depot, distance_matrix.tolist())[1]


# %% gravity
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Every customer pulls with the demand gathered around it, over the square of its distance."""
    block = distance_matrix[unvisited_nodes][:, unvisited_nodes]
    mass = (np.exp(-10.0 * block) * demands[unvisited_nodes]).sum(axis=1)
    gap = np.maximum(distance_matrix[current_node, unvisited_nodes], 1e-6)
    return unvisited_nodes[np.argmax(np.sqrt(mass) / gap**2)]


# %% big_orders_while_empty_space
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Of the five nearest take the biggest order while the vehicle is over half full, then a near one that fits."""
    five = sorted(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])[:5]
    if rest_capacity > 20:
        return max(five, key=lambda node: demands[node])
    return min(five, key=lambda node: distance_matrix[current_node][node] * (1 + rest_capacity - demands[node]))


# %% three_stop_search
def extend(here, left, room, stops, depot, demands, rows):
    """Smallest cost of the next few stops, the last one charged with a part of its way home."""
    best = 0.5 * rows[here][depot]
    if stops == 0:
        return best
    options = sorted((node for node in left if demands[node] <= room), key=lambda node: rows[here][node])[:4]
    costs = []
    for node in options:
        rest = [other for other in left if other != node]
        costs.append(rows[here][node] + extend(node, rest, room - demands[node], stops - 1, depot, demands, rows))
    return min(costs) if costs else 2.0 * best


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Search all continuations over the next three stops, four nearest options at each, capacity respected."""
    rows = distance_matrix.tolist()
    left = sorted((int(node) for node in unvisited_nodes), key=lambda node: rows[current_node][node])[:12]
    amounts = demands.tolist()
    best, best_cost = left[0], float("inf")
    for node in left[:4]:
        rest = [other for other in left if other != node]
        cost = rows[current_node][node] + extend(node, rest, rest_capacity - amounts[node], 2, depot, amounts, rows)
        if cost < best_cost:
            best, best_cost = node, cost
    return best


# %% far_seed_sector_fill
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Open with the farthest customer; then shift from short steps to short detours home as the vehicle empties."""
    home = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[np.argmax(home)]
    step = distance_matrix[current_node, unvisited_nodes]
    detour = step + home - distance_matrix[current_node, depot]
    spare = rest_capacity / 40.0
    cost = (0.3 + spare) * step + (1.0 - spare) * detour - 0.2 * home
    pick = int(np.argmin(cost))
    if rest_capacity <= 5 and detour[pick] > 0.6 * home[pick]:
        return depot
    return unvisited_nodes[pick]


# %% small_demand_neighbour_blend
import math


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Distance divided by the square root of the order, so that size matters but less than nearness."""
    keys = [distance_matrix[current_node][node] / math.sqrt(max(demands[node], 1)) for node in unvisited_nodes]
    return unvisited_nodes[keys.index(min(keys))]


# %% highest_id
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Work through the list from its end."""
    return unvisited_nodes[-1]


# %% modular_hop
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Hop through the list by a remainder of the position and the room left."""
    place = (7 * int(current_node) + 3 * int(rest_capacity)) % len(unvisited_nodes)
    return unvisited_nodes[place]


# %% median_distance
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Neither near nor far: the customer in the middle of the order by distance."""
    ranking = np.argsort(distance_matrix[current_node, unvisited_nodes], kind="stable")
    return unvisited_nodes[ranking[len(ranking) // 2]]


# %% depot_first_outwards
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Clear the surroundings of the depot before anything remote, wherever the vehicle stands."""
    return sorted(unvisited_nodes, key=lambda stop: distance_matrix[depot][stop])[0]


# %% zigzag_parity
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Alternate between close and distant customers with the parity of the free capacity."""
    legs = distance_matrix[current_node][unvisited_nodes]
    if rest_capacity % 2:
        return unvisited_nodes[legs.argmax()]
    return unvisited_nodes[legs.argmin()]


# %% even_orders_first
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Deliver even orders before odd ones, each group by nearness."""
    even = [c for c in unvisited_nodes if demands[c] % 2 == 0]
    pool = even if even else list(unvisited_nodes)
    return min(pool, key=lambda c: distance_matrix[current_node][c])


# %% softmax_lottery
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Draw the next stop at random, near ones with exponentially better chances."""
    rng = np.random.default_rng(31 + len(unvisited_nodes) + 50 * int(rest_capacity))
    legs = distance_matrix[current_node, unvisited_nodes]
    weight = np.exp(-12.0 * (legs - legs.min()))
    return rng.choice(unvisited_nodes, p=weight / weight.sum())


# %% half_loads
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Go home as soon as less than sixteen units are left, otherwise serve the closest."""
    if current_node != depot and rest_capacity < 16:
        return depot
    closest = unvisited_nodes[0]
    for customer in unvisited_nodes[1:]:
        if distance_matrix[current_node, customer] < distance_matrix[current_node, closest]:
            closest = customer
    return closest


# %% smallest_saving
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """The savings idea upside down: link what gains least from sharing a trip."""
    out = distance_matrix[depot]
    gains = {int(c): out[current_node] + out[c] - distance_matrix[current_node][c] for c in unvisited_nodes}
    return min(gains, key=gains.get)


# %% typical_order
import statistics


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Prefer orders of the usual size: distance plus the deviation from the median order."""
    usual = statistics.median([int(demands[c]) for c in unvisited_nodes])
    best, best_key = unvisited_nodes[0], None
    for c in unvisited_nodes:
        key = distance_matrix[current_node][c] + 0.05 * abs(int(demands[c]) - usual)
        if best_key is None or key < best_key:
            best, best_key = c, key
    return best


# %% hermits_first
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Visit the customer with the most distant closest companion; crowded ones can wait."""

    def solitude(c):
        return min([distance_matrix[c][other] for other in unvisited_nodes if other != c], default=0.0)

    return max(unvisited_nodes, key=lambda c: solitude(c) - 0.2 * distance_matrix[current_node][c])


# %% savings_minus_asymmetry
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Saving of the link less a share of the difference between the two distances to the depot."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    here = distance_matrix[depot, current_node]
    saving = here + reach - 1.3 * distance_matrix[current_node, unvisited_nodes]
    return unvisited_nodes[np.argmax(saving - 0.45 * np.abs(here - reach))]


# %% relative_saving
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Judge a link by the share of the two separate trips that it saves, not by the amount."""
    if current_node == depot:
        far, _ = max((distance_matrix[depot][c], -int(c)) for c in unvisited_nodes)
        return next(c for c in unvisited_nodes if distance_matrix[depot][c] == far)
    winner = unvisited_nodes[0]
    top = -2.0
    for c in unvisited_nodes:
        both = distance_matrix[depot][current_node] + distance_matrix[depot][c]
        share = 1.0 - distance_matrix[current_node][c] / both if both > 0 else 1.0
        if share > top:
            winner, top = c, share
    return winner


# %% cone_gate
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Nearest customer inside a cone around the ray from the depot; the cone opens until someone is in it."""
    legs = distance_matrix[current_node, unvisited_nodes]
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[np.argmax(reach)]
    radius = distance_matrix[depot, current_node]
    cosine = (reach**2 + radius**2 - legs**2) / np.maximum(2.0 * reach * radius, 1e-9)
    limit = 0.9
    while limit > -1.0:
        inside = np.flatnonzero(cosine >= limit)
        if inside.size:
            return unvisited_nodes[inside[np.argmin(legs[inside])]]
        limit -= 0.3
    return unvisited_nodes[np.argmin(legs)]


# %% reciprocal_neighbours
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Weigh the leg by how many other customers are closer to the candidate than the vehicle is."""
    legs = distance_matrix[current_node, unvisited_nodes]
    among = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    closer = (among < legs[:, None]).sum(axis=1) - 1
    return unvisited_nodes[np.argmin(legs * (1.0 + 0.2 * closer) - 0.2 * distance_matrix[depot, unvisited_nodes])]


# %% tree_leaves
def degrees_in_tree(points, rows):
    """Degrees in a shortest spanning tree, grown from the first point."""
    degree = dict.fromkeys(points, 0)
    link = {p: (rows[points[0]][p], points[0]) for p in points[1:]}
    while link:
        new = min(link, key=lambda p: link[p][0])
        _, parent = link.pop(new)
        degree[new] += 1
        degree[parent] += 1
        for p in link:
            if rows[new][p] < link[p][0]:
                link[p] = (rows[new][p], new)
    return degree


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Favour the leaves of a spanning tree: junctions should remain to hold the rest together."""
    rows = distance_matrix.tolist()
    points = [int(c) for c in unvisited_nodes]
    degree = degrees_in_tree(points, rows)
    return min(points, key=lambda p: rows[current_node][p] * (0.55 + 0.3 * degree[p]) - 0.1 * rows[depot][p])


# %% subset_sum_reachability
def reachable_loads(sizes, room):
    """Bit k of the answer is set if some of the orders add up to k."""
    bits = 1
    for size in sizes:
        bits |= bits << size
    return bits & ((1 << (room + 1)) - 1)


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Charge each leg with the room that the customer and its companions must leave unused."""
    best, lowest = unvisited_nodes[0], float("inf")
    for c in unvisited_nodes:
        room = int(rest_capacity) - int(demands[c])
        friends = sorted(unvisited_nodes, key=lambda x: distance_matrix[c][x])[:7]
        bits = reachable_loads([int(demands[x]) for x in friends if x != c], room)
        waste = room - (bits.bit_length() - 1)
        cost = (distance_matrix[current_node][c] - 0.35 * distance_matrix[depot][c]) + 0.03 * waste
        if cost < lowest:
            best, lowest = c, cost
    return best


# %% fleet_slack
import math


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Early returns are paid out of the slack between the loads still due and the trips they need anyway."""
    nearest = min(unvisited_nodes, key=lambda c: distance_matrix[current_node][c])
    if current_node == depot:
        return max(unvisited_nodes, key=lambda c: distance_matrix[depot][c])
    due = sum(int(demands[c]) for c in unvisited_nodes)
    later_trips = math.ceil(max(due - rest_capacity, 0) / 40)
    slack = rest_capacity + 40 * later_trips - due
    home = distance_matrix[current_node][depot]
    detour = distance_matrix[current_node][nearest] + distance_matrix[nearest][depot] - home
    if slack >= rest_capacity and detour > 0.8 * distance_matrix[nearest][depot]:
        return depot
    return nearest


# %% fresh_vehicle_regret
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Largest advantage of this vehicle over a fresh one from the depot, near legs preferred."""
    from_here = distance_matrix[current_node, unvisited_nodes]
    from_home = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[np.argmin(from_home)]
    return unvisited_nodes[np.argmax(0.75 * from_home - 1.7 * from_here)]


# %% five_rule_vote
from collections import Counter


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Five simple rules each name three customers; the most points win, nearness settles a draw."""
    leg = distance_matrix[current_node]
    out = distance_matrix[depot]
    rules = [
        lambda c: leg[c],
        lambda c: leg[c] - out[c],
        lambda c: leg[c] / max(demands[c], 1),
        lambda c: leg[c] + 0.5 * out[c],
        lambda c: leg[c] + 0.01 * (rest_capacity - demands[c]),
    ]
    votes = Counter()
    for rule in rules:
        for points, c in zip((3, 2, 1), sorted(unvisited_nodes, key=rule)):
            votes[int(c)] += points
    return max(votes, key=lambda c: (votes[c], -leg[c]))


# %% coarse_distance_then_reach
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Distances count in steps of a twelfth; inside a step the farthest from the depot goes first."""
    return min(
        unvisited_nodes,
        key=lambda c: (int(12 * distance_matrix[current_node][c]), -distance_matrix[depot][c], int(c)),
    )


# %% pareto_knee
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Of the customers no other beats in leg, order and reach, take the closest to the ideal point."""
    table = np.column_stack(
        (
            distance_matrix[current_node, unvisited_nodes],
            -0.02 * demands[unvisited_nodes],
            -0.35 * distance_matrix[depot, unvisited_nodes],
        )
    )
    beaten = np.array([np.any((table < row).all(axis=1)) for row in table])
    shortfall = np.linalg.norm(table - table.min(axis=0), axis=1)
    shortfall[beaten] += 10.0
    return unvisited_nodes[int(shortfall.argmin())]


# %% knockout_tournament
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Customers meet in the list's order and the better pair link with the vehicle survives each duel."""
    champion = unvisited_nodes[0]
    for rival in unvisited_nodes[1:]:
        through_rival = distance_matrix[current_node][rival] + distance_matrix[champion][depot]
        through_champion = distance_matrix[current_node][champion] + distance_matrix[rival][depot]
        if through_rival < through_champion:
            champion = rival
    return champion


# %% outermost_of_the_close
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Among customers little farther than the nearest, the one farthest out from the depot."""
    legs = distance_matrix[current_node, unvisited_nodes]
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    close = legs <= 1.35 * legs.min() + 0.02
    return unvisited_nodes[np.where(close, reach, -1.0).argmax()]


# %% stranded_neighbours
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Add to the leg what removing the candidate does to the nearest-companion distances of the others."""
    count = len(unvisited_nodes)
    legs = distance_matrix[current_node, unvisited_nodes]
    if count < 3:
        return unvisited_nodes[legs.argmin()]
    among = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)].copy()
    np.fill_diagonal(among, np.inf)
    ordered = np.sort(among, axis=1)
    favourite = among.argmin(axis=1)
    loss = np.zeros(count)
    for k in range(count):
        loss[favourite[k]] += ordered[k, 1] - ordered[k, 0]
    return unvisited_nodes[np.argmin(legs + 0.3 * loss - 0.4 * ordered[:, 0])]


# %% ellipse_towards_home
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """When the vehicle runs low, collect what lies in a thin ellipse on the way home, nearest first."""
    home = distance_matrix[current_node][depot]

    def extra(c):
        return distance_matrix[current_node][c] + distance_matrix[c][depot] - home

    ranked = sorted(unvisited_nodes, key=lambda c: distance_matrix[current_node][c])
    if current_node == depot:
        return ranked[-1]
    if rest_capacity > 15:
        return ranked[0]
    inside = [c for c in ranked if extra(c) < 0.12 + 0.2 * home]
    return inside[0] if inside else depot


# %% finish_the_cluster
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Grow a chain of short gaps from here; inside it go first to the members nearest to the rim."""
    legs = distance_matrix[current_node, unvisited_nodes]
    among = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    inside = legs <= max(0.18, legs.min())
    for _ in range(3):
        inside = inside | (among[inside].min(axis=0) < 0.12)
    centre = among[:, inside].mean(axis=1)
    cost = legs - 0.9 * centre - 0.3 * distance_matrix[depot, unvisited_nodes]
    cost[~inside] += 5.0
    return unvisited_nodes[cost.argmin()]


# %% fixed_anchors
def spread_anchors(depot, count, rows):
    """Places far from the depot and from each other."""
    anchors = [max(range(len(rows)), key=lambda c: rows[depot][c])]
    while len(anchors) < count:
        anchors.append(max(range(len(rows)), key=lambda c: min([0.6 * rows[depot][c]] + [rows[a][c] for a in anchors])))
    return anchors


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Spread anchors over the map and stay with customers that share the anchor of the present place."""
    rows = distance_matrix.tolist()
    anchors = spread_anchors(depot, 7, rows)
    owner = {int(c): min(anchors, key=lambda a: rows[a][c] - 0.3 * rows[depot][a]) for c in unvisited_nodes}
    if current_node == depot:
        return max(owner, key=lambda c: rows[depot][c])
    mine = min(anchors, key=lambda a: rows[a][current_node] - 0.3 * rows[depot][a])
    return min(owner, key=lambda c: rows[current_node][c] + (0.0 if owner[c] == mine else 0.12))


# %% two_pivot_projection
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Project the map on the line between its two most distant places and sweep along that line."""
    first = int(distance_matrix[depot].argmax())
    second = int(distance_matrix[first].argmax())
    coordinate = distance_matrix[first] ** 2 - distance_matrix[second] ** 2
    if current_node == depot:
        return unvisited_nodes[coordinate[unvisited_nodes].argmin()]
    drift = np.abs(coordinate[unvisited_nodes] - coordinate[current_node])
    return unvisited_nodes[np.argmin(drift + 0.8 * distance_matrix[current_node, unvisited_nodes])]


# %% go_home_by_fair_share
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Serve a close one unless its detour exceeds its share of a later full trip."""
    reach = distance_matrix[depot]
    if current_node == depot:
        return max(unvisited_nodes, key=lambda c: reach[c] * demands[c])
    pick = min(unvisited_nodes, key=lambda c: distance_matrix[current_node][c] - 0.3 * reach[c])
    home = distance_matrix[current_node][depot]
    detour = distance_matrix[current_node][pick] + distance_matrix[pick][depot] - home
    gap = min([distance_matrix[pick][c] for c in unvisited_nodes if c != pick], default=home)
    share = 2 * distance_matrix[pick][depot] * demands[pick] / 40 + 2 * gap
    if rest_capacity <= 12 and detour > share:
        return depot
    return pick


# %% tuned_blend
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Blend of leg, reach, turning angle and loneliness whose weights move as the vehicle empties."""
    home = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[np.argmax(home - 0.009 * demands[unvisited_nodes])]
    leg = distance_matrix[current_node, unvisited_nodes]
    radius = distance_matrix[current_node, depot]
    cosine = (home**2 + radius**2 - leg**2) / np.maximum(2 * home * radius, 1e-9)
    swing = np.arccos(np.clip(cosine, -1.02, 1.12)) * np.minimum(home, radius)
    pairs = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)] + 9.0 * np.eye(len(unvisited_nodes))
    lonely = np.minimum(pairs.min(axis=1), home)
    spare = rest_capacity / 40
    cost = leg * (1.74 - 0.674 * spare) - (0.403 + 0.357 * spare) * home + 0.503 * swing - 0.42 * lonely
    cost -= 0.055 * (demands[unvisited_nodes] == rest_capacity)
    pick = int(cost.argmin())
    if rest_capacity < 10.47 and leg[pick] + home[pick] - radius > 0.403 * home[pick]:
        return depot
    return unvisited_nodes[pick]


# %% insertion_sketch
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Sketch the rest of this trip by inserting remote customers cheaply; drive to its first stop."""
    rows = distance_matrix.tolist()
    left = [int(c) for c in unvisited_nodes]
    path = [int(current_node), int(depot)]
    room = int(rest_capacity)
    if current_node == depot:
        path.insert(1, max(left, key=lambda c: rows[depot][c]))
        left.remove(path[1])
        room -= int(demands[path[1]])
    while True:
        best, where, lowest = -1, 0, 0.087
        for c in left:
            if demands[c] > room:
                continue
            for k in range(1, len(path)):
                extra = rows[path[k - 1]][c] + rows[c][path[k]] - rows[path[k - 1]][path[k]]
                value = extra - 2.04 * rows[depot][c]
                if value < lowest:
                    best, where, lowest = c, k, value
        if best < 0:
            break
        path.insert(where, best)
        left.remove(best)
        room -= int(demands[best])
    return path[1]


# %% priced_rollout
def priced_trip(node, left, room, depot, orders, rows, price):
    """Cost of a savings-like trip from a customer to the depot, less the price of all it serves."""
    value = -price[node]
    room -= orders[node]
    left = [c for c in left if c != node and orders[c] <= room]
    while left:
        following = min(left, key=lambda c: 1.71 * rows[node][c] - 0.944 * rows[depot][c])
        if rows[node][following] + rows[following][depot] - rows[node][depot] > price[following]:
            break
        value += rows[node][following] - price[following]
        room -= orders[following]
        node = following
        left = [c for c in left if c != node and orders[c] <= room]
    return value + rows[node][depot]


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Put a price on every customer; of eight starts keep the trip whose length exceeds its prices least."""
    rows = distance_matrix.tolist()
    orders = demands.tolist()
    left = [int(c) for c in unvisited_nodes]
    price = {}
    for c in left:
        gap = min([rows[c][x] for x in left if x != c], default=rows[depot][c])
        price[c] = 1.62 * rows[depot][c] * orders[c] / 40 + 0.865 * gap + 0.146 * rows[depot][c]
    if current_node == depot:
        starts = sorted(left, key=lambda c: -rows[depot][c])[:4]
    else:
        starts = sorted(left, key=lambda c: rows[current_node][c] - 0.096 * rows[depot][c])[:8]
    scores = [rows[current_node][c] + priced_trip(c, left, rest_capacity, depot, orders, rows, price) for c in starts]
    if current_node != depot and rows[current_node][depot] < min(scores):
        return depot
    return starts[scores.index(min(scores))]


# %% beam_of_prices
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Extend six partial trips at once for five stops; rewards for reach and order decide which survive."""
    rows = distance_matrix.tolist()
    orders = demands.tolist()
    nodes = [int(c) for c in unvisited_nodes]
    if current_node == depot:
        return max(nodes, key=lambda c: rows[depot][c])
    worth = {c: 0.91 * rows[depot][c] * (0.531 + 0.043 * orders[c]) + 0.063 for c in nodes}
    beam = [(0.0, [int(current_node)], rest_capacity)]
    best_end, first = rows[current_node][depot], depot
    for _ in range(5):
        grown = []
        for cost, path, room in beam:
            tail = path[-1]
            for c in sorted(nodes, key=lambda c: rows[tail][c])[:9]:
                if c not in path and orders[c] <= room:
                    grown.append((cost + rows[tail][c] - worth[c], path + [c], room - orders[c]))
        grown.sort(key=lambda item: item[0] + 0.865 * rows[item[1][-1]][depot])
        beam = grown[:6]
        for cost, path, _ in beam[:1]:
            if cost + rows[path[-1]][depot] < best_end:
                best_end, first = cost + rows[path[-1]][depot], path[1]
    return first


# %% two_trip_rollout
def trip(node, left, room, depot, orders, rows):
    """Length of a trip's rest from a customer on, and who is left."""
    length = 0.0
    left = [c for c in left if c != node]
    room -= orders[node]
    while True:
        options = [c for c in left if orders[c] <= room]
        if not options:
            return length + rows[node][depot], left
        following = min(options, key=lambda c: 1.43 * rows[node][c] - 0.836 * rows[depot][c])
        length += rows[node][following]
        left.remove(following)
        room -= orders[following]
        node = following


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Try seven next stops: length of this trip and the next one, plus the radial cost of what is left."""
    rows = distance_matrix.tolist()
    orders = demands.tolist()
    nodes = [int(c) for c in unvisited_nodes]
    if current_node == depot:
        return max(nodes, key=lambda c: rows[depot][c])
    best, lowest = depot, float("inf")
    for c in sorted(nodes, key=lambda c: rows[current_node][c] - 0.189 * rows[depot][c])[:7]:
        total, left = trip(c, nodes, rest_capacity, depot, orders, rows)
        total += rows[current_node][c]
        if left:
            far = max(left, key=lambda x: rows[depot][x])
            more, left = trip(far, left, 40, depot, orders, rows)
            total += rows[depot][far] + more
        total += sum(rows[depot][x] * (0.111 + 0.049 * orders[x]) for x in left)
        if total < lowest:
            best, lowest = c, total
    return best


# %% outlier_relief
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Savings, raised by the regret of leaving a customer to its second best link."""
    out = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[out.argmax()]
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)] + 5.0 * np.eye(len(unvisited_nodes))
    links = np.sort(np.column_stack((links, out)), axis=1)
    second = links[:, min(1, links.shape[1] - 1)]
    leg = distance_matrix[current_node, unvisited_nodes]
    saving = distance_matrix[current_node, depot] + out - leg
    score = 0.743 * saving - 0.985 * leg + 0.328 * second
    pick = score.argmax()
    cheap = saving[pick] > 1.52 * out[pick]
    return unvisited_nodes[pick] if cheap or rest_capacity > 9.79 else depot


# %% blend_without_angle
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Leg against reach, with relief for lonely customers; nearly empty vehicles may turn home."""
    reach = distance_matrix[depot][unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    leg = distance_matrix[current_node][unvisited_nodes]
    near = np.sort(distance_matrix[unvisited_nodes][:, unvisited_nodes], axis=1)[:, 1:3]
    gap = near.mean(axis=1) if near.shape[1] else reach
    filled = 1.0 - rest_capacity / 40.0
    score = leg * (1.0 + 0.7 * filled) - (0.75 - 0.35 * filled) * reach - 0.5 * gap
    winner = score.argmin()
    surplus = leg[winner] + reach[winner] - distance_matrix[current_node, depot]
    return depot if filled > 0.75 and surplus > 0.45 * reach[winner] else unvisited_nodes[winner]


# %% drop_price_detour
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Give each stop a drop price, its fallback elsewhere; the largest margin over the detour wins."""
    home = distance_matrix[depot]
    if current_node == depot:
        return max(unvisited_nodes, key=lambda c: home[c])
    best, margin = depot, -0.05
    for c in unvisited_nodes:
        detour = distance_matrix[current_node][c] + home[c] - home[current_node]
        others = sorted(distance_matrix[c][x] for x in unvisited_nodes if x != c)[:2]
        fallback = 2.0 * home[c] if len(others) < 2 else sum(others)
        price = 0.45 * fallback + home[c] * (0.5 + 0.02 * demands[c])
        gain = price - detour - 0.8 * distance_matrix[current_node][c]
        if gain > margin or (best == depot and rest_capacity > 12 and gain > -9.0):
            if best == depot or gain > margin:
                best, margin = c, gain
    return best


# %% pair_ahead_with_reach
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Score pairs of next stops, both legs against both reaches, or the way home after the first."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[np.argmax(reach)]
    orders = demands[unvisited_nodes]
    legs = distance_matrix[current_node, unvisited_nodes]
    second = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)] - 0.5 * reach[None, :]
    tight = orders[:, None] + orders[None, :] > rest_capacity
    second = np.where(tight | np.eye(len(orders), dtype=bool), np.inf, second)
    follow = np.minimum(second.min(axis=1), 0.15 + 0.6 * reach)
    total = legs - 0.6 * reach + 0.45 * follow
    choice = total.argmin()
    if rest_capacity < 10 and legs[choice] + reach[choice] > distance_matrix[current_node, depot] + 0.5 * reach[choice]:
        return depot
    return unvisited_nodes[choice]


# %% empty_seat_potential
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Unused capacity costs its share of a mean trip once no close customer could use it."""
    home = distance_matrix[depot]
    if current_node == depot:
        return max(unvisited_nodes, key=lambda c: home[c] + 0.01 * demands[c])
    mean_reach = sum(home[c] for c in unvisited_nodes) / len(unvisited_nodes)

    def potential(c):
        room = rest_capacity - demands[c]
        users = [distance_matrix[c][x] for x in unvisited_nodes if x != c and demands[x] <= room]
        idle = room / 40 * mean_reach
        return min(users + [0.3 + idle])

    def cost(c):
        return distance_matrix[current_node][c] - 0.55 * home[c] + 0.3 * potential(c)

    pick = min(unvisited_nodes, key=cost)
    saved = home[current_node] + home[pick] - distance_matrix[current_node][pick]
    if saved < 0.9 * home[pick] and rest_capacity <= 9:
        return depot
    return pick


# %% group_then_order
from itertools import permutations


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Pick four companions, try every order of them on the way home and take the first stop."""
    rows = distance_matrix.tolist()
    here, home = int(current_node), int(depot)
    nodes = [int(c) for c in unvisited_nodes]
    if here == home:
        return max(nodes, key=lambda c: rows[home][c])
    group = []
    room = rest_capacity
    while len(group) < 4:
        fitting = [c for c in nodes if c not in group and demands[c] <= room]
        if not fitting:
            break
        known = [here] + group
        chosen = min(fitting, key=lambda c: min(rows[k][c] for k in known) - 0.45 * rows[home][c])
        group.append(chosen)
        room -= demands[chosen]
    closing = 1.0 if room < 10 else 0.35

    def length(order):
        total = rows[here][order[0]] + closing * rows[order[-1]][home]
        return total + sum(rows[a][b] for a, b in zip(order, order[1:]))

    return min(permutations(group), key=length)[0]


# %% phase_split
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Three phases: gather around the far end, follow savings inwards, fill up on the line home."""
    reach = distance_matrix[depot, unvisited_nodes]
    legs = distance_matrix[current_node, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    if rest_capacity > 24:
        return unvisited_nodes[np.argmin(legs - 0.55 * reach)]
    detour = legs + reach - distance_matrix[current_node, depot]
    if rest_capacity > 9:
        return unvisited_nodes[np.argmin(0.7 * legs + 0.6 * detour - 0.45 * reach)]
    waste = (rest_capacity - demands[unvisited_nodes]) / 40.0
    value = detour + 0.5 * waste - 0.3 * reach
    winner = value.argmin()
    return unvisited_nodes[winner] if detour[winner] < 0.55 * reach[winner] + 0.03 else depot


# %% return_or_relay
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """With little load compare going on with leaving the customer to the next trip from its likely seed."""
    home = distance_matrix[depot]
    seed = max(unvisited_nodes, key=lambda c: home[c])
    if current_node == depot:
        return seed
    best = min(unvisited_nodes, key=lambda c: distance_matrix[current_node][c] - 0.5 * home[c])
    detour = distance_matrix[current_node][best] + home[best] - home[current_node]
    relays = [x for x in unvisited_nodes if x != best]
    if not relays:
        return best
    close = min(distance_matrix[best][x] for x in relays)
    on_way = distance_matrix[seed][best] + home[best] - home[seed]
    relay = min(2.0 * close, on_way + 0.05) if seed != best else 2.0 * close
    if rest_capacity < 14 and detour > relay + 0.3 * home[best]:
        return depot
    return best


# %% sector_load_balance
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Weigh legs by the demand waiting in the same direction: thin directions are emptied first."""
    reach = distance_matrix[depot, unvisited_nodes]
    among = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    cross = (reach[:, None] ** 2 + reach[None, :] ** 2 - among**2) / np.maximum(2 * np.outer(reach, reach), 1e-9)
    cone_load = (cross > 0.8) @ demands[unvisited_nodes]
    thin = 1.0 / (1.0 + cone_load / 40.0)
    if current_node == depot:
        return unvisited_nodes[np.argmax(reach * (1.0 + 0.4 * thin))]
    legs = distance_matrix[current_node, unvisited_nodes]
    return unvisited_nodes[np.argmin(legs - 0.5 * reach - 0.25 * thin * reach)]


# %% along_the_ray
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Follow the ray of the present place: moves across it are dear, moves along it cheap."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    radius = max(distance_matrix[depot, current_node], 1e-9)
    legs = distance_matrix[current_node, unvisited_nodes]
    along = (reach**2 + radius**2 - legs**2) / (2 * radius)
    across = np.sqrt(np.maximum(reach**2 - along**2, 0.0))
    inward = np.maximum(radius - along, 0.0)
    outward = np.maximum(along - radius, 0.0)
    cost = 1.1 * across + 0.6 * inward + 0.3 * outward
    k = int(cost.argmin())
    if rest_capacity < 10 and across[k] > 0.3 and reach[k] < 2.5 * across[k]:
        return depot
    return unvisited_nodes[k]


# %% gain_per_unit_knapsack
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Savings per unit of load when room is scarce, plain savings when it is not."""
    home = distance_matrix[depot]
    if current_node == depot:
        return max(unvisited_nodes, key=lambda c: home[c])
    waiting = sum(int(demands[c]) for c in unvisited_nodes)
    scarcity = min(1.0, max(waiting - rest_capacity, 0) / 80)
    best, top = unvisited_nodes[0], -float("inf")
    for c in unvisited_nodes:
        saving = 0.75 * home[c] - 1.5 * distance_matrix[current_node][c] + 2.0
        score = saving / max(int(demands[c]), 1) ** (0.06 * scarcity)
        if score > top:
            best, top = c, score
    return best


# %% nearest_to_trip_tail_and_seed
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Close to the vehicle yet far from where the next trip will start."""
    reach = distance_matrix[depot, unvisited_nodes]
    order = np.argsort(-reach, kind="stable")
    if current_node == depot:
        return unvisited_nodes[order[0]]
    legs = distance_matrix[current_node, unvisited_nodes]
    rim = unvisited_nodes[order[:3]]
    away = distance_matrix[np.ix_(unvisited_nodes, rim)].min(axis=1)
    away[order[:3]] = legs[order[:3]]
    return unvisited_nodes[np.argmin(legs - 0.4 * reach - 0.12 * away)]


# %% detour_quantile
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Only the cheapest tenth of detours qualifies; the outermost of these is served."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    detour = distance_matrix[current_node, unvisited_nodes] + 0.4 * reach
    detour -= 0.4 * distance_matrix[current_node, depot]
    bar = np.quantile(detour, 0.06)
    eligible = np.flatnonzero(detour <= bar + 1e-12)
    return unvisited_nodes[eligible[np.argmax(reach[eligible])]]


# %% heap_of_links
import heapq


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Pop adjusted legs from a heap until a customer is not wanted more by a close companion."""
    home = distance_matrix[depot]
    if current_node == depot:
        return max(unvisited_nodes, key=lambda c: home[c])
    heap = [(distance_matrix[current_node][c] - 0.4 * home[c], int(c)) for c in unvisited_nodes]
    heapq.heapify(heap)
    fallback = heap[0][1]
    for _ in range(min(4, len(heap))):
        _, c = heapq.heappop(heap)
        rival = min(
            [distance_matrix[c][x] + 0.2 * (home[c] - home[x]) for x in unvisited_nodes if x != c],
            default=9.0,
        )
        if distance_matrix[current_node][c] < 1.4 * rival + 0.1:
            return c
    return fallback


# %% clear_outer_shell
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Nearest customer of the outer shell first; inner ones wait for the end of the trip."""
    home = distance_matrix[depot]
    edge = max(home[c] for c in unvisited_nodes)
    spare = rest_capacity / 40
    shell = [c for c in unvisited_nodes if home[c] >= (0.4 + 0.3 * spare) * edge]
    if current_node == depot:
        return max(shell, key=lambda c: home[c])
    best = min(shell, key=lambda c: distance_matrix[current_node][c])
    local = min(unvisited_nodes, key=lambda c: distance_matrix[current_node][c])
    return best if distance_matrix[current_node][best] < 2.0 * distance_matrix[current_node][local] + 0.15 else local


# %% regret_against_next_seed
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Regret between riding now and riding with the trip of one of the three outermost customers."""
    reach = distance_matrix[depot, unvisited_nodes]
    rim = np.argsort(-reach, kind="stable")[:3]
    if current_node == depot:
        return unvisited_nodes[rim[0]]
    legs = distance_matrix[current_node, unvisited_nodes]
    now = 1.5 * legs - 0.75 * reach
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[rim])]
    later = block + 0.6 * reach[:, None] - 0.6 * reach[rim][None, :]
    later[rim, np.arange(len(rim))] = 0.3 * reach[rim]
    return unvisited_nodes[np.argmin(now - 0.2 * later.min(axis=1))]


# %% shared_trip_estimate
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Compare a visit now with an estimate of a later one: radial share of its load plus a local term."""
    reach = distance_matrix[depot, unvisited_nodes]
    orders = demands[unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[np.argmax(reach * (1.0 + 0.02 * orders))]
    spacing = 0.7 * np.sqrt(0.5 / len(unvisited_nodes))
    later = 2.0 * reach * orders / 40 + spacing
    now = distance_matrix[current_node, unvisited_nodes]
    weight = 0.5 + 0.5 * (1 - rest_capacity / 40)
    now = now + weight * (reach - distance_matrix[current_node, depot])
    bargain = 0.5 * later - now
    k = int(bargain.argmax())
    return unvisited_nodes[k] if bargain[k] > -0.25 or rest_capacity > 10 else depot


# %% blend_two_deep
import numpy as np


def scores(place, nodes, depot, room, demands, d):
    reach = d[depot, nodes]
    leg = d[place, nodes]
    filled = 0.967 - room / 70.0
    pairs = d[np.ix_(nodes, nodes)] + 9.0 * np.eye(len(nodes))
    gap = np.minimum(pairs.min(axis=1), reach)
    return leg * (0.741 + 0.788 * filled) - (0.756 - 0.376 * filled) * reach - 0.187 * gap


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """The four best customers of a weighted rule are compared again with the rule's value one stop later."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    first = scores(current_node, unvisited_nodes, depot, rest_capacity, demands, distance_matrix)
    best, lowest = depot, float("inf")
    for k in np.argsort(first, kind="stable")[:4]:
        c = unvisited_nodes[k]
        room = rest_capacity - demands[c]
        rest = unvisited_nodes[(unvisited_nodes != c) & (demands[unvisited_nodes] <= room)]
        after = 0.718 * reach[k] - 0.128
        if len(rest):
            after = min(after, scores(c, rest, depot, room, demands, distance_matrix).min())
        if first[k] + 0.513 * after < lowest:
            best, lowest = c, first[k] + 0.535 * after
    surplus = distance_matrix[current_node, best] + distance_matrix[best, depot] - distance_matrix[current_node, depot]
    return depot if rest_capacity < 9 and surplus > 0.343 * distance_matrix[best, depot] else best


# %% trip_against_fluid_rest
import numpy as np


def finish(here, left, room, depot, demands, d):
    """Length of a reach-seeking trip from here to the depot and a mask of the customers it leaves."""
    length = 0.0
    waiting = left.copy()
    while True:
        options = waiting[demands[waiting] <= room]
        if len(options) == 0:
            return length + d[here, depot], waiting
        step = options[np.argmin(1.5 * d[here, options] - 0.898 * d[depot, options])]
        if room < 9 and d[here, step] + d[step, depot] - d[here, depot] > 0.334 * d[depot, step]:
            return length + d[here, depot], waiting
        length += d[here, step]
        room -= demands[step]
        waiting = waiting[waiting != step]
        here = step


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Finish the trip from six starts; those left are priced as a fluid: radial load and nearest gaps."""
    reach = distance_matrix[depot]
    legs = distance_matrix[current_node, unvisited_nodes]
    rank = np.argsort((0.111 if current_node == depot else 1.0) * legs - 0.375 * reach[unvisited_nodes], kind="stable")
    best, lowest = depot, float("inf")
    for c in unvisited_nodes[rank[:6]]:
        others = unvisited_nodes[unvisited_nodes != c]
        length, left = finish(c, others, rest_capacity - demands[c], depot, demands, distance_matrix)
        total = distance_matrix[current_node, c] + length
        if len(left):
            gaps = distance_matrix[np.ix_(left, left)] + 9.0 * np.eye(len(left))
            total += 0.9 * np.minimum(gaps.min(axis=1), reach[left]).sum()
            total += 0.111 * (reach[left] * demands[left]).sum()
        if total < lowest:
            best, lowest = c, total
    return best


# %% portfolio_of_trips
def ride(here, nodes, room, depot, orders, rows, pull, price):
    """First stop of a trip with a given pull of the reach, and its length minus what its stops are worth."""
    first, value = depot, 0.0
    left = list(nodes)
    while True:
        left = [c for c in left if orders[c] <= room]
        if not left:
            break
        c = min(left, key=lambda x: rows[here][x] - pull * rows[depot][x])
        if first != depot and rows[here][c] + rows[c][depot] - rows[here][depot] > price[c]:
            break
        first = c if first == depot else first
        value += rows[here][c] - price[c]
        room -= orders[c]
        left.remove(c)
        here = c
    return value + rows[here][depot], first


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Finish the trip under six mixtures of nearness and reach; the most profitable one leads."""
    rows = distance_matrix.tolist()
    orders = demands.tolist()
    nodes = [int(c) for c in unvisited_nodes]
    if current_node == depot:
        return max(nodes, key=lambda c: rows[depot][c])
    price = {}
    for c in nodes:
        gap = min([rows[c][x] for x in nodes if x != c], default=rows[depot][c])
        price[c] = 0.05 * rows[depot][c] * orders[c] + 0.8 * gap + 0.2 * rows[depot][c]
    options = []
    for pull in (0.0, 0.2, 0.35, 0.5, 0.65, 0.8):
        options.append(ride(current_node, nodes, rest_capacity, depot, orders, rows, pull, price))
    return min(options)[1]


# %% noisy_trip_samples
import random


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Sample a dozen slightly random ends of this trip and follow the start of the most worthwhile."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    nodes = [int(c) for c in unvisited_nodes]
    if current_node == depot:
        return max(nodes, key=lambda c: home[c])
    dice = random.Random(1000 * int(current_node) + len(nodes))
    gap = {c: min([rows[c][x] for x in nodes if x != c], default=home[c]) for c in nodes}
    best, answer = float("inf"), nodes[0]
    for sample in range(12):
        here, room, value = int(current_node), int(rest_capacity), 0.0
        left = list(nodes)
        start = depot
        while left:
            lenient = 0.12 if sample else 0.0
            c = min(left, key=lambda x: rows[here][x] - 0.45 * home[x] + lenient * dice.random())
            worth = home[c] * (0.227 + 0.045 * demands[c]) + 0.8 * gap[c]
            value += rows[here][c] - worth
            start = c if start == depot else start
            here = c
            room -= int(demands[c])
            left = [x for x in left if x != c and demands[x] <= room]
        if value + home[here] < best:
            best, answer = value + home[here], start
    return answer


# %% polished_trip
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Gather the rest of this trip greedily, undo its crossings and go to its first stop."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    left = [int(c) for c in unvisited_nodes]
    if current_node == depot:
        return max(left, key=lambda c: home[c])
    path = [int(current_node)]
    room = rest_capacity
    while left:
        left = [c for c in left if demands[c] <= room and c not in path]
        if not left:
            break
        c = min(left, key=lambda x: 0.947 * min(rows[p][x] for p in path[-3:]) - 0.45 * home[x])
        if room < 9 and rows[path[-1]][c] + home[c] - home[path[-1]] > 0.642 * home[c] and len(path) > 1:
            break
        path.append(c)
        room -= demands[c]
    path.append(int(depot))
    for _ in range(3):
        for i in range(1, len(path) - 2):
            for j in range(i + 1, len(path) - 1):
                before = rows[path[i - 1]][path[i]] + rows[path[j]][path[j + 1]]
                after = rows[path[i - 1]][path[j]] + rows[path[i]][path[j + 1]]
                if after < before - 1e-9:
                    path[i : j + 1] = path[i : j + 1][::-1]
    return path[1]


# %% local_merging
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Merge the dozen customers around here into chains by savings; enter the most attractive chain."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    here = int(current_node)
    if here == depot:
        return max(unvisited_nodes, key=lambda c: home[c])
    near = sorted((int(c) for c in unvisited_nodes), key=lambda c: rows[here][c] - 0.3 * home[c])[:12]
    chains = {c: [c] for c in near}
    links = sorted((rows[a][b] - home[a] - home[b], a, b) for a in near for b in near if a < b)
    for saving, a, b in links:
        one, two = chains[a], chains[b]
        load = sum(int(demands[c]) for c in one + two)
        if one is two or load > rest_capacity or saving > -0.2:
            continue
        if a in (one[0], one[-1]) and b in (two[0], two[-1]):
            merged = (one if one[-1] == a else one[::-1]) + (two if two[0] == b else two[::-1])
            for c in merged:
                chains[c] = merged

    def entry(c):
        chain = chains[c]
        exit_stop = chain[-1] if chain[0] == c else chain[0]
        inner = 0.0 if c in (chain[0], chain[-1]) else 0.15
        return rows[here][c] - 0.5 * home[c] + 0.1 * home[exit_stop] - 0.01 * len(chain) + inner

    return min(near, key=entry)


# %% three_experts_majority
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Three weighted rules propose; two equal proposals win, else the one with the cheapest detour home."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    leg = distance_matrix[current_node, unvisited_nodes]
    pairs = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)] + 9.0 * np.eye(len(unvisited_nodes))
    gap = np.minimum(pairs.min(axis=1), reach)
    outward = int(np.argmin(leg - 0.6 * reach))
    rescue = int(np.argmin(leg - 0.35 * reach - 0.5 * gap))
    frugal = int(np.argmin(leg * (1.4 - rest_capacity / 80) - 0.4 * reach - 0.004 * demands[unvisited_nodes]))
    named = [outward, rescue, frugal]
    choice = max(named, key=lambda k: (named.count(k), -leg[k] - 0.6 * reach[k]))
    detour = leg[choice] + reach[choice] - distance_matrix[current_node, depot]
    return depot if rest_capacity < 9 and detour > 0.5 * reach[choice] else unvisited_nodes[choice]


# %% seed_by_trip_profit
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Open with the remote seed whose trip is shortest per radial load; then blend leg and reach."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    nodes = [int(c) for c in unvisited_nodes]

    def following(here, left):
        return min(left, key=lambda c: 0.916 * rows[here][c] - 0.698 * home[c])

    if current_node != depot:
        pick = following(current_node, nodes)
        detour = rows[current_node][pick] + home[pick] - home[current_node]
        return depot if rest_capacity < 10 and detour > 0.302 * home[pick] else pick
    best, lowest = nodes[0], float("inf")
    for seed in sorted(nodes, key=lambda c: -home[c])[:6]:
        length, room, share = home[seed], rest_capacity - demands[seed], home[seed] * (demands[seed] + 4.48)
        here = seed
        left = [c for c in nodes if c != seed and demands[c] <= room]
        while left:
            c = following(here, left)
            length += rows[here][c]
            share += home[c] * (demands[c] + 5.31)
            room -= demands[c]
            here = c
            left = [x for x in left if x != c and demands[x] <= room]
        ratio = (length + home[here] + 0.02 * room) / (share + 1e-9) - 0.013 * home[seed]
        if ratio < lowest:
            best, lowest = seed, ratio
    return best


# %% hard_to_combine_first
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Open trips at, and prefer, customers that are hardest to combine with any others."""
    reach = distance_matrix[depot, unvisited_nodes]
    among = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    mutual = reach[:, None] + reach[None, :] - among
    np.fill_diagonal(mutual, 0.0)
    kinship = np.sort(mutual, axis=1)[:, -4:].mean(axis=1)
    if current_node == depot:
        return unvisited_nodes[np.argmax(1.79 * reach - 0.484 * kinship)]
    leg = distance_matrix[current_node, unvisited_nodes]
    orphan = 1.23 * reach - kinship
    k = int(np.argmin(0.883 * leg - 0.5 * reach - 0.294 * orphan))
    detour = leg[k] + reach[k] - distance_matrix[current_node, depot]
    return depot if rest_capacity < 10 and detour > 0.414 * reach[k] else unvisited_nodes[k]


# %% closing_distance_schedule
import math


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """A schedule says how far out a trip should be at each load; deviations from it cost."""
    home = distance_matrix[depot]
    if current_node == depot:
        return max(unvisited_nodes, key=lambda c: home[c])
    edge = max(home[c] for c in unvisited_nodes)
    best, lowest = depot, float("inf")
    for c in unvisited_nodes:
        after = max(rest_capacity - demands[c], 0) / 40.65
        planned = edge * math.sqrt(after + 0.093)
        off = planned - home[c]
        penalty = 0.387 * off if off > 0 else -0.414 * off
        cost = 0.826 * distance_matrix[current_node][c] + penalty - 0.489 * home[c]
        if cost < lowest:
            best, lowest = c, cost
    detour = distance_matrix[current_node][best] + home[best] - home[current_node]
    return depot if rest_capacity < 8 and detour > 0.523 * home[best] else best


# %% last_two_fit
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """With room for about two stops, weigh single and double endings by detour against saved radial load."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    here = int(current_node)
    nodes = [int(c) for c in unvisited_nodes]
    if here == depot:
        return max(nodes, key=lambda c: home[c])
    near = sorted(nodes, key=lambda c: 1.51 * rows[here][c] - 0.986 * home[c])
    if rest_capacity > 14:
        return near[0]
    worth = {c: home[c] * (0.232 + 0.037 * demands[c]) + 0.075 for c in near[:9]}
    endings = [(home[here], depot)]
    for a in worth:
        endings.append((rows[here][a] + home[a] - worth[a], a))
        for b in worth:
            if a != b and demands[a] + demands[b] <= rest_capacity:
                endings.append((rows[here][a] + rows[a][b] + home[b] - worth[a] - worth[b], a))
    return min(endings)[1]


# %% insertion_plan_with_regret
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Plan up to six insertions between here and home, lonely ones first; start with the first stop."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    left = [int(c) for c in unvisited_nodes]
    if current_node == depot:
        return max(left, key=lambda c: home[c])
    lonely = {c: min([rows[c][x] for x in left if x != c], default=home[c]) for c in left}
    path = [int(current_node), int(depot)]
    room = rest_capacity
    for _ in range(6):
        offers = []
        for c in left:
            if demands[c] <= room:
                costs = [rows[a][c] + rows[c][b] - rows[a][b] for a, b in zip(path, path[1:])]
                k = costs.index(min(costs))
                anchor = min(rows[p][c] for p in path[:-1])
                offers.append((costs[k] + 0.883 * anchor - 0.519 * home[c] - 1.22 * lonely[c], c, k + 1))
        if not offers:
            break
        value, c, k = min(offers)
        if value > 0.09 and len(path) > 2:
            break
        path.insert(k, c)
        left.remove(c)
        room -= demands[c]
    return path[1]


# %% insertion_with_loneliness
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Insert remote and lonely customers between here and home until full; drive to the first."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    pool = {int(c): int(demands[c]) for c in unvisited_nodes}
    rescue = {}
    for c in pool:
        near = sorted(rows[c][x] for x in pool if x != c)[:2]
        rescue[c] = 1.08 * home[c] + 0.198 * (sum(near) / len(near) if near else home[c])
    tour = [int(current_node), int(depot)]
    room = int(rest_capacity)
    if current_node == depot:
        return max(pool, key=lambda c: rescue[c])
    while pool:
        found = []
        for c, order in pool.items():
            if order <= room:
                for k, (a, b) in enumerate(zip(tour, tour[1:])):
                    found.append((rows[a][c] + rows[c][b] - rows[a][b] - rescue[c], c, k + 1))
        if not found:
            break
        value, c, k = min(found)
        if value > -0.13 and len(tour) > 2:
            break
        tour.insert(k, c)
        room -= pool.pop(c)
    return tour[1]


# %% insertion_per_unit_of_room
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Insertion planning of this trip where net gains are divided by a soft power of the order's size."""
    rows = distance_matrix.tolist()
    stops = [int(current_node), int(depot)]
    waiting = set(int(c) for c in unvisited_nodes)
    room = int(rest_capacity)
    going = True
    while going:
        going = False
        top, chosen, slot = 0.088, 0, 0
        for c in sorted(waiting):
            if demands[c] > room:
                continue
            for k in range(len(stops) - 1):
                extra = rows[stops[k]][c] + rows[c][stops[k + 1]] - rows[stops[k]][stops[k + 1]]
                gain = (2.1 * rows[depot][c] - extra + 0.069) / max(float(demands[c]), 1.0) ** 0.034
                if gain > top:
                    top, chosen, slot = gain, c, k + 1
                    going = True
        if going:
            stops.insert(slot, chosen)
            waiting.discard(chosen)
            room -= int(demands[chosen])
    return stops[1] if len(stops) > 2 else min(waiting, key=lambda c: rows[current_node][c])


# %% rival_trip_insertion
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Plan by insertion the customers that a rival trip with a far seed would serve less cheaply."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    pool = [int(c) for c in unvisited_nodes]
    here = int(current_node)
    if here == depot:
        return max(pool, key=lambda c: home[c])
    mine = [here, int(depot)]
    rival_seed = max(pool, key=lambda c: home[c] + 0.973 * rows[here][c])
    room = int(rest_capacity)
    while True:
        best, slot, lowest = -1, 0, 0.0
        for c in pool:
            if c in mine or demands[c] > room:
                continue
            theirs = home[c] + rows[rival_seed][c] - home[rival_seed] if c != rival_seed else 0.328
            for k in range(1, len(mine)):
                extra = rows[mine[k - 1]][c] + rows[c][mine[k]] - rows[mine[k - 1]][mine[k]]
                bid = extra - 0.701 * home[c] - 0.296 * theirs
                if bid < lowest:
                    best, slot, lowest = c, k, bid
        if best < 0:
            return mine[1]
        mine.insert(slot, best)
        room -= int(demands[best])


# %% profitable_rollout_width
def follow(start, nodes, room, home, orders, rows):
    """Profit of a trip that stops when the next detour costs more than it is worth."""
    profit, here = 1.4 * home[start], start
    room -= orders[start]
    left = [c for c in nodes if c != start]
    while left:
        left = [c for c in left if orders[c] <= room]
        if not left:
            break
        c = min(left, key=lambda x: rows[here][x] + 0.238 * abs(home[x] - home[here]) - 0.515 * home[x])
        detour = rows[here][c] + home[c] - home[here]
        if detour > 1.62 * home[c] + 0.091:
            break
        profit += 0.808 * home[c] - rows[here][c]
        room -= orders[c]
        left.remove(c)
        here = c
    return profit - home[here] - 0.017 * room


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Roll out the trip from as many starts as the load suggests, more when the vehicle is nearly empty."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    nodes = [int(c) for c in unvisited_nodes]
    if current_node == depot:
        return max(nodes, key=lambda c: home[c])
    width = 4 + int(12 * (1 - rest_capacity / 40))
    starts = sorted(nodes, key=lambda c: rows[current_node][c] - 0.375 * home[c])[: max(width, 3)]
    orders = demands.tolist()
    profits = [follow(c, nodes, rest_capacity, home, orders, rows) - rows[current_node][c] for c in starts]
    return starts[profits.index(max(profits))]


# %% tree_of_the_rest
import numpy as np


def spanning_length(nodes, d):
    """Length of a shortest spanning tree."""
    reach = d[nodes[0], nodes].copy()
    outside = np.ones(len(nodes), dtype=bool)
    outside[0] = False
    total = 0.0
    while outside.any():
        k = int(np.where(outside, reach, np.inf).argmin())
        total += reach[k]
        outside[k] = False
        reach = np.minimum(reach, d[nodes[k], nodes])
    return total


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Leg plus the spanning tree that the other customers and the depot still need, for the three closest."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    legs = distance_matrix[current_node, unvisited_nodes]
    best, lowest = unvisited_nodes[0], float("inf")
    for k in np.argsort(legs - 0.5 * reach, kind="stable")[:3]:
        rest = np.append(np.delete(unvisited_nodes, k), depot)
        value = legs[k] - 0.5 * reach[k] + 0.4 * spanning_length(rest, distance_matrix)
        if value < lowest:
            best, lowest = unvisited_nodes[k], value
    return best


# %% trip_budget
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Allow a detour up to what the free room could earn elsewhere, a reserve that shrinks with it."""
    home = distance_matrix[depot]
    if current_node == depot:
        return max(unvisited_nodes, key=lambda c: home[c])
    waiting = sum(int(demands[c]) for c in unvisited_nodes)
    earning = 2.0 * sum(home[c] * demands[c] for c in unvisited_nodes) / max(waiting, 1) / 40
    costs = {}
    for c in unvisited_nodes:
        detour = distance_matrix[current_node][c] + home[c] - home[current_node]
        costs[int(c)] = (
            0.895 * distance_matrix[current_node][c] + detour - 1.24 * home[c] - 0.079 * earning * demands[c]
        )
    chosen = min(costs, key=costs.get)
    reserve = earning * rest_capacity
    detour = distance_matrix[current_node][chosen] + home[chosen] - home[current_node]
    return depot if detour > 0.308 * home[chosen] + reserve else chosen


# %% deserted_surroundings
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Customers whose surroundings are mostly served already go first, before they are cut off."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    everyone = np.arange(len(demands))
    gone = np.setdiff1d(everyone, np.append(unvisited_nodes, (depot, current_node)))
    legs = distance_matrix[current_node, unvisited_nodes]
    crowd = np.exp(-15.0 * distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]).sum(axis=1)
    holes = np.exp(-15.0 * distance_matrix[np.ix_(unvisited_nodes, gone)]).sum(axis=1)
    deserted = holes / (holes + crowd)
    cost = legs * (1.7 - 0.02 * rest_capacity) - 0.4 * reach - 0.2 * deserted
    return unvisited_nodes[np.argmin(cost)]


# %% scrambled_numbers
def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """A fixed scramble of the customer numbers decides, but only among the nearer half."""
    half = sorted(unvisited_nodes, key=lambda c: distance_matrix[current_node][c])[: (len(unvisited_nodes) + 1) // 2]
    return min(half, key=lambda c: (37 * int(c) + 11) % 101)


# %% mean_leg_of_a_triple
from itertools import combinations


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Of all triples among six attractive customers take the tightest and enter it at its best end."""
    rows = distance_matrix.tolist()
    home = rows[depot]
    here = int(current_node)
    nodes = [int(c) for c in unvisited_nodes]
    if here == depot:
        return max(nodes, key=lambda c: home[c])
    near = sorted(nodes, key=lambda c: rows[here][c] - 0.4 * home[c])[:6]
    best, lowest = near[0], float("inf")
    for triple in combinations(near, 3):
        if sum(demands[c] for c in triple) > rest_capacity:
            continue
        bonus = 0.35 * sum(home[c] for c in triple)
        for a, b, c in (
            triple,
            triple[::-1],
            (triple[1], triple[0], triple[2]),
            (triple[2], triple[0], triple[1]),
        ):
            length = rows[here][a] + rows[a][b] + rows[b][c] + 0.3 * home[c]
            if length - bonus < lowest:
                best, lowest = a, length - bonus
    return best


# %% soft_minimum_future
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Replace the best follow-up by a soft minimum over all that would still fit, the depot among them."""
    reach = distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        return unvisited_nodes[reach.argmax()]
    orders = demands[unvisited_nodes]
    among = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    fits = orders[None, :] <= rest_capacity - orders[:, None]
    np.fill_diagonal(fits, False)
    mass = np.where(fits, np.exp(-9.0 * among), 0.0).sum(axis=1) + np.exp(-9.0 * reach)
    future = -np.log(mass + 1e-12) / 9.0
    return unvisited_nodes[np.argmin(distance_matrix[current_node, unvisited_nodes] - 0.5 * reach + 0.15 * future)]


# %% insertion_profit_per_start
def sketch_profit(path, left, room, rows, home, orders, worth):
    """Length less worth of the path after greedy insertions behind its second stop."""
    value = sum(rows[a][b] for a, b in zip(path, path[1:])) - worth[path[1]]
    while left:
        offers = []
        for c in left:
            if orders[c] <= room:
                for k in range(2, len(path)):
                    a, b = path[k - 1], path[k]
                    offers.append((rows[a][c] + rows[c][b] - rows[a][b] - worth[c], c, k))
        if not offers or min(offers)[0] > 0.059:
            break
        gain, c, k = min(offers)
        value += gain
        path.insert(k, c)
        room -= orders[c]
        left = [x for x in left if x != c]
    return value


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Complete this trip by insertions for each of four next stops; the most profitable wins."""
    rows = distance_matrix.tolist()
    home, orders = rows[depot], demands.tolist()
    here = int(current_node)
    nodes = [int(c) for c in unvisited_nodes]
    if here == depot:
        return max(nodes, key=lambda c: home[c])
    worth = {c: 0.745 * home[c] + 0.026 * orders[c] * home[c] for c in nodes}
    starts = sorted(nodes, key=lambda c: rows[here][c] - 0.365 * home[c])[:4]
    best, lowest = depot, home[here]
    for c in starts:
        left = [x for x in nodes if x != c]
        value = sketch_profit([here, c, depot], left, rest_capacity - orders[c], rows, home, orders, worth)
        if value < lowest:
            best, lowest = c, value
    return best


# %% fluid_rest_with_return
import numpy as np


def rest_estimate(left, depot, demands, d):
    """Expected cost of serving the rest: radial load and two nearest gaps each."""
    if len(left) == 0:
        return 0.0
    block = np.sort(np.column_stack((d[np.ix_(left, left)], d[left, depot])), axis=1)
    gaps = block[:, 1:3].mean(axis=1)
    return 0.762 * gaps.sum() + 0.062 * (d[depot, left] * demands[left]).sum()


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Going home competes with five trip endings, each charged for those it leaves behind."""
    d = distance_matrix
    reach = d[depot]
    if current_node == depot:
        return unvisited_nodes[reach[unvisited_nodes].argmax()]
    best = depot
    lowest = reach[current_node] + rest_estimate(unvisited_nodes, depot, demands, d)
    pull = d[current_node, unvisited_nodes] - 0.409 * reach[unvisited_nodes]
    for c in unvisited_nodes[np.argsort(pull, kind="stable")[:5]]:
        total, here, room = d[current_node, c], c, rest_capacity - demands[c]
        left = unvisited_nodes[unvisited_nodes != c]
        while True:
            options = left[demands[left] <= room]
            if len(options) == 0:
                break
            step = options[np.argmin(d[here, options] - 0.257 * reach[options])]
            if d[here, step] + reach[step] - reach[here] > 0.801 * reach[step]:
                break
            total += d[here, step]
            room -= demands[step]
            left = left[left != step]
            here = step
        total += reach[here] + rest_estimate(left, depot, demands, d)
        if total < lowest:
            best, lowest = c, total
    return best
