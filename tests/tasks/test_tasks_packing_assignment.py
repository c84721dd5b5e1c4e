"""Online bin packing, quadratic assignment, capacitated facility location."""

from __future__ import annotations

import copy
from statistics import fmean

import numpy as np
import pytest
from goldens_part2 import GOLDENS
from hypothesis import given, settings
from hypothesis import strategies as st

from lhs_hf.evaluation.rollout import evaluate_in_process, load
from lhs_hf.programs import program_hash
from lhs_hf.tasks import IllegalAnswer, Infeasible, get_task
from lhs_hf.tasks.cflp import CflpInstance
from lhs_hf.tasks.qap import QapInstance

NAMES = ("online_bin_packing", "qap_construct", "cflp_construct")
OBP, QAP, CFLP = (get_task(name) for name in NAMES)

int64s = st.integers(-(2**63), 2**63 - 1)
anything = st.lists(st.one_of(st.integers(-3, 60), int64s), max_size=120)


def first_solution(task, instance):
    return task.rollout(load(task, task.template), instance)


@pytest.mark.parametrize(
    ("name", "source", "split", "value"),
    [pytest.param(g[0], g[2], g[3], g[4], id=f"{g[0]}-{g[1]}-{g[3]}") for g in GOLDENS if g[0] in NAMES],
)
def test_golden_objective(name, source, split, value):
    task = get_task(name)
    objectives = evaluate_in_process(task, source, split)
    assert len(objectives) == task.split(split).count
    assert fmean(objectives) == value


@pytest.mark.parametrize("name", NAMES)
def test_instances_repeat_and_survive_a_rollout(name):
    task = get_task(name)
    instance = task.instances("search")[0]
    before = copy.deepcopy(instance)
    first_solution(task, instance)
    assert all(np.array_equal(a, b) for a, b in zip(instance, before))
    again = next(iter(task.generate(task.split("search"))))
    assert all(np.array_equal(a, b) for a, b in zip(again, before))


@pytest.mark.parametrize("name", NAMES)
def test_template_never_beats_the_bound(name):
    task = get_task(name)
    assert set(task.bounds) == set(task.splits)
    for split in ("search", "holdout"):
        assert task.bounds[split] <= fmean(evaluate_in_process(task, task.template, split))


def test_first_draws():
    assert OBP.instances("search")[0][:4].tolist() == [43, 48, 27, 16]
    assert QAP.instances("search")[0].flow[0, :4].tolist() == [0, 55, 35, 27]
    assert CFLP.instances("search")[0].capacities[:3].tolist() == [13, 5, 32]


def test_search_is_a_prefix_of_the_test_split():
    for ours, other in zip(OBP.instances("search"), OBP.instances("test-5k")):
        assert np.array_equal(ours, other)
    for task in (QAP, CFLP):
        for ours, other in zip(task.instances("search"), task.instances("test")):
            assert all(np.array_equal(a, b) for a, b in zip(ours, other))


def test_short_bin_packing_instances_are_the_search_stream_cut_anew():
    short = np.concatenate(OBP.instances("test-1k"))
    assert np.array_equal(short, np.concatenate(OBP.instances("search"))[: len(short)])


@pytest.mark.parametrize("name", NAMES)
def test_holdout_differs_from_test(name):
    task = get_task(name)
    seen, fresh = task.instances(task.test_splits[-1]), task.instances("holdout")
    # every pair differs in its first array (for bin packing: in its item sizes)
    keys = [{np.asarray(i if name == NAMES[0] else i[0]).tobytes() for i in split} for split in (seen, fresh)]
    assert not keys[0] & keys[1]


