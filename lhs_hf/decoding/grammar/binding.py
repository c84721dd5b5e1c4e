"""Whatever binds names: assignment targets and argument lists."""

from __future__ import annotations

import ast
from abc import abstractmethod
from typing import Any, NamedTuple

import numpy as np

from .scope import Scope
from .spelling import NO_NAMES, Limits, Position, SpellingGrammar, Steps
from .vocabulary import Signature, Vocabulary

# What an expression position allows or forbids besides the usual.
F_STRING, NO_WALRUS, LEAF, NO_STRING, SLICE, STAR, END, SPREAD, NO_TUPLE, AXIS = (1 << bit for bit in range(10))
_TARGET_KINDS = ("Tuple", "List", "Attribute", "Subscript")


def sub(node: Any, field: str) -> Any:
    """A child of the wanted tree; None where there is no wanted tree."""
    return None if node is None else getattr(node, field)


def at(nodes: Any, index: int) -> Any:
    """An element of a wanted list; None where there is no wanted tree."""
    return None if nodes is None else nodes[index]


def make_arguments(plain: list[ast.arg]) -> ast.arguments:
    """Positional arguments without defaults."""
    return ast.arguments(
        posonlyargs=[], args=plain, vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[]
    )


class BindingGrammar(SpellingGrammar):
    """Rules for targets and arguments."""

    context = 0  # flags that hold for everything below an expression: F_STRING, NO_WALRUS

    def __init__(self, vocabulary: Vocabulary, signature: Signature, limits: Limits) -> None:
        super().__init__(vocabulary, signature, limits)
        self.regions: list[list[tuple[Scope, str]]] = []

    @abstractmethod
    def expression(self, want: Any, flags: int = 0) -> Steps[Any]:
        """Any expression. With END among `flags`, returns None for the end of the list."""

    @abstractmethod
    def wanted_expression(self, node: ast.expr) -> int:
        """The action that opens the wanted node. Raises `UnsupportedProgram` where there is none."""

    def enter_region(self) -> None:
        """What follows may not be evaluated: names it assigns are certain inside only."""
        self.regions.append([])

    def leave_region(self) -> None:
        for scope, name in self.regions.pop():
            scope.unbind([name])
            for inner in self.scope.chain():
                inner.invalidate()

    def another(self, wants: Any, done: int, marker: str = "Target") -> Steps[bool]:
        """Whether a list of targets goes on: `marker` or `<end>`."""
        wanted = None if wants is None else self.token(marker if done < len(wants) else "<end>")
        token = yield Position(self.vocabulary.row(marker, "<end>"), NO_NAMES, 1, 1), wanted
        return token != self.vocabulary.end

    # -- targets

    def target(self, want: Any, scope: Scope, plain: bool = False, starred: bool = False) -> Steps[Any]:
        """Something to assign to: a name of `scope`, a tuple of targets or, unless `plain`, an attribute or item."""
        vocabulary = self.vocabulary
        row = self.binding_row(scope)
        if self.depth < self.limits.depth:
            row |= vocabulary.row(*_TARGET_KINDS[: 2 if plain else None])
            row &= ~vocabulary.row("Tuple:0", "List:0")
        if starred:
            row |= vocabulary.row("Starred")
        token = yield Position(row), None if want is None else self.wanted_target(want)
        return (yield from self.expand_target(token, want, scope, plain))

    def wanted_target(self, want: Any) -> int:
        if isinstance(want, ast.Name):
            token = self.wanted_binding(want.id)
            assert token is not None
            return token
        if isinstance(want, ast.Attribute):
            return self.first_of(f"Attribute:{want.attr}", "Attribute")
        return self.wanted_expression(want)

    def expand_target(self, token: int, want: Any, scope: Scope, plain: bool) -> Steps[Any]:
        """The target that an action opens; names are bound at once, as Python assigns from left to right."""
        kind, payload = self.vocabulary.kinds[token], self.vocabulary.payloads[token]
        if kind in ("name", "slot", "<spell>"):
            name = yield from self.named(token, scope, sub(want, "id"))
            scope.bind(name)
            return ast.Name(name, ast.Store())
        self.depth += 1
        node: Any
        if kind in ("Tuple", "List"):
            elements = yield from self._target_elements(payload, sub(want, "elts"), scope, plain)
            node = (ast.Tuple if kind == "Tuple" else ast.List)(elements, ast.Store())
        elif kind == "Starred":
            node = ast.Starred((yield from self.target(sub(want, "value"), scope, plain)), ast.Store())
        else:
            node = yield from getattr(self, "_rule_" + kind)(payload, want, 0)
            node.ctx = ast.Store()
        self.depth -= 1
        return node

    def _target_elements(self, count: str, wants: Any, scope: Scope, plain: bool) -> Steps[list[Any]]:
        found: list[Any] = []
        starred = True
        most = 10**9 if count == "*" else int(count)
        while len(found) < most:
            if count == "*" and found and not (yield from self.another(wants, len(found))):
                break
            want = at(wants, len(found))
            node = yield from self.target(want, scope, plain, starred)
            starred = starred and not isinstance(node, ast.Starred)
            found.append(node)
        return found

    # -- arguments

    def arguments(self, want: Any, inner: Scope, arity: int | None = None) -> Steps[ast.arguments]:
        """An argument list up to `<end>`, bound in `inner`; defaults are evaluated in the current scope.

        With `arity`, the list can be called with exactly that many positional arguments.
        """
        wanted = None if want is None else _flatten(want)
        found = make_arguments([])
        stage, count = _Stage(), 0
        while True:
            kind, argument, default = ("", None, None) if wanted is None else wanted[count]
            count += 1
            missing = 0 if arity is None else max(0, arity - len(found.posonlyargs) - len(found.args))
            row = self._argument_row(found, inner, stage, missing, arity is None)
            token = yield self._argument_position(row, found, stage, missing), self._wanted_argument(kind, argument)
            action = self.vocabulary.payloads[token]
            if token == self.vocabulary.end:
                return found
            if self.vocabulary.kinds[token] != "Arg":
                name = yield from self.named(token, inner, sub(argument, "arg"), inner.bound)
                action = "plain"
            elif action == "posonly":
                found.posonlyargs, found.args = found.args, []
                continue
            elif action == "kwonly":
                stage = _Stage(keyword=True, empty=True)
                continue
            else:
                name = yield from self.bind_name(inner, sub(argument, "arg"), inner.bound)
            value = (yield from self.expression(default)) if action == "default" else None
            inner.bind(name)
            node = ast.arg(name)
            if action == "vararg":
                found.vararg, stage = node, _Stage(keyword=True)
            elif action == "kwarg":
                found.kwarg = node
            elif stage.keyword:
                found.kwonlyargs.append(node)
                found.kw_defaults.append(value)
                stage = _Stage(keyword=True)
            else:
                found.args.append(node)
                if value is not None:
                    found.defaults.append(value)

    def _wanted_argument(self, kind: str, argument: Any) -> int | None:
        if kind == "plain":
            return self.wanted_binding(argument.arg)
        return self.token("<end>" if kind == "end" else f"Arg:{kind}") if kind else None

    def _argument_position(self, row: np.ndarray, found: ast.arguments, stage: _Stage, missing: int) -> Position:
        if not missing:
            return Position(row, NO_NAMES, 4 if stage.empty else 1, 1)
        if found.defaults:  # every argument from here on takes three actions
            return Position(row, NO_NAMES, 3 * missing + 1, 3 * missing - 2)
        costs = self.vocabulary.costs.copy()
        costs[self.vocabulary.ids["Arg:default"]] = 2 * missing
        return Position(row, NO_NAMES, missing + 1, missing, costs)

    def _argument_row(self, found: ast.arguments, inner: Scope, stage: _Stage, missing: int, free: bool) -> np.ndarray:
        """What may follow: with a required arity (not `free`) plain arguments up to it, then optional ones."""
        if found.kwarg is not None:
            return self._end_row
        plain = free if stage.keyword else not found.defaults and (free or missing > 0)
        row = self.binding_row(inner, inner.bound) if plain else np.zeros(len(self.vocabulary), dtype=bool)
        allowed = ["Arg:default"]
        if missing:
            return row | self.vocabulary.row(*allowed)
        if not stage.empty:
            allowed += ["Arg:kwarg", "<end>"]
        if not stage.keyword:
            allowed += ["Arg:vararg", "Arg:kwonly"]
            if found.args and not found.posonlyargs:
                allowed.append("Arg:posonly")
        return row | self.vocabulary.row(*allowed)


class _Stage(NamedTuple):
    """Where an argument list stands: after a star arguments are keyword-only; a bare star needs one after it."""

    keyword: bool = False
    empty: bool = False


def _flatten(want: ast.arguments) -> list[tuple[str, ast.arg | None, ast.expr | None]]:
    """An argument list as (action, argument, default) in source order, closed by `end`."""
    positional = [*want.posonlyargs, *want.args]
    defaults: list[ast.expr | None] = [*[None] * (len(positional) - len(want.defaults)), *want.defaults]
    steps: list[tuple[str, ast.arg | None, ast.expr | None]] = []
    for index, (argument, default) in enumerate(zip(positional, defaults)):
        steps.append(("plain" if default is None else "default", argument, default))
        if index + 1 == len(want.posonlyargs):
            steps.append(("posonly", None, None))
    if want.vararg is not None:
        steps.append(("vararg", want.vararg, None))
    elif want.kwonlyargs:
        steps.append(("kwonly", None, None))
    for argument, value in zip(want.kwonlyargs, want.kw_defaults):
        steps.append(("plain" if value is None else "default", argument, value))
    if want.kwarg is not None:
        steps.append(("kwarg", want.kwarg, None))
    return [*steps, ("end", None, None)]
