"""Set cover and admissible sets."""

from __future__ import annotations

import copy
from statistics import fmean

import numpy as np
import pytest
from goldens_part2 import GOLDENS
from hypothesis import given, settings
from hypothesis import strategies as st

from lhs_hf.evaluation.rollout import evaluate_in_process, load
from lhs_hf.tasks import IllegalAnswer, Infeasible, get_task
from lhs_hf.tasks.admissible_set import TRIPLES, AdmissibleSetSize, bad_triples, vectors, words

NAMES = ("set_cover_construct", "admissible_set")
SCP, ASP = (get_task(name) for name in NAMES)
SMALL = AdmissibleSetSize(9, 5)

int64s = st.integers(-(2**63), 2**63 - 1)


@pytest.mark.parametrize(
    ("name", "source", "split", "value"),
    [pytest.param(g[0], g[2], g[3], g[4], id=f"{g[0]}-{g[1]}-{g[3]}") for g in GOLDENS if g[0] in NAMES],
)
def test_golden_objective(name, source, split, value):
    task = get_task(name)
    objectives = evaluate_in_process(task, source, split)
    assert len(objectives) == task.split(split).count
    assert fmean(objectives) == value


# Set cover


def test_set_cover_first_draws():
    assert SCP.instances("search")[0][:2] == ((22,), (38, 19, 20, 15, 35, 22, 46, 48))


def test_set_cover_search_is_a_prefix_of_test_and_holdout_is_new():
    assert SCP.instances("test")[:16] == SCP.instances("search")
    assert not set(SCP.instances("test")) & set(SCP.instances("holdout"))


def uncoverable(split):
    return [i for i, subsets in enumerate(SCP.instances(split)) if len(set().union(*subsets)) < 50]


def test_set_cover_instances_that_can_not_be_covered():
    assert uncoverable("search") == [0, 2, 5, 6, 9, 14]
    assert len(uncoverable("test")) == 35
    assert len(uncoverable("holdout")) == 29


def test_set_cover_passes_live_lists_and_fresh_ascending_elements():
    instance = SCP.instances("search")[1]
    greedy = load(SCP, SCP.template)
    seen = []

    def program(selected, remaining, elements):
        assert elements == sorted(set(range(1, 51)) - {e for subset in selected for e in subset})
        assert all(type(e) is int for e in elements)
        assert len(selected) + len(remaining) == 50
        seen.append((selected, remaining))
        answer = greedy(selected, remaining, elements)
        elements.clear()
        return answer

    solution = SCP.rollout(program, instance)
    assert all(selected is seen[0][0] and remaining is seen[0][1] for selected, remaining in seen)
    assert [list(instance[i]) for i in solution] == seen[0][0]
    assert SCP.objective(instance, solution) == len(solution)


def test_set_cover_keeps_calling_when_nothing_useful_is_left():
    instance = SCP.instances("search")[0]
    lengths = []

    def buy_everything(selected, remaining, elements):
        lengths.append(len(remaining))
        return remaining[0] if remaining else None

    solution = SCP.rollout(buy_everything, instance)
    assert lengths == list(range(50, -1, -1))
    assert SCP.objective(instance, solution) == 50.0
    with pytest.raises(IndexError):
        SCP.rollout(lambda selected, remaining, elements: remaining[0], instance)


def test_set_cover_stopping_at_once_is_infeasible():
    instance = SCP.instances("search")[0]
    solution = SCP.rollout(lambda *arguments: None, instance)
    assert solution.shape == (0,)
    with pytest.raises(Infeasible, match="uncovered"):
        SCP.objective(instance, solution)


def test_set_cover_useless_picks_are_legal_and_count():
    instance = ((1, 2), (1,), tuple(range(2, 51)))
    order = iter([[1, 2], [1], list(range(2, 51))])
    solution = SCP.rollout(lambda *arguments: next(order), instance)
    assert solution.tolist() == [0, 1, 2]
    assert SCP.objective(instance, solution) == 3.0


@pytest.mark.parametrize("answer", [(22,), 0, [51], [], [0], "22", np.array([22]), {22}])
def test_set_cover_refuses_what_is_not_listed(answer):
    with pytest.raises(IllegalAnswer):
        SCP.rollout(lambda *arguments: answer, SCP.instances("search")[0])


def test_set_cover_a_subset_can_be_chosen_once():
    with pytest.raises(IllegalAnswer):
        SCP.rollout(lambda *arguments: [22], SCP.instances("search")[0])


def test_set_cover_equal_lists_are_told_apart_by_identity_then_by_order():
    instance = ((1,), (2,), (1,), (1,))
    picks = iter([2, 1, 0])  # positions in the current list: the second [1], then what is left
    left = []

    def program(selected, remaining, elements):
        left.append(copy.deepcopy(remaining))
        position = next(picks, None)
        return None if position is None else remaining[position]

    solution = SCP.rollout(program, instance)
    # the first equal list leaves the listing, as a removal by value does
    assert left == [[[1], [2], [1], [1]], [[2], [1], [1]], [[2], [1]], [[1]]]
    assert solution.tolist()[0] == 2
    assert len(set(solution.tolist())) == 3
    assert SCP.objective(instance, solution) == 3.0


