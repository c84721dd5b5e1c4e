"""What programs do where nothing is scored: which numbers matter, which programs decide alike."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from ...evaluation import Evaluator
from ...evaluation.behaviour import FAILED
from ...programs import program_hash, text_hash
from ...recent import Recent
from ...tasks.base import FreshSplit, Task
from .following import follows
from .literals import Literal, far_values, literals, replaced

REMEMBERED = 4096
"""Decisions of as many programs are kept, 2 MB, and of as many literals whether they matter."""

DEAD_SHARE = 0.25
"""How often a number is changed although no probe state shows what it does: it may on larger instances."""


class Behaviours:
    """Decisions of programs on the probe states of an evaluator's task, and what comes out on its practice instances.

    Probe states are small: about half of the edits that they show nothing of change results on instances of full size.
    Programs that decide alike are therefore told apart on the practice instances, which belong to no split either. No
    evaluation is spent; `practice_runs` counts the instances. What is remembered follows from the programs alone, so
    that it changes no result.

    Args:
        evaluator: runs programs of the task.
        practice: tell programs that decide alike apart on the practice instances; without it they are the same.
    """

    def __init__(self, evaluator: Evaluator, practice: bool = True) -> None:
        self._evaluator = evaluator
        self._decisions: Recent[str, tuple[np.ndarray | None, int]] = Recent(REMEMBERED)
        self._practised: Recent[str, tuple[str, tuple[float, ...]]] = Recent(REMEMBERED)
        self._live: Recent[tuple[str, int], bool] = Recent(REMEMBERED)
        self._tell: bool | None = None
        self._practice = _practice_split(evaluator.task) if practice else None
        self.practice_runs = 0

    @property
    def task(self) -> Task:
        """The task of the evaluator."""
        return self._evaluator.task

    @property
    def tell(self) -> bool:
        """Whether the probe states say anything: the reference can be asked, and there is something to choose.

        Not so where the score depends on more than a choice (`Task.values_matter`): thresholds, amounts, prices.
        """
        if self._tell is None:
            reference = self.decisions(self.task.template)
            choices = any(len(state.features) > 1 for state in self.task.probes)
            self._tell = choices and reference is not None and not self.task.values_matter
        return self._tell

    def decisions(self, source: str) -> np.ndarray | None:
        """The decisions, int64 (64,), -1 where the program failed; None if it fails on all of them or does not load.

        Raises `ProgramError` if the text is no program.
        """
        return self._probed(source)[0]

    def signs(self, source: str) -> int:
        """How a program's answers differ in kind from those of the reference, as bits (`tasks.signs`).

        Nothing runs where they are 0 for all. Raises `ProgramError` if the text is no program.
        """
        return 0 if self.task.checks_answers else self._probed(source)[1]

    def _probed(self, source: str) -> tuple[np.ndarray | None, int]:
        key = program_hash(source)
        if key not in self._decisions:
            behaviour = self._evaluator.probe(source)
            failed = behaviour is None or behaviour.error_rate == 1.0
            self._decisions[key] = (None, 0) if failed or behaviour is None else (behaviour.decisions, behaviour.signs)
        return self._decisions[key]

    def breaks(self, source: str, other: str) -> bool:
        """Whether a program fails on a probe state on which another answers.

        On instances of full size nearly all of these fail, too: what they fail at is the first or the last choice, or a
        state that is rarer on small ones. False where it takes as long to ask as to run.
        """
        if follows(source):
            return False
        own, others = self.decisions(source), self.decisions(other)
        return others is not None and (own is None or bool(((own == FAILED) & (others != FAILED)).any()))

    def key(self, source: str) -> str | None:
        """What programs of the same decisions share, 64 hexadecimal digits; None for one that fails everywhere.

        Where the probe states say nothing (a task of one's own whose function returns a whole solution) or it takes as
        long to ask as to run, every program has a key of its own. Raises `ProgramError` if the text is no program.
        """
        if not self._asked(source):
            return program_hash(source)
        decisions = self.decisions(source)
        return None if decisions is None else hashlib.sha256(decisions.tobytes()).hexdigest()

    def _asked(self, source: str) -> bool:
        """Whether it pays to ask a program what it decides."""
        return self.tell and not follows(source)

    def differ(self, one: str, two: str) -> bool:
        """Whether two programs of one key come to other results on the practice instances; False without practice."""
        return self._practice is not None and self._results(one) != self._results(two)

    def _results(self, source: str) -> tuple[str, tuple[float, ...]]:
        key = program_hash(source)
        if key not in self._practised:
            assert self._practice is not None
            evaluation = self._evaluator.evaluate(source, self._practice)
            self.practice_runs += self._practice.count
            self._practised[key] = (evaluation.status, evaluation.objectives)
        return self._practised[key]

    def effect(self, source: str, literal: Literal) -> float:
        """The share of probe states, 0 to 1, on which a value well away from a literal's own changes the decision.

        The larger share of both directions; values with which the program fails do not count. 1 where the probe states
        say nothing or are not asked.
        """
        if not self._asked(source):
            return 1.0
        return max(self._share(source, replaced(source, {literal: value})) for value in far_values(literal))

    def is_live(self, source: str, literal: Literal) -> bool:
        """Whether a literal changes a decision on some probe state."""
        place = (text_hash(source), literal.start)
        if place not in self._live:
            others = (replaced(source, {literal: value}) for value in far_values(literal))
            self._live[place] = not self._asked(source) or any(self._share(source, other) > 0 for other in others)
        return self._live[place]

    def _share(self, one: str, two: str) -> float:
        before, after = self.decisions(one), self.decisions(two)
        return 0.0 if before is None or after is None else float(((before != after) & (after != FAILED)).mean())


def _practice_split(task: Task) -> FreshSplit | None:
    """The practice instances as instances that an evaluator takes; None if the task has none."""
    practice, instances = task.practice, task.practice_instances
    if practice is None or not instances:
        return None
    calls, parameters = practice.program_calls, practice.parameters
    return FreshSplit(
        "practice", len(instances), practice.seed, calls, parameters, instances=instances, task=task.identity
    )


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
    """Up to `count` of the options, in source order: asked in random order, live ones always taken, dead ones seldom.

    Without `behaviours` all count as live.
    """
    live: list[Literal] = []
    for place in generator.permutation(len(options)):
        if len(live) == count:
            break
        literal = options[int(place)]
        if behaviours is None or generator.random() < DEAD_SHARE or behaviours.is_live(source, literal):
            live.append(literal)
    return sorted(live, key=lambda literal: literal.start)
