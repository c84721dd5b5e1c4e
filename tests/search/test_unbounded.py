"""Searches for the best that begin at a number: edits of them begin at infinity, where the number decides nothing."""

from __future__ import annotations

from collections.abc import Sequence

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.edits import Behaviours, Known, Parent, Proposal, Proposer
from lhs_hf.search.edits.unbounded import unbounded
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task

MOST = """
def f(values):
    best, top = None, -1.0
    for value in values:
        if value > top + 1e-9 or (value == top and value < 3):
            best, top = value, value
    return best
"""
LEAST = """
def f(values):
    answer = []
    for start in values:
        lowest = 1000
        for value in values:
            if lowest >= abs(value - start):
                lowest = abs(value - start)
                nearest = value
        answer.append(nearest)
    return answer
"""
LOOP = """
def f(values):
    {before}
    for value in values:
        if value > top:
            {kept}
    {after}
"""
OTHERS = {
    "a threshold": LOOP.format(before="top = 0.5", kept="return value", after="return None"),
    "is returned": LOOP.format(before="top = 0", kept="top = value", after="return top"),
    "both ways": LOOP.format(
        before="top = 0", kept="top = value", after="return [each for each in values if each < top]"
    ),
    "against a number": LOOP.format(before="top = -1", kept="top = value", after="return top > 0"),
    "counts": LOOP.format(before="top = 0", kept="top += 1", after="return None"),
    "infinite": LOOP.format(before="top = -1e9", kept="top = value", after="return None"),
    "again": LOOP.format(before="top = 0", kept="top = value", after="top = 0"),
    "an argument": LOOP.format(before="top = 0", kept="top = value", after="").replace("(values)", "(values, top=1)"),
}


def call(source: str, values: list[float]) -> object:
    namespace: dict[str, object] = {}
    exec(source, namespace)
    function = namespace["f"]
    assert callable(function)
    return function(values)


@given(st.lists(st.floats(0, 999), min_size=1))
def test_between_its_numbers_a_program_does_the_same(values: list[float]) -> None:
    for source in (MOST, LEAST):
        assert unbounded(source) != source
        assert call(unbounded(source), values) == call(source, values)


def test_beyond_them_the_best_is_found() -> None:
    assert call(MOST, [-7.0, -5.0]) is None
    assert call(unbounded(MOST), [-7.0, -5.0]) == -5.0
    with pytest.raises(UnboundLocalError):
        call(LEAST.replace("lowest >= abs(", "lowest >= 2000 + abs("), [1.0])
    assert call(unbounded(LEAST.replace("abs(", "2000 + abs(")), [1.0]) == [1.0]


@pytest.mark.parametrize("source", OTHERS.values(), ids=list(OTHERS))
def test_other_numbers_stay(source: str) -> None:
    assert unbounded(source) == source


class Replace:
    """Puts one text in the place of another."""

    name = "replace"

    def __init__(self, old: str, new: str) -> None:
        self._old, self._new = old, new

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        return Proposal(parent.source.replace(self._old, self._new), self.name, (parent.hash,), (), parent.family)


def test_edits_may_rate_all_alternatives_lower() -> None:
    task = get_task("cvrp_construct")
    lower = Replace("demands[node] / distance if", "demands[node] / distance ** 1.3 - 1000 if")
    with Evaluator(task, workers=1) as evaluator:
        proposer = Proposer(evaluator.task, Behaviours(evaluator))

        def drawn(edit: Replace, source: str) -> Proposal:
            parent = Parent.of(source, "reference", 0.0)
            accepted = proposer.draw(edit, parent, [parent], np.random.default_rng(0), Known(), attempts=1)
            assert accepted is not None
            assert accepted.proposal.parents == (parent.hash,)
            return accepted.proposal

        assert not evaluator.evaluate(task.template.replace(lower._old, lower._new)).ok
        edited = drawn(lower, task.template)
        assert 'best_score = -float("inf")' in edited.source
        assert evaluator.evaluate(edited.source).ok
        # Where the vehicle turns back from all that is not worth 5, the number decides, and stays.
        turning = task.template.replace("best_score = -1.0", "best_score = 5.0")
        assert "best_score = 5.0" in drawn(Replace("/ distance if", "/ distance ** 1.3 if"), turning).source
