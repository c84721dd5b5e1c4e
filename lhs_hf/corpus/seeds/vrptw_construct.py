# %% lowest_id
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Serve customers in numerical order."""
    return unvisited_nodes[0]


# %% nearest
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Drive to the closest customer that can still be served in time."""
    return unvisited_nodes[np.argmin(distance_matrix[current_node, unvisited_nodes])]


# %% farthest
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Always take the longest possible step."""
    return max(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])


# %% random_seeded
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """A seeded coin decides among the feasible customers."""
    generator = np.random.default_rng(7 + 13 * int(current_node) + len(unvisited_nodes))
    return generator.choice(unvisited_nodes)


# %% earliest_closing
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """The customer whose window closes first goes first."""
    chosen = unvisited_nodes[0]
    for node in unvisited_nodes:
        if time_windows[node][1] < time_windows[chosen][1]:
            chosen = node
    return chosen


# %% latest_closing
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Start with the customers whose windows close last, against the flow of time."""
    return max(unvisited_nodes, key=lambda node: time_windows[node][1])


# %% soonest_start
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Serve whoever can be served first: the later of arrival and opening decides, distance settles ties."""
    step = distance_matrix[current_node, unvisited_nodes]
    begin = np.maximum(current_time + step, time_windows[unvisited_nodes, 0])
    return unvisited_nodes[np.argmin(begin + 1e-6 * step)]


# %% least_waiting
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Avoid standing in front of closed doors: shortest wait first, then shortest drive."""
    best_node = unvisited_nodes[0]
    best_key = (float("inf"), float("inf"))
    for node in unvisited_nodes:
        drive = distance_matrix[current_node][node]
        wait = max(0.0, time_windows[node][0] - current_time - drive)
        if (wait, drive) < best_key:
            best_key = (wait, drive)
            best_node = node
    return best_node


# %% least_slack
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """The customer that would be missed soonest, counted from the moment we could arrive."""

    def slack(node):
        return time_windows[node][1] - (current_time + distance_matrix[current_node][node])

    return min(unvisited_nodes, key=slack)


# %% distance_plus_wait
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Add half of the waiting time to the distance, since time lost shortens the route."""
    drive = distance_matrix[current_node, unvisited_nodes]
    wait = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0)
    return unvisited_nodes[np.argmin(drive + 0.5 * wait)]


# %% distance_time_urgency
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Weigh three things: the drive, the time until service begins, and the time left before the window closes."""
    best_node, best_cost = unvisited_nodes[0], float("inf")
    for node in unvisited_nodes:
        drive = distance_matrix[current_node][node]
        arrival = current_time + drive
        begin = max(arrival, time_windows[node][0])
        urgency = time_windows[node][1] - arrival
        cost = 0.45 * drive + 0.4 * (begin - current_time) + 0.15 * urgency
        if cost < best_cost:
            best_node, best_cost = node, cost
    return best_node


# %% missed_customers_lookahead
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Charge each step for the customers whose windows it would make us miss, assuming a typical time for service."""
    opening, closing = time_windows[unvisited_nodes, 0], time_windows[unvisited_nodes, 1]
    drive = distance_matrix[current_node, unvisited_nodes]
    leave = np.maximum(current_time + drive, opening) + 0.175
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    missed = (leave[:, None] + between > closing[None, :]).sum(axis=1)
    return unvisited_nodes[np.argmin(drive + 0.05 * missed)]


# %% most_followers
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Keep options open: go where most other customers remain reachable in time and capacity, the nearest of these."""

    def followers(node):
        leave = max(current_time + distance_matrix[current_node][node], time_windows[node][0]) + 0.18
        room = rest_capacity - demands[node]
        return sum(
            1
            for other in unvisited_nodes
            if other != node
            and demands[other] <= room
            and leave + distance_matrix[node][other] < time_windows[other][1]
        )

    return max(unvisited_nodes, key=lambda node: (followers(node), -distance_matrix[current_node][node]))


# %% far_first_then_soonest
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Routes open with the farthest of the early customers and go on with a blend of drive and start of service."""
    opening = time_windows[unvisited_nodes, 0]
    drive = distance_matrix[current_node, unvisited_nodes]
    if current_node == depot:
        begin = np.maximum(opening, drive)
        early = begin <= np.quantile(begin, 0.2)
        return unvisited_nodes[np.argmax(np.where(early, drive, -1.0))]
    begin = np.maximum(current_time + drive, opening) - current_time
    return unvisited_nodes[np.argmin(drive + begin)]


# %% home_if_wait_too_long
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Nearest customer with a short wait; when every wait is long and the depot is close, start afresh."""
    patience = 0.8
    short_wait = []
    for node in unvisited_nodes:
        arrival = current_time + distance_matrix[current_node][node]
        if time_windows[node][0] - arrival <= patience:
            short_wait.append(node)
    if short_wait:
        return min(short_wait, key=lambda node: distance_matrix[current_node][node])
    soonest = min(unvisited_nodes, key=lambda node: time_windows[node][0])
    if current_node != depot and distance_matrix[current_node][depot] < 0.5 * distance_matrix[current_node][soonest]:
        return depot
    return soonest


# %% nearest_of_urgent
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Shortlist the five windows that close first and drive to the closest of these customers."""
    urgent = sorted(unvisited_nodes, key=lambda node: time_windows[node][1])[:5]
    return min(urgent, key=lambda node: distance_matrix[current_node][node])


# %% urgent_of_nearest
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Shortlist the six closest customers and serve the one whose window opens first."""
    order = np.argsort(distance_matrix[current_node, unvisited_nodes], kind="stable")
    near = unvisited_nodes[order[:6]]
    return near[np.argmin(time_windows[near, 0])]


# %% distance_times_start
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Multiply the drive by the time that passes until service begins; both must be small."""
    drive = distance_matrix[current_node, unvisited_nodes] + 0.02
    passing = np.maximum(drive, time_windows[unvisited_nodes, 0] - current_time)
    return unvisited_nodes[np.argmin(drive * passing)]


# %% exponential_urgency
import math


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Attraction falls exponentially with the time left until a window closes, and linearly with the drive."""
    best_node = None
    best_attraction = -float("inf")
    for node in unvisited_nodes:
        remaining = max(0.0, time_windows[node][1] - current_time)
        attraction = 2.0 * math.exp(-1.5 * remaining) - distance_matrix[current_node][node]
        if attraction > best_attraction:
            best_attraction = attraction
            best_node = node
    return best_node


# %% savings_minus_wait
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Take the customer that saves most against its own route, less the wait; routes open with the first window."""
    if current_node == depot:
        return unvisited_nodes[np.argmin(time_windows[unvisited_nodes, 1])]
    drive = distance_matrix[current_node, unvisited_nodes]
    own_trip = distance_matrix[depot, unvisited_nodes]
    wait = np.maximum(0.0, time_windows[unvisited_nodes, 0] - current_time - drive)
    return unvisited_nodes[np.argmax(own_trip - drive - 0.6 * wait)]


# %% skip_regret
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Prefer customers that nobody else can lead to: their best link from an earlier customer is missing or long."""
    opening, closing = time_windows[unvisited_nodes, 0], time_windows[unvisited_nodes, 1]
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)].copy()
    in_time = opening[:, None] + 0.175 + links <= closing[None, :]
    np.fill_diagonal(in_time, False)
    links = np.where(in_time, links, distance_matrix[depot, unvisited_nodes][None, :])
    alternative = links.min(axis=0)
    drive = distance_matrix[current_node, unvisited_nodes]
    lapse = np.maximum(drive, opening - current_time)
    return unvisited_nodes[np.argmax(alternative - drive - 0.7 * lapse)]


# %% two_step_lookahead
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Add the cheapest timely continuation to the drive and wait; without a continuation the way home is charged."""
    best_node, best_total = unvisited_nodes[0], float("inf")
    for node in unvisited_nodes:
        drive = distance_matrix[current_node][node]
        begin = max(current_time + drive, time_windows[node][0])
        follow = distance_matrix[node][depot] + 0.5
        for other in unvisited_nodes:
            if other == node or demands[other] > rest_capacity - demands[node]:
                continue
            step = distance_matrix[node][other]
            if begin + 0.2 + step <= time_windows[other][1]:
                wait = max(0.0, time_windows[other][0] - begin - 0.175 - step)
                follow = min(follow, step + 0.4 * wait)
        total = drive + 0.4 * (begin - current_time - drive) + follow
        if total < best_total:
            best_node, best_total = node, total
    return best_node


# %% chain_rollout
def follow_chain(node, clock, nodes, room, links, windows, demands, steps):
    """Customers served and length driven by a greedy chain of timely steps."""
    served, length = 1, 0.0
    left = [other for other in nodes if other != node]
    for _ in range(steps):
        best, best_cost, best_begin = None, float("inf"), clock
        for other in left:
            begin = max(clock + links[node][other], windows[other][0])
            if demands[other] <= room and clock + links[node][other] < windows[other][1]:
                cost = links[node][other] + 0.5 * (begin - clock)
                if cost < best_cost:
                    best, best_cost, best_begin = other, cost, begin
        if best is None:
            break
        length += links[node][best]
        served, room, clock, node = served + 1, room - demands[best], best_begin + 0.18, best
        left.remove(best)
    return served, length


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Follow a greedy chain of up to seven steps from five candidates; the least drive for each customer wins."""
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    nodes = [int(node) for node in unvisited_nodes]
    start = {node: max(current_time + links[current_node][node], windows[node][0]) for node in nodes}
    best, best_rate = nodes[0], float("inf")
    for node in sorted(nodes, key=lambda node: links[current_node][node] + 0.5 * start[node])[:5]:
        room = rest_capacity - amounts[node]
        served, length = follow_chain(node, start[node] + 0.18, nodes, room, links, windows, amounts, 7)
        rate = (links[current_node][node] + length + 0.5) / served
        if rate < best_rate:
            best, best_rate = node, rate
    return best


