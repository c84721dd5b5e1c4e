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


# %% next_higher_id
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Go round the numbers: the next higher city number, starting over after the largest."""
    cities = len(distance_matrix)
    return min(unvisited_nodes, key=lambda city: (city - current_node) % cities)


# %% even_numbers_first
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Tour the cities with even numbers before those with odd ones, each time the closest."""
    even = [city for city in unvisited_nodes if city % 2 == 0]
    if even:
        return even[0]
    return unvisited_nodes[0]


# %% hashed_order
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Shuffle the city numbers by a multiplication modulo a prime and follow that order."""
    chosen = unvisited_nodes[0]
    smallest = 1009
    for city in unvisited_nodes:
        code = (37 * int(city) + 11) % 1009
        if code < smallest:
            smallest = code
            chosen = city
    return chosen


# %% random_near_half
import random


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """A blind draw among the nearer half of the cities, seeded by how many remain."""
    half = (len(unvisited_nodes) + 1) // 2
    dice = random.Random(5 + 3 * len(unvisited_nodes))
    return unvisited_nodes[dice.randrange(half)]


# %% tournament_of_three
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Draw a few contestants at random and let the nearest of them win."""
    rng = np.random.default_rng(17 + len(unvisited_nodes))
    contestants = rng.choice(unvisited_nodes, size=min(3, len(unvisited_nodes)), replace=False)
    return contestants[np.argmin(distance_matrix[current_node][contestants])]


# %% even_pace
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Keep an even pace: the step closest to the typical gap between neighbouring cities."""
    gaps = np.sort(distance_matrix, axis=1)[:, 1:3]
    pace = gaps.mean() if gaps.size else 0.0
    off = np.abs(distance_matrix[current_node, unvisited_nodes] - pace)
    return unvisited_nodes[off.argmin()]


# %% orbit_home
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Circle around the destination: short steps that change the distance to it as little as possible."""
    height = distance_matrix[current_node][destination_node]
    best, change = unvisited_nodes[0], float("inf")
    for candidate in unvisited_nodes:
        difference = abs(distance_matrix[candidate][destination_node] - height)
        difference += 0.4 * distance_matrix[current_node][candidate]
        if difference < change:
            best, change = candidate, difference
    return best


# %% outermost_from_home
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Visit the rim first: always the city farthest away from the destination."""
    order = np.argsort(-distance_matrix[unvisited_nodes, destination_node], kind="stable")
    return unvisited_nodes[order[0]]


# %% most_central_first
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Start with the city whose distances to all cities add up to the least."""
    sums = {int(city): sum(distance_matrix[city]) for city in unvisited_nodes}
    return min(sums, key=sums.get)


# %% zigzag_about_home
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Alternate between short steps that approach the destination and short steps away from it."""
    here = distance_matrix[current_node][destination_node]
    receding = len(unvisited_nodes) % 2 == 0
    for city in unvisited_nodes:
        if (distance_matrix[city][destination_node] > here) == receding:
            return city
    return unvisited_nodes[0]


# %% growing_rank
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """The further the tour has come, the closer to the front of the list the choice falls."""
    left = len(unvisited_nodes)
    place = int(0.3 * left * left / len(distance_matrix))
    return unvisited_nodes[min(place, left - 1)]


# %% tail_of_the_cluster
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Reach for the last city before the first wide gap in the sorted list of distances."""
    reach = distance_matrix[current_node][unvisited_nodes]
    for position in range(len(reach) - 1):
        if reach[position + 1] > 1.35 * reach[position]:
            return unvisited_nodes[position]
    return unvisited_nodes[-1]


# %% inverse_cube_roulette
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Spin a roulette wheel whose slots shrink with the cube of the distance."""
    slots = 1.0 / (distance_matrix[current_node, unvisited_nodes] + 1e-6) ** 3
    wheel = np.cumsum(slots / slots.sum())
    spin = np.random.default_rng(int(current_node) + 7 * len(unvisited_nodes)).random()
    return unvisited_nodes[min(int(np.searchsorted(wheel, spin)), len(unvisited_nodes) - 1)]


# %% keep_heading
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Guess that we came from the nearest visited city and prefer short steps that go straight on."""
    waiting = set(unvisited_nodes.tolist())
    row = distance_matrix[current_node]
    visited = [city for city in range(len(row)) if city not in waiting and city != current_node]
    if not visited:
        return unvisited_nodes[0]
    origin = min(visited, key=lambda city: row[city])

    def cost(city):
        straight = row[origin] + row[city]
        return row[city] + 1.6 * (straight - distance_matrix[origin][city])

    return min(unvisited_nodes, key=cost)


# %% dead_end_first
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """As on a knight's tour: of the four nearest, the city with the fewest remaining exits."""
    near = unvisited_nodes[:4]
    reach = 1.6 * distance_matrix[current_node][near[-1]]
    exits = []
    for city in near:
        exits.append(sum(1 for other in unvisited_nodes if 0 < distance_matrix[city][other] <= reach))
    return near[exits.index(min(exits))]


# %% finish_the_component
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Chain close cities into components and enter the small one that is almost the nearest."""
    link = 0.22 * distance_matrix.mean()
    row = distance_matrix[current_node]
    pool = [int(city) for city in unvisited_nodes]
    components = []
    while pool:
        group = [pool.pop(0)]
        for member in group:
            joined = [city for city in pool if distance_matrix[member][city] < link]
            group.extend(joined)
            pool = [city for city in pool if city not in joined]
        components.append(group)
    return min(components, key=lambda group: row[group[0]] + 0.06 * len(group))[0]


# %% smallest_subtree_first
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Hang a spanning tree on the current city and descend into its smallest branch."""
    branch = {}
    link = {int(city): (distance_matrix[current_node][city], int(city)) for city in unvisited_nodes}
    while link:
        new = min(link, key=lambda city: link[city][0])
        top = link.pop(new)[1]
        branch[new] = top
        for city in link:
            if distance_matrix[new][city] < link[city][0]:
                link[city] = (distance_matrix[new][city], top)
    sizes = {}
    for top in branch.values():
        sizes[top] = sizes.get(top, 0) + 1
    return min(sizes, key=lambda top: sizes[top] + distance_matrix[current_node][top])


# %% reduced_matrix
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Share out row and column minima of all possible links and take the smallest reduced link."""
    starts = np.append(unvisited_nodes, current_node)
    ends = np.append(unvisited_nodes, destination_node)
    links = distance_matrix[np.ix_(starts, ends)].copy()
    np.fill_diagonal(links[:-1, :-1], np.inf)
    links[-1, -1] = np.inf
    for share in (1.0, 0.2, 0.9):
        links -= share * links.min(axis=0)
        links -= share * links.min(axis=1)[:, None]
    return unvisited_nodes[np.argmin(links[-1, :-1])]


# %% sinkhorn_flow
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Balance a soft assignment of successors and follow the heaviest flow out of the current city."""
    sources = np.append(current_node, unvisited_nodes)
    sinks = np.append(unvisited_nodes, destination_node)
    cost = distance_matrix[np.ix_(sources, sinks)]
    flow = np.exp(-cost / max(0.12 * cost.mean(), 1e-9)) + 1e-30
    flow[1:, :-1][np.diag_indices(len(unvisited_nodes))] = 1e-30
    for _ in range(12):
        flow /= flow.sum(axis=0)
        flow /= flow.sum(axis=1)[:, None]
    return unvisited_nodes[flow[0, :-1].argmax()]


