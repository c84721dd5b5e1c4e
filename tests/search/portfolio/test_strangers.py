"""A task that a decoder was not trained on, be it one of the paper's: few of its programs are asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lhs_hf.decoding.budget import Budget
from lhs_hf.decoding.decoder import LatentDecoder
from lhs_hf.decoding.grammar import Vocabulary
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.components import Components, load_components
from lhs_hf.search.database import RunDatabase
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task
from lhs_hf.tasks.functions import task_of_function

pytestmark = pytest.mark.integration

TASK, BUDGET = "knapsack_construct", 20


def decoded(components: Components) -> int:
    """Programs of the first round that the decoder writes."""
    settings = SearchSettings(budget=BUDGET, init="reference", guidance=False, max_new_tokens=8)
    with Evaluator(get_task(TASK), workers=1) as evaluator, RunDatabase(":memory:") as database:
        starts = portfolio_starts(evaluator.task, "reference")
        candidates = PortfolioSearch(components, evaluator, database, settings, starts).run().candidates
        return sum(each.decoded for each in candidates if each.round == 1)


def without(components: Components, task: str, folder: Path) -> LatentDecoder:
    """A decoder whose vocabulary has no token for a task."""
    vocabulary = components.decoder.tokenizer.vocabulary
    tokens = [token if token != f"<task:{task}>" else "<task:another>" for token in vocabulary.tokens]
    tokenizer = ProgramTokenizer.from_vocabulary(Vocabulary(tokens), folder)
    return LatentDecoder(components.decoder.model, tokenizer, components.decoder.mapper, budget=Budget(BUDGET))


def test_a_decoder_says_what_it_was_trained_on(tmp_path: Path) -> None:
    components = load_components("lhs-tiny", get_task(TASK))
    assert components.decoder.trained_on(get_task(TASK))
    assert not components.decoder.trained_on(get_task("vertex_cover"))
    other = without(components, TASK, tmp_path)
    assert not other.trained_on(get_task(TASK))
    assert other.trained_on(get_task("tsp_construct"))


def test_of_a_task_that_it_was_not_trained_on_it_writes_few_programs(tmp_path: Path) -> None:
    components = load_components("lhs-tiny", get_task(TASK))
    assert decoded(components) >= 10
    assert decoded(replace(components, decoder=without(components, TASK, tmp_path))) <= 2


def test_where_no_edit_takes_hold_a_few_more_programs_are_decoded(tmp_path: Path) -> None:
    """Three names and a number that no rule is known for: the search would end after its first round."""
    calls = [({"a": (1, 2), "b": (3, 1)}, 4), ({"c": (5, 2), "a": (0, 2), "b": (2, 2)}, 1)]

    def objective(program: Callable[..., Any]) -> float:
        answers = [program(dict(requests), now) for requests, now in calls]
        return float(sum(len(name) + hour + now for name, hour, now in answers))

    template = "def plan(requests, now):\n    name = next(iter(requests))\n    return name, requests[name][0], now\n"
    task = task_of_function(objective, template, tmp_path, "plans")
    settings = SearchSettings(budget=BUDGET, init="reference", guidance=False, max_new_tokens=8)
    with Evaluator(task, workers=1) as evaluator, RunDatabase(":memory:") as database:
        starts = portfolio_starts(task, "reference")
        search = PortfolioSearch(load_components("lhs-tiny", task), evaluator, database, settings, starts)
        candidates = search.run().candidates
    rounds = {each.round for each in candidates if each.decoded}
    assert max(rounds) > 1
    assert sum(each.decoded for each in candidates) < BUDGET
