"""Records among the values of a task: dictionaries that have the same few names as keys, objects with attributes."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from itertools import islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .base import Task

MOST_FIELDS = 12
"""Keys of a dictionary that is taken for a record, or attributes of an object."""


_DEEPEST = 3
_LOOKED_AT = 8


class Field(NamedTuple):
    """What is in a record: how it is written behind it, `["hours"]`, `.hours` or `[0]`, and how it is read."""

    text: str
    read: Callable[[Any], Any]

    def then(self, other: Field) -> Field:
        """What is in that which is in a record."""
        return Field(self.text + other.text, lambda record: other.read(self.read(record)))


def place_field(place: int) -> Field:
    """What stands at a place of a tuple or a list."""
    return Field(f"[{place}]", itemgetter(place))


def record_fields(values: Sequence[Any]) -> tuple[Field, ...]:
    """What is in each of some records, whether they are dictionaries or objects; nothing for what are none."""
    keys = record_keys(values)
    if keys:
        return tuple(Field(f"[{written(key)}]", itemgetter(key)) for key in keys)
    names = {_attributes(each) for each in values}
    return tuple(Field(f".{name}", attrgetter(name)) for name in names.pop()) if len(names) == 1 else ()


def record_keys(values: Sequence[Any]) -> tuple[str, ...]:
    """The keys that all of some dictionaries have, and no other; none of what are no records."""
    if not values or not all(isinstance(each, Mapping) and 0 < len(each) <= MOST_FIELDS for each in values):
        return ()
    keys = tuple(values[0])
    plain = all(isinstance(key, str) and key.isprintable() and not set(key) & set("{}") for key in keys)
    return keys if plain and all(each.keys() == values[0].keys() for each in values) else ()


def written(key: str) -> str:
    """A key as a program writes it."""
    return json.dumps(key, ensure_ascii=False)


def are_ids(keys: Sequence[str], name: str, situations: Iterable[Mapping[str, Any]]) -> bool:
    """Whether keys of a dictionary come as values elsewhere: then they are ids, and no fields.

    `situations`: the values beside the dictionary by name, its own under `name`.
    """
    known = set(keys)
    for situation in situations if keys else ():
        for other, value in situation.items():
            if other == name:
                continue
            if any(each in known for each in _strings(value, _DEEPEST)):
                return True
    return False


def _strings(value: Any, depth: int) -> Iterator[str]:
    """The strings in a value; keys are none."""
    if isinstance(value, str):
        yield value
    elif depth and isinstance(value, (list, tuple, set, frozenset, Mapping)):
        for each in value.values() if isinstance(value, Mapping) else value:
            yield from _strings(each, depth - 1)


def data_attributes(task: Task) -> frozenset[str]:
    """The attributes that are data for programs of a task: those of its objects, and those that its reference reads.

    None for the tasks of the paper, whose programs see numbers and arrays only.
    """
    if task.of_paper:
        return frozenset()
    tree = ast.parse(task.template)
    read = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    first = [call for state in task.probes[:_LOOKED_AT] for call in state.calls[:1]]
    objects = {name for call in first for argument in call for name in _inside(argument, _DEEPEST)}
    return frozenset(name for name in read | objects if not name.startswith("_"))


def _inside(value: Any, depth: int) -> Iterator[str]:
    """The attributes of the objects in a value; of a list of them the first stands for all."""
    own = _attributes(value)
    yield from own
    if not depth:
        return
    if own:
        parts: Iterable[Any] = (getattr(value, name) for name in own)
    elif isinstance(value, Mapping):
        parts = islice(value.values(), 1)
    else:
        parts = islice(value, 1) if isinstance(value, (list, tuple, set, frozenset)) else ()
    for part in parts:
        yield from _inside(part, depth - 1)


def _attributes(value: Any) -> tuple[str, ...]:
    """The public attributes of an object that is no more than them."""
    if isinstance(value, (type, tuple)) or callable(value) or type(value).__module__.partition(".")[0] == "numpy":
        return ()
    if is_dataclass(value):
        names = tuple(each.name for each in fields(value))
    else:
        slots = [name for kind in type(value).__mro__[::-1] for name in _slots(kind) if hasattr(value, name)]
        names = (*slots, *getattr(value, "__dict__", ()))
    public = tuple(name for name in names if name.isidentifier() and not name.startswith("_"))
    return public if len(public) <= MOST_FIELDS else ()


def _slots(kind: type) -> Sequence[str]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
