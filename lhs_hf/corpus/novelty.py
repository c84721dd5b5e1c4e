"""What a corpus says about a program: whether it is in the corpus or new, and how its score ranks there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from ..errors import CallError
from ..evaluation.behaviour import Behaviour
from ..opening.files import is_number
from ..opening.text import one_line
from ..programs import program_hash
from ..tasks.base import Task
from .dataset import CorpusRow, load_corpus

LEVELS = {
    "reference": "the program that the task comes with",
    "given": "a program that the search was given to begin with",
    "verbatim": "the text of a corpus program",
    "canonical": "a corpus program but for layout, comments, docstrings and annotations",
    "same decisions": "decides as a corpus program on all probe states",
    "new": "decides differently from every corpus program on some probe state",
    "no corpus": "there is no corpus of the task",
}

# Decisions on at least this share of the probe states have to differ from those of every corpus program.
NEW_BEHAVIOUR = 0.05

_SPLITS = {"train": "training", "validation": "validation", "test": "test"}


def tolerance(score: float) -> float:
    """By how much two scores of one program may differ between machines: sums of floats in another order."""
    return 1e-9 * max(1.0, abs(score))


@dataclass(frozen=True)
class Novelty:
    """Whether a program is in the corpus; `level` is a key of `LEVELS`.

    `family`, `split`, `hash` and `objective` (on `search`) are those of the corpus program that it is, or of the
    nearest one in decisions. `differing` counts the probe states, of `states`, on which the two decide differently;
    None if what the program decides is not known. Of `instances` of `search` the two come to other objectives on
    `other_results`: few probe states do not show everything, so programs of the same decisions may still differ.
    """

    level: str
    family: str | None = None
    split: str | None = None
    hash: str | None = None
    objective: float | None = None
    differing: int | None = None
    states: int | None = None
    other_results: int | None = None
    instances: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Any) -> Novelty | None:
        """The reverse of `as_dict`; None for the None of a result without one. Raises `CallError` for anything else."""
        if data is None:
            return None
        if not isinstance(data, dict) or data.get("level") not in [*LEVELS]:
            raise CallError(f"novelty is {one_line(data, 80)!r}, expected an object with a level: {', '.join(LEVELS)}")
        values = {field.name: data[field.name] for field in fields(cls) if data.get(field.name) is not None}
        for name, value in values.items():
            fits = isinstance(value, str) if name in ("level", "family", "split", "hash") else is_number(value)
            if not fits:
                raise CallError(f"{name} of novelty is {one_line(value, 80)!r}")
        return cls(**values)


class Reference:
    """All programs of a task's corpus, to compare with."""

    def __init__(self, rows: Sequence[CorpusRow]) -> None:
        # What several programs share is told of the best of them.
        self.rows = sorted(rows, key=lambda row: (-row.score, row.hash))
        self.scores = np.sort(np.array([row.score for row in rows], dtype=np.float64))
        self.hashes = frozenset(row.hash for row in rows)
        self.decisions = np.stack([row.decisions for row in self.rows])

    @classmethod
    def of_task(cls, task: Task) -> Reference | None:
        """The packaged corpus of a task, all families; None if there is none."""
        try:
            rows = load_corpus(task.name)
        except FileNotFoundError:
            return None
        return cls(rows) if rows else None

    def quantile(self, score: float | None) -> float:
        """Share of corpus programs with a lower score, ties counting half; 0 for a program without a score."""
        if score is None:
            return 0.0
        margin = tolerance(score)
        below = np.searchsorted(self.scores, score - margin, side="left")
        upto = np.searchsorted(self.scores, score + margin, side="right")
        return float(below + upto) / (2 * len(self.scores))

    def has_text(self, program_hash: str | None) -> bool:
        """Whether the corpus holds this canonical form."""
        return program_hash in self.hashes

    def has_behaviour(self, behaviour: Behaviour) -> bool:
        """Whether some corpus program decides alike on more than 95 % of the probe states."""
        return float((self.decisions != behaviour.decisions).mean(axis=1).min()) < NEW_BEHAVIOUR

    def compare(self, source: str, behaviour: Behaviour | None, objectives: Sequence[float] = ()) -> Novelty:
        """What a program is to this corpus.

        `behaviour`: its decisions, None if they could not be had; `objectives`: on the instances of `search`. Raises
        `ProgramError` if the text is no program.
        """
        text, identity = source.strip(), program_hash(source)
        for level, same in (
            ("verbatim", lambda row: row.program.strip() == text),
            ("canonical", lambda row: row.hash == identity),
        ):
            row = next(filter(same, self.rows), None)
            if row is not None:
                return Novelty(level, row.family, row.split, row.hash, row.objective)
        if behaviour is None:
            return Novelty("new")
        differing = (self.decisions != behaviour.decisions).sum(axis=1)
        nearest = int(differing.argmin())
        row, count = self.rows[nearest], int(differing[nearest])
        return Novelty(
            "new" if count else "same decisions",
            row.family,
            row.split,
            row.hash,
            row.objective,
            count,
            self.decisions.shape[1],
            *_other_results(row.objectives, objectives),
        )


def _other_results(theirs: Sequence[float], ours: Sequence[float]) -> tuple[int | None, int | None]:
    if not ours or len(ours) != len(theirs):
        return None, None
    return sum(abs(a - b) > tolerance(b) for a, b in zip(ours, theirs)), len(ours)


def novelty(
    task: Task,
    reference: Reference | None,
    source: str,
    behaviour: Behaviour | None,
    objectives: Sequence[float] = (),
    given: bool = False,
) -> Novelty:
    """What a program that was found for a task is: the program the task comes with, or what its corpus says.

    Arguments as of `Reference.compare`; `reference` is None for a task without a corpus, `given` says that the program
    is one of a person's own that the search began with.
    """
    if program_hash(source) == program_hash(task.template):
        return Novelty("reference")
    if given:
        return Novelty("given")
    return Novelty("no corpus") if reference is None else reference.compare(source, behaviour, objectives)


def sentence(novelty: Novelty) -> str:
    """One line about a program that was found. Names in it are those of a corpus or of somebody's file: escape it."""
    if novelty.level == "reference":
        return "the reference program itself: nothing better was found"
    if novelty.level == "given":
        return "one of the programs that the search was given: nothing better was found"
    if novelty.level == "no corpus":
        return "not the reference program; there is no corpus of this task to compare with"
    which = f"family {one_line(novelty.family, 80)} ({_SPLITS.get(novelty.split or '', 'unknown')}"
    which += ")" if novelty.objective is None else f", {novelty.objective:.6g} on search)"
    if novelty.level in ("verbatim", "canonical"):
        return f"in the corpus: {which}, {'verbatim' if novelty.level == 'verbatim' else 'but for layout and comments'}"
    if novelty.differing is None:
        return "new program: its text is not in the corpus; what it decides on the probe states is not known"
    if novelty.level == "new":
        return (
            "new program: decides differently from every corpus program on at least "
            f"{novelty.differing} of {novelty.states} probe states; nearest: {which}"
        )
    says = f"decides as a corpus program on all {novelty.states} probe states: {which}"
    if novelty.instances is None:
        return says
    if not novelty.other_results:
        return f"{says}, with the same objectives on search"
    return f"{says}, with other objectives on {novelty.other_results} of {novelty.instances} instances of search"
