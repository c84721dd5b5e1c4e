"""A first rule for programs that have none: the first of a list gives way to the best by a natural term of the task."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst
import numpy as np

from ...corpus.augmentation.editing import Program, pick, read
from ...corpus.augmentation.parametric import shorten
from ...corpus.augmentation.reading import is_name, number
from ...corpus.augmentation.scoring import argument_names
from ...corpus.augmentation.vocabulary import vocabulary
from ...tasks.base import Task
from .parents import Parent, Proposal

_NAMES = ("option", "candidate", "entry")
# What may be said of a candidate of a task without a vocabulary; where it can not, the program fails on probe states.
_GUESSES = ("{%s}[{x}]", "sum({%s}[{x}])", "max({%s}[{x}])")


class ChooseBy:
    """`xs[0]`, or a returned constant, becomes a choice by one or two terms; the reference of many a task has no more.

    Transforms need something to transform: on four of the ten references none applies.
    """

    name = "choose_by"

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """The program with a rule of its own; None if it takes no first element and returns no constant."""
        program = read(parent.source)
        arguments = argument_names(program, task)
        sites = [node for node in program.nodes if _is_site(program, node, task)]
        site, option = pick(generator, sites), program.fresh(generator, _NAMES)
        if site is None or option is None or not arguments:
            return None
        term = _term(task, {**arguments, "x": option}, isinstance(site, cst.Subscript), generator)
        if term is None:
            return None
        if isinstance(site, cst.Subscript):
            extreme = ("min", "max")[int(generator.integers(2))]
            text = f"{extreme}({program.code(site.value)}, key=lambda {option}: {term})"
        else:
            text = term
        return Proposal(program.replace(site, text), self.name, (parent.hash,), (text,), parent.family)


def _is_site(program: Program, node: cst.CSTNode, task: Task) -> bool:
    """Whether a node of the task's function is `xs[0]`, or a constant that is returned."""
    if isinstance(node, cst.Subscript) and is_name(node.value) and len(node.slice) == 1:
        place = node.slice[0].slice
        changed = isinstance(program.parents[node], (cst.AugAssign, cst.Del)) or any(
            isinstance(ancestor, cst.AssignTarget) for ancestor in program.ancestors(node)
        )
        choice = isinstance(place, cst.Index) and number(place.value) in (0, -1) and not changed
    else:
        choice = number(node) is not None and isinstance(program.parents[node], cst.Return)
    return choice and program.function_of(node) is program.main(task.function_name)


def _term(task: Task, words: dict[str, str], about_option: bool, generator: np.random.Generator) -> str | None:
    templates = vocabulary(task.name).terms or tuple(guess % name for name in task.arguments for guess in _GUESSES)
    usable = [text for text in templates if about_option == ("{x}" in text)]
    terms = []
    for text in usable:
        try:
            terms.append(text.format(**words))
        except KeyError:  # a part of a candidate that has no name here
            continue
    first, second = pick(generator, terms), pick(generator, terms)
    if first is None or first == second or generator.random() < 0.5:
        return first
    sign = "+" if generator.random() < 0.5 else "-"
    return f"{first} {sign} {shorten(float(np.exp(generator.normal(-0.7, 0.8))))} * ({second})"
