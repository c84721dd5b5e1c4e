"""Traveling salesman: build a closed tour city by city (paper, section 5: TSP)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._routing import draw_layout, euclidean_distances, mean_and_nearest_other, path_length
from ._shared import capture_call, draw_step, only_answer, read_only, solution_entries
from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, as_index, percentiles

_TEMPLATE = '''\
def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Nearest neighbour: go to the closest unvisited city."""
    return unvisited_nodes[0]
'''


@dataclass(frozen=True)
class TspInstance:
    """Cities: `coordinates`, float64 (n, 2), and `distances`, float64 (n, n). The tour starts and ends at city 0."""

    coordinates: np.ndarray
    distances: np.ndarray


def _instance(coordinates: np.ndarray) -> TspInstance:
    return TspInstance(read_only(coordinates), read_only(euclidean_distances(coordinates)))


class TspConstruct(Task):
    """Solution: the n - 1 cities after the start, in tour order; the last one is forced, not chosen."""

    name = "tsp_construct"
    title = "Traveling salesman, constructive"
    sense = "min"
    problem_class = "routing"
    function_name = "select_next_node"
    arguments = ("current_node", "destination_node", "unvisited_nodes", "distance_matrix")
    description = (
        "Return the id of the city to visit next, one of unvisited_nodes (an array of ids sorted by ascending distance "
        "from current_node), so that the tour, which starts and ends at destination_node, is as short as possible."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 16, 2024, 16 * 48, {"cities": 50}),
        "test-50": Split("test-50", 100, 2024, 100 * 48, {"cities": 50}),
        "test-100": Split("test-100", 100, 2024, 100 * 98, {"cities": 100}),
        "test-200": Split("test-200", 100, 2024, 100 * 198, {"cities": 200}),
        "holdout": Split("holdout", 100, 2025, 100 * 48, {"cities": 50}),
    }
    practice = Split("practice", 2, 7001, 2 * 48, {"cities": 50})
    time_limit_s = 30.0
    bounds: Mapping[str, float] = {
        "search": 5.6631,
        "test-50": 5.6657,
        "test-100": 7.7041,
        "test-200": 10.5998,
        "holdout": 5.6773,
    }
    bound_kind = "1-tree bound"
    probe_feature_names = (
        "distance_from_current",
        "distance_to_destination",
        "detour_to_destination",
        "mean_distance_to_unvisited",
        "nearest_unvisited_distance",
        "farthest_unvisited_distance",
        "nearest_minus_current_distance",
        "node_id",
    )

    def generate(self, split: Split) -> Iterable[TspInstance]:
        """Uniform cities in the unit square."""
        random = np.random.RandomState(split.seed)
        for _ in range(split.count):
            yield _instance(random.rand(split.parameters["cities"], 2))

    def rollout(self, program: Program, instance: TspInstance) -> np.ndarray:
        """Calls for all but the last city. The distance matrix is one copy for the whole tour, candidates are fresh."""
        distances = instance.distances.copy()
        n = len(distances)
        neighbours = np.argsort(instance.distances, axis=1)[:, 1:]
        waiting = np.ones(n, dtype=bool)
        waiting[0] = False
        tour: list[int] = []
        current: Any = 0
        position = 0
        for _ in range(n - 2):
            near = neighbours[position]
            current = program(current, 0, near[waiting[near]], distances)
            position = as_index(current)
            if not 0 <= position < n or not waiting[position]:
                raise IllegalAnswer(f"city {position} is not among the unvisited ones")
            waiting[position] = False
            tour.append(position)
        tour.extend(np.flatnonzero(waiting).tolist())
        return np.array(tour, dtype=np.int64)

    def objective(self, instance: TspInstance, solution: np.ndarray) -> float:
        """Length of the closed tour."""
        n = len(instance.distances)
        tour = solution_entries(solution, n - 1)
        seen = [False] * n
        for city in tour:
            if not 0 < city < n:
                raise Infeasible(f"unknown city {city}; cities to visit are 1 to {n - 1}")
            if seen[city]:
                raise Infeasible(f"city {city} is visited twice")
            seen[city] = True
        if len(tour) != n - 1:
            raise Infeasible(f"{n - 1 - len(tour)} of {n - 1} cities are not visited")
        return path_length(instance.distances, [0, *tour, 0])

    def max_solution_length(self, instance: TspInstance) -> int:
        """All cities but the start."""
        return len(instance.distances) - 1

    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """Partial tours of 8 to 30 uniform or clustered cities, made greedily, at random or by a mixture."""
        states: list[ProbeState] = []
        while len(states) < count:
            cities = int(generator.integers(8, 31))
            instance = _instance(draw_layout(generator, cities))
            greedy = generator.choice([0.0, 0.7, 1.0])

            def policy(current: Any, destination: Any, unvisited: np.ndarray, _: Any, greedy: float = greedy) -> Any:
                return unvisited[0] if generator.random() < greedy else generator.choice(unvisited)

            call = capture_call(
                self,
                instance,
                policy,
                draw_step(generator, len(states), cities - 2),
                lambda current, destination, unvisited, distances: len(unvisited) >= 3,
            )
            if call is not None:
                states.append(self._probe(call))
        return states

    @staticmethod
    def _probe(call: tuple[Any, ...]) -> ProbeState:
        current, destination, nodes, distances = call
        mean, nearest = mean_and_nearest_other(distances, nodes)
        from_current, to_end = distances[current, nodes], distances[nodes, destination]
        farthest = distances[np.ix_(nodes, nodes)].max(axis=1)
        columns = [
            from_current,
            to_end,
            from_current + to_end,
            mean,
            nearest,
            farthest,
            nearest - from_current,
            nodes,
        ]
        return ProbeState((call,), percentiles(np.column_stack(columns)), tuple(nodes.tolist()))

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """Rows are the unvisited cities in the order of the call."""
        city = as_index(only_answer(answers))
        if city not in state.context:
            raise IllegalAnswer(f"city {city} is not among the unvisited ones")
        return state.context.index(city)


TASK = TspConstruct()
