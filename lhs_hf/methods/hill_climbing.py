"""Tree hill climbing: edits of good programs, no model. The control for everything that a latent space is said to add.

Parents are drawn by rank from the best programs so far; a child is one edit away: half of them change a few numbers,
three in ten go through a transform, two in ten are crossed with a program of another family. No decoder is called.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from ..corpus.dataset import load_corpus
from ..errors import CallError, unknown
from ..evaluation import Evaluator
from ..programs import program_hash
from ..search.edits import Accepted, Behaviours, Known, Parent, Proposal, Proposer, draw_by_rank, edits
from ..tasks.base import Task
from .method import Result

SHARES: Mapping[str, float] = {"literals": 0.5, "transform": 0.3, "crossover": 0.2}
FAMILIES = 8
"""Families of the corpus that a climb starts from."""

_PARENTS_TRIED, _ATTEMPTS, _RULE_EVERY = 60, 5, 6


@dataclass(frozen=True)
class ClimbSettings:
    """How a climb goes.

    `pool`: how many of the best programs may be parents. `shares`: edit (a name of `search.edits.edits`) -> its share
    of the children. `seed`: where all randomness comes from.
    """

    seed: int = 0
    pool: int = 10
    shares: Mapping[str, float] = field(default_factory=lambda: dict(SHARES))


class HillClimbing:
    """The loop by `ask` and `tell`; the scores may come from any evaluation, on any instances.

    Args:
        task: the task.
        starts: programs to begin with; their scores are known already.
        settings: see `ClimbSettings`.
        behaviours: tells which numbers are live and which programs decide the same; None draws any number and refuses
            equal texts only.

    Raises `CallError` if there is no program to begin with, or for wrong settings.
    """

    def __init__(
        self,
        task: Task,
        starts: Sequence[Parent],
        settings: ClimbSettings | None = None,
        behaviours: Behaviours | None = None,
    ) -> None:
        self.settings = settings or ClimbSettings()
        if not starts:
            raise CallError("hill climbing needs at least one program to begin with")
        if self.settings.pool < 1:
            raise CallError(f"the pool must hold at least 1 program, got {self.settings.pool}")
        self._edits = edits(behaviours, tuple(starts), task)
        for name, share in self.settings.shares.items():
            if name not in self._edits:
                raise unknown("edit", name, self._edits)
            if not share >= 0:
                raise CallError(f"the share of {name} must be 0 or more, got {share}")
        if not sum(self.settings.shares.values()) > 0:
            raise CallError("at least one edit needs a share above 0")
        self.proposer = Proposer(task, behaviours, attempts=_ATTEMPTS)
        self._starts = tuple(starts)
        self._pending: list[Accepted] = []
        self._start_keys = [self.proposer.key(start.source) for start in starts]
        self.history: list[dict[str, Any]] = []
        self._forget()

    def _forget(self) -> None:
        self.history = []
        self._pending = []
        self._programs = list(self._starts)
        self._known = Known()
        for start, key in zip(self._starts, self._start_keys):
            self._known.add(start.source, start.hash, key)

    @property
    def best(self) -> Parent:
        """The program with the highest score, the first of equal ones; it may be one of the starts."""
        return max(self._programs, key=lambda each: each.score)

    def ask(self, count: int = 1) -> list[Proposal]:
        """The next programs to evaluate; fewer than `count` if no edit of the pool gives a new one.

        Those that have been asked for and not told are given again, whatever the count.
        """
        if not self._pending:
            known = self._known.copy()
            for number in range(len(self.history), len(self.history) + count):
                accepted = self._propose(np.random.default_rng([self.settings.seed, number]), known)
                if accepted is None:
                    break
                self._pending.append(accepted)
                known.add(accepted.proposal.source, accepted.hash, accepted.key)
        return [accepted.proposal for accepted in self._pending]

    def _propose(self, generator: np.random.Generator, known: Known) -> Accepted | None:
        elite = sorted(self._programs, key=lambda each: -each.score)[: self.settings.pool]
        # Every start stays a partner: families that no elite is left of, too.
        pool = [*elite, *(start for start in self._starts if start not in elite)]
        names = [name for name, share in self.settings.shares.items() if share > 0]
        shares = np.array([self.settings.shares[name] for name in names])
        for attempt in range(1, _PARENTS_TRIED + 1):
            parent = draw_by_rank(elite, generator, lambda each: each.score)
            edit = self._edits[names[int(generator.choice(len(names), p=shares / shares.sum()))]]
            if attempt % _RULE_EVERY == 0:
                # A program that no other edit applies to (the reference of four tasks) is given a rule.
                edit = self._edits["choose_by"]
            accepted = self.proposer.draw(edit, parent, pool, generator, known)
            if accepted is not None:
                return accepted
        return None

    def tell(self, results: Sequence[Result]) -> None:
        """What all programs that were asked for are worth, in that order.

        Raises `CallError` for other programs.
        """
        if [result.proposal for result in results] != [accepted.proposal for accepted in self._pending]:
            raise CallError(f"expected results of the {len(self._pending)} programs asked for, in that order")
        for accepted, result in zip(self._pending, results):
            proposal = result.proposal
            entry = {**asdict(proposal), "hash": accepted.hash, "key": accepted.key, "score": result.score}
            self._add({**entry, "parents": list(proposal.parents), "changes": list(proposal.changes)})
        self._pending = []

    def _add(self, entry: dict[str, Any]) -> None:
        self.history.append(entry)
        self._known.add(entry["source"], entry["hash"], entry["key"])
        if entry["score"] is not None:
            self._programs.append(Parent(entry["source"], entry["hash"], entry["family"], entry["score"]))

    def state(self) -> dict[str, Any]:
        """Plain data for JSON: what was told. Programs that were asked for only are asked for again."""
        return {"seed": self.settings.seed, "starts": [start.hash for start in self._starts], "history": self.history}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Go on where `state` was taken. Raises `CallError` for a state of other starts or another seed."""
        own = {name: value for name, value in self.state().items() if name != "history"}
        for name, value in own.items():
            if state[name] != value:
                raise CallError(f"this state belongs to a climb of another kind: its {name} is {state[name]!r}")
        self._forget()
        for entry in state["history"]:
            self._add(dict(entry))


def corpus_starts(task: Task, families: int = FAMILIES) -> list[Parent]:
    """The best *training* program of each of the best families of the packaged corpus, by score on `search`.

    A family whose best decides on the probe states like one taken before is passed over. Raises `FileNotFoundError` for
    a task that the corpus does not hold.
    """
    rows = sorted(load_corpus(task.name, "train"), key=lambda row: (-row.score, row.hash))
    starts: list[Parent] = []
    taken: set[str] = set()
    decisions: set[bytes] = set()
    for row in rows:
        if len(starts) < families and row.family not in taken:
            taken.add(row.family)
            if row.decisions.tobytes() not in decisions:
                starts.append(Parent(row.program, row.hash, row.family, row.score))
            decisions.add(row.decisions.tobytes())
    return starts


def reference_start(task: Task, evaluator: Evaluator) -> list[Parent]:
    """The task's reference program alone, scored on `search`. Raises `CallError` if it can not be scored."""
    evaluation = evaluator.evaluate(task.template, "search")
    if evaluation.score is None:
        raise CallError(f"the reference of {task.name} has no score: {evaluation.status}: {evaluation.message}")
    return [Parent(task.template, program_hash(task.template), "reference", evaluation.score)]
