"""What programs lean to, and what that says of those that have not run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf import SimpleTask, make_splits
from lhs_hf.search.portfolio.foresight import Expectation
from lhs_hf.search.portfolio.leanings import VALUES, Leanings
from lhs_hf.tasks.functions import task_of_function

Rule = Callable[[int, list[int], list[int]], float]


class Waiting(SimpleTask):
    """Which job is next, by how long it takes and what it weighs."""

    name = "waiting_jobs"
    sense = "min"
    problem_class = "scheduling"
    description = "Return the job to do next."
    alternatives = "waiting"
    template = "def following(waiting, hours, weights):\n    return waiting[0]\n"
    splits = make_splits(search={"count": 3, "jobs": 9})
    probe_parameters = {"jobs": 8}  # noqa: RUF012

    def draw(self, random, jobs):
        return random.randint(1, 30, (2, jobs))

    def construct(self, program, instance):
        hours, weights = instance.tolist()
        waiting, order = list(range(len(hours))), []
        while waiting:
            job = self.ask(program, list(waiting), hours, weights) if len(waiting) > 1 else waiting[0]
            waiting.remove(job)
            order.append(job)
        return order

    def objective(self, instance, solution):
        hours, weights = instance[:, np.asarray(solution, dtype=int)]
        return float((np.cumsum(hours) * weights).sum())


class Featured(Waiting):
    """The same, by somebody who says what counts."""

    name = "featured_jobs"

    def probe_features(self, choices, arguments):
        return np.array([[arguments["weights"][job] / arguments["hours"][job]] for job in choices])


class Uneven(Waiting):
    """Features whose number depends on what is left."""

    name = "uneven_jobs"

    def probe_features(self, choices, arguments):
        columns = [arguments["weights"], arguments["hours"]][: 1 + len(choices) % 2]
        return np.array([[column[job] for column in columns] for job in choices])


class Large(Waiting):
    """So many jobs that not all of them can be asked."""

    name = "large_jobs"
    probe_parameters = {"jobs": VALUES // 400}  # noqa: RUF012


RULES: dict[str, Rule] = {
    "heavy": lambda job, hours, weights: weights[job],
    "light": lambda job, hours, weights: -weights[job],
    "short": lambda job, hours, weights: -hours[job],
    "long": lambda job, hours, weights: hours[job],
    "worth": lambda job, hours, weights: weights[job] / hours[job],
    "waste": lambda job, hours, weights: -weights[job] / hours[job],
}


def decisions(task: Any, *names: str) -> np.ndarray:
    """What rules decide on the probe states, (rules, 64)."""

    def decided(rule: Rule, call: tuple[Any, ...], jobs: list[int]) -> int:
        return max(range(len(jobs)), key=lambda place: rule(jobs[place], *call[1:]))

    states = [(state.calls[0], task.choices(*state.calls[0])) for state in task.probes]
    return np.array([[decided(RULES[name], *state) for state in states] for name in names])


@pytest.mark.parametrize("kind", [Waiting, Featured, Uneven])
def test_a_rule_and_its_opposite_lie_on_opposite_sides(kind: type[SimpleTask]) -> None:
    task: Any = kind()
    points = Leanings(task).of(decisions(task, *RULES))
    heavy, light, short, long, worth, waste = points @ points.T
    assert heavy[0] > 0 > heavy[1]
    assert worth[4] > 0 > worth[5]
    assert worth[0] > 0
    assert worth[2] > 0
    assert max(waste[0], waste[2], light[4], long[4]) < 0
    assert short[2] > 0


@pytest.mark.parametrize("kind", [Waiting, Featured])
def test_a_bad_rule_says_that_its_opposite_is_good(kind: type[SimpleTask]) -> None:
    task: Any = kind()
    raced = np.vstack([decisions(task, "waste", "light", "long"), np.zeros((1, len(task.probes)), dtype=np.int64)])
    others = decisions(task, "worth", "waste")
    scores = [-3.0, -2.0, -1.5, -1.0]
    expected, deviations = Expectation(raced, scores, Leanings(task)).of(others)
    assert expected[0] > 0 > expected[1]
    assert (deviations > 0).all()
    alone, _ = Expectation(raced, scores).of(others)
    assert expected[0] > alone[0]


def test_where_a_program_fails_or_answers_something_else_it_leans_to_nothing() -> None:
    task: Any = Waiting()
    leanings, heavy = Leanings(task), decisions(task, "heavy")
    half = heavy.copy()
    half[:, ::2] = -1
    other = np.where(np.arange(heavy.shape[1]) % 2 == 0, 10_000, heavy)
    assert not leanings.of(np.full_like(heavy, -1)).any()
    assert np.array_equal(leanings.of(half), leanings.of(other))
    size = [float(np.linalg.norm(leanings.of(each))) for each in (half, heavy)]
    assert 0 < size[0] < size[1]


def test_features_count_where_the_author_wrote_them() -> None:
    own, featured = Waiting(), Featured()
    assert not own.tells_features
    assert featured.tells_features
    sizes = [np.count_nonzero(Leanings(task).of(decisions(task, "heavy"))) for task in (own, featured)]
    assert sizes[1] == sizes[0] + 1


def test_of_large_states_some_are_asked_and_all_have_a_place() -> None:
    task: Any = Large()
    rows = decisions(task, "worth", "waste")
    one, other = Leanings(task).of(rows)
    assert rows.max() >= VALUES // 800
    assert one @ one > 0 > one @ other


def test_of_a_function_the_words_of_its_arguments_are_asked(tmp_path: Path) -> None:
    hours, weights = [3, 9, 4, 7, 1, 8, 2], [5, 2, 8, 1, 9, 4, 6]

    def cost(program: Callable[..., int]) -> float:
        waiting, now, total = list(range(7)), 0, 0
        while waiting:
            job = program(list(waiting), hours, weights)
            waiting.remove(job)
            now += hours[job]
            total += weights[job] * now
        return total

    task = task_of_function(cost, Waiting.template, tmp_path, "weighed", sense="min")
    assert not task.tells_features
    points = Leanings(task).of(decisions(task, "worth", "waste"))
    assert points[0] @ points[0] > 0 > points[0] @ points[1]
