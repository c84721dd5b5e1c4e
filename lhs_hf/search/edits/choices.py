"""Rules for programs that have none: the best by a natural term of the task, in place of the first or from nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import libcst as cst
import numpy as np

from ...corpus.augmentation.editing import Program, pick, read
from ...corpus.augmentation.parametric import shorten
from ...corpus.augmentation.reading import is_name, number
from ...corpus.augmentation.scoring import argument_names
from ...corpus.augmentation.words import vocabulary
from ...tasks.base import Task
from ...tasks.listing import listing
from ...tasks.pairs import answers_pairs
from ...tasks.roles import OPTION
from .calls import calls_of, values_in
from .comparing import comparison
from .expressions import expression
from .parents import Parent, Proposal
from .spelled_out import with_a_key

OPTION_NAME = "option"
_PHASED, _LEAST_PASS = 0.15, 0.1
_KEPT = 0.5
_LOOPS = ("a", "b", "j", "k", "other")
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
        program, sites = _sites(parent.source, task.function_name)
        arguments = argument_names(program, task)
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


@lru_cache(maxsize=64)
def _sites(source: str, function: str) -> tuple[Program, list[cst.CSTNode]]:
    """A program and where it may choose by something else. Draws that fail ask for the same program again and again."""
    program = read(source)
    return program, [node for node in program.nodes if _is_site(program, node, function)]


def _is_site(program: Program, node: cst.CSTNode, function: str) -> bool:
    """Whether a node of the task's function is `xs[0]`, or a constant that is returned."""
    if isinstance(node, cst.Subscript):
        if not is_name(node.value) or len(node.slice) != 1:
            return False
        place = node.slice[0].slice
        changed = isinstance(program.parents[node], (cst.AugAssign, cst.Del)) or any(
            isinstance(ancestor, cst.AssignTarget) for ancestor in program.ancestors(node)
        )
        choice = isinstance(place, cst.Index) and number(place.value) in (0, -1) and not changed
    else:
        choice = isinstance(program.parents.get(node), cst.Return) and number(node) is not None
    return choice and program.function_of(node) is program.main(function)


def _term(task: Task, words: dict[str, str], about_option: bool, generator: np.random.Generator) -> str | None:
    templates = vocabulary(task).terms or tuple(guess % name for name in task.arguments for guess in _GUESSES)
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


