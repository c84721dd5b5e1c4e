"""How answers differ in kind from those of the reference."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lhs_hf.evaluation import Evaluator
from lhs_hf.tasks import get_task
from lhs_hf.tasks.functions import task_of_function
from lhs_hf.tasks.signs import BITS, SIGNS, signs, usual

CALLS = [(3, [1, 2]), (5, [4, 1, 2]), (9, [2, 2])]


def shown(answer: Any, own: Any, answers: list[Any], call: tuple[Any, ...] = CALLS[0]) -> set[str]:
    """The names of the signs of an answer to a call; those about an argument by its place and side."""
    bits = signs(call, answer, own, usual(CALLS, answers))
    sides = [f"{side} {place}" for place in range(len(call)) for side in ("above", "below")]
    return {name for place, name in enumerate([*SIGNS, *sides]) if bits >> place & 1}


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (2, set()),
        (3, {"sum", "more"}),
        (7, {"above", "sum", "more", "above 0", "unknown"}),
        (-1, {"below", "negative", "sum", "unknown", "below 1"}),
        (2.5, {"fraction", "sum", "more", "unknown"}),
        (float("inf"), {"above", "fraction", "infinite", "sum", "more", "above 0", "unknown"}),
        (None, {"kind", "sum", "unknown"}),
        ([2], {"kind", "length", "unknown"}),
    ],
)
def test_numbers_are_compared_with_all_that_the_reference_gives(answer: Any, expected: set[str]) -> None:
    assert shown(answer, 2, [2, 3, 5]) - {"below 1"} == expected - {"below 1"}


def test_an_argument_that_answers_never_pass_is_a_limit() -> None:
    assert "above 0" in shown(4, 3, [3, 4, 9])
    assert "above 0" not in shown(4, 3, [3, 4, 12])
    assert "above 1" in shown(3, 2, [2, 3, 1])
    assert "above 1" not in shown(3, 2, [2, 3, 5])


def test_lists_are_compared_by_length_sum_and_what_is_in_them_twice() -> None:
    answers = [[1, 2], [4, 1, 2], [2, 5]]
    assert shown([2, 1], [1, 2], answers) == set()
    assert shown([1, 1], [1, 2], answers) == {"twice", "sum"}
    assert shown([1, 2, 0], [1, 2], answers) == {"length", "below"}
    assert shown(np.array([1, 2]), [1, 2], answers) == {"kind"}


@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
        lambda parts: st.one_of(st.lists(parts), st.dictionaries(st.text(), parts), st.tuples(parts, parts)),
        max_leaves=8,
    )
)
def test_any_answer_has_signs_that_fit_in_an_integer(answer: Any) -> None:
    assert 0 <= signs(CALLS[0], answer, 2, usual(CALLS, [2, 3, 5])) < 2**BITS


def test_what_a_program_answers_in_its_process_is_compared_with_the_reference(tmp_path: Path) -> None:
    def objective(program: Any) -> float:
        total = 0.0
        for stock, due in ((3, 9), (0, 4), (7, 8), (2, 6)):
            order = program(stock, due)
            if order < 0:
                raise ValueError("an order is not negative")
            total += abs(stock + order - 1.3 * due)
        return total

    template = "def order(stock, due):\n    return max(0, due - stock)\n"
    task = task_of_function(objective, template, tmp_path, "orders")
    with Evaluator(task, workers=1) as evaluator:
        behaviours = [evaluator.probe(text) for text in (template, template.replace("max(0, due - stock)", "-stock"))]
        none = evaluator.probe(template.replace("due - stock", "stock[0]"))
    own, negative = (behaviour.signs for behaviour in behaviours if behaviour is not None)
    assert own == 0
    assert negative >> SIGNS.index("negative") & 1
    assert none is None or none.signs == 0


def test_tasks_that_check_answers_themselves_have_no_signs() -> None:
    task = get_task("vertex_cover")
    assert task.signs(task.probes[0], [object()]) == 0
