"""Seed programs for `weighted_matching`: one complete program a cell, named after its idea."""


# %% last_edge
def pick_edge(edges, weight):
    """The last edge of the list."""
    return edges[-1]


# %% random_edge
import random


def pick_edge(edges, weight):
    """Any edge, drawn by a generator that is seeded with the edges left."""
    rng = random.Random(sum(u + 3 * v for u, v in edges))
    return edges[rng.randrange(len(edges))]


# %% lightest_edge
def pick_edge(edges, weight):
    """The wrong way round: the edge of least weight."""
    return min(edges, key=lambda edge: weight[edge[0]][edge[1]])


# %% busiest_ends
def pick_edge(edges, weight):
    """The edge whose ends have the most free neighbours; it spoils a lot."""
    return max(edges, key=lambda e: (len(weight[e[0]]) + len(weight[e[1]]), weight[e[0]][e[1]]))


# %% heaviest_edge
def pick_edge(edges, weight):
    """Greedy: the edge of the largest weight."""
    best = None
    for u, v in edges:
        if best is None or weight[u][v] > weight[best[0]][best[1]]:
            best = (u, v)
    return best


# %% loneliest_vertex
def pick_edge(edges, weight):
    """The vertex with the fewest free neighbours is matched first, by its heaviest edge."""
    lonely = min(weight, key=lambda v: (len(weight[v]), v))
    partner = max(weight[lonely], key=weight[lonely].get)
    return (min(lonely, partner), max(lonely, partner))


# %% fewest_rivals
def pick_edge(edges, weight):
    """The edge that rules out the fewest others, the heavier on ties."""

    def key(edge):
        u, v = edge
        return len(weight[u]) + len(weight[v]), -weight[u][v]

    return min(edges, key=key)


# %% weight_per_edge_used
def pick_edge(edges, weight):
    """Weight over the number of edges that disappear with it."""
    best, best_ratio = edges[0], 0.0
    for u, v in edges:
        used = len(weight[u]) + len(weight[v]) - 1
        ratio = weight[u][v] / used
        if ratio > best_ratio:
            best, best_ratio = (u, v), ratio
    return best


# %% weight_minus_ruled_out_share
def pick_edge(edges, weight):
    """Twice the weight minus a third of the weight of all edges that it rules out."""
    total = {v: sum(weight[v].values()) for v in weight}
    return max(edges, key=lambda e: 2 * weight[e[0]][e[1]] - (total[e[0]] + total[e[1]]) / 3)


# %% dominates_both_ends
def pick_edge(edges, weight):
    """Weight minus the best that both ends could have instead: safe edges come first."""

    def alternative(v, partner):
        return max((w for u, w in weight[v].items() if u != partner), default=0)

    return max(edges, key=lambda e: weight[e[0]][e[1]] - alternative(*e) - alternative(e[1], e[0]))


# %% vertex_regret
def pick_edge(edges, weight):
    """The vertex that loses most if it misses its heaviest edge takes that edge."""
    best, best_regret = None, -1
    for v in sorted(weight):
        ranked = sorted(weight[v], key=lambda u: (-weight[v][u], u))
        second = weight[v][ranked[1]] if len(ranked) > 1 else 0
        regret = weight[v][ranked[0]] - second
        if regret > best_regret:
            best, best_regret = (v, ranked[0]), regret
    return tuple(sorted(best))


# %% leaves_then_heaviest
def pick_edge(edges, weight):
    """A vertex with one free neighbour must take it now or never: the heaviest such edge, else the heaviest of all."""
    hanging = [(u, v) for u, v in edges if len(weight[u]) == 1 or len(weight[v]) == 1]
    return max(hanging or edges, key=lambda edge: weight[edge[0]][edge[1]])


