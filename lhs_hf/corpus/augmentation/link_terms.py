"""Numbers about what an alternative is linked to: its neighbours, its members, a dictionary or an array of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, permutations, product

import numpy as np

from ...tasks.roles import is_whole
from .facets import NUMBERS, Facets
from .lookup_terms import of_stacks
from .pair_terms import lists_ties
from .relation_terms import entry


def of_links(known: Facets) -> Iterator[str]:
    """The neighbours of an alternative: how many they are, what they come to."""
    for name, key in [(each, key) for each in known.of("links") for key in known.places_in(each, known.keys)]:
        own = entry(known, name, key, "()")
        yield from _of_neighbours(known, own)
        yield from of_stacks(own) if known.holds_numbers(name) else ()


def of_nested(known: Facets) -> Iterator[str]:
    """Entries of arrays of three axes, and sums in dictionaries that a dictionary or a list has."""
    for name in known.of("other"):
        yield from _of_arrays(known, name)
        yield from _of_dictionaries(known, name)


def _of_neighbours(known: Facets, own: str) -> Iterator[str]:
    yield f"len({own})"
    yield from (f"len(set({own}) & set({others}))" for others in known.lists)
    for other in known.of(*NUMBERS):
        yield f"sum({known.at(other, 'k')} for k in {own})"
        yield f"max(({known.at(other, 'k')} for k in {own}), default=0)"
    for other in known.of("mapping", "other"):
        if other not in known.columns and all(isinstance(each, Mapping) for each in known.values(other)):
            yield f"sum(1 for k in {own} if k in {known.whole(other)})"
            yield f"len(set({known.at(other, 'k')} for k in {own} if k in {known.whole(other)}))"
    yield from (f"sum(len({known.at(other, 'k')}) for k in {own})" for other in known.of("links"))


def _of_arrays(known: Facets, name: str) -> Iterator[str]:
    values = known.values(name)
    if all(isinstance(value, np.ndarray) and value.ndim == 3 for value in values):
        scalars = [each for each in known.of("scalar") if is_whole(known.values(each)[0])]
        for places in permutations((*known.keys, *scalars), 3):
            parts = [place for place in places if place in known.keys]
            if parts == sorted(parts, key=known.keys.index):  # a pair is rarely turned around
                yield f"{known.whole(name)}[{', '.join(map(known.whole, places))}]"


def _of_dictionaries(known: Facets, name: str) -> Iterator[str]:
    values = known.values(name)
    inner = list(chain.from_iterable(value.values() for value in values if isinstance(value, Mapping)))
    mapped = bool(inner) and all(isinstance(each, Mapping) for each in (*values, *inner))
    if not mapped and not all(map(lists_ties, values)):
        return
    for key in known.places_in(name, known.keys):
        own = entry(known, name, key, "{{}}")
        yield f"len({own})"
        yield f"sum({own}.values())"
        yield f"max({own}.values(), default=0)"
        yield from (f"sum({own}.get(k, 0) for k in {others})" for others in known.lists)
        yield from (f"sum({own}.get(k, 0) for k in {known.whole(other)})" for other in known.of("mapping"))
    for place, other in product(known.places_in(name, known.of("scalar", "name")), known.of("mapping")):
        # What has been given to others, and what they are to this one.
        own, given = known.at(name, known.whole(place)), known.whole(other)
        yield from (
            f"sum({own}.get(k, 0) for k in {given} if {given}[k] == {known.whole(each)})" for each in known.keys
        )
        yield from (
            f"sum({own}.get(k, 0) / (1 + abs({given}[k] - {known.whole(each)})) for k in {given})"
            for each in known.keys
        )
    yield from to_members(known, name)


def to_members(known: Facets, name: str) -> Iterator[str]:
    """What one is to all that an alternative has already: a group that it may join."""
    for members, key in [(each, key) for each in known.of("links") for key in known.places_in(each, known.keys)]:
        own = entry(known, members, key, "()")
        for place in known.places_in(name, known.places):
            row = known.at(name, known.whole(place))
            reading = f"{row}[k]" if known.kinds[name] == "table" else f"{row}.get(k, 0)"
            yield f"sum({reading} for k in {own})"
            yield f"max(({reading} for k in {own}), default=0)"
