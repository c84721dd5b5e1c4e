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
