# %% nearest
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Go to the closest city that has not been visited yet."""
    best = unvisited_nodes[0]
    best_distance = float("inf")
    for node in unvisited_nodes:
        distance = distance_matrix[current_node][node]
        if distance < best_distance:
            best_distance = distance
            best = node
    return best


# %% farthest
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Jump to the most distant unvisited city, the opposite of a good habit."""
    return max(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])


# %% lowest_id
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Visit the cities in the order of their numbers, whatever the distances say."""
    return min(unvisited_nodes)


# %% random_seeded
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Pick any unvisited city at random, from a generator seeded by how many are left."""
    generator = np.random.default_rng(1000 + len(unvisited_nodes))
    position = generator.integers(0, len(unvisited_nodes))
    return unvisited_nodes[position]


# %% median_distance
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Sort the cities by distance and take the one in the middle."""
    ordered = sorted(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])
    return ordered[(len(ordered) - 1) // 2]


# %% closest_to_home
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Visit cities in rings around the final destination, the closest to it first."""
    home = distance_matrix[destination_node, unvisited_nodes]
    return unvisited_nodes[np.argmin(home)]


# %% return_cost_discount
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Near cities first, with a discount for those far from the destination, so that the way home stays short."""
    step = distance_matrix[current_node, unvisited_nodes]
    home = distance_matrix[unvisited_nodes, destination_node]
    score = step - 0.2 * home
    return unvisited_nodes[int(np.argmin(score))]


# %% savings
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Take the city whose direct link saves most against passing through the destination."""
    best_node = unvisited_nodes[0]
    best_saving = -float("inf")
    via_home = distance_matrix[current_node][destination_node]
    for node in unvisited_nodes:
        saving = via_home + distance_matrix[destination_node][node] - distance_matrix[current_node][node]
        if saving > best_saving:
            best_saving = saving
            best_node = node
    return best_node


# %% cheapest_detour
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Choose the city that bends the straight line to the destination least."""
    there = distance_matrix[current_node][unvisited_nodes]
    back = distance_matrix[destination_node][unvisited_nodes]
    direct = distance_matrix[current_node][destination_node]
    detour = there + back - direct
    return unvisited_nodes[np.argmin(detour)]


# %% two_step_lookahead
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Judge a city by the step to it plus the shortest step that could follow."""
    best_node = unvisited_nodes[0]
    best_cost = float("inf")
    for node in unvisited_nodes:
        onward = [distance_matrix[node][other] for other in unvisited_nodes if other != node]
        follow = min(onward) if onward else distance_matrix[node][destination_node]
        cost = distance_matrix[current_node][node] + follow
        if cost < best_cost:
            best_cost = cost
            best_node = node
    return best_node


# %% loneliness
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Close cities first, but give credit to lonely ones: without a near neighbour they are costly to come back to."""
    if len(unvisited_nodes) < 2:
        return unvisited_nodes[0]
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)].copy()
    np.fill_diagonal(between, np.inf)
    loneliness = between.min(axis=1)
    cost = distance_matrix[current_node, unvisited_nodes] - 0.5 * loneliness
    return unvisited_nodes[np.argmin(cost)]


# %% skip_regret
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Serve the city that would regret being skipped most: its two best other links, divided by the link from here."""
    chosen = unvisited_nodes[0]
    highest = -float("inf")
    for node in unvisited_nodes:
        links = sorted(distance_matrix[node][other] for other in unvisited_nodes if other != node)
        links.append(distance_matrix[node][destination_node])
        later = sum(links[:2]) / len(links[:2])
        regret = (later + 0.01) / (distance_matrix[current_node][node] + 0.01)
        if regret > highest:
            highest = regret
            chosen = node
    return chosen


# %% crowd_centroid
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Prefer near cities that lie far from the crowd, measured by the mean distance to all remaining cities."""
    remaining = np.asarray(unvisited_nodes)
    mean_distance = distance_matrix[remaining][:, remaining].mean(axis=1)
    return remaining[np.argmin(distance_matrix[current_node, remaining] - 0.45 * mean_distance)]


# %% relative_proximity
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Divide the step by how far the city is from everything else, so that closeness is judged in relation."""
    total = distance_matrix[unvisited_nodes].mean(axis=1)
    ratio = distance_matrix[current_node, unvisited_nodes] / np.maximum(total, 1e-9)
    return unvisited_nodes[np.argmin(ratio)]