def test_bin_packing_bound_is_the_rounded_up_volume():
    for split, bound in OBP.bounds.items():
        assert fmean(-(-int(items.sum()) // 100) for items in OBP.instances(split)) == bound


# Online bin packing


def naive_packing(program, items):
    """The protocol written down plainly: bins listed to the program, and the bin of each item."""
    remaining, listed, chosen = [100] * len(items), [], []
    for item in items:
        roomy = [index for index, room in enumerate(remaining) if room >= item]
        bins = np.array([remaining[index] for index in roomy])
        listed.append(bins)
        index = roomy[int(np.argmax(program(item, bins.copy())))]
        remaining[index] -= item
        chosen.append(index)
    return listed, chosen


@settings(max_examples=40, deadline=None)
@given(items=st.lists(st.integers(1, 100), min_size=1, max_size=40), seed=st.integers(0, 1000))
def test_bin_packing_lists_all_bins_with_room_in_order(items, seed):
    def program(item, bins):
        return np.random.default_rng([seed, int(item), int(bins.sum())]).integers(0, 4, len(bins))

    seen = []

    def spy(item, bins):
        assert isinstance(item, np.int64)
        assert bins.dtype == np.int64
        seen.append(bins.copy())
        answer = program(item, bins)
        bins[:] = 0
        return answer

    listed, chosen = naive_packing(program, items)
    solution = OBP.rollout(spy, np.array(items))
    assert solution.tolist() == chosen
    assert all(np.array_equal(a, b) for a, b in zip(seen, listed))
    assert OBP.objective(np.array(items), solution) == len(set(chosen))


@pytest.mark.parametrize(
    "answer",
    [
        lambda bins: [0] * len(bins),
        lambda bins: np.zeros((1, len(bins))),
        lambda bins: np.zeros(len(bins), dtype=bool),
        lambda bins: np.full(len(bins), np.nan),
        lambda bins: np.full(len(bins), -np.inf),
        lambda bins: np.zeros(len(bins), dtype=np.float16),
    ],
)
def test_bin_packing_accepts_one_number_a_bin(answer):
    items = np.array([60, 30, 50])
    assert OBP.rollout(lambda item, bins: answer(bins), items).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    "answer",
    [
        lambda bins: 0.0,
        lambda bins: None,
        lambda bins: np.zeros(len(bins) + 1),
        lambda bins: np.zeros(len(bins) - 1),
        lambda bins: [],
        lambda bins: np.zeros(len(bins), dtype=complex),
        lambda bins: np.array(["1"] * len(bins)),
        lambda bins: [None] * len(bins),
        lambda bins: [[1], [1, 2], [3]],
    ],
)
def test_bin_packing_refuses_other_shapes_and_types(answer):
    with pytest.raises(IllegalAnswer):
        OBP.rollout(lambda item, bins: answer(bins), np.array([60, 30, 50]))


def test_bin_packing_takes_nan_as_the_largest_priority():
    def program(item, bins):
        return [np.inf, np.nan, np.nan, 0.0][: len(bins)]

    assert OBP.rollout(program, np.array([10, 10, 10, 10])).tolist() == [1, 1, 1, 1]


def test_bin_packing_reveals_only_the_number_of_items():
    items = OBP.instances("test-1k")[0]
    assert OBP.public_view(items) == 1000
    assert OBP.observations(items) == items.tolist()


@pytest.mark.parametrize(
    ("solution", "reason"),
    [([], "shape"), ([0, 1], "shape"), ([0, 0, 1], "capacity"), ([0, 1, 3], "exist"), ([0, -1, 1], "exist")],
)
def test_bin_packing_objective_names_the_violation(solution, reason):
    with pytest.raises(Infeasible, match=reason):
        OBP.objective(np.array([60, 50, 30]), np.array(solution, dtype=np.int64))
    assert OBP.objective(np.array([60, 50, 30]), np.array([2, 0, 2])) == 2.0


# Quadratic assignment


def test_qap_objective_counts_both_directions():
    flow, distance = np.array([[0, 2], [2, 0]]), np.array([[0, 5], [5, 0]])
    assert QAP.objective(QapInstance(flow, distance), np.array([1, 0])) == 20.0


def test_qap_passes_one_live_list_that_may_be_returned():
    seen = []

    def program(assignment, flow, distance):
        seen.append(assignment)
        free = [location for location in range(len(assignment)) if location not in assignment]
        assignment[assignment.index(-1)] = free[-1]
        return assignment

    solution = QAP.rollout(program, QAP.instances("search")[0])
    assert solution.tolist() == list(range(49, -1, -1))
    assert len(seen) == 50
    assert all(assignment is seen[0] for assignment in seen)


def test_qap_accepts_arrays_and_revisions_and_calls_at_most_once_a_facility():
    calls = []

    def program(assignment, flow, distance):
        calls.append(1)
        answer = np.arange(len(assignment))
        if len(calls) < 50:
            answer[len(calls) % 50] = -1
        return answer

    assert QAP.rollout(program, QAP.instances("search")[0]).tolist() == list(range(50))
    assert len(calls) == 50


@pytest.mark.parametrize(
    "answer",
    [
        None,
        3,
        "0" * 50,
        [0] * 50,
        list(range(49)),
        list(range(51)),
        [float(i) for i in range(50)],
        [True, *range(50)][:50],
        [-1] * 50,
        list(range(1, 51)),
        np.arange(50).reshape(5, 10),
        {i: i for i in range(50)},
    ],
)
def test_qap_refuses_what_is_no_permutation_at_the_end(answer):
    with pytest.raises(IllegalAnswer):
        QAP.rollout(lambda assignment, flow, distance: answer, QAP.instances("search")[0])


def test_qap_zeroing_the_matrices_gains_nothing():
    instance = QAP.instances("search")[0]

    def program(assignment, flow, distance):
        flow[:] = 0
        distance[:] = 0
        return list(range(len(assignment)))

    honest = QAP.objective(instance, np.arange(50))
    assert QAP.objective(instance, QAP.rollout(program, instance)) == honest > 0
    assert instance.flow.any()


# Facility location


def test_cflp_passes_the_same_five_lists_and_keeps_them_current():
    instance = CflpInstance(np.array([20, 10]), np.array([8, 9, 10]), np.array([[1, 2, 3], [4, 5, 6]]))
    seen = []

    def program(assignments, customers, capacities, demands, costs):
        seen.append(copy.deepcopy((assignments, customers, capacities, demands, costs)))
        seen.append((id(assignments), id(customers), id(capacities), id(demands), id(costs)))
        return customers[-1], 1 if len(customers) == 3 else 0

    solution = CFLP.rollout(program, instance)
    assert solution.tolist() == [2, 1, 1, 0, 0, 0]
    assert CFLP.objective(instance, solution) == 6 + 2 + 1
    assert seen[0] == ([[], []], [0, 1, 2], [20, 10], [8, 9, 10], [[1, 2, 3], [4, 5, 6]])
    assert seen[4] == ([[1], [2]], [0], [11, 0], [8, 9, 10], [[1, 2, 3], [4, 5, 6]])
    assert seen[1] == seen[3] == seen[5]
    assert all(type(value) is int for value in seen[0][2] + seen[0][3] + seen[0][4][0])


@pytest.mark.parametrize(
    "answer",
    [
        (None, None),
        (0, None),
        None,
        (0,),
        (0, 1, 2),
        5,
        (0, -1),
        (0, 50),
        (-1, 0),
        (50, 0),
        (0.0, 0),
        (True, 0),
        ("0", 0),
        (10**30, 0),
    ],
)
def test_cflp_refuses_stops_and_unknown_ids(answer):
    with pytest.raises(IllegalAnswer):
        CFLP.rollout(lambda *arguments: answer, CFLP.instances("search")[0])


def test_cflp_refuses_a_repeated_customer_and_a_full_facility():
    roomy = CflpInstance(np.array([100]), np.array([8, 9]), np.array([[1, 2]]))
    with pytest.raises(IllegalAnswer, match="customer 0"):
        CFLP.rollout(lambda *arguments: (0, 0), roomy)
    full = CflpInstance(np.array([10]), np.array([8, 9]), np.array([[1, 2]]))
    with pytest.raises(IllegalAnswer, match="room"):
        CFLP.rollout(lambda assignments, customers, *rest: (customers[0], 0), full)


@pytest.mark.parametrize(
    "edit",
    [
        lambda assignments, customers, capacities, demands, costs: customers.clear(),
        lambda assignments, customers, capacities, demands, costs: demands.__setitem__(slice(None), [0] * 50),
        lambda assignments, customers, capacities, demands, costs: capacities.__setitem__(slice(None), [9999] * 50),
        lambda assignments, customers, capacities, demands, costs: [row.clear() for row in costs],
        lambda assignments, customers, capacities, demands, costs: assignments.clear(),
    ],
)
def test_cflp_edits_of_live_lists_gain_nothing(edit):
    instance = CFLP.instances("search")[0]
    cheapest = int(instance.costs[:, 0].argmin())

    def program(*arguments):
        edit(*arguments)
        waiting = arguments[1] or [0]
        return waiting[0], cheapest

    with pytest.raises((IllegalAnswer, Infeasible)):
        CFLP.objective(instance, CFLP.rollout(program, instance))


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ([], "pairs"),
        ([0, 0, 1], "pairs"),
        ([0, 0, 1, 1, 1, 1], "pairs"),
        ([0, 0, 0, 1], "exactly once"),
        ([0, 0, -1, 1], "exactly once"),
        ([0, 0, 1, 2], "exist"),
        ([0, 0, 1, -1], "exist"),
        ([0, 0, 1, 0], "more than"),
    ],
)
def test_cflp_objective_names_the_violation(solution, reason):
    instance = CflpInstance(np.array([10, 10]), np.array([8, 9]), np.array([[1, 2], [3, 4]]))
    with pytest.raises(Infeasible, match=reason):
        CFLP.objective(instance, np.array(solution, dtype=np.int64))
    assert CFLP.objective(instance, np.array([1, 0, 0, 1])) == 5.0


