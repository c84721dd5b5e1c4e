"""Where the answers of a program come from: a list deep in its arguments, or one thing in each entry of a list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from .equality import alike
from .records import Field, place_field, record_fields
from .roles import is_number

_LISTS = (list, tuple, np.ndarray)
_WIDEST, _DEEPEST = 8, 2

_Call = tuple[Any, ...]


class Asked(NamedTuple):
    """The entries of a list in an argument, and what of the one that is chosen is answered.

    Attributes:
        argument: its place.
        within: where the list is, in an argument that is a record; None for the argument itself.
        answered: what is answered of an entry, such as an id; None for the entry.
    """

    argument: int
    within: Field | None
    answered: Field | None

    def text(self, arguments: Sequence[str]) -> str:
        """How a program writes the list; `arguments`: their names."""
        return f"{arguments[self.argument]}{'' if self.within is None else self.within.text}"

    def entries(self, call: _Call) -> list[Any]:
        """What is chosen among in a call."""
        value = call[self.argument]
        return list(value if self.within is None else self.within.read(value))

    def position(self, call: _Call, answer: Any) -> int | None:
        """The place of the entry that an answer stands for; None if it is none."""
        for place, entry in enumerate(self.entries(call)):
            value = entry if self.answered is None else self.answered.read(entry)
            if answer is not None and alike(value, answer):
                return place
        return None


def asked_of(calls: Sequence[tuple[_Call, Any]]) -> Asked | None:
    """Where the answers of a template come from in all its calls; None if there is no such list.

    `calls`: with their answers. Lists that are arguments are looked through first, whole entries before what is in
    them. What is answered of entries has to be different in each.
    """
    if not calls:
        return None
    return next((asked for asked in sources(calls[0][0]) if fits(asked, calls)), None)


def sources(call: _Call) -> Iterator[Asked]:
    """Lists in the arguments of a call, and what may be answered of their entries."""
    lists: list[tuple[int, Field | None, Any]] = []
    for place, value in enumerate(call):
        if isinstance(value, _LISTS):
            lists.append((place, None, value))
    for place, value in enumerate(call):
        lists += [(place, field, field.read(value)) for field in _lists_in(value, _DEEPEST)]
    for place, within, value in lists:
        yield Asked(place, within, None)
        for field in _inside(list(value)):
            yield Asked(place, within, field)


def _lists_in(record: Any, depth: int) -> Iterator[Field]:
    """Where lists are in a record, or in records in it."""
    for field in record_fields([record]):
        value = field.read(record)
        if isinstance(value, _LISTS):
            yield field
        elif depth > 1:
            yield from (field.then(inner) for inner in _lists_in(value, depth - 1))


def _inside(entries: list[Any]) -> tuple[Field, ...]:
    """What is in each of some entries: of records, and of tuples of one length."""
    fields = record_fields(entries)
    if fields or not entries or not all(isinstance(each, _LISTS) for each in entries):
        return fields
    widths = {len(each) for each in entries}
    return tuple(map(place_field, range(widths.pop()))) if len(widths) == 1 and max(widths) <= _WIDEST else ()


def fits(asked: Asked, calls: Sequence[tuple[_Call, Any]]) -> bool:
    """Whether the answers of all calls come from there, and in one of them from among several."""
    several = 0
    for call, answer in calls:
        try:
            entries, place = asked.entries(call), asked.position(call, answer)
            values = [] if asked.answered is None else [asked.answered.read(each) for each in entries]
        except (TypeError, KeyError, IndexError, AttributeError):
            return False
        if place is None or not _different(values):
            return False
        several += len(entries) > 1
    return several > 0


def _different(values: list[Any]) -> bool:
    plain = all(is_number(each) or isinstance(each, str) for each in values)
    return plain and len(set(values)) == len(values)