# %% above_average_of_ends
def pick_edge(edges, weight):
    """How far an edge is above the mean weight at both of its ends, plus a bonus for ends with few choices."""
    mean = {v: sum(w.values()) / len(w) for v, w in weight.items()}
    best, best_value = None, float("-inf")
    for u, v in edges:
        value = weight[u][v] - 0.5 * (mean[u] + mean[v]) + 40 / len(weight[u]) + 40 / len(weight[v])
        if value > best_value:
            best, best_value = (u, v), value
    return best


# %% strand_no_vertex
def pick_edge(edges, weight):
    """Weight minus 40 for each neighbour that would be left without any edge, minus a little for the degrees."""

    def value(edge):
        u, v = edge
        around = (set(weight[u]) | set(weight[v])) - {u, v}
        stranded = sum(1 for w in around if not set(weight[w]) - {u, v})
        return weight[u][v] - 40 * stranded - 4 * (len(weight[u]) + len(weight[v]))

    return max(edges, key=value)


# %% bargaining
def pick_edge(edges, weight):
    """Neighbours bargain: each asks for its best outside offer and half of what the edge is worth beyond both."""
    price = {v: max(around.values()) / 2 for v, around in weight.items()}
    outside = {}
    for _ in range(8):
        for v, around in weight.items():
            for u in around:
                outside[v, u] = max((max(0.0, w - price[t]) for t, w in around.items() if t != u), default=0.0)
        for v, around in weight.items():
            asked = max(outside[v, u] + max(0.0, w - outside[v, u] - outside[u, v]) / 2 for u, w in around.items())
            price[v] = 0.5 * price[v] + 0.5 * asked
    return max(edges, key=lambda e: weight[e[0]][e[1]] - outside[e] - outside[e[1], e[0]])


# %% message_passing
def pick_edge(edges, weight):
    """Eight rounds of max-product messages: an edge's offer is its weight minus the next best offer to its end."""
    offer = {(u, v): w for u in weight for v, w in weight[u].items()}
    for _ in range(8):
        fresh = {}
        for u in weight:
            for v, w in weight[u].items():
                rival = max((offer[t, u] for t in weight[u] if t != v), default=0)
                fresh[u, v] = w - max(0, rival)
        offer = {key: 0.5 * (offer[key] + fresh[key]) for key in offer}
    return max(edges, key=lambda e: offer[e] + offer[e[1], e[0]] - weight[e[0]][e[1]])


# %% finish_greedily
def pick_edge(edges, weight):
    """Complete the matching after each of the eight edges of best ratio, by weight over edges used; take the best."""
    ranked = sorted(edges, key=lambda e: -weight[e[0]][e[1]] / (len(weight[e[0]]) + len(weight[e[1]]) - 1))
    best, best_total = None, -1
    for first in ranked[:8]:
        busy, total = set(first), weight[first[0]][first[1]]
        for u, v in ranked:
            if u not in busy and v not in busy:
                busy.update((u, v))
                total += weight[u][v]
        if total > best_total:
            best, best_total = first, total
    return best


# %% swap_and_repair
def pick_edge(edges, weight):
    """Match the rest by weight; force other edges in and match who lost a partner anew while that gains; the matched
    edge with fewest rivals is next."""
    mate = {}
    for u, v in sorted(edges, key=lambda e: -weight[e[0]][e[1]]):
        if u not in mate and v not in mate:
            mate[u], mate[v] = v, u
    for u, v in edges * 2:
        if mate.get(u) == v:
            continue
        trial, gain = dict(mate), weight[u][v]
        lost = [trial.pop(end) for end in (u, v) if end in trial]
        for end in lost:
            gain -= weight[end][trial.pop(end)]
        trial[u], trial[v] = v, u
        for end in lost:
            free = [t for t in weight[end] if t not in trial]
            if free and end not in trial:
                other = max(free, key=weight[end].get)
                trial[end], trial[other] = other, end
                gain += weight[end][other]
        if gain > 0:
            mate = trial
    matched = [edge for edge in edges if mate.get(edge[0]) == edge[1]]
    return min(matched, key=lambda e: len(weight[e[0]]) + len(weight[e[1]]))
