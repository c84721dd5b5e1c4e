"""Vehicle routing with time windows: build trips that reach each customer in time (paper, appendix: VRPTW)."""

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
    path_length,
)
from ._shared import capture_call, draw_step, only_answer, read_only
from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, as_index, percentiles

_CAPACITY = 40
_HORIZON = 4.6
_SLACK = 1e-4

_TEMPLATE = '''\
def select_next_node(
    current_node, depot, unvisited_nodes, rest_capacity, current_time, demands, distance_matrix, time_windows
):
    """First listed: serve the customer of lowest id among those that can be reached in time."""
    return unvisited_nodes[0]
'''


@dataclass(frozen=True)
class VrptwInstance:
    """Depot 0 and further nodes, of which customers 1..`served` have to be visited.

    With m nodes: `coordinates`, float64 (m, 2); `demands`, int64 (m,); `service`, float64 (m,); `windows`, float64
    (m, 2), opening and closing times; `distances`, float64 (m, m), also the travel times.
    """

    coordinates: np.ndarray
    demands: np.ndarray
    service: np.ndarray
    windows: np.ndarray
    distances: np.ndarray
    served: int
    capacity: int = _CAPACITY


def _draw(random: np.random.RandomState, coordinates: np.ndarray, served: int, capacity: int) -> VrptwInstance:
    """Demands, service times and windows for nodes at `coordinates`, every window reachable from the depot and back."""
    others = len(coordinates) - 1
    distances = euclidean_distances(coordinates)
    demands = np.concatenate(([0], random.randint(1, 10, others)))
    service = random.rand(others) * 0.05 + 0.15
    length = random.rand(others) * 0.05 + 0.15
    from_depot = distances[0, 1:]
    latest = (_HORIZON - service - length) / from_depot - 1
    opening = (random.rand(others) * (latest - 1) + 1) * from_depot
    windows = np.vstack(([0.0, _HORIZON], np.column_stack((opening, opening + length))))
    return VrptwInstance(
        read_only(coordinates),
        read_only(demands),
        read_only(np.concatenate(([0.0], service))),
        read_only(windows),
        read_only(distances),
        served,
        capacity,
    )


