"""Reading a program's concrete syntax tree: which nodes there are, what they name, whether they change anything."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import fields
from functools import cache
from typing import Any, TypeGuard

import libcst as cst

# Prefixes of the fields that hold no code.
_LAYOUT = (
    *("whitespace", "leading", "trailing", "lines_", "lpar", "rpar", "comma", "semicolon", "header", "footer"),
    "indent",
)
_PURE_FUNCTIONS = frozenset(
    [
        "len",
        "abs",
        "min",
        "max",
        "sum",
        "float",
        "int",
        "round",
        "sorted",
        "list",
        "range",
        "enumerate",
        "zip",
        "set",
        "tuple",
        "bool",
        "any",
        "all",
        "pow",
        "divmod",
        "reversed",
    ]
)
_PURE_METHODS = frozenset(
    [
        "sum",
        "mean",
        "min",
        "max",
        "argmin",
        "argmax",
        "std",
        "var",
        "index",
        "count",
        "get",
        "copy",
        "tolist",
        "astype",
        "any",
        "all",
        "items",
        "keys",
        "values",
        "dot",
    ]
)


@cache
def child_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a node that hold code: white space, commas and parentheses are left out."""
    return tuple(field.name for field in fields(kind) if not field.name.startswith(_LAYOUT))


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The direct children of a node that are code (an order of magnitude faster than libcst's own `children`)."""
    for name in child_fields(type(node)):
        value = getattr(node, name)
        if isinstance(value, cst.CSTNode):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from value


def walk(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """All nodes of a subtree, parents first, in a fixed order."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend([*children(current)][::-1])


def names(node: cst.CSTNode) -> Iterator[cst.Name]:
    """The `Name` nodes of a subtree that stand for variables: no attribute names, no keywords of calls."""
    if isinstance(node, cst.Name):
        yield node
    elif isinstance(node, (cst.Attribute, cst.Arg)):
        yield from names(node.value)
    else:
        for child in children(node):
            yield from names(child)


def uses(node: cst.CSTNode | Sequence[cst.CSTNode], name: str) -> int:
    """How often a variable is named in a subtree, or in several."""
    pieces = [node] if isinstance(node, cst.CSTNode) else node
    return sum(1 for piece in pieces for found in names(piece) if found.value == name)


def name_set(node: cst.CSTNode | Sequence[cst.CSTNode]) -> set[str]:
    """The variables named in a subtree, or in several."""
    pieces = [node] if isinstance(node, cst.CSTNode) else node
    return {found.value for piece in pieces for found in names(piece)}


def target_names(target: cst.BaseExpression) -> list[str]:
    """The variables a target binds, in order; [] for a subscript or an attribute."""
    if isinstance(target, cst.Name):
        return [target.value]
    if isinstance(target, (cst.Tuple, cst.List)):
        return [name for element in target.elements for name in target_names(element.value)]
    return []


def bound_names(function: cst.FunctionDef) -> list[str]:
    """Parameters and variables bound anywhere in a function, in order of appearance, each once."""
    found: dict[str, None] = {}
    for node in walk(function):
        targets: list[cst.BaseExpression] = []
        if isinstance(node, cst.Param):
            targets = [node.name]
        elif isinstance(node, (cst.AssignTarget, cst.AugAssign, cst.AnnAssign, cst.For, cst.CompFor, cst.NamedExpr)):
            targets = [node.target]
        elif isinstance(node, cst.FunctionDef) and node is not function:
            targets = [node.name]
        for target in targets:
            found.update(dict.fromkeys(target_names(target)))
    return list(found)


def is_name(node: Any, *values: str) -> TypeGuard[cst.Name]:
    """Whether a node is a variable, of one of the given names if any are given."""
    return isinstance(node, cst.Name) and (not values or node.value in values)


def is_one_of(node: Any, options: Collection[str]) -> TypeGuard[cst.Name]:
    """Whether a node is a variable with one of these names."""
    return isinstance(node, cst.Name) and node.value in options


def number(node: Any) -> int | float | None:
    """The value of a numeric literal, its minus sign included; None for anything else."""
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = number(node.expression)
        return None if inner is None else -inner
    if isinstance(node, (cst.Integer, cst.Float)):
        return node.evaluated_value
    return None


def called(node: Any) -> str:
    """The dotted name a call calls (`np.argmin`, `min`, `.mean` for a method of any expression), or ""."""
    if not isinstance(node, cst.Call):
        return ""
    if isinstance(node.func, cst.Name):
        return node.func.value
    if isinstance(node.func, cst.Attribute):
        owner = node.func.value
        prefix = owner.value if is_name(owner, "np", "numpy", "math", "random") else ""
        return f"{prefix}.{node.func.attr.value}"
    return ""


def plain_arguments(call: cst.Call, count: int) -> list[cst.BaseExpression] | None:
    """The argument values of a call with exactly `count` positional arguments and no others, else None."""
    if len(call.args) != count or any(arg.keyword is not None or arg.star for arg in call.args):
        return None
    return [arg.value for arg in call.args]


def is_pure(node: cst.CSTNode) -> bool:
    """Whether evaluating an expression earlier, later or not at all changes nothing else."""
    for inner in walk(node):
        if isinstance(inner, (cst.Yield, cst.Await, cst.NamedExpr)):
            return False
        if isinstance(inner, cst.Call):
            name = called(inner)
            owner, _, last = name.rpartition(".")
            if "." not in name:
                pure = name in _PURE_FUNCTIONS
            elif owner in ("np", "numpy", "math"):
                pure = last not in ("fill_diagonal", "put", "copyto", "shuffle")
            else:
                pure = not owner and last in _PURE_METHODS
            if not pure:
                return False
    return True


def single_statement(statement: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """The one small statement of a line, or None."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        return statement.body[0]
    return None


def assignment(statement: cst.CSTNode) -> tuple[str, cst.BaseExpression] | None:
    """(name, value) of a statement `name = value`, else None."""
    small = single_statement(statement)
    if isinstance(small, cst.Assign) and len(small.targets) == 1 and isinstance(small.targets[0].target, cst.Name):
        return small.targets[0].target.value, small.value
    return None


def returned(statement: cst.CSTNode) -> cst.BaseExpression | None:
    """The value of a `return value` statement, else None."""
    small = single_statement(statement)
    return small.value if isinstance(small, cst.Return) else None


def body_of(statement: Any) -> list[cst.BaseStatement] | None:
    """The statements of a compound statement's body; None if it is written on one line."""
    body = statement.body
    return list(body.body) if isinstance(body, cst.IndentedBlock) else None  # type: ignore[arg-type]


def leaves(body: Sequence[cst.BaseStatement]) -> bool:
    """Whether a body always ends in return, continue, break or raise."""
    small = single_statement(body[-1]) if body else None
    return isinstance(small, (cst.Return, cst.Continue, cst.Break, cst.Raise))
