"""Fields of an alternative and of the records beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np

from .facets import Facets
from .point_terms import COORDINATES, twins


def of_records(known: Facets) -> Iterator[str]:
    """Fields of an alternative and of records beside it: how far they are apart."""
    columns = [name for name in known.columns if known.kinds[name] in ("vector", "mapping")]
    for parent in dict.fromkeys(known.columns[name] for name in columns):
        own = [name for name in columns if known.columns[name] == parent]
        for one, two in combinations(known.places_in(parent, known.keys), 2):
            yield from _apart_in_fields(
                [(known.at(each, known.whole(one)), known.at(each, known.whole(two))) for each in own]
            )
        for key, place in product(known.places_in(parent, known.keys), known.places):
            if known.places_in(parent, [place]):
                pairs = [(known.at(name, known.whole(key)), known.at(name, known.whole(place))) for name in own]
                yield from _apart_in_fields(pairs)
    fields = {each: known.whole(part) for part, each in zip(known.fields, known.accesses) if not known.is_id(part)}
    for name in known.arguments:
        if name not in known.spellings:
            beside = {each: f"{name}{each}" for each in fields if f"{name}{each}" in known.of("scalar")}
            numbers = {each: other for each, other in beside.items() if not _are_flags(known, other)}
            apart_by = {each: (fields[each], known.whole(other)) for each, other in numbers.items()}
            named = [each for one in apart_by for other in twins(one) if other in apart_by for each in (one, other)]
            yield from _apart_in_fields(
                [apart_by[each] for each in dict.fromkeys([*named, *apart_by])], 2 * bool(named)
            )


def _are_flags(known: Facets, name: str) -> bool:
    return all(isinstance(value, (bool, np.bool_)) for value in known.values(name))


def _apart_in_fields(pairs: Sequence[tuple[str, str]], coordinates: int = 0) -> Iterator[str]:
    """Differences field by field, and the distance where two fields are the coordinates of points.

    `coordinates`: how many of the first fields are some by name; 0 where names do not say.
    """
    together = list(combinations(pairs[: coordinates or COORDINATES], 2))
    yield from (f"abs(complex({a} - {b}, {c} - {d}))" for (a, b), (c, d) in together)
    yield from (f"abs({a} - {b})" for a, b in pairs)
    yield from (f"(abs({a} - {b}) + abs({c} - {d}))" for (a, b), (c, d) in together)
