"""What the arguments of a task's function are, read off its probe states: kinds, and which ids are places in which.

Names say nothing here: a task whose arguments are renamed has the same roles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from .base import ProbeState
from .records import Field, place_field, record_fields
from .simple import ANSWERS

STATES = 24
"""Probe states that are read, ..."""
CHOICES = 10
"""... and alternatives of each."""

OPTION = "x"
"""What an alternative is called among the values of a situation."""

_MOSTLY = 0.75
_FEW = 4
# Few of many entries are hit by chance: an id comes near the end of what it is a place in, somewhere.
_FAR = 0.6


@dataclass(frozen=True)
class Situation:
    """One decision: for each alternative the values by name, those of the arguments and of the alternative itself.

    An alternative stands under `OPTION`, what is in one that is a tuple or a record under `part_0`, `part_1`, ... as
    well. A program that sees one alternative a call has it among its arguments.
    """

    options: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Roles:
    """The arguments of one task in some situations, by name.

    Attributes:
        arguments: their names, in order.
        situations: what they were.
        fields: names of the numbers and strings in an alternative that is a tuple or a record.
        accesses: how each of them is read off the alternative: `[0]`, `["hours"]`.
        listing: the argument that lists the alternatives, if one does.
        answers: "choice", "scores" or "priority" (see `SimpleTask`).
        indexed: of fields that are places in a list, as the task says, that list.
    """

    arguments: tuple[str, ...]
    situations: tuple[Situation, ...]
    fields: tuple[str, ...]
    accesses: tuple[str, ...]
    listing: str | None
    answers: str
    indexed: Mapping[str, str]

    @cached_property
    def kinds(self) -> dict[str, str]:
        """What each argument is in all situations, "other" where that differs.

        "scalar" (a number), "name" (a string), "vector" and "mapping" (of numbers), "table" (rows of numbers), "links"
        (lists of ids of different length), "ids" (different whole numbers or strings that are places or keys of another
        argument), "names" (of strings that are not), "listing" (of alternatives that are no ids), "other".
        """
        kinds = {name: _common([_kind(each) for each in self.values(name)]) for name in self.arguments}
        for name, kind in list(kinds.items()):
            if kind == "links" and not all(_distinct(row) for each in self.values(name) for row in entries(each)):
                kinds[name] = "table"  # what came before, so far of different length
            if kind in ("vector", "names") and all(map(_lists_distinct, self.values(name))):
                others = [other for other in kinds if other not in (name, self.listing)]
                if any(self.lists_places(name, other) for other in others):
                    kinds[name] = "ids"
        if self.listing is not None and kinds[self.listing] != "ids" and not self.by_keys:
            kinds[self.listing] = "listing"
        return kinds

    @cached_property
    def by_keys(self) -> bool:
        """Whether the alternatives are the keys of a dictionary, which says more of them."""
        return self.listing is not None and all(isinstance(each, Mapping) for each in self.values(self.listing))

    def of(self, *kinds: str) -> list[str]:
        """The arguments of some kinds."""
        return [name for name in self.arguments if self.kinds[name] in kinds]

    def values(self, name: str) -> list[Any]:
        """An argument, once a situation."""
        return [situation.options[0][name] for situation in self.situations]

    @property
    def keys(self) -> tuple[str, ...]:
        """What tells alternatives apart: their numbers, or themselves; nothing where a call shows one alternative."""
        if self.answers == "priority":
            return ()
        return self.fields or (OPTION,)

    def places_in(self, container: str, names: Iterable[str]) -> list[str]:
        """Those of some names whose values are places or keys of an argument."""
        return [name for name in names if name != container and self._is_place(name, container)]

    def places_in_rows(self, table: str, names: Iterable[str]) -> list[str]:
        """Those of some names whose values are places in the rows of an argument."""
        return [name for name in names if name != table and self._is_place(name, table, True)]

    @cached_property
    def by_pairs(self) -> frozenset[str]:
        """The arguments that are dictionaries by pairs, or lists of edges."""
        kinds = (is_by_pairs, is_edges)
        return frozenset(name for name in self.arguments if any(all(map(kind, self.values(name))) for kind in kinds))

    def is_id(self, name: str) -> bool:
        """Whether a value is a place or key of some argument, part of its keys, or a place in the rows of a table."""
        others = [other for other in self.arguments if other != name and (other != self.listing or self.by_keys)]
        if any(self._is_place(name, other) or self.in_keys(other, name) for other in others):
            return True
        return any(self.places_in_rows(other, [name]) for other in others if self.kinds[other] == "table")

    def in_keys(self, container: str, name: str) -> bool:
        """Whether an argument is a dictionary by pairs or a list of pairs, and a value is nearly always part of one."""
        if container not in self.by_pairs:
            return False
        pairs = self._pairs(name, container)
        inside = sum(_is_key(key) and any(_has_end(pair, key) for pair in _listed(whole)) for key, whole in pairs)
        return bool(pairs) and inside >= _MOSTLY * len(pairs)

    def _is_place(self, name: str, container: str, in_rows: bool = False) -> bool:
        if self.in_keys(container, name):
            return False
        pairs = self._pairs(name, container)
        if in_rows:
            pairs = [(key, entries(whole)[0]) for key, whole in pairs if _listed(whole)]
        if not pairs or not self._may_be_place(name, pairs):
            return False
        return _are_places(pairs) or (not in_rows and self._is_first_place(name, container, pairs))

    def _may_be_place(self, name: str, pairs: Sequence[tuple[Any, Any]]) -> bool:
        """Whether containers are as long as the list that a field is known to be a place in."""
        own = self._pairs(name, self.indexed[name]) if self.indexed.get(name) in self.arguments else []
        return all(_length(one) == _length(two) for (_, one), (_, two) in zip(own, pairs))

    def _is_first_place(self, name: str, container: str, pairs: Sequence[tuple[Any, Any]]) -> bool:
        """Whether a number is 0 always, and one beside it that is a place in the same container is so now and then."""
        if any(isinstance(whole, Mapping) or not (is_whole(key) and key == 0) for key, whole in pairs):
            return False
        others = [other for other in self.arguments if other not in (name, container) and self.kinds[other] == "scalar"]
        return any(
            any(key == 0 for key, _ in beside) and any(key != 0 for key, _ in beside) and _are_places(beside)
            for beside in (self._pairs(other, container) for other in others)
        )

    def _pairs(self, name: str, container: str) -> list[tuple[Any, Any]]:
        """The values of a name beside those of an argument, in all situations and alternatives that have it."""
        return [
            (option[name], option[container])
            for situation in self.situations
            for option in situation.options
            if name in option
        ]

    def lists_places(self, name: str, container: str) -> bool:
        pairs = [(each, whole) for part, whole in zip(self.values(name), self.values(container)) for each in part]
        return bool(pairs) and _are_places(pairs)


def roles(task: Any) -> Roles | None:
    """The roles of the arguments of a task; None where its alternatives are not known or its code fails.

    `task`: a `SimpleTask`, whose alternatives are listed; of any other object nothing is known.
    """
    answers = getattr(task, "answers", None)
    if answers not in ANSWERS:
        return None
    try:
        situations = tuple(_situations(task, answers))
    except Exception:  # a person's own code; check-task names what is wrong with it
        return None
    if not situations:
        return None
    inside = () if answers == "priority" else _fields(situations)
    fields = tuple(f"part_{place}" for place in range(len(inside)))
    named = _with_fields(situations, inside)
    # An argument that is called like the alternative can not be spoken of beside it.
    hidden = () if answers == "priority" else (OPTION, *fields)
    names = tuple(name for name in task.arguments if name not in hidden)
    listing = task.alternatives if answers != "priority" and task.alternatives in names else None
    indexed = dict(zip(fields, getattr(task, "indexed", ())))
    return Roles(names, named, fields, tuple(field.text for field in inside), listing, answers, indexed)


def full_size_situations(task: Any) -> tuple[Situation, ...]:
    """Decisions on an instance as large as those that programs are judged on; none where probe states are no smaller.

    They have what those of `roles` have.
    """
    try:
        inside = () if task.answers == "priority" else _fields(tuple(_situations(task, task.answers)))
        return _with_fields(tuple(_situations(task, task.answers, task.full_size_states)), inside)
    except Exception:  # a person's own code, or a task that has no such states
        return ()


def _with_fields(situations: Sequence[Situation], inside: Sequence[Field]) -> tuple[Situation, ...]:
    """Situations with what is in each alternative under a name of its own, `part_0` and so on."""
    return tuple(
        Situation(
            tuple(
                {**option, **{f"part_{place}": field.read(option[OPTION]) for place, field in enumerate(inside)}}
                for option in each.options
            )
        )
        for each in situations
    )


def _situations(task: Any, answers: str, states: Sequence[ProbeState] | None = None) -> Iterator[Situation]:
    for state in task.probes[:STATES] if states is None else states:
        if answers == "priority":
            yield Situation(tuple(dict(zip(task.arguments, call)) for call in state.calls[:CHOICES]))
            continue
        choices = task.choices(*state.calls[0])
        # Spread over all: where they are listed in order the ends differ most.
        places = np.unique(np.linspace(0, len(choices) - 1, min(CHOICES, len(choices))).astype(int)).tolist()
        arguments = dict(zip(task.arguments, state.calls[0]))
        yield Situation(tuple({**arguments, OPTION: choices[place]} for place in places))


def _fields(situations: Sequence[Situation]) -> tuple[Field, ...]:
    """The numbers and strings in every alternative; none where alternatives are no tuples or records."""
    alternatives = [option[OPTION] for situation in situations for option in situation.options]
    if all(isinstance(each, tuple) for each in alternatives):
        widths = {len(each) for each in alternatives}
        parts = all(is_number(part) or isinstance(part, str) for each in alternatives for part in each)
        return tuple(map(place_field, range(widths.pop()))) if len(widths) == 1 and parts else ()
    if all(isinstance(each, (list, np.ndarray)) for each in alternatives):
        # Lists may be sets of ids as well: those of a few numbers, not all of them ids, are rows.
        widths, rows = {len(each) for each in alternatives}, [list(each) for each in alternatives]
        numbers = all(is_number(part) for row in rows for part in row)
        few = len(widths) == 1 and 1 < max(widths) <= _FEW
        return tuple(map(place_field, range(max(widths)))) if few and numbers and not all(map(_distinct, rows)) else ()
    columns = {field: list(map(field.read, alternatives)) for field in record_fields(alternatives)}
    return tuple(
        field
        for field, column in columns.items()
        if all(map(is_number, column)) or all(isinstance(each, str) for each in column)
    )


def _length(value: Any) -> int | None:
    return len(value) if hasattr(value, "__len__") else None


def is_by_pairs(value: Any) -> bool:
    """Whether a value is a dictionary of numbers whose keys are pairs."""
    return (
        isinstance(value, Mapping)
        and len(value) > 0
        and all(isinstance(key, tuple) and len(key) == 2 for key in value)
        and all(map(is_number, value.values()))
    )


def is_edges(value: Any) -> bool:
    """Whether a value is a list of edges: two different ends of each, numbers or strings, and what else it has."""
    if not isinstance(value, (list, tuple, set, frozenset, np.ndarray)) or not len(value):
        return False
    rows = [list(row) if isinstance(row, (list, tuple, np.ndarray)) else [] for row in value]
    return len({len(row) for row in rows}) == 1 and all(map(_is_edge, rows))


def _is_edge(row: Sequence[Any]) -> bool:
    ends = row[:2]
    same = all(map(is_whole, ends)) or all(isinstance(each, str) for each in ends)
    return 2 <= len(row) <= _FEW and same and ends[0] != ends[1] and all(map(is_number, row[2:]))


def _has_end(pair: Any, key: Any) -> bool:
    """Whether a value is one of the two ends of a pair or an edge."""
    ends = (end for end in _listed(pair)[:2] if isinstance(end, tuple) == isinstance(key, tuple))
    return any(_is_key(end) and end == key for end in ends)


def _listed(value: Any) -> list[Any]:
    """What a value consists of; nothing if it is a single one. What was a list in one situation may be none here."""
    return list(value) if isinstance(value, (Mapping, *_COLLECTIONS)) else []


# -- kinds of values ---------------------------------------------------------------------------------------------------


def is_number(value: Any) -> bool:
    """Whether a value is one number, a bool included."""
    return isinstance(value, (int, float, np.bool_, np.integer, np.floating))


def is_whole(value: Any) -> bool:
    """Whether a value is a whole number and no bool."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def entries(value: Any) -> list[Any]:
    """The entries of a list, an array or a dictionary; none of what is no collection."""
    if isinstance(value, Mapping):
        return list(value.values())
    return list(value) if hasattr(value, "__iter__") else []


