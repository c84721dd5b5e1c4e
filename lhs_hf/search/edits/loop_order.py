"""Another order for what a loop of a program goes through, in programs that build a whole solution."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import libcst as cst
import numpy as np

from ...corpus.augmentation.editing import Program, pick
from ...corpus.augmentation.reading import called, is_name, target_names
from ...tasks.base import Task
from ...tasks.roles import OPTION
from ...tasks.simple import ANSWERS
from .expressions import expression, sayable, signed, spelled, with_term
from .inside import Inside, once, places, rated
from .parents import Parent, Proposal
from .watch import SEEN

_KEPT = "_visits"
_NAMES = ("option", "candidate", "entry")
_FURTHER = 0.5


def visits(task: Task) -> tuple[Inside | None, ...]:
    """What can be said of the entries of each loop (`loops`) of the reference, once; none where its calls choose one.

    The reference runs in this process, as for `inside.insides`.
    """
    return once(task, _KEPT, _visits)


def _visits(task: Task) -> tuple[Inside | None, ...]:
    if task.of_paper or getattr(task, "answers", None) in ANSWERS:
        return ()
    try:
        program, found = loops(task.template, task)
        watched = program.replace_many(
            [(each.iter, f"{SEEN}.visit({place}, {program.code(each.iter)})") for place, each in enumerate(found)]
        )
        bound = [_bound_by(program, each) for each in found]
        return places(watched, [" ".join(names) for names in bound], task) if found else ()
    except Exception:  # a person's own code; check-task names what is wrong with it
        return ()


def _bound_by(program: Program, loop: cst.For) -> list[str]:
    """The names that a loop and those inside of it go through their entries with: none is there when it begins."""
    within = [each for each in program.find(cst.For) if each is loop or loop in program.ancestors(each)]
    return list(dict.fromkeys(name for each in within for name in target_names(each.target)))


@lru_cache(maxsize=64)
def loops(source: str, task: Task) -> tuple[Program, list[cst.For]]:
    """A program, and its loops but those that rate what they go through: the best of these is chosen in any order."""
    program, scores = rated(source, task)
    rating = {loop for score in scores for loop in _around(program, score.node, score.words["x"])}
    chosen = [each for each in program.find(cst.For) if set(target_names(each.target)) - {"_"}]
    return program, [each for each in chosen if each not in rating and each.asynchronous is None]


def _around(program: Program, node: cst.CSTNode, name: str) -> list[cst.For]:
    """The loops around a place that bind a name, but for what they go through."""
    around, child = [], node
    for ancestor in program.ancestors(node):
        if isinstance(ancestor, cst.For) and child is ancestor.body and name in target_names(ancestor.target):
            around.append(ancestor)
        child = ancestor
    return around


class LoopOrder:
    """What a loop goes through is sorted by a rule: first fit becomes best fit, or first fit by decreasing size.

    For tasks whose function returns all of a solution. Rules are drawn from what the variables of the reference say of
    the entries of its loops (`visits`), where the program still has these variables. A loop that is sorted by a rule
    gets another rule, or one more term.
    """

    name = "loop_order"

    @staticmethod
    def applies(task: Task) -> bool:
        """Whether the reference has a loop of whose entries something can be said."""
        return any(visits(task))

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """The program with one loop in another order; None where nothing is known of it."""
        program, own = loops(parent.source, task)
        if not own:
            return None
        known = visits(task)
        place = int(generator.integers(len(own)))
        inside = known[place] if len(known) == len(own) else pick(generator, [each for each in known if each])
        words = None if inside is None else sayable(inside.words, program, own[place])
        option = program.fresh(generator, _NAMES)
        if words is None or option is None:
            return None
        entries, name, rule = _sorted_by(own[place].iter)
        option = name or option
        spoken = f"{option}[0]" if called(entries) == "enumerate" else option
        names = {**spelled(words, option), OPTION: spoken}
        if rule is not None and generator.random() < _FURTHER:
            text, _ = with_term(program.operand(rule), 0.0, words, names, generator)
        else:
            text = signed(expression(words, names, generator), generator)
        order = f"sorted({program.code(entries)}, key=lambda {option}: {text})"
        return Proposal(program.replace(own[place].iter, order), self.name, (parent.hash,), (text,), parent.family)


def _sorted_by(
    entries: cst.BaseExpression,
) -> tuple[cst.BaseExpression, str | None, cst.BaseExpression | None]:
    """What a loop goes through before it is sorted, and the name and the rule by which it is, None for no rule."""
    if isinstance(entries, cst.Call) and called(entries) == "sorted" and len(entries.args) == 2:
        key = entries.args[1]
        if is_name(key.keyword, "key") and isinstance(key.value, cst.Lambda) and len(key.value.params.params) == 1:
            return entries.args[0].value, key.value.params.params[0].name.value, key.value.body
    return entries, None, None
