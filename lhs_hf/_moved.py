"""Modules that have moved: their old names work for a while, and say where they are now."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def moved(old: str, new: str | Mapping[str, str], renamed: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of the module `old`, which hands out what `new` holds with a `DeprecationWarning`.

    `new` is a module, or the module of each name that has left `old`; `renamed` leads from names that are others now to
    where they are, module and name.
    """
    elsewhere = {name: f"{place}.{name}" for name, place in new.items()} if not isinstance(new, str) else {}
    elsewhere.update(renamed or {})

    def attribute(name: str) -> Any:
        # The import system asks modules for such names by itself.
        if name.startswith("__") or not (name in elsewhere or isinstance(new, str)):
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        module, _, target = elsewhere.get(name, f"{new}.{name}").rpartition(".")
        value = getattr(import_module(module), target)
        told = f"{old}.{name} is now {module}.{target}" if name in elsewhere else f"{old} is now {new}"
        warnings.warn(told, DeprecationWarning, stacklevel=2)
        return value

    return attribute
