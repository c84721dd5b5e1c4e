"""From edits to proposals worth an evaluation: valid, new as a text, new in what they decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from ...corpus.augmentation import MAX_CHARACTERS
from ...programs import ProgramError, check_signature, parse, program_hash
from ...tasks.base import Task
from .behaviours import Behaviours
from .parents import Edit, Parent, Proposal

ATTEMPTS = 20


def refusal(source: str, task: Task, known: AbstractSet[str], longest: int = MAX_CHARACTERS) -> str | None:
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


@dataclass(frozen=True)
class Accepted:
    """A proposal with the two things it has to differ in: its `hash`, and the `key` of what it decides."""

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

    `stages` counts, by operator and stage, what became of the draws: "none" (the edit did not apply), what `refusal`
    says, "fails" (on every probe state), "same" (decides as a program that is known), "accepted".
    """

    def __init__(
        self,
        task: Task,
        behaviours: Behaviours | None = None,
        longest: int = MAX_CHARACTERS,
        attempts: int = ATTEMPTS,
    ) -> None:
        self._task, self._behaviours = task, behaviours
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
        hashes: AbstractSet[str],
        keys: AbstractSet[str],
    ) -> Accepted | None:
        """A proposal that differs from the programs of `hashes` in text and from those of `keys` in what it decides.

        Both are asked of the parent too, whether they hold it or not. None if no draw passed.
        """
        for _ in range(self._attempts):
            proposal = edit.propose(parent, pool, self._task, generator)
            stage, accepted = self._judge(proposal, parent, hashes, keys)
            self.stages[edit.name, stage] += 1
            if accepted is not None:
                return accepted
        return None

    def _judge(
        self, proposal: Proposal | None, parent: Parent, hashes: AbstractSet[str], keys: AbstractSet[str]
    ) -> tuple[str, Accepted | None]:
        if proposal is None:
            return "none", None
        problem = refusal(proposal.source, self._task, hashes, self._longest)
        own = program_hash(proposal.source) if problem is None else ""
        if problem is not None or own == parent.hash:
            return problem or "known", None
        if self._behaviours is None:
            return "accepted", Accepted(proposal, own, own)
        key = self._behaviours.key(proposal.source)
        if key is None:
            return "fails", None
        if key in keys or key == self._behaviours.key(parent.source):
            return "same", None
        return "accepted", Accepted(proposal, own, key)
