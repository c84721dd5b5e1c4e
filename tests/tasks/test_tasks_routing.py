"""Traveling salesman, capacitated vehicle routing and routing with time windows."""

from __future__ import annotations

import pickle
from itertools import pairwise
from statistics import fmean

import numpy as np
import pytest
from goldens_part1 import GOLDENS
from hypothesis import given, settings
from hypothesis import strategies as st

from lhs_hf.evaluation.rollout import evaluate_in_process, load
from lhs_hf.tasks import IllegalAnswer, Infeasible, get_task
from lhs_hf.tasks.cvrp import CvrpInstance
from lhs_hf.tasks.vrptw import VrptwInstance

NAMES = ("tsp_construct", "cvrp_construct", "vrptw_construct")
TSP, CVRP, VRPTW = TASKS = [get_task(name) for name in NAMES]
every_task = pytest.mark.parametrize("task", TASKS, ids=NAMES)

int64s = st.integers(-(2**63), 2**63 - 1)


def template(task):
    return load(task, task.template)


def solved(task, index=0):
    instance = task.instances("search")[index]
    return instance, task.rollout(template(task), instance)


@pytest.mark.parametrize(
    ("name", "source", "split", "value"),
    [pytest.param(g[0], g[2], g[3], g[4], id=f"{g[0]}-{g[1]}-{g[3]}") for g in GOLDENS if g[0] in NAMES],
)
def test_golden_objective(name, source, split, value):
    task = get_task(name)
    objectives = evaluate_in_process(task, source, split)
    assert len(objectives) == task.split(split).count
    assert fmean(objectives) == pytest.approx(value, rel=1e-9, abs=0)


# Instances


def test_first_draws():
    tsp, cvrp, vrptw = (task.instances("search")[0] for task in TASKS)
    assert tsp.coordinates[0].tolist() == [0.5880145188953979, 0.6991087476815825]
    assert cvrp.coordinates[0].tolist() == [0.5880145188953979, 0.6991087476815825]
    assert cvrp.demands[:4].tolist() == [7, 8, 2, 5]
    assert vrptw.demands[:4].tolist() == [0, 5, 6, 9]
    assert vrptw.service[:2].tolist() == [0.0, 0.17112807122476548]
    assert vrptw.windows[:2].tolist() == [[0.0, 4.6], [0.9345805875690082, 1.107449383311673]]


def test_shapes():
    assert TSP.instances("test-200")[0].distances.shape == (200, 200)
    assert CVRP.instances("test-100")[0].demands.shape == (101,)
    instance = VRPTW.instances("search")[0]
    assert instance.windows.shape == (52, 2)
    assert instance.served == 50


@pytest.mark.parametrize(("task", "test_split"), [(TSP, "test-50"), (CVRP, "test-50"), (VRPTW, "test")], ids=NAMES)
def test_search_set_is_a_prefix_of_the_test_set(task, test_split):
    search, test = task.instances("search"), task.instances(test_split)
    assert len(search) == 16
    assert len(test) == 100
    assert [pickle.dumps(instance) for instance in search] == [pickle.dumps(instance) for instance in test[:16]]


@every_task
def test_holdout_shares_no_instance(task):
    test = {i.coordinates.tobytes() for name in ("search", *task.test_splits) for i in task.instances(name)}
    assert not test & {i.coordinates.tobytes() for i in task.instances("holdout")}


