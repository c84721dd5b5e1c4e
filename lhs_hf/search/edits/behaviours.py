"""What programs decide on probe states, remembered by program: which numbers matter, which programs do the same."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from ...evaluation import Evaluator
from ...evaluation.behaviour import FAILED
from ...programs import program_hash, text_hash
from ...tasks.base import Task
from .literals import Literal, far_values, literals, replaced

REMEMBERED = 4096
"""Decisions of as many programs are kept: 2 MB."""


class Behaviours:
    """Decisions of programs on the probe states of an evaluator's task, each program run once.

    Nothing of a benchmark split is touched, no evaluation is spent. What is remembered follows from the programs alone,
    so that it changes no result.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._decisions: OrderedDict[str, np.ndarray | None] = OrderedDict()
        self._live: dict[tuple[str, int], float] = {}
        self._tell: bool | None = None

    @property
    def task(self) -> Task:
        """The task of the evaluator."""
        return self._evaluator.task

    @property
    def tell(self) -> bool:
        """Whether the probe states say anything: the reference can be asked, and there is something to choose."""
        if self._tell is None:
            reference = self.decisions(self.task.template)
            choices = any(len(state.features) > 1 for state in self.task.probes)
            self._tell = choices and reference is not None
        return self._tell

    def decisions(self, source: str) -> np.ndarray | None:
        """The decisions, int64 (64,), -1 where the program failed; None if it fails on all of them or does not load.

        Raises `ProgramError` if the text is no program.
        """
        key = program_hash(source)
        if key not in self._decisions:
            behaviour = self._evaluator.probe(source)
            failed = behaviour is None or behaviour.error_rate == 1.0
            self._decisions[key] = None if failed or behaviour is None else behaviour.decisions
            while len(self._decisions) > REMEMBERED:
                self._decisions.popitem(last=False)
        return self._decisions[key]

    def key(self, source: str) -> str | None:
        """What programs of the same decisions share, 64 hexadecimal digits; None for one that fails everywhere.

        Where the probe states say nothing (a task of one's own whose function returns a whole solution), every program
        has a key of its own. Raises `ProgramError` if the text is no program.
        """
        if not self.tell:
            return program_hash(source)
        decisions = self.decisions(source)
        return None if decisions is None else hashlib.sha256(decisions.tobytes()).hexdigest()

    def effect(self, source: str, literal: Literal) -> float:
        """The share of probe states, 0 to 1, on which a value well away from a literal's own changes the decision.

        The larger share of both directions; values with which the program fails do not count. 1 where the probe states
        say nothing.
        """
        if not self.tell:
            return 1.0
        place = (text_hash(source), literal.start)
        if place not in self._live:
            own = self.decisions(source)
            others = [self.decisions(replaced(source, {literal: value})) for value in far_values(literal)]
            shares = [
                float(((own != other) & (other != FAILED)).mean())
                for other in others
                if own is not None and other is not None
            ]
            self._live[place] = max(shares, default=0.0)
        return self._live[place]

    def is_live(self, source: str, literal: Literal) -> bool:
        """Whether a literal changes a decision on some probe state."""
        return self.effect(source, literal) > 0.0


def behaviour_key(source: str, evaluator: Evaluator) -> str | None:
    """`Behaviours.key` of one program, remembered nowhere."""
    return Behaviours(evaluator).key(source)


def live_literals(source: str, behaviours: Behaviours, most: int = 8) -> list[Literal]:
    """The numbers and sizes of a program that change most decisions, at most `most`, in source order; no flags.

    Each number costs up to two runs on the probe states. Raises `ProgramError` if the text is no program.
    """
    options = [literal for literal in literals(source) if literal.kind != "flag"]
    effects = {literal: behaviours.effect(source, literal) for literal in options}
    ranked = sorted((each for each in options if effects[each] > 0), key=lambda each: (-effects[each], each.start))
    return sorted(ranked[:most], key=lambda literal: literal.start)


def first_live(
    source: str, options: Sequence[Literal], count: int, behaviours: Behaviours | None, generator: np.random.Generator
) -> list[Literal]:
    """Up to `count` live literals among the options, asked in random order until there are enough; in source order.

    Without `behaviours` all count as live.
    """
    live: list[Literal] = []
    for place in generator.permutation(len(options)):
        if len(live) == count:
            break
        literal = options[int(place)]
        if behaviours is None or behaviours.is_live(source, literal):
            live.append(literal)
    return sorted(live, key=lambda literal: literal.start)
