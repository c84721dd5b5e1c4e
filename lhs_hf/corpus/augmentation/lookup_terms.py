"""Numbers that two steps lead to: at what an entry is a place or key of; neighbours listed with weights; stacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, permutations
from typing import Any

from ...tasks.records import record_fields
from ...tasks.roles import entries, is_number, is_whole
from .facets import Facets
from .measuring import evaluated


def of_lookups(known: Facets, lists: Sequence[str]) -> Iterator[str]:
    """Terms about an alternative; `lists` are templates of the lists of ids among the arguments."""
    for name in known.arguments:
        if name not in known.columns and _lists_weights(known, name):
            for key in known.places_in(name, known.keys):
                yield from _of_weighted(known, name, key, lists)
        # What stands in a list of ids at the place of an id says nothing.
        for key in known.places_in(name, known.keys) if known.kinds[name] not in ("ids", "listing") else ():
            yield from _onward(known, name, key)


def of_records_between(known: Facets, names: Sequence[str]) -> Iterator[str]:
    """Numbers in the records that two values lead to, those of a link from one place to another."""
    for name in known.of("other"):
        for one, two in permutations(known.places_in(name, names), 2):
            own = f"{known.at(name, known.whole(one))}[{known.whole(two)}]"
            rows = [value for row in evaluated(known, own) for value in row]
            for field in record_fields(rows) if None not in rows else ():
                yield f"{own}{field.text}"


def of_stacks(own: str) -> Iterator[str]:
    """What is on top of a stack, or last in a queue, what comes first, and the extremes; 0 of one that is empty."""
    yield from (f"({own}[{place}] if len({own}) else 0)" for place in (-1, 0))
    yield from (f"{function}({own}, default=0)" for function in ("max", "min"))


def _lists_weights(known: Facets, name: str) -> bool:
    """Whether an argument has a list of pairs, a neighbour and a number, for each place or key."""
    rows = [row for value in known.values(name) if _is_container(value) for row in entries(value)]
    if not rows or not all(isinstance(row, (list, tuple)) for row in rows):
        return False
    pairs = list(chain.from_iterable(rows))
    return bool(pairs) and all(
        isinstance(pair, tuple) and len(pair) == 2 and _is_name(pair[0]) and is_number(pair[1]) for pair in pairs
    )


def _of_weighted(known: Facets, name: str, key: str, lists: Sequence[str]) -> Iterator[str]:
    """What neighbours with weights come to, and the weight between where one is and the alternative."""
    own = known.at(name, known.whole(key))
    for place in known.places_in(name, known.places):
        yield f"sum(w for k, w in {known.at(name, known.whole(place))} if k == {known.whole(key)})"
    yield f"len({own})"
    yield f"sum(w for k, w in {own})"
    yield f"max((w for k, w in {own}), default=0)"
    yield f"min((w for k, w in {own}), default=0)"
    yield from (f"sum(w for k, w in {own} if k in {others})" for others in lists)


def _onward(known: Facets, name: str, key: str) -> Iterator[str]:
    """Entries of other arguments at what an entry is: the load of the machine that a job needs."""
    own = known.at(name, known.whole(key))
    yield from _entries_at(known, own, name)
    rows = [value for row in evaluated(known, own) for value in row if value is not None]
    if name in known.columns or not rows or not all(isinstance(row, (list, tuple)) for row in rows):
        return
    # The next of its steps: `steps[job][done[job]]`.
    for counter in known.of("vector", "mapping"):
        if known.places_in(counter, [key]) and _counts(known, name, counter):
            count = known.at(counter, known.whole(key))
            step = f"{own}[{count}]"
            yield from (step, f"{step}[0]", f"{step}[1]", f"(len({own}) - {count})")
            for reading in (f"{step}[0]", f"{step}[1]", step):
                yield from _entries_at(known, reading)
            yield f"sum({own}[{count}:])"
            yield f"sum(k[1] for k in {own}[{count}:])"


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
        longest = max(longest, *(len(row) for row in entries(whole)), 0)
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
