"""Rules inside of a program that builds a whole solution: where the reference rates what, and what is known there.

A person's function often takes an instance and returns all of the answer: what it decides by stands in a loop of its
own, `min(left, key=lambda k: ...)`. Where the reference runs, each such place is watched: the alternatives that it
rates, and the variables beside them. They are to that place what its arguments are to a function that chooses, and
words are derived from them alike (`corpus.augmentation.derived`).
"""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import FrameType, ModuleType
from typing import Any

import libcst as cst
import numpy as np

from ...corpus.augmentation.derived import derived_vocabulary
from ...corpus.augmentation.editing import Program as Text
from ...corpus.augmentation.editing import read
from ...corpus.augmentation.reading import assignment, target_names, uses
from ...corpus.augmentation.scoring import Score, score_expressions, words_at
from ...corpus.augmentation.vocabulary import Term, Vocabulary
from ...programs import namespace
from ...tasks.base import ProbeState, Program, Task
from ...tasks.llm4ad import LLM4ADTask
from ...tasks.roles import STATES, is_number
from ...tasks.simple import ANSWERS
from ...tasks.whole import Whole

_KEPT, _ORDERING = "_insides", "_ordering"
_WATCHED = "<watched>"
_SEEN = "seen_from_outside"
_RATED = "rated_alternatives"
_INNER = ("<lambda>", "<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>")
_COMPUTED = (cst.BinaryOperation, cst.UnaryOperation, cst.Call, cst.Subscript, cst.IfExp)
_MOST_SEEN = 100_000
_FEWEST = 4


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
    if _KEPT not in vars(task):
        with np.errstate(all="ignore"):
            vars(task)[_KEPT] = _insides(task)
    known: tuple[Inside | None, ...] = vars(task)[_KEPT]
    return known


@dataclass(frozen=True)
class Ordering:
    """What a solution puts in order, as an expression over the arguments, and what can be said of each of it."""

    listed: str
    words: Vocabulary


def ordering(task: Task) -> Ordering | None:
    """What the solutions of a task order, once; None where they are no orders, or nothing tells its entries apart."""
    if _ORDERING not in vars(task):
        with np.errstate(all="ignore"):
            vars(task)[_ORDERING] = _ordering(task)
    known: Ordering | None = vars(task)[_ORDERING]
    return known


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
    """A program, and what it rates alternatives by that go by one name."""
    program = read(source)
    scores = [*score_expressions(program, task), *_compared(program, task)]
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


def _assigns(line: cst.CSTNode) -> bool:
    return isinstance(line, cst.SimpleStatementLine) and assignment(line) is not None


def _is_of_order(comparison: cst.Comparison) -> bool:
    signs = (cst.LessThan, cst.GreaterThan, cst.LessThanEqual, cst.GreaterThanEqual)
    return any(isinstance(each.operator, signs) for each in comparison.comparisons)


def _insides(task: Task) -> tuple[Inside | None, ...]:
    if task.of_paper or getattr(task, "answers", None) in ANSWERS:
        return ()
    try:
        program, scores = rated(task.template, task)
        watched = program.replace_many(
            [
                (each.node, f"{_SEEN}({place}, {each.words['x']}, {program.code(each.node)})")
                for place, each in enumerate(scores)
            ]
        )
        for place, each in enumerate(scores):
            watched = _begun(watched, place, each.words["x"])
        names = [each.words["x"] for each in scores]
        for played in (_on_probes, _on_instances):
            first = _Watch(names)
            played(_function(watched, task, first), task)
            second = _Watch(names, first.chosen())
            played(_function(watched, task, second), task)
            known = [_inside(second.decisions(place)) for place in range(len(scores))]
            if any(known):
                break
    except Exception:  # a person's own code; check-task names what is wrong with it
        return ()
    return tuple(known)


def _begun(text: str, place: int, option: str) -> str:
    """A watched program that also says when a place begins with the first of its alternatives."""
    program = read(text)
    seen = (each for each in program.find(cst.Call) if program.code(each).startswith(f"{_SEEN}({place}, "))
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
            return program.replace(begins, f"{_SEEN}.begin({place}, {program.code(begins)})")
    return text


class _Enough(BaseException):
    """Ends a program that has shown enough; no `except` of its own stops it by accident."""


@dataclass
class _Decision:
    """Alternatives that were rated one after the other, their ratings, and the variables that stayed as they were."""

    frame: FrameType
    seen: set[str] = field(default_factory=set)
    options: list[Any] = field(default_factory=list)
    ratings: list[Any] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)
    copies: dict[str, Any] = field(default_factory=dict)


