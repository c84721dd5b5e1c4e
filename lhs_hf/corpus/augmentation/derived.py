"""The words of a task that nobody wrote any for: what can be computed about its alternatives on its probe states.

Terms are written by the roles of the arguments and kept where they run: one that raises, is no number or is the same
for all alternatives says nothing, and of terms that say the same the first stays. A person's task needs no more than
its probe states for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any

import numpy as np

from ...tasks.roles import OPTION, Roles, is_number, is_whole, roles, shape
from .joining import joined
from .measuring import Distinct, evaluated, typical_size
from .vocabulary import Term, Vocabulary

MOST_TERMS, MOST_JOINED = 48, 40
"""Simple terms of a task, and terms that join two or three of them."""

_NARROW = 4
_OCCURS = 0.2
_LEVELS = (0.25, 0.5, 0.75)
_ROW_BESIDE = (
    "sum(a * b for a, b in zip({0}, {1}))",
    "max(a + b for a, b in zip({0}, {1}))",
    "sum(abs(a - b) for a, b in zip({0}, {1}))",
    "sum((a - b) ** 2 for a, b in zip({0}, {1}))",
    "sum(a for a, b in zip({0}, {1}) if b >= 0)",
    "sum(a / max(1e-09, b) for a, b in zip({0}, {1}))",
    "max(a / max(1e-09, b) for a, b in zip({0}, {1}))",
    "min(b - a for a, b in zip({0}, {1}))",
)
"""What a row of a table says beside numbers of its own length: capacities, prices, another point."""


def derived_vocabulary(task: Any) -> Vocabulary:
    """The words of a task with probe states; an empty vocabulary where its alternatives are not known."""
    known = roles(task)
    if known is None:
        return Vocabulary()
    terms, measured, shared = _terms(known)
    return Vocabulary(
        terms=terms,
        measured=measured,
        shared=shared,
        phases=_phases(known),
        exchangeable=_exchangeable(known),
        fields=known.fields,
        scores=known.answers != "choice",
    )


# -- terms -------------------------------------------------------------------------------------------------------------


def _terms(known: Roles) -> tuple[tuple[str, ...], tuple[Term, ...], tuple[Term, ...]]:
    """Templates of numbers that tell alternatives apart, simple ones first; these, and what is shared, measured."""
    distinct = Distinct(known)
    simple = _chosen(_of_priority(known) if known.answers == "priority" else _of_choice(known), distinct, MOST_TERMS)
    ids = {_word(name) for name in (*known.arguments, *known.keys) if _is_index(known, name)}
    shared = [_word(name) for name in known.of("scalar") if _word(name) not in {*ids, *simple}]
    measured = [Term(term, typical_size(known, term), distinct.spreads[term]) for term in simple]
    common = [Term(term, typical_size(known, term), 0.0) for term in shared]
    numbers = [each for each in measured if each.text not in ids]
    joint = joined({each.text: each.size for each in numbers}, {each.text: each.size for each in common})
    return (*simple, *_chosen(joint, distinct, MOST_JOINED)), tuple(numbers or measured), tuple(common)


def _chosen(templates: Iterator[str], distinct: Distinct, most: int) -> list[str]:
    """The first terms among some templates."""
    chosen: list[str] = []
    for template in templates:
        if len(chosen) < most and distinct.add(template):
            chosen.append(template)
    return chosen


def _is_index(known: Roles, name: str) -> bool:
    """Whether a value is a place of something. One that is always the same is none, unless it is the first place."""
    values = [option.get(name) for situation in known.situations for option in situation.options]
    constant = all(map(is_number, values)) and len(set(values)) == 1 and values[0] != 0
    return known.is_id(name) and not constant


def _of_choice(known: Roles) -> Iterator[str]:
    """Everything that may be a term about a listed alternative, by the roles of the arguments."""
    yield from (_word(key) for key in known.keys if not known.is_id(key))
    lists = [_word(name) for name in known.of("ids")]
    numbers = known.of("vector", "mapping")
    for name in numbers:
        whole = [OPTION] if known.fields and known.kinds[name] == "mapping" else []
        yield from (_entry(known, name, key) for key in known.places_in(name, [*whole, *known.keys]))
    for name in known.of("table"):
        yield from _either(known, _of_table(known, name, lists))
    for name, key in [(each, key) for each in known.of("links") for key in known.places_in(each, known.keys)]:
        own = _entry(known, name, key, "()")
        yield f"len({own})"
        yield from (f"len(set({own}) & set({others}))" for others in lists)
        for other in numbers:
            yield f"sum({_word(other)}[k] for k in {own})"
            yield f"max(({_word(other)}[k] for k in {own}), default=0)"
        for other in known.of("mapping", "other"):
            if all(isinstance(each, Mapping) for each in known.values(other)):
                yield f"sum(1 for k in {own} if k in {_word(other)})"
                yield f"len(set({_word(other)}[k] for k in {own} if k in {_word(other)}))"
        yield from (f"sum(len({_word(other)}[k]) for k in {own})" for other in known.of("links"))
    for name in known.of("other"):
        yield from _of_nested(known, name, lists)
    for name in (each for each in known.of("vector", "ids") if each != known.listing):
        yield from (term for key in known.keys for term in _occurrences(known, name, key))
    if known.keys == (OPTION,):
        yield from ("len({x})", "sum({x})", "max({x})", "min({x})", "{x}[0]", "{x}[-1]")
        yield from (f"len(set({{x}}) & set({others}))" for others in lists)
        yield from (f"sum({_word(name)}[k] for k in {{x}})" for name in numbers)
        if known.listing is not None:
            yield f"sum(1 for other in {_word(known.listing)} if set(other) & set({{x}}))"
    yield from (_word(key) for key in known.keys if known.is_id(key))


def _of_table(known: Roles, name: str, lists: Sequence[str]) -> Iterator[str]:
    """Entries and sums of rows and columns."""
    table, keys = _word(name), known.places_in(name, known.keys)
    scalars = [_word(each) for each in known.of("scalar") if _is_index(known, each)]
    ids = [_word(key) for key in known.keys if known.is_id(key)]
    for key in keys:
        own, columns = f"{table}[{_word(key)}]", _columns(known, name)
        yield from (f"{own}[{place}]" for place in columns)
        if columns == (0, 1):
            yield f"({own}[1] - {own}[0])"
    for key, place in product(ids, scalars):
        yield f"{table}[{place}][{key}]"
        yield f"{table}[{key}][{place}]"
    yield from (f"{table}[{one}][{two}]" for one, two in permutations(ids, 2))
    if all(2 <= len(each) <= 3 for each in known.values(name)):
        # Two sides, or best and worst: a row each.
        for key in ids:
            yield from (f"{table}[{row}][{key}]" for row in (0, 1))
            yield f"({table}[0][{key}] - {table}[1][{key}])"
            yield f"min({table}[0][{key}], {table}[1][{key}])"
    for key in keys:
        own = f"{table}[{_word(key)}]"
        yield from (f"{function}({own})" for function in ("sum", "max", "min"))
        for others in lists:
            yield f"sum({own}[k] for k in {others})"
            yield f"min(({own}[k] for k in {others} if k != {_word(key)}), default=0)"
            yield f"max(({own}[k] for k in {others}), default=0)"
            yield f"sum({table}[k][{_word(key)}] for k in {others})"
        for chosen, others in product(lists, [f"range(len({table}))", *lists]):
            if chosen != others:
                # What is left to the nearest of those that there would be.
                nearest = f"min({table}[k][j] for j in (*{chosen}, {_word(key)})) for k in {others}"
                yield f"sum({nearest})"
                yield f"max({nearest})"
        for other in known.of("vector"):
            yield from (term.format(own, _word(other)) for term in _ROW_BESIDE)
    for key in known.places_in_rows(name, known.keys):
        column = f"[j[{_word(key)}] for j in {table}]"
        yield from (f"{function}(j[{_word(key)}] for j in {table})" for function in ("sum", "max", "min"))
        for other in known.of("vector"):
            yield from (term.format(column, _word(other)) for term in _ROW_BESIDE)


def _of_nested(known: Roles, name: str, lists: Sequence[str]) -> Iterator[str]:
    """Entries of arrays of three axes, and of dictionaries of dictionaries."""
    values = known.values(name)
    if all(isinstance(value, np.ndarray) and value.ndim == 3 for value in values):
        scalars = [each for each in known.of("scalar") if is_whole(known.values(each)[0])]
        for places in permutations((*known.keys, *scalars), 3):
            parts = [place for place in places if place in known.keys]
            if parts == sorted(parts, key=known.keys.index):  # a pair is rarely turned around
                yield f"{_word(name)}[{', '.join(map(_word, places))}]"
    if all(isinstance(value, Mapping) and value and all(map(_is_mapping, value.values())) for value in values):
        for key in known.places_in(name, known.keys):
            own = _entry(known, name, key, "{{}}")
            yield f"len({own})"
            yield f"sum({own}.values())"
            yield f"max({own}.values(), default=0)"
            yield from (f"sum({own}.get(k, 0) for k in {others})" for others in lists)
            yield from (f"sum({own}.get(k, 0) for k in {_word(other)})" for other in known.of("mapping"))
        for place, other in product(known.places_in(name, known.of("scalar")), known.of("mapping")):
            # What has been given to others, and what they are to this one.
            own, given = f"{_word(name)}[{_word(place)}]", _word(other)
            yield from (f"sum({own}.get(k, 0) for k in {given} if {given}[k] == {_word(each)})" for each in known.keys)
            yield from (
                f"sum({own}.get(k, 0) / (1 + abs({given}[k] - {_word(each)})) for k in {given})" for each in known.keys
            )


def _occurrences(known: Roles, name: str, key: str) -> Iterator[str]:
    """How often a value was in a list, and when last; for lists of numbers that hold it now and then."""
    if known.kinds[name] not in ("vector", "ids"):
        return
    pairs = [(option.get(key), option[name]) for situation in known.situations for option in situation.options]
    pairs = [(value, list(entries)) for value, entries in pairs if is_number(value) and hasattr(entries, "__len__")]
    if sum(value in entries for value, entries in pairs) > _OCCURS * len(pairs):
        yield f"sum(1 for k in {_word(name)} if k == {_word(key)})"
        yield f"max((j for j, k in enumerate({_word(name)}) if k == {_word(key)}), default=-1)"


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


def _either(known: Roles, templates: Iterator[str]) -> Iterator[str]:
    """Templates; where part of an alternative is 0 or 1, first those that read one of two lists by it."""
    switches = [
        key
        for key in known.fields
        if {option[key] for situation in known.situations for option in situation.options} == {0, 1}
    ]
    pairs = [pair for pair in combinations(map(_word, known.of("ids")), 2) if switches]
    every = list(templates)
    for template, (one, two) in product(every, pairs):
        if one in template and two not in template:
            yield from (f"({template.replace(one, two)} if {_word(key)} else {template})" for key in switches)
    yield from every


def _columns(known: Roles, name: str) -> tuple[int, ...]:
    """Places in the rows of a table: all of narrow rows, the ends of others that are not square."""
    shapes = {shape(value) for value in known.values(name)}
    widths = {each[1] for each in shapes if len(each) == 2}
    if len(widths) == 1 and max(widths) <= _NARROW:
        return tuple(range(max(widths)))
    return () if all(len(set(each)) == 1 for each in shapes) else (0, -1)


def _of_priority(known: Roles) -> Iterator[str]:
    """Everything that may be a term of a program that sees one alternative a call."""
    names = [_word(name) for name in known.arguments]
    yield from (_word(name) for name in known.arguments if not known.is_id(name))
    for name in known.arguments:
        word, empty = _word(name), _may_be_empty(known, name)
        yield from (f"{function}({word})" for function in ("len", "sum"))
        yield from (f"{function}({word}{', default=0' if empty else ''})" for function in ("max", "min"))
        yield from ((f"({word}[{place}] if len({word}) else 0)" if empty else f"{word}[{place}]") for place in (0, -1))
        if not empty:
            yield f"{word}[1]"
        yield f"sum(sorted({word})[-3:])"
    for one, two in permutations(known.arguments, 2):
        if known.places_in(one, [two]):
            yield _entry(known, one, two)
        yield from _occurrences(known, one, two)
        if any(hasattr(value, "__len__") and len(value) > 2 for value in known.values(one)):
            # The place of a number among others.
            yield f"sum(1 for a in {_word(one)} if a > {_word(two)})"
            yield f"max((a for a in {_word(one)} if a <= {_word(two)}), default=0)"
    for one, two in combinations(names, 2):
        yield f"sum(abs(a - b) for a, b in zip({one}, {two}))"
        yield f"sum((a - b) ** 2 for a, b in zip({one}, {two}))"
        yield f"sum(a * b for a, b in zip({one}, {two}))"
        yield f"max((a * b for a, b in zip({one}, {two})), default=0)"
        yield f"max((a + b for a, b in zip({one}, {two})), default=0)"
        yield f"len(set({one}) & set({two}))"
    for one, two in permutations(names, 2):
        yield f"sum(a / (1 + abs(b)) for a, b in zip({one}, {two}))"
    yield from (_word(name) for name in known.arguments if known.is_id(name))


def _may_be_empty(known: Roles, name: str) -> bool:
    """Whether an argument is a list that has no entry in some situation."""
    values = [option[name] for situation in known.situations for option in situation.options]
    return any(hasattr(value, "__len__") and len(value) == 0 for value in values)


def _word(name: str) -> str:
    return f"{{{name}}}"


def _entry(known: Roles, name: str, key: str, missing: str = "0") -> str:
    """The entry of an argument at a key; of a dictionary that has not all of them with something in its place."""
    containers = [
        (option[name], option[key]) for situation in known.situations for option in situation.options if key in option
    ]
    if all(isinstance(whole, Mapping) for whole, _ in containers) and any(
        own not in whole for whole, own in containers
    ):
        return f"{_word(name)}.get({_word(key)}, {missing})"
    return f"{_word(name)}[{_word(key)}]"


# -- phases and arguments of one kind ----------------------------------------------------------------------------------


def _phases(known: Roles) -> tuple[str, ...]:
    """Conditions on what all alternatives share that hold on some probe states and not on others."""
    options: list[str] = []
    lists = known.of("ids", "listing", "vector", "mapping", "table", "links", "other")
    for name in known.arguments:
        if known.answers == "priority" and _varies(known, name):
            continue
        if known.kinds[name] == "scalar" and not known.is_id(name):
            levels = np.quantile([float(value) for value in known.values(name)], _LEVELS)
            options += [f"{_word(name)} > {_short(level)}" for level in levels]
        elif name in lists and all(hasattr(value, "__len__") for value in known.values(name)):
            middle = float(np.median([len(value) for value in known.values(name)]))
            options += [f"len({_word(name)}) > {_short(middle)}", f"len({_word(name)}) % 2 == 0"]
            options += [f"2 * len({_word(name)}) > len({_word(other)})" for other in lists if other != name]
    return tuple(dict.fromkeys(each for each in options if _splits(known, each)))


def _splits(known: Roles, condition: str) -> bool:
    truths = [row[0] for row in evaluated(known, condition)]
    return None not in truths and 0.05 < float(np.mean(truths)) < 0.95


def _varies(known: Roles, name: str) -> bool:
    """Whether an argument differs between the alternatives of a decision."""
    return any(
        repr(option[name]) != repr(situation.options[0][name])
        for situation in known.situations
        for option in situation.options
    )


def _exchangeable(known: Roles) -> tuple[tuple[str, ...], ...]:
    """Arguments of one kind and size: ids, numbers, vectors of one length, tables of one shape."""
    groups: dict[Any, list[str]] = {}
    for name in known.arguments:
        kind = known.kinds[name]
        if kind == "scalar":
            groups.setdefault(("id" if known.is_id(name) else "number",), []).append(name)
        elif kind in ("vector", "table"):
            groups.setdefault((kind, *map(shape, known.values(name))), []).append(name)
    return tuple(tuple(names) for names in groups.values() if len(names) > 1)


def _short(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
