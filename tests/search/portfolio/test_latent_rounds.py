"""When a search has rounds of latents alone."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from lhs_hf.search.candidates import Candidates
from lhs_hf.search.database import Candidate, RunDatabase
from lhs_hf.search.portfolio.children import LATENT
from lhs_hf.search.portfolio.latent import LatentSpace
from lhs_hf.search.portfolio.latent_rounds import LatentRounds
from lhs_hf.search.portfolio.rounds import LATENTS_ROUND
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks import get_task

BUDGET = 100


def rounds_of(
    *, calls_left: int = BUDGET, trained: bool = True, database: RunDatabase | None = None, **options: Any
) -> LatentRounds:
    """Those of a search from good programs of a familiar task where one evaluation says all, unless told otherwise."""
    decoder = SimpleNamespace(trained_on=lambda task: trained)
    space = cast(LatentSpace, SimpleNamespace(components=SimpleNamespace(fitted=True, decoder=decoder)))
    candidates = Candidates(database or RunDatabase(":memory:"))
    chosen = {"alone": False, "noisy": False, "plays": False, **options}
    settings = SearchSettings(budget=BUDGET)
    return LatentRounds(space, get_task("admissible_set"), settings, candidates, lambda: calls_left, **chosen)


def test_where_other_programs_are_known_there_is_none() -> None:
    assert not any(rounds_of().due(number) for number in range(1, 9))


def test_without_a_latent_space_there_is_none() -> None:
    search = rounds_of(alone=True)
    assert search.due(1)
    search.space = None
    assert not search.due(1)
    assert not search.familiar


def test_from_the_reference_alone_they_come_first() -> None:
    with RunDatabase(":memory:") as database:
        roles = [(0, "reference", ""), (1, "initial", LATENT)]
        database.add_all(
            Candidate(number, number, role, f"def f(a):\n    return {number}\n", operator=operator, status="ok")
            for number, role, operator in roles
        )
        search = rounds_of(alone=True, database=database, calls_left=BUDGET - LATENTS_ROUND)
        assert search.due(1)
        assert search.due(2)
        assert search.points(LATENTS_ROUND) == LATENTS_ROUND
        # Another task's decoder writes little that runs: a round that brought nothing is the last.
        assert not rounds_of(alone=True, database=database, trained=False).due(2)
