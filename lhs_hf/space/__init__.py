"""The Space: a page on which a search is watched, its program edited and the corpus explored. Needs `lhs-hf[space]`."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_EXPORTS = {"build_app": "app", "launch": "app", "SpaceService": "service", "VisitorLimits": "limits"}

__all__ = ["SpaceService", "VisitorLimits", "build_app", "launch"]


def __getattr__(name: str) -> Any:
    if name not in _EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has: {', '.join(__all__)}")
    return getattr(import_module(f".{_EXPORTS[name]}", __name__), name)
