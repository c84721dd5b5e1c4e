"""Shop scheduling and knapsack."""

from __future__ import annotations

import pickle
from statistics import fmean

import numpy as np
import pytest
from goldens_part1 import GOLDENS
from hypothesis import given, settings
from hypothesis import strategies as st

from lhs_hf.evaluation.rollout import evaluate_in_process, load
from lhs_hf.tasks import IllegalAnswer, Infeasible, get_task
from lhs_hf.tasks.jssp import JsspInstance
from lhs_hf.tasks.knapsack import KnapsackInstance

NAMES = ("jssp_construct", "knapsack_construct")
JSSP, KSP = TASKS = [get_task(name) for name in NAMES]
every_task = pytest.mark.parametrize("task", TASKS, ids=NAMES)

int64s = st.integers(-(2**63), 2**63 - 1)


def template(task):
    return load(task, task.template)


@pytest.mark.parametrize(
    ("name", "source", "split", "value"),
    [pytest.param(g[0], g[2], g[3], g[4], id=f"{g[0]}-{g[1]}-{g[3]}") for g in GOLDENS if g[0] in NAMES],
)
def test_golden_objective(name, source, split, value):
    task = get_task(name)
    objectives = evaluate_in_process(task, source, split)
    assert len(objectives) == task.split(split).count
    assert fmean(objectives) == value


@every_task
def test_program_calls_are_about_right(task):
    program, calls = template(task), 0

    def counting(*arguments):
        nonlocal calls
        calls += 1
        return program(*arguments)

    for instance in task.instances("search"):
        task.rollout(counting, instance)
    assert calls == pytest.approx(task.split("search").program_calls, rel=0.1)


@every_task
@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_random_solutions_never_crash(task, data):
    instance = task.instances("search")[0]
    longest = task.max_solution_length(instance)
    values = data.draw(st.lists(st.one_of(int64s, st.integers(-2, 60)), max_size=70))
    if data.draw(st.booleans()):
        values = (values * longest)[:longest]
    try:
        value = task.objective(instance, np.array(values, dtype=np.int64))
    except Infeasible:
        return
    assert task is KSP
    assert 0 <= value <= sum(item[1] for item in instance.items)


@every_task
def test_malformed_solutions(task):
    instance = task.instances("search")[0]
    solution = task.rollout(template(task), instance)
    for bad in (solution[:0], solution[:-1], solution.reshape(1, -1), solution.astype(float), np.append(solution, -1)):
        with pytest.raises(Infeasible):
            task.objective(instance, bad)
    with pytest.raises(Infeasible, match="expected 1 to"):
        task.objective(instance, np.zeros(task.max_solution_length(instance) + 1, dtype=np.int64))


# Shop scheduling


def test_jssp_first_draws():
    instance = JSSP.instances("search")[0]
    assert instance.times.shape == (50, 10)
    assert instance.times[0, :4].tolist() == [18, 10, 37, 46]
    assert {instance.times.min(), instance.times.max()} == {10, 99}


def test_jssp_search_set_is_a_prefix_of_the_test_set():
    search, test = JSSP.instances("search"), JSSP.instances("test")
    assert len(search) == 16
    assert len(test) == 100
    for a, b in zip(search, test):
        np.testing.assert_array_equal(a.times, b.times)
    assert not {i.times.tobytes() for i in test} & {i.times.tobytes() for i in JSSP.instances("holdout")}


@pytest.mark.parametrize("split", JSSP.splits)
def test_jssp_bounds(split):
    bounds = [max(i.times.sum(axis=0).max(), i.times.sum(axis=1).max()) for i in JSSP.instances(split)]
    assert float(np.mean(bounds)) == JSSP.bounds[split]


def test_jssp_protocol():
    instance = JsspInstance(np.array([[3, 5], [4, 2]]))
    calls = []

    def first(status, listed):
        calls.append((status, {key: list(clocks) for key, clocks in status.items()}, listed))
        return listed[0]

    solution = JSSP.rollout(first, instance)
    # Once both machines are behind both jobs' clocks nothing is listed, and the first waiting operation runs.
    assert [listed for _, _, listed in calls] == [
        [(0, 0, 3), (0, 1, 5), (1, 0, 4), (1, 1, 2)],
        [(1, 0, 4), (1, 1, 2)],
        [(1, 1, 2)],
    ]
    assert calls[1][1] == {"machine_status": [3, 0], "job_status": [3, 0]}
    assert len({id(status) for status, _, _ in calls}) == 1
    assert all(type(part) is int for _, _, listed in calls for operation in listed for part in operation)
    assert solution.tolist() == [0, 0, 1, 0, 0, 1, 1, 1]
    assert JSSP.objective(instance, solution) == 10.0


