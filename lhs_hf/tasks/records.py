"""Records among the values of a task: dictionaries that have the same few names as keys, always."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MOST_FIELDS = 12
"""Keys of a dictionary that is taken for a record."""


def record_keys(values: Sequence[Any]) -> tuple[str, ...]:
    """The keys that all of some dictionaries have, and no other; none of what are no records."""
    if not values or not all(isinstance(each, Mapping) and 0 < len(each) <= MOST_FIELDS for each in values):
        return ()
    keys = tuple(values[0])
    plain = all(isinstance(key, str) and key.isprintable() and not set(key) & set("{}") for key in keys)
    return keys if plain and all(each.keys() == values[0].keys() for each in values) else ()


def access(key: int | str) -> str:
    """How an entry is read: `[0]`, `["hours"]`."""
    return f"[{json.dumps(key, ensure_ascii=False)}]"


def are_ids(keys: Sequence[str], name: str, situations: Iterable[Mapping[str, Any]]) -> bool:
    """Whether keys of a dictionary come as values elsewhere, alone or in a list: then they are ids, and no fields.

    `situations`: the values beside the dictionary by name, its own under `name`.
    """
    known = set(keys)
    for situation in situations:
        for other, value in situation.items():
            if other == name:
                continue
            values = value if isinstance(value, (list, tuple, set, frozenset)) else (value,)
            if any(isinstance(each, str) and each in known for each in values):
                return True
    return False
