"""When two programs are the same idea: equal skeletons, that is, equal but for names and constants."""

from __future__ import annotations

import ast

from ..programs import canonical_tree


class _Skeleton(ast.NodeTransformer):
    """Renames what the program binds, in order of appearance, and makes every constant 0."""

    def __init__(self, bound: set[str]) -> None:
        self._bound = bound
        self._names: dict[str, str] = {}

    def _renamed(self, name: str) -> str:
        return self._names.setdefault(name, f"v{len(self._names)}") if name in self._bound else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(id=self._renamed(node.id), ctx=node.ctx), node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.copy_location(ast.arg(arg=self._renamed(node.arg)), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._renamed(node.name)
        self.generic_visit(node)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self._renamed(node.name) if node.name else None
        self.generic_visit(node)
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.copy_location(ast.Constant(value=0), node)


def _bound_names(tree: ast.Module) -> set[str]:
    found: set[str | None] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, (ast.FunctionDef, ast.ExceptHandler)):
            found.add(node.name)
    return {name for name in found if name}


def skeleton(source: str) -> str:
    """The alpha-renamed form of a program with its constants removed. Raises `ProgramError`.

    Two seeds with one skeleton are one idea: they differ in names, numbers, comments and docstrings only.
    """
    tree = canonical_tree(source)
    return ast.unparse(ast.fix_missing_locations(_Skeleton(_bound_names(tree)).visit(tree)))
