"""A person's function, watched as it runs: the alternatives at a place, and the variables beside them."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from ...programs import namespace
from ...tasks.base import Program, Task
from ...tasks.llm4ad import LLM4ADTask
from ...tasks.roles import STATES

SEEN = "seen_from_outside"
"""What the watch is called in a watched program."""

_WATCHED = "<watched>"
_INNER = ("<lambda>", "<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>")
_MOST_SEEN = 100_000
_MOST_VISITED = 1_000


class _Enough(BaseException):
    """Ends a program that has shown enough; no `except` of its own stops it by accident."""


@dataclass
class Decision:
    """Alternatives that were rated one after the other, their ratings, and the variables that stayed as they were."""

    frame: FrameType
    seen: set[str] = field(default_factory=set)
    options: list[Any] = field(default_factory=list)
    ratings: list[Any] = field(default_factory=list)
    variables: dict[str, Any] = field(default_factory=dict)
    copies: dict[str, Any] = field(default_factory=dict)


class Watch:
    """Stands around a rating: called with its place, the alternative and the rating, which it returns.

    Args:
        names: what an alternative is called at each place that rates some.
        chosen: the decisions that are kept, by place; None counts them only.
    """

    def __init__(self, names: Sequence[str], chosen: dict[int, set[int]] | None = None) -> None:
        self._names, self._chosen = names, chosen
        self._open: dict[int, Decision] = {}
        self._counts: dict[int, int] = {}
        self._kept: dict[int, list[Decision]] = {}
        self._calls = 0

    def __call__(self, place: int, option: Any, rating: Any) -> Any:
        self._calls += 1
        if self._calls > _MOST_SEEN:
            raise _Enough
        frame, variables = _surroundings(sys._getframe(1))
        key = repr(option)
        decision = self._open.get(place)
        if decision is None or decision.frame is not frame or key in decision.seen:
            decision = self._open[place] = Decision(frame)
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

    def visit(self, place: int, entries: Any) -> Any:
        """What a loop goes through at a place, all of it one decision; returns what the loop may go through instead.

        The names of such a place are those that the loop binds, apart by spaces: no rule about its entries reads them.
        """
        self._calls += 1
        if self._calls > _MOST_SEEN:
            raise _Enough
        if isinstance(entries, Iterator):
            first = list(islice(entries, _MOST_VISITED))
            numbered, entries = isinstance(entries, enumerate), chain(first, entries)
            options = [each[0] for each in first] if numbered else first
        elif isinstance(entries, Iterable):
            options = list(islice(iter(entries), _MOST_VISITED))
        else:
            return entries
        number = self._counts[place] = self._counts.get(place, 0) + 1
        if self._chosen is not None and number - 1 in self._chosen.get(place, ()):
            frame, variables = _surroundings(sys._getframe(1))
            for name in self._names[place].split():
                variables.pop(name, None)
            decision = Decision(frame, options=copy.deepcopy(options), ratings=[None] * len(options))
            decision.copies = {name: copy.deepcopy(each) for name, each in variables.items()}
            self._kept.setdefault(place, []).append(decision)
        return entries

    def chosen(self) -> dict[int, set[int]]:
        """Of each place as many decisions as are read, evenly from all that there were."""
        return {
            place: set(np.linspace(0, count - 1, min(2 * STATES, count)).astype(int).tolist())
            for place, count in self._counts.items()
        }

    def decisions(self, place: int) -> list[Decision]:
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


def watched_function(text: str, task: Task, watch: Watch) -> Program:
    """The function of a program that is watched."""
    scope = {**namespace(), SEEN: watch}
    exec(compile(text, _WATCHED, "exec"), scope)  # noqa: S102  (a person's own reference, as in `load_function`)
    function: Program = scope[task.function_name]
    return function


def on_probes(function: Program, task: Task) -> None:
    """Run a function on the calls of the probe states; one that fails on some shows what it can."""
    with suppress(_Enough):
        for call in list({id(call): call for state in task.probes for call in state.calls}.values())[:STATES]:
            with suppress(Exception):
                function(*copy.deepcopy(call))


def at_full_size(function: Program, task: Task) -> None:
    """Run a function on calls as they are on instances of the search split, where probe states are of smaller ones."""
    with suppress(_Enough, Exception):
        for state in getattr(task, "full_size_states", ())[:1]:
            function(*copy.deepcopy(state.calls[0]))


def on_instances(function: Program, task: Task) -> None:
    """Run a function as it is evaluated, where the task is a person's own function or evaluation."""
    if isinstance(task, LLM4ADTask):
        with suppress(_Enough, Exception):
            task.rollout(function, "search")
