"""What a program can reach, read off its text: whether it may see how it is written, or anything that changes.

An allow-list over the syntax tree. A program made of listed statements, modules, functions and attributes reaches
numbers, containers, arrays and generators of random numbers. One that names anything else (`getattr`, `sys`, classes,
an unknown package) may do whatever Python can, and nothing is assumed about it.

Needs the standard library only: scoring a program has to start at once.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from .allowed import (
    ALL_BUILTINS,
    ATTRIBUTES,
    BUILTINS,
    DTYPE_BUILTINS,
    DTYPE_PLACES,
    DTYPE_TEXTS,
    DTYPES,
    MODULES,
    SEEDED,
    SHARED,
    TEXT_BUILTINS,
    UNWRITTEN,
)


@dataclass(frozen=True)
class Reach:
    """What the text of a program shows; in doubt, False.

    Attributes:
        plain: no part of the program depends on its layout, comments, docstrings or annotations.
        repeatable: plain, and each run on the same arguments gives the same answers: no clock, no unseeded generator,
            no memory that was not written, no text of a memory address.
        secluded: repeatable, and no use of generators that all calls share.
    """

    plain: bool
    repeatable: bool
    secluded: bool


_NODES: frozenset[type[ast.AST]] = frozenset(
    {
        *(ast.Module, ast.FunctionDef, ast.Lambda, ast.arguments, ast.arg, ast.Import, ast.ImportFrom, ast.Return),
        *(ast.Delete, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.While, ast.If, ast.With, ast.withitem),
        *(ast.Raise, ast.Try, ast.ExceptHandler, ast.Assert, ast.Global, ast.Nonlocal, ast.Expr, ast.Pass, ast.Break),
        *(ast.Continue, ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.IfExp, ast.Dict, ast.Set, ast.ListComp),
        *(ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Yield, ast.YieldFrom, ast.Compare),
        *(ast.Call, ast.keyword, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred, ast.Name, ast.List),
        *(ast.Tuple, ast.Slice),
    }
)
# Operators, and whether a name is read or written: nothing lies below them.
_MARKS = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)
_BINDING = frozenset(
    {ast.arg, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.Global, ast.Nonlocal}
)
_SCOPES = (
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
# In an annotation they are errors, or bind names.
_ACTIVE = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)


def read(tree: ast.Module, attributes: frozenset[str] = frozenset()) -> Reach:
    """What a parsed program reaches. Raises `RecursionError` for one that is nested too deeply.

    `attributes`: further names that are known to be data of what programs of a task are called with.
    """
    reader = _Reader(tree, attributes)
    repeatable = reader.plain and reader.repeatable
    return Reach(reader.plain, repeatable, repeatable and reader.secluded)


class _Reader(ast.NodeVisitor):
    def __init__(self, tree: ast.Module, attributes: frozenset[str]) -> None:
        self.plain = self.repeatable = self.secluded = True
        self._attributes = ATTRIBUTES | attributes
        # What a name stands for: the dotted path it is imported from.
        self._imported: dict[str, str] = {}
        self._bound: set[str] = set()
        self._in_function = False
        self._own: set[str] = set()
        self._declared: set[str] = set()
        self._module_start(tree)
        self._annotated = False
        for node in _walk(tree):
            kind = type(node)
            if kind is ast.Name:
                if type(node.ctx) is not ast.Load:  # type: ignore[attr-defined]
                    self._bound.add(node.id)  # type: ignore[attr-defined]
            elif kind in (ast.Import, ast.ImportFrom):
                self._import(node)  # type: ignore[arg-type]
            elif kind in _BINDING:
                self._bound.update(_binds(node))
            elif kind is ast.AnnAssign:
                self._annotated = True
        # One name, one meaning: otherwise what an attribute belongs to is not known.
        if self._bound & self._imported.keys():
            self.plain = False
        if self.plain:
            self.visit(tree)

    def _module_start(self, tree: ast.Module) -> None:
        """Where a future import may stand depends on what is in front of it."""
        for number, statement in enumerate(tree.body):
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                earlier = tree.body[1:number] if _is_text(tree.body[0]) else tree.body[:number]
                if earlier:
                    self.plain = False

    def _import(self, node: ast.Import | ast.ImportFrom) -> None:
        for alias in node.names:
            if isinstance(node, ast.Import):
                known = alias.name in MODULES
                # Without `as`, the name is that of the outermost package.
                name, path = alias.asname or alias.name.split(".")[0], alias.name if alias.asname else None
                path = path or name
            else:
                name, path = alias.asname or alias.name, f"{node.module}.{alias.name}"
                known = node.level == 0 and self._listed(path)
            if not known or self._imported.setdefault(name, path) != path:
                self.plain = False

    @staticmethod
    def _listed(path: str) -> bool:
        """Whether a dotted path is a listed module, or a listed name of one."""
        module, _, name = path.rpartition(".")
        if path in MODULES:
            return True
        names = MODULES.get(module, frozenset())
        return name in names or ("*" in names and not name.startswith("_") and name != "*")

    def _path(self, node: ast.expr) -> str | None:
        """The dotted path of a name or attribute that belongs to an imported module, else None."""
        if isinstance(node, ast.Name):
            return self._imported.get(node.id)
        if isinstance(node, ast.Attribute):
            base = self._path(node.value)
            # Packages lead to their modules: scipy, scipy.spatial.
            if base is not None and (base in MODULES or any(name.startswith(f"{base}.") for name in MODULES)):
                return f"{base}.{node.attr}"
        return None

    def _reached(self, path: str) -> None:
        """A function or constant of a module, used as a value or called. A module itself may not be one."""
        if path in MODULES or not self._listed(path):
            self.plain = False
        if path in UNWRITTEN or path in SEEDED:
            self.repeatable = False
        if path in SHARED:
            self.secluded = False

    def visit(self, node: ast.AST) -> None:
        kind = type(node)
        if kind not in _NODES:
            self.plain = False
        elif self.plain:
            getattr(self, f"visit_{kind.__name__}", self.generic_visit)(node)

    def generic_visit(self, node: ast.AST) -> None:
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                for each in value:
                    if isinstance(each, ast.AST) and not isinstance(each, _MARKS):
                        self.visit(each)
            elif isinstance(value, ast.AST) and not isinstance(value, _MARKS):
                self.visit(value)

    def visit_Import(self, node: ast.Import) -> None:
        """Read before."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        """Read before."""

    def visit_Name(self, node: ast.Name) -> None:
        path = self._imported.get(node.id)
        if path is not None:
            self._reached(path)
        elif node.id.startswith("__") and node.id != "__name__":
            self.plain = False
        elif node.id in ALL_BUILTINS and isinstance(node.ctx, ast.Load) and node.id != "__name__":
            # Bound somewhere or not: elsewhere the same name may be the builtin.
            self.plain = self.plain and node.id in BUILTINS
            if node.id in TEXT_BUILTINS:
                self.repeatable = False

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = self._path(node)
        if path is not None:
            self._reached(path)
            if not isinstance(node.ctx, ast.Load):
                self.plain = False
        else:
            if node.attr not in self._attributes:
                self.plain = False
            self.visit(node.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        percent = "%" if isinstance(node.value, str) else b"%"
        if isinstance(node.value, (str, bytes)) and percent in node.value:  # type: ignore[operator]
            self.repeatable = False

    def visit_Expr(self, node: ast.Expr) -> None:
        if not _is_text(node):
            self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        # What stands behind a double star may be any of the keywords below.
        if None in keywords or ("where" in keywords and "out" not in keywords):
            self.repeatable = False
        path = self._path(node.func)
        name = node.func.attr if isinstance(node.func, ast.Attribute) else (path or "").rpartition(".")[2]
        place = DTYPE_PLACES.get(name, len(node.args))
        dtypes = [*node.args[place : place + 1], *(value for key, value in keywords.items() if key == "dtype")]
        if not all(map(self._is_numeric, dtypes)):
            self.repeatable = False
        for part in (*node.args, *node.keywords):
            self.visit(part)
        if path in SEEDED and self._has_seed(path, node):
            if path in SHARED:
                self.secluded = False
        else:
            self.visit(node.func)

    def _is_numeric(self, node: ast.expr) -> bool:
        """Whether an expression is a dtype of numbers."""
        if isinstance(node, ast.Constant):
            return node.value is None or node.value in DTYPE_TEXTS
        if isinstance(node, ast.Name) and node.id in DTYPE_BUILTINS:
            return node.id not in self._bound
        module, _, name = (self._path(node) or "").rpartition(".")
        return module == "numpy" and name in DTYPES

    def _has_seed(self, path: str, call: ast.Call) -> bool:
        """Whether a generator is started from one number that can not be None."""
        if len(call.args) != 1 or call.keywords:
            return False
        seed = call.args[0]
        if isinstance(seed, ast.Constant):
            return isinstance(seed.value, (int, float, str))
        if isinstance(seed, (ast.List, ast.Tuple)):
            return path.startswith("numpy.") and len(seed.elts) > 0
        if isinstance(seed, ast.Call) and isinstance(seed.func, ast.Name) and len(seed.args) == 1:
            return seed.func.id in ("abs", "int", "len", "round", "sum") and seed.func.id not in self._bound
        # No operator of listed values gives None.
        return isinstance(seed, (ast.BinOp, ast.Compare, ast.UnaryOp))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        if node.name.startswith("__") or getattr(node, "type_params", None):
            self.plain = False
        self._passive(node.returns)
        for part in (*node.decorator_list, node.args):
            self.visit(part)
        outer = self._in_function, self._own, self._declared
        self._in_function, self._own, self._declared = True, set(), set()
        if self._annotated:
            self._own, self._declared = _scope(node)
        for statement in node.body:
            self.visit(statement)
        self._in_function, self._own, self._declared = outer

    def visit_arg(self, node: ast.arg) -> None:
        self._passive(node.annotation)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._passive(node.annotation)
        if not isinstance(node.target, ast.Name):
            self.plain = self.plain and node.value is not None
            self.visit(node.target)
        elif self._in_function:
            # An annotated name is local, assigned or not, and may not be declared otherwise.
            local = node.value is not None or node.target.id in self._own
            self.plain = self.plain and local and node.target.id not in self._declared
        if node.value is not None:
            self.visit(node.target)
            self.visit(node.value)

    def _passive(self, annotation: ast.expr | None) -> None:
        if annotation is not None and any(isinstance(node, _ACTIVE) for node in ast.walk(annotation)):
            self.plain = False


def _is_text(statement: ast.stmt) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _walk(tree: ast.AST) -> Iterator[ast.AST]:
    """`ast.walk` without operators, in no particular order."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, list):
                waiting.extend(each for each in value if isinstance(each, ast.AST))
            elif isinstance(value, ast.AST) and not isinstance(value, _MARKS):
                waiting.append(value)


def _binds(node: ast.AST) -> list[str]:
    """Names that a node of `_BINDING` binds."""
    if isinstance(node, ast.arg):
        return [node.arg]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [node.name]
    if isinstance(node, ast.ExceptHandler):
        return [node.name] if node.name is not None else []
    return node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else []


def _scope(function: ast.FunctionDef) -> tuple[set[str], set[str]]:
    """Names that a function's own scope binds by more than an annotation, and those it declares to be others'."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    own, declared = {each.arg for each in every if each is not None}, set()
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            declared.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.AnnAssign) and node.value is None:
            continue
        # What comprehensions bind stays inside them.
        if not isinstance(node, _SCOPES):
            waiting.extend(ast.iter_child_nodes(node))
    return own, declared
