"""What lies inside of the arguments of a task: the fields of a record, and a column for each field of many records.

A person's function often gets `job["hours"]` or `jobs[3]["hours"]`. Each such facet is looked at as if it were an
argument of its own: a number, a vector, a dictionary of numbers. It differs from one in how it is spelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, NamedTuple

from ...tasks.records import Field, are_ids, place_field, record_fields, record_keys
from ...tasks.roles import Roles, Situation, entries, is_whole

NUMBERS = ("vector", "mapping")
"""Kinds of values that have a number for each place or key."""
_DEEPEST = 2
_FAR_APART = 3
_MOST = 24
_WIDEST = 8


class Spelling(NamedTuple):
    """How a value is written: the `whole`, and an entry, its key in brackets between `before` and `after`."""

    whole: str
    before: str
    after: str = ""


@dataclass(frozen=True)
class Facets(Roles):
    """The roles of the arguments and of their facets, which stand behind them.

    Attributes:
        spellings: by facet; an argument is spelled as its name in braces.
        columns: the facets that have an entry for each record of an argument, and that argument.
        ends: of alternatives that lead from what is listed to what is not, the end that is not: a name of its own.
        paired: the table that has the two ends of each, if one has: numbers of places, which are no amounts.
    """

    spellings: Mapping[str, Spelling]
    columns: Mapping[str, str]
    ends: tuple[str, ...] = ()
    paired: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """What tells alternatives apart, the ends that they lead to among it."""
        return (*super().keys, *self.ends)

    def whole(self, name: str) -> str:
        """A template of an argument, a facet, or a part of the alternative."""
        return self.spellings[name].whole if name in self.spellings else f"{{{name}}}"

    def at(self, name: str, key: str) -> str:
        """A template of the entry of an argument or a facet at a key, itself a template."""
        spelling = self.spellings.get(name) or Spelling(f"{{{name}}}", f"{{{name}}}")
        return f"{spelling.before}[{key}]{spelling.after}"

    def widths(self, name: str) -> set[int]:
        """How long the rows of a table are, in all situations, where they differ within one; else nothing."""
        lengths = [{len(row) for row in entries(value)} for value in self.values(name)]
        return set().union(*lengths) if any(len(each) > 1 for each in lengths) else set()

    def holds_numbers(self, name: str) -> bool:
        """Whether the rows of an argument hold whole numbers that are no places, neither in it nor in another one."""
        values = {number for value in self.values(name) for row in entries(value) for number in row}
        if not values or not all(map(is_whole, values)):
            return False
        sizes = [len(value) for each in self.arguments for value in self.values(each) if hasattr(value, "__len__")]
        keys = {
            key for each in self.arguments for value in self.values(each) if isinstance(value, Mapping) for key in value
        }
        return max(values) > max(sizes) and not values & keys

    @cached_property
    def lists(self) -> list[str]:
        """Templates of what lists places or keys."""
        return [self.whole(name) for name in self.of("ids")]

    @cached_property
    def places(self) -> list[str]:
        """The single values that are places or keys of something."""
        return [name for name in self.of("scalar", "name") if self.is_place(name)]

    def is_place(self, name: str) -> bool:
        """Whether a value is a place of something. One that is always the same is none, unless it is the first."""
        values = [option.get(name) for situation in self.situations for option in situation.options]
        try:
            constant = len(set(values)) == 1 and values[0] != 0 and not isinstance(values[0], str)
        except TypeError:  # no single value
            return False
        return self.is_id(name) and not constant

    def is_amount(self, key: str) -> bool:
        """Whether what tells alternatives apart is a key of dictionaries alone, whose keys are far apart: lengths."""
        containers = [value for name in self.arguments if self.places_in(name, [key]) for value in self.values(name)]
        if not containers or not all(isinstance(value, Mapping) and value for value in containers):
            return False
        apart = [all(map(is_whole, keys)) and max(keys) - min(keys) >= _FAR_APART * len(keys) for keys in containers]
        return 2 * sum(apart) > len(apart)


class _Facet(NamedTuple):
    name: str
    spelling: Spelling
    column_of: str | None
    value: Callable[[Any], Any]
    """What it is, by the argument's value."""


def with_facets(known: Roles) -> Facets:
    """The roles of a task, and of what lies inside of its arguments; records inside of records once more."""
    names = list(known.arguments)
    options = [[dict(option) for option in situation.options] for situation in known.situations]
    spellings: dict[str, Spelling] = {}
    columns: dict[str, str] = {}
    layer = [name for name in names if name != known.listing or known.by_keys]
    for _ in range(_DEEPEST):
        following: list[str] = []
        for name in layer:
            values = [option[name] for row in options for option in row]
            spelling = spellings.get(name) or Spelling(f"{{{name}}}", f"{{{name}}}")
            for facet in _facets(name, spelling, name in columns, values, [each for row in options for each in row]):
                if len(spellings) == _MOST:
                    break
                spellings[facet.name] = facet.spelling
                if facet.column_of is not None:
                    columns[facet.name] = facet.column_of
                for option in (each for row in options for each in row):
                    option[facet.name] = facet.value(option[name])
                following.append(facet.name)
        layer = following
    situations = tuple(Situation(tuple(row)) for row in options)
    return Facets(
        (*names, *spellings),
        situations,
        known.fields,
        known.accesses,
        known.listing,
        known.answers,
        known.indexed,
        spellings,
        columns,
    )


def _facets(
    name: str, spelling: Spelling, column: bool, values: Sequence[Any], options: Sequence[Mapping[str, Any]]
) -> Iterator[_Facet]:
    """The facets of one argument, or of a facet that is no column itself."""
    if column:
        return
    if not are_ids(record_keys(values), name, options):
        fields = record_fields(values)
        for field in fields:
            one = f"{spelling.whole}{field.text}"
            yield _Facet(f"{name}{field.text}", Spelling(one, one), None, field.read)
        if fields:
            return
    rows = [row for value in values if _is_collection(value) for row in entries(value)]
    if not rows or not all(map(_is_collection, values)):
        return
    mapped = isinstance(values[0], Mapping)
    every = f"{spelling.whole}.values()" if mapped else spelling.whole
    for field in () if mapped and set(record_keys(rows)) & set(values[0]) else _columns(rows):
        yield _Facet(
            f"{name}[]{field.text}",
            Spelling(f"[j{field.text} for j in {every}]", spelling.before, f"{spelling.after}{field.text}"),
            name,
            partial(_column, field=field),
        )


def _columns(rows: Sequence[Any]) -> tuple[Field, ...]:
    """The fields of records, or the places of rows that say different things in each."""
    if all(isinstance(row, (tuple, list)) for row in rows):
        return tuple(map(place_field, range(len(rows[0])))) if _are_mixed(rows) else ()
    return record_fields(rows)


def _column(value: Any, field: Field) -> Any:
    if isinstance(value, Mapping):
        return {place: field.read(row) for place, row in value.items()}
    return [field.read(row) for row in value]


def _is_collection(value: Any) -> bool:
    return isinstance(value, (Mapping, list, tuple))


def _are_mixed(rows: Sequence[Sequence[Any]]) -> bool:
    """Whether rows of one length say different things in each place: some number or name, some other."""
    widths = {len(row) for row in rows}
    if len(widths) > 1 or not 1 < len(rows[0]) <= _WIDEST:
        return False
    kinds = {tuple(isinstance(each, str) or (hasattr(each, "__len__") and 2) for each in row) for row in rows}
    return len(kinds) == 1 and len(set(kinds.pop())) > 1
