"""Distances in the plane as the vocabulary can say them: `complex` is no word of it, though edits write it."""

from __future__ import annotations

import ast

from .names import bound


def spoken(source: str) -> str:
    """`source` with `math.dist` and `math.hypot` for distances that are written as lengths of complex numbers.

    As it is where there are none, where it does not parse, or where it calls something of its own `complex` or `math`.
    """
    if "complex(" not in source:
        return source
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return source
    imported = any(isinstance(node, ast.Import) and ast.unparse(node) == "import math" for node in tree.body)
    taken = {"abs", "complex"} if imported else {"abs", "complex", "math"}
    distances = _Distances()
    if taken & set(bound(tree)):
        return source
    distances.visit(tree)
    if not distances.count:
        return source
    if not imported:
        tree.body.insert(_behind_docstring(tree), ast.Import([ast.alias("math")]))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


class _Distances(ast.NodeTransformer):
    """`abs(complex(*a) - complex(*b))` is `math.dist(a, b)`, `abs(complex(x, y))` is `math.hypot(x, y)`."""

    def __init__(self) -> None:
        self.count = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id == "abs" and len(node.args) == 1):
            return node
        measured = node.args[0]
        if isinstance(measured, ast.BinOp) and isinstance(measured.op, ast.Sub):
            one, other = _point(measured.left), _point(measured.right)
            return node if one is None or other is None else self._called("dist", [one, other])
        point = _point(measured)
        if point is None:
            return node
        return self._called("hypot", point.elts if isinstance(point, ast.Tuple) else [ast.Starred(point, ast.Load())])

    def _called(self, name: str, arguments: list[ast.expr]) -> ast.Call:
        self.count += 1
        return ast.Call(ast.Attribute(ast.Name("math", ast.Load()), name, ast.Load()), arguments, [])


def _point(node: ast.expr) -> ast.expr | None:
    """The point that a complex number was made of; None for another expression."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "complex"):
        return None
    if node.keywords:
        return None
    if len(node.args) == 1 and isinstance(node.args[0], ast.Starred):
        return node.args[0].value
    plain = len(node.args) == 2 and not any(isinstance(each, ast.Starred) for each in node.args)
    return ast.Tuple(node.args, ast.Load()) if plain else None


def _behind_docstring(tree: ast.Module) -> int:
    return int(ast.get_docstring(tree, clean=False) is not None)
