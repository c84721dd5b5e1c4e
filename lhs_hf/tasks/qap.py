"""Quadratic assignment: facilities with mutual flows go to locations with mutual distances."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from .base import IllegalAnswer, Infeasible, ProbeState, Program, Split, Task, as_index, percentiles

UNASSIGNED = -1

_TEMPLATE = '''\
def select_next_assignment(current_assignment, flow_matrix, distance_matrix):
    """Index order: the first unassigned facility takes the free location of lowest index."""
    assignment = list(current_assignment)
    free = [location for location in range(len(assignment)) if location not in assignment]
    for facility, location in enumerate(assignment):
        if location == -1:
            assignment[facility] = free[0]
            break
    return assignment
'''


class QapInstance(NamedTuple):
    """`flow` and `distance`: int64 (n, n), symmetric with a zero diagonal."""

    flow: np.ndarray
    distance: np.ndarray


class QuadraticAssignment(Task):
    """Assign each facility a location of its own; objective: sum of flow times distance over ordered pairs.

    A solution is the permutation: entry i is the location of facility i.
    """

    name = "qap_construct"
    title = "Quadratic assignment"
    sense = "min"
    problem_class = "assignment"
    function_name = "select_next_assignment"
    arguments = ("current_assignment", "flow_matrix", "distance_matrix")
    description = (
        "Return the list `current_assignment` (entry i is the location of facility i, -1 if it has none) with one or "
        "more further facilities assigned to free locations; earlier entries may be revised. The function is called "
        "again, at most once a facility, until no -1 is left."
    )
    template = _TEMPLATE
    splits: Mapping[str, Split] = {
        "search": Split("search", 16, 2024, 800, {"n": 50}),
        "test": Split("test", 100, 2024, 5000, {"n": 50}),
        "holdout": Split("holdout", 100, 2025, 5000, {"n": 50}),
    }
    practice = Split("practice", 2, 7001, 100, {"n": 50})
    time_limit_s = 20.0
    bounds: Mapping[str, float] = {"search": 5143457.125, "test": 5187948.86, "holdout": 5184226.87}
    bound_kind = "bound"
    probe_feature_names = (
        "facility_flow_sum",
        "location_distance_sum",
        "flow_times_distance_sums",
        "cost_with_placed",
        "flow_to_placed",
        "distance_to_placed",
        "facility_index",
        "location_index",
    )

    def generate(self, split: Split) -> Iterator[QapInstance]:
        """Flows, then distances: integers 1..100, averaged with their transpose (floor), zero diagonal."""
        random = np.random.RandomState(split.seed)
        size = split.parameters["n"]
        for _ in range(split.count):
            flow = _symmetric(random.randint(1, 101, (size, size)))
            yield QapInstance(flow, _symmetric(random.randint(1, 101, (size, size))))

    def rollout(self, program: Program, instance: QapInstance) -> np.ndarray:
        """Call the program until its answer has no -1, at most n times; the last answer is the solution, int64 (n,).

        The answer object itself and the same two matrices are passed on from call to call.
        """
        flow, distance = instance.flow.copy(), instance.distance.copy()
        size = len(flow)
        assignment: Any = [UNASSIGNED] * size
        for _ in range(size):
            assignment = program(assignment, flow, distance)
            if not _is_partial(assignment):
                break
        locations = [as_index(location) for location in assignment]
        if sorted(locations) != list(range(size)):
            raise IllegalAnswer(f"the final assignment is no permutation of 0 to {size - 1}")
        return np.array(locations, dtype=np.int64)

    def objective(self, instance: QapInstance, solution: np.ndarray) -> float:
        """Sum over ordered pairs (i, j) of flow[i, j] * distance[a_i, a_j]. Raises `Infeasible` off permutations."""
        size = len(instance.flow)
        if solution.shape != (size,):
            raise Infeasible(
                f"expected a location for each of {size} facilities, got an array of shape {solution.shape}"
            )
        if not np.array_equal(np.sort(solution), np.arange(size)):
            raise Infeasible(f"the assignment is no permutation of 0 to {size - 1}")
        return float((instance.flow * instance.distance[np.ix_(solution, solution)]).sum())

    def max_solution_length(self, instance: QapInstance) -> int:
        """One location for each facility."""
        return len(instance.flow)

    def probe_states(self, generator: np.random.Generator, count: int) -> list[ProbeState]:
        """Partial assignments of 8 to 12 facilities; candidates are the pairs (unassigned facility, free location)."""
        states = []
        for number in range(count):
            size = int(generator.integers(8, 13))
            flow = _symmetric(generator.integers(1, 101, (size, size)))
            distance = _symmetric(generator.integers(1, 101, (size, size)))
            if number % 3 == 2:  # sparse flows, as of many real layouts
                flow *= _symmetric(generator.integers(0, 3, (size, size))) > 0
            placed = min(size - 2, int(size * (0.0, 0.2, 0.4, 0.7)[number % 4] + generator.integers(0, 2)))
            facilities, locations = generator.permutation(size), generator.permutation(size)
            if number % 2:  # as after a construction by descending flow and ascending distance
                facilities, locations = np.argsort(-flow.sum(axis=1)), np.argsort(distance.sum(axis=1))
            assignment = [UNASSIGNED] * size
            for facility, location in zip(facilities[:placed].tolist(), locations[:placed].tolist()):
                assignment[facility] = location
            pairs = _free_pairs(assignment)
            features = percentiles(_pair_features(assignment, flow, distance, pairs))
            states.append(ProbeState(((assignment, flow, distance),), features, (tuple(assignment), tuple(pairs))))
        return states

    def probe_decision(self, state: ProbeState, answers: Sequence[Any]) -> int:
        """The pair of the lowest newly assigned facility whose location was free before the call."""
        before, pairs = state.context
        _is_partial(answers[0])
        if len(answers[0]) != len(before):
            raise IllegalAnswer(f"expected {len(before)} entries, got {len(answers[0])}")
        for facility, answer in enumerate(answers[0]):
            pair = (facility, as_index(answer))
            if pair in pairs:
                return pairs.index(pair)
        raise IllegalAnswer("no facility was newly assigned to a free location")


def _symmetric(matrix: np.ndarray) -> np.ndarray:
    result = (matrix + matrix.T) // 2
    np.fill_diagonal(result, 0)
    return result


def _is_partial(assignment: Any) -> bool:
    """Whether an answer still contains -1. Raises `IllegalAnswer` for anything but a sequence or an array."""
    if not isinstance(assignment, (Sequence, np.ndarray)) or getattr(assignment, "ndim", 1) != 1:
        raise IllegalAnswer(f"expected a list of locations, got {type(assignment).__name__}")
    try:
        return UNASSIGNED in assignment
    except (TypeError, ValueError) as error:
        raise IllegalAnswer(f"expected a list of locations: {error}") from None


def _free_pairs(assignment: Sequence[int]) -> list[tuple[int, int]]:
    """All pairs of an unassigned facility and a free location, in ascending order."""
    size = len(assignment)
    free = sorted(set(range(size)) - set(assignment))
    return [(facility, location) for facility in range(size) if assignment[facility] == UNASSIGNED for location in free]


def _pair_features(
    assignment: Sequence[int], flow: np.ndarray, distance: np.ndarray, pairs: Sequence[tuple[int, int]]
) -> np.ndarray:
    """Raw probe features, float64 (pairs, 8), in the order of `probe_feature_names`."""
    placed = [facility for facility, location in enumerate(assignment) if location != UNASSIGNED]
    taken = [assignment[facility] for facility in placed]
    flow_sums, distance_sums = flow.sum(axis=1), distance.sum(axis=1)
    interaction = flow[:, placed] @ distance[taken, :]
    facility, location = np.array(pairs).T
    return np.stack(
        [
            flow_sums[facility],
            distance_sums[location],
            flow_sums[facility] * distance_sums[location],
            interaction[facility, location],
            flow[:, placed].sum(axis=1)[facility],
            distance[:, taken].sum(axis=1)[location],
            facility,
            location,
        ],
        axis=1,
    ).astype(np.float64)


TASK = QuadraticAssignment()
