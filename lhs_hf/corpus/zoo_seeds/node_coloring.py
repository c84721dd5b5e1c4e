"""Seed programs for `node_coloring`: one complete program a cell, named after its idea."""


# %% last_node_lowest_color
def color_next(pairs, adjacency, colors):
    """The node with the highest number, in the lowest color it may have."""
    last = max(node for node, _ in pairs)
    for pair in pairs:
        if pair[0] == last:
            return pair


# %% random_old_color
import random


def color_next(pairs, adjacency, colors):
    """Any pair that needs no new color, by chance; a new color only where nothing else is left."""
    rng = random.Random(17 + len(colors) + 100 * len(pairs))
    used = set(colors.values())
    old = [pair for pair in pairs if pair[1] in used]
    return rng.choice(old or pairs)


# %% fewest_neighbors_first
def color_next(pairs, adjacency, colors):
    """The wrong way round: easy nodes with few neighbours come first."""
    return min(pairs, key=lambda pair: (len(adjacency[pair[0]]), pair[1]))


# %% most_neighbors_first
def color_next(pairs, adjacency, colors):
    """Nodes in the order of falling degree, each in its lowest color."""
    best = pairs[0]
    for node, color in pairs:
        if len(adjacency[node]) > len(adjacency[best[0]]):
            best = (node, color)
    return best


# %% most_open_neighbors
def color_next(pairs, adjacency, colors):
    """Only neighbours without a color count: the node with most of them gets its lowest color."""
    waiting = {}
    for node, _ in pairs:
        if node not in waiting:
            waiting[node] = sum(1 for other in adjacency[node] if other not in colors)
    return max(pairs, key=lambda pair: (waiting[pair[0]], -pair[1]))


# %% saturation
def color_next(pairs, adjacency, colors):
    """The node that sees most different colors, then the one with the most neighbours, in its lowest color."""

    def urgency(pair):
        node, color = pair
        seen = {colors[other] for other in adjacency[node] if other in colors}
        return len(seen), len(adjacency[node]), -color

    return max(pairs, key=urgency)


# %% fewest_choices_most_used_color
from collections import Counter


def color_next(pairs, adjacency, colors):
    """The node with the fewest allowed colors takes the color that most nodes have."""
    choices = Counter(node for node, _ in pairs)
    used = Counter(colors.values())
    return min(pairs, key=lambda pair: (choices[pair[0]], -used[pair[1]]))


# %% balanced_classes
from collections import Counter


def color_next(pairs, adjacency, colors):
    """The most constrained node takes the color in use that is rarest, so that the classes stay even."""
    choices = Counter(node for node, _ in pairs)
    used = Counter(colors.values())
    tightest = min(pairs, key=lambda pair: choices[pair[0]])[0]
    options = [color for node, color in pairs if node == tightest]
    old = [color for color in options if color in used]
    if not old:
        return tightest, options[0]
    return tightest, min(old, key=lambda color: used[color])


# %% one_class_after_another
def color_next(pairs, adjacency, colors):
    """Fill the lowest color first, always with the node that has most open neighbours shut out of that color."""
    color = min(c for _, c in pairs)
    free = {node for node, c in pairs if c == color}
    best, best_value = None, None
    for node in sorted(free):
        around = [other for other in adjacency[node] if other not in colors]
        shut = sum(1 for other in around if other not in free)
        value = (shut, -(len(around) - shut))
        if best is None or value > best_value:
            best, best_value = node, value
    return best, color


# %% small_class_members_first
def color_next(pairs, adjacency, colors):
    """Fill the lowest color with the nodes that shut out the fewest others, to make the class large."""
    lowest = min(color for _, color in pairs)
    free = [node for node, color in pairs if color == lowest]
    losses = [(len(set(adjacency[node]).intersection(free)), node) for node in free]
    return min(losses)[1], lowest


# %% peel_off_order
def color_next(pairs, adjacency, colors):
    """Peel off the node of smallest remaining degree again and again; what is peeled last is colored first."""
    left = set(adjacency)
    order = []
    while left:
        order.append(min(sorted(left), key=lambda node: len(left.intersection(adjacency[node]))))
        left.remove(order[-1])
    last = next(node for node in reversed(order) if node not in colors)
    return next(pair for pair in pairs if pair[0] == last)


