"""The race: challengers meet an incumbent on block after block of common instances until one of them is out.

The rule is F-race with a paired t-test (Birattari et al., 2002; the test of irace), one incumbent taking the place of
the field and blocks that double: a challenger is dropped as soon as it is worse than the incumbent on the same
instances with one-sided p < `drop`; one that is left after the last block enters the pool, and becomes the incumbent
where it is better with p < `accept`. One that is better than the incumbent, but behind another challenger of its round
by the same test, enters the pool at once and spares the rest of its race. As in ROAR and FocusedILS (Hutter et al.,
2009, 2011) the incumbent meets a block when the first challenger gets that far.

Each batch begins with another block. An incumbent is the best of many on a few instances, and looks better on these
than it is: if all challengers met the same four first, hardly any would meet more (about 20 of 273 on vrptw), and of
those that are truly better most would be lost.

`scripts/benchmarks/racing_rules.py` compares rules and levels: at 1,600 instance runs this climbs twice as far as
everybody on 16 instances where few edits are better (5.3 against 2.6 %), and further than halving or OCBA of batches.
With `accept` 0.05 less is accepted by chance, and the climb is 4.5 %: what is accepted wrongly costs little.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import Any

from ...errors import CallError
from .instances import Block
from .paired import Comparison, compare
from .trials import Contender, Trials

POOL = 256
"""Programs that a pool holds; of more the worst leave it, so that a round costs the same however long a race lasts."""
REMEMBERED = 4096
"""Programs of which is known what they met here, besides those of the pool."""

OUTCOMES: dict[str, str] = {
    "incumbent": "better than the incumbent beyond noise, and in its place now",
    "entered": "not worse than the incumbent and in the pool, without taking the incumbent's place",
    "dropped": "worse than the incumbent beyond what noise explains",
    "same": "the objectives of a program of the pool or of its batch on every instance: nothing new",
    "failed": "has no result on one of the blocks, or takes too long",
    "unpaid": "the budget ends before its race does; in the pool if it was ahead of the incumbent until then",
}


@dataclass(frozen=True)
class Verdict:
    """What became of a challenger.

    `outcome` is a key of `OUTCOMES`. `gain` is that over the incumbent it met, as a share of the incumbent's mean
    objective, on `instances` common instances (None if there are none), `error` its standard error, `p_value` the
    one-sided probability of doing so well by chance. `runs` are the instance runs that the race has spent on the
    program so far. `status` and `message` are those of its failing evaluation.
    """

    program: str
    source: str = field(repr=False)
    outcome: str
    gain: float | None = None
    error: float | None = None
    p_value: float | None = None
    instances: int = 0
    runs: int = 0
    status: str = "ok"
    message: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Standing:
    """A program of the pool: its gain over the incumbent on common instances, and what it took to know.

    `expected` is the gain that this speaks for: what it has met few instances of is mostly luck (`Race.ranking`).
    """

    program: str
    source: str = field(repr=False)
    gain: float
    error: float
    instances: int
    runs: int
    expected: float = 0.0


class Race:
    """Challengers against an incumbent; the state of a race follows from its ledger and the order of its challenges.

    A search that is resumed gives the ledger of its run and challenges with the same programs in the same batches
    again: what is in the ledger costs nothing, and the verdicts are the same. They do not depend on the number of
    workers or on who ends first. The first incumbent is the best on the first block of those that challenge nobody.

    Args:
        trials: what runs programs and remembers it.
        drop: a challenger is out with one-sided p below this for being worse; 0.5 drops whoever is behind.
        accept: it replaces the incumbent with p below this for being better: as many of equal programs may, at most.
        blocks: how many there are; they double, so that 4 make 8 times the instances of the first (32 mostly).
        budget: instance runs that the ledger may hold; None for no end.
    """

    def __init__(
        self, trials: Trials, *, drop: float = 0.3, accept: float = 0.2, blocks: int = 4, budget: int | None = None
    ) -> None:
        for name, level in (("drop", drop), ("accept", accept)):
            if not 0 < level <= 0.5:
                raise CallError(f"{name} is a level above 0 and up to 0.5, got {level!r:.80}")
        if blocks < 1:
            raise CallError(f"a race needs at least one block, got {blocks}")
        self.trials = trials
        self.drop = drop
        self.accept = accept
        self.budget = budget
        instances = trials.instances
        units = 1 if instances.deterministic else 2 ** (blocks - 1)
        self.blocks = tuple(instances.block(number, instances.unit) for number in range(units))
        self.incumbent: Contender | None = None
        self._pool: dict[str, Contender] = {}
        # The blocks a program has met here: a ledger that is replayed knows of later ones.
        self._reached: dict[str, set[Block]] = {}
        # By text, incumbent, and the blocks that the two have met: nothing else changes one.
        self._standings: dict[tuple[Any, ...], Standing | None] = {}
        self._races = 0
        self._drop = drop

    def affordable(self) -> int:
        """Challengers that could at least meet their first block with what the budget has left."""
        if self.budget is None:
            return 2**31
        return max(0, self.budget - self.trials.ledger.runs) // self.blocks[0].size

    def challenge(self, source: str) -> Verdict:
        """`challenge_many` for one program."""
        return self.challenge_many([source])[0]

    def challenge_many(self, sources: Iterable[str], drop: float | None = None) -> list[Verdict]:
        """Let programs race side by side, all on the first block, who is left on the next; verdicts in their order.

        `drop`: that of this batch, None for the race's own. All of them meet the incumbent there is now. If several are
        better beyond noise the best of these takes its place. A text that is another's program has its verdict.
        """
        self._drop = self.drop if drop is None else drop
        asked = [self.trials.contender(source) for source in sources]
        verdicts: dict[str, Verdict] = {}
        alive = list(dict.fromkeys(asked))
        first = self._races % len(self.blocks)
        self._races += bool(asked)
        order = [*self.blocks[first:], *self.blocks[:first]]
        start, stop = 0, 1
        while start < len(order):
            if alive:
                alive = self._round(order[:stop], order[start:stop], alive, verdicts)
            start, stop = stop, 2 * stop
        self._close(alive, verdicts)
        answers = [replace(verdicts[each.identity], source=each.source, runs=self._runs(each)) for each in asked]
        self._forget()
        return answers

    def ranking(self) -> list[Standing]:
        """The pool, the incumbent first, then by the gain over it that a program is expected to have.

        That is the posterior mean where gains are N(-s, s^2) before anything is known, s being the standard error of a
        comparison on all blocks: of many programs the one that leads on four instances is the luckiest.
        """
        if self.incumbent is None:
            return []
        before, self._standings = self._standings, {}
        for each in self._pool.values():
            key = (each.source, self._leader.identity, self._met(each), self._met(self._leader))
            self._standings[key] = before[key] if key in before else self._standing(each)
        known = self._expected([standing for standing in self._standings.values() if standing is not None])
        return sorted(known, key=lambda each: (each.program != self._leader.identity, -each.expected))

    def unsure(self, among: int) -> str | None:
        """The first of the best `among` programs of the pool that has not met all blocks with the incumbent."""
        whole = sum(block.size for block in self.blocks)
        return next((each.source for each in self.ranking()[1:among] if each.instances < whole), None)

    def _standing(self, each: Contender) -> Standing | None:
        compared = self._compare(each, self._leader)
        if compared is None:
            return None
        figures = (compared.gain, compared.error, compared.instances, self._runs(each))
        return Standing(each.identity, each.source, *figures)

    def _expected(self, standings: Sequence[Standing]) -> list[Standing]:
        """With what is expected of each."""
        whole = sum(block.size for block in self.blocks)
        varied = [each.error**2 * each.instances for each in standings if each.error > 0]
        prior = (sum(varied) / len(varied) / whole) ** 0.5 if varied else 0.0
        shares = [each.instances / (each.instances + whole) if prior else 1.0 for each in standings]
        return [
            replace(each, expected=share * each.gain - (1 - share) * prior) for each, share in zip(standings, shares)
        ]

    def _forget(self) -> None:
        """Let the worst of a large pool go, and what is known of those that left it long ago."""
        if len(self._pool) > POOL:
            kept = {standing.program for standing in self.ranking()[:POOL]}
            self._pool = {identity: each for identity, each in self._pool.items() if identity in kept}
        oldest = list(islice(self._reached, max(0, len(self._reached) - REMEMBERED)))
        for identity in oldest:
            if identity not in self._pool:
                del self._reached[identity]

    # -- one round -----------------------------------------------------------------------------------------------------

    def _round(
        self, blocks: Sequence[Block], new: Sequence[Block], alive: list[Contender], verdicts: dict[str, Verdict]
    ) -> list[Contender]:
        """Have the incumbent and who is left meet new blocks; who is left after it. Verdicts of the others are given.

        `blocks`: those of this race until now, the new ones among them.
        """
        if not self._lead(blocks):
            verdicts.update({each.identity: self._unpaid(each) for each in alive})
            return []
        met = self._meet(alive, new)
        running: list[Contender] = []
        for each in alive:
            failure = self.trials.failure(each, blocks)
            if each.identity not in met:
                verdicts[each.identity] = self._unpaid(each)
            elif failure is not None:
                failed = Verdict(each.identity, each.source, "failed", status=failure.status, message=failure.message)
                verdicts[each.identity] = failed
                self._pool.pop(each.identity, None)
            else:
                running.append(each)
        if self.incumbent is None and running:
            self._enthrone(self._best(running, running[0]))
            verdicts[self._leader.identity] = Verdict(self._leader.identity, self._leader.source, "incumbent")
        left: list[Contender] = []
        rival = self._best([self._leader, *running], self._leader) if running else None
        for each in running:
            if self._goes_on(each, rival, left, blocks, verdicts):
                left.append(each)
        return left

    def _unpaid(self, each: Contender) -> Verdict:
        """The end of a race that the budget does not pay for: what was ahead until then has a place in the pool."""
        verdict = self._verdict(each, "unpaid")
        if verdict.gain is not None and verdict.gain > 0:
            self._pool[each.identity] = each
        return verdict

    def _lead(self, blocks: Sequence[Block]) -> bool:
        """Have the incumbent, or who takes its place if it fails, meet these blocks; False if they are not paid for."""
        while self.incumbent is not None:
            leader = self.incumbent
            if not self._meet([leader], blocks):
                return False
            if self.trials.failure(leader, blocks) is None:
                return True
            del self._pool[leader.identity]
            rest = list(self._pool.values())
            self.incumbent = self._best(rest, leader) if rest else None
        return True

    def _goes_on(
        self,
        each: Contender,
        rival: Contender | None,
        before: Sequence[Contender],
        blocks: Sequence[Block],
        verdicts: dict[str, Verdict],
    ) -> bool:
        """Whether a challenger meets the next block; `before` are those of its round that do.

        `rival` is the best so far of the incumbent and the challengers. One that is behind it but not behind the
        incumbent enters the pool at once: it will not be the next incumbent, and costs no more instance runs.
        """
        if each == self.incumbent:
            verdicts.setdefault(each.identity, self._verdict(each, "same"))
            return False
        comparison = self._compare(each, self._leader)
        if comparison is None:
            return True
        behind = self._compare(each, rival) if rival is not None and rival not in (each, self._leader) else None
        if each.identity not in self._pool and self._is_copy(each, before, blocks):
            verdicts[each.identity] = self._verdict(each, "same")
        elif comparison.worse < self._drop:
            verdicts[each.identity] = self._verdict(each, "dropped")
        elif behind is not None and behind.worse < self._drop:
            verdicts[each.identity] = self._verdict(each, "entered")
            self._pool[each.identity] = each
        else:
            return True
        return False

    def _close(self, alive: Sequence[Contender], verdicts: dict[str, Verdict]) -> None:
        """Those that met all blocks enter the pool; the best that is better beyond noise becomes the incumbent."""
        better = []
        for each in alive:
            verdict = verdicts[each.identity] = self._verdict(each, "entered")
            self._pool[each.identity] = each
            if verdict.p_value is not None and verdict.p_value < self.accept:
                better.append(each)
        if better:
            best = self._best(better, self._leader)
            self._enthrone(best)
            verdicts[best.identity] = replace(verdicts[best.identity], outcome="incumbent")

    # -- comparing -----------------------------------------------------------------------------------------------------

    @property
    def _leader(self) -> Contender:
        assert self.incumbent is not None
        return self.incumbent

    def _enthrone(self, contender: Contender) -> None:
        self.incumbent = self._pool[contender.identity] = contender

    def _meet(self, contenders: Sequence[Contender], blocks: Sequence[Block]) -> set[str]:
        """Have programs meet blocks; identities of those that have, or failed on one, and so need not go on."""
        left, done = list(contenders), set()
        for block in blocks:
            met = self.trials.measure(left, block, self.budget)
            for identity in met:
                self._reached.setdefault(identity, set()).add(block)
            failed = {each.identity for each in left if each.identity in met and self.trials.failure(each, [block])}
            done |= failed
            left = [each for each in left if each.identity in met - failed]
        return done | {each.identity for each in left}

    def _met(self, *contenders: Contender) -> tuple[Block, ...]:
        """The blocks that all of these have met."""
        reached = [self._reached.get(each.identity, set()) for each in contenders]
        return tuple(block for block in self.blocks if all(block in own for own in reached))

    def _runs(self, each: Contender) -> int:
        entries = (self.trials.ledger.get(each.identity, block.name) for block in self._met(each))
        return sum(entry.runs for entry in entries if entry is not None)

    def _best(self, contenders: Sequence[Contender], than: Contender) -> Contender:
        """The one with the largest gain over another program; the first of equals."""
        gains = [self._compare(each, than) for each in contenders]
        return max(zip(contenders, gains), key=lambda pair: pair[1].gain if pair[1] else float("-inf"))[0]

    def _compare(self, ours: Contender, theirs: Contender) -> Comparison | None:
        """Two programs on the instances that both have solved; None if there are none."""
        blocks = self._met(ours, theirs)
        first, second = (self.trials.objectives(each, blocks) for each in (ours, theirs))
        common = [block.name for block in blocks if block.name in first and block.name in second]
        if not common:
            return None
        values, others = ([value for name in common for value in solved[name]] for solved in (first, second))
        return compare(values, others, self.trials.task.alpha, self.trials.instances.deterministic)

    def _is_copy(self, each: Contender, before: Sequence[Contender], blocks: Sequence[Block]) -> bool:
        """Whether one of the pool or before it has its objectives: whole numbers on half of the blocks at least."""
        ours = self.trials.objectives(each, blocks)
        whole = all(value.is_integer() for values in ours.values() for value in values)
        # Of the changes of knapsack's best that are better, every second is the same on eight instances.
        if whole and 2 * len(blocks) < len(self.blocks):
            return False
        return any(
            all(self.trials.objectives(other, [block]).get(block.name) == ours.get(block.name) for block in blocks)
            for other in (*self._pool.values(), *before)
        )

    def _verdict(self, each: Contender, outcome: str) -> Verdict:
        compared = None if self.incumbent is None else self._compare(each, self.incumbent)
        if compared is None:
            return Verdict(each.identity, each.source, outcome)
        figures = (compared.gain, compared.error, compared.better, compared.instances)
        return Verdict(each.identity, each.source, outcome, *figures)
