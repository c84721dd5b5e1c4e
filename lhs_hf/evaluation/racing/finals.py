"""The finals: the last few programs on instances that nothing was chosen on, by successive halving."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np

from ...errors import CallError
from .instances import Block, stops
from .paired import compare
from .trials import Contender, Trials

_FEWEST = 8
"""Instances: fewer than two in each of the blocks say nothing."""


@dataclass(frozen=True)
class Finalist:
    """A program after the finals.

    `objective` is its mean over `instances` fresh instances, `objective_error` the standard error. `gain` is that over
    the program `finalists` compares with, as a share of that one's mean objective, on the instances both have met,
    `error` its standard error and `interval` where it lies with 95 % probability. All of them are None for a program
    that fails; `status` and `message` say how.
    """

    program: str
    source: str = field(repr=False)
    instances: int
    objective: float | None = None
    objective_error: float | None = None
    gain: float | None = None
    error: float | None = None
    interval: tuple[float, float] | None = None
    seconds: float = 0.0
    status: str = "ok"
    message: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


def finals_cost(programs: int, count: int = 200, against: bool = False) -> int:
    """The most instance runs that the finals of so many programs take; `against`: they have one to compare with.

    On a deterministic task they cost nothing where all have raced: they have met all there is.
    """
    cost, left, before = count if against else 0, programs, 0
    for stop in stops(count):
        cost, left, before = cost + left * (stop - before), (left + 1) // 2, stop
    return cost


def finalists(
    trials: Trials, sources: Iterable[str], count: int = 200, against: str | None = None, budget: int | None = None
) -> list[Finalist]:
    """Rank programs on `count` fresh instances that no race has met, the best first, by successive halving.

    All meet a quarter of the instances, the better half of them the second quarter, the better half of those the rest
    (Karnin et al., 2013). Programs that went earlier stand behind, failures last. `against` is a program to compare
    with, such as the reference or where the search began: it meets all instances, and is ranked only if it is one of
    `sources`. Without it gains are those over the best.

    `budget`: instance runs that the ledger may hold. Raises `CallError`, before anything runs, if the finals could
    take more, and for no program or fewer than 8 instances.
    """
    alive = trials.contenders(sources)
    if not alive or count < _FEWEST:
        raise CallError(f"finals need a program and {_FEWEST} instances, got {len(alive)} and {count}")
    reference = None if against is None else trials.contender(against)
    blocks = trials.instances.final(count)
    compared = [] if reference is None else [reference]
    _check_budget(trials, alive, compared, count, budget)
    behind: list[Contender] = []
    failed: list[Contender] = []
    for number, block in enumerate(blocks):
        met = blocks[: number + 1]
        trials.measure([*compared, *alive], block)
        failed += [each for each in alive if trials.failure(each, met) is not None]
        alive = [each for each in alive if trials.failure(each, met) is None]
        alive.sort(key=lambda each: -trials.task.alpha * float(np.mean(_values(trials, each, met))))
        if block != blocks[-1]:
            kept = (len(alive) + 1) // 2
            alive, behind = alive[:kept], alive[kept:] + behind
    ranked = [*alive, *behind, *failed]
    return [_result(trials, each, reference or ranked[0], blocks) for each in ranked]


def _check_budget(
    trials: Trials, contenders: Sequence[Contender], compared: Sequence[Contender], count: int, budget: int | None
) -> None:
    if budget is None:
        return
    blocks, everybody = trials.instances.final(count), dict.fromkeys([*contenders, *compared])
    if trials.instances.deterministic:
        needed = sum(trials.cost(each, blocks[0]) for each in everybody)
    else:
        entries = [trials.ledger.get(each.identity, block.name) for each in everybody for block in blocks]
        # What finals that were interrupted have paid for is paid for.
        paid = sum(entry.runs for entry in entries if entry is not None)
        needed = finals_cost(len(contenders), count, bool(compared)) - paid
    left = budget - trials.ledger.runs
    if needed > left:
        raise CallError(f"the finals of {len(contenders)} programs may take {needed} instance runs, {left} are left")


def _values(trials: Trials, each: Contender, blocks: Sequence[Block]) -> list[float]:
    return [value for values in trials.objectives(each, blocks).values() for value in values]


def _result(trials: Trials, each: Contender, compared: Contender, blocks: Sequence[Block]) -> Finalist:
    seconds = sum(entry.seconds for block in blocks if (entry := trials.ledger.get(each.identity, block.name)))
    failure = trials.failure(each, blocks)
    values = _values(trials, each, blocks)
    base = Finalist(each.identity, each.source, len(values), seconds=seconds)
    if failure is not None:
        return replace(base, status=failure.status, message=failure.message)
    exact = trials.instances.deterministic
    error = 0.0 if exact else float(np.std(values, ddof=1)) / len(values) ** 0.5
    base = replace(base, objective=float(np.mean(values)), objective_error=error)
    # Blocks are met in order: the instances of the one that met fewer are the first of the other.
    common = min(len(values), len(theirs := _values(trials, compared, blocks)))
    if not common:
        return base
    comparison = compare(values[:common], theirs[:common], trials.task.alpha, exact)
    error = 0.0 if exact else comparison.error
    interval = (comparison.gain, comparison.gain) if exact else comparison.interval()
    return replace(base, gain=comparison.gain, error=error, interval=interval)