# %% detour_home
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Stretch the way home as little as possible and start service early."""
    best_node = unvisited_nodes[0]
    best_cost = float("inf")
    for node in unvisited_nodes:
        there = distance_matrix[current_node][node]
        detour = there + distance_matrix[node][depot] - distance_matrix[current_node][depot]
        begin = max(current_time + there, time_windows[node][0])
        if detour + 0.3 * begin < best_cost:
            best_cost = detour + 0.3 * begin
            best_node = node
    return best_node


# %% demand_rate
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Deliver as much as possible for each unit of time, driving and waiting included."""
    lapse = np.maximum(distance_matrix[current_node, unvisited_nodes], time_windows[unvisited_nodes, 0] - current_time)
    rate = demands[unvisited_nodes] / (lapse + 0.1)
    return unvisited_nodes[np.argmax(rate)]


# %% small_orders_first
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Smallest order first, so that a vehicle serves many customers; of equal ones the earliest window."""
    return min(unvisited_nodes, key=lambda node: (demands[node], time_windows[node][0]))


# %% window_order_by_rank
import numpy as np


def place(values):
    return np.argsort(np.argsort(values, kind="stable"), kind="stable")


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Add up the places of each customer in the order of windows and in the order of distances."""
    by_window = place(time_windows[unvisited_nodes].mean(axis=1))
    by_drive = place(distance_matrix[current_node, unvisited_nodes])
    return unvisited_nodes[np.argmin(by_window + 1.5 * by_drive)]


# %% loneliness
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Near in space and time, with a discount for customers that have no neighbour near in both."""
    middle = time_windows[unvisited_nodes].mean(axis=1)
    gaps = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)] + 0.6 * np.abs(middle[:, None] - middle[None, :])
    ordered = np.sort(gaps, axis=1)
    lonely = ordered[:, 1] if len(unvisited_nodes) > 1 else ordered[:, 0]
    cost = distance_matrix[current_node, unvisited_nodes] + 0.6 * np.abs(middle - current_time) - 0.7 * lonely
    return unvisited_nodes[cost.argmin()]


# %% just_in_time
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Aim for arrivals in the middle of a window; early and late arrivals cost alike."""

    def mismatch(node):
        arrival = current_time + distance_matrix[current_node][node]
        centre = 0.5 * (time_windows[node][0] + time_windows[node][1])
        return abs(arrival - centre) + 0.5 * distance_matrix[current_node][node]

    return min(unvisited_nodes, key=mismatch)


# %% same_direction
import math


def turn_at_depot(current_node, node, depot, distance_matrix):
    a, b = distance_matrix[depot][current_node], distance_matrix[depot][node]
    if a * b <= 1e-12:
        return 0.0
    cosine = (a * a + b * b - distance_matrix[current_node][node] ** 2) / (2 * a * b)
    return math.acos(min(1.0, max(-1.0, cosine)))


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Work through one sector at a time: the turn around the depot is added to the time until service begins."""
    chosen = unvisited_nodes[0]
    lowest = float("inf")
    for node in unvisited_nodes:
        begin = max(current_time + distance_matrix[current_node][node], time_windows[node][0])
        cost = begin - current_time + 0.5 * turn_at_depot(current_node, node, depot, distance_matrix)
        if cost < lowest:
            lowest = cost
            chosen = node
    return chosen


# %% early_route_spacing
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Stick to the windows early in the day and to the distances late in the day."""
    horizon = max(float(time_windows[depot, 1]), 1e-9)
    day = min(1.0, current_time / horizon)
    drive = distance_matrix[current_node, unvisited_nodes]
    begin = np.maximum(current_time + drive, time_windows[unvisited_nodes, 0])
    return unvisited_nodes[np.argmin((0.3 + day) * drive + (1.0 - 0.8 * day) * (begin - current_time))]


# %% last_chance
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Go to the best next customer unless another one fits in before it at little extra cost; then take that first."""

    def lapse(node):
        drive = distance_matrix[current_node][node]
        return drive + 0.7 * max(0.0, time_windows[node][0] - current_time - drive)

    target = min(unvisited_nodes, key=lapse)
    best, best_extra = target, 0.25
    for node in unvisited_nodes:
        begin = max(current_time + distance_matrix[current_node][node], time_windows[node][0])
        arrival = begin + 0.2 + distance_matrix[node][target]
        fits = demands[node] + demands[target] <= rest_capacity
        extra = distance_matrix[current_node][node] + distance_matrix[node][target]
        extra -= distance_matrix[current_node][target]
        if node != target and fits and arrival < time_windows[target][1] and extra < best_extra:
            best, best_extra = node, extra
    return best


# %% narrow_cone_in_time
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Only customers whose service can begin within the next while count, the nearest of them; else the soonest."""
    drive = distance_matrix[current_node, unvisited_nodes]
    begin = np.maximum(current_time + drive, time_windows[unvisited_nodes, 0])
    soon = begin <= begin.min() + 0.4
    return unvisited_nodes[np.argmin(np.where(soon, drive, drive + 100.0))]


# %% new_vehicle_when_cheaper
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Start a new route when driving home and out again is about as short as going on and little is given up."""

    def effort(node):
        drive = distance_matrix[current_node][node]
        return drive + 0.8 * max(0.0, time_windows[node][0] - current_time - drive)

    choice = min(unvisited_nodes, key=effort)
    if current_node != depot:
        again = distance_matrix[current_node][depot] + distance_matrix[depot][choice]
        if again < 1.2 * distance_matrix[current_node][choice] and (rest_capacity < 20 or effort(choice) > again):
            return depot
    return choice


# %% depth_first_time_search
def search(here, clock, room, left, depth, links, windows, demands):
    """Best value of a short timely chain: each customer earns a bonus, driving and waiting are paid."""
    best = 0.0
    if depth == 0:
        return best
    options = []
    for node in left:
        arrival = clock + links[here][node]
        if arrival < windows[node][1] and demands[node] <= room:
            begin = max(arrival, windows[node][0])
            options.append((links[here][node] + 0.5 * (begin - arrival), begin, node))
    for cost, begin, node in sorted(options)[:3]:
        others = [other for other in left if other != node]
        rest = search(node, begin + 0.18, room - demands[node], others, depth - 1, links, windows, demands)
        best = max(best, 0.9 - cost + rest)
    return best


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Search chains of four customers among the fourteen easiest to reach, and start the most valuable one."""
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    begin = {int(node): max(current_time + links[current_node][node], windows[node][0]) for node in unvisited_nodes}
    price = {node: 0.5 * links[current_node][node] + 0.5 * (begin[node] - current_time) for node in begin}
    near = sorted(price, key=price.get)[:14]
    best, best_value = near[0], -float("inf")
    for node in near[:4]:
        others = [other for other in near if other != node]
        room = rest_capacity - amounts[node]
        value = search(node, begin[node] + 0.18, room, others, 3, links, windows, amounts) - price[node]
        if value > best_value:
            best, best_value = node, value
    return best


# %% value_iteration_prizes
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Six sweeps of value iteration over timely links, with a prize for each customer."""
    opening, closing = time_windows[unvisited_nodes, 0], time_windows[unvisited_nodes, 1]
    home = distance_matrix[depot, unvisited_nodes]
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    arrival = np.maximum(opening, home)[:, None] + 0.18 + links
    wait = np.maximum(opening - arrival, 0.0)
    allowed = arrival < closing
    np.fill_diagonal(allowed, False)
    prize = 0.35 * home + 0.42 * np.where(allowed, links, home).min(axis=0)
    gain = np.where(allowed, prize - links - 0.03 * wait, -9.0)
    worth = np.zeros(len(unvisited_nodes))
    for _ in range(6):
        worth = np.maximum(0.0, (gain + worth).max(axis=1))
    drive = distance_matrix[current_node, unvisited_nodes]
    idle = np.maximum(opening - current_time - drive, 0.0)
    return unvisited_nodes[np.argmax(prize - drive - 0.04 * idle + worth)]


# %% soft_value_iteration
import numpy as np


def soft_best(table, heat):
    top = table.max(axis=1)
    return top + heat * np.log(np.exp((table - top[:, None]) / heat).mean(axis=1))


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Add the soft maximum over the continuations of a customer, stopping at home included."""
    ids = unvisited_nodes
    opens = time_windows[ids, 0]
    radius = distance_matrix[depot, ids]
    step = distance_matrix[np.ix_(ids, ids)]
    reach = np.maximum(opens, radius)[:, None] + 0.18 + step
    blocked = (reach >= time_windows[ids, 1]) | np.eye(len(ids), dtype=bool)
    profit = 0.8 * radius - step - 0.09 * np.maximum(opens - reach, 0.0)
    profit = np.where(blocked, -5.0, profit)
    stop = -0.2 * radius
    future = stop
    for _ in range(5):
        future = soft_best(np.column_stack((profit + future, stop)), 0.05)
    now = distance_matrix[current_node, ids]
    lapse = np.maximum(opens - current_time - now, 0.0)
    return ids[np.argmax(0.8 * radius - now - 0.1 * lapse + future)]


