"""What is expected of programs by what they decide, without running them."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from lhs_hf.evaluation import Evaluator
from lhs_hf.search.candidates import Candidates
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.edits import Accepted, Behaviours, Proposal
from lhs_hf.search.portfolio import PortfolioSearch
from lhs_hf.search.portfolio.foresight import EDITS, LEAST, Foresight
from lhs_hf.search.settings import SearchSettings
from lhs_hf.search.starts import portfolio_starts
from lhs_hf.tasks import get_task

PROBES = 64


class Decided:
    """Behaviours of programs whose text says on how many states they decide for 1 and not for 0."""

    def __init__(self, tell: bool = True) -> None:
        self.tell = tell

    def decisions(self, source: str) -> np.ndarray:
        """The decisions, int64 (64,)."""
        return (np.arange(PROBES) < int(source)).astype(np.int64)


def foresight(shares: dict[int, float], tell: bool = True) -> Foresight:
    """One that has looked at programs with these scores."""
    raced = [SimpleNamespace(program=str(share), score=score) for share, score in shares.items()]
    candidates = SimpleNamespace(best=lambda: iter(sorted(raced, key=lambda each: -each.score)))
    judge = Foresight(cast(Behaviours, Decided(tell)), cast(Candidates, candidates))
    judge.look()
    return judge


def edit(share: int, name: str = "") -> Accepted:
    """An edit that decides for 1 on so many states."""
    return Accepted(Proposal(str(share), "edit", (), (), "family"), f"{share}{name}", str(share))


RACED = {share: float(share) for share in range(0, 40, 4)}
"""The more often a program decides for 1, the better it is."""


def test_what_decides_like_good_programs_is_proposed() -> None:
    edits = [edit(2), edit(38), edit(10)]
    assert foresight(RACED).best(edits) is edits[1]
    assert foresight({share: -score for share, score in RACED.items()}).best(edits) is edits[0]


def test_the_order_of_the_scores_counts_and_not_their_size() -> None:
    edits = [edit(share) for share in (3, 17, 30, 37)]
    large = foresight({share: 1e9 * score**3 for share, score in RACED.items()})
    assert large.best(edits) is foresight(RACED).best(edits)


def test_a_second_edit_that_decides_the_same_gives_way_to_one_of_which_less_is_known() -> None:
    judge = foresight(RACED)
    edits = [edit(36, "a"), edit(36, "b"), edit(64)]
    chosen = [judge.best(edits) for _ in range(6)]
    assert any(each is edits[2] for each in chosen)


@pytest.mark.parametrize(("raced", "tell"), [(dict(list(RACED.items())[: LEAST - 1]), True), (RACED, False)])
def test_where_nothing_can_be_expected_no_other_edit_is_made(raced: dict[int, float], tell: bool) -> None:
    def draw() -> Accepted | None:
        raise AssertionError("no other edit is asked for")

    first = edit(0)
    assert foresight(raced, tell).chosen(first, draw) is first


def test_an_edit_competes_with_others_and_some_of_them_may_be_missing() -> None:
    numbers = count()
    others = iter([edit(1), None, edit(38), *[None] * EDITS])
    chosen = foresight(RACED).chosen(edit(0), lambda: (next(numbers), next(others))[1])
    assert chosen.proposal.source == "38"
    assert next(numbers) == EDITS - 1


class Stopped(Exception):
    """The process ends here."""


@pytest.mark.integration
def test_a_search_of_an_unknown_task_is_the_same_when_it_is_resumed() -> None:
    task = get_task("departing_items")
    settings = SearchSettings(budget=12, seed=2, init="reference")

    def search(database: RunDatabase, evaluator: Evaluator, listener: Any = None) -> list[Candidate]:
        run = PortfolioSearch(None, evaluator, database, settings, portfolio_starts(task, "reference"), listener)
        return list(run.run().candidates)

    def stop(candidate: Candidate) -> None:
        if candidate.id == 20:
            raise Stopped

    with Evaluator(task, workers=1) as evaluator:
        with RunDatabase(":memory:") as database:
            whole = search(database, evaluator)
        with RunDatabase(":memory:") as database:
            with pytest.raises(Stopped):
                search(database, evaluator, stop)
            resumed = search(database, evaluator)
    assert len(whole) > 20
    assert [(each.program, each.outcome, each.score) for each in whole] == [
        (each.program, each.outcome, each.score) for each in resumed
    ]
