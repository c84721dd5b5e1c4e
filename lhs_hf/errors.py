"""Errors a person caused by a call: one line that names what was wrong, what was expected, what exists instead."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class CallError(ValueError):
    """A wrong argument. The command line prints the message and ends with status 2."""


def unknown(kind: str, name: str, existing: Iterable[str]) -> CallError:
    """The error for a name that does not exist, with the ones that do and the nearest guess."""
    names = list(existing)
    near = difflib.get_close_matches(name, names, 1)
    guess = f" (did you mean {near[0]!r}?)" if near else ""
    return CallError(f"unknown {kind} {name!r}{guess}; it can be: {', '.join(names)}")
