"""Rules inside of a program that builds a whole solution: where the reference rates what, and what is known there.

A person's function often takes an instance and returns all of the answer: what it decides by stands in a loop of its
own, `min(left, key=lambda k: ...)`. Where the reference runs, each such place is watched: the alternatives that it
rates, and the variables beside them. They are to that place what its arguments are to a function that chooses, and
words are derived from them alike (`corpus.augmentation.derived`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

import libcst as cst
import numpy as np

from ...corpus.augmentation.derived import derived_vocabulary
from ...corpus.augmentation.editing import Program as Text
from ...corpus.augmentation.editing import read
from ...corpus.augmentation.reading import assignment, called, is_name, target_names, uses
from ...corpus.augmentation.scoring import Score, score_expressions, words_at
from ...corpus.augmentation.vocabulary import Term, Vocabulary
from ...tasks.base import ProbeState, Program, Task
from ...tasks.pairs import answers_pairs
from ...tasks.roles import STATES, is_number
from ...tasks.simple import ANSWERS
from ...tasks.whole import Whole
from .spelled_out import AS_IT_COMES, spelled_out
from .watch import SEEN, Decision, Watch, at_full_size, on_instances, on_probes, watched_function

Known = TypeVar("Known")

_KEPT, _ORDERING = "_insides", "_ordering"
_RATED = "rated_alternatives"
_COMPUTED = (cst.BinaryOperation, cst.UnaryOperation, cst.Call, cst.Subscript, cst.IfExp)
_FEWEST, _ALTERNATIVES = 4, 12
"""Decisions that say something of a place, or alternatives of fewer: one large instance sorts once."""


@dataclass(frozen=True)
class Inside:
    """A place where the reference program rates alternatives.

    Attributes:
        words: what can be said of an alternative there, over the names of variables.
        spread: standard deviation of the reference's own ratings over the alternatives of a decision; 0 where they are
            no numbers.
    """

    words: Vocabulary
    spread: float


def insides(task: Task) -> tuple[Inside | None, ...]:
    """The places where the reference program of a task rates alternatives, once; none where its calls choose one.

    None stands for a place where nothing tells alternatives apart.

    The reference runs in this process, on the calls of the probe states: it is a person's own, as the task is.
    """
    return once(task, _KEPT, _insides)


def once(task: Task, name: str, find: Callable[[Task], Known]) -> Known:
    """What is found of a task, which keeps it under a name."""
    if name not in vars(task):
        with np.errstate(all="ignore"):
            vars(task)[name] = find(task)
    known: Known = vars(task)[name]
    return known


@dataclass(frozen=True)
class Ordering:
    """What a solution puts in order, as an expression over the arguments, and what can be said of each of it."""

    listed: str
    words: Vocabulary


def ordering(task: Task) -> Ordering | None:
    """What the solutions of a task order, once; None where they are no orders, or nothing tells its entries apart."""
    return once(task, _ORDERING, _ordering)


def _ordering(task: Task) -> Ordering | None:
    if task.of_paper or getattr(task, "answers", None) in ANSWERS:
        return None
    try:
        states = task.probes[:STATES]
        orders = [state.context.order if isinstance(state.context, Whole) else () for state in states]
        calls = [state.calls[0] for state in states]
        lengths = [name for place, name in enumerate(task.arguments) if _has_length(calls, place, orders)]
        if not all(orders) or not lengths or len({order[0] for order in orders}) > 1:
            return None
        listed = f"range(len({lengths[0]}))" if orders[0][0] == 0 else f"range(1, len({lengths[0]}) + 1)"
        arguments = (*task.arguments, _RATED)
        known = tuple(
            ProbeState(((*call, list(order)),), np.zeros((len(order), 1)), None) for call, order in zip(calls, orders)
        )
        words = _without(derived_vocabulary(_Place(arguments, _RATED, known)), _RATED)
    except Exception:  # a person's own code; check-task names what is wrong with it
        return None
    return Ordering(listed, words) if words.measured else None


def _has_length(calls: Sequence[tuple[Any, ...]], place: int, orders: Sequence[tuple[int, ...]]) -> bool:
    """Whether an argument has as many entries as a solution has."""
    return all(hasattr(call[place], "__len__") and len(call[place]) == len(order) for call, order in zip(calls, orders))


@lru_cache(maxsize=64)
def rated(source: str, task: Task) -> tuple[Text, list[Score]]:
    """A program with its choices by place spelled out, and what it rates alternatives by that go by one name."""
    program = spelled_out(source)
    scores = [*score_expressions(program, task), *_compared(program, task), *_queued(program, task), *_plain(program)]
    scores = [each for each in scores if each.words.get("x", "_") != "_"]
    nodes = {each.node for each in scores}
    outer = {each.node: each for each in scores if not nodes & set(program.ancestors(each.node))}
    return program, list(outer.values())


def _compared(program: Text, task: Task) -> Iterator[Score]:
    """What a loop computes and then compares with something, whatever it is called."""
    for line in program.find(cst.SimpleStatementLine):
        pair, block = assignment(line), program.parents[line]
        loop = isinstance(program.parents.get(block), cst.For)
        if pair is None or not loop or not isinstance(block, cst.IndentedBlock):
            continue
        name, value = pair
        following = block.body[block.body.index(line) + 1 :]
        # What is only allowed or not is no rating: something has to be kept.
        keeps = [each for each in following if isinstance(each, cst.If) and any(map(_assigns, each.body.body))]
        tests = [each.test for each in keeps]
        orders = [each for test in tests for each in program.find(cst.Comparison, test) if _is_of_order(each)]
        if any(uses(each, name) for each in orders) and isinstance(value, _COMPUTED):
            yield Score(value, words_at(program, value, task))


def _queued(program: Text, task: Task) -> Iterator[Score]:
    """What entries of a priority queue come out by: `heappush(heap, (rating, job))`, or a list that is made one."""
    entries = []
    for call in program.find(cst.Call):
        name, arguments = called(call).rpartition(".")[2], [each.value for each in call.args]
        if name == "heappush" and len(arguments) == 2:
            entries.append(arguments[1])
        elif name == "heapify" and len(arguments) == 1 and isinstance(arguments[0], cst.Name):
            heap = arguments[0].value
            pairs = filter(None, map(assignment, program.find(cst.SimpleStatementLine)))
            made = [value for target, value in pairs if target == heap]
            entries += [each.elt for each in made if isinstance(each, cst.ListComp)]
    for entry in entries:
        if isinstance(entry, cst.Tuple) and len(entry.elements) > 1:
            rating, last = entry.elements[0].value, entry.elements[-1].value
            yield Score(rating, {"x": last.value} if isinstance(last, cst.Name) else words_at(program, rating, task))


def _plain(program: Text) -> Iterator[Score]:
    """Keys that are the alternatives themselves, and those of what is taken as it comes (`spelled_out`)."""
    for node in program.find(cst.Lambda):
        parent, parameters = program.parents[node], node.params.params
        if isinstance(parent, cst.Arg) and is_name(parent.keyword, "key") and len(parameters) == 1:
            option = parameters[0].name.value
            if is_name(node.body, option) or program.code(node.body) == AS_IT_COMES:
                yield Score(node.body, {"x": option})


def _assigns(line: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and any(isinstance(each, cst.Assign) for each in line.body)


def _is_of_order(comparison: cst.Comparison) -> bool:
    signs = (cst.LessThan, cst.GreaterThan, cst.LessThanEqual, cst.GreaterThanEqual)
    return any(isinstance(each.operator, signs) for each in comparison.comparisons)


def _insides(task: Task) -> tuple[Inside | None, ...]:
    # Of a pair each part may be chosen by a rule of its own.
    if task.of_paper or (getattr(task, "answers", None) in ANSWERS and not answers_pairs(task)):
        return ()
    try:
        program, scores = rated(task.template, task)
        watched = program.replace_many(
            [
                (each.node, f"{SEEN}({place}, {each.words['x']}, {program.code(each.node)})")
                for place, each in enumerate(scores)
            ]
        )
        for place, each in enumerate(scores):
            watched = _begun(watched, place, each.words["x"])
        return places(watched, [each.words["x"] for each in scores], task)
    except Exception:  # a person's own code; check-task names what is wrong with it
        return ()


def places(text: str, names: Sequence[str], task: Task) -> tuple[Inside | None, ...]:
    """What is known of each place of a watched program; `names`: what an alternative is called there."""
    known: list[Inside | None] = []
    for played in (on_probes, on_instances):
        small, large = (_watched(text, names, task, each) for each in (played, at_full_size))
        known = [inside_of(small.decisions(place), large.decisions(place)) for place in range(len(names))]
        if any(known):
            break
    return tuple(known)


def _watched(text: str, names: Sequence[str], task: Task, played: Callable[[Program, Task], None]) -> Watch:
    """What a program showed when it was run a second time: the first one counts its decisions."""
    first = Watch(names)
    played(watched_function(text, task, first), task)
    second = Watch(names, first.chosen())
    played(watched_function(text, task, second), task)
    return second


def _begun(text: str, place: int, option: str) -> str:
    """A watched program that also says when a place begins with the first of its alternatives."""
    program = read(text)
    seen = (each for each in program.find(cst.Call) if program.code(each).startswith(f"{SEEN}({place}, "))
    node = next(seen, None)
    for ancestor in () if node is None else program.ancestors(node):
        begins: cst.CSTNode | None = None
        if isinstance(ancestor, cst.Lambda) and any(each.name.value == option for each in ancestor.params.params):
            begins = ancestor
        elif isinstance(ancestor, cst.For) and option in target_names(ancestor.target):
            begins = ancestor.iter
        elif isinstance(ancestor, (cst.ListComp, cst.GeneratorExp)) and option in target_names(ancestor.for_in.target):
            begins = ancestor.for_in.iter
        if begins is not None:
            return program.replace(begins, f"{SEEN}.begin({place}, {program.code(begins)})")
    return text


@dataclass(frozen=True)
class _Place:
    """What is known of a place, as an object that words are derived from like from a task that chooses."""

    arguments: tuple[str, ...]
    alternatives: str
    probes: tuple[ProbeState, ...]
    full_size_states: tuple[ProbeState, ...] = ()
    answers: str = "choice"

    def choices(self, *arguments: Any) -> list[Any]:
        return list(arguments[self.arguments.index(self.alternatives)])


def inside_of(decisions: Sequence[Decision], larger: Sequence[Decision] = ()) -> Inside | None:
    """The words of a place; None where it had too few decisions, or nothing tells their alternatives apart.

    `larger`: decisions there on an instance of full size, where words have to say something, too.
    """
    if not decisions or (len(decisions) < _FEWEST and sum(len(each.options) for each in decisions) < _ALTERNATIVES):
        return None
    names = [name for name in decisions[0].copies if all(name in each.copies for each in decisions)]
    listing = next((name for name in names if all(_lists(each.copies[name], each.options) for each in decisions)), None)
    arguments = (*names, *(() if listing else (_RATED,)))
    states = _states(decisions, arguments)
    further = _states([each for each in larger if set(names) <= set(each.copies)], arguments)
    middle = further[len(further) // 2 :][:2]
    words = _without(derived_vocabulary(_Place(arguments, listing or _RATED, states, middle)), _RATED)
    return Inside(words, _spread(decisions)) if words.measured else None


def _states(decisions: Sequence[Decision], arguments: Sequence[str]) -> tuple[ProbeState, ...]:
    """Decisions as probe states, the alternatives themselves among the arguments."""
    return tuple(
        ProbeState(
            (tuple(each.options if name == _RATED else each.copies[name] for name in arguments),),
            np.zeros((len(each.options), 1)),
            None,
        )
        for each in decisions
    )


def _lists(value: Any, options: Sequence[Any]) -> bool:
    if not isinstance(value, (list, tuple, np.ndarray)) or len(value) != len(options):
        return False
    try:
        return all(bool(one == two) for one, two in zip(value, options))
    except ValueError:  # of arrays
        return False


def _without(words: Vocabulary, name: str) -> Vocabulary:
    """Words that do not speak of an argument."""
    spoken = f"{{{name}}}"

    def texts(some: Sequence[str]) -> tuple[str, ...]:
        return tuple(each for each in some if spoken not in each)

    def terms(some: Sequence[Term]) -> tuple[Term, ...]:
        return tuple(each for each in some if spoken not in each.text)

    return replace(
        words,
        terms=texts(words.terms),
        phases=texts(words.phases),
        measured=terms(words.measured),
        shared=terms(words.shared),
    )


def _spread(decisions: Sequence[Decision]) -> float:
    if not all(is_number(rating) for each in decisions for rating in each.ratings):
        return 0.0
    spread = float(np.mean([np.std(np.array(each.ratings, dtype=np.float64)) for each in decisions]))
    return spread if np.isfinite(spread) else 0.0