# %% sinkhorn_links
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Balance a soft assignment of successors and follow the heaviest link out of here."""
    nodes = unvisited_nodes
    opening, closing = time_windows[nodes, 0], time_windows[nodes, 1]
    home = distance_matrix[depot, nodes]
    links = distance_matrix[np.ix_(nodes, nodes)]
    arrival = np.maximum(opening, home)[:, None] + 0.175 + links
    wait = np.maximum(opening - arrival, 0.0)
    kernel = np.where(arrival < closing, np.exp(-(links + 0.13 * wait) / 0.15), 0.0)
    np.fill_diagonal(kernel, 0.0)
    edge = np.exp(-(home + 0.1) / 0.75)
    drive = distance_matrix[current_node, nodes]
    here = np.exp(-(drive + 0.1 * np.maximum(opening - current_time - drive, 0.0)) / 0.26)
    rows = np.ones(len(nodes))
    columns = rows
    for _ in range(12):
        columns = 1.0 / (rows @ kernel + edge + here + 1e-12)
        rows = 1.0 / (kernel @ columns + edge + 1e-12)
    if current_node == depot:
        return nodes[np.argmax(edge * columns - 0.17 * opening)]
    return nodes[np.argmax(here * columns)]


# %% prize_beam
def widen(states, links, windows, prizes, amounts):
    """All one-customer extensions of the chains in `states`, best first."""
    longer = []
    for value, here, clock, room, path in states:
        for node in prizes:
            arrival = clock + links[here][node]
            if node in path or amounts[node] > room or arrival >= windows[node][1]:
                continue
            begin = max(arrival, windows[node][0])
            profit = value + prizes[node] - links[here][node] - 0.15 * (begin - arrival)
            longer.append((profit, node, begin + 0.18, room - amounts[node], path + [node]))
    return sorted(longer, key=lambda state: -state[0])


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Beam search of width five over five steps, with prizes for remote customers."""
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    prizes = {int(node): 0.98 * links[depot][int(node)] for node in unvisited_nodes}
    beam = [(0.0, int(current_node), current_time, rest_capacity, [])]
    best_value, best_node = -float("inf"), unvisited_nodes[0]
    for _ in range(5):
        longer = widen(beam, links, windows, prizes, amounts)
        if not longer:
            break
        if longer[0][0] > best_value:
            best_value, best_node = longer[0][0], longer[0][4][0]
        beam = longer[:5]
    return best_node


# %% regret_beam
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Beam over four steps; a customer is worth what its best other predecessor would pay."""
    ids = unvisited_nodes.tolist()
    opens, radius = time_windows[ids, 0], distance_matrix[depot, ids]
    steps = distance_matrix[np.ix_(ids, ids)]
    reach = np.maximum(opens, radius)[:, None] + 0.18 + steps
    fee = np.where(reach < time_windows[ids, 1], steps + 0.09 * np.maximum(opens - reach, 0.0), radius + 0.42)
    np.fill_diagonal(fee, 9.0)
    worth = np.minimum(fee.min(axis=0), radius + 0.09) + 0.39 * radius
    first = distance_matrix[current_node, ids]
    idle = np.maximum(opens - current_time - first, 0.0)
    chains = [(worth[k] - first[k] - 0.07 * idle[k], [k]) for k in range(len(ids))]
    chains = sorted(chains, reverse=True)[:4]
    best = chains[0]
    for _ in range(3):
        grown = []
        for value, path in chains:
            load = sum(demands[ids[k]] for k in path)
            for k in np.flatnonzero(reach[path[-1]] < time_windows[ids, 1]).tolist():
                if k not in path and load + demands[ids[k]] <= rest_capacity:
                    grown.append((value + worth[k] - fee[path[-1], k], path + [k]))
        if not grown:
            break
        chains = sorted(grown, reverse=True)[:4]
        best = max(best, chains[0])
    return ids[best[1][0]]


# %% greedy_route_profit
def run_on(node, clock, room, left, links, windows, demands, depot):
    """Profit of going on greedily from `node` for up to six customers."""
    profit, left = 0.0, list(left)
    for _ in range(6):
        options = []
        for other in left:
            arrival = clock + links[node][other]
            if other != node and demands[other] <= room and arrival < windows[other][1]:
                begin = max(arrival, windows[other][0])
                options.append((0.55 * links[depot][other] - links[node][other] - 0.3 * (begin - clock), begin, other))
        if not options:
            break
        gain, begin, other = max(options)
        profit += 1.08 * links[depot][other] - links[node][other] - 0.03 * (begin - clock)
        left.remove(other)
        clock, room, node = begin + 0.18, room - demands[other], other
    return profit


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Go on greedily after each of six promising customers and keep the most profitable."""
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    left = [int(node) for node in unvisited_nodes]
    start = {node: max(current_time + links[current_node][node], windows[node][0]) for node in left}

    def entry(node):
        return 0.92 * links[depot][node] - links[current_node][node] - 0.05 * (start[node] - current_time)

    promising = sorted(left, key=lambda node: 0.17 * start[node] - entry(node))[:6]
    return max(
        promising,
        key=lambda node: (
            entry(node)
            + run_on(node, start[node] + 0.18, rest_capacity - amounts[node], left, links, windows, amounts, depot)
        ),
    )


# %% sole_supplier
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Compare the drive with the two cheapest other ways into a customer, one step ahead."""
    opening = time_windows[unvisited_nodes, 0]
    home = distance_matrix[depot, unvisited_nodes]
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    arrival = np.maximum(opening, home)[:, None] + 0.18 + links
    price = links + 0.37 * np.maximum(opening - arrival, 0.0)
    price = np.where(arrival < time_windows[unvisited_nodes, 1], price, 9.0)
    np.fill_diagonal(price, 9.0)
    ways = np.sort(np.vstack((price, home + 0.02, home + 0.03)), axis=0)
    relief = 0.42 * ways[0] + 0.5 * ways[1] + 0.39 * home
    onward = np.maximum((relief - price).max(axis=1), -0.3)
    drive = distance_matrix[current_node, unvisited_nodes]
    idle = np.maximum(opening - current_time - drive, 0.0)
    return unvisited_nodes[np.argmax(relief - drive - 0.15 * idle + 0.32 * onward)]


# %% remoteness_credit
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Remote customers earn credit against the drive, waiting costs little, and routes open early."""
    drive = distance_matrix[current_node, unvisited_nodes]
    credit = 1.25 * distance_matrix[depot, unvisited_nodes]
    begin = np.maximum(current_time + drive, time_windows[unvisited_nodes, 0])
    rate = 0.3 if current_node != depot else 0.52
    return unvisited_nodes[np.argmax(credit - drive - rate * (begin - current_time))]


# %% orphans_open_routes
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """From the depot serve customers that no other leads to; then weigh price and alternatives."""
    begins = np.maximum(time_windows[unvisited_nodes, 0], distance_matrix[depot, unvisited_nodes])
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    arrival = begins[:, None] + 0.18 + links
    cost = links + 0.09 * np.maximum(begins - arrival, 0.0)
    cost = np.where(arrival <= time_windows[unvisited_nodes, 1], cost, 1.97)
    np.fill_diagonal(cost, 5.62)
    easiest = cost.min(axis=0)
    if current_node == depot:
        return unvisited_nodes[np.argmax(easiest - 0.15 * distance_matrix[depot, unvisited_nodes] - 0.12 * begins)]
    drive = distance_matrix[current_node, unvisited_nodes]
    idle = np.maximum(begins - current_time - drive, 0.0)
    return unvisited_nodes[np.argmax(0.26 * np.minimum(easiest, 0.48) - drive - 0.21 * idle)]


# %% price_rounds
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """A few auction rounds set a price on each customer; the current vehicle buys the best bargain."""
    ids = unvisited_nodes
    opens, radius = time_windows[ids, 0], distance_matrix[depot, ids]
    steps = distance_matrix[np.ix_(ids, ids)]
    reach = np.maximum(opens, radius)[:, None] + 0.18 + steps
    cost = steps + 0.19 * np.maximum(opens - reach, 0.0)
    cost = np.where(reach < time_windows[ids, 1], cost, 5.0)
    np.fill_diagonal(cost, 5.0)
    price = np.zeros(len(ids))
    for _ in range(8):
        bids = np.minimum((cost + price).argmin(axis=1), len(ids) - 1)
        rivals = np.bincount(bids, minlength=len(ids))
        price = np.clip(price + 0.02 * (rivals - 1), -0.51, 0.51)
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(opens - current_time - drive, 0.0)
    return ids[np.argmin(drive + 0.23 * idle + 0.7 * price - 0.99 * radius)]


