"""Which task of the paper another one is most like, argument by argument, by what the arguments are.

A decoder has learned what to do with arguments by the names that they have in its training programs. What a person
calls them says little: a list of places that may be visited next is one under any name. So arguments are described by
their values on the probe states, and each is matched with the one of a known task that is most like it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from .base import Task
from .names import BUILT_IN
from .roles import OPTION, STATES, Roles, Situation, entries, is_number, is_whole, roles, shape

ANSWERS: Mapping[str, tuple[str, str | None]] = {
    "tsp_construct": ("entry", "unvisited_nodes"),
    "cvrp_construct": ("entry", "unvisited_nodes"),
    "vrptw_construct": ("entry", "unvisited_nodes"),
    "jssp_construct": ("entry", "feasible_operations"),
    "knapsack_construct": ("entry", "remaining_items"),
    "set_cover_construct": ("entry", "remaining_subsets"),
    "qap_construct": ("pair", None),
    "cflp_construct": ("pair", None),
    "online_bin_packing": ("scores", "bins"),
    "admissible_set": ("priority", None),
}
"""What a program of each task of the paper answers, and the argument whose entries may be answered or are rated."""

_KEPT = "_likenesses"
_SINGLE = ("scalar", "name")
_LIKE = 0.35
_RELATED = {
    frozenset(("scalar", "name")): 0.6,
    frozenset(("vector", "mapping")): 0.6,
    frozenset(("vector", "ids")): 0.5,
    frozenset(("table", "links")): 0.4,
    frozenset(("table", "listing")): 0.5,
    frozenset(("links", "listing")): 0.5,
    frozenset(("ids", "listing")): 0.6,
    frozenset(("vector", "listing")): 0.4,
}
_ANSWER, _CLASS, _RELATION = 0.5, 0.05, 0.25
_MISSING = 0.5
_WORD, _STATISTICS = 0.2, 0.3


@dataclass(frozen=True)
class Likeness:
    """The known task that a task is most like.

    Attributes:
        task: its name.
        names: argument of the task in question -> argument of a known task; each known one at most once.
        answers: whether programs of the two answer the same kind of thing, as far as that is known.
        whole: whether that holds, and each argument of one task is like one of the other.
    """

    task: str
    names: Mapping[str, str]
    answers: bool
    whole: bool


@dataclass(frozen=True)
class Argument:
    """What one argument is: facts that agree or not, and figures of its numbers.

    `facts`: whether it lists the alternatives (None where that is not known), holds whole numbers alone, holds places
    of another argument, is indexed by one, has negative numbers; of rows, whether there are as many as columns, and
    how many columns; of what has entries, whether it is a dictionary, and whether they are.
    """

    name: str
    kind: str
    facts: tuple[Any, ...]
    figures: tuple[float, ...]


@dataclass(frozen=True)
class Interface:
    """The arguments of a task, which are places in which (n, n), and what is answered."""

    arguments: tuple[Argument, ...]
    places: np.ndarray
    answer: str | None
    problem_class: str


def likenesses(task: Task) -> tuple[Likeness, ...]:
    """All tasks of the paper, the one that `task` is most like first; none where nothing is known of its arguments."""
    # Kept by the task itself: one that is a dataclass has no hash.
    kept: tuple[Likeness, ...] | None = vars(task).get(_KEPT)
    if kept is None:
        kept = vars(task)[_KEPT] = _likenesses(task)
    return kept


def _likenesses(task: Task) -> tuple[Likeness, ...]:
    if task.of_paper:
        return (Likeness(task.name, {name: name for name in task.arguments}, True, True),)
    try:
        own = interface(task)
        matches = {name: _match(own, _of_paper(name)) for name in BUILT_IN}
    except Exception:  # a person's own code and values; check-task names what is wrong with it
        return ()
    best = sorted(matches, key=lambda name: -matches[name][0])
    return tuple(_likeness(task, own, name, matches[name][1]) for name in best)


def interface(task: Task) -> Interface:
    """What the arguments of a task are, by their values on its probe states.

    A task of a person's own runs code of theirs, and raises what that raises.
    """
    if task.of_paper:
        return _of_paper(task.name)
    known = roles(task)
    return _bare(task, None, None) if known is None else _interface(task, known, *_answer(known))


def _likeness(task: Task, own: Interface, name: str, names: Mapping[str, str]) -> Likeness:
    other = _of_paper(name)
    answers = own.answer in (None, other.answer)
    kinds = [{each.name: each.kind for each in interface.arguments} for interface in (own, other)]
    # Which argument lists the alternatives is not known where the kind of answer is not.
    same = all(
        kinds[0][first] == kinds[1][second] or (own.answer is None and kinds[1][second] == "listing")
        for first, second in names.items()
    )
    whole = answers and same and len(names) == len(task.arguments) == len(other.arguments)
    return Likeness(name, {**names, **_lent(own, names)}, answers, whole)


def _lent(own: Interface, names: Mapping[str, str]) -> dict[str, str]:
    """For arguments that have no like in the nearest task: the names of like ones elsewhere."""
    lent: dict[str, str] = {}
    for argument in own.arguments:
        if argument.name in names:
            continue
        taken = {*names.values(), *lent.values()}
        others = [each for name in BUILT_IN for each in _of_paper(name).arguments if each.name not in taken]
        ratings = [_alike(argument, each) for each in others]
        if ratings and max(ratings) >= _LIKE:
            lent[argument.name] = others[int(np.argmax(ratings))].name
    return lent


@cache
def _of_paper(name: str) -> Interface:
    from . import get_task

    task = get_task(name)
    return _bare(task, *ANSWERS[name])


def _bare(task: Task, answer: str | None, listing: str | None) -> Interface:
    """By the calls of the probe states alone."""
    calls = [state.calls[0] for state in task.probes[:STATES]]
    situations = tuple(Situation((dict(zip(task.arguments, call)),)) for call in calls)
    # Of scores and priorities no argument lists alternatives by name.
    known = Roles(task.arguments, situations, (), (), listing if answer == "entry" else None, "choice", {})
    return _interface(task, known, answer, listing)


def _answer(known: Roles) -> tuple[str, str | None]:
    """What is answered, and the argument whose entries may be answered or are rated."""
    if known.answers == "priority":
        return "priority", None
    listing = known.listing or next((name for name in known.arguments if _holds_options(known, name)), None)
    if known.answers == "scores":
        return "scores", listing
    return ("pair" if listing is None and len(known.fields) == 2 else "entry"), listing


def _holds_options(known: Roles, name: str) -> bool:
    """Whether nearly all alternatives are entries of an argument."""
    if known.kinds[name] in (*_SINGLE, "mapping", "other"):
        return False
    inside = total = 0
    for situation in known.situations:
        listed = [_plain(each) for each in entries(situation.options[0][name])]
        inside += sum(_plain(option[OPTION]) in listed for option in situation.options)
        total += len(situation.options)
    return inside >= 0.75 * total


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _interface(task: Task, known: Roles, answer: str | None, listing: str | None) -> Interface:
    names = known.arguments
    places = np.array([[_inside(known, name, other) for other in names] for name in names], dtype=bool)
    arguments = tuple(
        _argument(
            name,
            known,
            None if answer is None else name == listing,
            bool(places[row].any()),
            bool(places[:, row].any()),
        )
        for row, name in enumerate(names)
    )
    return Interface(arguments, places.reshape(len(names), len(names)), answer, task.problem_class)


def _inside(known: Roles, name: str, container: str) -> bool:
    """Whether the values of an argument, or its entries, are places or keys in another."""
    if name == container or known.kinds[container] in (*_SINGLE, "other"):
        return False
    if known.kinds[name] in _SINGLE:
        return bool(known.places_in(container, [name]))
    return known.kinds[name] in ("ids", "links") and known.lists_places(name, container)


def _argument(name: str, known: Roles, listed: bool | None, inside: bool, indexed: bool) -> Argument:
    values = known.values(name)
    numbers = [number for value in values for number in _numbers(value)]
    kind = known.kinds[name]
    whole = all(map(is_whole, numbers))
    facts: tuple[Any, ...] = (listed, whole, inside, indexed, min(numbers, default=0) < 0)
    if kind in ("table", "listing", "links"):
        shapes = [shape(value) for value in values]
        widths = {each[1] for each in shapes if len(each) > 1}
        facts += (
            all(len(each) > 1 and each[0] == each[1] for each in shapes),
            widths.pop() if len(widths) == 1 else None,
        )
    if kind not in _SINGLE:
        facts += (isinstance(values[0], Mapping), any(isinstance(each, Mapping) for each in _rows(values[0])))
    return Argument(name, kind, facts, _figures(values, numbers))


def _rows(value: Any) -> list[Any]:
    return entries(value) if hasattr(value, "__len__") and not isinstance(value, str) else []


def _numbers(value: Any) -> list[Any]:
    if is_number(value):
        return [value]
    return [number for each in _rows(value)[:STATES] for number in ([each] if is_number(each) else _numbers(each))]


def _figures(values: Sequence[Any], numbers: Sequence[Any]) -> tuple[float, ...]:
    """How often the argument changes from state to state, its size, and the size of its numbers."""
    different = len({repr(value) for value in values}) / max(1, len(values))
    length = float(np.mean([len(_rows(value)) for value in values])) if values else 0.0
    finite = np.abs(np.array(numbers, dtype=float))
    finite = finite[np.isfinite(finite)]
    middle = float(np.median(finite)) if finite.size else 0.0
    return (different, np.log1p(length) / 5, np.log1p(middle) / 5)


def _alike(first: Argument, second: Argument) -> float:
    """From 0 (nothing in common) to about 1."""
    kind = 1.0 if first.kind == second.kind else _RELATED.get(frozenset((first.kind, second.kind)), 0.0)
    if not kind:
        return 0.0
    width = max(len(first.facts), len(second.facts))
    # None is what is not known.
    facts = sum(a == b or a is None or b is None for a, b in zip(first.facts, second.facts)) / width
    apart = sum(min(1.0, abs(a - b)) for a, b in zip(first.figures, second.figures)) / len(first.figures)
    words = [set(re.findall(r"[a-z]+", each.name.lower())) for each in (first, second)]
    shared = len(words[0] & words[1]) / max(1, len(words[0] | words[1]))
    return kind * (0.3 + 0.7 * facts) - _STATISTICS * apart + _WORD * shared


def _match(own: Interface, other: Interface) -> tuple[float, dict[str, str]]:
    """How alike two interfaces are, and which arguments are: the assignment of most likeness."""
    ratings = np.array([[_alike(first, second) for second in other.arguments] for first in own.arguments])
    rows, columns = (each.tolist() for each in linear_sum_assignment(-ratings))
    places = dict(zip(rows, columns))
    best = _rating(own, other, ratings, places)
    improved = True
    while improved:
        improved = False
        for first in places:
            for second in places:
                swapped = {**places, first: places[second], second: places[first]}
                rating = _rating(own, other, ratings, swapped)
                if rating > best + 1e-9:
                    places, best, improved = swapped, rating, True
    names = {
        own.arguments[row].name: other.arguments[column].name
        for row, column in places.items()
        if ratings[row, column] >= _LIKE
    }
    # What the known task has besides is left out of its signature; what this one has besides nobody has learned.
    size = len(own.arguments) + _MISSING * max(0, len(other.arguments) - len(own.arguments))
    total = (
        best / max(1.0, size)
        + _ANSWER * (own.answer == other.answer)
        + _CLASS * (own.problem_class == other.problem_class)
    )
    return total, names


def _rating(own: Interface, other: Interface, ratings: np.ndarray, places: Mapping[int, int]) -> float:
    rows, columns = list(places), list(places.values())
    related = own.places[np.ix_(rows, rows)] & other.places[np.ix_(columns, columns)]
    return float(ratings[rows, columns].sum() + _RELATION * related.sum())
