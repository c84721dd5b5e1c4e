"""What the columns of a run database may hold: one rule a column, for values and as a condition of SQL."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Mapping
from typing import Any

from ..errors import CallError
from ..opening.files import parse_json
from ..opening.text import one_line

# Roles of candidates that cost a decoder call; `reference` and `corpus` programs start a search and cost none.
DECODED_ROLES = ("initial", "search")
OWN = "own"
"""The role of a person's own program that a search begins with."""

STARTING_ROLES = ("reference", "corpus", OWN)
MIGRANT = "migrant"
"""The role of a program that another island of the same search made (`search.islands`)."""
STANDING = ("incumbent", "entered", "")
"""Outcomes of races whose estimate is of more than a few instances, and of searches without races."""

_ROLES = (*STARTING_ROLES, "edit", *DECODED_ROLES, MIGRANT)
_TEXT_CHARACTERS, _POINT_BYTES, _WORD_CHARACTERS = 2**20, 2**18, 40
_WHOLE, _REAL = 2**53, (float, int)
_WORDS = re.compile(rf"[a-z_]{{1,{_WORD_CHARACTERS}}}")
_TYPES: dict[str, tuple[type, ...]] = {"INTEGER": (int,), "REAL": _REAL, "TEXT": (str,), "BLOB": (bytes,)}
# Columns of numbers that every table and curve is made from.
_FINITE = frozenset({"objective", "score", "runtime_s"})


def _optional(name: str, declared: str) -> bool:
    return "NOT NULL" not in declared and name != "id"


def wrong(name: str, declared: str, value: Any) -> str | None:
    """What is wrong with the value of a column that is declared so, None if nothing is."""
    if value is None:
        return None if _optional(name, declared) else "is NULL"
    kind = declared.partition(" ")[0]
    if type(value) not in _TYPES[kind]:
        return f"holds a {type(value).__name__}, expected {kind}"
    if kind == "INTEGER" and not 0 <= value <= _WHOLE:
        return f"is {value}"
    if kind == "REAL" and (math.isnan(value) or (name in _FINITE and not math.isfinite(value))):
        return f"is {value}"
    if kind == "TEXT" and len(value) > _TEXT_CHARACTERS:
        return f"has {len(value)} characters, at most {_TEXT_CHARACTERS} are expected"
    if kind == "BLOB" and (not value or len(value) % 4 or len(value) > _POINT_BYTES):
        return f"has {len(value)} bytes, which is no vector of float32"
    if name == "role" and value not in _ROLES:
        return f"is {one_line(value, 40)!r}, expected one of {', '.join(_ROLES)}"
    if name == "status" and not _WORDS.fullmatch(value):
        return f"is {one_line(value, 40)!r}, which is no status"
    return None


def sound(columns: Mapping[str, str]) -> str:
    """The condition of SQL that `wrong` finds nothing in a row; texts are not measured, objectives not looked into."""
    rules = {
        "INTEGER": f"typeof({{0}}) = 'integer' AND {{0}} BETWEEN 0 AND {_WHOLE}",
        "REAL": "typeof({0}) IN ('real', 'integer')",
        "TEXT": "typeof({0}) = 'text'",
        "BLOB": f"typeof({{0}}) = 'blob' AND length({{0}}) % 4 = 0 AND length({{0}}) BETWEEN 4 AND {_POINT_BYTES}",
    }
    further = {
        **dict.fromkeys(_FINITE, f" AND abs({{0}}) <= {sys.float_info.max!r}"),
        "role": f" AND {{0}} IN {_ROLES}",
        "status": f" AND length({{0}}) BETWEEN 1 AND {_WORD_CHARACTERS} AND NOT {{0}} GLOB '*[^a-z_]*'",
    }
    conditions = []
    for name, declared in columns.items():
        rule = (rules[declared.partition(" ")[0]] + further.get(name, "")).format(name)
        conditions.append(f"({name} IS NULL OR {rule})" if _optional(name, declared) else f"({rule})")
    return " AND ".join(conditions)


def objectives_in(text: str, name: str) -> tuple[float, ...]:
    """The objectives that a text holds. Raises `CallError` that calls it `name` if it is no list of finite numbers."""
    values = parse_json(text, name, list)
    if not all(isinstance(value, _REAL) and abs(value) < sys.float_info.max for value in values):
        raise CallError(f"{name} is no list of finite numbers")
    return tuple(values)