# %% reduced_costs
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Subtract row and column minima from the matrix of timely links and take the smallest reduced cost."""
    opening, closing = time_windows[unvisited_nodes, 0], time_windows[unvisited_nodes, 1]
    home = distance_matrix[depot, unvisited_nodes]
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    arrival = np.maximum(opening, home)[:, None] + 0.18 + links
    table = np.where(arrival < closing, links + 0.02 * np.maximum(opening - arrival, 0.0), 4.0)
    np.fill_diagonal(table, 4.0)
    drive = distance_matrix[current_node, unvisited_nodes]
    mine = drive + 0.05 * np.maximum(opening - current_time - drive, 0.0)
    for _ in range(3):
        outgoing = np.minimum(table.min(axis=1), home)
        table = table - 0.07 * outgoing[:, None]
        incoming = np.minimum(table.min(axis=0), 0.51 * home)
        table = table - incoming[None, :]
        mine = mine - incoming
        home = home - 0.57 * incoming
    return unvisited_nodes[np.argmin(mine + 0.03 * opening)]


# %% four_step_tree
def best_tail(here, clock, room, pool, depth, links, windows, amounts, depot):
    """Most profitable chain of at most `depth` customers, three branches at each step."""
    best = -0.43 * links[here][depot]
    if depth == 0:
        return best
    branches = []
    for node in pool:
        arrival = clock + links[here][node]
        if arrival < windows[node][1] and amounts[node] <= room:
            begin = max(arrival, windows[node][0])
            branches.append((0.83 * links[depot][node] - links[here][node] - 0.02 * (begin - arrival), begin, node))
    for profit, begin, node in sorted(branches, reverse=True)[:3]:
        rest = [other for other in pool if other != node]
        tail = best_tail(node, begin + 0.18, room - amounts[node], rest, depth - 1, links, windows, amounts, depot)
        best = max(best, profit + tail)
    return best


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Look four customers ahead in a narrow tree where remote customers are worth more."""
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    pool = [int(node) for node in unvisited_nodes]
    value = {}
    for node in pool:
        arrival = current_time + links[current_node][node]
        begin = max(arrival, windows[node][0])
        value[node] = 1.05 * links[depot][node] - links[current_node][node] - 0.07 * (begin - arrival)
    top = sorted(pool, key=lambda node: -value[node])[:5]
    for node in top:
        begin = max(current_time + links[current_node][node], windows[node][0]) + 0.18
        rest = [other for other in pool if other != node]
        value[node] += best_tail(node, begin, rest_capacity - amounts[node], rest, 3, links, windows, amounts, depot)
    return max(top, key=value.get)


# %% capacity_priced_chain
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Sweep back over the near future for the worth of follow-up chains; load has a price."""
    horizon = time_windows[unvisited_nodes, 0].min() + 2.81
    soon = unvisited_nodes[time_windows[unvisited_nodes, 0] <= horizon]
    order = soon[np.argsort(-time_windows[soon, 0], kind="stable")]
    home = distance_matrix[depot, order]
    begin = np.maximum(time_windows[order, 0], home)
    share = demands[order] / max(float(rest_capacity), 1.0)
    prize = 0.8 * home - 0.05 * share
    worth = np.zeros(len(order))
    for k in range(1, len(order)):
        links = distance_matrix[order[k], order[:k]]
        arrival = begin[k] + 0.18 + links
        wait = np.maximum(begin[:k] - arrival, 0.0)
        value = prize[:k] - links - 0.07 * wait + 0.81 * worth[:k]
        value = np.where(arrival < time_windows[order[:k], 1], value, -1.0)
        worth[k] = max(0.0, value.max())
    drive = distance_matrix[current_node, order]
    wait = np.maximum(time_windows[order, 0] - current_time - drive, 0.0)
    return order[np.argmax(prize - drive - 0.05 * wait + worth)]


# %% steal_check
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Do not steal: leave a customer to others when they can lead to it at a lower price."""
    ids = unvisited_nodes
    opens, radius = time_windows[ids, 0], distance_matrix[depot, ids]
    links = distance_matrix[np.ix_(ids, ids)]
    arrival = np.maximum(opens, radius)[:, None] + 0.18 + links
    fee = np.where(arrival < time_windows[ids, 1], links + 0.02 * np.maximum(opens - arrival, 0.0), np.inf)
    np.fill_diagonal(fee, np.inf)
    drive = distance_matrix[current_node, ids]
    mine = drive + 0.11 * np.maximum(opens - current_time - drive, 0.0)
    cheaper = (fee < mine).sum(axis=0)
    return ids[np.argmin(mine + 0.05 * np.minimum(cheaper, 6) - 0.98 * radius + 0.11 * opens)]


# %% fresh_vehicle_contest
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Ratio of our own effort to that of a fresh vehicle; go home if the fresh one wins every contest."""
    drive = distance_matrix[current_node, unvisited_nodes]
    fresh = distance_matrix[depot, unvisited_nodes] + 0.05
    idle = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0)
    if current_node == depot:
        return unvisited_nodes[np.argmax(fresh - idle - drive)]
    contest = (drive + 0.2 * idle + 0.02) / fresh
    if contest.min() > 1.3 and distance_matrix[current_node, depot] < 0.4:
        return depot
    return unvisited_nodes[np.argmin(contest)]


# %% pair_permutations
import itertools


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Try all ordered triples of the six most attractive customers and start the one that earns most."""
    credit = {int(node): 0.8 * distance_matrix[depot][node] for node in unvisited_nodes}

    def appeal(node):
        drive = distance_matrix[current_node][node]
        return credit[node] - drive - 0.32 * max(0.0, time_windows[node][0] - current_time - drive)

    shortlist = sorted(credit, key=appeal, reverse=True)[:6]
    best_value, best_first = -float("inf"), shortlist[0]
    for trio in itertools.permutations(shortlist, min(3, len(shortlist))):
        here, clock, room, value = current_node, current_time, rest_capacity, 0.0
        for node in trio:
            arrival = clock + distance_matrix[here][node]
            if arrival >= time_windows[node][1] or demands[node] > room:
                break
            value += credit[node] - distance_matrix[here][node]
            begin = max(arrival, time_windows[node][0])
            value -= 0.05 * (begin - arrival)
            here, clock, room = node, begin + 0.18, room - demands[node]
            if value > best_value:
                best_value, best_first = value, trio[0]
    return best_first


# %% random_tails
import random


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Judge four candidates by the best of several seeded random tails made of short steps."""
    dice = random.Random(11 + 5 * len(unvisited_nodes) + int(current_node))
    links, windows = distance_matrix.tolist(), time_windows.tolist()
    pool = [int(node) for node in unvisited_nodes]

    def gain(here, clock, node):
        arrival = clock + links[here][node]
        return 1.19 * links[depot][node] - links[here][node] - 0.13 * max(0.0, windows[node][0] - arrival)

    def one_tail(here, clock, room):
        total = 0.0
        for _ in range(4):
            open_now = [
                node
                for node in pool
                if node != here and demands[node] <= room and 0 < windows[node][1] - clock - links[here][node] < 1.2
            ]
            if not open_now:
                break
            picked = max(dice.choices(open_now, k=4), key=lambda node: gain(here, clock, node))
            total += max(gain(here, clock, picked), -0.25)
            clock = max(clock + links[here][picked], windows[picked][0]) + 0.18
            here, room = picked, room - demands[picked]
        return total

    best_node, best_value = pool[0], -float("inf")
    for node in sorted(pool, key=lambda node: -gain(current_node, current_time, node))[:4]:
        leave = max(current_time + links[current_node][node], windows[node][0]) + 0.18
        tails = [one_tail(node, leave, rest_capacity - demands[node]) for _ in range(4)]
        value = gain(current_node, current_time, node) + max(tails)
        if value > best_value:
            best_node, best_value = node, value
    return best_node


# %% stranding_penalty
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Charge a step for the customers that would lose their only near predecessor."""
    ids = unvisited_nodes
    home = distance_matrix[depot, ids]
    begins = np.maximum(time_windows[ids, 0], home)
    links = distance_matrix[np.ix_(ids, ids)]
    good = (begins[:, None] + 0.18 + links < time_windows[ids, 1]) & (links < 0.97 * home[None, :])
    np.fill_diagonal(good, False)
    support = good.sum(axis=0)
    critical = (good & (support == 1)[None, :]).astype(float)
    lost = critical @ home
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(begins - current_time - drive, 0.0)
    alone = np.where(support == 0, 0.13 * home, 0.0)
    return ids[np.argmin(drive + 0.14 * idle - 0.98 * home - alone - 0.05 * lost)]


# %% mutual_choice
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Multiply our soft preference for a customer with its soft preference for us."""
    opening = time_windows[unvisited_nodes, 0]
    home = distance_matrix[depot, unvisited_nodes]
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    arrival = np.maximum(opening, home)[:, None] + 0.18 + links
    weight = np.exp(-5.0 * (links + 0.22 * np.maximum(opening - arrival, 0.0)))
    weight = np.where(arrival < time_windows[unvisited_nodes, 1], weight, 0.0)
    np.fill_diagonal(weight, 0.0)
    drive = distance_matrix[current_node, unvisited_nodes]
    ours = np.exp(-5.0 * (drive + 0.13 * np.maximum(opening - current_time - drive, 0.0)))
    theirs = ours / (ours + weight.sum(axis=0) + np.exp(-5.0 * home))
    return unvisited_nodes[np.argmax(ours * theirs * np.exp(-0.06 * opening))]


# %% cheap_chain_growth
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Grow a greedy chain from each candidate; the least length against separate trips wins."""
    horizon = 5
    best_node, best_ratio = unvisited_nodes[0], float("inf")
    ranked = sorted(
        unvisited_nodes,
        key=lambda node: (
            distance_matrix[current_node][node]
            - 1.5 * distance_matrix[depot][node]
            + 0.3 * max(current_time + distance_matrix[current_node][node], time_windows[node][0])
        ),
    )
    for node in ranked[:5]:
        spent, standard = distance_matrix[current_node][node], 2.0 * distance_matrix[depot][node]
        clock = max(current_time + spent, time_windows[node][0]) + 0.18
        room, here, chain = rest_capacity - demands[node], node, {int(node)}
        for _ in range(horizon):
            follow = None
            for other in ranked:
                drive = distance_matrix[here][other]
                if int(other) in chain or demands[other] > room or clock + drive >= time_windows[other][1]:
                    continue
                lapse = max(drive, time_windows[other][0] - clock)
                key = drive + 0.3 * lapse - 0.52 * distance_matrix[depot][other]
                if follow is None or key < follow[0]:
                    follow = (key, other, drive, lapse)
            if follow is None:
                break
            spent, standard = spent + follow[2], standard + 2.0 * distance_matrix[depot][follow[1]]
            clock, here, room = clock + follow[3] + 0.18, follow[1], room - demands[follow[1]]
            chain.add(int(here))
        ratio = (spent + distance_matrix[here][depot]) / (standard + 0.03)
        if ratio < best_ratio:
            best_node, best_ratio = node, ratio
    return best_node