@pytest.mark.parametrize(("split", "joined"), [("test-100", 2), ("test-200", 4)])
def test_larger_tsp_instances_join_small_ones(split, joined):
    small = np.concatenate([instance.coordinates for instance in TSP.instances("test-50")])
    large = np.concatenate([instance.coordinates for instance in TSP.instances(split)[: 100 // joined]])
    np.testing.assert_array_equal(large, small)


def test_first_large_cvrp_instance_starts_with_the_first_search_instance():
    small, large = CVRP.instances("search")[0], CVRP.instances("test-100")[0]
    np.testing.assert_array_equal(large.coordinates[:51], small.coordinates)


def test_unknown_split_is_named():
    with pytest.raises(KeyError, match=r"no split 'test'.*test-50, test-100"):
        CVRP.instances("test")


@pytest.mark.parametrize(
    ("task", "limits"),
    [
        (TSP, {"search": 30, "test-50": 187.5, "test-200": 773.4375}),
        (CVRP, {"search": 20, "test-50": 125, "test-100": 250}),
        (VRPTW, {"search": 30, "test": 187.5}),
    ],
    ids=NAMES,
)
def test_time_limits(task, limits):
    assert {split: task.time_limit(split) for split in limits} == limits


def minimum_spanning_tree(distances):
    nearest = distances[0].copy()
    outside = np.ones(len(distances), dtype=bool)
    outside[0] = False
    total = 0.0
    while outside.any():
        node = np.flatnonzero(outside)[nearest[outside].argmin()]
        total += nearest[node]
        outside[node] = False
        nearest = np.minimum(nearest, distances[node])
    return total


@pytest.mark.parametrize("split", CVRP.splits)
def test_cvrp_bounds(split):
    bounds = [
        max((2 * i.demands * i.distances[0])[1:].sum() / i.capacity, minimum_spanning_tree(i.distances))
        for i in CVRP.instances(split)
    ]
    assert fmean(bounds) == pytest.approx(CVRP.bounds[split], abs=6e-4)


@pytest.mark.parametrize("split", VRPTW.splits)
def test_vrptw_bounds(split):
    trees = [minimum_spanning_tree(instance.distances[:51, :51]) for instance in VRPTW.instances(split)]
    assert fmean(trees) == pytest.approx(VRPTW.bounds[split], abs=6e-4)


@pytest.mark.parametrize("split", TSP.splits)
def test_tsp_bounds(split):
    trees = fmean(minimum_spanning_tree(instance.distances) for instance in TSP.instances(split))
    assert trees < TSP.bounds[split] < fmean(evaluate_in_process(TSP, TSP.template, split))


# Step protocol


def record(task, instance, program):
    calls = []

    def recorder(*arguments):
        calls.append(arguments)
        return program(*arguments)

    return calls, task.rollout(recorder, instance)


def test_tsp_protocol():
    instance = TSP.instances("search")[0]
    calls, solution = record(TSP, instance, lambda current, destination, unvisited, distances: unvisited[-1])
    assert len(calls) == 48
    assert len({id(call[3]) for call in calls}) == 1
    assert type(calls[0][0]) is int
    assert type(calls[1][0]) is np.int64
    visited = {0}
    for current, destination, unvisited, distances in calls:
        assert destination == 0
        assert visited.isdisjoint(unvisited.tolist())
        assert len(unvisited) + len(visited) == 50
        assert (np.diff(distances[current, unvisited]) > 0).all()
        visited.add(int(unvisited[-1]))
    assert sorted(solution.tolist()) == list(range(1, 50))


def test_cvrp_protocol():
    instance = CVRP.instances("search")[0]
    calls, solution = record(CVRP, instance, template(CVRP))
    np.testing.assert_array_equal(calls[0][2], np.arange(1, 51))
    assert type(calls[0][3]) is int
    assert type(calls[1][3]) is np.int64
    for current, depot, listed, rest, demands, distances in calls:
        assert depot == 0
        assert (np.diff(listed) > 0).all()
        assert (demands[listed] <= rest).all()
        assert rest == 40 or current != 0
        assert demands is not instance.demands
        assert distances is not instance.distances
    assert len({id(call[5]) for call in calls}) == len(calls)
    assert solution[0] == 0
    assert solution[-1] != 0


def test_cvrp_cost_closes_the_route():
    coordinates = np.array([[0.0, 0.0], [0.0, 1.0], [0.0, 3.0]])
    distances = np.abs(coordinates[:, None, 1] - coordinates[None, :, 1])
    instance = CvrpInstance(coordinates, np.array([9, 5, 6]), distances, capacity=10)
    assert CVRP.objective(instance, np.array([0, 1, 0, 2])) == 8.0
    assert CVRP.objective(instance, np.array([0, 0, 1, 0, 0, 2])) == 8.0
    calls, solution = record(CVRP, instance, lambda current, depot, listed, *rest: listed[-1])
    assert solution.tolist() == [0, 2, 0, 1]
    assert [call[0] for call in calls] == [0, 0]


def test_voluntary_return_is_recorded():
    def return_each_time(current, depot, listed, *rest):
        return depot if current != depot else listed[0]

    calls, solution = record(CVRP, CVRP.instances("search")[0], return_each_time)
    assert solution[:5].tolist() == [0, 1, 0, 2, 0]
    assert len(calls) == 99
    _, solution = record(VRPTW, VRPTW.instances("search")[0], return_each_time)
    assert solution[:5].tolist() == [0, 1, 0, 2, 0]


def line_with_windows(windows, demands=(0, 1, 1, 1), capacity=40, served=2, unit=1.0):
    """A depot at 0 and nodes 1, 2, 3 at 1, 2, 1 units on a line; service takes 0.5."""
    position = unit * np.array([0.0, 1.0, 2.0, 1.0])
    return VrptwInstance(
        np.column_stack((position, np.zeros(4))),
        np.array(demands),
        np.array([0.0, 0.5, 0.5, 0.5]),
        np.array([[0.0, 4.6], *windows]),
        np.abs(position[:, None] - position[None, :]),
        served=served,
        capacity=capacity,
    )


def test_vrptw_protocol_on_a_line():
    instance = line_with_windows([[1.2, 1.3], [0.0, 4.0], [0.0, 9.0]])
    calls, solution = record(VRPTW, instance, lambda current, depot, listed, *rest: listed[0])
    # Waiting until 1.2, service until 1.7; node 2 would be left at 3.2 and the depot reached at 5.2, after it closes.
    assert solution.tolist() == [0, 1, 0, 2]
    assert [call[2].tolist() for call in calls] == [[1, 2], [2]]
    assert [call[4] for call in calls] == [0, 0]
    assert VRPTW.objective(instance, solution) == 4.0  # 1 + 1 + 2: the last way back does not count


def test_vrptw_times_and_slack():
    instance = line_with_windows([[0.0, 1.0], [0.0, 2.5], [0.0, 9.0]])
    # Both nodes are reached exactly when they close, which is in time.
    assert VRPTW.objective(instance, np.array([0, 1, 2])) == 2.0
    late = line_with_windows([[0.0, 1.0], [0.0, 2.4], [0.0, 9.0]])
    with pytest.raises(Infeasible, match=r"customer 2 closes at 2\.4, reached at 2\.5"):
        VRPTW.objective(late, np.array([0, 1, 2]))


def test_vrptw_unlisted_customer_is_legal_if_in_time():
    instance = line_with_windows([[0.0, 0.5], [0.0, 1.5], [0.0, 9.0]], served=3, unit=0.5)
    order = iter([1, 2, 3])
    calls, solution = record(VRPTW, instance, lambda *call: next(order))
    # Node 2 is reached just when it closes, at 1.5: too close for the list.
    assert [call[2].tolist() for call in calls] == [[1, 2, 3], [3], [3]]
    assert [call[4] for call in calls] == [0, 1.0, 2.0]
    assert solution.tolist() == [0, 1, 2, 3]
    assert VRPTW.objective(instance, solution) == 1.5


def test_vrptw_late_answer_is_illegal():
    instance = line_with_windows([[0.0, 0.5], [0.0, 1.4], [0.0, 9.0]], served=3, unit=0.5)
    order = iter([1, 2, 3])
    with pytest.raises(IllegalAnswer, match=r"customer 2 closes at 1\.4, reached at 1\.5"):
        VRPTW.rollout(lambda *call: next(order), instance)


def test_vrptw_recorded_return_after_the_depot_closes():
    instance = line_with_windows([[4.0, 4.1], [0.0, 9.0], [0.0, 9.0]])
    with pytest.raises(Infeasible, match=r"the depot closes at 4\.6"):
        VRPTW.objective(instance, np.array([0, 1, 0, 2]))
    assert VRPTW.objective(instance, np.array([0, 2, 0, 1])) == 5.0
    with pytest.raises(IllegalAnswer, match="the depot closes"):
        VRPTW.rollout(lambda current, depot, listed, *rest: listed[0], instance)


def test_vrptw_capacity_is_checked():
    instance = line_with_windows([[0.0, 9.0]] * 3, demands=(0, 5, 6, 1), capacity=10, served=3)
    with pytest.raises(Infeasible, match="load 11 at customer 2 exceeds the capacity 10"):
        VRPTW.objective(instance, np.array([0, 1, 2]))
    with pytest.raises(IllegalAnswer, match="exceeds the capacity"):
        VRPTW.rollout(lambda current, *rest: 1 if current == 0 else 2, instance)


def test_vrptw_listed_customers_can_be_served():
    calls, _ = record(VRPTW, VRPTW.instances("search")[3], lambda current, depot, listed, *rest: listed[-1])
    np.testing.assert_array_equal(calls[0][2], np.arange(1, 51))
    for current, _, listed, rest, time, demands, distances, windows in calls:
        assert (demands[listed] <= rest).all()
        assert (time + distances[current, listed] < windows[listed, 1]).all()
        assert listed.max() <= 50
        assert type(time) is (int if current == 0 else np.float64)


# Illegal answers


@pytest.mark.parametrize("answer", [-1, 1.5, 0, 50, None, "1", True, np.array([1, 2])], ids=repr)
def test_tsp_illegal_answers(answer):
    with pytest.raises(IllegalAnswer):
        TSP.rollout(lambda *call: answer, TSP.instances("search")[0])


def test_tsp_visited_city_is_illegal():
    with pytest.raises(IllegalAnswer, match="city 7 is not among the unvisited ones"):
        TSP.rollout(lambda *call: 7, TSP.instances("search")[0])


@pytest.mark.parametrize("task", [CVRP, VRPTW], ids=NAMES[1:])
@pytest.mark.parametrize("answer", [0, -1, 2, 51, 52, 1.0, None, False, (1,)], ids=repr)
def test_route_illegal_answers(task, answer):
    with pytest.raises(IllegalAnswer):
        task.rollout(lambda *call: answer, task.instances("search")[0])


@pytest.mark.parametrize("task", [CVRP, VRPTW], ids=NAMES[1:])
def test_staying_at_the_depot_ends_after_ten_calls_a_customer(task):
    calls = []
    with pytest.raises(IllegalAnswer, match="50 customers are unserved after 500 calls"):
        task.rollout(lambda *call: calls.append(call) or 0, task.instances("search")[0])
    assert len(calls) == 500


def test_cvrp_unlisted_customer_over_capacity_is_illegal():
    order = iter(range(1, 51))
    with pytest.raises(IllegalAnswer, match="exceeds the capacity 40"):
        CVRP.rollout(lambda *call: next(order), CVRP.instances("search")[0])


def test_integer_like_answers_are_legal():
    instance = TSP.instances("search")[0]
    expected = TSP.rollout(template(TSP), instance)
    np.testing.assert_array_equal(TSP.rollout(lambda *call: np.array(int(call[2][0])), instance), expected)
    np.testing.assert_array_equal(TSP.rollout(lambda *call: np.int8(call[2][0]), instance), expected)


# Untrusted solutions


@every_task
def test_empty_and_malformed_solutions(task):
    instance, solution = solved(task)
    for bad in (solution[:0], solution[:-1], solution.reshape(1, -1), solution.astype(float)):
        with pytest.raises(Infeasible):
            task.objective(instance, bad)
    with pytest.raises(Infeasible, match="expected 1 to"):
        task.objective(instance, np.zeros(task.max_solution_length(instance) + 1, dtype=np.int64))


@every_task
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_random_solutions_are_infeasible(task, data):
    instance = task.instances("search")[0]
    values = data.draw(st.lists(st.one_of(int64s, st.integers(-2, 60)), max_size=60))
    with pytest.raises(Infeasible):  # 60 random entries are never a complete route
        task.objective(instance, np.array(values, dtype=np.int64))


@every_task
@settings(max_examples=100, deadline=None)
@given(data=st.data())
def test_overwriting_or_dropping_a_visit_is_infeasible(task, data):
    instance, solution = solved(task)
    position = data.draw(st.sampled_from(np.flatnonzero(solution).tolist()))
    value = data.draw(st.one_of(int64s, st.integers(-2, 55)).filter(lambda v: v != solution[position]))
    tampered = solution.copy()
    tampered[position] = value
    with pytest.raises(Infeasible):
        task.objective(instance, tampered)
    with pytest.raises(Infeasible):
        task.objective(instance, np.delete(solution, position))
    with pytest.raises(Infeasible):
        task.objective(instance, np.insert(solution, position, solution[position]))


@settings(max_examples=100, deadline=None)
@given(order=st.permutations(range(1, 50)))
def test_tsp_cost_of_any_tour(order):
    instance = TSP.instances("search")[1]
    points = instance.coordinates[[0, *order]]
    expected = sum(np.linalg.norm(points[k] - points[k - 1]) for k in range(50))
    assert TSP.objective(instance, np.array(order)) == pytest.approx(expected, rel=1e-12)


@settings(max_examples=100, deadline=None)
@given(order=st.permutations(range(1, 51)), breaks=st.sets(st.integers(1, 50)))
def test_cvrp_objective_agrees_with_its_definition(order, breaks):
    instance = CVRP.instances("search")[1]
    trips = np.split(np.array(order), sorted(breaks))
    route = [0]
    for trip in trips:
        route += [*trip.tolist(), 0]
    if any(instance.demands[trip].sum() > 40 for trip in trips):
        with pytest.raises(Infeasible, match="exceeds the capacity"):
            CVRP.objective(instance, np.array(route))
    else:
        expected = sum(instance.distances[a, b] for a, b in pairwise(route))
        assert CVRP.objective(instance, np.array(route)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("task", [CVRP, VRPTW], ids=NAMES[1:])
def test_route_must_start_at_the_depot(task):
    instance, solution = solved(task)
    with pytest.raises(Infeasible, match="starts at"):
        task.objective(instance, solution[1:])


def test_vrptw_generated_but_unserved_node_is_unknown():
    instance, solution = solved(VRPTW)
    with pytest.raises(Infeasible, match="unknown node 51"):
        VRPTW.objective(instance, np.append(solution, 51))


# Nothing is gained by editing the arguments


@every_task
def test_editing_arguments_gains_nothing(task):
    honest = template(task)
    instances = task.instances("search")
    expected = [task.objective(i, task.rollout(honest, i)) for i in instances]

    def cheat(*arguments):
        answer = int(honest(*arguments))
        for argument in arguments:
            if isinstance(argument, np.ndarray) and argument.ndim:
                argument[...] = 0
        return answer

    assert [task.objective(i, task.rollout(cheat, i)) for i in instances] == expected
    assert [task.objective(i, task.rollout(honest, i)) for i in instances] == expected


@every_task
def test_instances_are_read_only(task):
    with pytest.raises(ValueError, match="read-only"):
        task.instances("search")[0].distances[0, 1] = 0.0


# Probe states


@every_task
def test_probes(task):
    program = template(task)
    assert len(task.probes) == 64
    assert len(task.probe_feature_names) <= 8
    decisions = []
    for state in task.probes:
        assert state.features.shape[1] == len(task.probe_feature_names)
        assert state.features.min() >= 0.0
        assert state.features.max() <= 1.0
        (call,) = state.calls
        assert len(call) == len(task.arguments)
        assert len(state.features) == len(call[2]) + (task is not TSP)
        decisions.append(task.probe_decision(state, [program(*call)]))
        assert 0 <= decisions[-1] < len(state.features)
        with pytest.raises(IllegalAnswer):
            task.probe_decision(state, [-1])
        with pytest.raises(IllegalAnswer):
            task.probe_decision(state, [None])
        with pytest.raises(IllegalAnswer):
            task.probe_decision(state, [])
    sizes = [len(state.features) for state in task.probes]
    assert len(set(sizes)) > 8
    assert sum(state.calls[0][0] == 0 for state in task.probes) < 32


@every_task
def test_probes_are_reproducible(task):
    again = task.probe_states(np.random.default_rng(77_001), 64)
    for first, second in zip(task.probes, again):
        assert pickle.dumps(first.calls) == pickle.dumps(second.calls)
        np.testing.assert_array_equal(first.features, second.features)


def test_probe_rows_follow_the_candidates():
    for state in TSP.probes:
        unvisited = state.calls[0][2]
        assert [TSP.probe_decision(state, [node]) for node in unvisited] == list(range(len(unvisited)))
    for task in (CVRP, VRPTW):
        for state in task.probes:
            candidates = [0, *state.calls[0][2].tolist()]
            assert [task.probe_decision(state, [node]) for node in candidates] == list(range(len(candidates)))


def test_probe_features_are_percentiles():
    state = max(TSP.probes, key=lambda state: len(state.features))
    column = state.features[:, TSP.probe_feature_names.index("distance_from_current")]
    np.testing.assert_allclose(column, np.linspace(0, 1, len(column)))
