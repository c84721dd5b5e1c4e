"""The end of a portfolio: which programs meet fresh instances once more, and how many."""

from __future__ import annotations

from collections.abc import Sequence

from ...evaluation.racing import Block, Finalist, Race, Trials, compare, finalists, finals_cost
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


def settled(
    trials: Trials, ranking: Sequence[str], count: int, favourite: str | None, raced: Sequence[Block] = ()
) -> list[Finalist]:
    """The programs of the finals, best first, on `count` fresh instances; the favourite alone where none beats it.

    `raced`: the blocks of the race, which decide between the favourite and what follows the better of two rules where
    both are level in the finals.
    """
    last = finalists(trials, ranking, count, favourite)
    if favourite is None or winner(last, favourite) is not None:
        return last
    first = _better_in_race(trials, last, favourite, raced)
    return finalists(trials, [favourite], count) if first is None else [first, *(x for x in last if x != first)]


def _better_in_race(
    trials: Trials, results: Sequence[Finalist], favourite: str, raced: Sequence[Block]
) -> Finalist | None:
    """Of the followers as good as the favourite on every instance of the finals, the best in the race if it is better.

    Close to an optimum programs differ on one instance of fifty: the race may have met it, and the finals not. What
    does not follow is better there by luck as often as not: of a hundred programs some are.
    """
    best, most = None, 0.0
    theirs = trials.objectives(trials.contender(favourite), raced)
    for each in results:
        level = each.gain == 0 and each.error == 0 and each.instances == results[0].instances
        ours = trials.objectives(trials.contender(each.source), raced)
        common = [name for name in theirs if name in ours]
        if not level or not follows(each.source) or not common:
            continue
        values = [[value for name in common for value in solved[name]] for solved in (ours, theirs)]
        gain = compare(values[0], values[1], trials.task.alpha).gain
        if gain > most:
            best, most = each, gain
    return best


def expected_seconds(race: Race, trials: Trials, runs: int) -> float:
    """What so many instance runs of the incumbent take on all workers; 0 without one."""
    if race.incumbent is None:
        return 0.0
    entries = trials.ledger.of(race.incumbent.identity)
    spent = sum(len(entry.objectives) for entry in entries)
    each = sum(entry.seconds for entry in entries) / max(1, spent)
    return each * runs * trials.crowding / trials.evaluator.workers