# All three


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(entries=anything)
def test_objective_raises_nothing_but_infeasible_for_random_arrays(name, entries):
    task = get_task(name)
    instance = task.instances("test-1k" if name == NAMES[0] else "search")[0]
    with pytest.raises(Infeasible):
        task.objective(instance, np.array(entries, dtype=np.int64))


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=60, deadline=None)
@given(position=st.integers(0, 10**6), value=st.one_of(st.integers(-2, 50), int64s))
def test_objective_of_a_tampered_solution(name, position, value):
    task = get_task(name)
    instance = task.instances("test-1k" if name == NAMES[0] else "search")[0]
    solution = first_solution(task, instance)
    value_before = task.objective(instance, solution)
    tampered = solution.copy()
    tampered[position % len(tampered)] = value
    try:
        result = task.objective(instance, tampered)
    except Infeasible:
        return
    # Still feasible: then the change is a real decision, of which at most one term differs.
    assert np.isfinite(result)
    if np.array_equal(tampered, solution) or name == "qap_construct":
        assert result == value_before
    assert result >= {"online_bin_packing": value_before - 1, "cflp_construct": 50 * 5}.get(name, 0)


@pytest.mark.parametrize("name", NAMES)
def test_solution_length_bound_is_reached(name):
    task = get_task(name)
    instance = task.instances("search")[-1]
    assert len(first_solution(task, instance)) == task.max_solution_length(instance)