def test_jssp_unlisted_waiting_operation_is_legal():
    instance = JSSP.instances("search")[0]
    expected = [(job, machine) for job in range(50) for machine in range(10)]
    order = iter(expected)
    times = instance.times.tolist()

    def job_by_job(status, listed):
        job, machine = next(order)
        return job, machine, times[job][machine]

    solution = JSSP.rollout(job_by_job, instance)
    assert len(solution) == 1000
    assert solution.reshape(-1, 2)[:11].tolist() == [list(pair) for pair in expected[:11]]


@pytest.mark.parametrize(
    "answer",
    [[0, 0, 18], (0, 0, 19), (0, 0), (50, 0, 18), None, 0, np.array([0, 0, 18]), (0, 0, np.arange(2))],
    ids=repr,
)
def test_jssp_illegal_answers(answer):
    with pytest.raises(IllegalAnswer, match="expected a waiting"):
        JSSP.rollout(lambda status, listed: answer, JSSP.instances("search")[0])


def test_jssp_scheduled_operation_is_illegal():
    with pytest.raises(IllegalAnswer):
        JSSP.rollout(lambda status, listed: (0, 0, 18), JSSP.instances("search")[0])


def test_jssp_zeroing_the_clocks_gains_nothing():
    for instance in JSSP.instances("search")[:4]:

        def zeroing(status, listed):
            for clocks in status.values():
                clocks[:] = [0] * len(clocks)
            return listed[0]

        value = JSSP.objective(instance, JSSP.rollout(zeroing, instance))
        assert value >= max(instance.times.sum(axis=0).max(), instance.times.sum(axis=1).max())


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_jssp_overwriting_an_entry_is_infeasible(data):
    instance = JSSP.instances("search")[0]
    solution = np.stack(np.divmod(np.random.default_rng(data.draw(st.integers(0, 99))).permutation(500), 10), axis=1)
    tampered = solution.reshape(-1).copy()
    JSSP.objective(instance, tampered)
    position = data.draw(st.integers(0, 999))
    tampered[position] = data.draw(st.one_of(int64s, st.integers(-2, 55)).filter(lambda v: v != tampered[position]))
    with pytest.raises(Infeasible):
        JSSP.objective(instance, tampered)


@settings(max_examples=60, deadline=None)
@given(order=st.permutations(range(12)))
def test_jssp_makespan_of_any_order(order):
    instance = JsspInstance(np.arange(10, 22).reshape(4, 3))
    intervals = []
    for operation in order:
        job, machine = divmod(operation, 3)
        begin = max((end for j, m, end in intervals if j == job or m == machine), default=0)
        intervals.append((job, machine, begin + 10 + operation))
    solution = np.array([part for operation in order for part in divmod(operation, 3)])
    assert JSSP.objective(instance, solution) == max(end for _, _, end in intervals)


# Knapsack


def test_knapsack_first_draws():
    instance = KSP.instances("search")[0]
    assert len(instance.items) == 50
    assert instance.capacity == 100
    assert [item[0] for item in instance.items[:4]] == [9, 59, 33, 1]
    assert [item[1] for item in instance.items[:4]] == [19, 34, 27, 11]
    assert [item[2] for item in instance.items] == list(range(50))
    assert all(type(part) is int for item in instance.items for part in item)


def test_knapsack_families():
    for split in ("search", "holdout"):
        for k, instance in enumerate(KSP.instances(split)):
            gaps = {value - weight for weight, value, _ in instance.items}
            if k % 3 == 0:
                assert max(gaps) > 6
            elif k % 3 == 1:
                assert min(gaps) >= -6
                assert max(gaps) <= 6
            else:
                assert gaps == {6}


def test_knapsack_leak():
    search = KSP.instances("search")[0]
    first = {name: KSP.instances(name)[0] for name in KSP.test_splits}
    assert first["test-uncorrelated"] == search
    for instance in first.values():
        assert [item[0] for item in instance.items] == [item[0] for item in search.items]
    assert first["test-weakly"] != search
    tests = {instance for name in KSP.test_splits for instance in KSP.instances(name)}
    assert not tests & set(KSP.instances("holdout"))


@pytest.mark.parametrize("split", KSP.splits)
def test_knapsack_optima(split):
    optima = []
    for instance in KSP.instances(split):
        best = np.zeros(instance.capacity + 1, dtype=np.int64)
        for weight, value, _ in instance.items:
            best[weight:] = np.maximum(best[weight:], best[:-weight] + value)
        optima.append(int(best[-1]))
    assert fmean(optima) == KSP.bounds[split]


SMALL = KnapsackInstance(((6, 1, 0), (7, 9, 1), (4, 2, 2)), capacity=10)


