"""Expressions for what becomes of an argument: it is what was chosen, loses or gains it, or grows by a term."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from ....tasks.roles import OPTION, is_number
from .episodes import Expressions, Step

HOLDS = 0.9
"""The share of decisions that an expression has to hold for: at the end tasks often take by themselves what is left."""
TOLERANCE = 1e-9
"""Relative difference of floats that are taken for the same."""

_MOST_TERMS = 24


@dataclass(frozen=True)
class Change:
    """What happened to one argument: decisions, its values in the calls after them, and the updates that are known.

    `names`: all arguments, in place of a record what is in it. `known`: by argument, expressions over the arguments
    before the decision.
    """

    name: str
    names: Sequence[str]
    steps: Sequence[Step]
    values: Sequence[Any]
    known: Mapping[str, str]

    @property
    def example(self) -> Any:
        """What the argument was in the first of the calls."""
        return self.steps[0].values[self.name]

    @property
    def parts(self) -> list[str]:
        """The alternative, and its parts where all of them are tuples of one length."""
        widths = {len(step.choice) if isinstance(step.choice, tuple) else 0 for step in self.steps}
        width = widths.pop() if len(widths) == 1 else 0
        return [OPTION, *(f"{OPTION}[{place}]" for place in range(width))]

    @property
    def numbers(self) -> list[str]:
        """The arguments that are numbers."""
        return [name for name in self.names if is_number(self.steps[0].values[name])]

    @property
    def others(self) -> list[str]:
        """The other arguments."""
        return [name for name in self.names if name != self.name]


def forms(change: Change, terms: Sequence[str], expressions: Expressions) -> Iterator[str]:
    """Expressions to try, those that say least first."""
    value = change.example
    yield from change.parts
    if is_number(value):
        yield from (f"{other}[0]" for other in change.others)
        before = [step.values[change.name] for step in change.steps]
        yield from _numbers(change.name, before, change.values, change, terms, expressions)
    elif isinstance(value, np.ndarray) and value.ndim == 1:
        yield from (f"{change.name}[{change.name} != {part}]" for part in change.parts)
        yield from (f"np.append({change.name}, {part})" for part in change.parts)
        yield f"{change.name}[1:]"
        for text in _kept(change):
            yield f"np.array([each for each in {change.name} if {text}], dtype={change.name}.dtype)"
        yield from (f"{change.name} {sign} {each}" for sign, each in product("+-", _rows(change)))
        yield from (f"np.concatenate([{', '.join(parts)}])" for parts in _reversed(change))
        yield from (f"np.array({text})" for text in _in_a_row(change))
    elif isinstance(value, np.ndarray) and value.ndim == 2:
        name = change.name
        best = (f"np.argmax({name}[:, {OPTION}])", f"np.argmin({name}[:, {OPTION}])")
        for row, other in product((*change.parts, *change.numbers, *best), change.others):
            yield f"{name} + np.outer(np.arange(len({name})) == {row}, {other}[{OPTION}])"
    elif isinstance(value, tuple):
        yield from (f"tuple(each for each in {change.name} if each != {part})" for part in change.parts)
        yield from (f"(*{change.name}, {part})" for part in change.parts)
    elif isinstance(value, list):
        yield from _lists(change)
    elif isinstance(value, (set, frozenset)):
        yield from (f"{change.name} - {{{part}}}" for part in change.parts)
        yield from (f"{change.name} | {{{part}}}" for part in change.parts)
        for part, other in product(change.parts, change.others):
            yield f"{change.name} - set({other}[{part}])"
            yield f"{change.name} - {{{part}, *{other}[{part}]}}"
    elif isinstance(value, Mapping):
        yield from _mappings(change)
    yield from _entries(change, terms, expressions)


def _lists(change: Change) -> Iterator[str]:
    name = change.name
    yield from (f"[each for each in {name} if each != {part}]" for part in change.parts)
    yield f"[*{name}[:{name}.index({OPTION})], *{name}[{name}.index({OPTION}) + 1:]]"
    yield from (f"[*{name}, {part}]" for part in change.parts)
    yield f"{name}[1:]"
    for place in range(len(change.parts) - 1):
        yield from (f"[each for each in {name} if each[{place}] != {part}]" for part in change.parts[1:])
    if len(change.parts) == 3:
        yield f"[each for each in {name} if each[0] != {OPTION}[0] and each[1] != {OPTION}[1]]"
    yield from (f"[each for each in {name} if {text}]" for text in _kept(change))
    if change.example and all(map(is_number, change.example)):
        for sign, each in product("+-", _rows(change)):
            yield f"[one {sign} two for one, two in zip({name}, {each})]"
        yield from _in_a_row(change)
    if change.example and all(isinstance(each, list) for each in change.example):
        for group, part in product((*change.parts, *change.numbers), repeat=2):
            if group != part:
                yield f"[[*row, {part}] if place == {group} else row for place, row in enumerate({name})]"
    yield from (f"[{', '.join(f'*{part}' for part in parts)}]" for parts in _reversed(change))
    yield from (f"sorted({change.known[other]})" for other in change.others if other in change.known)


def _in_a_row(change: Change) -> Iterator[str]:
    """Machines in a row: each begins no sooner than it is free, and the one before it is done."""
    for times in _rows(change):
        yield f"[done := max(done, one) + two for one, two in zip({change.name}, {times})] if (done := 0) == 0 else []"


def _reversed(change: Change) -> Iterator[tuple[str, ...]]:
    """The parts of a sequence of which the beginning, or a segment, is turned around."""
    name = change.name
    for end in (OPTION, f"{OPTION} + 1"):
        yield f"{name}[:{end}][::-1]", f"{name}[{end}:]"
    if len(change.parts) == 3:
        for end in (f"{OPTION}[1]", f"{OPTION}[1] + 1"):
            yield f"{name}[:{OPTION}[0]]", f"{name}[{OPTION}[0]:{end}][::-1]", f"{name}[{end}:]"


def _rows(change: Change) -> Iterator[str]:
    """The row of what was chosen in the other arguments, and its column."""
    for other, part in product(change.others, change.parts):
        yield f"{other}[{part}]"
        yield f"[row[{part}] for row in {other}]"


def _kept(change: Change) -> Iterator[str]:
    """Conditions by which entries stay that were not chosen: those that are no neighbours, or that still fit."""
    if len(change.parts) > 1:
        yield f"not {{*each}} & {{*{OPTION}}}"
    for full in (name for name in change.known if name not in change.numbers):
        own = f"({change.known[full]})[each]"
        for limit in change.numbers:
            yield from (f"{filled} < {change.known.get(limit, limit)}" for filled in (f"len({own})", own))
        yield from (f"{own} < len({other}[each])" for other in change.others if other != full)
    for part in change.parts:
        yield from (f"each != {part} and each not in {other}[{part}]" for other in change.others)
        yield from (f"each != {part} and not {other}[{part}][each]" for other in change.others)
        for limit in change.numbers:
            text = change.known.get(limit, limit)
            yield from (f"each != {part} and {other}[each] <= {text}" for other in change.others if other != limit)
            yield from (f"each != {part} and each[{place}] <= {text}" for place in range(3))
            for other in change.others:
                yield f"each != {part} and {other}[{part}][each] <= {text}"
                # There and back: what is left has to do for both ways.
                back = (f"{other}[{part}][each] + {other}[each][{end}]" for end in (0, *change.numbers) if end != limit)
                yield from (f"each != {part} and {way} <= {text}" for way in back)
        for limit in (name for name in change.known if name not in change.numbers):
            within = f"[each], {change.known[limit]}))"
            for other in change.others:
                if other != limit:
                    yield f"each != {part} and all(one <= two for one, two in zip({other}{within}"


def _mappings(change: Change) -> Iterator[str]:
    name = change.name
    yield from (f"{{key: value for key, value in {name}.items() if key != {part}}}" for part in change.parts)
    entry = next(iter(change.example.values()), None)
    for part in change.parts:
        rest = f"[each for each in value if each != {part}]"
        if isinstance(entry, (set, frozenset)):
            rest = f"value - {{{part}}}"
        yield f"{{key: {rest} for key, value in {name}.items() if key != {part}}}"
        yield f"{{key: rest for key, value in {name}.items() if key != {part} if (rest := {rest})}}"
        yield from (
            f"{{key: value for key, value in {name}.items() if key not in {other}[{part}]}}" for other in change.others
        )
        far = f"{name}.items() if key != {part} and key not in {name}[{part}]"
        yield f"{{key: value for key, value in {far}}}"
        yield f"{{key: [each for each in value if each not in {name}[{part}]] for key, value in {far}}}"
    if isinstance(entry, Mapping):
        for gone in (*(f"({part},)" for part in change.parts), *([OPTION] if len(change.parts) > 1 else [])):
            rest = f"{{k: v for k, v in value.items() if k not in {gone}}}"
            yield f"{{key: {rest} for key, value in {name}.items() if key not in {gone}}}"
            yield f"{{key: rest for key, value in {name}.items() if key not in {gone} if (rest := {rest})}}"
    for key in (*change.parts, *change.numbers):
        yield from (f"{{**{name}, {key}: {part}}}" for part in (*change.parts, *change.numbers) if part != key)


def _entries(change: Change, terms: Sequence[str], expressions: Expressions) -> Iterator[str]:
    """A list, array or dictionary of numbers of which one entry changes, by terms."""
    name, value = change.name, change.example
    if not isinstance(value, (list, np.ndarray, Mapping)):
        return
    if isinstance(value, Mapping):
        form = f"{{{{**{name}, {{key}}: {{value}}}}}}"
    elif isinstance(value, np.ndarray):
        form = f"np.where(np.arange(len({name})) == {{key}}, {{value}}, {name})"
    else:
        form = f"[*{name}[:{{key}}], {{value}}, *{name}[{{key}} + 1:]]"
    for key in (*change.parts, *change.numbers, *terms[:_MOST_TERMS]):
        places = [expressions.value(key, step.names) for step in change.steps]
        before = [_entry(step.values[name], place) for step, place in zip(change.steps, places)]
        after = [_entry(whole, place) for whole, place in zip(change.values, places)]
        if None not in before and None not in after:
            for text in _numbers(f"{name}[{key}]", before, after, change, terms, expressions):
                yield form.format(key=key, value=text)
    for key, other in product(change.parts, change.others):
        # The first number that no neighbour has.
        taken = f"{{{name}[k] for k in range(len({name})) if {other}[{key}][k]}}"
        yield form.format(key=key, value=f"min(set(range(len({name}))) - {taken})")
    if isinstance(value, list) and value and all(map(is_number, value)):
        for text in terms:
            yield f"sorted([{name}[0] + {_bracketed(text)}, *{name}[1:]])"


def _entry(whole: Any, place: Any) -> float | None:
    try:
        number = whole[place]
    except (KeyError, IndexError, TypeError, ValueError):
        return None
    return float(number) if is_number(number) else None


def _numbers(
    base: str,
    before: Sequence[Any],
    after: Sequence[Any],
    change: Change,
    terms: Sequence[str],
    expressions: Expressions,
) -> Iterator[str]:
    """Expressions for a number that was `base`: what it becomes, or what it grows by, in one or two terms."""
    if not all(map(is_number, (*before, *after))):
        return
    old, new = np.array(before, dtype=np.float64), np.array(after, dtype=np.float64)
    size = max(1.0, float(np.abs(new).max(initial=0.0)))

    def fits(values: np.ndarray) -> bool:
        return bool(np.mean(np.abs(values - new) <= TOLERANCE * size) >= HOLDS)

    rows: dict[str, np.ndarray] = {}
    for text in [*terms[:_MOST_TERMS], *(name for name in change.numbers if name != base)]:
        row = expressions.numbers(text, change.steps)
        if row is not None:
            rows[text] = row
    for text, row in {"1": np.ones(len(old)), "0": np.zeros(len(old)), **rows}.items():
        if fits(row):
            yield text
        if fits(old + row):
            yield f"{base} + {_bracketed(text)}"
        if fits(old - row):
            yield f"{base} - {_bracketed(text)}"
    for one, first in rows.items():
        for two, second in rows.items():
            if fits(np.maximum(old + first, second)):
                yield f"max({base} + {_bracketed(one)}, {two})"
            if fits(np.maximum(old, first) + second):
                yield f"max({base}, {one}) + {_bracketed(two)}"
            if fits(old + first - second):
                yield f"{base} + {_bracketed(one)} - {_bracketed(two)}"
            if one < two and fits(old + first + second):
                yield f"{base} + {_bracketed(one)} + {_bracketed(two)}"
            if one < two and fits(old - first - second):
                yield f"{base} - {_bracketed(one)} - {_bracketed(two)}"
            if fits(first + second):
                yield f"{_bracketed(one)} + {_bracketed(two)}"
            if fits(first - second):
                yield f"{_bracketed(one)} - {_bracketed(two)}"


def _bracketed(text: str) -> str:
    """A term that may stand beside an operator."""
    plain = text.replace("_", "").replace(".", "").isalnum() or (text.endswith(("]", ")")) and " " not in text)
    return text if plain else f"({text})"
