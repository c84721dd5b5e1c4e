"""Finding and replacing pieces of a program's concrete syntax tree: what all transforms are written with."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import cache, cached_property, lru_cache
from typing import Any, TypeGuard, TypeVar

import libcst as cst
import numpy as np

T = TypeVar("T")
Node = TypeVar("Node", bound=cst.CSTNode)

ATOMS = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.Integer,
    cst.Float,
    cst.List,
    cst.Dict,
    cst.Set,
    cst.ListComp,
    cst.SimpleString,
)
_TIGHT_PARENTS = (
    cst.BinaryOperation,
    cst.UnaryOperation,
    cst.BooleanOperation,
    cst.Comparison,
    cst.ComparisonTarget,
    cst.IfExp,
    cst.Attribute,
    cst.StarredElement,
    cst.CompFor,
    cst.CompIf,
)
_LAYOUT = ("whitespace", "leading", "trailing", "lines_", "lpar", "rpar", "comma", "semicolon", "header", "footer")
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
def _child_fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    """The fields of a node that hold code: white space, commas and parentheses are left out."""
    layout = (
        "whitespace",
        "leading",
        "trailing",
        "lines_",
        "lpar",
        "rpar",
        "comma",
        "semicolon",
        "header",
        "footer",
        "indent",
    )
    return tuple(field.name for field in fields(kind) if not field.name.startswith(layout))


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The direct children of a node that are code (an order of magnitude faster than libcst's own `children`)."""
    for name in _child_fields(type(node)):
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


def pick(generator: np.random.Generator, options: Sequence[T]) -> T | None:
    """One of the options at random; None (and nothing drawn) if there are none."""
    return options[int(generator.integers(len(options)))] if options else None


def statements(text: str) -> list[cst.BaseStatement]:
    """Parse statement text (unindented) into statements."""
    return list(cst.parse_module(text if text.endswith("\n") else text + "\n").body)  # type: ignore[arg-type]


def indent(text: str) -> str:
    """Text one level deeper."""
    return "".join("    " + line if line.strip() else line for line in text.splitlines(keepends=True))


Block = cst.Module | cst.IndentedBlock


