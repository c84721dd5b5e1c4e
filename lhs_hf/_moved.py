"""Modules and names that have moved: their old places work for a while, and say where everything is now."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def moved(old: str, new: str | Mapping[str, str]) -> Callable[[str], Any]:
    """The `__getattr__` of the module `old`, which hands out what `new` holds with a `DeprecationWarning`.

    `new` is a module, or the module of each name that has left `old`.
    """

    def attribute(name: str) -> Any:
        place = new if isinstance(new, str) else new.get(name)
        # The import system asks modules for such names by itself.
        if name.startswith("__") or place is None:
            raise AttributeError(f"module {old!r} has no attribute {name!r}")
        value = getattr(import_module(place), name)
        subject, target = (old, place) if isinstance(new, str) else (f"{old}.{name}", f"{place}.{name}")
        warnings.warn(f"{subject} is now {target}", DeprecationWarning, stacklevel=2)
        return value

    return attribute