def test_set_cover_copies_of_a_list_pick_the_first_equal_one():
    instance = ((2,), (1,), (1,))
    copies = iter([[1], [1], None])
    assert SCP.rollout(lambda *arguments: next(copies), instance).tolist() == [1, 2]


def grow_first(selected, remaining, elements):
    if not remaining:
        return None
    remaining[0][:] = range(1, 51)
    return remaining[0]


def append_fake(selected, remaining, elements):
    remaining.append(list(range(1, 51)))
    return remaining[-1]


def empty_elements(selected, remaining, elements):
    elements.clear()
    remaining[1:] = []
    return remaining[0] if remaining else None


@pytest.mark.parametrize("program", [grow_first, append_fake, empty_elements])
def test_set_cover_edits_of_live_lists_gain_nothing(program):
    for instance in SCP.instances("search"):
        try:
            result = SCP.objective(instance, SCP.rollout(program, instance))
        except (IllegalAnswer, Infeasible):
            continue
        assert result > SCP.bounds["search"]


def test_set_cover_sorting_the_live_list_keeps_indices_right():
    instance = SCP.instances("search")[3]

    def program(selected, remaining, elements):
        remaining.sort(key=len, reverse=True)
        for subset in remaining:
            subset.sort()
        return next((s for s in remaining if set(s) & set(elements)), None)

    solution = SCP.rollout(program, instance)
    sizes = [len(instance[index]) for index in solution]
    assert sizes == sorted(sizes, reverse=True)
    assert SCP.objective(instance, solution) == len(solution)


@pytest.mark.parametrize(
    ("solution", "reason"),
    [
        ([], "uncovered"),
        ([0], "uncovered"),
        ([0, 1, 0], "twice"),
        ([0, 3], "exist"),
        ([0, -1], "exist"),
        ([0, 1, 2, 0], "at most"),
    ],
)
def test_set_cover_objective_names_the_violation(solution, reason):
    instance = ((1, 2), (3,), (1,))
    with pytest.raises(Infeasible, match=reason):
        SCP.objective(instance, np.array(solution, dtype=np.int64))
    assert SCP.objective(instance, np.array([1, 0])) == 2.0


@settings(max_examples=60, deadline=None)
@given(entries=st.lists(st.one_of(st.integers(-3, 52), int64s), max_size=60))
def test_set_cover_objective_raises_nothing_but_infeasible(entries):
    instance = SCP.instances("search")[0]
    solution = np.array(entries, dtype=np.int64)
    covered = set().union(*(instance[i] for i in entries if 0 <= i < 50))
    legal = len(set(entries)) == len(entries) and all(0 <= i < 50 for i in entries)
    if legal and covered == set().union(*instance):
        assert SCP.objective(instance, solution) == len(entries)
    else:
        with pytest.raises(Infeasible):
            SCP.objective(instance, solution)


# Admissible sets


def test_words_and_vectors():
    assert len(words(15, 10)) == len(vectors(15, 10)) == 2432
    assert len(words(12, 7)) == 448
    listed = words(12, 7).tolist()
    assert listed == sorted(listed)
    for symbols, vector in zip(listed, vectors(12, 7)):
        assert sum(digit != 0 for digit in vector) == 7
        assert vector == tuple(digit for symbol in symbols for digit in TRIPLES[symbol])
        assert all(type(digit) is int for digit in vector)


def test_bad_triples_are_symmetric_and_35_multisets():
    bad = bad_triples()
    assert np.array_equal(bad, bad.transpose(1, 0, 2))
    assert np.array_equal(bad, bad.transpose(0, 2, 1))
    assert len({tuple(sorted(triple)) for triple in np.argwhere(bad).tolist()}) == 35


def naive_greedy(size, scores):
    """The rule written down word by word."""
    weight = [sum(digit != 0 for digit in triple) for triple in TRIPLES]
    listed, bad = words(*size).tolist(), bad_triples()
    live, picks = dict(enumerate(scores)), []
    while live:
        key = {i: (1, 0.0) if np.isnan(s) else (0, s) for i, s in live.items()}
        x = max(live, key=lambda i: (key[i], -i))
        for y in list(live):
            pairs = [(weight[a], weight[b]) for a, b in zip(listed[x], listed[y])]
            comparable = all(a <= b for a, b in pairs) or all(a >= b for a, b in pairs)
            if comparable or any(all(bad[t] for t in zip(listed[e], listed[x], listed[y])) for e in picks):
                del live[y]
        picks.append(x)
    return sum(3 ** sum(1 <= symbol <= 4 for symbol in listed[x]) for x in picks)


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_greedy_follows_the_rule(data):
    count = len(words(*SMALL))
    values = st.one_of(st.integers(-2, 2).map(float), st.sampled_from([np.nan, np.inf, -np.inf, -0.0]))
    scores = data.draw(st.lists(values, min_size=count, max_size=count))
    assert ASP.objective(SMALL, np.array(scores)) == naive_greedy(SMALL, scores) - 126


