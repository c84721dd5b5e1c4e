"""Whether two instances are equal, or two things that programs answer with, whatever they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np


def same(a: Any, b: Any) -> bool:
    """Equality of instances: arrays by their entries, containers and objects by their parts."""
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        return a.shape == b.shape and a.dtype == b.dtype and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    if hasattr(a, "__dict__") and not callable(a):
        return same(vars(a), vars(b))
    return bool(a == b)


def alike(a: Any, b: Any) -> bool:
    """Equality as their classes have it; of objects whose class has none, by their parts: copies are equal then."""
    try:
        if bool(a == b):
            return True
        plain = type(a) is type(b) and type(a).__eq__ is object.__eq__ and hasattr(a, "__dict__") and not callable(a)
        return plain and same(vars(a), vars(b))
    except (ValueError, RecursionError):  # arrays compare entry by entry; objects may hold each other
        return False
