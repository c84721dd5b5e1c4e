"""The end of a portfolio: which programs meet fresh instances once more, and how many."""

from __future__ import annotations

from collections.abc import Sequence

from ...evaluation.racing import Finalist, Trials, finalists, finals_cost

FINALISTS = 3
"""Programs of the finals: the first two of the race, and the first of another family."""
INSTANCES = 200
_FEWEST = 8
_SHARE = 0.3


def final_instances(budget: int, against: bool = False, programs: int = FINALISTS) -> int:
    """Instances of the finals: 200, or as many as take up to 30 % of a budget of instance runs; 0 for no finals.

    `against`: there is a program to beat, which meets all of them, beside the `programs` of the finals.
    """
    count = INSTANCES
    while count >= _FEWEST and finals_cost(programs, count, against) > _SHARE * budget:
        count -= 1
    return count if count >= _FEWEST else 0


def finalists_of(ranking: Sequence[str], families: Sequence[str]) -> list[str]:
    """The programs of the finals, of those of a race and their families, best first.

    Who is first of hundreds may be so by luck, with all that descends from it.
    """
    strangers = [each for at, each in enumerate(ranking) if families[at] not in families[:at]]
    return list(dict.fromkeys([*ranking[:2], *strangers, *ranking]))[:FINALISTS]


def winner(results: Sequence[Finalist], favourite: str) -> Finalist | None:
    """The best of the finals where it beats the favourite by more than the standard error; None where none does.

    What was known on many instances before gives way to what a search has found on a few only beyond noise.
    """
    first = results[0]
    beats = first.gain is not None and first.error is not None and first.gain > first.error
    return first if beats and first.source != favourite else None


def settled(trials: Trials, ranking: Sequence[str], count: int, favourite: str | None) -> list[Finalist]:
    """The programs of the finals, best first, on `count` fresh instances; the favourite alone where none beats it."""
    last = finalists(trials, ranking, count, favourite)
    if favourite is not None and winner(last, favourite) is None:
        last = finalists(trials, [favourite], count)
    return last
