"""Tasks whose program sees one alternative a call, and what counts as an answer."""

from __future__ import annotations

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.programs import load_function
from lhs_hf.tasks import IllegalAnswer, get_task
from lhs_hf.tasks.check import check_task_file
from lhs_hf.tasks.features import priority_features

TASK = get_task("bin_covering")

OWN = '''
from lhs_hf.tasks import Infeasible
from lhs_hf.tasks.simple import SimpleTask, check_ids, make_splits


class Picking(SimpleTask):
    """Take three numbers of ten; their sum is to be large."""

    name = "picking"
    sense = "max"
    problem_class = "packing"
    description = "Return the priority of taking `number`, of which `left` may still be taken."
    template = """def priority(number, left):
    return -number
"""
    answers = "priority"
    splits = make_splits(search={"count": 4, "calls": 27}, holdout={"count": 4, "calls": 27})

    def draw(self, random):
        return random.randint(1, 100, 10)

    def construct(self, program, instance):
        waiting, chosen = list(range(10)), []
        while len(chosen) < 3:
            place = self.ask_each(program, [(int(instance[each]), 3 - len(chosen)) for each in waiting])
            chosen.append(waiting.pop(place))
        return chosen

    def objective(self, instance, solution):
        chosen = check_ids(solution, min(len(solution), 3), 10)
        if len(set(chosen)) < len(chosen):
            raise Infeasible("a number is taken twice")
        return float(instance[chosen].sum())


TASK = Picking()
'''


def test_the_largest_answer_is_chosen_the_first_on_ties() -> None:
    assert TASK.ask_each(lambda size: size % 5, [(3,), (4,), (9,)]) == 1
    assert TASK.ask_each(lambda size: np.float32(size > 3), [(3,), (4,), (9,)]) == 1
    assert TASK.ask_each(lambda size: np.array(-size), [(3,), (4,), (9,)]) == 0
    assert TASK.ask_each(lambda size: float("inf") if size == 9 else -float("inf"), [(3,), (9,)]) == 1


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (None, "NoneType"),
        ("7", "str"),
        ([1.0], "list"),
        (np.zeros(2), "ndarray"),
        (float("nan"), "not a number"),
        (10**400, "too large"),
        (1j, "complex"),
    ],
)
def test_what_is_no_number_is_an_illegal_answer(answer, message) -> None:
    with pytest.raises(IllegalAnswer, match=message):
        TASK.ask_each(lambda size: answer if size == 4 else 0.0, [(3,), (4,)])


def test_a_score_that_is_not_a_number_is_an_illegal_answer() -> None:
    task = get_task("feedback_arcs")
    with pytest.raises(IllegalAnswer, match="NaN"):
        task.position([1, 2, 3], [0.0, float("nan"), 1.0])


def test_pairs_may_be_lists() -> None:
    task = get_task("open_shop")
    assert task.position([(0, 1), (2, 3)], [2, 3]) == 1
    with pytest.raises(IllegalAnswer):
        task.position([(0, 1), (2, 3)], [3, 2])


def test_probe_states_hold_whole_decisions() -> None:
    assert len(TASK.probes) == 64
    for state in TASK.probes:
        sizes = [size for size, *_ in state.calls]
        assert len(sizes) == len(state.features) > 1
        # What all alternatives of a decision share, they share.
        assert len({call[1:] for call in state.calls}) == 1
        assert TASK.probe_decision(state, [float(size) for size in sizes]) == sizes.index(max(sizes))
    with Evaluator(TASK, workers=1) as evaluator:
        behaviour = evaluator.probe(TASK.template)
    function = load_function(TASK.template, TASK.function_name, len(TASK.arguments))
    expected = [TASK.probe_decision(state, [function(*call) for call in state.calls]) for state in TASK.probes]
    assert behaviour is not None
    assert behaviour.decisions.tolist() == expected


def test_features_are_the_numbers_of_each_call() -> None:
    assert priority_features([(1, (2.0, 3.0)), (4, (5.0, 6.0))]).tolist() == [[1, 2, 3, 0], [4, 5, 6, 1]]


def test_a_file_with_priorities_is_checked_and_searched_like_any_other(tmp_path) -> None:
    path = tmp_path / "picking.py"
    path.write_text(OWN)
    # Nothing chosen is a solution where more is better, and worse than the reference.
    assert check_task_file(path) == []
    path.write_text(OWN.replace('"priority"\n', '"priorities"\n'))
    assert any('"choice", "scores", "priority"' in str(finding) for finding in check_task_file(path))
    path.write_text(
        OWN.replace(
            "self.ask_each(program, [(int(instance[each]), 3 - len(chosen)) for each in waiting])",
            "int(program(1, 2) > 0)",
        )
    )
    assert any("ask_each" in str(finding) for finding in check_task_file(path))