@pytest.mark.parametrize("name", NAMES)
def test_probes(name):
    task = get_task(name)
    template = load(task, task.template)
    assert len(task.probes) == 64
    decisions = []
    for state in task.probes:
        assert state.features.shape[1] == len(task.probe_feature_names) <= 8
        assert ((state.features >= 0) & (state.features <= 1)).all()
        assert all(len(arguments) == len(task.arguments) for arguments in state.calls)
        answers = [template(*copy.deepcopy(arguments)) for arguments in state.calls]
        decisions.append(task.probe_decision(state, answers))
        assert 0 <= decisions[-1] < len(state.features)
        with pytest.raises(IllegalAnswer):
            task.probe_decision(state, [None])
    # the identity rule takes the first pair of every state; the other templates look at the numbers
    assert (decisions == [0] * 64) == (name == "qap_construct")
    fresh = task.probe_states(np.random.default_rng(5), 3)
    assert [len(s.features) for s in fresh] == [len(s.features) for s in task.probe_states(np.random.default_rng(5), 3)]


def test_probe_arguments_have_the_types_of_the_protocol():
    for state in OBP.probes:
        item, bins = state.calls[0]
        assert type(item) is np.int64
        assert bins.dtype == np.int64
        assert (bins >= item).all()
    for state in QAP.probes:
        assignment, flow, distance = state.calls[0]
        assert type(assignment) is list
        assert all(type(location) is int for location in assignment)
        assert flow.dtype == distance.dtype == np.int64
        assert np.array_equal(flow, flow.T)
    for state in CFLP.probes:
        assignments, customers, capacities, demands, costs = state.calls[0]
        numbers = [*customers, *capacities, *demands, *costs[0], *(c for served in assignments for c in served)]
        assert all(type(value) is int for value in numbers)
        assert customers == sorted(customers)


def test_probe_decisions_tell_rules_apart():
    def decide(task, program):
        return [task.probe_decision(s, [program(*copy.deepcopy(s.calls[0]))]) for s in task.probes]

    best_fit = decide(OBP, lambda item, bins: item - bins)
    first_fit = decide(OBP, lambda item, bins: np.zeros(len(bins)))
    assert set(first_fit) == {0}
    assert sum(a != b for a, b in zip(best_fit, first_fit)) > 20

    greedy = decide(CFLP, load(CFLP, CFLP.template))
    last = decide(
        CFLP,
        lambda a, waiting, room, d, c: next(
            (w, f) for w in waiting[::-1] for f in range(len(room))[::-1] if room[f] >= d[w]
        ),
    )
    assert sum(a != b for a, b in zip(greedy, last)) > 20


def test_qap_probe_decision_is_the_lowest_newly_assigned_facility():
    def fill_all(assignment, flow, distance):
        free = [location for location in range(len(assignment)) if location not in assignment][::-1]
        return [location if location != -1 else free.pop(0) for location in assignment]

    for state in QAP.probes:
        before = state.calls[0][0]
        answer = fill_all(*copy.deepcopy(state.calls[0]))
        facility = before.index(-1)
        free = sorted(set(range(len(before))) - set(before))
        assert QAP.probe_decision(state, [answer]) == len(free) - 1
        assert answer[facility] == free[-1]
        with pytest.raises(IllegalAnswer):
            QAP.probe_decision(state, [before])


@pytest.mark.parametrize("name", NAMES)
def test_template_has_a_signature_a_program_can_be_checked_against(name):
    task = get_task(name)
    assert task.signature() in task.template
    assert len(program_hash(task.template)) == 64
    assert task.time_limit("search") == task.time_limit_s
    assert all(task.time_limit(split) >= 60 for split in task.splits if split != "search")
