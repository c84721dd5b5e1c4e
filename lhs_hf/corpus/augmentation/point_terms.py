"""How far points are from each other: rows of narrow tables, tuples, and what records have in a field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

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


class _Point(NamedTuple):
    """A template of a point, how many numbers it has, and how they are read off one that is a record."""

    text: str
    width: int
    coordinates: tuple[str, ...] = ()

    def to(self, other: _Point) -> str:
        """How far another point of the same width is."""
        if self.width == 2:
            return f"abs({self._number()} - {other._number()})"
        return _SPACE.format(self._numbers(), other._numbers())

    def _number(self) -> str:
        return f"complex({', '.join(self._read())})" if self.coordinates else f"complex(*{self.text})"

    def _numbers(self) -> str:
        return f"({', '.join(self._read())})" if self.coordinates else self.text

    def _read(self) -> list[str]:
        return [self.text + each for each in self.coordinates]


def of_points_inside(known: Facets) -> Iterator[str]:
    """How far the points that alternatives hold are from one another, and from those that stand alone.

    An alternative may hold a point itself, or lead to a record that does: `orders[k]["pickup"]` from `courier["at"]`,
    or from `couriers[j]["at"]` where both are chosen. A point is two or three numbers, in a tuple or by name.
    """
    held = list(_held(known))
    own = [*held, *_led_to(known)]
    for one, two in (*combinations(own, 2), *product(own, _alone(known))):
        if one.width == two.width:
            yield one.to(two)
    if known.listing is not None:
        others, start = known.whole(known.listing), len(f"{{{OPTION}}}")
        for one in held:
            near = one.to(one._replace(text=f"k{one.text[start:]}"))
            yield f"min(({near} for k in {others} if k != {{{OPTION}}}), default=0)"
            yield f"sum({near} for k in {others})"


def _held(known: Facets) -> Iterator[_Point]:
    """The points in records that are chosen, or in tuples of more than numbers."""
    if known.keys == (OPTION,) or known.fields:
        alternatives = [option[OPTION] for situation in known.situations for option in situation.options]
        for field in _inside(alternatives):
            try:
                rows = list(map(field.read, alternatives))
            except (LookupError, AttributeError, TypeError):  # not in all of them
                continue
            yield from _points(f"{{{OPTION}}}{field.text}", rows)


def _inside(values: Sequence[Any]) -> Sequence[Field]:
    if all(isinstance(each, tuple) for each in values):
        return [place_field(place) for place in range(min(map(len, values)))]
    return record_fields(values)


def _led_to(known: Facets) -> Iterator[_Point]:
    """The points in records, or in a narrow table, at what alternatives are places or keys of."""
    for name in known.of("table", "other"):
        values = known.values(name)
        rows = [row for value in values if hasattr(value, "__len__") for row in entries(value)]
        # A dictionary of records is no list of points: these stand in its columns.
        if known.kinds[name] == "table" or name in known.columns:
            for key in known.places_in(known.columns.get(name, name), known.keys):
                yield from _points(known.at(name, known.whole(key)), rows)


def _alone(known: Facets) -> list[_Point]:
    """The arguments that are one point."""
    names = [name for name in known.of("vector", "ids", "mapping") if name not in known.columns]
    return [
        point for name in names if name != known.listing for point in _points(known.whole(name), known.values(name))
    ]


def _points(text: str, values: Sequence[Any]) -> Iterator[_Point]:
    """What a template stands for, if its values may be points."""
    fields = record_fields(values) if values and isinstance(values[0], Mapping) else ()
    rows = [[field.read(value) for field in fields] for value in values] if fields else values
    if width := _width(rows):
        yield _Point(text, width, tuple(field.text for field in fields))


def _width(values: Sequence[Any]) -> int:
    """2 or 3 where values may be points, lists or tuples of so many numbers, else 0."""
    if not values or not all(isinstance(value, (list, tuple, np.ndarray)) for value in values):
        return 0
    rows = [list(value) for value in values]
    widths = {len(row) for row in rows}
    few = widths in ({2}, {COORDINATES}) and all(is_number(each) for row in rows for each in row)
    return widths.pop() if few and any(row != sorted(row) for row in rows) else 0
