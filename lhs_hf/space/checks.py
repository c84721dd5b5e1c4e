"""What arrives over the network, checked: types, limits, names. Each raises `CallError` with one line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from ..errors import CallError, unknown

# The largest seed that NumPy takes.
MOST_SEED = 2**32 - 1
MOST_RADIUS = 100.0
LONGEST_NAME = 100


def name_of(kind: str, value: Any, existing: Iterable[str]) -> str:
    """One of some names."""
    if not isinstance(value, str):
        raise CallError(f"{kind} must be a name, got {type(value).__name__}")
    names = list(existing)
    if value not in names:
        raise unknown(kind, value[:LONGEST_NAME], names)
    return value


def whole(name: str, value: Any, least: int, most: int) -> int:
    """A whole number; 5.0, which JavaScript and sliders send, counts as one."""
    if (
        isinstance(value, bool)
        or not isinstance(value, (int, float))
        or not math.isfinite(value)
        or value != int(value)
    ):
        raise CallError(f"{name} must be a whole number, got {_shown(value)}")
    if not least <= value <= most:
        side = f"at most {most}" if value > most else f"at least {least}"
        raise CallError(f"{name} must be {side} here, got {_shown(value)}")
    return int(value)


def real(name: str, value: Any, least: float, most: float) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise CallError(f"{name} must be a number, got {_shown(value)}")
    if not least <= value <= most:
        raise CallError(f"{name} must lie between {least:g} and {most:g}, got {_shown(value)}")
    return float(value)


def text(name: str, value: Any, most_bytes: int) -> str:
    """A text of limited length."""
    if not isinstance(value, str):
        raise CallError(f"{name} must be a text, got {type(value).__name__}")
    if len(value) > most_bytes or len(value.encode("utf-8", "replace")) > most_bytes:
        raise CallError(f"a {name} has at most {most_bytes} bytes")
    return value


def _shown(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        # Python refuses to write very long numbers.
        return str(value) if abs(value) < 10**20 else "a number of more than 20 digits"
    return repr(value) if isinstance(value, (float, bool)) or value is None else type(value).__name__
