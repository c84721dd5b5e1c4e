"""Methods of LLM4AD on this package's tasks: their search, this sandbox. It is no dependency: skipped without it."""

from __future__ import annotations

import pytest

pytest.importorskip("llm4ad")

from llm4ad.base import LLM, SecureEvaluator
from llm4ad.method.randsample import RandSample

from lhs_hf.errors import CallError
from lhs_hf.evaluation import Evaluator
from lhs_hf.integrations.llm4ad import TaskEvaluation


class Scripted(LLM):
    """Says one of two bodies in turn; the second reads a file."""

    def __init__(self) -> None:
        super().__init__(do_auto_trim=True)
        self.number = 0

    def draw_sample(self, prompt, *args, **kwargs) -> str:
        self.number += 1
        good = "    return max(remaining_items, key=lambda item: item[1], default=None)\n"
        fitting = "    remaining_items = [item for item in remaining_items if item[0] <= remaining_capacity]\n"
        bad = "    import os\n    os._exit(0)\n"
        head = "def select_next_item(remaining_capacity, remaining_items):\n"
        return head + (fitting + good if self.number % 2 else bad)


def test_a_method_of_llm4ad_searches_in_this_sandbox() -> None:
    with TaskEvaluation("knapsack_construct", workers=1) as evaluation:
        RandSample(Scripted(), evaluation, num_samplers=1, num_evaluators=1, max_sample_nums=6).run()
        scores = evaluation.scores
        template = SecureEvaluator(evaluation).evaluate_program(evaluation.task.template)
    with Evaluator("knapsack_construct", workers=1) as evaluator:
        assert template == evaluator.evaluate(evaluation.task.template).score
    # The template first and last, between them what was sampled: the programs that end their process have no score.
    assert len(scores) >= 6
    assert {each is None for each in scores[1:-1]} == {True, False}
    assert len({each for each in scores[1:-1] if each is not None}) == 1


def test_a_split_that_is_none_is_named() -> None:
    with pytest.raises(CallError, match=r"unknown split of knapsack_construct 'test'"):
        TaskEvaluation("knapsack_construct", split="test")