class _Watch:
    """Stands around a rating: called with its place, the alternative and the rating, which it returns.

    Args:
        names: what an alternative is called at each place.
        chosen: the decisions that are kept, by place; None counts them only.
    """

    def __init__(self, names: Sequence[str], chosen: dict[int, set[int]] | None = None) -> None:
        self._names, self._chosen = names, chosen
        self._open: dict[int, _Decision] = {}
        self._counts: dict[int, int] = {}
        self._kept: dict[int, list[_Decision]] = {}
        self._calls = 0

    def __call__(self, place: int, option: Any, rating: Any) -> Any:
        self._calls += 1
        if self._calls > _MOST_SEEN:
            raise _Enough
        frame, variables = _surroundings(sys._getframe(1))
        key = repr(option)
        decision = self._open.get(place)
        if decision is None or decision.frame is not frame or key in decision.seen:
            decision = self._open[place] = _Decision(frame)
            number = self._counts[place] = self._counts.get(place, 0) + 1
            if self._chosen is not None and number - 1 in self._chosen.get(place, ()):
                self._kept.setdefault(place, []).append(decision)
                variables.pop(self._names[place], None)
                decision.variables = dict(variables)
                decision.copies = {name: copy.deepcopy(each) for name, each in decision.variables.items()}
        decision.seen.add(key)
        if decision.copies:
            decision.options.append(copy.deepcopy(option))
            decision.ratings.append(rating)
            for name in [name for name, each in decision.variables.items() if variables.get(name) is not each]:
                del decision.variables[name], decision.copies[name]
        return rating

    def begin(self, place: int, value: Any) -> Any:
        """What is rated next at a place belongs to another decision; returns the value that it stands around."""
        self._open.pop(place, None)
        return value

    def chosen(self) -> dict[int, set[int]]:
        """Of each place as many decisions as are read, evenly from all that there were."""
        return {
            place: set(np.linspace(0, count - 1, min(2 * STATES, count)).astype(int).tolist())
            for place, count in self._counts.items()
        }

    def decisions(self, place: int) -> list[_Decision]:
        """Those kept of a place that had a choice."""
        return [each for each in self._kept.get(place, ()) if len(each.options) > 1][:STATES]


def _surroundings(frame: FrameType) -> tuple[FrameType, dict[str, Any]]:
    """The function around a rating, and its variables: those of a lambda or a comprehension belong to it."""
    scopes = [frame.f_locals]
    while frame.f_code.co_name in _INNER and frame.f_back is not None and frame.f_back.f_code.co_filename == _WATCHED:
        frame = frame.f_back
        scopes.append(frame.f_locals)
    every = {name: each for scope in reversed(scopes) for name, each in scope.items()}
    return frame, {name: each for name, each in every.items() if name.isidentifier() and _is_plain(each)}


def _is_plain(value: Any) -> bool:
    return not callable(value) and not isinstance(value, (ModuleType, Iterator))


def _function(text: str, task: Task, watch: _Watch) -> Program:
    """The function of a program that is watched."""
    scope = {**namespace(), _SEEN: watch}
    exec(compile(text, _WATCHED, "exec"), scope)  # noqa: S102  (a person's own reference, as in `load_function`)
    function: Program = scope[task.function_name]
    return function


def _on_probes(function: Program, task: Task) -> None:
    """Run a function on the calls of the probe states; one that fails on some shows what it can."""
    with suppress(_Enough):
        for call in list({id(call): call for state in task.probes for call in state.calls}.values())[:STATES]:
            with suppress(Exception):
                function(*copy.deepcopy(call))


def _on_instances(function: Program, task: Task) -> None:
    """Run a function as it is evaluated, where the task is a person's own function or evaluation."""
    if isinstance(task, LLM4ADTask):
        with suppress(_Enough, Exception):
            task.rollout(function, "search")


@dataclass(frozen=True)
class _Place:
    """What is known of a place, as an object that words are derived from like from a task that chooses."""

    arguments: tuple[str, ...]
    alternatives: str
    probes: tuple[ProbeState, ...]
    answers: str = "choice"

    def choices(self, *arguments: Any) -> list[Any]:
        return list(arguments[self.arguments.index(self.alternatives)])


def _inside(decisions: Sequence[_Decision]) -> Inside | None:
    """The words of a place; None where it had too few decisions, or nothing tells their alternatives apart."""
    if len(decisions) < _FEWEST:
        return None
    names = [name for name in decisions[0].copies if all(name in each.copies for each in decisions)]
    listing = next((name for name in names if all(_lists(each.copies[name], each.options) for each in decisions)), None)
    arguments = (*names, *(() if listing else (_RATED,)))
    states = []
    for each in decisions:
        call = tuple(each.options if name == _RATED else each.copies[name] for name in arguments)
        states.append(ProbeState((call,), np.zeros((len(each.options), 1)), None))
    words = _without(derived_vocabulary(_Place(arguments, listing or _RATED, tuple(states))), _RATED)
    return Inside(words, _spread(decisions)) if words.measured else None


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


def _spread(decisions: Sequence[_Decision]) -> float:
    if not all(is_number(rating) for each in decisions for rating in each.ratings):
        return 0.0
    spread = float(np.mean([np.std(np.array(each.ratings, dtype=np.float64)) for each in decisions]))
    return spread if np.isfinite(spread) else 0.0
