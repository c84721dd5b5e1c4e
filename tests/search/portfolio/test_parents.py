"""Which programs of a race have children, and which meet the finals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from lhs_hf.evaluation.racing import Standing
from lhs_hf.programs import program_hash
from lhs_hf.search.candidates import Candidates
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.portfolio.parents import FEWEST, Parents
from lhs_hf.tasks import get_task

OWN, OF_PAPER = get_task("setup_times"), get_task("knapsack_construct")
TEXTS = [OWN.template, *(f"{OWN.signature()}\n    return unfinished[{place}]\n" for place in (-1, 1, 2, 3, 4))]
SLOW = TEXTS[4]


class Raced:
    """A race that the given standings are of."""

    blocks = ()

    def __init__(self, *standings: Standing) -> None:
        self.ranking = lambda: list(standings)


class Paced:
    """Everything is quick enough but `SLOW`."""

    def keeps(self, source: str, blocks: Any) -> bool:
        return source != SLOW


def standing(source: str, gain: float = 0.0, error: float = 0.0) -> Standing:
    return Standing(program_hash(source), source, gain, error, 32, 32)


@pytest.fixture
def candidates() -> Iterator[Candidates]:
    """The later, the better."""
    with RunDatabase(":memory:") as database:
        database.add_all(
            Candidate(at, at, "edit", text, program_hash=program_hash(text), status="ok", score=float(at))
            for at, text in enumerate(TEXTS)
        )
        yield Candidates(database)


def pool(task: Any, candidates: Candidates, *leaders: str) -> list[str]:
    parents: Any = Parents(task, Raced(*map(standing, leaders)), candidates, Paced())  # type: ignore[arg-type]
    return [parent.source for parent in parents.pool(10)]


def test_who_fell_out_of_the_race_has_children_where_few_are_left(candidates: Candidates) -> None:
    """From one program alone a search would soon know all children of what leads."""
    assert pool(OWN, candidates, TEXTS[1]) == [TEXTS[1], TEXTS[5], TEXTS[3]]
    assert pool(OWN, candidates, TEXTS[5], TEXTS[0]) == [TEXTS[5], TEXTS[0], TEXTS[3]]
    enough = TEXTS[:FEWEST]
    assert pool(OWN, candidates, *enough) == enough
    assert pool(OF_PAPER, candidates, TEXTS[1]) == [TEXTS[1]]


@pytest.mark.parametrize(("gain", "error", "doubted"), [(-0.01, 0.02, True), (0.0, 0.0, True), (-0.05, 0.02, False)])
def test_a_start_is_in_doubt_as_long_as_it_is_not_clearly_worse(
    gain: float, error: float, doubted: bool, candidates: Candidates
) -> None:
    raced = Raced(standing(TEXTS[1]), standing(OWN.template, gain, error))
    parents: Any = Parents(OWN, raced, candidates, Paced())  # type: ignore[arg-type]
    assert parents.doubted() == (OWN.template if doubted else None)