def shape(value: Any) -> tuple[int, ...]:
    """Length of a list or dictionary, and of its rows where they have one length."""
    rows = entries(value)
    widths = {len(row) for row in rows if hasattr(row, "__len__")}
    return (len(rows), *widths) if len(widths) == 1 else (len(rows),)


_COLLECTIONS = (list, tuple, set, frozenset, np.ndarray)


def _kind(value: Any) -> str:
    if is_number(value):
        return "scalar"
    if isinstance(value, str):
        return "name"
    if isinstance(value, Mapping):
        kind = _kind_of_entries(entries(value))
        return "mapping" if kind == "vector" else kind
    return _kind_of_entries(list(value)) if isinstance(value, _COLLECTIONS) else "other"


def _kind_of_entries(values: Sequence[Any]) -> str:
    if not values:
        return "empty"
    if all(map(is_number, values)):
        return "vector"
    if all(isinstance(each, str) for each in values):
        return "names"
    if not all(isinstance(each, _COLLECTIONS) for each in values):
        return "other"
    rows = [list(each) for each in values]
    if all(isinstance(each, str) for row in rows for each in row) and any(rows):
        return "links" if all(map(_distinct, rows)) else "other"
    if not all(is_number(number) for row in rows for number in row):
        return "other"
    ragged = len({len(row) for row in rows}) > 1 or any(isinstance(each, (set, frozenset)) for each in values)
    return "links" if ragged and all(map(_distinct, rows)) else "table"


