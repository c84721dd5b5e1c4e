"""Modules that have moved: their old names work for a while, and say where they are now."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def moved(old: str, new: str, names: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of the module `old`, which hands out what `new` holds with a `DeprecationWarning`.

    `names` leads from names that `new` does not have to where they are now, module and name.
    """
    elsewhere = dict(names or {})

    def attribute(name: str) -> Any:
        # The import system asks modules for such names by itself.
        if name.startswith("__"):
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        module, _, target = elsewhere.get(name, f"{new}.{name}").rpartition(".")
        value = getattr(import_module(module), target)
        told = f"{old}.{name} is now {module}.{target}" if name in elsewhere else f"{old} is now {new}"
        warnings.warn(told, DeprecationWarning, stacklevel=2)
        return value

    return attribute
