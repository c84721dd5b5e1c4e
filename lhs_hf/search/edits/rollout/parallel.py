"""The edit: two rules are each played to the end from where a program stands, and the better one decides.

Rules of about the same quality go wrong in different places. Of two that are played on (parallel rollout: Chang, Givan
and Chong, 2004) the better one is known before it is followed, wherever they differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ....corpus.augmentation import MAX_CHARACTERS
from ....corpus.augmentation.crossover import Merged, merge
from ....corpus.augmentation.editing import indent, pick, read
from ....tasks.base import Task
from ....tasks.roles import OPTION
from ..following import FOLLOWS
from ..parents import Parent, Proposal, draw_stranger
from .model import task_model
from .task_model import TaskModel
from .writing import PLAYED_ON, free_names, plays, plays_on

_DEPTH = 200
"""Decisions that a rule is followed for: to the end, or sums of different decisions would be compared."""
_STEPWISE, _WHOLE = ("outcome",), ("finished", "played_out", "completed", "decided")
"""What the function that plays is called: by one name, which tells a program that plays on (`plays_on`), or by another,
so that a program that answers all at once counts as a rule."""


class ParallelRollout:
    """Two rules, of different families if there are, are played to the end, and the one that ends better is followed.

    For tasks whose model is written down (`known`): where one was learned, searches with it ended 3 % better on one
    development task of the zoo, 10 % worse on another and level on a third. Where both choose alike nothing is played.
    Where a program may answer all at once, all that the better rule decides is its answer, and such a program can be
    one of the two again.
    """

    name = "parallel_rollout"

    @staticmethod
    def applies(task: Task) -> bool:
        """Whether the task is one of the paper that can be played, as often as an edit is drawn."""
        model = task_model(task)
        return task.of_paper and model is not None and not model.lengthy

    @staticmethod
    def seldom(task: Task) -> bool:
        """Whether it applies to a few programs of a search, that being all that there is time for."""
        model = task_model(task)
        return task.of_paper and model is not None and model.lengthy

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of the parent, or of another of the pool where nothing goes with it, and of a stranger to that.

        None without two plain rules that fit, or if they can not stand in one module.
        """
        partners = _partners([parent, *pool], MAX_CHARACTERS - _own_characters(task))
        first = parent if parent.hash in partners else pick(generator, [each for each in pool if each.hash in partners])
        if first is None:
            return None
        second = draw_stranger(first, partners[first.hash], generator)
        if second is None:
            return None
        source = _joined(*sorted((first.source, second.source)), task)
        if source is None:
            return None
        change = f"{first.family} or {second.family}, whichever ends better"
        return Proposal(source, self.name, (first.hash, second.hash), (change,), _base(first) + PLAYED_ON)


@lru_cache(maxsize=256)
def _joined(one: str, other: str, task: Task) -> str | None:
    """One text for two rules, so that what was proposed before is known by it; None if there is none.

    Remembered: the same two are drawn again and again, and reading programs takes long.
    """
    model = task_model(task)
    merged = merge(read(one), read(other), np.random.default_rng(0), task)
    return None if merged is None or model is None else parallel(merged, task, model)


@lru_cache(maxsize=64)
def _own_characters(task: Task) -> int:
    """What is written beside two rules, about."""
    return len(_joined(task.template, task.template, task) or "") - 2 * len(task.template)


def _partners(pool: Sequence[Parent], most: int) -> dict[str, list[Parent]]:
    """By the hash of each plain rule that has some: those that have at most so many characters together with it.

    Of other families where there are some: all that is decoded from the reference is of its family.
    """
    plain = [each for each in pool if not plays_on(each.source)]
    partners = {}
    for one in plain:
        fitting = [each for each in plain if each.hash != one.hash and len(one.source) + len(each.source) <= most]
        partners[one.hash] = [each for each in fitting if _base(each) != _base(one)] or fitting
    return {hash: others for hash, others in partners.items() if others}


def _base(rule: Parent) -> str:
    """The family of a rule before it was played on."""
    return rule.family.removesuffix(PLAYED_ON)


def parallel(merged: Merged, task: Task, model: TaskModel) -> str | None:
    """The program that follows the better of two rules. None where the names are taken."""
    text = f"{merged.imports}\n\n{merged.body}" if merged.imports else merged.body
    program = read(text)
    names = free_names(set(), task)  # of variables: what the rules call theirs does not matter
    functions = [name for name in (_WHOLE if model.whole else _STEPWISE) if name not in program.names]
    if names is None or not functions:
        return None
    rule, arguments = names["rule"], ", ".join(task.arguments)
    begin, steps, result = plays(model, names, f"{rule}({arguments})", _DEPTH)
    outcome = (
        f"def {functions[0]}({rule}, {OPTION}, {arguments}):\n"
        f'    """What a rule comes to after its choice."""\n'
        f"    {begin}\n{indent(steps)}"
        f"    return {f'{result}, {model.whole}' if model.whole else result}\n"
    )
    better = f"{task.signature()}\n{indent(_better(task, model, merged, names, functions[0]))}"
    source = "\n\n".join((text.rstrip() + "\n", outcome, better))
    return f"import numpy as np\n\n\n{source}" if "np." in source and "np" not in program.imports else source


def _better(task: Task, model: TaskModel, merged: Merged, names: dict[str, str], outcome: str) -> str:
    """Statements that answer as the rule does that ends better."""
    one, other, arguments = names["one"], names["other"], ", ".join(task.arguments)
    # A rule that changes what it is given would change it for the other.
    shown = ", ".join(f"list({name})" if name in model.live else name for name in task.arguments)
    sign = "<=" if task.sense == "min" else ">="
    calls = f"{outcome}({merged.first}, {one}, {arguments})", f"{outcome}({merged.second}, {other}, {arguments})"
    text = f'"""{FOLLOWS}"""\n{one}, {other} = {merged.first}({shown}), {merged.second}({shown})\n'
    if model.whole:
        text += f"{one}_ends, {one} = {calls[0]}\n{other}_ends, {other} = {calls[1]}\n"
    else:
        text += f"if {one} == {other}:\n    return {one}\n{one}_ends, {other}_ends = {calls[0]}, {calls[1]}\n"
    return text + f"return {one} if {one}_ends {sign} {other}_ends else {other}\n"
