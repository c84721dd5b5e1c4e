"""How a model is told of a task: under the names that it has learned, whatever a person calls them.

The prompt of a task of a person's own names the task of the paper it is most like (`tasks.likeness`), and gives each
argument the name of the one it is like. What the decoder writes is translated back, name by name, before anything
runs; what encoder and editor read is translated first. Programs of the paper's tasks stay as they are.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..tasks import get_task
from ..tasks.base import Task
from ..tasks.likeness import Likeness, likenesses
from .distances import spoken
from .grammar import Signature
from .names import bound, identifiers


@dataclass(frozen=True)
class Translation(Signature):
    """A signature in the names a model knows, of a function that a task has under names of its own.

    `own`: the signature of the task. `order`: for each of its arguments the place of that argument here.
    """

    own: Signature
    order: tuple[int, ...]

    def written(self, source: str) -> str:
        """What a model has written, perhaps not to its end, in the names of the task; line by line the same."""
        return _translated(source, self, self.own, self.order)

    def read(self, source: str) -> str:
        """A program of the task in the names of the model."""
        back = tuple(self.order.index(place) for place in range(len(self.order)))
        return _translated(spoken(source), self.own, self, back)


@dataclass(frozen=True)
class Own(Signature):
    """The signature of a task of a person's own, in its own names."""

    def read(self, source: str) -> str:
        """A program of the task in words that the model knows."""
        return spoken(source)


@dataclass(frozen=True)
class Wording:
    """The subject of a prompt (a task or a class of problems) and the signature that follows it."""

    subject: str
    signature: Signature


def wording(task: Task) -> Wording:
    """How a model is told of a task: as the one of the paper it is most like."""
    return wordings(task)[0]


def wordings(task: Task) -> tuple[Wording, ...]:
    """All the ways in which a decoder may be told of a task, the likest first: one where there is no doubt.

    Those of tasks whose programs answer the same kind of thing, if there are any.
    """
    own = Signature(task.function_name, tuple(task.arguments))
    if task.of_paper:
        return (Wording(task.name, own),)
    likes = _fitting(task)
    if not likes:
        return (Wording(task.problem_class, Own(own.function_name, own.arguments)),)
    first, *others = likes
    return tuple(Wording(like.task, translation(task, like)) for like in (first, *([] if first.whole else others)))


def is_known(task: Task) -> bool:
    """Whether a decoder knows a task: one of the paper's, or one that is like one of them in all it says."""
    return task.of_paper or any(like.whole for like in _fitting(task)[:1])


def _fitting(task: Task) -> Sequence[Likeness]:
    """Those whose programs answer the same kind of thing, if there are any; the likest first."""
    likes = likenesses(task)
    return [like for like in likes if like.answers] or likes


def translation(task: Task, like: Likeness) -> Translation:
    """The function of a task in the names of one that it is like.

    Arguments stand in the order of that task; what it has no like of comes last.
    """
    own = Signature(task.function_name, tuple(task.arguments))
    known = get_task(like.task)
    places = {name: place for place, name in enumerate(known.arguments)}
    called = _called(own.arguments, like.names)
    order = sorted(range(len(called)), key=lambda each: places.get(called[each], len(places) + each))
    arguments = tuple(called[each] for each in order)
    back = tuple(order.index(each) for each in range(len(order)))
    return Translation(known.function_name, arguments, own, back)


def _called(arguments: tuple[str, ...], names: Mapping[str, str]) -> list[str]:
    """What each argument is called: its known name, else its own where that is free."""
    called: list[str] = []
    for name in arguments:
        new = names.get(name, name)
        while new in called or (name not in names and new in names.values()):
            new += "_"
        called.append(new)
    return called


def _translated(source: str, before: Signature, after: Signature, order: tuple[int, ...]) -> str:
    """`source` with the names of one signature in the place of those of the other; as it is if it does not parse.

    `order`: for each argument afterwards its place before.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return source
    reordered = [before.arguments[place] for place in order]
    table = dict(zip(reordered, after.arguments))
    table[before.function_name] = after.function_name
    used = set(identifiers(tree))
    own = set(bound(tree))
    # A parameter that would hide a builtin or a module that the program reads keeps the name it has.
    for old, new in list(table.items()):
        if old != before.function_name and new in used - own and hasattr(builtins, new):
            del table[old]
    taken = {*used, *table.values()}
    for name in sorted(used & set(table.values())):
        if name not in table:
            table[name] = _fresh(name, taken)
    _Renaming(table, before.function_name, order).visit(tree)
    return ast.unparse(tree) + "\n"


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    taken.add(name)
    return name


class _Renaming(ast.NodeTransformer):
    """Names by a table, and the parameters of the function in another order."""

    def __init__(self, table: Mapping[str, str], function: str, order: tuple[int, ...]) -> None:
        self._table = table
        self._function = function
        self._order = order
        self._local: set[str] = set()

    def visit_Module(self, node: ast.Module) -> ast.AST:
        self._local = {each.name for each in ast.walk(node) if isinstance(each, ast.FunctionDef)}
        for each in node.body:
            if isinstance(each, ast.FunctionDef) and each.name == self._function:
                self._reorder(each.args)
        return self.generic_visit(node)

    def _reorder(self, arguments: ast.arguments) -> None:
        count = len(self._order)
        # Positional arguments with a default stand behind those without.
        if len(arguments.posonlyargs) or len(arguments.args) - len(arguments.defaults) < count:
            return
        arguments.args[:count] = [arguments.args[place] for place in self._order]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = self._table.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = self._table.get(node.arg, node.arg)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._table.get(node.name, node.name)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id in self._local:
            for keyword in node.keywords:
                keyword.arg = self._table.get(keyword.arg, keyword.arg) if keyword.arg else None
        return self.generic_visit(node)

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self._table.get(name, name) for name in node.names]
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.AST:
        node.names = [self._table.get(name, name) for name in node.names]
        return node

    def visit_alias(self, node: ast.alias) -> ast.AST:
        bound = node.asname or node.name
        if bound in self._table:
            node.asname = self._table[bound]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = self._table.get(node.name, node.name) if node.name else None
        return self.generic_visit(node)