def test_admissible_set_special_scores():
    size = ASP.instances("holdout")[0]
    plain = ASP.objective(size, np.zeros(448))
    # a constant score, whatever it is, means lexicographic order; -inf words are live and come last
    for constant in (np.nan, np.inf, -np.inf, -0.0):
        assert ASP.objective(size, np.full(448, constant)) == plain == -102.0
    ranked = np.arange(448)[::-1].astype(np.float64)
    with_infinities = ranked.copy()
    with_infinities[0], with_infinities[-100:] = np.nan, -np.inf
    assert ASP.objective(size, with_infinities) == ASP.objective(size, ranked) == plain


@pytest.mark.parametrize("answer", [True, 3, 2.5, np.float32(1), np.int8(1), np.bool_(True), np.array(1.0), np.nan])
def test_admissible_set_accepts_scalars(answer):
    solution = ASP.rollout(lambda el, n, w: answer, SMALL)
    assert solution.dtype == np.float64
    assert len(solution) == len(words(*SMALL)) == ASP.max_solution_length(SMALL)
    assert ASP.objective(SMALL, solution) <= 0


@pytest.mark.parametrize("answer", [None, (1.0,), [1.0], np.array([1.0]), "1", 1j, 10**400, np.array("1")])
def test_admissible_set_refuses_other_answers(answer):
    with pytest.raises(IllegalAnswer):
        ASP.rollout(lambda el, n, w: answer, SMALL)


def test_admissible_set_passes_tuples_and_integers():
    def program(el, n, w):
        assert type(el) is tuple
        assert (len(el), sum(digit != 0 for digit in el)) == (n, w) == (9, 5)
        return 0

    ASP.rollout(program, SMALL)


@settings(max_examples=40, deadline=None)
@given(scores=st.lists(st.floats(), max_size=40))
def test_admissible_set_objective_refuses_other_lengths(scores):
    count = len(words(*SMALL))
    array = np.resize(np.array([*scores, 0.0]), count)
    assert ASP.objective(SMALL, array) <= 0
    with pytest.raises(Infeasible, match="scores"):
        ASP.objective(ASP.instances("holdout")[0], np.array(scores))


# Both


@pytest.mark.parametrize("name", NAMES)
def test_bounds_hold_for_the_template(name):
    task = get_task(name)
    assert set(task.bounds) == set(task.splits)
    for split, bound in task.bounds.items():
        assert task.alpha * fmean(evaluate_in_process(task, task.template, split)) <= task.alpha * bound


@pytest.mark.parametrize("name", NAMES)
def test_probes(name):
    task = get_task(name)
    template = load(task, task.template)
    assert len(task.probes) == 64
    for state in task.probes:
        assert state.features.shape[1] == len(task.probe_feature_names) <= 8
        assert ((state.features >= 0) & (state.features <= 1)).all()
        answers = [template(*copy.deepcopy(arguments)) for arguments in state.calls]
        assert 0 <= task.probe_decision(state, answers) < len(state.features)
        with pytest.raises(IllegalAnswer):
            task.probe_decision(state, [(0, 0)] * len(state.calls))


def test_set_cover_probes():
    stops = 0
    for state in SCP.probes:
        selected, remaining, elements = state.calls[0]
        assert type(remaining) is list
        assert all(type(subset) is list and all(type(e) is int for e in subset) for subset in [*selected, *remaining])
        assert elements == sorted(elements)
        assert len(state.features) == len(remaining) + 1
        if any(set(elements) & set(subset) for subset in remaining):
            with pytest.raises(IllegalAnswer, match="no remaining subset"):
                SCP.probe_decision(state, [None])
        else:
            assert SCP.probe_decision(state, [None]) == len(remaining)
            stops += 1
        assert SCP.probe_decision(state, [list(remaining[0])]) == 0
    assert 0 < stops < 16


def test_admissible_set_probes_score_twelve_words_of_other_spaces():
    instances = {tuple(size) for split in ASP.splits for size in ASP.instances(split)}
    for state in ASP.probes:
        assert len(state.calls) == len(state.features) == 12
        spaces = {(n, w) for _, n, w in state.calls}
        assert len(spaces) == 1
        assert not spaces & instances
        assert len({el for el, _, _ in state.calls}) == 12
        assert all(len(el) == n and sum(d != 0 for d in el) == w for el, n, w in state.calls)
        assert ASP.probe_decision(state, [0.0] * 12) == 0
        assert ASP.probe_decision(state, [0.0, 1.0, np.nan, 2.0, np.nan] + [0.0] * 7) == 2
        assert ASP.probe_decision(state, list(range(12))) == 11


@pytest.mark.parametrize("name", NAMES)
def test_a_tampered_length_is_beyond_the_bound(name):
    task = get_task(name)
    instance = task.instances("search")[0]
    too_long = np.zeros(task.max_solution_length(instance) + 1, dtype=task.solution_dtype)
    with pytest.raises(Infeasible):
        task.objective(instance, too_long)