# %% mutual_rank
def count_closer(node, limit, others, distance_matrix):
    closer = 0
    for other in others:
        if other != node and distance_matrix[node][other] < limit:
            closer += 1
    return closer


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Among the ten nearest, prefer the city for which we are a good neighbour too: few others lie closer to it."""
    best_node = unvisited_nodes[0]
    best_key = float("inf")
    for rank, node in enumerate(unvisited_nodes[:10]):
        step = distance_matrix[current_node][node]
        rank_back = count_closer(node, step, unvisited_nodes, distance_matrix)
        key = rank + rank_back
        if key < best_key:
            best_key = key
            best_node = node
    return best_node


# %% beam_search
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Keep the five best partial paths for six steps and follow the first step of the shortest."""
    depth = min(6, len(unvisited_nodes))
    reachable = [int(node) for node in unvisited_nodes[:14]]
    beam = [(0.0, [current_node])]
    for _ in range(depth):
        extended = []
        for length, path in beam:
            row = distance_matrix[path[-1]]
            for node in reachable:
                if node not in path[1:]:
                    extended.append((length + float(row[node]), path + [node]))
        extended.sort(key=lambda entry: entry[0])
        beam = extended[:5]
    return beam[0][1][1]


# %% greedy_rollout
def walk_length(start, others, distance_matrix, steps):
    left = set(others)
    left.discard(start)
    here = start
    length = 0.0
    for _ in range(min(steps, len(left))):
        row = distance_matrix[here]
        here = min(left, key=lambda node: row[node])
        length += row[here]
        left.discard(here)
    return length


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Try each of four near cities, walk greedily ten steps on from it, and keep the start of the shortest walk."""
    others = [int(node) for node in unvisited_nodes]
    rows = distance_matrix.tolist()
    totals = {}
    for node in others[:4]:
        totals[node] = rows[current_node][node] + walk_length(node, others, rows, 10)
    return min(totals, key=totals.get)


# %% sweep_angle
import numpy as np


def locate(distance_matrix):
    """Planar coordinates from distances to two anchors; a third city decides on which side a city lies."""
    second = int(np.argmax(distance_matrix[0]))
    base = max(distance_matrix[0, second], 1e-9)
    x = (distance_matrix[0] ** 2 - distance_matrix[second] ** 2 + base**2) / (2 * base)
    y = np.sqrt(np.maximum(distance_matrix[0] ** 2 - x**2, 0.0))
    third = int(np.argmax(y))
    same = (x - x[third]) ** 2 + (y - y[third]) ** 2
    opposite = (x - x[third]) ** 2 + (y + y[third]) ** 2
    target = distance_matrix[third] ** 2
    return x, np.where(np.abs(same - target) <= np.abs(opposite - target), y, -y)


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Sweep like a radar around the middle of the map and take the next city counterclockwise."""
    x, y = locate(distance_matrix)
    angle = np.arctan2(y - y.mean(), x - x.mean())
    turn = (angle[unvisited_nodes] - angle[current_node]) % (2 * np.pi)
    return unvisited_nodes[np.argmin(turn)]


# %% hull_bias
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Hug the outside of the map: the distance to the common centre, had from squared distances alone, is a bonus."""
    squared = distance_matrix**2
    to_centre = np.sqrt(np.maximum(squared.mean(axis=1) - 0.5 * squared.mean(), 0.0))
    value = distance_matrix[current_node, unvisited_nodes] - 0.3 * to_centre[unvisited_nodes]
    return unvisited_nodes[np.argmin(value)]


# %% quadrant_by_quadrant
import numpy as np


def plane(distance_matrix):
    squared = distance_matrix**2
    rows = squared.mean(axis=1)
    gram = -0.5 * (squared - rows[:, None] - rows[None, :] + squared.mean())
    values, vectors = np.linalg.eigh(gram)
    return vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0.0))


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Rebuild the map from the distances, cut it in four, and empty the quadrant we are in before leaving it."""
    points = plane(distance_matrix)
    here = points[current_node] > 0
    together = [node for node in unvisited_nodes if np.array_equal(points[node] > 0, here)]
    candidates = together if together else list(unvisited_nodes)
    return min(candidates, key=lambda node: distance_matrix[current_node, node])


# %% spanning_tree_bound
import numpy as np


def tree_weight(nodes, distance_matrix):
    if len(nodes) < 2:
        return 0.0
    weights = distance_matrix[np.ix_(nodes, nodes)]
    reach = weights[0].copy()
    reach[0] = np.inf
    outside = np.ones(len(nodes), dtype=bool)
    outside[0] = False
    total = 0.0
    for _ in range(len(nodes) - 1):
        new = int(np.argmin(np.where(outside, reach, np.inf)))
        total += reach[new]
        outside[new] = False
        reach = np.minimum(reach, weights[new])
    return total


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """For the three nearest cities add up the step, a spanning tree over the rest and the links of both ends to it."""
    best_node = unvisited_nodes[0]
    best_bound = np.inf
    for node in unvisited_nodes[:3]:
        rest = unvisited_nodes[unvisited_nodes != node]
        if len(rest) == 0:
            return node
        links = distance_matrix[node, rest].min() + distance_matrix[destination_node, rest].min()
        bound = distance_matrix[current_node, node] + links + tree_weight(rest, distance_matrix)
        if bound < best_bound:
            best_bound = bound
            best_node = node
    return best_node


