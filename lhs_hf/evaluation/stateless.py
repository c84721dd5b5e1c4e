"""Which programs may be run on the instances of a split in any order, or in several processes, with the same result."""

from __future__ import annotations

import ast

_RANDOM = frozenset({"random", "default_rng", "RandomState", "Generator", "secrets", "uuid", "time"})
_IMMUTABLE = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.expr_context, ast.Name)


def is_stateless(tree: ast.Module) -> bool:
    """Whether no call of the program can depend on an earlier one, as far as its text shows; in doubt, False.

    Allowed at the top level are imports, functions with immutable defaults and immutable constants. No randomness, no
    clock, no `global` or `nonlocal`, no classes, no attributes set anywhere, no decorators such as caches.
    """
    for statement in tree.body:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        if isinstance(statement, (ast.Assign, ast.AnnAssign)):
            if statement.value is not None and not _is_immutable(statement.value):
                return False
        elif not isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef)):
            return False
    for node in ast.walk(tree):
        if isinstance(node, (ast.Global, ast.Nonlocal, ast.ClassDef)):
            return False
        if isinstance(node, ast.Attribute) and (node.attr in _RANDOM or isinstance(node.ctx, ast.Store)):
            return False
        if isinstance(node, ast.Name) and node.id in _RANDOM:
            return False
        if isinstance(node, ast.alias) and (_RANDOM & set(node.name.split("."))):
            return False
        if isinstance(node, (ast.FunctionDef, ast.Lambda)):
            defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default is not None)]
            if getattr(node, "decorator_list", None) or not all(map(_is_immutable, defaults)):
                return False
    return True


def _is_immutable(value: ast.expr) -> bool:
    return all(isinstance(node, _IMMUTABLE) for node in ast.walk(value))
