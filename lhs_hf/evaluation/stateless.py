"""Which programs may be run on the instances of a split in any order, or in several processes, with the same result."""

from __future__ import annotations

import ast

from ..reach import read

_IMMUTABLE = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.expr_context, ast.Name)


def is_stateless(tree: ast.Module) -> bool:
    """Whether no call of the program can depend on an earlier one, as far as its text shows; in doubt, False.

    A program that reaches anything but what is listed (`reach`) may keep state there. Of the others, allowed at the top
    level are imports, functions with immutable defaults and immutable constants. No shared randomness, no `global` or
    `nonlocal`, no attributes set anywhere, no decorators such as caches.
    """
    for statement in tree.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if not all(isinstance(target, (ast.Name, ast.Tuple)) for target in targets):
                return False
            if statement.value is not None and not _is_immutable(statement.value):
                return False
        elif not isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef)):
            return False
    for node in ast.walk(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return False
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            return False
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
            if getattr(node, "decorator_list", None) or not all(map(_is_immutable, defaults)):
                return False
    try:
        return read(tree).secluded
    except RecursionError:
        return False


def _is_immutable(value: ast.expr) -> bool:
    return all(isinstance(node, _IMMUTABLE) for node in ast.walk(value))
