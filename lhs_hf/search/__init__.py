"""The search; as a function, `lhs_hf.search("tsp_construct")`, `lhs_hf.search(objective=..., template=...)`."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A package that can be called: the modules of a search have its name, and so has what users call."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """See `lhs_hf.search.functions.search_for`."""
        from .functions import search_for

        return search_for(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
