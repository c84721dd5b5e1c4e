"""Seed programs for `vertex_cover`: one complete program a cell, named after its idea."""


# %% cheapest_per_edge
def choose_vertex(candidates, neighbors, weights):
    """The vertex that pays least for each edge it covers."""
    return min(candidates, key=lambda vertex: weights[vertex] / len(neighbors[vertex]))


# %% most_edges
def choose_vertex(candidates, neighbors, weights):
    """The vertex with the most uncovered edges, whatever it weighs; the lighter one on ties."""
    best = candidates[0]
    for vertex in candidates[1:]:
        more = len(neighbors[vertex]) - len(neighbors[best])
        if more > 0 or (more == 0 and weights[vertex] < weights[best]):
            best = vertex
    return best


# %% heaviest_vertex
def choose_vertex(candidates, neighbors, weights):
    """The wrong way round: the heaviest vertex."""
    return max(candidates, key=weights.get)


# %% random_vertex
import random


def choose_vertex(candidates, neighbors, weights):
    """Any vertex, drawn by a generator seeded with the candidates."""
    seed = sum((place + 1) * vertex for place, vertex in enumerate(candidates))
    return random.Random(seed).choice(candidates)


# %% lightest_vertex
def choose_vertex(candidates, neighbors, weights):
    """The lightest vertex, however few edges it covers."""
    return min(candidates, key=lambda vertex: (weights[vertex], -len(neighbors[vertex])))


# %% lighter_end_of_an_edge
def choose_vertex(candidates, neighbors, weights):
    """The edge whose ends differ most in weight gets its lighter end."""
    gap, chosen = -1, candidates[0]
    for vertex in candidates:
        for other in neighbors[vertex]:
            if weights[other] - weights[vertex] > gap:
                gap, chosen = weights[other] - weights[vertex], vertex
    return chosen


# %% against_its_neighbors
def choose_vertex(candidates, neighbors, weights):
    """A vertex or all its neighbors must be taken: the one that is lightest in comparison with them."""
    return min(candidates, key=lambda v: weights[v] / sum(weights[other] for other in neighbors[v]))


# %% saving_over_neighbors
def choose_vertex(candidates, neighbors, weights):
    """The largest difference between the weight of its neighbors and its own."""
    savings = {}
    for vertex in candidates:
        savings[vertex] = sum(weights[other] for other in neighbors[vertex]) - weights[vertex]
    return max(candidates, key=lambda vertex: savings[vertex])


# %% edges_squared
def choose_vertex(candidates, neighbors, weights):
    """Weight over the square of the number of edges: hubs count more than with the plain ratio."""
    return min(candidates, key=lambda vertex: (weights[vertex] / len(neighbors[vertex]) ** 2, vertex))


# %% edges_shared_by_degree
def choose_vertex(candidates, neighbors, weights):
    """An edge to a vertex with few edges is worth more, as that vertex is seldom taken anyway."""

    def worth(vertex):
        return sum(1 / len(neighbors[other]) for other in neighbors[vertex])

    return max(candidates, key=lambda vertex: worth(vertex) / weights[vertex])


# %% ratio_of_the_other_ends
def choose_vertex(candidates, neighbors, weights):
    """Each edge is worth what its other end would pay for one edge; the largest worth per weight."""
    price = {vertex: weights[vertex] / len(neighbors[vertex]) for vertex in candidates}
    best, best_value = None, -1.0
    for vertex in candidates:
        value = sum(price[other] for other in neighbors[vertex]) / weights[vertex]
        if value > best_value:
            best, best_value = vertex, value
    return best


# %% leaves_first
def choose_vertex(candidates, neighbors, weights):
    """While there are leaves take what they hang on, if it weighs no more or has other edges; else edges per weight."""
    inner = []
    for leaf in candidates:
        if len(neighbors[leaf]) == 1:
            stem = neighbors[leaf][0]
            if weights[stem] <= weights[leaf] or len(neighbors[stem]) > 1:
                inner.append(stem)
    return min(inner or candidates, key=lambda vertex: weights[vertex] / len(neighbors[vertex]))


# %% pay_edge_by_edge
def choose_vertex(candidates, neighbors, weights):
    """Local ratio: edges in order pay what both ends can still bear; the most connected end that is paid up."""
    bear = {vertex: weights[vertex] for vertex in candidates}
    for vertex in candidates:
        for other in neighbors[vertex]:
            if vertex < other:
                paid = min(bear[vertex], bear[other])
                bear[vertex] -= paid
                bear[other] -= paid
    paid_up = [vertex for vertex in candidates if bear[vertex] == 0]
    return max(paid_up, key=lambda vertex: len(neighbors[vertex]))


# %% rising_prices
def choose_vertex(candidates, neighbors, weights):
    """All edges raise their prices alike until an end is paid, which stops its edges; the last one paid is taken."""
    bear = {vertex: float(weights[vertex]) for vertex in candidates}
    open_edges = {vertex: set(neighbors[vertex]) for vertex in candidates}
    chosen = candidates[0]
    while any(open_edges.values()):
        active = [vertex for vertex in candidates if open_edges[vertex]]
        chosen = min(active, key=lambda vertex: bear[vertex] / len(open_edges[vertex]))
        price = bear[chosen] / len(open_edges[chosen])
        for other in open_edges[chosen]:
            bear[other] -= price
            open_edges[other].discard(chosen)
        open_edges[chosen] = set()
    return chosen


# %% leave_out_the_dearest
def choose_vertex(candidates, neighbors, weights):
    """Decide which vertex is best left out, by weight over the number of its edges plus one; take its neighbors."""
    out = max(candidates, key=lambda vertex: weights[vertex] / (1 + len(neighbors[vertex])))
    return max(neighbors[out], key=lambda other: len(neighbors[other]))


