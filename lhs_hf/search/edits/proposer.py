"""From edits to proposals worth an evaluation: valid, new as a text, new in what they decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ...corpus.augmentation import MAX_CHARACTERS
from ...programs import ProgramError, check_signature, parse, program_hash
from ...tasks.base import Task
from .behaviours import Behaviours
from .parents import Edit, Parent, Proposal
from .unbounded import unbounded

ATTEMPTS = 20


def refusal(source: str, task: Task, known: Container[str], longest: int = MAX_CHARACTERS) -> str | None:
    """Why a text is not worth running: "long", "syntax", "forbidden", "signature" or "known"; None if it is.

    `known` holds hashes of programs (`program_hash`), `longest` is in characters.
    """
    if len(source) > longest:
        return "long"
    try:
        check_signature(parse(source), task.function_name, len(task.arguments))
        return "known" if program_hash(source) in known else None
    except ProgramError as problem:
        return problem.kind


class Earlier(Protocol):
    """Programs that are kept elsewhere, however many."""

    def has(self, hash: str) -> bool:
        """Whether a program (by `program_hash`) is among them."""
        ...

    def alike(self, key: str) -> list[str]:
        """The texts of programs with a key of `Behaviours.key`, one at least where there is one."""
        ...


class Known:
    """The programs that need no evaluation any more, by text and by what they decide; `in` asks for a `program_hash`.

    `earlier` are known from the beginning. One text for a key is enough where nothing tells programs of one key apart.
    """

    def __init__(self, earlier: Earlier | None = None) -> None:
        self.hashes: set[str] = set()
        self._sources: dict[str, list[str]] = {}
        self._earlier = earlier

    def __contains__(self, hash: object) -> bool:
        return hash in self.hashes or (self._earlier is not None and self._earlier.has(str(hash)))

    def add(self, source: str, hash: str, key: str) -> None:
        """One more: its text, `program_hash` and `Behaviours.key`."""
        self.hashes.add(hash)
        self._sources.setdefault(key, []).append(source)

    def alike(self, key: str) -> list[str]:
        """The texts of the programs with a key."""
        own = self._sources.get(key, [])
        return own if self._earlier is None else [*self._earlier.alike(key), *own]

    def copy(self) -> Known:
        """Another one with the same programs."""
        other = Known(self._earlier)
        other.hashes = set(self.hashes)
        other._sources = {key: list(sources) for key, sources in self._sources.items()}
        return other


@dataclass(frozen=True)
class Accepted:
    """A proposal with its `hash` and the `key` of what it decides: what `Known.add` takes."""

    proposal: Proposal
    hash: str
    key: str


class Proposer:
    """Draws from an edit until a proposal passes every test, at most `attempts` times.

    Args:
        task: what the programs are for.
        behaviours: what tells decisions apart; None accepts every new text.
        longest: characters a program may have.
        attempts: draws from the edit before it is given up.
        refuses: by the signs of a program's answers (`Behaviours.signs`), whether it is expected to fail.

    `stages` counts, by operator and stage, what became of the draws: "none" (the edit did not apply), what `refusal`
    says, "fails" (on every probe state), "breaks" (fails on one where its parent answers), "illegal" (by `refuses`),
    "same" (does what its parent or a known program does), "accepted".
    """

    def __init__(
        self,
        task: Task,
        behaviours: Behaviours | None = None,
        longest: int = MAX_CHARACTERS,
        attempts: int = ATTEMPTS,
        refuses: Callable[[int], bool] = lambda signs: False,
    ) -> None:
        self._task, self._behaviours = task, behaviours
        self._refuses = refuses
        self._longest, self._attempts = longest, attempts
        self.stages: Counter[tuple[str, str]] = Counter()

    def key(self, source: str) -> str:
        """What programs of the same decisions share: the hash of the program where nothing tells decisions apart."""
        key = self._behaviours.key(source) if self._behaviours is not None else None
        return key or program_hash(source)

    def draw(
        self,
        edit: Edit,
        parent: Parent,
        pool: Sequence[Parent],
        generator: np.random.Generator,
        known: Known,
        attempts: int | None = None,
    ) -> Accepted | None:
        """A proposal that differs from its parent and from all known programs; None if no draw passed.

        `attempts`: draws of this time.
        """
        edited = self._unbounded(parent)
        for _ in range(self._attempts if attempts is None else attempts):
            stage, accepted = self.judge(edit.propose(edited, pool, self._task, generator), parent, known)
            self.stages[edit.name, stage] += 1
            if accepted is not None:
                return accepted
        return None

    def _unbounded(self, parent: Parent) -> Parent:
        """A parent whose searches begin at infinity, where nothing shows that it decides otherwise then."""
        source = unbounded(parent.source)
        if source == parent.source or self._behaviours is None:
            return parent
        same = self._behaviours.key(source) == self._behaviours.key(parent.source)
        same = same and not self._behaviours.differ(source, parent.source)
        return replace(parent, source=source) if same else parent

    def judge(self, proposal: Proposal | None, parent: Parent, known: Known) -> tuple[str, Accepted | None]:
        """What becomes of a proposal: the stage at which it ends, and what is accepted if that is "accepted"."""
        if proposal is None:
            return "none", None
        source = proposal.source
        problem = refusal(source, self._task, known, self._longest)
        if problem is not None:
            return problem, None
        own = program_hash(source)
        if own == parent.hash:
            return "known", None
        if self._behaviours is None:
            return "accepted", Accepted(proposal, own, own)
        key = self._behaviours.key(source)
        if key is None:
            return "fails", None
        if self._behaviours.breaks(source, parent.source):
            return "breaks", None
        if self._refuses(self._behaviours.signs(source)):
            return "illegal", None
        alike = known.alike(key)
        if key == self._behaviours.key(parent.source):
            alike = [parent.source, *alike]
        if not all(self._behaviours.differ(source, other) for other in alike):
            return "same", None
        return "accepted", Accepted(proposal, own, key)