class NewRule:
    """A program anew: the best alternative by an expression of up to three terms, two of them for two phases at times.

    For tasks whose alternatives one argument lists, and for those that ask about one alternative at a time. Where the
    reference decides by next to nothing, or by what no other edit can take hold of, this is what edits begin with. Half
    of them keep the parent but for what it decides by: the key of a `min` or `max`, or what it returns.
    """

    name = "new_rule"

    @staticmethod
    def applies(task: Task) -> bool:
        """Whether such a program can be written for a task."""
        return _rule(task, "0") is not None

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of the task; None where nothing is known that tells its alternatives apart."""
        if generator.random() < _KEPT:
            program, keys = _keys(parent.source, task)
            names = argument_names(program, task)
            key = keys[int(generator.integers(len(keys)))] if keys and names else None
            kept = None if key is None else _phased_expression(task, generator, names, key.option)
            if key is not None and kept is not None:
                text = program.replace(key.site, kept)
                return Proposal(text, self.name, (parent.hash,), (kept,), parent.family)
        rule = _phased_expression(task, generator)
        if rule is None:
            return None
        source = _rule(task, rule, ("min", "max")[int(generator.integers(2))])
        return None if source is None else Proposal(source, self.name, (), (rule,), parent.family)


class _Key(NamedTuple):
    """What a program decides by, and what it calls an alternative there."""

    site: cst.CSTNode
    option: str


@lru_cache(maxsize=64)
def _keys(source: str, task: Task) -> tuple[Program, list[_Key]]:
    """A program, and the keys by which its function chooses; what it returns if it sees one alternative a call."""
    program = read(with_a_key(source, task))
    main, one_a_call = program.main(task.function_name), getattr(task, "answers", None) == "priority"
    # The two of a pair may be chosen one after the other: words that speak of pairs say nothing there.
    pairs = listing(task) if answers_pairs(task) else None
    keys = []
    for node in program.nodes:
        parent = program.parents.get(node)
        if isinstance(node, cst.BaseExpression) and program.function_of(node) is main:
            if one_a_call and isinstance(parent, cst.Return):
                keys.append(_Key(node, OPTION_NAME))
                if isinstance(node, cst.Tuple):
                    keys += [_Key(each.value, OPTION_NAME) for each in node.elements]
            elif not one_a_call and isinstance(node, cst.Lambda) and _is_key(parent):
                call = program.parents[parent] if parent is not None else None
                chosen = program.code(call.args[0].value) if isinstance(call, cst.Call) else None
                if pairs is not None and chosen != pairs:
                    continue
                options = [each.name.value for each in node.params.params]
                # Terms have loops of their own.
                keys += [_Key(node.body, each) for each in options if len(options) == 1 and each not in _LOOPS]
    return program, keys


def _is_key(node: cst.CSTNode | None) -> bool:
    """Whether a node is the argument `key` of a call."""
    return isinstance(node, cst.Arg) and node.keyword is not None and node.keyword.value == "key"


def _phased_expression(
    task: Task, generator: np.random.Generator, arguments: Mapping[str, str] | None = None, option: str = OPTION_NAME
) -> str | None:
    """An expression, or one of two by a condition on what all alternatives share; None where no terms are known."""
    text = drawn_expression(task, generator, arguments, option)
    phase = pick(generator, vocabulary(task).phases)
    if text is None or phase is None or generator.random() >= _PHASED:
        return text
    condition = phase.format(**(arguments or {name: name for name in task.arguments}))
    return f"({text}) if {condition} else ({drawn_expression(task, generator, arguments, option)})"


def answer_by(task: Task, expression: str, extreme: str = "max") -> str | None:
    """What a program returns that decides by a number, an expression about `OPTION_NAME` where it chooses.

    None for a task whose alternatives can not be listed (`tasks.listing`).
    """
    if OPTION_NAME in task.arguments:
        return None
    if getattr(task, "answers", None) == "priority":
        opposite = "not " if getattr(task, "judges", False) else "-"
        return expression if extreme == "max" else f"{opposite}({expression})"
    options = listing(task)
    if options is None:
        return None
    if getattr(task, "answers", None) == "scores":
        return f"[{'' if extreme == 'max' else '-'}({expression}) for {OPTION_NAME} in {options}]"
    chosen = f"{extreme}({options}, key=lambda {OPTION_NAME}: {expression})"
    answered = getattr(task, "answered", None)
    text = chosen if answered is None else str(answered(chosen))
    return f"{text} if len({options}) else None" if getattr(task, "passes", False) else text


def _rule(task: Task, expression: str, extreme: str = "max") -> str | None:
    """A program that decides by an expression; None for a task whose alternatives no argument lists."""
    answer = answer_by(task, expression, extreme)
    return (
        None if answer is None else f'{task.signature()}\n    """The best by a simple rule."""\n    return {answer}\n'
    )


def drawn_expression(
    task: Task, generator: np.random.Generator, arguments: Mapping[str, str] | None = None, option: str = OPTION_NAME
) -> str | None:
    """Up to three terms of a task joined to one number about `option`; None where no terms are known.

    `arguments`: what each argument of the task is called, None for its own name. Terms are added with weights that
    bring them to about one size.
    """
    words = vocabulary(task)
    if not words.terms:
        return None
    names = {**(arguments or {name: name for name in task.arguments}), OPTION: option}
    if getattr(task, "judges", False) and (text := comparison(task, names, generator)) is not None:
        return text
    text = expression(words, {**names, **words.parts(option)}, generator)
    return _with_level(text, task, names, generator) if getattr(task, "judges", False) else text


def _with_level(text: str, task: Task, names: Mapping[str, str], generator: np.random.Generator) -> str:
    """Yes or no by an expression: whether it is above a level that it passes now and then on the probe states."""
    values = values_in(text, [names[name] for name in task.arguments], calls_of(task, None))
    finite = values[np.isfinite(values)]
    level = float(np.quantile(finite, generator.uniform(_LEAST_PASS, 1 - _LEAST_PASS))) if len(finite) else 0.0
    return f"{text} > {shorten(level)}"
