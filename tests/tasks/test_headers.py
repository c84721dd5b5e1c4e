"""How a person writes and calls the function that a search is to improve."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lhs_hf.decoding.grammar import Signature, Vocabulary, encode
from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.programs import canonical_tree
from lhs_hf.search.edits.choices import NewRule
from lhs_hf.search.edits.parents import Parent
from lhs_hf.search.functions import search_function
from lhs_hf.tasks.functions import task_of_function
from lhs_hf.tasks.headers import Header, template_text

numbers = random.Random(0)
JOBS = [[{"id": 10 + i, "work": numbers.randint(1, 30), "weight": numbers.randint(1, 9)} for i in range(10)]] * 2

CALLS: dict[str, tuple[str, Callable[..., Any]]] = {
    "named": ("jobs, now", lambda program, jobs, now: program(now=now, jobs=jobs)),
    "left out": ("jobs, now=0, k=3", lambda program, jobs, now: program(jobs)),
    "only named": ("jobs, *, k=2, now", lambda program, jobs, now: program(jobs, now=now)),
    "only by place": ("jobs, now, /", lambda program, jobs, now: program(jobs, now)),
    "annotated": ("jobs: list[dict[str, int]], now: float = 0.0", lambda program, jobs, now: program(jobs, now)),
}


def objective_of(call: Callable[..., Any]) -> Callable[[Any], float]:
    def objective(program: Any) -> float:
        total = now = 0.0
        for jobs in JOBS:
            left = {job["id"]: job for job in jobs}
            while left:
                job = left.pop(call(program, [dict(each) for each in left.values()], now))
                now += job["work"]
                total += now * job["weight"]
        return total

    return objective


@pytest.mark.parametrize("name", list(CALLS))
def test_programs_are_called_as_the_template_is(name: str, tmp_path: Path) -> None:
    arguments, call = CALLS[name]
    template = f'def pick({arguments}):\n    return jobs[0]["id"]\n'
    objective = objective_of(call)
    task = task_of_function(objective, template, tmp_path, "jobs")
    assert task.answers == "choice"
    parent = Parent.of(task.template, "reference", 0.0)
    rules = [NewRule().propose(parent, [parent], task, np.random.default_rng(seed)) for seed in range(8)]
    with Evaluator(task) as evaluator:
        assert evaluator.evaluate(task.template, "search").objective == objective(task.reference)
        for rule in rules:
            assert rule is not None
            evaluation = evaluator.evaluate(rule.source, "search")
            assert evaluation.ok
            # It can stand where the template stood, without anything of this package.
            known: dict[str, Any] = {}
            exec(rule.source, known)
            assert objective(known["pick"]) == evaluation.objective


def test_what_a_model_wrote_gets_the_defaults_of_the_template() -> None:
    header = Header("def pick(jobs, now=0, name='x'):\n    return jobs[0]\n")
    assert header.text() == "def pick(jobs, now=0, name='x'):"
    written = "def helper(jobs):\n    return jobs\n\n\ndef pick(jobs, now, name):\n    return helper(jobs)[0]\n"
    assert header.with_defaults(written) == written.replace("jobs, now, name", "jobs, now=0, name='x'")
    assert Header("def pick(jobs):\n    return 0\n").with_defaults(written) == written


@pytest.mark.parametrize(
    ("arguments", "words"),
    [("*jobs", r"takes \*jobs"), ("jobs, **more", r"takes \*\*more"), ("jobs, now=0, *, k", "leave the \\* out")],
)
def test_what_can_not_be_called_so_is_named(arguments: str, words: str) -> None:
    with pytest.raises(CallError, match=words):
        search_function(len, f"def pick({arguments}):\n    return 0\n")


def nearest(here: int, points: list[tuple[float, float]]) -> int:
    """A template as a function of this module."""
    return int(np.argmin([math.dist(points[here], each) for each in points]))


def test_a_function_is_its_text_with_the_modules_that_it_names() -> None:
    text = template_text(nearest)
    assert text.startswith("import math\nimport numpy as np\n")
    known: dict[str, Any] = {}
    exec(text, known)
    assert known["nearest"](0, [(0.0, 0.0), (1.0, 1.0)]) == 0
    assert template_text("def f():\n    return 1\n") == "def f():\n    return 1\n"


@pytest.mark.parametrize("template", [lambda jobs: jobs[0], len, random.Random])
def test_what_has_no_text_is_named(template: Any) -> None:
    with pytest.raises(CallError, match="whose source is not known; expected a function, or its text"):
        template_text(template)


SPELLINGS = {
    "indented": "\n    def pick(jobs, now):\n        return jobs[0]['id']\n    ",
    "a script": "def pick(jobs, now):\n    return jobs[0]['id']\n\n\nif __name__ == '__main__':\n    print(pick)\n",
    "form feeds": "import math\n\x0c\ndef pick(jobs, now):\n    return jobs[0]['id']\n\n\nif __name__ == '':\n    1\n",
    "a helper behind": "def pick(jobs, now):\n    return first(jobs)['id']\n\n\ndef first(jobs):\n    return jobs[0]\n",
    "hints": "from __future__ import annotations\n\n\ndef pick(jobs: list[Job], now):\n    return jobs[0]['id']\n",
}


@pytest.mark.parametrize("name", list(SPELLINGS))
def test_a_template_may_come_out_of_a_module(name: str, tmp_path: Path) -> None:
    objective = objective_of(lambda program, jobs, now: program(jobs, now))
    task = task_of_function(objective, SPELLINGS[name], tmp_path, "jobs")
    assert (task.function_name, task.arguments, task.answers) == ("pick", ("jobs", "now"), "choice")
    assert task.template.rstrip().splitlines()[-1].startswith("    return ")
    signature = Signature("pick", ("jobs", "now"))
    assert encode(canonical_tree(task.template), signature, Vocabulary.build([(task.template, signature)]))
    with Evaluator(task) as evaluator:
        assert evaluator.evaluate(task.template, "search").objective == objective(task.reference)


@pytest.mark.integration
@pytest.mark.parametrize(
    "body",
    [
        "    große = jobs\n    return große[0]['id']\n",
        "    match len(jobs):\n        case _:\n            return jobs[0]['id']\n",
    ],
)
def test_a_template_that_the_model_can_not_read_is_searched_with_edits(
    body: str, caplog: pytest.LogCaptureFixture
) -> None:
    objective = objective_of(lambda program, jobs, now: program(jobs, now))
    result = search_function(objective, f"def pick(jobs, now):\n{body}", budget=12, seed=0)
    assert "edits alone" in caplog.text
    assert result.decoder_calls == 0
    assert result.candidates > 4
    assert result.objective <= result.reference_objective
    with pytest.raises(CallError, match="default preset"):
        search_function(objective, f"def pick(jobs, now):\n{body}", budget=12, seed=0, preset="paper")


def test_a_reference_that_the_sandbox_refuses_ends_a_search_at_once() -> None:
    def objective(program: Callable[..., Any]) -> float:
        if hasattr(program, "__program_source__"):
            raise ValueError("not in here")
        return objective_of(lambda rule, jobs, now: rule(jobs, now))(program)

    with pytest.raises(RuntimeError, match=r"even the reference fails .*not in here"):
        search_function(objective, "def pick(jobs, now):\n    return jobs[0]['id']\n", budget=12, seed=0)