# %% standard_score
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Standardise the step by a quartile and the spread of each city's own links."""
    profile = np.sort(distance_matrix[unvisited_nodes][:, unvisited_nodes], axis=1)
    usual = profile[:, profile.shape[1] // 4]
    spread = profile[:, -1] - usual + 0.05 * distance_matrix.mean() + 1e-9
    score = (distance_matrix[current_node, unvisited_nodes] - usual) / np.sqrt(spread)
    return unvisited_nodes[score.argmin()]


# %% own_clientele
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Serve first a city for which no remaining city is closer than we are."""
    clients = []
    for city in unvisited_nodes:
        row = distance_matrix[city]
        rivals = [row[other] for other in unvisited_nodes if other != city]
        if not rivals or row[current_node] <= min(rivals):
            clients.append(city)
    if clients:
        return clients[-1]
    return unvisited_nodes[0]


# %% unpopular_first
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Count for whom a city is among the three nearest; unpopular cities would be hard to reach again."""
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    favourites = np.argsort(block, axis=1)[:, 1:4]
    votes = np.bincount(favourites.ravel(), minlength=len(unvisited_nodes))
    price = distance_matrix[current_node, unvisited_nodes] * (1.0 + 0.35 * votes)
    return unvisited_nodes[price.argmin()]


# %% clear_case_or_lonely
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Take a clearly nearest city at once; in a close race the contender with the worst links."""
    row = distance_matrix[current_node]
    race = [city for city in unvisited_nodes[:6] if row[city] < 1.7 * row[unvisited_nodes[0]] + 1e-12]
    if len(race) < 2:
        return unvisited_nodes[0]
    worst = [np.sort(distance_matrix[city, unvisited_nodes])[1:3].sum() - row[city] for city in race]
    return race[int(np.argmax(worst))]


# %% fading_chain
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Follow a greedy chain from each of eight cities for five steps, counting later links less and less."""
    rows = distance_matrix.tolist()
    scores = {}
    for first in unvisited_nodes[:8].tolist():
        free = set(unvisited_nodes.tolist()) - {first}
        value, weight, spot = rows[current_node][first], 0.75, first
        for _ in range(min(5, len(free))):
            ahead = min(free, key=rows[spot].__getitem__)
            value += weight * rows[spot][ahead]
            weight *= 0.75
            free.remove(ahead)
            spot = ahead
        scores[first] = value
    return min(scores, key=scores.get)


# %% worst_link_ahead
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Minimise the longest link among the first five of a greedy walk through each near city."""
    best_city, best_pair = unvisited_nodes[0], (float("inf"), float("inf"))
    for first in unvisited_nodes[:5]:
        rest = [city for city in unvisited_nodes if city != first]
        longest, spot = distance_matrix[current_node][first], first
        total = longest
        while rest and len(rest) > len(unvisited_nodes) - 5:
            follower = rest[int(distance_matrix[spot][rest].argmin())]
            step = distance_matrix[spot][follower]
            longest, total = max(longest, step), total + step
            rest.remove(follower)
            spot = follower
        if (longest, total) < best_pair:
            best_city, best_pair = first, (longest, total)
    return best_city


# %% gravity_well
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Fall towards the strongest pull, where the isolation of a city is its mass."""
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    mass = np.sort(block, axis=1)[:, :4].sum(axis=1) + 0.02
    pull = mass / (distance_matrix[current_node, unvisited_nodes] + 1e-6) ** 1.3
    return unvisited_nodes[np.argmax(pull)]


# %% one_side_of_the_line
import numpy as np


def embed(distances):
    squares = distances**2
    centred = squares - squares.mean(axis=0) - squares.mean(axis=1)[:, None] + squares.mean()
    values, vectors = np.linalg.eigh(-0.5 * centred)
    return vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 0.0))


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Draw the line to each near city and prefer lines that leave all remaining cities on the same side."""
    xy = embed(distance_matrix)
    offset = xy[unvisited_nodes] - xy[current_node]
    side = np.sign(np.outer(offset[:, 0], offset[:, 1]) - np.outer(offset[:, 1], offset[:, 0]))
    left, right = (side > 0).sum(axis=1), (side < 0).sum(axis=1)
    split = np.minimum(left, right) / len(unvisited_nodes)
    length = np.hypot(offset[:, 0], offset[:, 1])
    return unvisited_nodes[np.argmin(length * (1.0 + 1.2 * split))]


# %% turn_around_the_middle
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Advance counterclockwise about the middle of the map: steps that turn the other way pay a surcharge."""
    n = len(distance_matrix)
    squares = distance_matrix**2
    centring = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centring @ squares @ centring)
    x, y = vectors[:, -1] * max(values[-1], 0.0) ** 0.5, vectors[:, -2] * max(values[-2], 0.0) ** 0.5
    swept = x[current_node] * y[unvisited_nodes] - y[current_node] * x[unvisited_nodes]
    surcharge = np.where(swept < 0.0, 0.12 * distance_matrix.mean(), 0.0)
    return unvisited_nodes[np.argmin(distance_matrix[current_node, unvisited_nodes] + surcharge)]


# %% living_portfolio
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Walks with six tastes that update the remoteness of what is left finish the tour; the best decides."""
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    centre = np.array([0.2, 0.4, 0.6, 0.3, 0.5, 0.7])[:, None]
    return_share = np.array([0.0, 0.0, 0.0, 0.25, 0.25, 0.25])[:, None]
    tries = min(9, size)
    spot = np.repeat(np.arange(tries), 6)
    centre, return_share = np.tile(centre, (tries, 1)), np.tile(return_share, (tries, 1))
    mass = np.tile(block.sum(axis=0), (len(spot), 1))
    length = distance_matrix[current_node, unvisited_nodes[spot]]
    barred = np.zeros(mass.shape)
    lane = np.arange(len(spot))
    for left in range(size - 1, 0, -1):
        barred[lane, spot] = np.inf
        mass -= block[spot]
        score = block[spot] - centre * mass / left - return_share * (left / size) * home
        ahead = (score + barred).argmin(axis=1)
        length = length + block[spot, ahead]
        spot = ahead
    return unvisited_nodes[(length + home[spot]).argmin() // 6]


# %% living_pairs
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Fork twice, five cities and then their nearest, and complete each fork with updated remoteness."""
    size = len(unvisited_nodes)
    if size < 3:
        ends = distance_matrix[current_node] - distance_matrix[destination_node]
        return unvisited_nodes[ends[unvisited_nodes].argmin()]
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    forks = []
    for a in range(min(5, size)):
        for b in np.argsort(block[a])[:5]:
            if a != b:
                forks.extend([(a, int(b), 0.3), (a, int(b), 0.55)])
    first, spot, weight = (np.array(column) for column in zip(*forks))
    lane = np.arange(len(forks))
    open_mask = np.ones((len(forks), size), dtype=bool)
    open_mask[lane, first] = False
    mass = block.sum(axis=0) - block[first]
    length = distance_matrix[current_node, unvisited_nodes[first]] + block[first, spot]
    for left in range(size - 2, 0, -1):
        open_mask[lane, spot] = False
        mass = mass - block[spot]
        value = block[spot] - weight[:, None] / left * mass - 0.12 * home
        ahead = np.where(open_mask, value, np.inf).argmin(axis=1)
        length = length + block[spot, ahead]
        spot = ahead
    return unvisited_nodes[first[np.argmin(length + home[spot])]]


