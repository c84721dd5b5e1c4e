"""The search; as a function, `lhs_hf.search(objective=..., template=...)`, for a plain function of one's own."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """A package that can be called: the modules of a search have its name, and so has what users call."""

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        """See `lhs_hf.search.functions.search_function`."""
        from .functions import search_function

        return search_function(*arguments, **options)


sys.modules[__name__].__class__ = _Callable
