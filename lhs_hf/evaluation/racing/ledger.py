"""What every program has done on every block it has met: plain data, in the order in which it was measured."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ...errors import CallError
from ...recent import Recent

REMEMBERED = 4096
"""Programs whose entries a `StoredLedger` keeps in memory, about 10 MB."""


@dataclass(frozen=True)
class Entry:
    """One program on one block.

    `program` is its hash, `block` the name of the block, `status` and `message` those of the evaluation, `objectives`
    one value an instance (none unless `status` is "ok"). `runs` are the instance runs it cost, `seconds` its runtime.
    """

    program: str
    block: str
    status: str
    objectives: tuple[float, ...]
    runs: int
    seconds: float
    message: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self) | {"objectives": list(self.objectives)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Entry:
        """The entry that `as_dict` described. Raises `CallError` for anything else."""
        try:
            entry = cls(**{**data, "objectives": tuple(map(float, data["objectives"]))})
            texts = all(isinstance(each, str) for each in (entry.program, entry.block, entry.status, entry.message))
            finite = all(map(math.isfinite, (*entry.objectives, entry.seconds)))
            valid = texts and finite and isinstance(entry.runs, int) and entry.runs >= 0
        except (TypeError, ValueError, KeyError, OverflowError):
            valid = False
        if not valid or bool(entry.objectives) != (entry.status == "ok"):
            raise CallError(f"not an entry of a ledger of instance runs: {data!r:.200}")
        return entry


class Ledger:
    """All entries of a run.

    Args:
        entries: those of a run that is resumed, as `as_dicts` or the sink gave them.
        sink: called with each new entry as plain data, before anybody decides by it.
    """

    def __init__(
        self, entries: Iterable[Mapping[str, Any]] = (), sink: Callable[[dict[str, Any]], object] | None = None
    ) -> None:
        self._entries: dict[str, dict[str, Entry]] = {}
        self._order: deque[Entry] = deque()
        self._sink: Callable[[dict[str, Any]], object] | None = None
        self.runs = 0
        for each in entries:
            self.add(Entry.from_dict(each))
        self._sink = sink

    def __len__(self) -> int:
        return len(self.as_dicts())

    def add(self, entry: Entry) -> None:
        """Enter what was measured. Raises `CallError` for a program that has met this block already."""
        own = self._own(entry.program)
        if entry.block in own:
            raise CallError(f"the ledger holds program {entry.program[:12]} on block {entry.block} already")
        if self._sink is not None:
            self._sink(entry.as_dict())
        own[entry.block] = entry
        self._order.append(entry)
        self.runs += entry.runs

    def get(self, program: str, block: str) -> Entry | None:
        """A program's entry on a block, None if it has not met it."""
        return self._own(program).get(block)

    def of(self, program: str) -> tuple[Entry, ...]:
        """The entries of a program, in order."""
        return tuple(self._own(program).values())

    def runs_of(self, program: str) -> int:
        """Instance runs spent on a program."""
        return sum(entry.runs for entry in self.of(program))

    def as_dicts(self) -> list[dict[str, Any]]:
        """Every entry as plain data for JSON, in order."""
        return [entry.as_dict() for entry in self._order]

    def _own(self, program: str) -> dict[str, Entry]:
        """A program's entries by block."""
        return self._entries.setdefault(program, {})


class StoredLedger(Ledger):
    """A ledger whose entries lie in a database: those of the last `REMEMBERED` programs are in memory.

    Args:
        read: the entries of a program as plain data, in order; those of all programs for None.
        sink: called with each new entry, which `read` gives from then on.
        runs: instance runs of all entries.
    """

    def __init__(
        self,
        read: Callable[[str | None], Iterable[Mapping[str, Any]]],
        sink: Callable[[dict[str, Any]], object],
        runs: int = 0,
    ) -> None:
        super().__init__(sink=sink)
        self._entries = Recent(REMEMBERED)
        self._order = deque(maxlen=0)
        self._read = read
        self.runs = runs

    def as_dicts(self) -> list[dict[str, Any]]:
        """Every entry as plain data for JSON, in order."""
        return [dict(entry) for entry in self._read(None)]

    def _own(self, program: str) -> dict[str, Entry]:
        if program not in self._entries:
            self._entries[program] = {entry.block: entry for entry in map(Entry.from_dict, self._read(program))}
        return self._entries[program]
