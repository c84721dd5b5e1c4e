"""What training needs beside the package's own dependencies: told before anything is loaded. Needs no torch itself."""

from __future__ import annotations

from importlib.util import find_spec


def require(*modules: str) -> None:
    """Raise `ModuleNotFoundError`, which names the extra to install, for the first of these modules that is missing."""
    for name in modules:
        if find_spec(name) is None:
            raise ModuleNotFoundError(f"training needs {name}; install it with: pip install 'lhs-hf[train]'", name=name)
