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
