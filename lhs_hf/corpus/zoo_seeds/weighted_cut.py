"""Seed programs for `weighted_cut`: one complete program a cell, named after its idea."""


# %% smallest_cut
def choose_move(unplaced, left, right, weights):
    """Anti-greedy: the move that cuts the least weight."""
    moves = [(sum(weights[v][u] for u in right), v, 0) for v in unplaced]
    moves += [(sum(weights[v][u] for u in left), v, 1) for v in unplaced]
    return min(moves)[1:]


# %% toss_a_coin
import random


def choose_move(unplaced, left, right, weights):
    """A random node on a random side, from a generator seeded with the state."""
    rng = random.Random(1000 * len(unplaced) + sum(weights[unplaced[0]]))
    return rng.choice(unplaced), rng.randrange(2)


# %% first_node_better_side
def choose_move(unplaced, left, right, weights):
    """Nodes in the order of their numbers, each where it cuts more."""
    node = unplaced[0]
    to_left = sum(weights[node][u] for u in left)
    to_right = sum(weights[node][u] for u in right)
    return (node, 1) if to_left > to_right else (node, 0)


# %% last_nodes_to_the_left
def choose_move(unplaced, left, right, weights):
    """From the last node down, the first half of them to the left, the others to the right."""
    return unplaced[-1], int(len(left) >= len(weights) // 2)


# %% most_links_first
def choose_move(unplaced, left, right, weights):
    """The node with most links of any weight comes next and goes where it cuts more."""
    node = max(unplaced, key=lambda v: sum(w != 0 for w in weights[v]))
    gain = [sum(weights[node][u] for u in right), sum(weights[node][u] for u in left)]
    return node, gain.index(max(gain))


# %% heaviest_first
def choose_move(unplaced, left, right, weights):
    """Heavy nodes first, by the sum of all their weights; each to the side that it has less weight to."""
    best, best_total = None, float("-inf")
    for node in unplaced:
        total = sum(weights[node])
        if total > best_total:
            best, best_total = node, total
    pull = sum(weights[best][u] for u in left) - sum(weights[best][u] for u in right)
    return best, int(pull > 0)


# %% largest_cut
def choose_move(unplaced, left, right, weights):
    """The move that adds the most weight to the cut at once."""
    best, best_cut = None, None
    for node in unplaced:
        row = weights[node]
        for side, opposite in ((0, right), (1, left)):
            cut = sum(row[u] for u in opposite)
            if best is None or cut > best_cut:
                best, best_cut = (node, side), cut
    return best


# %% clearest_case
def choose_move(unplaced, left, right, weights):
    """The node with the largest difference between its two sides, placed where the difference is gained."""

    def difference(v):
        return sum(weights[v][u] for u in left) - sum(weights[v][u] for u in right)

    node = max(unplaced, key=lambda v: abs(difference(v)))
    return node, int(difference(node) > 0)


# %% least_clear_case
def choose_move(unplaced, left, right, weights):
    """The most undecided node first, whichever it is; it still goes to its better side."""
    table = []
    for v in unplaced:
        difference = sum(weights[v][u] for u in left) - sum(weights[v][u] for u in right)
        table.append((abs(difference), v, 1 if difference > 0 else 0))
    _, node, side = min(table)
    return node, side


# %% clearest_share
import numpy as np


def choose_move(unplaced, left, right, weights):
    """The difference of the sides as a share of all weight at the node, so that light nodes count as well."""
    rows = np.array(weights)[unplaced]
    difference = rows[:, left].sum(axis=1) - rows[:, right].sum(axis=1)
    share = np.abs(difference) / (1.0 + np.abs(rows).sum(axis=1))
    place = int(share.argmax())
    return unplaced[place], int(difference[place] > 0)


# %% clear_and_important
def choose_move(unplaced, left, right, weights):
    """The difference of the sides plus a quarter of the absolute weight to nodes that wait."""
    best, best_value = None, -1.0
    for v in unplaced:
        difference = sum(weights[v][u] for u in left) - sum(weights[v][u] for u in right)
        open_weight = sum(abs(weights[v][u]) for u in unplaced)
        value = abs(difference) + 0.25 * open_weight
        if value > best_value:
            best, best_value = (v, int(difference > 0)), value
    return best


# %% split_heaviest_link
def choose_move(unplaced, left, right, weights):
    """Walk along the heaviest link that still has an open end and put that end opposite to the other one."""
    side_of = dict.fromkeys(left, 0)
    side_of.update(dict.fromkeys(right, 1))
    if not side_of:
        return max(unplaced, key=lambda v: max(weights[v])), 0
    link = max(((v, u) for v in unplaced for u in side_of), key=lambda pair: abs(weights[pair[0]][pair[1]]))
    node, other = link
    opposite = weights[node][other] > 0
    return node, 1 - side_of[other] if opposite else side_of[other]


# %% links_as_votes
def choose_move(unplaced, left, right, weights):
    """Every link has one vote by its sign, its weight only settles ties."""
    best = None
    for v in unplaced:
        votes, pull = 0, 0
        for side, nodes in ((1, left), (-1, right)):
            for u in nodes:
                pull += side * weights[v][u]
                votes += side * ((weights[v][u] > 0) - (weights[v][u] < 0))
        key = (abs(votes), abs(pull))
        if best is None or key > best[0]:
            best = (key, v, int((votes, pull) > (0, 0)))
    return best[1], best[2]


# %% smallest_eigenvector
import numpy as np


def choose_move(unplaced, left, right, weights):
    """The eigenvector of the smallest eigenvalue says the side by its sign; sure nodes come first."""
    vector = np.linalg.eigh(np.array(weights, dtype=float))[1][:, 0]
    node = max(unplaced, key=lambda v: abs(vector[v]))
    return node, int(vector[node] > 0)


# %% two_moves_ahead
import numpy as np


def choose_move(unplaced, left, right, weights):
    """What a move gains over its opposite, plus the clearest difference that any other node then has."""
    matrix = np.array(weights, dtype=float)[unplaced]
    pull = matrix[:, left].sum(axis=1) - matrix[:, right].sum(axis=1)
    inner = matrix[:, unplaced]
    best, best_value = None, -np.inf
    for i, node in enumerate(unplaced):
        for side, sign in ((0, -1.0), (1, 1.0)):
            after = np.abs(pull - sign * inner[i])
            after[i] = 0.0
            value = sign * pull[i] + 0.9 * after.max()
            if value > best_value:
                best, best_value = (node, side), value
    return best


# %% relax_then_round
import numpy as np


def choose_move(unplaced, left, right, weights):
    """Unplaced nodes take values between -1 and 1 that their neighbours push away; the surest one is rounded."""
    matrix = np.array(weights, dtype=float)
    value = np.zeros(len(weights))
    value[left], value[right] = -1.0, 1.0
    if not left and not right:
        return unplaced[int(np.abs(matrix[unplaced]).sum(axis=1).argmax())], 0
    scale = np.abs(matrix).sum(axis=1) + 1e-9
    for _ in range(30):
        value[unplaced] = np.tanh(-2.5 * (matrix @ value)[unplaced] / scale[unplaced])
    node = max(unplaced, key=lambda v: abs(value[v]))
    return node, int(value[node] > 0)


# %% complete_and_flip
import numpy as np


def choose_move(unplaced, left, right, weights):
    """Finish greedily, flip single nodes while that helps, and follow the result at its surest node."""
    matrix = np.array(weights)
    sign = np.zeros(len(weights), dtype=int)
    sign[left], sign[right] = -1, 1
    waiting = list(unplaced)
    while waiting:
        pull = matrix[waiting] @ sign
        place = int(np.abs(pull).argmax())
        sign[waiting.pop(place)] = 1 if pull[place] < 0 else -1
    while True:
        gain = (sign * (matrix @ sign))[unplaced]
        place = int(gain.argmax())
        if gain[place] <= 0:
            break
        sign[unplaced[place]] *= -1
    node = unplaced[int(gain.argmin())]
    return node, int(sign[node] > 0)


# %% try_all_and_finish
import numpy as np


def choose_move(unplaced, left, right, weights):
    """The four clearest nodes on both sides, each completed by the clearest case; the best cut wins."""
    matrix = np.array(weights)
    base = np.zeros(len(weights), dtype=int)
    base[left], base[right] = -1, 1

    def finish(node, side):
        sign = base.copy()
        sign[node] = 2 * side - 1
        while (sign == 0).any():
            waiting = np.flatnonzero(sign == 0)
            pull = matrix[waiting] @ sign
            place = int(np.abs(pull).argmax())
            sign[waiting[place]] = 1 if pull[place] < 0 else -1
        return -int(sign @ matrix @ sign)

    clear = np.abs(matrix @ base) + 0.1 * np.abs(matrix).sum(axis=1)
    nodes = sorted(unplaced, key=lambda v: -clear[v])[:4]
    return max(((v, side) for v in nodes for side in (0, 1)), key=lambda move: finish(*move))