class VrptwConstruct(Task):
    """Solution: the recorded route, from the depot 0 on, with a 0 for each return but the last.

    Two oddities belong to the task: one more node is generated than served, and the last way back to the depot counts
    neither for the distance nor for the depot's closing time.
    """

    name = "vrptw_construct"
    title = "Vehicle routing with time windows, constructive"
    sense = "min"
    problem_class = "routing"
    function_name = "select_next_node"
    arguments = (
        "current_node",
        "depot",
        "unvisited_nodes",
        "rest_capacity",
        "current_time",
        "demands",
        "distance_matrix",
        "time_windows",
    )
    description = (
        "Return the id of the customer to serve next, one of unvisited_nodes (an array of ids that fit into "
        "rest_capacity and can be reached before their time window closes), or depot to go back and start a new trip "
        "at time 0, so that the total distance is as small as possible."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 16, 2024, 16 * 50, {"customers": 50}),
        "test": Split("test", 100, 2024, 100 * 50, {"customers": 50}),
        "holdout": Split("holdout", 100, 2025, 100 * 50, {"customers": 50}),
    }
    practice = Split("practice", 2, 7001, 2 * 50, {"customers": 50})
    time_limit_s = 30.0
    bounds: Mapping[str, float] = {"search": 4.909, "test": 4.871, "holdout": 4.843}
    bound_kind = "spanning tree (weak)"
    probe_feature_names = (
        "distance_from_current",
        "distance_to_depot",
        "closing_time",
        "slack_until_closing",
        "waiting_time",
        "service_start",
        "demand",
        "node_id",
    )

    def generate(self, split: Split) -> Iterable[VrptwInstance]:
        """Uniform points in the unit square; one node more than is served."""
        random = np.random.RandomState(split.seed)
        customers = split.parameters["customers"]
        for _ in range(split.count):
            yield _draw(random, random.rand(customers + 2, 2), customers, _CAPACITY)

    def rollout(self, program: Program, instance: VrptwInstance) -> np.ndarray:
        """Calls until all customers are served; returns to the depot when nobody is listed. All arrays are fresh."""
        demands, service, windows = instance.demands, instance.service, instance.windows
        distances, capacity, customers = instance.distances, instance.capacity, instance.served
        opening, closing = windows[:, 0].copy(), windows[:, 1].copy()
        before_closing = closing - _SLACK
        back = distances[:, 0]
        waiting = np.zeros(len(demands), dtype=bool)
        waiting[1 : customers + 1] = True
        remaining = customers
        listed = np.flatnonzero(waiting)
        route = [0]
        current: Any = 0
        load: Any = 0
        time: Any = 0
        position = 0
        for _ in range(CALLS_PER_CUSTOMER * customers):
            current = program(
                current, 0, listed, capacity - load, time, demands.copy(), distances.copy(), windows.copy()
            )
            node = as_index(current)
            if node == 0:
                if time + distances[position, 0] > closing[0]:
                    raise IllegalAnswer(f"the depot closes before the return from customer {position}")
                load, time = 0, 0
            else:
                if not 0 < node <= customers or not waiting[node]:
                    raise IllegalAnswer(f"node {node} is neither the depot nor an unvisited customer")
                load = load + demands[node]
                if load > capacity:
                    raise IllegalAnswer(f"load {load} at customer {node} exceeds the capacity {capacity}")
                time = max(time + distances[position, node], opening[node])
                if time > closing[node]:
                    raise IllegalAnswer(f"customer {node} closes at {closing[node]}, reached at {time}")
                time = time + service[node]
                waiting[node] = False
                remaining -= 1
            route.append(node)
            position = node
            if not remaining:
                return np.array(route, dtype=np.int64)
            begin = np.maximum(time + distances[position], opening)
            reachable = (begin < before_closing) & (begin + service + back < before_closing[0])
            listed = np.flatnonzero(waiting & reachable & (demands <= capacity - load))
            if not len(listed):
                if time + distances[position, 0] > closing[0]:
                    raise IllegalAnswer(f"the depot closes before the return from customer {position}")
                route.append(0)
                current, load, time, position = 0, 0, 0, 0
                listed = np.flatnonzero(waiting)
        raise IllegalAnswer(f"{remaining} customers are unserved after {CALLS_PER_CUSTOMER * customers} calls")

    def objective(self, instance: VrptwInstance, solution: np.ndarray) -> float:
        """Length of the recorded route; the last way back is not counted."""
        route = checked_route(solution, instance.served, instance.demands, instance.capacity)
        distances, service = instance.distances, instance.service.tolist()
        legs = distances[route[:-1], route[1:]].tolist()
        opening, closing = instance.windows[:, 0].tolist(), instance.windows[:, 1].tolist()
        time = 0.0
        for node, leg in zip(route[1:], legs):
            time = max(time + leg, opening[node])
            if time > closing[node]:
                place = f"customer {node}" if node else "the depot"
                raise Infeasible(f"{place} closes at {closing[node]:.6g}, reached at {time:.6g}")
            time = time + service[node] if node else 0.0
        return path_length(distances, route)

    def max_solution_length(self, instance: VrptwInstance) -> int:
        """The start, an entry a call and the forced returns."""
        return longest_route(instance.served)

    def probe_states(self, generator: np.random.Generator, count: int) -> Sequence[ProbeState]:
        """Partial routes among 8 to 30 customers, made by distance, by closing time, at random or by a mixture."""
        states: list[ProbeState] = []
        while len(states) < count:
            customers = int(generator.integers(8, 31))
            random = np.random.RandomState(int(generator.integers(2**31)))
            layout = draw_layout(generator, customers + 2)
            instance = _draw(random, layout, customers, int(generator.choice([20, 40, 60])))
            greedy = generator.choice([0.0, 0.7, 1.0])
            by_time = generator.random() < 0.5
            anywhere = generator.random() < 0.25  # else away from the depot, where waiting and slack differ most

            def policy(*call: Any, greedy: float = greedy, by_time: bool = by_time) -> Any:
                current, listed, distances, windows = call[0], call[2], call[6], call[7]
                if generator.random() >= greedy:
                    return generator.choice(listed)
                return listed[np.argmin(windows[listed, 1] if by_time else distances[current, listed])]

            call = capture_call(
                self,
                instance,
                policy,
                draw_step(generator, len(states), customers),
                lambda current, depot, listed, *rest, anywhere=anywhere: (
                    len(listed) >= 3 and (anywhere or current != depot)
                ),
            )
            if call is not None:
                states.append(self._probe(call))
        return states

    @staticmethod
    def _probe(call: tuple[Any, ...]) -> ProbeState:
        current, depot, listed, _, time, demands, distances, windows = call
        nodes = np.concatenate(([depot], listed))
        from_current = distances[current, nodes]
        opening, closing = windows[nodes, 0], windows[nodes, 1]
        arrival = time + from_current
        begin = np.maximum(arrival, opening)
        columns = [
            from_current,
            distances[nodes, depot],
            closing,
            closing - begin,
            begin - arrival,
            begin,
            demands[nodes],
            nodes,
        ]
        return ProbeState((call,), percentiles(np.column_stack(columns)), tuple(nodes.tolist()))

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """Row 0 is the depot, the others are the listed customers in the order of the call."""
        node = as_index(only_answer(answers))
        if node not in state.context:
            raise IllegalAnswer(f"node {node} is neither the depot nor a listed customer")
        return state.context.index(node)


TASK = VrptwConstruct()
