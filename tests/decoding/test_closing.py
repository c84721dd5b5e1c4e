"""Endings for programs that a decoder did not bring to one."""

from __future__ import annotations

import ast

import numpy as np
import pytest

from lhs_hf.decoding.closing import CLOSINGS, close
from lhs_hf.decoding.program import GeneratedProgram
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits.closings import Closings
from lhs_hf.tasks import get_task


def closed(name: str, *programs: GeneratedProgram, seed: int = 0) -> list[GeneratedProgram]:
    task = get_task(name)
    generators = [np.random.default_rng([seed, row]) for row in range(len(programs))]
    with Evaluator(task, workers=1) as evaluator, evaluator.stepping() as guide:
        return close(programs, guide, Closings(task), generators)


def failed(beginning: str) -> GeneratedProgram:
    return GeneratedProgram("nothing", [1, 2], -3.0, False, 9, 4, beginning=beginning)


@pytest.mark.integration
@pytest.mark.parametrize("name", ["bin_covering", "weighted_cut", "hub_location", "vertex_cover", "open_shop"])
def test_whatever_a_decoder_leaves_becomes_a_program_that_answers(name: str) -> None:
    task = get_task(name)
    first = task.arguments[0]
    beginnings = [
        "",
        f"{task.signature()}\n    whole = {first}\n",
        f"import math\n\n{task.signature()}\n    low = math.inf\n    for _ in range(3):\n        low = min(low, 2)\n",
        f"def helper(a):\n    return a\n\n{task.signature()}\n    kept = helper({first})\n    if kept is None:\n",
        f"def helper(a):\n    return a\n\n{task.signature()}\n    if helper({first}) is None:\n",
    ]
    ended = closed(name, *map(failed, beginnings))
    assert ended == closed(name, *map(failed, beginnings))
    with Evaluator(task, workers=1) as evaluator:
        for program in ended:
            assert (program.finished, program.answers, program.closed) == (True, True, True)
            assert (program.token_ids, program.sampled, program.rejections) == ([1, 2], 9, 4)
            assert evaluator.evaluate(program.source).ok
    # What stands above the function stays where something that ran calls it.
    assert "def helper" in ended[3].source
    assert "helper(" in ended[3].source.partition("def helper")[2]
    assert "helper" not in ended[4].source


def test_what_answers_stays_as_it_is() -> None:
    task = get_task("vertex_cover")
    good = GeneratedProgram(task.template, [1], -1.0, True, 1, answers=True)
    bad = failed("")
    assert closed("vertex_cover", good, bad)[0] is good
    assert closed("vertex_cover") == []


def test_what_a_program_has_computed_is_what_it_decides_by() -> None:
    task = get_task("vertex_cover")
    beginning = f"{task.signature()}\n    prices = {{each: -each for each in {task.alternatives}}}\n"
    texts = list(Closings(task)(beginning, np.random.default_rng(0)))
    assert any("prices[option]" in text for text in texts[:4])
    (program,) = closed("vertex_cover", failed(beginning))
    assert "prices[option]" in program.source or "return prices" in program.source


def test_endings_keep_less_and_less_of_a_program() -> None:
    task = get_task("vertex_cover")
    lines = "".join(f"    v{number} = {number}\n" for number in range(8))
    texts = list(Closings(task)(f"{task.signature()}\n{lines}", np.random.default_rng(0)))
    kept = [sum(f"v{number} = " in text for number in range(8)) for text in texts]
    assert kept == sorted(kept, reverse=True)
    assert {8, 4, 2, 0} == set(kept)
    assert len(texts) >= CLOSINGS
    for text in texts:
        ast.parse(text)


def test_a_task_whose_alternatives_are_not_known_is_closed_by_edits_of_its_reference() -> None:
    task = get_task("tsp_construct")
    texts = list(Closings(task)("", np.random.default_rng(0)))
    assert texts
    assert all(text.splitlines()[-1].strip().startswith("return") for text in texts)