def test_knapsack_protocol():
    calls = []

    def first(capacity, items):
        calls.append((capacity, items, list(items)))
        return items[0]

    solution = KSP.rollout(first, SMALL)
    # Item 1 is heavier than what is left: discarded, no penalty. Item 2 fills the knapsack.
    assert [call[0] for call in calls] == [10, 4, 4]
    assert len({id(call[1]) for call in calls}) == 1
    assert [len(call[2]) for call in calls] == [3, 2, 1]
    assert solution.tolist() == [0, 1, 2, -1]
    assert KSP.objective(SMALL, solution) == 3.0


def test_knapsack_order_persists_in_the_live_list():
    seen = []

    def sort_once(capacity, items):
        if not seen:
            items.sort(reverse=True)
        seen.append([item[2] for item in items])
        return items[-1]

    KSP.rollout(sort_once, SMALL)
    assert seen == [[1, 0, 2], [1, 0]]


def test_knapsack_none_ends_legally():
    solution = KSP.rollout(lambda capacity, items: None, SMALL)
    assert solution.tolist() == [-1]
    assert KSP.objective(SMALL, solution) == 0.0


def test_knapsack_stops_at_full_capacity():
    full = KnapsackInstance(((10, 5, 0), (1, 1, 1)), capacity=10)
    assert KSP.rollout(lambda capacity, items: items[0], full).tolist() == [0, -1]


@pytest.mark.parametrize("answer", [0, [6, 1, 0], (6, 1, 1), (6, 1), np.array([6, 1, 0]), (1, 100, 3), ()], ids=repr)
def test_knapsack_illegal_answers(answer):
    with pytest.raises(IllegalAnswer):
        KSP.rollout(lambda capacity, items: answer, SMALL)


@pytest.mark.parametrize("fake", [(0, 10**6, 3), (0, 10**6, 0), (1, 9, 1)], ids=repr)
def test_knapsack_appended_fakes_are_illegal(fake):
    def append_fake(capacity, items):
        items.append(fake)
        return fake

    with pytest.raises(IllegalAnswer):
        KSP.rollout(append_fake, SMALL)


def test_knapsack_item_appended_again_is_illegal():
    def again(capacity, items):
        items.append((4, 2, 2))
        return (4, 2, 2)

    with pytest.raises(IllegalAnswer, match="item 2 was chosen before"):
        KSP.rollout(again, SMALL)


def test_knapsack_parent_checks():
    for solution, reason in (
        ([0, 1], "does not end with -1"),
        ([3, -1], "unknown item 3"),
        ([-1, -1], "unknown item -1"),
        ([2, 2, -1], "item 2 is chosen twice"),
    ):
        with pytest.raises(Infeasible, match=reason):
            KSP.objective(SMALL, np.array(solution))


@settings(max_examples=100, deadline=None)
@given(order=st.permutations(range(50)), count=st.integers(0, 50))
def test_knapsack_misfits_are_discarded_in_any_order(order, count):
    instance = KSP.instances("search")[0]
    value = KSP.objective(instance, np.array([*order[:count], -1]))
    room, expected = 100, 0
    for index in order[:count]:
        if instance.items[index][0] <= room:
            room -= instance.items[index][0]
            expected += instance.items[index][1]
    assert value == expected


# Probe states


@every_task
def test_probes(task):
    program = template(task)
    assert len(task.probes) == 64
    assert len(task.probe_feature_names) <= 8
    for state in task.probes:
        assert state.features.shape[1] == len(task.probe_feature_names)
        assert state.features.min() >= 0.0
        assert state.features.max() <= 1.0
        (call,) = state.calls
        candidates = [*call[1], None] if task is KSP else call[1]
        assert len(call) == len(task.arguments)
        assert [task.probe_decision(state, [candidate]) for candidate in candidates] == list(range(len(candidates)))
        assert len(state.features) == len(candidates)
        assert candidates[task.probe_decision(state, [program(*call)])] == program(*call)
        for answers in ([-1], [(-1, -1, -1)], [], [candidates[0], candidates[0]]):
            with pytest.raises(IllegalAnswer):
                task.probe_decision(state, answers)
    assert len({len(state.features) for state in task.probes}) > 8


@every_task
def test_probes_are_reproducible(task):
    again = task.probe_states(np.random.default_rng(77_001), 64)
    for first, second in zip(task.probes, again):
        assert pickle.dumps(first.calls) == pickle.dumps(second.calls)
        np.testing.assert_array_equal(first.features, second.features)


def test_probe_types_are_those_of_the_protocol():
    for state in JSSP.probes:
        status, listed = state.calls[0]
        assert set(status) == {"machine_status", "job_status"}
        assert all(type(operation) is tuple and type(operation[2]) is int for operation in listed)
    for state in KSP.probes:
        capacity, items = state.calls[0]
        assert type(capacity) is int
        assert all(type(item) is tuple and type(item[0]) is int for item in items)