# %% leave_out_by_share_of_weight
def choose_vertex(candidates, neighbors, weights):
    """Leave out the vertex with the largest share of the weight of itself and its neighbors; take its lightest one."""

    def share(vertex):
        return weights[vertex] / (weights[vertex] + sum(weights[other] for other in neighbors[vertex]))

    out = max(candidates, key=share)
    return min(neighbors[out], key=lambda other: weights[other])


# %% safe_steps_then_ratio
def choose_vertex(candidates, neighbors, weights):
    """Neighbors that weigh no more than their vertex are taken without loss; if there are none, edges per weight."""
    for vertex in candidates:
        if sum(weights[other] for other in neighbors[vertex]) <= weights[vertex]:
            return neighbors[vertex][0]
    return min(candidates, key=lambda vertex: weights[vertex] / len(neighbors[vertex]))


# %% ratio_of_two_steps
def choose_vertex(candidates, neighbors, weights):
    """The pair of vertices that pays least for the edges both cover; its better half first."""
    best_ratio, best = float("inf"), candidates[0]
    for place, one in enumerate(candidates):
        for other in candidates[place + 1 :]:
            edges = len(neighbors[one]) + len(neighbors[other]) - (other in neighbors[one])
            ratio = (weights[one] + weights[other]) / edges
            if ratio < best_ratio:
                best_ratio = ratio
                best = min(one, other, key=lambda vertex: weights[vertex] / len(neighbors[vertex]))
    return best


# %% messages_along_edges
def choose_vertex(candidates, neighbors, weights):
    """Vertices tell their neighbors how much leaving them out would save, for ten rounds; the least saving is taken."""
    message = {(one, other): weights[one] / 2 for one in candidates for other in neighbors[one]}
    for _ in range(10):
        heard = {vertex: sum(message[other, vertex] for other in neighbors[vertex]) for vertex in candidates}
        message = {
            (one, other): 0.5 * old + 0.5 * max(0.0, weights[one] - heard[one] + message[other, one])
            for (one, other), old in message.items()
        }
    return min(candidates, key=lambda v: weights[v] - sum(message[other, v] for other in neighbors[v]))


# %% soft_assignment
import numpy as np


def choose_vertex(candidates, neighbors, weights):
    """Each vertex is left out with a probability that follows from its weight and its neighbors' probabilities."""
    place = {vertex: row for row, vertex in enumerate(candidates)}
    links = np.zeros((len(candidates), len(candidates)))
    for vertex in candidates:
        links[place[vertex], [place[other] for other in neighbors[vertex]]] = 1
    gain = np.array([weights[vertex] for vertex in candidates], dtype=float)
    out = np.full(len(candidates), 0.5)
    for step in range(40):
        force = gain - links @ (out * gain)
        out = 0.7 * out + 0.3 / (1 + np.exp(-force * (0.05 + 0.01 * step)))
    return candidates[int(np.argmin(out))]


# %% cover_and_prune
def choose_vertex(candidates, neighbors, weights):
    """Cover all by edges per weight, drop what is not needed, heaviest first; take the best of what stays."""
    degree = {vertex: len(neighbors[vertex]) for vertex in candidates}
    cover = set()
    while any(degree.values()):
        vertex = min((v for v in candidates if degree[v]), key=lambda v: weights[v] / degree[v])
        cover.add(vertex)
        degree[vertex] = 0
        for other in neighbors[vertex]:
            degree[other] -= other not in cover
    for vertex in sorted(cover, key=lambda v: -weights[v]):
        if all(other in cover for other in neighbors[vertex]):
            cover.remove(vertex)
    return min(sorted(cover), key=lambda vertex: weights[vertex] / len(neighbors[vertex]))


# %% finish_for_the_best_few
def choose_vertex(candidates, neighbors, weights):
    """Try the eight best by edges per weight, finish each with that rule, and take the start of the lightest cover."""

    def finish(first):
        degree = {vertex: len(neighbors[vertex]) for vertex in candidates}
        total, taken, vertex = 0, set(), first
        while True:
            total += weights[vertex]
            taken.add(vertex)
            del degree[vertex]
            for other in neighbors[vertex]:
                if other in degree:
                    degree[other] -= 1
                    if degree[other] == 0:
                        del degree[other]
            if not degree:
                return total
            vertex = min(degree, key=lambda v: weights[v] / degree[v])

    ranked = sorted(candidates, key=lambda vertex: weights[vertex] / len(neighbors[vertex]))
    return min(ranked[:8], key=finish)


# %% improve_what_is_left_out
def choose_vertex(candidates, neighbors, weights):
    """Keep a set of vertices to leave out; let one enter and its neighbors go while that gains; take any other one."""
    out = set()
    for vertex in sorted(candidates, key=lambda v: -weights[v] / (1 + len(neighbors[v]))):
        if not out.intersection(neighbors[vertex]):
            out.add(vertex)
    improved = True
    while improved:
        improved = False
        for vertex in candidates:
            if vertex in out:
                continue
            lost = out.intersection(neighbors[vertex])
            trial = (out - lost) | {vertex}
            # What the neighbors of those that go had blocked may enter too.
            freed = {other for gone in lost for other in neighbors[gone]} - trial
            for other in sorted(freed, key=lambda v: (-weights[v], v)):
                if not trial.intersection(neighbors[other]):
                    trial.add(other)
            if sum(weights[v] for v in trial) > sum(weights[v] for v in out):
                out, improved = trial, True
    return next(vertex for vertex in candidates if vertex not in out)
