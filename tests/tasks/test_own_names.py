"""Arguments may be called like anything, like what edits write, too."""

from __future__ import annotations

import builtins
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lhs_hf.corpus.augmentation.words import vocabulary
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.edits import Behaviours
from lhs_hf.search.functions import search_function
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import own_programs, portfolio_starts
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task
from lhs_hf.tasks.check import check_task_file
from lhs_hf.tasks.functions import task_of_function
from lhs_hf.tasks.own_names import kept_apart, restored

NAMES = {
    "plain": ("clock", "waiting", "work"),
    "what edits write": ("x", "option", "k"),
    "builtins": ("max", "list", "len"),
    "more builtins": ("sum", "min", "range"),
    "modules": ("np", "math", "key"),
    "parts": ("part_0", "part_1", "other"),
    "underscores": ("_", "__", "___"),
    "letters of other languages": ("größe", "é", "λ"),
}
ANY_NAME = st.sampled_from(sorted({*filter(str.isidentifier, dir(builtins)), *sum(NAMES.values(), ()), "x_"}))
KEYWORDS = ("None", "True", "False", "__debug__")


def load(source: str, name: str) -> Callable[..., Any]:
    scope: dict[str, Any] = {}
    exec(source, scope)
    return scope[name]  # type: ignore[no-any-return]


def test_text_and_comments_stay_where_they_are() -> None:
    source = (
        "import math\n\n\n"
        "def pick(x, items, key=3):\n"
        '    """Of x."""\n'
        "    # the x next to\n"
        '    nearest = sorted(items, key=lambda item: abs(item - x))  # x, f"{x}"\n'
        "    return nearest[0]\n"
    )
    inside, before, after = kept_apart(source, "pick")
    assert before == ("x", "items", "key")
    assert after == ("x_", "items", "key_")
    changed = source.replace("pick(x, items, key=3)", "pick(x_, items, key_=3)").replace("item - x)", "item - x_)")
    assert inside == changed
    assert restored(inside, "pick", after, before) == source


def test_a_name_that_is_free_stays() -> None:
    source = "def pick(here, stops):\n    return stops[0]\n"
    assert kept_apart(source, "pick") == (source, ("here", "stops"), ("here", "stops"))


@pytest.mark.parametrize(
    "source",
    [
        "def pick(x, b):\n    def inner(x):\n        return x\n    return inner(x=b[0])\n",
        "def pick(math, b):\n    import math\n    return b[0]\n",
        "def pick(x, b=3, /, c=x):\n    return x\n",
        "def pick(x",
        "pick = min\n",
    ],
)
def test_a_name_that_stands_for_more_stays(source: str) -> None:
    inside, before, after = kept_apart(source, "pick")
    for place, (old, new) in enumerate(zip(before, after)):
        if place == 0:
            assert old == new
    if before == after:
        assert inside == source


@given(names=st.lists(ANY_NAME.filter(lambda name: name not in KEYWORDS), min_size=3, max_size=3, unique=True))
def test_programs_do_the_same_under_both_names(names: list[str]) -> None:
    first, second, third = names
    source = (
        f"def pick({first}, {second}, {third}=2):\n"
        f"    best = [each * {first} for each in {second}]\n"
        f"    rate = lambda {first}: {first} + {third}\n"
        f"    return rate(best[0]), f'{{{first}}}'\n"
    )
    inside, before, after = kept_apart(source, "pick")
    assert not set(after) & {*dir(builtins), "x", "option", "k"}
    again = restored(inside, "pick", after, before)
    for text in (inside, again):
        assert load(text, "pick")(3, [4, 5]) == load(source, "pick")(3, [4, 5])
    assert inspect.signature(load(again, "pick")) == inspect.signature(load(source, "pick"))


@pytest.mark.parametrize("names", list(NAMES.values()), ids=list(NAMES))
def test_a_builtin_that_a_program_needs_is_not_hidden(names: tuple[str, str, str]) -> None:
    template = f"def pick({', '.join(names)}):\n    return {names[1]}[0]\n"
    _, before, after = kept_apart(template, "pick")
    found = (
        f"def pick({', '.join(after)}):\n"
        f"    return max({after[1]}, key=lambda option: min(len({after[1]}), option) * {after[0]})\n"
    )
    own = load(restored(found, "pick", after, before), "pick")
    assert own(1, [1, 3, 2], None) == 3
    assert tuple(inspect.signature(own).parameters) == before
    assert own(**dict(zip(before, (1, [1, 3, 2], None)))) == 3


def jobs(program: Callable[..., Any]) -> float:
    total = 0.0
    for seed in range(4):
        numbers = np.random.default_rng(seed)
        work = [(int(each), int(numbers.integers(1, 9))) for each in numbers.integers(1, 30, 12)]
        left, now = list(range(12)), 0
        while left:
            job = program(now, list(left), work)
            left.remove(job)
            now += work[job][0]
            total += now * work[job][1]
    return total