class Program:
    """A parsed program with parents, and edits that return the new source text.

    Nodes keep their identity, so that a site found once can be replaced. Raises `libcst.ParserSyntaxError` on text that
    is no program.
    """

    def __init__(self, source: str) -> None:
        self.module = cst.parse_module(source)

    @cached_property
    def nodes(self) -> list[cst.CSTNode]:
        """All nodes, parents first."""
        return list(walk(self.module))

    @cached_property
    def parents(self) -> dict[cst.CSTNode, cst.CSTNode]:
        """The parent of each node but the root."""
        return {child: node for node in self.nodes for child in children(node)}

    @cached_property
    def names(self) -> set[str]:
        """Every name the program uses, with Python's keywords and builtins: what a new variable must avoid."""
        own = {node.value for node in self.nodes if isinstance(node, cst.Name)}
        return own | set(keyword.kwlist) | set(dir(builtins))

    @cached_property
    def imports(self) -> set[str]:
        """Names that top-level imports bind."""
        found = set()
        for node in self.find(cst.ImportAlias):
            found.add(node.evaluated_alias or node.evaluated_name.split(".")[0])
        return found

    def find(self, kind: type[Node], within: cst.CSTNode | None = None) -> list[Node]:
        """The nodes of a kind, in source order."""
        nodes = self.nodes if within is None else walk(within)
        return [node for node in nodes if isinstance(node, kind)]

    def functions(self) -> list[cst.FunctionDef]:
        """The top-level functions."""
        return [node for node in self.module.body if isinstance(node, cst.FunctionDef)]

    def main(self, name: str) -> cst.FunctionDef | None:
        """The function the program stands for: the last one called `name`, or the only one."""
        functions = self.functions()
        named = [function for function in functions if function.name.value == name]
        return named[-1] if named else functions[0] if len(functions) == 1 else None

    def function_of(self, node: cst.CSTNode) -> cst.FunctionDef | None:
        """The outermost function around a node."""
        found = None
        for ancestor in self.ancestors(node):
            if isinstance(ancestor, cst.FunctionDef):
                found = ancestor
        return found

    def ancestors(self, node: cst.CSTNode) -> Iterator[cst.CSTNode]:
        """Parent, grandparent and so on up to the module."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def blocks(self) -> list[Block]:
        """The statement lists inside functions, outer ones first."""
        return [block for block in self.find(cst.IndentedBlock) if self.function_of(block) is not None]

    def windows(self, size: int) -> list[tuple[Block, int, tuple[cst.BaseStatement, ...]]]:
        """Every run of `size` consecutive statements as (block, position of the first, statements)."""
        return [
            (block, start, tuple(block.body[start : start + size]))  # type: ignore[misc]
            for block in self.blocks()
            for start in range(len(block.body) - size + 1)
        ]

    def code(self, node: cst.CSTNode) -> str:
        """Source text of a node; statements come unindented."""
        return self.module.code_for_node(node)

    def term(self, node: cst.BaseExpression) -> str:
        """Source text that may stand beside a comparison sign: arithmetic needs no parentheses there."""
        return self.code(node).strip() if isinstance(node, cst.BinaryOperation) else self.operand(node)

    def operand(self, node: cst.BaseExpression) -> str:
        """Source text that may stand beside an operator: in parentheses unless it is an atom."""
        text = self.code(node).strip()
        return text if isinstance(node, ATOMS) or getattr(node, "lpar", None) else f"({text})"

    def fresh(self, generator: np.random.Generator, candidates: Sequence[str]) -> str | None:
        """One of the candidate names that the program does not use yet."""
        return pick(generator, [name for name in candidates if name not in self.names])

    def replace(self, node: cst.CSTNode, text: str) -> str:
        """The program with one expression replaced, in parentheses where its place asks for them."""
        return self.replace_many([(node, text)])

    def replace_many(self, replacements: Sequence[tuple[cst.CSTNode, str]]) -> str:
        """The program with several expressions replaced, none inside another."""
        table = {node: self._fitting(node, text) for node, text in replacements}
        return self.module.visit(_Replacer(table)).code  # type: ignore[union-attr]

    def replace_names(self, nodes: Sequence[cst.Name], table: Mapping[str, str]) -> str:
        """The program with variables renamed."""
        renamed = {node: node.with_changes(value=table[node.value]) for node in nodes}
        return self.module.visit(_Replacer(renamed)).code  # type: ignore[union-attr]

    def _fitting(self, node: cst.CSTNode, text: str) -> cst.BaseExpression:
        new = cst.parse_expression(text)
        parent = self.parents.get(node)
        tight = isinstance(parent, _TIGHT_PARENTS)
        tight = tight or (isinstance(parent, cst.Call) and parent.func is node)
        tight = tight or (isinstance(parent, cst.Subscript) and parent.value is node)
        if tight and not isinstance(new, ATOMS) and not getattr(new, "lpar", None):
            new = cst.parse_expression(f"({text})")
        return new

    def replace_statements(self, block: Block, start: int, stop: int, text: str) -> str:
        """The program with `block.body[start:stop]` replaced by unindented statement text."""
        body = [*block.body[:start], *statements(text), *block.body[stop:]]
        if block is self.module:
            return self.module.with_changes(body=body).code
        return self.module.deep_replace(block, block.with_changes(body=body)).code  # type: ignore[union-attr]

    def statement_of(self, node: cst.CSTNode) -> tuple[Block, int] | None:
        """The block and position of the statement a node belongs to; None outside indented blocks."""
        child = node
        for ancestor in self.ancestors(node):
            if isinstance(ancestor, cst.IndentedBlock):
                return ancestor, next(i for i, statement in enumerate(ancestor.body) if statement is child)
            child = ancestor
        return None

    def with_import(self, source: str, line: str) -> str:
        """`source` with an import line added at its top unless it already holds it."""
        return source if line in source.splitlines() else f"{line}\n\n\n{source.lstrip()}"


@lru_cache(maxsize=32)
def read(source: str) -> Program:
    """The parsed program; transforms tried one after the other on the same text share it (edits never change it)."""
    return Program(source)


class _Replacer(cst.CSTTransformer):
    def __init__(self, table: Mapping[Any, cst.BaseExpression]) -> None:
        super().__init__()
        self._table = table

    def on_leave(self, original_node: cst.CSTNode, updated_node: cst.CSTNode) -> Any:
        return self._table.get(original_node, updated_node)


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


def choose(
    program: Program, generator: np.random.Generator, sites: Sequence[Node], rewrite: Callable[[Node], str | None]
) -> str | None:
    """Replace one expression site, drawn at random, by what `rewrite` says; sites it declines are passed over."""
    for position in generator.permutation(len(sites)) if sites else ():
        text = rewrite(sites[int(position)])
        if text is not None:
            return program.replace(sites[int(position)], text)
    return None
