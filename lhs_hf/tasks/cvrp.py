"""Capacitated vehicle routing: build trips from a depot customer by customer (paper, section 5: CVRP)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._routing import (
    CALLS_PER_CUSTOMER,
    checked_route,
    draw_layout,
    euclidean_distances,
    longest_route,
    mean_and_nearest_other,
    path_length,
)
from ._shared import capture_call, draw_step, only_answer, read_only
from .base import IllegalAnswer, ProbeState, Program, Split, Task, as_index, percentiles

_CAPACITY = 40

_TEMPLATE = '''\
import numpy as np


def select_next_node(current_node, depot, unvisited_nodes, rest_capacity, demands, distance_matrix):
    """Largest demand per unit of distance from the current position."""
    best_score = -1.0
    next_node = depot
    for node in unvisited_nodes:
        distance = distance_matrix[current_node][node]
        score = demands[node] / distance if distance > 0 else np.inf
        if score > best_score:
            best_score = score
            next_node = node
    return next_node
'''


@dataclass(frozen=True)
class CvrpInstance:
    """Depot 0 and customers 1..n.

    `coordinates`, float64 (n + 1, 2); `demands`, int64 (n + 1,); `distances`, float64 (n + 1, n + 1).
    """

    coordinates: np.ndarray
    demands: np.ndarray
    distances: np.ndarray
    capacity: int = _CAPACITY


def _instance(coordinates: np.ndarray, demands: np.ndarray, capacity: int = _CAPACITY) -> CvrpInstance:
    distances = euclidean_distances(coordinates)
    return CvrpInstance(read_only(coordinates), read_only(demands), read_only(distances), capacity)


class CvrpConstruct(Task):
    """Solution: the recorded route, from the depot 0 on, with a 0 for each return but the last."""

    name = "cvrp_construct"
    title = "Capacitated vehicle routing, constructive"
    sense = "min"
    problem_class = "routing"
    function_name = "select_next_node"
    arguments = ("current_node", "depot", "unvisited_nodes", "rest_capacity", "demands", "distance_matrix")
    description = (
        "Return the id of the customer to serve next, one of unvisited_nodes (an array of ids whose demand fits into "
        "rest_capacity), or depot to go back and unload, so that the total distance of all trips is as small as "
        "possible."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 16, 2024, 16 * 50, {"customers": 50}),
        "test-50": Split("test-50", 100, 2024, 100 * 50, {"customers": 50}),
        "test-100": Split("test-100", 100, 2024, 100 * 100, {"customers": 100}),
        "holdout": Split("holdout", 100, 2025, 100 * 50, {"customers": 50}),
    }
    practice = Split("practice", 2, 7001, 2 * 50, {"customers": 50})
    time_limit_s = 20.0
    bounds: Mapping[str, float] = {"search": 6.631, "test-50": 6.568, "test-100": 13.249, "holdout": 6.514}
    bound_kind = "larger of capacity bound and spanning tree (weak)"
    probe_feature_names = (
        "distance_from_current",
        "distance_to_depot",
        "savings",
        "demand",
        "demand_per_distance",
        "mean_distance_to_listed",
        "nearest_listed_distance",
        "node_id",
    )

    def generate(self, split: Split) -> Iterable[CvrpInstance]:
        """Uniform points in the unit square, demands 1..9; the depot's demand is drawn and unused."""
        random = np.random.RandomState(split.seed)
        nodes = split.parameters["customers"] + 1
        for _ in range(split.count):
            coordinates = random.rand(nodes, 2)
            yield _instance(coordinates, random.randint(1, 10, nodes))

    def rollout(self, program: Program, instance: CvrpInstance) -> np.ndarray:
        """Calls until all customers are served; returns to the depot when nobody listed fits. All arrays are fresh."""
        demands, distances, capacity = instance.demands, instance.distances, instance.capacity
        customers = len(demands) - 1
        waiting = np.ones(customers + 1, dtype=bool)
        waiting[0] = False
        remaining = customers
        listed = np.flatnonzero(waiting)
        route = [0]
        current: Any = 0
        load: Any = 0
        for _ in range(CALLS_PER_CUSTOMER * customers):
            current = program(current, 0, listed, capacity - load, demands.copy(), distances.copy())
            node = as_index(current)
            route.append(node)
            if node == 0:
                load = 0
            else:
                if not 0 < node <= customers or not waiting[node]:
                    raise IllegalAnswer(f"node {node} is neither the depot nor an unvisited customer")
                load = load + demands[node]
                if load > capacity:
                    raise IllegalAnswer(f"load {load} at customer {node} exceeds the capacity {capacity}")
                waiting[node] = False
                remaining -= 1
                if not remaining:
                    return np.array(route, dtype=np.int64)
            listed = np.flatnonzero(waiting & (demands <= capacity - load))
            if not len(listed):
                route.append(0)
                current, load = 0, 0
                listed = np.flatnonzero(waiting)
        raise IllegalAnswer(f"{remaining} customers are unserved after {CALLS_PER_CUSTOMER * customers} calls")

    def objective(self, instance: CvrpInstance, solution: np.ndarray) -> float:
        """Length of the recorded route and of the way back to the depot."""
        route = checked_route(solution, len(instance.demands) - 1, instance.demands, instance.capacity)
        return path_length(instance.distances, [*route, 0])

    def max_solution_length(self, instance: CvrpInstance) -> int:
        """The start, an entry a call and the forced returns."""
        return longest_route(len(instance.demands) - 1)

    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """Partial routes among 8 to 30 customers with tight or ample capacity, greedy, random or mixed."""
        states: list[ProbeState] = []
        while len(states) < count:
            customers = int(generator.integers(8, 31))
            demands = generator.integers(1, 10, customers + 1)
            capacity = int(generator.choice([20, 40, 60]))
            instance = _instance(draw_layout(generator, customers + 1), demands, capacity)
            greedy = generator.choice([0.0, 0.7, 1.0])

            def policy(
                current: Any, depot: Any, listed: np.ndarray, rest: Any, _: Any, d: np.ndarray, greedy: float = greedy
            ) -> Any:
                if current != depot and generator.random() < 0.05:
                    return depot
                return listed[d[current, listed].argmin()] if generator.random() < greedy else generator.choice(listed)

            call = capture_call(
                self,
                instance,
                policy,
                draw_step(generator, len(states), customers),
                lambda current, depot, listed, *rest: len(listed) >= 3,
            )
            if call is not None:
                states.append(self._probe(call))
        return states

    @staticmethod
    def _probe(call: tuple[Any, ...]) -> ProbeState:
        current, depot, listed, _, demands, distances = call
        nodes = np.concatenate(([depot], listed))
        needs = np.concatenate(([0], demands[listed]))
        mean, nearest = mean_and_nearest_other(distances, nodes)
        from_current, to_depot = distances[current, nodes], distances[nodes, depot]
        columns = [
            from_current,
            to_depot,
            distances[current, depot] + to_depot - from_current,
            needs,
            needs / np.maximum(from_current, 1e-12),
            mean,
            nearest,
            nodes,
        ]
        return ProbeState((call,), percentiles(np.column_stack(columns)), tuple(nodes.tolist()))

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """Row 0 is the depot, the others are the listed customers in the order of the call."""
        node = as_index(only_answer(answers))
        if node not in state.context:
            raise IllegalAnswer(f"node {node} is neither the depot nor a listed customer")
        return state.context.index(node)


TASK = CvrpConstruct()
