"""Other rules inside of a program that builds a whole solution."""

from __future__ import annotations

import re
from collections.abc import Sequence

import libcst as cst
import numpy as np

from ...corpus.augmentation.editing import Program, pick, read
from ...corpus.augmentation.reading import called
from ...corpus.augmentation.scoring import Score
from ...corpus.augmentation.vocabulary import Vocabulary
from ...tasks.base import Task
from ...tasks.roles import OPTION
from .expressions import expression, sayable, signed, spelled, with_term
from .inside import Inside, insides, ordering, rated
from .parents import Parent, Proposal
from .spelled_out import AS_IT_COMES

_ANEW, _SORTED = 0.4, 0.15
_PART = re.compile(r"part_\d+")
_PHASED = 0.1
_GOES_ON, _GOES_ON_ALONE = 0.3, 0.15
_NAMES = ("option", "candidate", "entry")
# Terms have loops of their own over these.
_LOOPS = frozenset("abijkv") | {"one", "two", "other", "done", "row", "key", "value"}


class InnerRule:
    """What a program rates alternatives by in a loop of its own gets another term, or another rule takes its place.

    For tasks whose function returns all of a solution. Terms are those that the reference's variables give (`insides`),
    where the program still has these variables. Of solutions that are orders some are sorted by a rule at once, and all
    where the program rates nothing.
    """

    name = "inner_rule"

    @staticmethod
    def applies(task: Task) -> bool:
        """Whether the reference rates alternatives somewhere, or answers with an order, and terms are known there."""
        return any(insides(task)) or ordering(task) is not None

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """The program with another rule at one place; None where it rates nothing, or nothing is known there."""
        program, scores = rated(parent.source, task)
        sorts = ordering(task)
        if sorts is not None and (not scores or generator.random() < _SORTED):
            rule = signed(expression(sorts.words, spelled(sorts.words, _NAMES[0]), generator), generator)
            text = f"{task.signature()}\n    return sorted({sorts.listed}, key=lambda {_NAMES[0]}: {rule})\n"
            return Proposal(text, self.name, (), (rule,), parent.family)
        if not scores:
            return None
        if _ends(program) and generator.random() < _GOES_ON_ALONE:
            return Proposal(_passing_over(program, generator), self.name, (parent.hash,), ("continue",), parent.family)
        place = int(generator.integers(len(scores)))
        program, score = _renamed(program, scores, place, task, generator)
        known = insides(task)
        others = [each for each in known if each is not None]
        inside = known[place] if len(known) == len(scores) else pick(generator, others)
        option = score.words[OPTION]
        words = None if inside is None else sayable(inside.words, program, score.node)
        if inside is None or words is None:
            return None
        text = _rule(program.operand(score.node), inside, words, option, generator)
        source = program.replace(score.node, text)
        if _ends(program) and generator.random() < _GOES_ON:
            source = _passing_over(read(source), generator)
        return Proposal(source, self.name, (parent.hash,), (text,), parent.family)


def _ends(program: Program) -> list[cst.CSTNode]:
    """Where a loop over entries ends with the first that something speaks against: it could pass that over instead."""
    ends: list[cst.CSTNode] = []
    for node in program.find(cst.Break):
        condition = next((each for each in program.ancestors(node) if isinstance(each, cst.If)), None)
        loop = next((each for each in program.ancestors(node) if isinstance(each, (cst.For, cst.While))), None)
        if condition is None or condition not in program.find(cst.If, loop):
            continue
        takes = isinstance(loop, cst.For) or any("pop" in called(each) for each in program.find(cst.Call, loop))
        if takes and len(condition.body.body) == 1 and condition.orelse is None:
            ends.append(node)
    return ends


def _passing_over(program: Program, generator: np.random.Generator) -> str:
    """The program with one of these ends as the next turn of its loop."""
    ends = _ends(program)
    return program.replace_node(ends[int(generator.integers(len(ends)))], cst.Continue())


def _rule(own: str, inside: Inside, words: Vocabulary, option: str, generator: np.random.Generator) -> str:
    """The text of a rating that takes the place of a program's `own`."""
    names = spelled(words, option)
    # Terms can not join what is no number, such as names that are sorted, or what says nothing.
    silent = own in (option, AS_IT_COMES) and not inside.spread
    if silent or generator.random() < _ANEW:
        text = signed(expression(words, names, generator), generator)
    else:
        text, _ = with_term(own, inside.spread, words, names, generator)
    phase = pick(generator, words.phases)
    if phase is not None and generator.random() < _PHASED:
        return f"({text}) if {phase.format(**names)} else {own}"
    return text


def _renamed(
    program: Program, scores: Sequence[Score], place: int, task: Task, generator: np.random.Generator
) -> tuple[Program, Score]:
    """The program with another name for the alternatives of a place where terms have a use of their own for it."""
    score = scores[place]
    option, around = score.words[OPTION], program.function_of(score.node)
    new = program.fresh(generator, _NAMES)
    if option not in _LOOPS or around is None or new is None:
        return program, score
    scope = next((each for each in program.ancestors(score.node) if isinstance(each, (cst.Lambda, cst.For))), around)
    nodes = [each for each in program.find(cst.Name, scope) if each.value == option]
    other, others = rated(program.replace_names(nodes, {option: new}), task)
    return (other, others[place]) if len(others) == len(scores) else (program, score)
