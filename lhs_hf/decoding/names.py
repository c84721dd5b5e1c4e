"""Names that a program uses, and those that it binds itself."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Every name that is read or bound, as often as it is."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
    yield from bound(tree)


def bound(tree: ast.AST) -> Iterator[str]:
    """Names of variables, parameters, functions, classes, imports and caught exceptions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
