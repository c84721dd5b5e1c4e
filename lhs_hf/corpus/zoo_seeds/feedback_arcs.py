"""Seed programs for `feedback_arcs`: one complete program a cell, named after its idea."""


# %% input_order
def score_vertices(remaining, arc_weights):
    """Leave the vertices in the order of their numbers."""
    return [-int(vertex) for vertex in remaining]


# %% shuffled
import numpy as np


def score_vertices(remaining, arc_weights):
    """Random scores from a generator seeded with the number of vertices left."""
    return np.random.RandomState(5 + len(remaining)).rand(len(remaining))


# %% most_entering
import numpy as np


def score_vertices(remaining, arc_weights):
    """The wrong way round: the vertex with the most weight that enters it from the rest."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    return inner.sum(axis=0)


# %% least_entering
import numpy as np


def score_vertices(remaining, arc_weights):
    """The vertex that costs least now: the weight of arcs that would lead back to it."""
    return -arc_weights[np.ix_(remaining, remaining)].sum(axis=0)


# %% most_leaving
def score_vertices(remaining, arc_weights):
    """The vertex from which the most weight leads to the others that remain."""
    scores = []
    for vertex in remaining:
        scores.append(sum(int(arc_weights[vertex, other]) for other in remaining))
    return scores


# %% net_weight_once
def score_vertices(remaining, arc_weights):
    """Leaving minus entering weight over the whole graph, so the order is fixed from the start."""
    net = arc_weights.sum(axis=1) - arc_weights.sum(axis=0)
    return net[remaining]


# %% net_weight_of_rest
import numpy as np


def score_vertices(remaining, arc_weights):
    """Leaving minus entering weight among the vertices that remain."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    return inner.sum(axis=1) - inner.sum(axis=0)


# %% share_of_leaving
import numpy as np


def score_vertices(remaining, arc_weights):
    """The ratio of leaving to entering weight, with one added to both."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    return (inner.sum(axis=1) + 1) / (inner.sum(axis=0) + 1)


# %% fewest_entering_arcs
def score_vertices(remaining, arc_weights):
    """Count arcs instead of weights: few that enter, then many that leave."""
    rest = [int(v) for v in remaining]
    scores = []
    for v in rest:
        entering = sum(1 for u in rest if arc_weights[u, v] > 0)
        leaving = sum(1 for u in rest if arc_weights[v, u] > 0)
        scores.append(-100 * entering + leaving)
    return scores


# %% heaviest_single_arc
import numpy as np


def score_vertices(remaining, arc_weights):
    """Avoid the worst single arc: the vertex whose heaviest entering arc is lightest, then the least weight."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    return -inner.max(axis=0) - 0.01 * inner.sum(axis=0)


# %% pairwise_wins
import numpy as np


def score_vertices(remaining, arc_weights):
    """A vertex beats another if more weight leads to it than back; wins minus losses among the rest."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    return np.sign(inner - inner.T).sum(axis=1)


# %% sources_but_not_sinks
import numpy as np


def score_vertices(remaining, arc_weights):
    """A source goes first and a sink waits for the end; of the others the largest difference of weights decides."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    leaving, entering = inner.sum(axis=1), inner.sum(axis=0)
    score = (leaving - entering).astype(float)
    score[leaving == 0] = -1e6
    score[entering == 0] = 1e6
    return score


# %% cost_first_then_benefit
import numpy as np


def score_vertices(remaining, arc_weights):
    """Entering weight counts fully, leaving weight by three tenths."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    return 0.3 * inner.sum(axis=1) - inner.sum(axis=0)


# %% rank_flow
import numpy as np


def score_vertices(remaining, arc_weights):
    """A walk against the arcs among the rest: a vertex is early if early vertices are what it leads to."""
    inner = arc_weights[np.ix_(remaining, remaining)].astype(float)
    count = len(remaining)
    step = inner / np.maximum(inner.sum(axis=0), 1.0)
    rank = np.full(count, 1.0 / count)
    for _ in range(25):
        rank = 0.2 / count + 0.8 * step @ rank
    return rank


# %% fitted_positions
import numpy as np


def score_vertices(remaining, arc_weights):
    """Positions on a line by least squares, where every arc wants its head one step behind its tail."""
    total = (arc_weights + arc_weights.T).astype(float)
    laplacian = np.diag(total.sum(axis=1)) - total
    net = (arc_weights - arc_weights.T).sum(axis=1).astype(float)
    return np.linalg.lstsq(laplacian, net, rcond=None)[0][remaining]


# %% regret_of_swapping
import numpy as np


def score_vertices(remaining, arc_weights):
    """Compare each vertex with the one it would lose most to if that came after it."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    net = inner - inner.T
    return net.min(axis=1) + 0.1 * net.sum(axis=1)


# %% cheapest_pair_of_steps
import numpy as np


def score_vertices(remaining, arc_weights):
    """Net weight of a vertex plus the best net weight of any vertex once this one is gone."""
    inner = arc_weights[np.ix_(remaining, remaining)]
    net = (inner - inner.T).astype(float)
    total = net.sum(axis=1)
    scores = []
    for i in range(len(remaining)):
        after = total - net[:, i]
        after[i] = -np.inf
        scores.append(total[i] + 0.8 * after.max())
    return scores


# %% insert_into_order
def score_vertices(remaining, arc_weights):
    """Insert the rest, strongest differences first, each where it costs least; the front of that order goes next."""
    net = (arc_weights - arc_weights.T).tolist()
    rest = [int(v) for v in remaining]
    rest.sort(key=lambda v: -abs(sum(net[v][u] for u in rest)))
    order = []
    for v in rest:
        gain, best, place = 0, 0, 0
        for i, u in enumerate(order):
            gain += net[u][v]
            if gain > best:
                best, place = gain, i + 1
        order.insert(place, v)
    position = {v: i for i, v in enumerate(order)}
    return [-position[int(v)] for v in remaining]


# %% improve_by_moves
def score_vertices(remaining, arc_weights):
    """Sort the rest by net weight, move single vertices to better places until none gains, and take the first."""
    net = (arc_weights - arc_weights.T).tolist()
    order = sorted((int(v) for v in remaining), key=lambda v: -sum(net[v]))
    improved = True
    while improved:
        improved = False
        for v in list(order):
            place = order.index(v)
            others = order[:place] + order[place + 1 :]
            gains = [0]
            for u in others:
                gains.append(gains[-1] + net[u][v])
            best = max(range(len(gains)), key=lambda i: gains[i])
            if gains[best] > gains[place]:
                order = others[:best] + [v] + others[best:]
                improved = True
    return [-order.index(int(v)) for v in remaining]
