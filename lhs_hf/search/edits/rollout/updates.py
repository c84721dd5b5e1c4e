"""How a decision changes what the next call sees: for each argument an expression that held in all rollouts.

Names say nothing here, as nowhere in `tasks.roles`: an argument is known by what happens to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....tasks.records import are_ids, record_keys, written
from ....tasks.roles import OPTION, is_number
from .episodes import Episode, Expressions, Step
from .forms import HOLDS, TOLERANCE, Change, forms

_MOST_PAIRS = 160
_FEWEST_OF_A_KIND = 6


@dataclass(frozen=True)
class Update:
    """An argument, and the expression that gives what it is after `OPTION` was chosen."""

    argument: str
    text: str


@dataclass(frozen=True)
class Dynamics:
    """What is known of a task.

    Attributes:
        updates: all made at once.
        unknown: the arguments, and what is in those that are records, whose change is not known.
        names: all arguments, in place of a record what is in it.
        parts: the updates of `names`, of which `updates` are made.
    """

    updates: tuple[Update, ...]
    unknown: tuple[str, ...]
    names: tuple[str, ...]
    parts: tuple[Update, ...]


@dataclass(frozen=True)
class Pair:
    """A decision, and the arguments of the call after it."""

    step: Step
    next: Mapping[str, Any]


def pairs_of(played: Sequence[Episode]) -> list[Pair]:
    """Decisions and what came after them, evenly from all rollouts."""
    every = [Pair(one, two.arguments) for each in played for one, two in zip(each.steps, each.steps[1:])]
    count = min(_MOST_PAIRS, len(every))
    return [every[place] for place in np.unique(np.linspace(0, len(every) - 1, count).astype(int)).tolist()]


def dynamics(
    arguments: Sequence[str], pairs: Sequence[Pair], terms: Sequence[str], expressions: Expressions
) -> Dynamics:
    """The updates of all arguments that change; those of records by what is in them.

    `terms`: numbers about an alternative, over the arguments and `OPTION`.
    """
    fields = _fields(arguments, pairs)
    pairs = [_with_parts(each, fields) for each in pairs]
    first = pairs[0].step.values
    names = [part for name in arguments for part in fields.get(name, {name: ""})]
    changing = [name for name in names if not _stays(name, pairs)]
    # What others follow from goes first: a list holds what fits into a number, or the keys of a dictionary.
    changing.sort(key=lambda name: (not is_number(first[name]), not isinstance(first[name], Mapping)))
    known: dict[str, str] = {}
    for name in [*changing, *changing]:  # one may follow from another that comes after it
        text = known.get(name) or _update(name, names, pairs, terms, known, expressions)
        if text is not None:
            known[name] = text
    updates = []
    for name in arguments:
        if name in known:
            updates.append(Update(name, known[name]))
        entries = [f"{key}: {known[part]}" for part, key in fields.get(name, {}).items() if part in known]
        if entries:
            updates.append(Update(name, f"{{**{name}, {', '.join(entries)}}}"))
    unknown = tuple(name for name in changing if name not in known)
    return Dynamics(tuple(updates), unknown, tuple(names), tuple(Update(*each) for each in known.items()))


def _fields(arguments: Sequence[str], pairs: Sequence[Pair]) -> dict[str, dict[str, str]]:
    """The records among the arguments: how what is in them is read, and its key as it is written."""
    steps = [each.step.names for each in pairs]
    keys = {
        name: record_keys([*(step[name] for step in steps), *(each.next[name] for each in pairs)]) for name in arguments
    }
    return {
        name: {f"{name}[{written(key)}]": written(key) for key in some}
        for name, some in keys.items()
        if some and not are_ids(some, name, steps)
    }


def _with_parts(pair: Pair, fields: Mapping[str, Mapping[str, str]]) -> Pair:
    """A pair with what is in records beside the arguments."""
    before, later = (
        {part: value for name, parts in fields.items() for part, value in zip(parts, arguments[name].values())}
        for arguments in (pair.step.arguments, pair.next)
    )
    return Pair(replace(pair.step, parts=before), {**pair.next, **later})


def after(step: Step, known: Dynamics, expressions: Expressions) -> dict[str, Any] | None:
    """The arguments after a decision, as far as they are known; None where an update can not be made."""
    names = dict(step.arguments)
    for each in known.updates:
        value = expressions.value(each.text, step.names)
        if value is None:
            return None
        names[each.argument] = value
    return names


def equal(one: Any, two: Any) -> bool:
    """Whether two values are the same for a program: floats to rounding, lists and tuples alike."""
    if isinstance(one, np.ndarray) or isinstance(two, np.ndarray):
        try:
            one, two = np.asarray(one), np.asarray(two)
            if one.dtype.kind not in "fiub" or two.dtype.kind not in "fiub":
                return bool(np.array_equal(one, two))
            return one.shape == two.shape and bool(np.allclose(one, two, rtol=TOLERANCE, atol=TOLERANCE))
        except ValueError:
            return False
    if is_number(one) and is_number(two):
        return bool(abs(one - two) <= TOLERANCE * max(1.0, abs(one)))
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        return one.keys() == two.keys() and all(equal(one[key], two[key]) for key in one)
    if isinstance(one, (list, tuple)) and isinstance(two, (list, tuple)):
        return len(one) == len(two) and all(map(equal, one, two))
    try:
        return bool(one == two)
    except ValueError:  # arrays inside of other values
        return False


def _update(
    name: str,
    names: Sequence[str],
    pairs: Sequence[Pair],
    terms: Sequence[str],
    known: Mapping[str, str],
    expressions: Expressions,
) -> str | None:
    """The expression for one argument: one for all decisions, or two by what was chosen."""

    def best(some: Sequence[Pair]) -> str | None:
        change = Change(name, names, [each.step for each in some], [each.next[name] for each in some], known)
        return _best(name, forms(change, terms, expressions), some, expressions)

    text = best(pairs)
    if text is not None:
        return text
    for condition in _conditions(names, pairs[0].step):
        parts: tuple[list[Pair], list[Pair]] = [], []
        for each in pairs:
            parts[not expressions.truth(condition, each.step.names)].append(each)
        if min(map(len, parts)) >= _FEWEST_OF_A_KIND:
            texts = [name if _stays(name, part) else best(part) for part in parts]
            if None not in texts:
                return f"{texts[0]} if {condition} else {texts[1]}"
    return None


def _stays(name: str, pairs: Iterable[Pair]) -> bool:
    return all(equal(each.step.values[name], each.next[name]) for each in pairs)


def _conditions(names: Sequence[str], step: Step) -> Iterator[str]:
    """What choices may differ in kind by."""
    yield f"{OPTION} == -1"
    yield from (f"{OPTION} == {name}" for name in names if is_number(step.values[name]))
    if isinstance(step.choice, tuple):
        yield from (f"{OPTION}[{place}] == {number}" for place in range(len(step.choice)) for number in (0, 1))
    yield from (f"{OPTION} in {name}" for name in names if hasattr(step.values[name], "__len__"))


def _best(name: str, candidates: Iterator[str], pairs: Sequence[Pair], expressions: Expressions) -> str | None:
    """The first expression that always holds; without one, that which holds most often of those that nearly do."""
    allowed, best = int((1 - HOLDS) * len(pairs)), None
    for text in candidates:
        misses = 0
        for each in pairs:
            misses += not equal(expressions.value(text, each.step.names), each.next[name])
            if misses > allowed:
                break
        else:
            if misses == 0:
                return text
            best, allowed = text, misses - 1
    return best
