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
