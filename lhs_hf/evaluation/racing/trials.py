"""Running programs on blocks, side by side, within a budget of instance runs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from ... import programs
from ...tasks.records import data_attributes
from ..evaluator import Evaluator
from ..sandbox.reckoning import COUNTED
from .instances import Block, TrainingInstances
from .ledger import Entry, Ledger


@dataclass(frozen=True)
class Contender:
    """A program that races: its identity in the ledger, its text, whether it parses, and whether runs can differ."""

    identity: str
    source: str = field(compare=False, repr=False)
    parses: bool = field(default=True, compare=False)
    repeatable: bool = field(default=True, compare=False)


class Trials:
    """Measures programs on blocks and enters what comes of it in the ledger; nothing is measured twice.

    Programs run on all workers of the evaluator at once; entries are made in the order of the programs, whoever ends
    first. A program whose runs could differ is run twice on the first block it meets (`Evaluator.evaluate_twice`).
    `on_entry` is told of how many programs that meet a block how many are through, as (done, count).
    """

    def __init__(
        self,
        evaluator: Evaluator,
        instances: TrainingInstances,
        ledger: Ledger,
        on_entry: Callable[[int, int], None] | None = None,
    ) -> None:
        self.evaluator = evaluator
        self.instances = instances
        self.ledger = ledger
        self._on_entry = on_entry or (lambda done, count: None)
        self.task = evaluator.task
        self._attributes = data_attributes(self.task)
        self._waited, self._ran = 0.0, 0.0

    def contenders(self, sources: Iterable[str]) -> list[Contender]:
        """The programs that these texts are, the same one once."""
        return list(dict.fromkeys(map(self.contender, sources)))

    def contender(self, source: str) -> Contender:
        """The program that a text is."""
        try:
            identity = programs.program_hash(source)
            if self.task.reads_source:
                identity = programs.text_hash(source)
            return Contender(identity, source, repeatable=programs.is_repeatable(source, self._data_in(source)))
        except programs.ProgramError:
            return Contender(programs.text_hash(source), source, parses=False)

    def _data_in(self, source: str) -> frozenset[str]:
        """Attributes that are data in a program; those that only the reference says are so once it was run twice."""
        return frozenset() if source == self.task.template else self._attributes

    def cost(self, contender: Contender, block: Block) -> int:
        """Instance runs that meeting a block costs a program: none if it has met it, or does not parse."""
        if not contender.parses or self.ledger.get(contender.identity, block.name) is not None:
            return 0
        return block.size * (2 if self._twice(contender, block) else 1)

    def measure(self, contenders: Sequence[Contender], block: Block, budget: int | None = None) -> set[str]:
        """Have programs meet a block; identities of those that have now.

        `budget`: instance runs that the ledger may hold afterwards. Programs are served in their order; one whose runs
        are no longer paid for is left out.
        """
        met, new, planned = set(), [], self.ledger.runs
        for contender in dict.fromkeys(contenders):
            price = self.cost(contender, block)
            if price and budget is not None and planned + price > budget:
                continue
            planned += price
            met.add(contender.identity)
            if self.ledger.get(contender.identity, block.name) is None:
                new.append((contender, price))
        if new:
            self._run(new, block)
        return met

    def failure(self, contender: Contender, blocks: Iterable[Block]) -> Entry | None:
        """The entry by which a program is out: the first of these blocks that it fails on, or that takes its time up.

        Together, blocks may take as long as as many instances of `search`; small ones one by one may take longer. Where
        what a program computes was counted on one of them, that goes for all.
        """
        seconds, count, each = 0.0, 0, None
        for block in blocks:
            entry = self.ledger.get(contender.identity, block.name)
            if entry is None:
                continue
            if entry.status != "ok":
                return entry
            if entry.message == COUNTED:
                each = entry.seconds / block.size
            seconds, count = seconds + entry.seconds, count + block.size
            if each is not None:
                seconds = each * count
            allowed = self.instances.seconds(count)
            if self.evaluator.limits.wall_s is None and seconds > allowed:
                text = f"{count} instances took {seconds:.3g} s, {allowed:.3g} s are allowed"
                return Entry(entry.program, entry.block, "wall_timeout", (), entry.runs, entry.seconds, text)
        return None

    def objectives(self, contender: Contender, blocks: Iterable[Block]) -> dict[str, tuple[float, ...]]:
        """A program's objectives by block, of those blocks that it has solved."""
        entries = (self.ledger.get(contender.identity, block.name) for block in blocks)
        return {entry.block: entry.objectives for entry in entries if entry is not None and entry.status == "ok"}

    @property
    def crowding(self) -> float:
        """Seconds of a worker for each that a program ran, so far: more than 1 where processors are busy otherwise."""
        return max(1.0, self._waited / self._ran) if self._ran else 1.0

    def _twice(self, contender: Contender, block: Block) -> bool:
        return not contender.repeatable and not self.ledger.of(contender.identity)

    def _run(self, priced: Sequence[tuple[Contender, int]], block: Block) -> None:
        split, evaluator = self.instances.split(block), self.evaluator
        futures = [
            evaluator.submit(contender.source, split, twice=self._twice(contender, block)) for contender, _ in priced
        ]
        started = time.monotonic()
        try:
            self._on_entry(0, len(priced))
            for done, ((contender, price), future) in enumerate(zip(priced, futures), 1):
                result = future.result()
                objectives = result.objectives if result.ok else ()
                entry = (contender.identity, block.name, result.status, objectives, price)
                self.ledger.add(Entry(*entry, seconds=result.runtime_s, message=result.message))
                self._ran += result.runtime_s
                self._on_entry(done, len(priced))
            self._waited += (time.monotonic() - started) * min(len(priced), evaluator.workers)
        finally:
            for future in futures:
                future.cancel()
