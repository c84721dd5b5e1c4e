"""A search of a task that no model knows: what is decoded answers, and what was added to it is said."""

from __future__ import annotations

import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.components import load_components
from lhs_hf.search.database import CLOSED, RunDatabase
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.result import counts
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task

pytestmark = pytest.mark.integration


def test_decoded_programs_of_a_strange_task_answer_and_their_other_ends_are_counted() -> None:
    task = get_task("weighted_cut")
    settings = SearchSettings(budget=20, seed=0, init="reference")
    with RunDatabase(":memory:") as database, Evaluator(task, workers=1) as evaluator:
        parts = load_components("lhs-tiny", task)
        starts = portfolio_starts(task, "reference")
        # The first programs are decoded in the first round.
        begun = lambda: any(each.decoded for each in database.candidates())  # noqa: E731
        search = PortfolioSearch(parts, evaluator, database, settings, starts, stop=begun)
        outcome = search.run()
        stored = database.candidates()
    decoded = [candidate for candidate in stored if candidate.decoded]
    assert decoded
    assert all(candidate.status != "undecodable" for candidate in decoded)
    ended = [candidate for candidate in decoded if candidate.changes == CLOSED]
    assert ended
    assert counts(outcome.candidates)["closed"] == sum(candidate.ok for candidate in ended)
