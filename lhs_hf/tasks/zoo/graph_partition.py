"""Graph partitioning: split the vertices of a weighted graph into equal parts with little weight between them."""

from __future__ import annotations

import numpy as np

from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class GraphPartition(SimpleTask):
    """Solution: the part of each vertex. All parts have the same size; the objective is the weight of cut links."""

    name = "graph_partition"
    title = "Balanced graph partitioning, vertex by vertex"
    sense = "min"
    problem_class = "assignment"
    description = (
        "Return a list with a score for each part of `open_parts`, the ids of the parts that have room left; `vertex` "
        "is put into the part with the largest score. `members[p]` is the list of vertices that part p has already, "
        "`capacity` how many it will have in the end; vertices come in the order of their ids. `links` maps each "
        "vertex to a dictionary from its neighbours to the weights of the links. The weight of all links between "
        "different parts is to be as small as possible."
    )
    template = '''\
def score_parts(vertex, open_parts, members, capacity, links):
    """The part with the most room."""
    return [capacity - len(members[part]) for part in open_parts]
'''
    answers = "scores"
    alternatives = "open_parts"
    splits = make_splits(
        search={"count": 16, "parts": 4, "capacity": 10, "inside": 0.35, "across": 0.14, "calls": 39},
        test={"count": 32, "parts": 4, "capacity": 10, "inside": 0.35, "across": 0.14, "calls": 39},
        holdout={"count": 32, "parts": 5, "capacity": 12, "inside": 0.32, "across": 0.1, "calls": 59},
    )
    probe_parameters = {"parts": 6, "capacity": 4, "inside": 0.6, "across": 0.3}  # noqa: RUF012

    def draw(self, random, parts, capacity, inside, across):
        """Links int64 (links, 3): ends, ascending, and weight 1 to 9. Vertices fall into hidden groups.

        Two of one group are linked with probability `inside`, others with `across`; `inside` links are heavier by 2.
        """
        group = random.permutation(np.arange(parts * capacity) % parts)
        same = group[:, None] == group[None, :]
        linked = np.triu(random.rand(*same.shape) < np.where(same, inside, across), 1)
        weights = random.randint(1, 8, same.shape) + 2 * same
        ends = np.argwhere(linked)
        return {"parts": parts, "capacity": capacity, "links": np.column_stack([ends, weights[linked]])}

    def construct(self, program, instance):
        """One call a vertex as long as two parts have room; the program sees lists and dictionaries."""
        parts, capacity = instance["parts"], instance["capacity"]
        members = [[] for _ in range(parts)]
        links = {vertex: {} for vertex in range(parts * capacity)}
        for one, other, weight in instance["links"].tolist():
            links[one][other] = links[other][one] = weight
        for vertex in links:
            room = [part for part in range(parts) if len(members[part]) < capacity]
            shown = [list(each) for each in members], capacity, {key: dict(value) for key, value in links.items()}
            part = self.ask(program, vertex, room, *shown) if len(room) > 1 else room[0]
            members[part].append(vertex)
        return [next(part for part in range(parts) if vertex in members[part]) for vertex in links]

    def objective(self, instance, solution):
        """Weight of the links between parts, each counted once. Raises `Infeasible` for parts of other sizes."""
        parts, capacity = instance["parts"], instance["capacity"]
        chosen = check_ids(solution, parts * capacity, parts)
        for part in range(parts):
            if chosen.count(part) != capacity:
                raise Infeasible(f"part {part} has {chosen.count(part)} vertices, expected {capacity}")
        return float(sum(weight for one, other, weight in instance["links"].tolist() if chosen[one] != chosen[other]))

    def probe_features(self, choices, arguments):
        """Weight and number of links to a part, members, weight of the paths of two links that lead there."""
        vertex, links, members = arguments["vertex"], arguments["links"], arguments["members"]
        rows = []
        for part in choices:
            inside = set(members[part])
            near = [weight for other, weight in links[vertex].items() if other in inside]
            later = [other for other in links[vertex] if other > vertex]
            far = sum(min(links[vertex][t], w) for t in later for other, w in links[t].items() if other in inside)
            full = sum(sum(links[other].values()) for other in inside)
            rows.append((sum(near), len(near), max(near, default=0), len(inside), far, full, part))
        return np.array(rows, dtype=float)


TASK = GraphPartition()
