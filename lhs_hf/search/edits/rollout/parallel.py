"""The edit: two rules are each played to the end from where a program stands, and the better one decides.

Rules of about the same quality go wrong in different places. Of two that are played on (parallel rollout: Chang, Givan
and Chong, 2004) the better one is known before it is followed, wherever they differ.
"""

from __future__ import annotations

from collections.abc import Sequence

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


_OWN_CHARACTERS = 900
"""What is written beside the rules, about."""
_WHOLE = ("finished", "played_out", "completed", "decided")


class ParallelRollout:
    """Two rules of different families are played to the end, and the choice of the one that ends better is taken.

    For tasks whose model is written down (`known`); what it does where one was learned is not measured. Where both
    choose alike nothing is played. Where a program may answer all at once, all that the better rule decides is its
    answer, and such a program can be one of the two again.
    """

    name = "parallel_rollout"

    @staticmethod
    def applies(task: Task) -> bool:
        """Whether the task is one of the paper that can be played."""
        return task.of_paper and task_model(task) is not None

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of the parent, or of another of the pool where nothing goes with it, and of a stranger to that.

        None without two plain rules of different families, or if they can not stand in one module.
        """
        model = task_model(task)
        partners = _partners([parent, *pool])
        first = parent if parent.hash in partners else pick(generator, [each for each in pool if each.hash in partners])
        if model is None or first is None:
            return None
        second = draw_stranger(first, partners[first.hash], generator)
        if second is None:
            return None
        merged = merge(read(first.source), read(second.source), generator, task)
        source = None if merged is None else parallel(merged, task, model)
        if source is None:
            return None
        change = f"{first.family} or {second.family}, whichever ends better"
        return Proposal(source, self.name, (first.hash, second.hash), (change,), _base(first) + PLAYED_ON)


def _partners(pool: Sequence[Parent]) -> dict[str, list[Parent]]:
    """By the hash of each plain rule that has some: those of other families that fit into one program with it."""
    plain = [each for each in pool if not plays_on(each.source)]
    room = MAX_CHARACTERS - _OWN_CHARACTERS
    partners = {
        one.hash: [each for each in plain if _base(each) != _base(one) and len(each.source) + len(one.source) <= room]
        for one in plain
    }
    return {hash: others for hash, others in partners.items() if others}


def _base(rule: Parent) -> str:
    """The family of a rule before it was played on."""
    return rule.family.removesuffix(PLAYED_ON)


def parallel(merged: Merged, task: Task, model: TaskModel) -> str | None:
    """The program that follows the better of two rules. None where the names are taken."""
    text = f"{merged.imports}\n\n{merged.body}" if merged.imports else merged.body
    names = _names(read(text).names, task, model)
    if names is None:
        return None
    arguments = ", ".join(task.arguments)
    scores = getattr(task, "answers", None) == "scores"
    called = f"{names['rule']}({arguments})"
    begin, steps, result = plays(model, names, _chosen(names, called, arguments) if scores else called, _DEPTH)
    parts = [text.rstrip() + "\n", _choice(model, names, arguments) if scores else ""]
    parts.append(
        f"def {names['outcome']}({names['rule']}, {OPTION}, {arguments}):\n"
        f'    """What a rule comes to after its choice."""\n'
        f"    {begin}\n{indent(steps)}"
        f"    return {f'{result}, {model.whole}' if model.whole else result}\n"
    )
    parts.append(f"{task.signature()}\n{indent(_better(task, model, merged, names, scores))}")
    source = "\n\n".join(filter(None, parts))
    return f"import numpy as np\n\n\n{source}" if "np." in source and "np" not in read(source).imports else source


def _names(taken: set[str], task: Task, model: TaskModel) -> dict[str, str] | None:
    """Names of functions that the rules do not have, and of variables; None if there are none."""
    names = free_names(set(), task)
    if names is not None and model.whole:
        names["outcome"] = next((name for name in _WHOLE if name not in taken), "")
    return names if names and names["outcome"] and not {names["outcome"], names["choice"]} & taken else None


def _choice(model: TaskModel, names: dict[str, str], arguments: str) -> str:
    rates = names["rates"]
    return (
        f"def {names['choice']}({rates}, {arguments}):\n"
        f'    """The alternative that is rated highest."""\n'
        f"    {rates} = list({rates})\n"
        f"    return list({model.options})[{rates}.index(max({rates}))]\n"
    )


def _chosen(names: dict[str, str], rates: str, arguments: str) -> str:
    return f"{names['choice']}({rates}, {arguments})"


def _better(task: Task, model: TaskModel, merged: Merged, names: dict[str, str], scores: bool) -> str:
    """Statements that answer as the rule does that ends better."""
    one, other, outcome, arguments = names["one"], names["other"], names["outcome"], ", ".join(task.arguments)
    # A rule that changes what it is given would change it for the other.
    shown = ", ".join(f"list({name})" if name in model.live else name for name in task.arguments)
    first, second = (_chosen(names, each, arguments) if scores else each for each in (one, other))
    sign = "<=" if task.sense == "min" else ">="
    calls = f"{merged.first}, {first}, {arguments}", f"{merged.second}, {second}, {arguments}"
    text = f'"""{FOLLOWS}"""\n{one}, {other} = {merged.first}({shown}), {merged.second}({shown})\n'
    if model.whole:
        text += f"{one}_ends, {one} = {outcome}({calls[0]})\n{other}_ends, {other} = {outcome}({calls[1]})\n"
    else:
        text += f"if {first} == {second}:\n    return {one}\n"
        text += f"{one}_ends = {outcome}({calls[0]})\n{other}_ends = {outcome}({calls[1]})\n"
    return text + f"return {one} if {one}_ends {sign} {other}_ends else {other}\n"