# %% least_harm
def color_next(pairs, adjacency, colors):
    """The most constrained node, in the color that the fewest of its open neighbours could still use."""
    allowed = {}
    for node, color in pairs:
        allowed.setdefault(node, set()).add(color)
    node = min(allowed, key=lambda v: (len(allowed[v]), -len(adjacency[v])))
    fresh = max(allowed[node])
    around = [other for other in adjacency[node] if other in allowed]
    harm = {}
    for color in sorted(allowed[node]):
        harm[color] = sum(color in allowed[other] for other in around) + (1000 if color == fresh else 0)
    return node, min(harm, key=harm.get)


# %% common_neighbors
def color_next(pairs, adjacency, colors):
    """Merge alike nodes: the pair whose color class shares most neighbours with the node; new colors last."""
    around = {}
    for node, color in colors.items():
        around.setdefault(color, set()).update(adjacency[node])
    best, best_value = None, None
    for node, color in pairs:
        if color in around:
            value = len(around[color].intersection(adjacency[node]))
        else:
            value = 0.01 * len(adjacency[node]) - 1
        if best is None or value > best_value:
            best, best_value = (node, color), value
    return best


# %% weighted_urgency
def color_next(pairs, adjacency, colors):
    """Three per color seen, one per open neighbour, minus two per color number, minus a lot for a new color."""
    new_color = max(color for _, color in pairs)
    best, best_score = pairs[0], -1e18
    for node, color in pairs:
        seen = set()
        waiting = 0
        for other in adjacency[node]:
            if other in colors:
                seen.add(colors[other])
            else:
                waiting += 1
        score = 3 * len(seen) + waiting - 2 * color - (20 if color == new_color else 0)
        if score > best_score:
            best, best_score = (node, color), score
    return best


# %% forced_first_else_blocked_share
def color_next(pairs, adjacency, colors):
    """A node with no old color left goes first; then the pair whose node has the largest share of its open
    neighbours shut out of the color already."""
    allowed = {}
    for node, color in pairs:
        allowed.setdefault(node, []).append(color)
    for node, options in allowed.items():
        if len(options) == 1:
            return node, options[0]

    def share(pair):
        node, color = pair
        around = [other for other in adjacency[node] if other in allowed]
        shut = sum(color not in allowed[other] for other in around)
        return (shut + 0.5) / (len(around) + 1) + 0.02 * len(around)

    return max((pair for pair in pairs if pair[1] != allowed[pair[0]][-1]), key=share)


# %% finish_each_way
def color_next(pairs, adjacency, colors):
    """Complete the coloring by saturation after each color of the two tightest nodes; the fewest colors win."""
    options = {}
    for node, color in pairs:
        options.setdefault(node, []).append(color)
    tightest = sorted(options, key=lambda v: (len(options[v]), -len(adjacency[v])))[:2]
    top = max(color for _, color in pairs)

    def finish(node, color):
        seen = {v: {colors[u] for u in adjacency[v] if u in colors} for v in options}
        highest = top - 1
        while True:
            highest = max(highest, color)
            del seen[node]
            for other in adjacency[node]:
                if other in seen:
                    seen[other].add(color)
            if not seen:
                return highest
            node = max(seen, key=lambda v: (len(seen[v]), len(adjacency[v])))
            color = next(c for c in range(len(adjacency)) if c not in seen[node])

    trials = [(node, color) for node in tightest for color in options[node]]
    return min(trials, key=lambda pair: (finish(*pair), pair[1] == top))


# %% class_by_class_with_best_start
def color_next(pairs, adjacency, colors):
    """Build a whole class from each possible start, and begin with the start that takes away most open links."""
    lowest = min(color for _, color in pairs)
    free = {node for node, color in pairs if color == lowest}
    waiting = {node for node, _ in pairs}
    inside = {node: waiting.intersection(adjacency[node]) for node in waiting}
    best, best_removed = None, -1.0
    for start in sorted(free):
        rest = free - inside[start] - {start}
        removed = len(inside[start])
        while rest:
            node = max(sorted(rest), key=lambda v: len(inside[v] - rest) - len(inside[v] & rest))
            removed += len(inside[node])
            rest = rest - inside[node] - {node}
        if removed > best_removed:
            best, best_removed = start, removed
    return best, lowest