# %% last_listed
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Serve the customers from the highest number down."""
    return unvisited_nodes[-1]


# %% heaviest_order
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Get rid of the largest order first; the closest customer settles ties."""
    weights = demands[unvisited_nodes] - 0.1 * distance_matrix[current_node, unvisited_nodes]
    return unvisited_nodes[weights.argmax()]


# %% far_from_depot
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Outer customers first, wherever the vehicle is."""
    farthest = unvisited_nodes[0]
    for node in unvisited_nodes[1:]:
        if distance_matrix[node][depot] > distance_matrix[farthest][depot]:
            farthest = node
    return farthest


# %% widest_window
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """An odd criterion: the longest time window is served first."""
    return max(unvisited_nodes, key=lambda node: time_windows[node][1] - time_windows[node][0])


# %% second_nearest
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Leave out the nearest customer and take the one behind it."""
    ranked = sorted(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])
    return ranked[min(1, len(ranked) - 1)]


# %% scattered_numbers
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Mix up the numbers of the customers by a multiplication modulo a prime."""
    prime = 53

    def mixed(node):
        return (17 * int(node) + 5 * int(current_node)) % prime

    return min(unvisited_nodes, key=mixed)


# %% roulette_by_distance
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """A seeded roulette wheel whose slots shrink with the square of the drive."""
    wheel = np.random.default_rng(29 + 7 * len(unvisited_nodes) + int(current_node))
    slots = 1.0 / (distance_matrix[current_node, unvisited_nodes] + 0.05) ** 2
    return wheel.choice(unvisited_nodes, p=slots / slots.sum())


# %% median_opening
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Take the customer in the middle of the order of openings."""
    order = np.argsort(time_windows[unvisited_nodes, 0], kind="stable")
    return unvisited_nodes[order[len(order) // 2]]


# %% typical_drive
import statistics


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Prefer an ordinary drive: closest to the median of all drives on offer."""
    drives = [distance_matrix[current_node][node] for node in unvisited_nodes]
    middle = statistics.median(drives)
    gaps = [abs(drive - middle) for drive in drives]
    return unvisited_nodes[gaps.index(min(gaps))]


# %% short_shifts
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Each vehicle serves few customers: half the capacity is enough, then it goes home."""
    if current_node != depot and rest_capacity < 22:
        return depot
    return min(unvisited_nodes, key=lambda node: time_windows[node][0])


# %% pendulum
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Swing: with an even number of customers left the nearest, with an odd number the soonest to close."""
    if len(unvisited_nodes) % 2 == 0:
        return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])
    return min(unvisited_nodes, key=lambda node: time_windows[node][1])


# %% most_central
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Stay in the middle of the crowd: the smallest sum of distances to the other candidates."""
    sums = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)].sum(axis=0)
    return unvisited_nodes[int(sums.argmin())]


# %% smallest_speed_limit
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Serve the customer for whom we would have to drive fastest to arrive before closing."""
    fastest, pick = -1.0, unvisited_nodes[0]
    for node in unvisited_nodes:
        time_left = max(time_windows[node][1] - current_time, 1e-6)
        speed = distance_matrix[current_node][node] / time_left
        if speed > fastest:
            fastest, pick = speed, node
    return pick


# %% quarter_hour_buckets
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Round the begin of service to coarse time slots; within the first slot the shortest drive wins."""

    def slot(node):
        begin = max(current_time + distance_matrix[current_node][node], time_windows[node][0])
        return int(begin / 0.25), distance_matrix[current_node][node]

    return min(unvisited_nodes, key=slot)


# %% ideal_point
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Stand nearest to the ideal point of shortest drive and soonest service, both scaled."""
    drive = distance_matrix[current_node, unvisited_nodes]
    begin = np.maximum(current_time + drive, time_windows[unvisited_nodes, 0])
    scaled = []
    for values in (drive, begin):
        span = values.max() - values.min()
        scaled.append((values - values.min()) / max(span, 1e-9))
    return unvisited_nodes[np.argmin(np.hypot(scaled[0], scaled[1]))]


# %% standard_scores
import numpy as np


def standard(values):
    return (values - values.mean()) / (values.std() + 1e-9)


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Add the standard scores of drive, begin of service and remoteness."""
    drive = distance_matrix[current_node, unvisited_nodes]
    begin = np.maximum(current_time + drive, time_windows[unvisited_nodes, 0])
    remote = distance_matrix[depot, unvisited_nodes]
    return unvisited_nodes[np.argmin(standard(drive) + 1.3 * standard(begin) - 0.5 * standard(remote))]


# %% condorcet_duels
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Hold duels on drive, wait, closing and remoteness; the customer with most won duels is served."""
    drive = distance_matrix[current_node, unvisited_nodes]
    wait = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0)
    balance = np.zeros((len(unvisited_nodes), len(unvisited_nodes)))
    for trait in (drive, wait, time_windows[unvisited_nodes, 1], -distance_matrix[depot, unvisited_nodes]):
        balance += np.sign(trait[None, :] - trait[:, None])
    wins = (balance > 0).sum(axis=1)
    return unvisited_nodes[np.argmax(wins - 0.01 * drive)]


# %% logistic_patience
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """The wait is judged by a logistic curve: short waits are almost free, long ones all equally bad."""
    drive = distance_matrix[current_node, unvisited_nodes]
    wait = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0)
    impatience = 1.0 / (1.0 + np.exp(-8.0 * (wait - 0.5)))
    return unvisited_nodes[np.argmin(drive + impatience + 0.1 * wait)]


# %% harmonic_gain
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Harmonic mean of remoteness and nearness: a customer must be good at both, and soon enough."""

    def gain(node):
        near = 1.0 / (distance_matrix[current_node][node] + 0.1)
        remote = distance_matrix[depot][node] + 0.05
        passing = max(distance_matrix[current_node][node], time_windows[node][0] - current_time)
        return 2.0 * near * remote / (near + remote) - 0.3 * passing

    return max(unvisited_nodes, key=gain)


# %% heavy_then_light
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Large orders count in favour while the vehicle is empty, small ones when it is nearly full."""
    fill = 1.0 - rest_capacity / 40.0
    drive = distance_matrix[current_node, unvisited_nodes]
    wait = np.clip(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0, None)
    bonus = (0.5 - fill) * 0.06 * demands[unvisited_nodes]
    return unvisited_nodes[np.argmax(bonus - drive - 0.45 * wait)]


# %% homeward_when_full
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """The fuller the vehicle, the more a position close to the depot counts; empty vehicles go outwards."""
    fullness = 1.0 - min(1.0, rest_capacity / 40.0)
    best, least = None, float("inf")
    for node in unvisited_nodes:
        drive = distance_matrix[current_node][node]
        lapse = max(drive, time_windows[node][0] - current_time)
        cost = drive + 0.5 * lapse + (fullness - 0.6) * distance_matrix[node][depot]
        if cost < least:
            best, least = node, cost
    return best


# %% squared_drive
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Long drives are punished by their square, waits by their square root."""
    drive = distance_matrix[current_node, unvisited_nodes]
    wait = np.maximum(time_windows[unvisited_nodes, 0] - (current_time + drive), 0.0)
    return unvisited_nodes[np.argmin(4.0 * drive**2 + 0.3 * np.sqrt(wait))]


# %% dominated_never
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Discard candidates that are both farther and later than another; of the rest take the most remote."""
    traits = [
        (
            distance_matrix[current_node][node],
            max(current_time + distance_matrix[current_node][node], time_windows[node][0]),
            node,
        )
        for node in unvisited_nodes
    ]
    front = []
    for drive, begin, node in sorted(traits):
        if not front or begin < front[-1][0]:
            front.append((begin, drive, node))
    return max(front, key=lambda entry: 0.5 * distance_matrix[depot][entry[2]] - entry[1] - 0.2 * entry[0])[2]


# %% precedence_order
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Only customers that no other timely customer has to precede at small detour may come next."""
    opening, closing = time_windows[unvisited_nodes, 0], time_windows[unvisited_nodes, 1]
    drive = distance_matrix[current_node, unvisited_nodes]
    begin = np.maximum(current_time + drive, opening)
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    between = begin[:, None] + 0.18 + links < closing[None, :]
    detour = drive[:, None] + links - drive[None, :]
    before = (between & (detour < 0.12)).sum(axis=0)
    return unvisited_nodes[np.argmin(drive + 0.3 * (begin - current_time) + 0.2 * np.minimum(before, 3))]


