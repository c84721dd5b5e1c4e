"""The end of a portfolio: which programs meet fresh instances once more, and how many."""

from __future__ import annotations

from collections.abc import Sequence

from ...evaluation.racing import Finalist, Race, Trials, finalists, finals_cost
from ..edits.following import follows

FINALISTS = 6
"""Programs of the finals: the best of the race, and the first of another family."""
INSTANCES = 200
_FEWEST = 8
_SHARE = 0.2
_BEYOND = 0.25
"""Standard errors by which a program of a search has to beat the best of the corpus."""


def final_instances(budget: int, against: bool = False, programs: int = FINALISTS) -> int:
    """Instances of the finals: 200, or as many as take up to 20 % of a budget of instance runs; 0 for no finals.

    `against`: there is a program to beat, which meets all of them, beside the `programs` of the finals.
    """
    count = INSTANCES
    while count >= _FEWEST and finals_cost(programs, count, against) > _SHARE * budget:
        count -= 1
    return count if count >= _FEWEST else 0


def finalists_of(ranking: Sequence[str], families: Sequence[str], doubted: str | None = None) -> list[str]:
    """The programs of the finals, of those of a race and their families, best first.

    Who is first of hundreds may be so by luck, with all that descends from it. `doubted` has the last place: the
    program that a search began with where it is not known to be worse than what leads.
    """
    first = ranking[: FINALISTS - 1]
    strangers = [each for at, each in enumerate(ranking) if families[at] not in families[:at]]
    last = list(dict.fromkeys([*first, *strangers, *ranking]))[:FINALISTS]
    return last if doubted is None or doubted in last else [*last[: FINALISTS - 1], doubted]


def with_level(ranking: Sequence[str], level: Sequence[str], followers: int) -> list[str]:
    """The programs of the finals with those that the race can not tell from the favourite, where places are free.

    So many of these that follow the better of two rules, the first ones, have a place in any case, before all others
    where nothing tells them apart: a program that was better in the race may have been lucky, and they are never worse.
    """
    sure = [each for each in level if follows(each)][:followers]
    return list(dict.fromkeys([*sure, *ranking[: FINALISTS - len(sure)], *ranking, *level]))[:FINALISTS]


def winner(results: Sequence[Finalist], favourite: str) -> Finalist | None:
    """The best of the finals where it beats the favourite by a quarter of the standard error; None where none does.

    Both met the same fresh instances. `scripts/benchmarks/choosing.py` has what asking for more costs.
    """
    first = results[0]
    beats = first.gain is not None and first.error is not None and first.gain > _BEYOND * first.error
    return first if beats and first.source != favourite else None


def settled(trials: Trials, ranking: Sequence[str], count: int, favourite: str | None) -> list[Finalist]:
    """The programs of the finals, best first, on `count` fresh instances; the favourite alone where none beats it."""
    last = finalists(trials, ranking, count, favourite)
    if favourite is not None and winner(last, favourite) is None:
        last = finalists(trials, [favourite], count)
    return last


def expected_seconds(race: Race, trials: Trials, runs: int) -> float:
    """What so many instance runs of the incumbent take on all workers; 0 without one."""
    if race.incumbent is None:
        return 0.0
    entries = trials.ledger.of(race.incumbent.identity)
    spent = sum(len(entry.objectives) for entry in entries)
    each = sum(entry.seconds for entry in entries) / max(1, spent)
    return each * runs * trials.crowding / trials.evaluator.workers
