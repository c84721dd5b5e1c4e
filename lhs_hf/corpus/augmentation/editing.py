"""Replacing pieces of a program: what all transforms are written with."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import libcst as cst
import numpy as np

from .reading import child_fields, children, walk

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
        return self._with(table).code

    def replace_node(self, node: cst.CSTNode, new: cst.CSTNode) -> str:
        """The program with a node that is no expression replaced by one that may stand there."""
        return self._with({node: new}).code

    def replace_names(self, nodes: Sequence[cst.Name], table: Mapping[str, str]) -> str:
        """The program with variables renamed."""
        renamed = {node: node.with_changes(value=table[node.value]) for node in nodes}
        return self._with(renamed).code

    def _with(self, table: Mapping[Any, cst.CSTNode]) -> cst.Module:
        """The module with other nodes in the place of some, none inside another.

        Only what is around them is made anew, many times faster than a visit of all nodes.
        """
        around = {ancestor for node in table for ancestor in self.ancestors(node)}

        def renewed(node: cst.CSTNode) -> cst.CSTNode:
            if node in table:
                return table[node]
            if node not in around:
                return node
            changes: dict[str, Any] = {}
            for name in child_fields(type(node)):
                value = getattr(node, name)
                if isinstance(value, (tuple, list)):
                    changes[name] = [renewed(each) for each in value]
                elif isinstance(value, cst.CSTNode):
                    changes[name] = renewed(value)
            return node.with_changes(**changes)

        module = renewed(self.module)
        assert isinstance(module, cst.Module)
        return module

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
        return self._with({block: block.with_changes(body=body)}).code

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


def choose(
    program: Program, generator: np.random.Generator, sites: Sequence[Node], rewrite: Callable[[Node], str | None]
) -> str | None:
    """Replace one expression site, drawn at random, by what `rewrite` says; sites it declines are passed over."""
    for position in generator.permutation(len(sites)) if sites else ():
        text = rewrite(sites[int(position)])
        if text is not None:
            return program.replace(sites[int(position)], text)
    return None