# %% mean_and_best_future
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Each candidate sees sixteen random futures; its worth blends the best and the best quarter."""
    size = len(unvisited_nodes)
    rng = np.random.default_rng(101 * size)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    tries = min(6, size)
    spot = np.repeat(np.arange(tries), 16)
    centre = np.tile(rng.uniform(0.1, 0.8, 16), tries)
    taste = np.outer(centre, block.mean(axis=0)) + np.outer(np.tile(rng.uniform(0.0, 0.3, 16), tries), home)
    lane = np.arange(len(spot))
    length = distance_matrix[current_node, unvisited_nodes[spot]]
    for _ in range(size - 1):
        taste[lane, spot] = -np.inf
        ahead = (block[spot] - taste).argmin(axis=1)
        length = length + block[spot, ahead]
        spot = ahead
    futures = np.sort((length + home[spot]).reshape(tries, 16), axis=1)
    worth = 0.8 * futures[:, 0] + 0.2 * futures[:, :4].mean(axis=1)
    return unvisited_nodes[worth.argmin()]


# %% beam_then_finish
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Grow many partial paths four steps by length minus remoteness, then finish all of them."""
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    debt = 0.5 * block.mean(axis=0) + 0.12 * home
    step = distance_matrix[current_node, unvisited_nodes]
    spot = np.argsort(step - debt)[:6]
    first, length, value = spot, step[spot], (step - debt)[spot]
    barred = np.zeros((len(spot), size))
    for depth in range(size - 1):
        barred[np.arange(len(spot)), spot] = np.inf
        offers = block[spot] - debt + barred
        if depth < 4:
            order = np.argsort(offers, axis=1)[:, :3]
            lane = np.repeat(np.arange(len(spot)), order.shape[1])
            ahead = order.ravel()
            totals = value[lane] + offers[lane, ahead]
            keep = np.argsort(totals)[:24]
            keep = keep[np.isfinite(totals[keep])]
            lane, ahead, value = lane[keep], ahead[keep], totals[keep]
        else:
            lane, ahead = np.arange(len(spot)), offers.argmin(axis=1)
        length = length[lane] + block[spot[lane], ahead]
        first, barred, spot = first[lane], barred[lane], ahead
    return unvisited_nodes[first[(length + home[spot]).argmin()]]


# %% pilot_with_relocation
import numpy as np


def repaired(path, rows):
    saved, last = 0.0, min(len(path) - 1, 16)
    for i in range(2, last):
        city = path[i]
        gain = rows[path[i - 1]][city] + rows[city][path[i + 1]] - rows[path[i - 1]][path[i + 1]]
        best = gain
        for j in range(1, len(path) - 2):
            if j != i - 1 and j != i:
                best = min(best, rows[path[j]][city] + rows[city][path[j + 1]] - rows[path[j]][path[j + 1]])
        saved += gain - best
    return saved


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete four tours and credit half of what moving single early cities would still save."""
    rows = distance_matrix.tolist()
    remote = 0.4 * distance_matrix[:, unvisited_nodes].mean(axis=1)
    lengths = []
    for city in unvisited_nodes[:4].tolist():
        path, left = [current_node, city], unvisited_nodes[unvisited_nodes != city]
        while len(left):
            place = int((distance_matrix[path[-1], left] - remote[left]).argmin())
            path.append(int(left[place]))
            left = np.delete(left, place)
        path.append(destination_node)
        length = sum(rows[a][b] for a, b in zip(path, path[1:]))
        lengths.append(length - 0.5 * repaired(path, rows))
    return unvisited_nodes[int(np.argmin(lengths))]


# %% two_medoids
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Split the rest around two far apart cities and finish the half away from the destination first."""
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    a, b = np.unravel_index(block.argmax(), block.shape)
    home = distance_matrix[destination_node, unvisited_nodes]
    if home[a] < home[b]:
        a, b = b, a
    late = block[a] > 1.5 * block[b]
    step = distance_matrix[current_node, unvisited_nodes]
    return unvisited_nodes[np.argmin(step * np.where(late, 1.8, 1.0))]


# %% gabriel_links
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Use only links whose circle holds no other city, and prefer cities with few such links."""
    squares = (distance_matrix**2).tolist()
    cities = unvisited_nodes.tolist()

    def linked(a, b):
        return all(squares[a][c] + squares[c][b] >= squares[a][b] for c in cities[:20] if c != a and c != b)

    neighbours = [city for city in cities[:8] if linked(current_node, city)]
    if not neighbours:
        return unvisited_nodes[0]
    degree = {city: sum(linked(city, other) for other in cities[:20] if other != city) for city in neighbours}
    return min(neighbours, key=lambda city: distance_matrix[current_node][city] * (1 + 0.5 * degree[city]))


# %% heat_and_hubs
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Let heat spread from here and divide what arrives by how easily all others warm the city."""
    nodes = np.append(current_node, unvisited_nodes)
    block = distance_matrix[np.ix_(nodes, nodes)]
    kernel = np.exp(-block / max(0.8 * block.mean(), 1e-9))
    warmth = kernel.sum(axis=0)
    return unvisited_nodes[np.argmax(kernel[0, 1:] / warmth[1:])]


# %% split_penalty
import numpy as np


def pieces(cities, radius, distance_matrix):
    rest, count = set(cities), 0
    while rest:
        front = [rest.pop()]
        count += 1
        while front:
            place = front.pop()
            touched = {city for city in rest if distance_matrix[place][city] <= radius}
            rest -= touched
            front.extend(touched)
    return count


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Prefer the step after which the remaining cities fall into the fewest separate pieces."""
    rows = distance_matrix.tolist()
    radius = 2.0 * float(np.median(np.sort(distance_matrix, axis=1)[:, 1]))
    cities = unvisited_nodes.tolist()
    costs = []
    for city in cities[:6]:
        rest = [other for other in cities if other != city]
        costs.append(rows[current_node][city] + 0.8 * radius * pieces(rest, radius, rows))
    return unvisited_nodes[costs.index(min(costs))]


# %% tree_leaf_credit
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Leaves of the spanning tree over what remains get a credit: the length of the twig they hang on."""
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    reach, parent = block[0].copy(), np.zeros(size, dtype=int)
    degree, twig = np.zeros(size, dtype=int), np.zeros(size)
    outside = set(range(1, size))
    while outside:
        new = min(outside, key=lambda i: reach[i])
        outside.discard(new)
        for end in (new, parent[new]):
            degree[end] += 1
            twig[end] = reach[new]
        parent[block[new] < reach] = new
        reach = np.minimum(reach, block[new])
    credit = np.where(degree <= 1, twig, 0.0)
    return unvisited_nodes[np.argmin(distance_matrix[current_node, unvisited_nodes] - 0.7 * credit)]


