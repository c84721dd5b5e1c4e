"""A plain function as a task."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lhs_hf
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits import Behaviours
from lhs_hf.tasks import UnknownTask
from lhs_hf.tasks.functions import FunctionTask, task_of_function

TEMPLATE = "def choose_bin(size, fitting, free):\n    return fitting[-1]\n"
BEST_FIT = "def choose_bin(size, fitting, free):\n    return min(fitting, key=lambda place: free[place])\n"
ITEMS = [np.random.default_rng(seed).integers(1, 60, 60).tolist() for seed in range(4)]
EXAMPLES = [(9, [0, 2, 3], [20, 1, 12, 30]), (30, [1, 2], [3, 40, 35]), (5, [0, 1, 2], [50, 5, 7])]


def bins_used(program: Callable[..., Any]) -> int:
    total = 0
    for sizes in ITEMS:
        free: list[int] = []
        for size in sizes:
            fitting = [place for place, left in enumerate(free) if left >= size]
            if not fitting:
                free.append(100 - size)
                continue
            place = program(size, fitting, list(free))
            if place not in fitting:
                raise ValueError(f"bin {place} has no room")
            free[place] -= size
        total += len(free)
    return total


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LHS_HF_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("examples", [None, EXAMPLES])
def test_programs_are_scored_by_the_function(examples: Any, cache: Path) -> None:
    task = task_of_function(bins_used, TEMPLATE, cache / "functions", "packing_mine", examples=examples)
    assert isinstance(task, FunctionTask)
    assert task.arguments == ("size", "fitting", "free")
    with Evaluator(task) as evaluator:
        reference = evaluator.evaluate(TEMPLATE)
        best_fit = evaluator.evaluate(BEST_FIT)
        assert reference.objective == bins_used(lambda size, fitting, free: fitting[-1])
        assert best_fit.objective is not None
        assert reference.objective is not None
        assert best_fit.objective < reference.objective
        assert best_fit.score is not None
        assert reference.score is not None
        assert best_fit.score > reference.score
        wrong = evaluator.evaluate("def choose_bin(size, fitting, free):\n    return 10**6\n")
        assert not wrong.ok
        assert "has no room" in wrong.message
        first, second = evaluator.probe(TEMPLATE), evaluator.probe(BEST_FIT)
        assert first is not None
        assert second is not None
        assert (first.decisions != second.decisions).any()


def test_a_closure_travels_by_value_and_one_function_is_one_file(cache: Path) -> None:
    offset = 7

    def shifted(program: Callable[..., Any]) -> int:
        return bins_used(program) + offset

    task = task_of_function(shifted, TEMPLATE, cache / "functions")
    assert task_of_function(shifted, TEMPLATE, cache / "functions").identity == task.identity
    assert len(list((cache / "functions").iterdir())) == 1
    with Evaluator(task) as evaluator:
        assert evaluator.evaluate(TEMPLATE).objective == bins_used(lambda size, fitting, free: fitting[-1]) + offset


@pytest.mark.integration
def test_a_search_from_python_ends_with_a_better_program() -> None:
    result = lhs_hf.search(objective=bins_used, template=TEMPLATE, problem_class="packing", budget=10, store=False)
    assert result.found["search"] < result.reference["search"]
    scope: dict[str, Any] = {}
    exec(result.program, scope)
    assert bins_used(scope["choose_bin"]) == result.found["search"]


@pytest.mark.integration
def test_a_task_by_its_name_is_searched_too(tmp_path: Path) -> None:
    result = lhs_hf.search("vertex_cover", budget=4, seed=0, output=str(tmp_path / "run"))
    assert result.task == "vertex_cover"
    assert (tmp_path / "run" / "best.py").exists()


def test_a_call_says_what_is_missing() -> None:
    for arguments, options, words in (
        ((), {}, "expected one thing"),
        (("vertex_cover",), {"objective": bins_used}, "expected one thing"),
        (("vertex_cover", TEMPLATE), {}, "template of its own"),
        ((bins_used,), {}, "template is missing"),
        (("vertex_cower",), {}, "did you mean 'vertex_cover'"),
    ):
        with pytest.raises((CallError, UnknownTask), match=words):
            lhs_hf.search(*arguments, **options)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((3, TEMPLATE), "objective must be a function"),
        ((bins_used, "def ("), "template is no Python program"),
        ((bins_used, "x = 1"), "template defines no function"),
    ],
)
def test_what_is_no_task_is_named(arguments: Any, words: str) -> None:
    with pytest.raises(CallError, match=words):
        lhs_hf.search(*arguments)


def test_a_wrong_sense_and_wrong_examples_are_named(cache: Path) -> None:
    with pytest.raises(CallError, match="sense must be 'min' or 'max', got 'less'"):
        task_of_function(bins_used, TEMPLATE, cache / "functions", sense="less")
    task = task_of_function(bins_used, TEMPLATE, cache / "functions", examples=[(1, 2)])
    with pytest.raises(ValueError, match="an example has 2 arguments, the program takes 3"):
        _ = task.probes


@pytest.mark.integration
def test_a_priority_of_one_alternative_a_call_is_compared_between_calls() -> None:
    """As FunSearch has it: the program rates one bin at a time."""

    def bins_used_by_priority(program: Callable[..., Any]) -> int:
        return bins_used(lambda size, fitting, free: max(fitting, key=lambda place: program(float(size), free[place])))

    template = "def priority(size, room):\n    return 0.0\n"
    result = lhs_hf.search(bins_used_by_priority, template, problem_class="packing", budget=10, store=False)
    assert result.found["search"] < result.reference["search"]
    with pytest.raises(CallError, match="template can not be tried: ZeroDivisionError"):
        lhs_hf.search(bins_used_by_priority, "def priority(size, room):\n    return 1 / 0\n", budget=2, store=False)


def test_a_template_whose_answers_say_nothing_is_named() -> None:
    def length(program: Callable[..., Any]) -> int:
        return sum(program(letter) is None for letter in "ab")

    with pytest.raises(CallError, match="nothing tells two programs apart"):
        lhs_hf.search(length, "def word(letter):\n    return None\n", budget=2, store=False)


@pytest.mark.parametrize("examples", [None, [([3, 1, 2],)]])
def test_a_template_that_answers_with_a_generator_is_told_what_to_return(examples: Any) -> None:
    template = "def order(jobs):\n    for place in range(len(jobs)):\n        yield place\n"
    with pytest.raises(CallError, match=r"answers with a generator, .* let it return list\(\.\.\.\)"):
        lhs_hf.search(objective=lambda program: sum(program([3, 1, 2])), template=template, examples=examples)


DEMANDS = [[int(40 + 25 * np.sin(7 * item + day)) for day in range(12)] for item in range(5)]


def shortage(program: Callable[..., Any]) -> float:
    """What an order for the last day costs, by the days before."""
    orders = [(program(list(days[:-1]), 4.0), days[-1]) for days in DEMANDS]
    return float(sum(max(0, order - need) + 4.0 * max(0, need - order) for order, need in orders))


def shares(program: Callable[..., Any]) -> float:
    """How far amounts for all items are from what is needed."""
    return float(sum(abs(a - b) for day in zip(*DEMANDS) for a, b in zip(program(list(day[::-1])), day)))


MEAN = "def order(days, penalty):\n    return sum(days) / len(days)\n"
AS_IT_IS = "def amounts(needs):\n    return [float(need) for need in needs]\n"


@pytest.mark.parametrize(("objective", "template"), [(shortage, MEAN), (shares, AS_IT_IS)])
def test_numbers_whose_values_count_are_not_told_apart_by_their_order(
    objective: Any, template: str, tmp_path: Path
) -> None:
    task = task_of_function(objective, template, tmp_path)
    assert task.values_matter
    with Evaluator(task, workers=1) as evaluator:
        behaviours = Behaviours(evaluator, practice=False)
        assert behaviours.key(template) != behaviours.key(
            template.replace("sum", "1.3 * sum").replace("float", "1.3 * float")
        )
    assert not task_of_function(bins_used, TEMPLATE, tmp_path / "bins").values_matter


def test_a_search_changes_the_size_of_a_number() -> None:
    result = lhs_hf.search(shortage, MEAN, budget=12, store=False)
    assert result.found["search"] < 0.95 * result.reference["search"]