# %% nobody_else_near
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Our place in the list of each customer: how many earlier candidates are closer to it than we are."""
    links, windows = distance_matrix.tolist(), time_windows.tolist()
    rivals = [int(node) for node in unvisited_nodes]

    def place(node):
        drive = links[current_node][node]
        closer = 0
        for other in rivals:
            if links[other][node] < drive and windows[other][0] + 0.15 < windows[node][0]:
                closer += 1
        return closer + 0.2 * max(0.0, windows[node][0] - current_time - drive) + drive

    return min(rivals, key=place)


# %% few_predecessors
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Customers that hardly anyone can reach in time come first, as long as they are near."""
    begins = np.maximum(time_windows[unvisited_nodes, 0], distance_matrix[depot, unvisited_nodes])
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    able = begins[:, None] + 0.18 + links < time_windows[unvisited_nodes, 1][None, :]
    able = able & (links < 0.5)
    ways = able.sum(axis=0) - np.diag(able)
    return unvisited_nodes[np.argmin(distance_matrix[current_node, unvisited_nodes] + 0.05 * ways)]


# %% threatened_demand
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Keep goods within reach: after each step count the nearby demand that could still be delivered."""
    opening, closing = time_windows[unvisited_nodes, 0], time_windows[unvisited_nodes, 1]
    drive = distance_matrix[current_node, unvisited_nodes]
    leave = np.maximum(current_time + drive, opening) + 0.18
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    still = (leave[:, None] + links < closing[None, :]) & (links < 0.4)
    np.fill_diagonal(still, False)
    goods = still @ demands[unvisited_nodes]
    useful = np.minimum(goods, rest_capacity - demands[unvisited_nodes])
    return unvisited_nodes[np.argmin(drive + 0.5 * (leave - current_time) - 0.03 * useful)]


# %% path_counting
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Count timely chains of short links; a rich future lowers the cost on a log scale."""
    ids = unvisited_nodes
    begins = np.maximum(time_windows[ids, 0], distance_matrix[depot, ids])
    steps = distance_matrix[np.ix_(ids, ids)]
    lag = time_windows[ids, 1][None, :] - (begins[:, None] + 0.18 + steps)
    short = ((lag > 0.0) & (steps < 0.24) & (lag < 1.0)).astype(float)
    np.fill_diagonal(short, 0.0)
    two = short @ np.ones(len(ids))
    chains = two + short @ two + short @ (short @ two)
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(begins - current_time - drive, 0.0)
    return ids[np.argmin(drive + 0.4 * idle - 0.88 * distance_matrix[depot, ids] - 0.05 * np.log1p(chains))]


# %% bottleneck_pair
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Minimise the worse of two consecutive drives, the waits included at a discount."""
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    ids = [int(node) for node in unvisited_nodes]
    best, record = ids[0], (float("inf"), float("inf"))
    for node in ids:
        first = links[current_node][node]
        begin = max(current_time + first, windows[node][0])
        first_effort = first + 0.4 * (begin - current_time - first)
        second_effort = 0.9
        for other in ids:
            arrival = begin + 0.18 + links[node][other]
            if other != node and arrival < windows[other][1] and amounts[node] + amounts[other] <= rest_capacity:
                effort = links[node][other] + 0.4 * max(0.0, windows[other][0] - arrival)
                second_effort = min(second_effort, effort)
        key = (max(first_effort, second_effort), first_effort)
        if key < record:
            best, record = node, key
    return best


# %% mean_of_three_followers
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Add the mean of the three cheapest follow-up links, since one continuation is not safe."""
    ids = unvisited_nodes
    drive = distance_matrix[current_node, ids]
    leave = np.maximum(current_time + drive, time_windows[ids, 0]) + 0.18
    links = distance_matrix[np.ix_(ids, ids)]
    arrival = leave[:, None] + links
    follow = links + 0.06 * np.maximum(time_windows[ids, 0] - arrival, 0.0) - 1.02 * distance_matrix[depot, ids]
    follow = np.where((arrival < time_windows[ids, 1]) & ~np.eye(len(ids), dtype=bool), follow, 0.04)
    cheapest = np.sort(follow, axis=1)[:, :3].mean(axis=1)
    total = drive + 0.21 * (leave - current_time) - 0.78 * distance_matrix[depot, ids] + 0.95 * cheapest
    return ids[total.argmin()]


# %% savings_shape
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Classic saving with a shape factor and a reward for partners of unlike remoteness."""
    if current_node == depot:
        rim = 1.5 * distance_matrix[depot, unvisited_nodes]
        begin = np.maximum(time_windows[unvisited_nodes, 0], distance_matrix[depot, unvisited_nodes])
        return unvisited_nodes[np.argmax(rim - begin)]
    back, out = distance_matrix[current_node, depot], distance_matrix[depot, unvisited_nodes]
    drive = distance_matrix[current_node, unvisited_nodes]
    saving = back + out - 1.44 * drive + 0.2 * np.abs(back - out)
    wait = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0)
    return unvisited_nodes[np.argmax(saving - 0.45 * wait)]


# %% insertion_before_target
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Pick a worthwhile target first, then the customer that fits in front of it with the best saving."""
    ids = unvisited_nodes
    radius = distance_matrix[depot, ids]
    drive = distance_matrix[current_node, ids]
    begin = np.maximum(current_time + drive, time_windows[ids, 0])
    score = drive + 0.2 * (begin - current_time - drive) - 1.36 * radius
    goal = int(np.argmin(score))
    onward = distance_matrix[ids, ids[goal]]
    fits = (begin + 0.18 + onward < time_windows[ids[goal], 1]) & (demands[ids] <= rest_capacity - demands[ids[goal]])
    fits[goal] = False
    extra = np.where(fits, drive + onward - drive[goal] - 0.78 * radius, 9.0)
    if extra.min() < 0.0:
        return ids[np.argmin(extra)]
    return ids[goal]


# %% chain_of_insertions
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Fill the gap before the best target twice: whoever fits in most cheaply becomes the new target."""

    def begin_at(node):
        return max(current_time + distance_matrix[current_node][node], time_windows[node][0])

    def price(node):
        drive = distance_matrix[current_node][node]
        return drive + 0.26 * (begin_at(node) - current_time - drive) - 0.6 * distance_matrix[depot][node]

    target = min(unvisited_nodes, key=price)
    load = demands[target]
    for _ in range(3):
        found, cheapest = None, 0.09
        for node in unvisited_nodes:
            there = distance_matrix[node][target]
            detour = distance_matrix[current_node][node] + there - distance_matrix[current_node][target]
            detour -= 0.5 * distance_matrix[depot][node]
            late = begin_at(node) + 0.2 + there >= time_windows[target][1]
            if node != target and not late and load + demands[node] <= rest_capacity and detour < cheapest:
                found, cheapest = node, detour
        if found is None:
            break
        target, load = found, load + demands[found]
    return target


# %% phase_weights
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Three phases by the customers left: credit for remoteness fades and the price of waiting grows."""
    left = len(unvisited_nodes)
    if left > 30:
        credit, waiting, start = 0.77, 0.27, 0.11
    elif left > 12:
        credit, waiting, start = 0.5, 0.2, 0.16
    else:
        credit, waiting, start = 0.2, 0.23, 0.26
    drive = distance_matrix[current_node, unvisited_nodes]
    begin = np.maximum(current_time + drive, time_windows[unvisited_nodes, 0])
    cost = drive + waiting * (begin - current_time - drive) - credit * distance_matrix[depot, unvisited_nodes]
    if current_node == depot:
        cost = cost + start * begin
    return unvisited_nodes[np.argmin(cost)]


# %% wait_tolerance_from_crowd
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """The price of waiting follows the crowd: dear when many customers can be served soon."""
    drive = distance_matrix[current_node, unvisited_nodes]
    wait = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0)
    crowd = float(np.mean(wait < 0.14))
    price = 0.04 + 0.7 * crowd
    return unvisited_nodes[np.argmin(drive + price * wait - 1.04 * distance_matrix[depot, unvisited_nodes])]


# %% full_van_chain
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Value links by saved distance and add a soft bonus when the follow-up demand can fill the vehicle."""
    ids, room = unvisited_nodes, rest_capacity
    drive = distance_matrix[current_node, ids]
    leave = np.maximum(current_time + drive, time_windows[ids, 0]) + 0.18
    links = distance_matrix[np.ix_(ids, ids)]
    reach = leave[:, None] + links < time_windows[ids, 1][None, :]
    saved = distance_matrix[depot, ids][None, :] - links
    pull = np.where(reach & (saved > 0.0), saved * demands[ids][None, :], 0.0)
    np.fill_diagonal(pull, 0.0)
    bonus = np.tanh(pull.sum(axis=1) / max(4.0 * room, 1.0))
    cost = drive + 0.3 * (leave - current_time) - 1.13 * distance_matrix[depot, ids] - 1.07 * bonus
    return ids[np.argmin(cost)]


# %% swap_order_test
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Compare the top two candidates in both orders and start with the order that wastes less."""

    def leg(here, clock, node):
        drive = distance_matrix[here, node]
        begin = max(clock + drive, time_windows[node, 0])
        late = 1.0 if clock + drive >= time_windows[node, 1] else 0.0
        return drive + 0.12 * (begin - clock - drive) + 1.05 * late, begin + 0.18

    drives = distance_matrix[current_node, unvisited_nodes]
    idle = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drives, 0.0)
    score = drives + 0.35 * idle - 1.1 * distance_matrix[depot, unvisited_nodes]
    ranked = unvisited_nodes[np.argsort(score, kind="stable")]
    if len(ranked) < 2:
        return ranked[0]
    first, second = ranked[0], ranked[1]
    one, clock = leg(current_node, current_time, first)
    forward = one + leg(first, clock, second)[0]
    two, clock = leg(current_node, current_time, second)
    backward = two + leg(second, clock, first)[0]
    return first if forward <= backward else second