def task_under(names: tuple[str, str, str], folder: Path) -> Task:
    return task_of_function(jobs, template_of(names), folder, "jobs")


def template_of(names: tuple[str, str, str]) -> str:
    return f"def pick({', '.join(names)}):\n    return {names[1]}[0]\n"


@pytest.mark.parametrize("names", list(NAMES.values()), ids=list(NAMES))
def test_as_much_is_known_of_a_task_under_any_names(names: tuple[str, str, str], tmp_path: Path) -> None:
    plain, task = task_under(NAMES["plain"], tmp_path), task_under(names, tmp_path)
    assert len(vocabulary(task).terms) == len(vocabulary(plain).terms) > 5
    with Evaluator(task) as evaluator:
        assert evaluator.evaluate(task.template, "search").objective == jobs(load(template_of(names), "pick"))
        assert Behaviours(evaluator, practice=False)


@pytest.mark.integration
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(each, id=name, marks=[] if name == "what edits write" else [pytest.mark.slow])
        for name, each in NAMES.items()
    ],
)
def test_a_search_finds_as_much_under_any_names(names: tuple[str, str, str], tmp_path: Path) -> None:
    task = task_under(names, tmp_path)
    with Evaluator(task) as evaluator, RunDatabase(":memory:") as database:
        starts = portfolio_starts(task, "reference")
        outcome = PortfolioSearch(None, evaluator, database, SearchSettings(budget=20, seed=0), starts).run()
    reference, found = outcome.candidates[0], outcome.best
    assert reference.objective is not None
    assert found.objective is not None
    # Smith's rule, the best there is, is a ratio of two words.
    assert found.objective < 0.75 * reference.objective
    own = load(task.restored(found.program), "pick")
    assert tuple(inspect.signature(own).parameters) == names
    assert jobs(own) == found.objective


@pytest.mark.integration
def test_what_a_search_gives_has_the_names_of_the_template() -> None:
    def objective(program: Callable[..., Any]) -> float:
        return jobs(lambda now, left, work: program(max=now, list=left, x=work))

    result = search_function(objective, "def pick(max, list, x):\n    return list[0]\n", budget=15, seed=0)
    found = load(result.program, "pick")
    assert tuple(inspect.signature(found).parameters) == ("max", "list", "x")
    assert objective(found) == result.objective < result.reference_objective


TASK = '''
import numpy as np

from lhs_hf.tasks.simple import SimpleTask, make_splits


class Jobs(SimpleTask):
    name = "named_jobs"
    sense = "min"
    problem_class = "scheduling"
    description = "Which job is next."
    template = """
def pick(x, list, option):
    return list[0]
"""
    alternatives = "list"
    splits = make_splits(search={"count": 8, "jobs": 12, "calls": 12})

    def draw(self, random, jobs):
        return random.randint(1, 30, jobs), random.randint(1, 9, jobs)

    def construct(self, program, instance):
        left, now, order = [*range(len(instance[0]))], 0, []
        while left:
            order.append(self.ask(program, now, [*left], [each.tolist() for each in instance]))
            left.remove(order[-1])
            now += int(instance[0][order[-1]])
        return order

    def probe_features(self, choices, arguments):
        assert set(arguments) == {"x", "list", "option"}
        return np.array([[each] for each in choices], dtype=float)

    def objective(self, instance, solution):
        return float((np.cumsum(instance[0][solution]) * instance[1][solution]).sum())
'''


def test_a_task_file_may_use_any_names(tmp_path: Path) -> None:
    file = tmp_path / "named_jobs.py"
    file.write_text(TASK)
    plain = tmp_path / "plain_jobs.py"
    text = TASK.replace("pick(x, list, option)", "pick(clock, waiting, work)").replace(
        '{"x", "list", "option"}', "set(arguments)"
    )
    plain.write_text(
        text.replace('"list"', '"waiting"')
        .replace("return list[0]", "return waiting[0]")
        .replace("named_jobs", "plain_jobs")
    )
    task, other = get_task(str(file)), get_task(str(plain))
    assert task.own_arguments == ("x", "list", "option")
    assert other.own_arguments is None
    assert check_task_file(file) == check_task_file(plain)
    assert len(vocabulary(task).terms) == len(vocabulary(other).terms) > 5
    with Evaluator(task) as evaluator, Evaluator(other) as plainly:
        own = evaluator.evaluate("def pick(x, list, option):\n    return list[-1]\n", "search").objective
        assert own == plainly.evaluate("def pick(x, list, option):\n    return list[-1]\n", "search").objective


def test_programs_of_ones_own_are_kept_apart_too(tmp_path: Path) -> None:
    task = task_under(NAMES["plain"], tmp_path)
    (tmp_path / "mine.py").write_text("def pick(min, max, sorted):\n    return max[-1]\n")
    [start] = own_programs(task, tmp_path / "mine.py")
    assert start.source == "def pick(min_, max_, sorted_):\n    return max_[-1]\n"
