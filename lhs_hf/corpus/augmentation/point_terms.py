"""How far points are from each other: rows of narrow tables, tuples, and what records have in a field."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product
from typing import Any, NamedTuple

import numpy as np

from ...tasks.records import Field, place_field, record_fields
from ...tasks.roles import OPTION, entries, is_number, is_whole
from .facets import Facets

COORDINATES = 3
"""Numbers of a point at most, and fields of a record that may be some of its numbers."""

_AXES = (
    ("x", "y"),
    ("X", "Y"),
    ("lat", "lon"),
    ("lat", "lng"),
    ("latitude", "longitude"),
    ("row", "col"),
    ("row", "column"),
    ("r", "c"),
)
"""What the two numbers of a point are called, by themselves, with a number behind them or a word before them."""
_LETTERS = 2
_LAST_WORD = re.compile(r"\w+(?=\W*$)")
_SPACE = "sum((a - b) ** 2 for a, b in zip({0}, {1})) ** 0.5"
_ALONG = "sum(abs(a - b) for a, b in zip({0}, {1}))"


class Point(NamedTuple):
    """A template of a point and how many numbers it has; or the templates of its two numbers."""

    text: str
    width: int
    numbers: tuple[str, ...] = ()

    def to(self, other: Point) -> str:
        """How far another point of the same width is.

        In the plane they are complex numbers: quick, and without an exponent that an edit could change.
        """
        if self.width == 2:
            return f"abs({self._number()} - {other._number()})"
        return _SPACE.format(self._listed(), other._listed())

    def elsewhere(self, before: str, after: str) -> Point:
        """The same point of something else, whose template is another one."""
        texts = [each.replace(before, after, 1) for each in (self.text, *self.numbers)]
        return Point(texts[0], self.width, tuple(texts[1:]))

    def _number(self) -> str:
        return f"complex({', '.join(self.numbers)})" if self.numbers else f"complex(*{self.text})"

    def _listed(self) -> str:
        return f"({', '.join(self.numbers)})" if self.numbers else self.text


def apart(one: str, two: str, dimensions: int) -> Iterator[str]:
    """How far two points are from each other, lists or tuples of two or three numbers."""
    yield Point(one, dimensions).to(Point(two, dimensions))
    yield _ALONG.format(one, two)


def of_points(known: Facets) -> Iterator[str]:
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
                for others in known.lists:
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

    An alternative may hold a point itself, or lead to a record that does: `orders[k]["pickup"]` from `courier["at"]`,
    or from `couriers[j]["at"]` where both are chosen. A point is two or three numbers, in a tuple or by name.
    """
    held, beside = list(_held(known)), alone(known)
    own = [*held, *_led_to(known)]
    for one, two in (*combinations(own, 2), *product(own, beside)):
        if one.width == two.width:
            yield one.to(two)
    if known.listing is not None:
        others = known.whole(known.listing)
        for one in held:
            near = one.to(one.elsewhere(f"{{{OPTION}}}", "k"))
            yield f"min(({near} for k in {others} if k != {{{OPTION}}}), default=0)"
            yield f"sum({near} for k in {others})"


def coordinates(known: Facets) -> set[str]:
    """Templates of the numbers that are coordinates by name, where an alternative has a point that is away from one."""
    held, others = list(_held(known)) if known.keys else [], alone(known)
    if not held or not any(one.width == two.width for one in held for two in others):
        return set()
    numbers = {each for point in (*held, *others) for each in point.numbers}
    parts = zip(known.fields, known.accesses)
    return numbers | {known.whole(part) for part, access in parts if f"{{{OPTION}}}{access}" in numbers}


def alone(known: Facets) -> list[Point]:
    """The points among the arguments and in records that are arguments."""
    names = [name for name in known.of("vector", "ids", "mapping") if name not in known.columns]
    points = [
        point for name in names if name != known.listing for point in _points(known.whole(name), known.values(name))
    ]
    return [*points, *_by_name({name: known.whole(name) for name in known.of("scalar") if name not in known.columns})]


def _held(known: Facets) -> Iterator[Point]:
    """The points in records that are chosen, or in tuples of more than numbers."""
    alternatives = [option[OPTION] for situation in known.situations for option in situation.options]
    numbers: dict[str, str] = {}
    for field in _inside(alternatives):
        try:
            rows = list(map(field.read, alternatives))
        except (LookupError, AttributeError, TypeError):  # not in all of them
            continue
        text = f"{{{OPTION}}}{field.text}"
        if all(map(is_number, rows)):
            numbers[field.text] = text
        yield from _points(text, rows)
    yield from _by_name(numbers)


def _inside(values: Sequence[Any]) -> Sequence[Field]:
    if all(isinstance(each, tuple) for each in values):
        return [place_field(place) for place in range(min(map(len, values)))]
    return record_fields(values)


def _led_to(known: Facets) -> Iterator[Point]:
    """The points in records, or in a narrow table, at what alternatives are places or keys of."""
    numbers: dict[str, dict[str, str]] = {}
    for name in known.of("table", "other", "vector", "mapping"):
        column = known.columns.get(name)
        # A dictionary of records is no list of points: these stand in its columns.
        if column is None and known.kinds[name] != "table":
            continue
        rows = [row for value in known.values(name) for row in entries(value)]
        for key in known.places_in(column or name, known.keys):
            text = known.at(name, known.whole(key))
            if known.kinds[name] in ("table", "other"):
                yield from _points(text, rows)
            else:
                numbers.setdefault(f"{column} {key}", {})[name] = text
    for each in numbers.values():
        yield from _by_name(each)


def _points(text: str, values: Sequence[Any]) -> Iterator[Point]:
    """What a template stands for, if its values may be points."""
    fields = record_fields(values) if values and isinstance(values[0], Mapping) else ()
    rows = [[field.read(value) for field in fields] for value in values] if fields else values
    if width := _width(rows):
        yield Point(text, width, tuple(text + field.text for field in fields))


def _by_name(numbers: Mapping[str, str]) -> Iterator[Point]:
    """The points among single numbers, templates by name: those that are called x and y, `pick_lat` and `pick_lon`."""
    for name, text in numbers.items():
        for other in twins(name):
            if other in numbers:
                yield Point("", 2, (text, numbers[other]))


def twins(name: str) -> Iterator[str]:
    """What the second number of a point may be called if this is what the first one is called."""
    last = _LAST_WORD.search(name)
    if last is None:
        return
    before, word, after = name[: last.start()], last[0], name[last.end() :]
    for first, second in _AXES:
        if word == first or (len(word) < len(first) + _LETTERS and word.startswith(first)):
            yield f"{before}{second}{word.removeprefix(first)}{after}"
        if word != first and (word.endswith(f"_{first}") or (len(first) == 1 and word.endswith(first))):
            yield f"{before}{word.removesuffix(first)}{second}{after}"


def _width(values: Sequence[Any]) -> int:
    """2 or 3 where values may be points, lists or tuples of so many numbers, else 0."""
    if not values or not all(isinstance(value, (list, tuple, np.ndarray)) for value in values):
        return 0
    rows = [list(value) for value in values]
    widths = {len(row) for row in rows}
    few = widths in ({2}, {COORDINATES}) and all(is_number(each) for row in rows for each in row)
    return widths.pop() if few and any(row != sorted(row) for row in rows) else 0