# %% hump_profile
import math


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Follow a planned hump of distances from the destination, out and back, and pay for leaving it."""
    top = max(distance_matrix[destination_node])
    done = 1.0 - len(unvisited_nodes) / len(distance_matrix)
    wanted = top * math.sin(math.pi * min(max(done, 0.0), 1.0)) ** 0.7
    best, lowest = unvisited_nodes[0], float("inf")
    for city in unvisited_nodes:
        away = abs(distance_matrix[city][destination_node] - wanted)
        cost = distance_matrix[current_node][city] + 0.6 * away
        if cost < lowest:
            best, lowest = city, cost
    return best


# %% emptiest_cell
from collections import Counter


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Lay a grid by the distances to two corners, empty the own cell, then enter sparse cells."""
    corner = int(distance_matrix[destination_node].argmax())
    other = int((distance_matrix[destination_node] * distance_matrix[corner]).argmax())
    width = max(distance_matrix.max() / 5, 1e-9)
    cells = (distance_matrix[[corner, other]] // width).astype(int)
    cell = {int(city): (int(cells[0, city]), int(cells[1, city])) for city in unvisited_nodes}
    crowd = Counter(cell.values())
    own = (int(cells[0, current_node]), int(cells[1, current_node]))

    def price(city):
        toll = 0.0 if cell[city] == own else 0.2 * width * (1 + crowd[cell[city]])
        return distance_matrix[current_node, city] + toll

    return min(unvisited_nodes, key=price)


# %% pilot_crowd
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Finish the tour from eight candidates at once by a greedy walk that shuns the crowd."""
    nodes = np.append(unvisited_nodes, destination_node)
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(nodes, nodes)]
    appeal = block - 0.3 * block[:, :size].mean(axis=1)
    tries = min(8, size)
    here = np.arange(tries)
    total = distance_matrix[current_node, nodes[:tries]].copy()
    closed = np.zeros((tries, size + 1), dtype=bool)
    closed[:, size] = True
    for _ in range(size - 1):
        closed[np.arange(tries), here] = True
        following = np.where(closed, np.inf, appeal[here]).argmin(axis=1)
        total += block[here, following]
        here = following
    return unvisited_nodes[(total + block[here, size]).argmin()]


# %% policy_portfolio
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Greedy walks with several degrees of aversion to the centre finish the tour; the best decides."""
    nodes = np.append(unvisited_nodes, destination_node)
    size = len(unvisited_nodes)
    tries = min(6, size)
    block = distance_matrix[np.ix_(nodes, nodes)]
    levels = np.repeat([0.0, 0.2, 0.35, 0.5, 0.7, 0.9], tries)
    bonus = levels[:, None] * block[:, :size].mean(axis=1)
    place = np.tile(np.arange(tries), 6)
    walk = np.arange(len(place))
    length = distance_matrix[current_node, nodes[place]]
    open_cities = np.ones((len(place), size + 1), dtype=bool)
    open_cities[:, size] = False
    for _ in range(size - 1):
        open_cities[walk, place] = False
        new = np.where(open_cities, block[place] - bonus, np.inf).argmin(axis=1)
        length = length + block[place, new]
        place = new
    length = length + block[place, size]
    return unvisited_nodes[length.argmin() % tries]


# %% jury_of_policies
import numpy as np


def finish(first, start_length, block, bonus):
    size = len(block) - 1
    total = start_length.copy()
    spot = first.copy()
    used = np.zeros((len(first), size + 1), dtype=bool)
    used[:, size] = True
    for _ in range(size - 1):
        used[first, spot] = True
        ahead = np.where(used, np.inf, block[spot] - bonus).argmin(axis=1)
        total += block[spot, ahead]
        spot = ahead
    return total + block[spot, size]


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Four walking policies are the jury and add up their standardised verdicts on six candidates."""
    nodes = np.append(unvisited_nodes, destination_node)
    block = distance_matrix[np.ix_(nodes, nodes)]
    candidates = np.arange(min(6, len(unvisited_nodes)))
    first = distance_matrix[current_node, unvisited_nodes[candidates]]
    home, middle = block[-1], block.mean(axis=0)
    verdict = 0.0
    for bonus in (0.0 * home, 0.45 * middle, 0.2 * home, 0.3 * middle + 0.15 * home):
        lengths = finish(candidates, first, block, bonus)
        verdict = verdict + (lengths - lengths.min()) / (lengths.std() + 1e-9)
    return unvisited_nodes[verdict.argmin()]


# %% noisy_rollouts
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete tours with randomly drawn dislikes of single cities; the best future speaks."""
    rng = np.random.default_rng(29 + len(unvisited_nodes))
    stops = np.append(unvisited_nodes, destination_node)
    count = len(unvisited_nodes)
    first = np.repeat(np.arange(min(5, count)), 10)
    true = distance_matrix[np.ix_(stops, stops)]
    dislike = rng.uniform(0.0, 0.9, (10, 1)) * rng.uniform(0.85, 1.15, (10, count + 1))
    stretch = np.tile(dislike, (len(first) // 10, 1))
    central = true.mean(axis=0)
    at, lane = first, np.arange(len(first))
    total = distance_matrix[current_node, stops[first]]
    gone = np.zeros((len(first), count + 1))
    gone[:, count] = np.inf
    for _ in range(count - 1):
        gone[lane, at] = np.inf
        onward = (true[at] - stretch * central + gone).argmin(axis=1)
        total = total + true[at, onward]
        at = onward
    total = total + true[at, count]
    return unvisited_nodes[first[total.argmin()]]


# %% pairs_of_steps
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Look two steps ahead: complete all pairs among six near cities greedily."""
    count = len(unvisited_nodes)
    if count == 1:
        return unvisited_nodes[0]
    stops = np.append(unvisited_nodes, destination_node)
    block = distance_matrix[np.ix_(stops, stops)]
    one, two = np.nonzero(~np.eye(min(6, count), dtype=bool))
    length = distance_matrix[current_node, stops[one]] + block[one, two]
    lane = np.arange(len(one))
    barred = np.zeros((len(one), count + 1))
    barred[lane, one] = barred[:, count] = 9e9
    taste = block - 0.25 * block.mean(axis=0)
    spot = two
    for _ in range(count - 2):
        barred[lane, spot] = 9e9
        move = np.argmin(taste[spot] + barred, axis=1)
        length = length + block[spot, move]
        spot = move
    return unvisited_nodes[one[np.argmin(length + block[spot, count])]]


# %% backward_pilot
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete the tour backwards: greedy walks start at the destination and must end at the candidate."""
    size = len(unvisited_nodes)
    near = np.arange(min(7, size))
    rows = np.repeat(near, 3)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    middle = np.tile([0.0, 0.3, 0.6], len(near))[:, None] * block.mean(axis=1)
    taken = np.zeros((len(rows), size), dtype=bool)
    taken[np.arange(len(rows)), rows] = True
    links = np.tile(distance_matrix[destination_node, unvisited_nodes], (len(rows), 1))
    length = distance_matrix[current_node, unvisited_nodes[rows]]
    for _ in range(size - 1):
        back = np.where(taken, np.inf, links - middle).argmin(axis=1)
        length = length + links[np.arange(len(rows)), back]
        taken[np.arange(len(rows)), back] = True
        links = block[back]
    length = length + links[np.arange(len(rows)), rows]
    return unvisited_nodes[rows[length.argmin()]]


# %% both_directions
import numpy as np


def greedy_length(source, target, inner, distance_matrix):
    length, left = 0.0, np.array(inner)
    appeal = distance_matrix - 0.35 * distance_matrix[:, left].mean(axis=1)
    while left.size:
        pick = left[appeal[source, left].argmin()]
        length += distance_matrix[source, pick]
        left = left[left != pick]
        source = pick
    return length + distance_matrix[source, target]


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete from a candidate to the destination and the other way round; the shorter counts."""
    if len(unvisited_nodes) < 2:
        return unvisited_nodes[0]
    best_city, best_length = unvisited_nodes[0], np.inf
    for city in unvisited_nodes[:4]:
        inner = unvisited_nodes[unvisited_nodes != city]
        forward = greedy_length(city, destination_node, inner, distance_matrix)
        backward = greedy_length(destination_node, city, inner, distance_matrix)
        length = distance_matrix[current_node, city] + min(forward, backward)
        if length < best_length:
            best_city, best_length = city, length
    return best_city


# %% two_ended_growth
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete from both ends in turn, the shorter link first, and require the two halves to meet."""
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    best, shortest = 0, np.inf
    for first in range(min(6, size)):
        free = np.zeros(size)
        free[first] = np.inf
        front, back = block[first], distance_matrix[destination_node, unvisited_nodes]
        total = distance_matrix[current_node, unvisited_nodes[first]]
        spot = first
        for _ in range(size - 1):
            a, b = int(np.argmin(front + free)), int(np.argmin(back + free))
            if front[a] <= back[b]:
                total += front[a]
                front, spot, new = block[a], a, a
            else:
                total += back[b]
                back, new = block[b], b
            free[new] = np.inf
        total += back[spot]
        if total < shortest:
            best, shortest = first, total
    return unvisited_nodes[best]


# %% tree_after_few_steps
import numpy as np


def tree(block):
    reach, total = block[0].copy(), 0.0
    reach[0] = np.inf
    fresh = np.zeros(len(block))
    fresh[0] = np.inf
    for _ in range(len(block) - 1):
        new = int(np.argmin(reach))
        total += reach[new]
        fresh[new] = np.inf
        reach = np.minimum(reach, block[new]) + fresh
    return total


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Walk three greedy steps through each of five candidates, then bound the rest by a tree."""
    best, lowest = unvisited_nodes[0], np.inf
    for city in unvisited_nodes[:5]:
        rest = unvisited_nodes[unvisited_nodes != city]
        cost, spot = distance_matrix[current_node, city], city
        for _ in range(min(3, len(rest))):
            ahead = rest[distance_matrix[spot, rest].argmin()]
            cost += distance_matrix[spot, ahead]
            spot, rest = ahead, rest[rest != ahead]
        ends = np.concatenate(([spot, destination_node], rest))
        cost += 1.1 * tree(distance_matrix[np.ix_(ends, ends)])
        if cost < lowest:
            best, lowest = city, cost
    return best


# %% deep_search_with_debts
def explore(place, depth, free, rows, debts, goal):
    if depth == 0 or not free:
        return 0.0 if free else rows[place][goal]
    near = sorted(free, key=lambda city: rows[place][city] - debts[city])[:4]
    best = float("inf")
    for city in near:
        gain = rows[place][city] - debts[city]
        best = min(best, gain + 0.3 * explore(city, depth - 1, free - {city}, rows, debts, goal))
    return best


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Search three discounted steps where a visit pays off a debt, a share of the mean distance."""
    rows = distance_matrix.tolist()
    cities = unvisited_nodes.tolist()
    remote = 0.6 * distance_matrix[unvisited_nodes][:, unvisited_nodes].mean(axis=1)
    debts = dict(zip(cities, remote.tolist()))
    best, lowest = cities[0], float("inf")
    for city in sorted(cities, key=lambda c: rows[current_node][c] - debts[c])[:4]:
        value = rows[current_node][city] - debts[city]
        value += 0.3 * explore(city, 2, set(cities) - {city}, rows, debts, destination_node)
        if value < lowest:
            best, lowest = city, value
    return best


# %% insertion_window
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Build a path through the fourteen nearest cities by farthest insertion and take its first step."""
    near = unvisited_nodes[:14].tolist()
    goal = int(unvisited_nodes[14]) if len(unvisited_nodes) > 14 else destination_node
    rows = distance_matrix.tolist()
    path = [current_node, goal]
    gap = {city: min(rows[city][current_node], rows[city][goal]) for city in near}
    while gap:
        city = max(gap, key=gap.get)
        del gap[city]
        costs = [rows[a][city] + rows[city][b] - rows[a][b] for a, b in zip(path, path[1:])]
        path.insert(int(np.argmin(costs)) + 1, city)
        for other in gap:
            gap[other] = min(gap[other], rows[other][city])
    return path[1]


# %% landmark_route
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Thread a coarse route through nine landmarks and bend the nearest rule towards the first."""
    marks = [int(unvisited_nodes[-1])]
    spread = distance_matrix[marks[0], unvisited_nodes].copy()
    while len(marks) < min(9, len(unvisited_nodes)):
        marks.append(int(unvisited_nodes[spread.argmax()]))
        spread = np.minimum(spread, distance_matrix[marks[-1], unvisited_nodes])
    route = [current_node, destination_node]
    for mark in marks:
        before, after = np.array(route[:-1]), np.array(route[1:])
        added = distance_matrix[before, mark] + distance_matrix[mark, after] - distance_matrix[before, after]
        route.insert(int(added.argmin()) + 1, mark)
    target = route[1]
    step = distance_matrix[current_node, unvisited_nodes]
    return unvisited_nodes[np.argmin(step + 0.35 * distance_matrix[target, unvisited_nodes])]


# %% experts_nominate
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Four simple rules each nominate a city and greedy completions decide among the nominees."""
    step = distance_matrix[current_node, unvisited_nodes]
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    lonely = np.sort(block, axis=1)[:, 1:4].sum(axis=1)
    rules = [step, step - 0.7 * block.mean(axis=1), step - 0.5 * home, step - 0.5 * lonely]
    nominees = sorted({int(rule.argmin()) for rule in rules})
    lengths = []
    for nominee in nominees:
        spot, length, free = nominee, step[nominee], np.zeros(len(step))
        for _ in range(len(step) - 1):
            free[spot] = np.inf
            ahead = int((block[spot] + free).argmin())
            length += block[spot, ahead]
            spot = ahead
        lengths.append(length + home[spot])
    return unvisited_nodes[nominees[int(np.argmin(lengths))]]


# %% beam_with_potential
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """A beam of eight partial paths where it is dear to skip a remote city."""
    rows = distance_matrix.tolist()
    cities = unvisited_nodes.tolist()
    remote = {a: 0.8 * sum(rows[a][b] for b in cities) / len(cities) for a in cities}
    beam = [(0.0, current_node, (), frozenset(cities))]
    for _ in range(min(7, len(cities))):
        grown = {}
        for value, place, path, free in beam:
            for city in sorted(free, key=lambda c: rows[place][c] - remote[c])[:3]:
                key = (city, free - {city})
                total = value + rows[place][city] - remote[city]
                if key not in grown or total < grown[key][0]:
                    grown[key] = (total, path + (city,))
        ranked = sorted(grown.items(), key=lambda item: item[1][0])[:8]
        beam = [(entry[0], key[0], entry[1], key[1]) for key, entry in ranked]
    return beam[0][2][0]


# %% held_karp_prices
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Raise the price of tree hubs, lower that of leaves for some rounds, and correct the step by it."""
    nodes = np.concatenate(([current_node, destination_node], unvisited_nodes))
    block = distance_matrix[np.ix_(nodes, nodes)]
    price = np.zeros(len(nodes))
    for turn in range(8):
        priced = block + price[:, None] + price
        reach, parent = priced[0].copy(), np.zeros(len(nodes), dtype=int)
        degree = np.zeros(len(nodes))
        degree[:2] = 1.0
        out = np.zeros(len(nodes))
        out[0] = np.inf
        for _ in range(len(nodes) - 1):
            new = int(np.argmin(reach + out))
            degree[new] += 1.0
            degree[parent[new]] += 1.0
            out[new] = np.inf
            closer = priced[new] < reach
            reach[closer] = priced[new][closer]
            parent[closer] = new
        price += 0.05 / (1.0 + 0.3 * turn) * (degree - 2.0)
    return unvisited_nodes[np.argmin(block[0, 2:] + 1.2 * price[2:])]


# %% restless_leftovers
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Walk ten steps from each candidate and add the isolation of every city left behind near the walk."""
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)] * 1.0
    np.fill_diagonal(block, np.inf)
    step = distance_matrix[current_node, unvisited_nodes]
    best, lowest = 0, np.inf
    for first in range(min(6, size)):
        left = np.ones(size, dtype=bool)
        spot, cost = first, step[first]
        left[first] = False
        for _ in range(min(10, size - 1)):
            ahead = int(np.where(left, block[spot], np.inf).argmin())
            cost += block[spot, ahead]
            left[ahead] = False
            spot = ahead
        rest = np.flatnonzero(left)
        if len(rest) > 1:
            pairs = np.sort(block[np.ix_(rest, rest)], axis=1)
            cost += 0.55 * pairs[:, :2].sum(axis=1).sum() + 0.5 * block[spot, rest].min()
        if cost < lowest:
            best, lowest = first, cost
    return unvisited_nodes[best]


# %% sparing_the_way_home
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Reserve cities around the destination, shun the crowd, and relax both as the tour ends."""
    left = len(unvisited_nodes)
    progress = 1.0 - left / len(distance_matrix)
    block = distance_matrix[unvisited_nodes][:, unvisited_nodes]
    home = distance_matrix[destination_node, unvisited_nodes]
    queue = np.argsort(np.argsort(home))
    reserve = np.where(queue < 2, 0.12 * distance_matrix.mean(), 0.0)
    score = distance_matrix[current_node, unvisited_nodes] - (0.7 - 0.2 * progress) * block.mean(axis=1)
    score = score + (1.0 - progress) * reserve - 0.1 * (1.0 - progress) * home
    return unvisited_nodes[score.argmin()]


# %% late_insertion_price
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Subtract from the step what the cheapest insertion of the city between two others would cost later."""
    size = len(unvisited_nodes)
    if size < 3:
        return unvisited_nodes[0]
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    detours = block[:, :, None] + block[:, None, :] - block[None, :, :]
    index = np.arange(size)
    detours[index, index, :] = np.inf
    detours[index, :, index] = np.inf
    detours[:, index, index] = np.inf
    later = np.partition(detours.reshape(size, -1), 3, axis=1)[:, :4].mean(axis=1)
    remote = block.mean(axis=1)
    worth = 0.3 * later + 0.35 * remote
    return unvisited_nodes[np.argmin(distance_matrix[current_node, unvisited_nodes] - worth)]


# %% three_phases
import numpy as np


def orders(place, left, goal, rows):
    if not left:
        return rows[place][goal], goal
    options = [(rows[place][c] + orders(c, left - {c}, goal, rows)[0], c) for c in sorted(left)]
    return min(options)


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Hug the rim early, weigh steps against remoteness later, and try all orders of the last six."""
    if len(unvisited_nodes) <= 6:
        last = frozenset(unvisited_nodes.tolist())
        return orders(int(current_node), last, destination_node, distance_matrix)[1]
    step = distance_matrix[current_node, unvisited_nodes]
    if len(unvisited_nodes) > 0.7 * len(distance_matrix):
        return unvisited_nodes[np.argmin(step - 0.55 * distance_matrix[unvisited_nodes].mean(axis=1))]
    block = distance_matrix[unvisited_nodes][:, unvisited_nodes]
    lonely = np.sort(block, axis=1)[:, 1:3].mean(axis=1)
    return unvisited_nodes[np.argmin(step - 0.4 * block.mean(axis=1) - 0.4 * lonely)]


# %% near_and_far_skeleton
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Thread a skeleton path through eight near and ten scattered cities and take its first step."""
    near = unvisited_nodes[:8].tolist()
    far = []
    gap = distance_matrix[:, near + [destination_node]].min(axis=1)
    while len(far) < min(10, len(unvisited_nodes) - len(near)):
        far.append(int(unvisited_nodes[gap[unvisited_nodes].argmax()]))
        gap = np.minimum(gap, distance_matrix[far[-1]])
    path = [current_node, destination_node]
    for city in far + near[::-1]:
        a, b = np.array(path[:-1]), np.array(path[1:])
        spot = np.argmin(distance_matrix[a, city] + distance_matrix[city, b] - distance_matrix[a, b])
        path.insert(int(spot) + 1, city)
    return path[1]


# %% softmin_votes
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Completions by policies of random taste vote for their first step, short ones with more weight."""
    rng = np.random.default_rng(3 + len(unvisited_nodes))
    size = len(unvisited_nodes)
    stops = np.append(unvisited_nodes, destination_node)
    block = distance_matrix[np.ix_(stops, stops)]
    first = np.tile(np.arange(min(5, size)), 12)
    taste = np.outer(rng.uniform(0, 0.8, len(first)), block.mean(axis=0))
    taste += np.outer(rng.uniform(0, 0.3, len(first)), block[size])
    lanes, spot = np.arange(len(first)), first
    length = distance_matrix[current_node, stops[first]]
    taste[:, size] = -np.inf
    for _ in range(size - 1):
        taste[lanes, spot] = -np.inf
        move = (block[spot] - taste).argmin(axis=1)
        length = length + block[spot, move]
        spot = move
    length = length + block[spot, size]
    votes = np.bincount(first, weights=np.exp((length.min() - length) / (0.015 * length.min() + 1e-9)))
    return unvisited_nodes[votes.argmax()]


# %% consensus_of_walks
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Greedy walks from twelve other starts show which neighbours of ours belong to short ones."""
    nodes = np.concatenate((unvisited_nodes, [destination_node, current_node]))
    block = distance_matrix[np.ix_(nodes, nodes)]
    here = len(nodes) - 1
    shun = 0.4 * block.mean(axis=0)
    support = np.zeros(len(nodes))
    for start in range(0, here, max(1, here // 12)):
        free, spot, length, walk = shun.copy(), start, 0.0, [start]
        while len(walk) <= here:
            free[spot] = -np.inf
            ahead = int((block[spot] - free).argmin())
            length += block[spot, ahead]
            walk.append(ahead)
            spot = ahead
        at = walk.index(here)
        for friend in (walk[at - 1], walk[(at + 1) % len(walk)]):
            support[friend] += 1.0 / (length + block[walk[-1], start] + 1e-9) ** 4
    support = support[:-2] / max(support.max(), 1e-300)
    return unvisited_nodes[np.argmin(block[here, :-2] - shun[:-2] - 0.3 * support * block.mean())]


# %% two_steps_three_policies
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Open with every pair among near cities and close with three policies."""
    size = len(unvisited_nodes)
    if size < 2:
        return unvisited_nodes[0]
    stops = np.append(unvisited_nodes, destination_node)
    block = distance_matrix[np.ix_(stops, stops)]
    pairs = [(a, b) for a in range(min(5, size)) for b in range(min(6, size)) if a != b]
    first, spot = np.array(pairs * 3).T
    middle = block.mean(axis=0)
    tastes = np.repeat([0.25 * middle, 0.6 * middle, 0.3 * middle + 0.2 * block[size]], len(pairs), axis=0)
    lane = np.arange(len(first))
    length = distance_matrix[current_node, stops[first]] + block[first, spot]
    tastes[:, size] = -9e9
    tastes[lane, first] = -9e9
    for _ in range(size - 2):
        tastes[lane, spot] = -9e9
        ahead = (block[spot] - tastes).argmin(axis=1)
        length = length + block[spot, ahead]
        spot = ahead
    return unvisited_nodes[first[(length + block[spot, size]).argmin()]]


# %% portfolio_then_exact
import numpy as np


def exact(place, left, goal, rows):
    if not left:
        return rows[place][goal], goal
    return min((rows[place][city] + exact(city, left - {city}, goal, rows)[0], city) for city in left)


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Compare completions under eight mixtures of dislikes of centre and home, and end exactly."""
    size = len(unvisited_nodes)
    if size <= 6:
        last = frozenset(unvisited_nodes.tolist())
        return exact(current_node, last, destination_node, distance_matrix.tolist())[1]
    stops = np.append(unvisited_nodes, destination_node)
    block = distance_matrix[np.ix_(stops, stops)]
    best, shortest = 0, np.inf
    for centre in (0.1, 0.35, 0.6, 0.85):
        for home in (0.0, 0.25):
            cost = block - centre * block.mean(axis=0) - home * block[size]
            cost[:, size] = np.inf
            spot = np.arange(7)
            length = distance_matrix[current_node, stops[spot]]
            barred = np.zeros((7, size + 1))
            for _ in range(size - 1):
                barred[np.arange(7), spot] = np.inf
                ahead = (cost[spot] + barred).argmin(axis=1)
                length = length + block[spot, ahead]
                spot = ahead
            length = length + block[spot, size]
            if length.min() < shortest:
                best, shortest = int(length.argmin()), length.min()
    return unvisited_nodes[best]


# %% two_ended_portfolio
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete from both ends, cheaper end first, with several dislikes of the middle."""
    size = len(unvisited_nodes)
    tries = min(6, size)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    front = np.tile(np.arange(tries), 4)
    lanes = np.arange(len(front))
    taste = np.repeat([0.0, 0.25, 0.5, 0.75], tries)[:, None] * block.mean(axis=0)
    ahead = block[front]
    behind = np.tile(distance_matrix[destination_node, unvisited_nodes], (len(front), 1))
    length = distance_matrix[current_node, unvisited_nodes[front]]
    taste[lanes, front] = -np.inf
    for _ in range(size - 1):
        a, b = (ahead - taste).argmin(axis=1), (behind - taste).argmin(axis=1)
        forward = ahead[lanes, a] - taste[lanes, a] <= behind[lanes, b] - taste[lanes, b]
        new = np.where(forward, a, b)
        length = length + np.where(forward, ahead[lanes, a], behind[lanes, b])
        front = np.where(forward, a, front)
        ahead = np.where(forward[:, None], block[new], ahead)
        behind = np.where(forward[:, None], behind, block[new])
        taste[lanes, new] = -np.inf
    length = length + behind[lanes, front]
    return unvisited_nodes[length.argmin() % tries]


# %% rim_then_skeleton
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """A skeleton of scattered cities gives the direction and remoteness earns a fading discount."""
    left = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    gap = np.minimum(distance_matrix[current_node], distance_matrix[destination_node])[unvisited_nodes]
    path = [current_node, destination_node]
    for _ in range(min(12, left)):
        mark = int(gap.argmax())
        city = int(unvisited_nodes[mark])
        to_city = distance_matrix[city]
        cost = [to_city[a] + to_city[b] - distance_matrix[a, b] for a, b in zip(path, path[1:])]
        path.insert(cost.index(min(cost)) + 1, city)
        gap = np.minimum(gap, block[mark])
    step = distance_matrix[current_node, unvisited_nodes]
    toward = distance_matrix[path[1], unvisited_nodes]
    remote = (0.2 + 0.25 * left / len(distance_matrix)) * block.mean(axis=1)
    return unvisited_nodes[np.argmin(step + 0.3 * toward - remote)]


# %% untangled_skeleton
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Insert near and scattered cities into a skeleton, undo crossings once, take the first city."""
    chosen = unvisited_nodes[:9].tolist()
    gap = distance_matrix[:, chosen].min(axis=1)
    while len(chosen) < min(16, len(unvisited_nodes)):
        chosen.append(int(unvisited_nodes[gap[unvisited_nodes].argmax()]))
        gap = np.minimum(gap, distance_matrix[chosen[-1]])
    rows = distance_matrix.tolist()
    path = [current_node, destination_node]
    for city in sorted(chosen, key=lambda c: -rows[c][destination_node] - rows[c][current_node]):
        detours = [rows[a][city] + rows[city][b] - rows[a][b] for a, b in zip(path, path[1:])]
        path.insert(detours.index(min(detours)) + 1, city)
    for i in range(1, len(path) - 2):
        for j in range(i + 1, len(path) - 1):
            old = rows[path[i - 1]][path[i]] + rows[path[j]][path[j + 1]]
            if rows[path[i - 1]][path[j]] + rows[path[i]][path[j + 1]] < old - 1e-12:
                path[i : j + 1] = path[i : j + 1][::-1]
    return path[1]


# %% lonely_pilot
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete the tours of all candidates within reach by a walk that credits poor links."""
    step = distance_matrix[current_node, unvisited_nodes]
    reach = np.flatnonzero(step <= 2.2 * step[0] + 0.04 * distance_matrix.mean())[:9]
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    poverty = 0.35 * np.sort(block, axis=1)[:, 1:4].sum(axis=1) / 3 + 0.3 * block.mean(axis=1)
    costs = {}
    for start in reach.tolist():
        spot, total, allowed = start, step[start], poverty.copy()
        for _ in range(len(step) - 1):
            allowed[spot] = -np.inf
            onward = int(np.argmin(block[spot] - allowed))
            total += block[spot, onward]
            spot = onward
        costs[start] = total + home[spot]
    return unvisited_nodes[min(costs, key=costs.get)]


# %% regret_against_nearest
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Leave the crowd-averse favourite only for a city whose completed tour is shorter by a clear margin."""
    size = len(unvisited_nodes)
    stops = np.append(unvisited_nodes, destination_node)
    block = distance_matrix[np.ix_(stops, stops)]
    bonus = 0.45 * block[:, :size].mean(axis=1)
    favourite = (distance_matrix[current_node, unvisited_nodes] - bonus[:size]).argmin()
    rivals = [int(favourite)] + [i for i in range(min(5, size)) if i != favourite]

    def complete(first, aversion):
        free = aversion * bonus
        free[size] = -np.inf
        total, spot = distance_matrix[current_node, stops[first]], first
        for _ in range(size - 1):
            free[spot] = -np.inf
            ahead = np.argmin(block[spot] - free)
            total += block[spot, ahead]
            spot = ahead
        return total + block[spot, size]

    lengths = [min(complete(rival, 0.6), complete(rival, 1.2)) for rival in rivals]
    winner = int(np.argmin(lengths))
    return unvisited_nodes[rivals[winner] if lengths[winner] < 0.995 * lengths[0] else rivals[0]]


# %% dynamic_isolation
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete five tours by a rule that measures remoteness anew after each step."""
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    lengths = []
    for first in range(min(5, size)):
        mass, spot = block.sum(axis=0), first
        alive = np.ones(size, dtype=bool)
        length = distance_matrix[current_node, unvisited_nodes[first]]
        for count in range(size - 1, 0, -1):
            alive[spot] = False
            mass = mass - block[spot]
            score = block[spot] - 0.4 * mass / count - 0.1 * home * count / size
            ahead = int(np.where(alive, score, np.inf).argmin())
            length += block[spot, ahead]
            spot = ahead
        lengths.append(length + home[spot])
    return unvisited_nodes[lengths.index(min(lengths))]


# %% bottleneck_pilot
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Judge completed tours by length plus the three longest links, the mistakes of greed."""
    size = len(unvisited_nodes)
    stops = np.append(unvisited_nodes, destination_node)
    d = distance_matrix[np.ix_(stops, stops)]
    tries = min(7, size)
    spot = np.tile(np.arange(tries), 3)
    lane = np.arange(3 * tries)
    taste = np.repeat([0.15, 0.4, 0.65], tries)[:, None] * d.mean(axis=0)
    taste[:, size] = -np.inf
    legs = [distance_matrix[current_node, stops[spot]]]
    while len(legs) < size:
        taste[lane, spot] = -np.inf
        ahead = (d[spot] - taste).argmin(axis=1)
        legs.append(d[spot, ahead])
        spot = ahead
    legs.append(d[spot, size])
    legs = np.sort(np.array(legs), axis=0)
    return unvisited_nodes[(legs.sum(axis=0) + 0.3 * legs[-3:].sum(axis=0)).argmin() % tries]


# %% living_lottery
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete the tour with random dislikes of the living centre and of home; the best decides."""
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    tries = min(6, size)
    rng = np.random.default_rng(11 + size)
    spot = np.tile(np.arange(tries), 10)
    centre, back, late = (np.repeat(rng.uniform(0.0, top, 10), tries)[:, None] for top in (0.6, 0.3, 0.1))
    lane, mass = np.arange(len(spot)), np.tile(block.sum(axis=0), (len(spot), 1))
    length, wall = distance_matrix[current_node, unvisited_nodes[spot]], np.zeros(mass.shape)
    for left in range(size - 1, 0, -1):
        wall[lane, spot] = np.inf
        mass -= block[spot]
        share = left / size
        pull = (0.1 + centre) / left * mass + (share * back - (1 - share) * late) * home
        ahead = (block[spot] + wall - pull).argmin(axis=1)
        length = length + block[spot, ahead]
        spot = ahead
    return unvisited_nodes[(length + home[spot]).argmin() % tries]


# %% living_then_exact
import numpy as np


def shortest(place, left, goal, rows):
    if not left:
        return (rows[place][goal], goal)
    return min((rows[place][c] + shortest(c, [x for x in left if x != c], goal, rows)[0], c) for c in left)


def completed(first, block, home, dislike, isolation):
    length, spot = 0.0, first
    mass, alive = block.sum(axis=0), np.full(len(home), 0.0)
    for left in range(len(home) - 1, 0, -1):
        alive[spot] = np.inf
        mass = mass - block[spot]
        ahead = int((block[spot] - dislike * mass / left - isolation + alive).argmin())
        length += block[spot, ahead]
        spot = ahead
    return length + home[spot]


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Completions with updated remoteness and a credit for poor links; the last five go exactly."""
    if len(unvisited_nodes) <= 5:
        return shortest(current_node, unvisited_nodes.tolist(), destination_node, distance_matrix.tolist())[1]
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    home = distance_matrix[destination_node, unvisited_nodes]
    poor = np.sort(block, axis=1)[:, 1:4].mean(axis=1)
    step = distance_matrix[current_node, unvisited_nodes]
    lengths = []
    for i in range(4):
        wary = completed(i, block, home, 0.55, 0.1 * home)
        lengths.append(step[i] + min(wary, completed(i, block, home, 0.3, 0.3 * poor + 0.1 * home)))
    return unvisited_nodes[int(np.argmin(lengths))]


# %% living_ends_meet
import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Complete from both ends in turn with updated remoteness and four dislikes."""
    size = len(unvisited_nodes)
    block = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)]
    tries = min(6, size)
    tip = np.repeat(np.arange(tries), 4)
    lane = np.arange(len(tip))
    weight = np.tile([0.15, 0.35, 0.55, 0.75], tries)[:, None]
    total = distance_matrix[current_node, unvisited_nodes[tip]]
    front, back = block[tip], np.tile(distance_matrix[destination_node, unvisited_nodes], (len(tip), 1))
    mass = block.sum(axis=0) - front
    gone = np.zeros(front.shape)
    gone[lane, tip] = np.inf
    for left in range(size - 1, 0, -1):
        remote = gone - weight / left * mass
        forward, backward = (front + remote).argmin(axis=1), (back + remote).argmin(axis=1)
        ahead = (front + remote)[lane, forward] <= (back + remote)[lane, backward]
        new = np.where(ahead, forward, backward)
        total = total + np.where(ahead, front[lane, new], back[lane, new])
        tip = np.where(ahead, new, tip)
        front, back = np.where(ahead[:, None], block[new], front), np.where(ahead[:, None], back, block[new])
        gone[lane, new] = np.inf
        mass = mass - block[new]
    return unvisited_nodes[(total + back[lane, tip]).argmin() // 4]
