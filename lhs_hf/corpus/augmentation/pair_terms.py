"""Numbers that two places or keys lead to: entries of dictionaries by pairs, of what is nested, and of tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations, product
from typing import Any

from ...tasks.roles import is_by_pairs, is_number, is_whole
from .facets import Facets
from .measuring import evaluated

_SOMETIMES = 0.1


def between(known: Facets, names: Sequence[str]) -> Iterator[str]:
    """Entries that two of some values lead to: of dictionaries by pairs, of dictionaries of dictionaries, of tables."""
    for one, two in combinations(names, 2):
        yield from (term for name in known.of("mapping") for term in _of_pair(known, name, one, two))
    for one, two in permutations(names, 2):
        for name in known.of("other", "table"):
            if known.places_in(name, [one]):
                own = known.at(name, known.whole(one))
                yield from _within(known, own, known.whole(two))


def by_pairs(known: Facets, name: str) -> Iterator[str]:
    """Entries of a dictionary whose keys are pairs of values."""
    values = known.places
    yield from (term for key, place in product(known.keys, values) for term in _of_pair(known, name, place, key))
    yield from (term for one, two in combinations(known.keys, 2) for term in _of_pair(known, name, one, two))


def _of_pair(known: Facets, name: str, one: str, two: str) -> Iterator[str]:
    """Entries at a pair of values and at the pair turned around; one of the two where it is always there.

    Where pairs have the lesser end first, the entry at the two in order comes before these.
    """
    values = known.values(name)
    if not any(map(is_by_pairs, values)) or not all(is_by_pairs(value) or not value for value in values):
        return
    whole = known.whole(name)
    if _are_sorted(list(chain.from_iterable(values))):
        ends = ", ".join((known.whole(one), known.whole(two)))
        key = f"min({ends}), max({ends})"
        share = _share(known, f"({key}) in {whole}")
        yield from [f"{whole}[{key}]"] if share == 1 else [f"{whole}.get(({key}), 0)"] if share > _SOMETIMES else []
    keys = [f"{known.whole(first)}, {known.whole(second)}" for first, second in ((one, two), (two, one))]
    inside = [_share(known, f"({key}) in {whole}") for key in keys]
    yield from (f"{whole}[{key}]" for key, share in zip(keys, inside) if share == 1)
    if 1 not in inside:
        yield from (f"{whole}.get(({key}), 0)" for key, share in zip(keys, inside) if share > _SOMETIMES)


def _are_sorted(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether the lesser of two ends comes first in all pairs."""
    try:
        return len(pairs) > 1 and all(one < two for one, two in pairs)
    except TypeError:
        return False


def of_relations(known: Facets) -> Iterator[str]:
    """Entries of dictionaries in a dictionary or a list: from where one is to the alternative, and back."""
    for name in known.of("other"):
        if not all(isinstance(each, Mapping) or lists_ties(each) for each in known.values(name)):
            continue
        keys = known.places_in(name, known.keys)
        for key, place in product(keys, known.places_in(name, known.places)):
            yield from _within(known, known.at(name, known.whole(place)), known.whole(key))
            yield from _within(known, known.at(name, known.whole(key)), known.whole(place))
        for one, two in permutations(keys, 2):
            yield from _within(known, known.at(name, known.whole(one)), known.whole(two))


def _within(known: Facets, own: str, key: str) -> Iterator[str]:
    """The entry of a part of an argument; 0 where a dictionary has it only at times."""
    if _share(known, f"{own}[{key}] == {own}[{key}]") == 1:
        yield f"{own}[{key}]"
    elif _share(known, f"{key} in {own}.keys()") > _SOMETIMES:
        yield f"{own}.get({key}, 0)"


def _share(known: Facets, condition: str) -> float:
    """How often a condition is true, of all alternatives."""
    truths = [is_number(value) and bool(value) for row in evaluated(known, condition) for value in row]
    return sum(truths) / max(1, len(truths))


def lists_ties(value: Any) -> bool:
    """Whether a value is a list that has, for each of its places, numbers by other places: ties of a graph."""
    if not isinstance(value, (list, tuple)) or not value or not all(isinstance(row, Mapping) for row in value):
        return False
    return any(value) and all(
        is_whole(key) and 0 <= key < len(value) and is_number(number) for row in value for key, number in row.items()
    )