# %% nearest_of_savers
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Only customers that are nearer to us than to the depot are eligible."""
    savers = [
        node for node in unvisited_nodes if distance_matrix[current_node][node] < 0.92 * distance_matrix[depot][node]
    ]
    if not savers:
        return min(unvisited_nodes, key=lambda node: time_windows[node][0] - 0.61 * distance_matrix[depot][node])

    def effort(node):
        drive = distance_matrix[current_node][node]
        return drive + 0.34 * max(0.0, time_windows[node][0] - current_time - drive)

    return min(savers, key=effort)


# %% go_home_without_savers
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """When no customer saves distance against a fresh vehicle, end the route; else the largest net saving."""
    out = distance_matrix[depot, unvisited_nodes]
    drive = distance_matrix[current_node, unvisited_nodes]
    opening = time_windows[unvisited_nodes, 0]
    if current_node == depot:
        return unvisited_nodes[np.argmin(np.maximum(opening, out) - 1.75 * out)]
    back = distance_matrix[current_node, depot]
    saving = back + out - drive
    net = saving - 0.26 * np.maximum(opening - current_time - drive, 0.0)
    if net.max() < 0.05:
        return depot
    return unvisited_nodes[np.argmax(net + 0.09 * out)]


# %% rank_votes_with_veto
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Three rules vote by rank, and a candidate that is among the worst for any of the rules is vetoed."""
    drive = distance_matrix[current_node, unvisited_nodes]
    wait = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0)
    ballots = [drive, drive + wait, drive - distance_matrix[depot, unvisited_nodes]]
    places = np.array([np.argsort(np.argsort(ballot, kind="stable")) for ballot in ballots], dtype=float)
    votes = places.sum(axis=0) + 1e-3 * drive
    vetoed = places.max(axis=0) > 0.3 * len(unvisited_nodes)
    return unvisited_nodes[np.argmin(np.where(vetoed, votes + 500.0, votes))]


# %% early_bird_departures
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Order customers by the latest moment to leave here, in steps, then by remoteness."""
    step = 0.85

    def departure(node):
        latest = time_windows[node][1] - distance_matrix[current_node][node]
        return latest // step, -distance_matrix[depot][node]

    return min(unvisited_nodes, key=departure)


# %% outward_then_inward
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Early in the day move away from the depot, late in the day move towards it."""
    day = current_time / max(time_windows[depot, 1], 1e-9)
    drive = distance_matrix[current_node, unvisited_nodes]
    outward = distance_matrix[depot, unvisited_nodes] - distance_matrix[depot, current_node]
    wait = np.maximum(time_windows[unvisited_nodes, 0] - current_time - drive, 0.0)
    direction = np.cos(np.pi * min(1.0, day))
    return unvisited_nodes[np.argmin(drive + 0.32 * wait - 1.25 * direction * outward)]


# %% cluster_completion
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Finish clusters: a customer whose close friends are nearly all gone is cheaper than one in a crowd."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    friends = np.exp(-((links / 0.15) ** 2)).sum(axis=1) - 1.0
    drive = distance_matrix[current_node, unvisited_nodes]
    lapse = np.maximum(drive, time_windows[unvisited_nodes, 0] - current_time)
    return unvisited_nodes[np.argmin(drive + 0.3 * lapse + 0.08 * friends)]


# %% accessibility_flow
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Let traffic leave every customer along timely links; take nodes where little arrives."""
    ids = unvisited_nodes
    begins = np.maximum(time_windows[ids, 0], distance_matrix[depot, ids])
    links = distance_matrix[np.ix_(ids, ids)]
    arrival = begins[:, None] + 0.18 + links
    pull = np.exp(-6.0 * links - 2.0 * np.maximum(begins - arrival, 0.0)) * (arrival < time_windows[ids, 1])
    np.fill_diagonal(pull, 0.0)
    share = pull / (pull.sum(axis=1, keepdims=True) + 0.01)
    traffic = np.ones(len(ids))
    for _ in range(4):
        traffic = 1.0 + 0.28 * (traffic @ share)
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(begins - current_time - drive, 0.0)
    return ids[np.argmin(drive + 0.04 * idle + 0.39 * traffic - 1.0 * distance_matrix[depot, ids])]


# %% expected_tail
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Add the expected profit of a random but sensible driver over the next three steps."""
    ids = unvisited_nodes
    prize = 0.91 * distance_matrix[depot, ids]
    begins = np.maximum(time_windows[ids, 0], distance_matrix[depot, ids])
    links = distance_matrix[np.ix_(ids, ids)]
    arrival = begins[:, None] + 0.18 + links
    gain = prize - links - 0.14 * np.maximum(begins - arrival, 0.0)
    habit = np.where(arrival < time_windows[ids, 1], np.exp(10.0 * np.minimum(gain, 2.0)), 0.0)
    np.fill_diagonal(habit, 0.0)
    chance = habit / (habit.sum(axis=1, keepdims=True) + 1.0)
    tail = np.zeros(len(ids))
    for _ in range(3):
        tail = (chance * (gain + tail)).sum(axis=1)
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(begins - current_time - drive, 0.0)
    return ids[np.argmax(prize - drive - 0.14 * idle + tail)]


# %% first_choice_conflicts
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Every customer courts its best successor; avoid those whom others court at less cost."""
    ids = unvisited_nodes
    radius = distance_matrix[depot, ids]
    begins = np.maximum(time_windows[ids, 0], radius)
    links = distance_matrix[np.ix_(ids, ids)]
    arrival = begins[:, None] + 0.18 + links
    fee = links + 0.1 * np.maximum(begins - arrival, 0.0)
    fee = np.where(arrival < time_windows[ids, 1], fee, 5.0)
    np.fill_diagonal(fee, 5.0)
    courted = np.full(len(ids), 5.0)
    np.minimum.at(courted, fee.argmin(axis=1), fee.min(axis=1))
    drive = distance_matrix[current_node, ids]
    mine = drive + 0.1 * np.maximum(begins - current_time - drive, 0.0)
    envy = np.maximum(mine - courted, 0.0)
    return ids[np.argmin(mine + 0.8 * envy - 0.6 * radius + 0.1 * begins)]


# %% best_opening_by_chain
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """At the depot choose the opening with the best pair of links behind it."""
    ids = unvisited_nodes
    radius = distance_matrix[depot, ids]
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(time_windows[ids, 0] - current_time - drive, 0.0)
    if current_node != depot:
        return ids[np.argmin(drive + 0.2 * idle - 0.86 * radius)]
    begins = np.maximum(time_windows[ids, 0], radius)
    links = distance_matrix[np.ix_(ids, ids)]
    arrival = begins[:, None] + 0.18 + links
    fee = links + 0.13 * np.maximum(begins - arrival, 0.0) - 1.93 * radius
    fee = np.where((arrival < time_windows[ids, 1]) & (links > 0.0), fee, 0.0)
    one = fee.min(axis=1)
    two = (fee + one[None, :]).min(axis=1)
    return ids[np.argmin(0.6 * begins - 0.75 * radius + 0.7 * two)]


# %% time_ladder_dijkstra
import heapq


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Spend a fixed budget of expansions on the most profitable open chains."""
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    pool = [int(node) for node in unvisited_nodes]
    frontier = [(0.0, 0, int(current_node), float(current_time), int(rest_capacity), [])]
    best_value, best_first, made = -float("inf"), pool[0], 0
    for _ in range(25):
        if not frontier:
            break
        cost, size, here, clock, room, path = heapq.heappop(frontier)
        offers = []
        for node in pool:
            arrival = clock + links[here][node]
            if node in path or amounts[node] > room or arrival >= windows[node][1]:
                continue
            begin = max(arrival, windows[node][0])
            step = links[here][node] + 0.17 * (begin - arrival) - 1.05 * links[depot][node]
            offers.append((step, node, begin + 0.18))
        for step, node, leave in sorted(offers)[:3]:
            made += 1
            longer = path + [node]
            if -(cost + step) > best_value:
                best_value, best_first = -(cost + step), longer[0]
            heapq.heappush(frontier, (cost + step, made, node, leave, room - amounts[node], longer))
    return best_first


