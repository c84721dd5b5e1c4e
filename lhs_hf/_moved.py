"""Modules that have moved: their old names work for a while, and say where they are now."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any


def moved(old: str, new: str) -> Callable[[str], Any]:
    """The `__getattr__` of the module `old`, which hands out what `new` holds with a `DeprecationWarning`."""

    def attribute(name: str) -> Any:
        # The import system asks modules for such names by itself.
        if name.startswith("__"):
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        value = getattr(import_module(new), name)
        warnings.warn(f"{old} is now {new}", DeprecationWarning, stacklevel=2)
        return value

    return attribute