# %% sparse_region_first
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Stretch the step by the number of remaining cities around the target: dense regions can wait."""
    radius = 0.25 * distance_matrix.mean()
    block = distance_matrix[unvisited_nodes][:, unvisited_nodes]
    neighbours = (block < radius).sum(axis=1)
    stretched = distance_matrix[current_node, unvisited_nodes] * (1.0 + neighbours) ** 0.2
    return unvisited_nodes[stretched.argmin()]


# %% dense_region_first
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Head for the thick of it: the number of remaining cities around a target divides its distance."""
    radius = 0.15 * max(distance_matrix[current_node][node] for node in unvisited_nodes)

    def pull(node):
        crowd = sum(1 for other in unvisited_nodes if distance_matrix[node][other] <= radius)
        return crowd / (distance_matrix[current_node][node] + 1e-6)

    return max(unvisited_nodes, key=pull)


# %% out_then_home
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Drift away from the destination in the first half of the tour and back towards it in the second half."""
    done = 1.0 - len(unvisited_nodes) / len(distance_matrix)
    drift = 0.4 * (2.0 * done - 1.0)
    best_node, best_value = unvisited_nodes[0], float("inf")
    for node in unvisited_nodes:
        value = distance_matrix[current_node][node] + drift * distance_matrix[node][destination_node]
        if value < best_value:
            best_node, best_value = node, value
    return best_node


# %% noisy_nearest
import math
import random


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Draw one of four near cities, with chances that fall exponentially with distance; seeded by the current city."""
    generator = random.Random(31 * int(current_node) + len(unvisited_nodes))
    near = [int(node) for node in unvisited_nodes[:4]]
    shortest = distance_matrix[current_node][near[0]] + 1e-9
    weights = [math.exp(-3.0 * distance_matrix[current_node][node] / shortest) + 1e-12 for node in near]
    return generator.choices(near, weights=weights)[0]


# %% alternate_two_nearest
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Alternate between the nearest and the second nearest city from call to call."""
    if len(unvisited_nodes) > 1 and len(unvisited_nodes) % 2 == 0:
        return unvisited_nodes[1]
    return unvisited_nodes[0]


# %% snake_strips
import numpy as np


def flat_map(d):
    far = int(d[0].argmax())
    base = d[0, far] if d[0, far] > 0 else 1.0
    x = (d[0] ** 2 + base**2 - d[far] ** 2) / (2 * base)
    y = np.sqrt(np.clip(d[0] ** 2 - x**2, 0, None))
    judge = int(y.argmax())
    expected = np.hypot(x - x[judge], y - y[judge])
    y[np.abs(expected - d[judge]) > 1e-6] *= -1
    return x, y


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Cut the map into five strips and mow them like a lawn, up one strip and down the next."""
    x, y = flat_map(distance_matrix)
    span = max(float(x.max() - x.min()), 1e-9)
    strip = np.minimum(5 * (x - x.min()) / span, 4).astype(int)
    ordered = sorted(unvisited_nodes, key=lambda i: (strip[i], y[i] if strip[i] % 2 == 0 else -y[i]))
    return ordered[0]


# %% outermost_of_near
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Of the cities at most one and a half times as far as the nearest, take the most remote from all others."""
    nearest = min(distance_matrix[current_node][node] for node in unvisited_nodes)
    close = [node for node in unvisited_nodes if distance_matrix[current_node][node] <= 1.5 * nearest]
    return max(close, key=lambda node: sum(distance_matrix[node][other] for other in unvisited_nodes))


# %% exact_endgame
def shortest_end(here, left, goal, rows):
    if not left:
        return rows[here][goal], goal
    best = float("inf")
    first = left[0]
    for node in left:
        others = tuple(other for other in left if other != node)
        length = rows[here][node] + shortest_end(node, others, goal, rows)[0]
        if length < best:
            best = length
            first = node
    return best, first


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Nearest city for most of the tour, but try every order once only six cities are left."""
    if len(unvisited_nodes) > 6:
        return min(unvisited_nodes, key=lambda node: distance_matrix[current_node][node])
    rows = distance_matrix.tolist()
    left = tuple(int(node) for node in unvisited_nodes)
    return shortest_end(current_node, left, destination_node, rows)[1]


# %% rank_sum
import numpy as np