# %% prize_per_time
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Prize for remoteness minus the drive, divided by the time used."""
    drive = distance_matrix[current_node, unvisited_nodes]
    used = np.maximum(drive, time_windows[unvisited_nodes, 0] - current_time) + 0.32
    prize = 1.28 * distance_matrix[depot, unvisited_nodes] - drive
    rate = np.where(prize > 0.0, prize / used, prize * used)
    return unvisited_nodes[np.argmax(rate)]


# %% lonely_weighted_future
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Prize customers by how badly others can serve them; two sweeps carry worth back."""
    ids = unvisited_nodes
    radius = distance_matrix[depot, ids]
    begins = np.maximum(time_windows[ids, 0], radius)
    links = distance_matrix[np.ix_(ids, ids)]
    slack = time_windows[ids, 1][None, :] - begins[:, None] - 0.18 - links
    links = np.where((slack > 0.0) & ~np.eye(len(ids), dtype=bool), links, 1.5)
    before = np.minimum(np.sort(links, axis=0)[:2].mean(axis=0), radius)
    after = np.minimum(np.sort(links, axis=1)[:, :2].mean(axis=1), radius)
    prize = 0.21 * before + 0.3 * after + 0.3 * radius
    gain = prize[None, :] - links - 0.03 * np.maximum(slack - 0.12, 0.0)
    worth = 0.8 * np.maximum(gain.max(axis=1), -0.17)
    worth = 0.8 * np.maximum((gain + worth[None, :]).max(axis=1), -0.12)
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(begins - current_time - drive, 0.0)
    return ids[np.argmax(prize - drive - 0.13 * idle + worth)]


# %% value_with_home_option
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Look four steps ahead, and go home when the best chain loses more than a restart."""
    ids = unvisited_nodes
    radius = distance_matrix[depot, ids]
    begins = np.maximum(time_windows[ids, 0], radius)
    links = distance_matrix[np.ix_(ids, ids)]
    arrival = begins[:, None] + 0.18 + links
    prize = 1.17 * radius - 0.1
    gain = prize - links - 0.1 * np.maximum(begins - arrival, 0.0)
    gain = np.where((arrival < time_windows[ids, 1]) & (links > 0.0), gain, -2.0)
    worth = np.zeros(len(ids))
    for _ in range(4):
        worth = np.maximum((gain + 0.9 * worth[None, :]).max(axis=1), 0.0)
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(begins - current_time - drive, 0.0)
    total = prize - drive - 0.1 * idle + worth
    if current_node != depot and total.max() < -0.7 * distance_matrix[current_node, depot]:
        return depot
    return ids[np.argmax(total)]


# %% regret_of_postponing
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Look at the two best bargains: how much would each cost later, reached through the other one."""
    ids = unvisited_nodes
    drive = distance_matrix[current_node, ids]
    begin = np.maximum(current_time + drive, time_windows[ids, 0])
    base = drive + 0.15 * (begin - current_time - drive) - 0.6 * distance_matrix[depot, ids]
    order = np.argsort(base + 0.1 * begin, kind="stable")[:6]
    links = distance_matrix[np.ix_(ids[order], ids[order])]
    arrival = begin[order][:, None] + 0.18 + links
    later = np.where(arrival < time_windows[ids[order], 1], links, distance_matrix[depot, ids[order]][None, :] + 0.1)
    np.fill_diagonal(later, np.inf)
    postponed = np.minimum(later.min(axis=0), 1.5)
    return ids[order[np.argmax(0.5 * postponed - base[order])]]


# %% sampled_rollout_average
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Average profit of seeded softmax tails of three steps behind each of the three best first steps."""
    coin = np.random.default_rng(41 + 3 * len(unvisited_nodes) + int(current_node))
    ids, prize = unvisited_nodes, 1.19 * distance_matrix[depot, unvisited_nodes]

    def profit(here, clock):
        arrival = clock + distance_matrix[here, ids]
        late = arrival >= time_windows[ids, 1]
        idle = np.maximum(time_windows[ids, 0] - arrival, 0.0)
        return np.where(late, -9.0, prize - distance_matrix[here, ids] - 0.11 * idle)

    first = profit(current_node, current_time)
    best, record = int(np.argmax(first)), -np.inf
    for k in np.argsort(-first, kind="stable")[:3]:
        total = 0.0
        for _ in range(2):
            here, clock, done = int(k), current_time + distance_matrix[current_node, ids[k]], [int(k)]
            for _ in range(3):
                clock = max(clock, time_windows[ids[here], 0]) + 0.18
                value = profit(ids[here], clock)
                value[done] = -9.0
                follower = int(np.argmax(value + coin.gumbel(0.0, 0.03, len(ids))))
                if value[follower] < -0.03:
                    break
                total += 0.17 * value[follower]
                clock += distance_matrix[ids[here], ids[follower]]
                here, done = follower, done + [follower]
        if first[k] + total > record:
            best, record = int(k), first[k] + total
    return ids[best]


# %% relief_tree
import numpy as np


def explore(here, clock, room, used, steps, links, windows, amounts, relief):
    """Best profit of at most `steps` further customers, each worth its relief."""
    best = 0.0
    if steps == 0:
        return best
    options = []
    for node, worth in relief.items():
        arrival = clock + links[here][node]
        if node not in used and amounts[node] <= room and arrival < windows[node][1]:
            begin = max(arrival, windows[node][0])
            options.append((worth - links[here][node] - 0.07 * (begin - arrival), begin, node))
    for profit, begin, node in sorted(options, reverse=True)[:3]:
        if steps > 2 or profit > best:
            room_left = room - amounts[node]
            deeper = explore(node, begin + 0.18, room_left, used + [node], steps - 1, links, windows, amounts, relief)
            best = max(best, profit + 0.16 * deeper)
    return best


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Tree search in which a customer relieves the others by the price of its best alternative entry."""
    ids = unvisited_nodes
    radius = distance_matrix[depot, ids]
    between = distance_matrix[np.ix_(ids, ids)]
    reach = np.maximum(time_windows[ids, 0], radius)[:, None] + 0.18 + between
    entry = np.where(reach < time_windows[ids, 1], between, 9.0)
    np.fill_diagonal(entry, 9.0)
    values = 0.42 * np.minimum(entry.min(axis=0), radius) + 0.69 * radius - 0.05
    relief = dict(zip(ids.tolist(), values.tolist()))
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    scores = {}
    for node in relief:
        arrival = current_time + links[current_node][node]
        scores[node] = relief[node] - links[current_node][node] - 0.08 * max(0.0, windows[node][0] - arrival)
    top = sorted(scores, key=scores.get, reverse=True)[:4]
    for node in top:
        leave = max(current_time + links[current_node][node], windows[node][0]) + 0.18
        room = rest_capacity - amounts[node]
        scores[node] += 0.66 * explore(node, leave, room, [node], 3, links, windows, amounts, relief)
    return max(top, key=scores.get)


# %% two_vehicle_outlook
def drive_on(here, clock, room, pool, steps, links, windows, amounts, depot):
    """Go on greedily for a few steps; returns the profit and the customers left."""
    profit, pool = 0.0, list(pool)
    for _ in range(steps):
        best = None
        for node in pool:
            arrival = clock + links[here][node]
            if amounts[node] <= room and arrival < windows[node][1]:
                begin = max(arrival, windows[node][0])
                gain = 0.8 * links[depot][node] - links[here][node] - 0.13 * (begin - arrival)
                if best is None or gain > best[0]:
                    best = (gain, begin, node)
        if best is None or best[0] < -0.87:
            break
        profit += best[0]
        clock, here, room = best[1] + 0.18, best[2], room - amounts[best[2]]
        pool.remove(here)
    return profit, pool


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Add what this vehicle earns in five steps to what the next vehicle could still earn from the rest."""
    links, windows, amounts = distance_matrix.tolist(), time_windows.tolist(), demands.tolist()
    pool = [int(node) for node in unvisited_nodes]
    entry = {}
    for node in pool:
        drive = links[current_node][node]
        idle = max(0.0, windows[node][0] - current_time - drive)
        entry[node] = 1.2 * links[depot][node] - drive - 0.31 * idle
    best_node, best_total = pool[0], -float("inf")
    for node in sorted(pool, key=lambda node: -entry[node])[:5]:
        leave = max(current_time + links[current_node][node], windows[node][0]) + 0.18
        others = [other for other in pool if other != node]
        room = rest_capacity - amounts[node]
        own, rest = drive_on(node, leave, room, others, 5, links, windows, amounts, depot)
        following = drive_on(depot, 0.0, 40, rest, 5, links, windows, amounts, depot)[0]
        total = entry[node] + own + 0.39 * following
        if total > best_total:
            best_node, best_total = node, total
    return best_node


# %% sinkhorn_prize_sweep
import numpy as np


def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """Soft assignment prices serve as prizes for customers, then three sweeps of value iteration use them."""
    ids = unvisited_nodes
    radius = distance_matrix[depot, ids]
    begins = np.maximum(time_windows[ids, 0], radius)
    links = distance_matrix[np.ix_(ids, ids)]
    arrival = begins[:, None] + 0.18 + links
    timely = (arrival < time_windows[ids, 1]) & ~np.eye(len(ids), dtype=bool)
    cost = links + 0.08 * np.maximum(begins - arrival, 0.0)
    kernel = np.where(timely, np.exp(-cost / 0.27), 0.0)
    out = np.exp(-radius / 0.55)
    rows = np.ones(len(ids))
    columns = rows
    for _ in range(8):
        columns = 1.0 / (rows @ kernel + out + 1e-9)
        rows = 1.0 / (kernel @ columns + out + 1e-9)
    prize = 0.08 * np.log(columns) + 0.97 * radius
    worth = np.zeros(len(ids))
    for _ in range(3):
        worth = np.maximum(np.where(timely, prize - cost + worth, 0.0).max(axis=1), 0.0)
    drive = distance_matrix[current_node, ids]
    idle = np.maximum(begins - current_time - drive, 0.0)
    return ids[np.argmax(prize - drive - 0.05 * idle + 0.27 * worth)]
