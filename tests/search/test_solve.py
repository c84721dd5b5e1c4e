"""Solutions of programs as the parent scored them: what pictures draw."""

from __future__ import annotations

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator, Unsolved
from lhs_hf.evaluation.rollout import load
from lhs_hf.tasks import get_task, task_names
from lhs_hf.tasks.admissible_set import greedy_words

COUNTING = """\
calls = []


def select_next_item(remaining_capacity, remaining_items):
    calls.append(remaining_capacity)
    return remaining_items[len(calls) % len(remaining_items)]
"""


@pytest.mark.parametrize("name", task_names())
def test_the_reference_is_solved_as_it_is_evaluated(name) -> None:
    task = get_task(name)
    index = task.split("search").count - 1
    with Evaluator(task) as evaluator:
        solution = evaluator.solve(task.template, index=index)
    assert (solution.task, solution.split, solution.index) == (name, "search", index)
    assert solution.instance is task.instances("search")[index]
    expected = task.rollout(load(task, task.template), solution.instance)
    np.testing.assert_array_equal(solution.array, expected)
    assert solution.array.dtype == expected.dtype
    assert solution.objective == task.objective(solution.instance, expected)


def test_a_program_with_a_memory_is_given_the_earlier_instances() -> None:
    with Evaluator("knapsack_construct") as evaluator:
        objectives = evaluator.evaluate(COUNTING).objectives
        alone = evaluator.solve(COUNTING, index=0).objective
        assert alone == objectives[0]
        assert evaluator.solve(COUNTING, index=7).objective == objectives[7]


def test_a_program_that_fails_has_no_solution_and_a_reason() -> None:
    with Evaluator("tsp_construct") as evaluator:
        with pytest.raises(Unsolved, match="infeasible") as failure:
            evaluator.solve(evaluator.task.template.replace("unvisited_nodes[0]", "0"), index=2)
        assert failure.value.evaluation.status == "infeasible"
        with pytest.raises(Unsolved, match="syntax"):
            evaluator.solve("def (")
        with pytest.raises(IndexError, match="0 to 15, got 16"):
            evaluator.solve(evaluator.task.template, index=16)
        with pytest.raises(KeyError, match="no split"):
            evaluator.solve(evaluator.task.template, "nowhere")


def test_the_greedy_words_add_up_to_the_size_of_the_set() -> None:
    task = get_task("admissible_set")
    [instance] = task.instances("holdout")
    scores = np.zeros(task.max_solution_length(instance))
    vectors, sizes = greedy_words(*instance, scores)
    assert vectors.shape == (len(sizes), instance.n)
    assert set((vectors != 0).sum(axis=1)) == {instance.w}
    assert sizes.sum() - 792 == task.objective(instance, scores)
