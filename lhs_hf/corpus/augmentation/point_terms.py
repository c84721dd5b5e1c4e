"""How far points are from each other: rows of narrow tables, tuples, and what records have in a field."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from ...tasks.records import Field, place_field, record_fields
from ...tasks.roles import OPTION, entries, is_number, is_whole
from .facets import Facets

COORDINATES = 3
"""Numbers of a point at most, and fields of a record that may be some of its numbers."""

_PLANE = "abs(complex(*{0}) - complex(*{1}))"
_SPACE = "sum((a - b) ** 2 for a, b in zip({0}, {1})) ** 0.5"
_ALONG = "sum(abs(a - b) for a, b in zip({0}, {1}))"


def apart(one: str, two: str, dimensions: int) -> Iterator[str]:
    """How far two points are from each other, lists or tuples of two or three numbers.

    In the plane they are complex numbers: quick, and without an exponent that an edit could change.
    """
    yield (_PLANE if dimensions == 2 else _SPACE).format(one, two)
    yield _ALONG.format(one, two)


def of_points(known: Facets, lists: Sequence[str]) -> Iterator[str]:
    """How far an alternative is from where one is, from the first place, and from what is listed, where all are points;
    of one that has two of them, how far these are from each other.

    A point is a row of a narrow table, or an alternative that is a tuple.
    """
    for name in known.of("table"):
        if width := point_width(known, name):
            for one, two in combinations(known.places_in(name, known.keys), 2):
                yield from apart(known.at(name, known.whole(one)), known.at(name, known.whole(two)), width)
            for key in known.places_in(name, known.keys):
                own, whole = known.at(name, known.whole(key)), known.whole(key)
                for place in known.places_in(name, known.places):
                    yield from apart(own, known.at(name, known.whole(place)), width)
                if _is_never_first(known, key):
                    yield from apart(own, known.at(name, "0"), width)
                near = next(apart(own, known.at(name, "k"), width))
                for others in lists:
                    yield f"min(({near} for k in {others} if k != {whole}), default=0)"
                    yield f"sum({near} for k in {others})"
    points = all(each[1:-1].isdigit() for each in known.accesses) and not any(known.indexed.values())
    if len(known.fields) in (2, COORDINATES) and points:
        for name in known.of("vector", "ids"):
            if {len(value) for value in known.values(name)} == {len(known.fields)}:
                yield from apart("{x}", known.whole(name), len(known.fields))


def _is_never_first(known: Facets, key: str) -> bool:
    """Whether an alternative, a place in a list, is never the first one: where all begins, mostly."""
    values = [option[key] for situation in known.situations for option in situation.options]
    return all(is_whole(each) and each > 0 for each in values)


def point_width(known: Facets, name: str) -> int:
    """2 or 3 where the rows of a table may be points, else 0: those of a window are two numbers that ascend."""
    return _width([row for value in known.values(name) for row in entries(value)])


def of_points_inside(known: Facets) -> Iterator[str]:
    """How far the points that alternatives hold are from one another, and from those that stand alone.

    An alternative may hold a point itself, or lead to a record that does: `orders[k]["pickup"]` from
    `courier["at"]`, or from `couriers[j]["at"]` where both are chosen.
    """
    held = list(_held(known))
    own = [*((f"{{{OPTION}}}{text}", width) for text, width in held), *_led_to(known)]
    beside = [(known.whole(name), width) for name in known.of("vector", "ids") if (width := _alone(known, name))]
    for (one, width), (two, other) in (*combinations(own, 2), *product(own, beside)):
        if width == other:
            yield next(apart(one, two, width))
    if known.listing is not None:
        others = known.whole(known.listing)
        for text, width in held:
            near = next(apart(f"{{{OPTION}}}{text}", f"k{text}", width))
            yield f"min(({near} for k in {others} if k != {{{OPTION}}}), default=0)"
            yield f"sum({near} for k in {others})"


def _held(known: Facets) -> Iterator[tuple[str, int]]:
    """Where points are in a record that is chosen, or in a tuple of more than numbers, and how wide they are."""
    if known.keys == (OPTION,) or known.fields:
        alternatives = [option[OPTION] for situation in known.situations for option in situation.options]
        for field in _inside(alternatives):
            try:
                rows = list(map(field.read, alternatives))
            except (LookupError, AttributeError, TypeError):  # not in all of them
                continue
            if width := _width(rows):
                yield field.text, width


def _inside(values: Sequence[Any]) -> Sequence[Field]:
    if all(isinstance(each, tuple) for each in values):
        return [place_field(place) for place in range(min(map(len, values)))]
    return record_fields(values)


def _led_to(known: Facets) -> Iterator[tuple[str, int]]:
    """The points in records, or in a narrow table, at what alternatives are places or keys of."""
    for name in known.of("table"):
        if width := point_width(known, name):
            for key in known.places_in(known.columns.get(name, name), known.keys):
                yield known.at(name, known.whole(key)), width


def _alone(known: Facets, name: str) -> int:
    """How many numbers a list of numbers has that is one point; 0 for others."""
    return 0 if name in known.columns or name == known.listing else _width(known.values(name))


def _width(values: Sequence[Any]) -> int:
    """2 or 3 where values may be points, lists or tuples of so many numbers, else 0."""
    if not values or not all(isinstance(value, (list, tuple, np.ndarray)) for value in values):
        return 0
    rows = [list(value) for value in values]
    widths = {len(row) for row in rows}
    few = widths in ({2}, {COORDINATES}) and all(is_number(each) for row in rows for each in row)
    return widths.pop() if few and any(row != sorted(row) for row in rows) else 0