def ranks(values):
    return np.argsort(np.argsort(values))


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Let three criteria vote with ranks: short step, far from the destination, far from the remaining crowd."""
    step = ranks(distance_matrix[current_node, unvisited_nodes])
    home = ranks(-distance_matrix[destination_node, unvisited_nodes])
    crowd = ranks(-distance_matrix[unvisited_nodes][:, unvisited_nodes].sum(axis=1))
    return unvisited_nodes[np.argmin(4 * step + home + crowd)]


# %% no_orphans
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Clean up behind: a city whose surroundings are mostly visited would become an orphan, so it gets a discount."""
    left = np.zeros(len(distance_matrix), dtype=bool)
    left[unvisited_nodes] = True
    closeness = 1.0 / (0.05 + distance_matrix[unvisited_nodes])
    visited_share = closeness[:, ~left].sum(axis=1) / closeness.sum(axis=1)
    cost = distance_matrix[current_node, unvisited_nodes] * (1.3 - visited_share)
    return unvisited_nodes[int(cost.argmin())]


# %% morton_curve
import numpy as np


def interleave(a, b):
    code = 0
    for bit in range(6):
        code |= ((a >> bit) & 1) << (2 * bit)
        code |= ((b >> bit) & 1) << (2 * bit + 1)
    return code


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Walk along a Z-shaped space-filling curve over a map spanned by two far apart anchors."""
    anchor = int(np.argmax(distance_matrix[destination_node]))
    first = distance_matrix[destination_node]
    second = distance_matrix[anchor]
    middle = int(np.argmax(np.minimum(first, second)))
    along = first - second
    across = distance_matrix[middle]
    cells = []
    for axis in (along, across):
        span = max(float(np.ptp(axis)), 1e-9)
        cells.append(np.minimum(64 * (axis - axis.min()) / span, 63).astype(int))
    return min(unvisited_nodes, key=lambda node: interleave(int(cells[0][node]), int(cells[1][node])))


# %% insert_now_or_later
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Compare the detour of visiting a city on the way to the nearest one with the cheapest place for it later on."""
    nearest = unvisited_nodes[0]
    best_node = nearest
    best_gain = 0.0
    for node in unvisited_nodes[1:8]:
        row = distance_matrix[node]
        now = distance_matrix[current_node][node] + row[nearest] - distance_matrix[current_node][nearest]
        friends = sorted((other for other in unvisited_nodes if other != node), key=lambda other: row[other])[:4]
        friends.append(destination_node)
        later = float("inf")
        for i, a in enumerate(friends):
            for b in friends[i + 1 :]:
                later = min(later, row[a] + row[b] - distance_matrix[a][b])
        if later - now > best_gain:
            best_gain = later - now
            best_node = node
    return best_node


# %% best_local_order
from itertools import permutations


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Try every order of the five nearest cities, ending with the link to the sixth or home, and start the shortest."""
    cluster = [int(node) for node in unvisited_nodes[:5]]
    exit_node = unvisited_nodes[5] if len(unvisited_nodes) > 5 else destination_node
    rows = distance_matrix.tolist()
    best_first, best_length = cluster[0], float("inf")
    for order in permutations(cluster):
        length = rows[current_node][order[0]] + rows[order[-1]][exit_node]
        for a, b in zip(order, order[1:]):
            length += rows[a][b]
        if length < best_length:
            best_first, best_length = order[0], length
    return best_first


# %% average_of_onward_links
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Prefer a close city that is poorly connected: its three best onward links, averaged, are subtracted."""
    best = None
    best_score = np.inf
    for node in unvisited_nodes:
        onward = np.sort(distance_matrix[node, unvisited_nodes])[1:4]
        poverty = onward.mean() if onward.size else 0.0
        score = distance_matrix[current_node, node] - 0.7 * poverty + 0.1 * distance_matrix[node, destination_node]
        if score < best_score:
            best = node
            best_score = score
    return best


# %% two_opt_rollout
def greedy_path(start, nodes, goal, rows):
    path = [start]
    left = list(nodes)
    while left:
        here = path[-1]
        following = min(left, key=lambda node: rows[here][node])
        left.remove(following)
        path.append(following)
    path.append(goal)
    return path


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Draw a greedy path through the twelve nearest cities, untangle it by reversals, and take its first step."""
    near = [int(node) for node in unvisited_nodes[:12]]
    rows = distance_matrix.tolist()
    goal = int(unvisited_nodes[12]) if len(unvisited_nodes) > 12 else destination_node
    path = greedy_path(current_node, near, goal, rows)
    improved = True
    rounds = 0
    while improved and rounds < 6:
        improved = False
        rounds += 1
        for i in range(1, len(path) - 2):
            for j in range(i + 1, len(path) - 1):
                before = rows[path[i - 1]][path[i]] + rows[path[j]][path[j + 1]]
                after = rows[path[i - 1]][path[j]] + rows[path[i]][path[j + 1]]
                if after < before - 1e-12:
                    path[i : j + 1] = path[i : j + 1][::-1]
                    improved = True
    return path[1]
