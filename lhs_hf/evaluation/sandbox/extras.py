"""Optional packages that programs import."""

from __future__ import annotations

import ast

from ... import programs
from .preload import OPTIONAL


def extras_of(source: str) -> tuple[str, ...]:
    """Optional packages a program imports; its child comes from a zygote that has them."""
    if not any(name in source for name in OPTIONAL):
        return ()
    names: set[str] = set()
    try:
        tree = programs.parse(source)
    except programs.ProgramError:
        return ()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").split(".")[0])
    return tuple(sorted(names & OPTIONAL.keys()))