def _common(kinds: Sequence[str]) -> str:
    different = set(kinds)
    if len(different) > 1 and not different & {"scalar", "name"}:
        # Of an empty list nothing can be said, and lists of ids may happen to be of one length.
        different.discard("empty")
    if "links" in different:
        different.discard("table")
    return different.pop() if len(different) == 1 else "other"


def _lists_distinct(value: Any) -> bool:
    """Whether a value is a list of different things; a dictionary lists none."""
    return not isinstance(value, Mapping) and _distinct(value)


def _distinct(values: Any) -> bool:
    values = list(values)
    same = all(map(is_whole, values)) or all(isinstance(each, str) for each in values)
    return same and len(set(values)) == len(values)


def _are_places(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether the first of each pair is a place or a key in the second, nearly always: -1 may stand for nothing."""
    inside = [(key, whole) for key, whole in pairs if _holds(whole, key)]
    if len(inside) < _MOSTLY * len(pairs):
        return False
    return any(isinstance(whole, Mapping) or key + 1 >= _FAR * len(whole) for key, whole in inside)


def _is_key(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(map(_is_key, value))
    return isinstance(value, (int, str, np.integer))


def _holds(container: Any, key: Any) -> bool:
    if isinstance(container, Mapping):
        return _is_key(key) and key in container
    return isinstance(container, (list, tuple, np.ndarray)) and is_whole(key) and 0 <= key < len(container)
