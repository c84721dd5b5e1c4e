"""Numbers that two steps lead to: at what an entry is a place or key of; neighbours listed with weights; stacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, permutations, product
from typing import Any

from ...tasks.records import record_fields
from ...tasks.roles import entries, is_number, is_whole, shape
from .facets import Facets
from .measuring import evaluated

_MOST_READINGS, _STEP_WIDTH = 12, 3
_FAR, _MOSTLY = 0.6, 0.75
_LONG = 4


def of_lookups(known: Facets) -> Iterator[str]:
    """Terms about an alternative by what stands at its place: weighted neighbours, ids, places of something else."""
    for name in known.arguments:
        if name not in known.columns and _lists_weights(known, name):
            for key in known.places_in(name, known.keys):
                yield from _of_weighted(known, name, key)
        # What stands in a list of ids at the place of an id says nothing.
        for key in known.places_in(name, known.keys) if known.kinds[name] not in ("ids", "listing") else ():
            yield from _onward(known, name, key)


def of_crossings(known: Facets) -> Iterator[str]:
    """Entries of tables at two things that an alternative leads to: what it takes to go from one state to another."""
    readings = list(dict.fromkeys(_readings(known)))[:_MOST_READINGS]
    values = {reading: evaluated(known, reading) for reading in readings}
    for name in (each for each in known.of("table") if each not in known.columns):
        shapes = [shape(table) for table in known.values(name)]
        if any(len(each) < 2 for each in shapes):
            continue  # empty at times, or stacks
        if known.places_in(name, known.keys) and known.places_in_rows(name, known.keys):
            continue  # from one alternative to another: a count that fits there leads to none
        rows, columns = (
            [each for each in readings if _are_places(values[each], [own[axis] for own in shapes])] for axis in (0, 1)
        )
        keys = {known.whole(key) for key in known.keys}
        for reading, place in product(rows, known.places_in(name, known.places)):
            # From the base of an alternative to where something is, and back.
            if reading not in keys:
                yield f"{known.at(name, reading)}[{known.whole(place)}]"
                yield f"{known.at(name, known.whole(place))}[{reading}]"
        for row, column in product(rows, columns):
            if row != column and not {row, column} <= keys:
                yield f"{known.at(name, row)}[{column}]"
            if row not in keys and column in keys:
                # What is left of a column from where it stands.
                left = f"j[{column}] for j in {known.whole(name)}[{row}:]"
                yield from (f"sum({left})", f"max(({left}), default=0)")


def _readings(known: Facets) -> Iterator[str]:
    """What may be a place in a table: alternatives, entries at them, the next of their steps, and entries at that."""
    yield from map(known.whole, known.keys)
    held = known.of("vector", "mapping")
    for key in known.keys:
        for name in (each for each in held if known.places_in(each, [key])):
            yield known.at(name, known.whole(key))
            yield from _entries_at(known, known.at(name, known.whole(key)), name)
    for name in known.arguments:
        for key in known.places_in(name, known.keys):
            for step in _steps(known, name, key).values():
                yield from (f"{step}[{place}]" for place in range(_STEP_WIDTH))
                yield from _entries_at(known, f"{step}[0]")


def _are_places(rows: Sequence[Sequence[Any]], sizes: Sequence[int]) -> bool:
    """Whether values are places in lists of some sizes, a list a situation: from the first on, near to the last."""
    pairs = [(value, size) for row, size in zip(rows, sizes) for value in row]
    if not all(is_number(value) and float(value).is_integer() and 0 <= value < size for value, size in pairs):
        return False
    return any(value == 0 for value, _ in pairs) and any(value + 1 >= _FAR * size for value, size in pairs)


def of_records_between(known: Facets, names: Sequence[str]) -> Iterator[str]:
    """Numbers in the records that two values lead to, those of a link from one place to another."""
    for name in known.of("other"):
        for one, two in permutations(known.places_in(name, names), 2):
            own = f"{known.at(name, known.whole(one))}[{known.whole(two)}]"
            rows = [value for row in evaluated(known, own) for value in row]
            for field in record_fields(rows) if all(row is not None for row in rows) else ():
                yield f"{own}{field.text}"


def of_stacks(own: str) -> Iterator[str]:
    """What is on top of a stack, or last in a queue, what comes first, and the extremes; 0 of one that is empty."""
    yield from (f"({own}[{place}] if len({own}) else 0)" for place in (-1, 0))
    yield from (f"{function}({own}, default=0)" for function in ("max", "min"))


def repeats(known: Facets, name: str) -> bool:
    """Whether the longer rows of an argument hold the same few numbers again and again: what came of earlier tries."""
    rows = [list(row) for value in known.values(name) for row in entries(value)]
    long = [row for row in rows if len(row) >= _LONG]
    return bool(long) and sum(2 * len(set(row)) <= len(row) for row in long) >= _MOSTLY * len(long)


def of_history(own: str) -> Iterator[str]:
    """What came of earlier tries of an alternative; the mean is high where little is known."""
    yield f"((1 + sum({own})) / (1 + len({own})))"
    yield f"len({own})"
    yield f"sum({own})"
    yield f"({own}[-1] if len({own}) else 0)"


def _lists_weights(known: Facets, name: str) -> bool:
    """Whether an argument has a list of pairs, a neighbour and a number, for each place or key."""
    rows = [row for value in known.values(name) if _is_container(value) for row in entries(value)]
    if not rows or not all(isinstance(row, (list, tuple)) for row in rows):
        return False
    pairs = list(chain.from_iterable(rows))
    return bool(pairs) and all(
        isinstance(pair, tuple) and len(pair) == 2 and _is_name(pair[0]) and is_number(pair[1]) for pair in pairs
    )


def _of_weighted(known: Facets, name: str, key: str) -> Iterator[str]:
    """What neighbours with weights come to, and the weight of a link to the alternative, from its other end as well."""
    own = known.at(name, known.whole(key))
    others = [each for each in known.places_in(name, known.keys) if each != key]
    for place in [*known.places_in(name, known.places), *others]:
        yield f"sum(w for k, w in {known.at(name, known.whole(place))} if k == {known.whole(key)})"
    yield f"len({own})"
    yield f"sum(w for k, w in {own})"
    yield f"max((w for k, w in {own}), default=0)"
    yield f"min((w for k, w in {own}), default=0)"
    yield from (f"sum(w for k, w in {own} if k in {others})" for others in known.lists)


def _onward(known: Facets, name: str, key: str) -> Iterator[str]:
    """Entries of other arguments at what an entry is: the load of the machine that a job needs."""
    own = known.at(name, known.whole(key))
    yield from _entries_at(known, own, name)
    for count, step in _steps(known, name, key).items():
        yield from (step, f"{step}[0]", f"{step}[1]", f"(len({own}) - {count})")
        for reading in (f"{step}[0]", f"{step}[1]", step):
            yield from _entries_at(known, reading)
        yield f"sum({own}[{count}:])"
        yield f"sum(k[1] for k in {own}[{count}:])"


def _steps(known: Facets, name: str, key: str) -> dict[str, str]:
    """The next of the steps of an alternative by what counts those that are done: `steps[job][done[job]]`."""
    own = known.at(name, known.whole(key))
    rows = [value for row in evaluated(known, own) for value in row if value is not None]
    if name in known.columns or not rows or not all(isinstance(row, (list, tuple)) for row in rows):
        return {}
    counts = [
        known.at(counter, known.whole(key))
        for counter in known.of("vector", "mapping")
        if known.places_in(counter, [key]) and _counts(known, name, counter)
    ]
    return {count: f"{own}[{count}]" for count in counts}


def _entries_at(known: Facets, reading: str, name: str = "") -> Iterator[str]:
    """The entries of arguments, not of `name`, at what a template gives: a name, or the number of a place."""
    values = [value for row in evaluated(known, reading) for value in row if value is not None]
    if values and (all(isinstance(value, str) for value in values) or all(map(_is_whole_float, values))):
        for other in known.of("vector", "mapping"):
            if other != name and _leads_to(known, values, other):
                yield known.at(other, reading)


def _counts(known: Facets, name: str, counter: str) -> bool:
    """Whether the numbers of one argument are places in the rows of another, from the first on."""
    numbers, longest = [], 0
    for whole, value in zip(known.values(name), known.values(counter)):
        numbers += entries(value)
        longest = max(longest, *(len(row) for row in entries(whole) if hasattr(row, "__len__")), 0)
    return bool(numbers) and all(map(is_whole, numbers)) and min(numbers) == 0 and 0 < max(numbers) <= longest


def _leads_to(known: Facets, values: Sequence[Any], other: str) -> bool:
    """Whether values are the places or keys of an argument, all of them: amounts may happen to be some."""
    wholes = known.values(other)
    if isinstance(values[0], str):
        return all(isinstance(whole, Mapping) for whole in wholes) and set(values) <= set(wholes[0])
    sizes = {len(whole) for whole in wholes}
    if len(sizes) != 1 or not all(isinstance(whole, (list, tuple)) or hasattr(whole, "dtype") for whole in wholes):
        return all(isinstance(whole, Mapping) and set(values) == set(whole) for whole in wholes)
    return set(map(int, values)) == set(range(sizes.pop()))


def _is_whole_float(value: Any) -> bool:
    return is_number(value) and float(value).is_integer()


def _is_name(value: Any) -> bool:
    return is_whole(value) or isinstance(value, str)


def _is_container(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple))
