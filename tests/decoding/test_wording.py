"""Programs between the names of a task and those that a model knows."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from renamed import renamed

from lhs_hf.corpus.dataset import load_corpus
from lhs_hf.decoding.distances import spoken
from lhs_hf.decoding.grammar import Signature
from lhs_hf.decoding.wording import Translation, is_known, wording, wordings
from lhs_hf.models.composite import open_model
from lhs_hf.models.encoding import are_readable
from lhs_hf.programs import canonical
from lhs_hf.tasks import get_task, task_names

KNOWN = Translation("select", ("current", "options", "gaps"), Signature("decide", ("gaps", "here", "max")), (2, 0, 1))


@pytest.mark.parametrize("name", task_names())
def test_programs_of_the_paper_stay_as_they_are(name: str) -> None:
    task = get_task(name)
    words = wording(task)
    assert words.subject == name
    assert wordings(task) == (words,)
    assert is_known(task)
    assert words.signature.written(task.template) == task.template == words.signature.read(task.template)


@pytest.mark.parametrize("name", task_names())
def test_a_renamed_task_is_told_of_in_the_names_of_the_task(name: str, tmp_path: Path) -> None:
    known = get_task(name)
    for seed in range(3):
        task, _ = renamed(name, seed, tmp_path)
        words = wording(task)
        assert is_known(task)
        assert words.subject == name
        assert (words.signature.function_name, words.signature.arguments) == (known.function_name, known.arguments)
        assert canonical(words.signature.read(task.template)) == canonical(known.template)
        assert canonical(words.signature.written(known.template)) == canonical(task.template)


@pytest.mark.parametrize("name", ["parallel_makespan", "list_update", "setup_times"])
def test_a_task_that_is_told_of_in_one_way_only_need_not_be_known(name: str) -> None:
    task = get_task(name)
    assert len(wordings(task)) == (6 if name == "setup_times" else 1)
    assert not is_known(task)


def test_programs_of_the_corpus_mean_the_same_there_and_back(tmp_path: Path) -> None:
    task, _ = renamed("cvrp_construct", 5, tmp_path)
    signature = wording(task).signature
    for row in load_corpus("cvrp_construct", "train")[::40]:
        there = signature.written(canonical(row.program))
        assert there.count("\n") == canonical(row.program).count("\n")
        # A local variable that made room keeps its new name.
        assert signature.written(signature.read(there)) == there


def test_arguments_are_renamed_and_reordered_line_by_line() -> None:
    source = "def select(current, options, gaps):\n    best = options[0]\n    return best\n"
    assert KNOWN.written(source) == "def decide(gaps, here, max):\n    best = max[0]\n    return best\n"


def test_a_local_variable_makes_room_for_an_argument_of_its_name() -> None:
    source = "def select(current, options, gaps):\n    here = current + 1\n    return here\n"
    written = KNOWN.written(source)
    assert written == "def decide(gaps, here, max):\n    here_ = here + 1\n    return here_\n"


def test_a_builtin_that_is_read_is_not_hidden_by_an_argument() -> None:
    source = "def select(current, options, gaps):\n    return max(options)\n"
    written = KNOWN.written(source)
    assert "return max(options)" in written
    scope: dict[str, Any] = {}
    exec(written, scope)
    decide = scope["decide"]
    assert callable(decide)
    assert decide(None, None, [1, 3, 2]) == 3


def test_defaults_and_helpers_with_keywords_are_kept() -> None:
    source = (
        "def rate(options, gaps=1):\n    return len(options) * gaps\n\n"
        "def select(current, options, gaps, weight=2):\n    return rate(options=options, gaps=weight)\n"
    )
    scope: dict[str, Any] = {}
    exec(KNOWN.written(source), scope)
    decide = scope["decide"]
    assert callable(decide)
    assert decide(None, None, [1, 2, 3]) == 6


def test_what_does_not_parse_is_left_alone() -> None:
    assert KNOWN.written("def select(") == "def select("
    ast.parse(KNOWN.written("def select(current, options, gaps):\n    ...\n"))


POINTS = "def pick(here, spots):\n    return min(spots, key=lambda k: {})\n"


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("abs(complex(*here) - complex(*spots[k]))", "math.dist(here, spots[k])"),
        ("2 - abs(complex(k, 1) - complex(*here))", "2 - math.dist((k, 1), here)"),
        ("abs(complex(k - here[0], here[1]))", "math.hypot(k - here[0], here[1])"),
        ("abs(complex(*spots[k]))", "math.hypot(*spots[k])"),
    ],
)
def test_distances_are_read_in_words_that_the_model_knows(written: str, read: str) -> None:
    """Edits write them as lengths of complex numbers, of which no token of `lhs-tiny` speaks."""
    text = spoken(POINTS.format(written))
    assert ast.unparse(ast.parse(text)) == f"import math\n\n{POINTS.format(read)}".rstrip()
    values: list[object] = []
    for source in (POINTS.format(written), text):
        scope: dict[str, Any] = {}
        exec(source, scope)
        values.append(scope["pick"]((0.0, 3.0), {2: (1.0, 1.0), 1: (0.0, 2.0)}))
    assert values[0] == values[1]
    assert spoken(text) == text


@pytest.mark.parametrize(
    "source",
    [
        "def pick(complex, k):\n    return abs(complex(*k))\n",
        "def pick(math, k):\n    return abs(complex(*k))\n",
        "def pick(a, k):\n    return complex(a, k).real + abs(complex(a))\n",
        "def pick(a, k:\n    return abs(complex(a, k))",
    ],
)
def test_other_complex_numbers_are_left_alone(source: str) -> None:
    assert spoken(source) == source


def test_the_encoder_reads_distances_of_tasks_of_ones_own() -> None:
    task = get_task("tour_with_windows")
    rule = f"{task.signature()}\n    return min({next(iter(task.arguments))}, key=lambda k: abs(complex(k, 1)))\n"
    encoder = open_model("lhs-tiny").encoder()
    assert are_readable(encoder, [rule, rule.replace("abs(complex(k, 1))", "bin(k)")], task) == [True, False]
