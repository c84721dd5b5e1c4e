"""The end of a portfolio: which programs meet fresh instances once more, and how many."""

from __future__ import annotations

from collections.abc import Sequence

from ...evaluation.racing import finals_cost

FINALISTS = 4
"""Programs of the finals: the first two of the race, the best that it started from, the first of another family."""
INSTANCES = 200
_FEWEST = 8
_SHARE = 0.3


def final_instances(budget: int) -> int:
    """Instances of the finals: 200, or as many as take up to 30 % of a budget of instance runs; 0 for no finals."""
    count = INSTANCES
    while count >= _FEWEST and finals_cost(FINALISTS, count) > _SHARE * budget:
        count -= 1
    return count if count >= _FEWEST else 0


def finalists_of(ranking: Sequence[str], families: Sequence[str], favourite: str | None = None) -> list[str]:
    """The programs of the finals, of those of a race and their families, best first.

    Who is first of hundreds may be so by luck, with all that descends from it. `favourite`: the program to beat.
    """
    strangers = [each for at, each in enumerate(ranking) if families[at] not in families[:at]]
    known = [each for each in ranking if each == favourite]
    return list(dict.fromkeys([*ranking[:2], *known, *strangers, *ranking]))[:FINALISTS]
