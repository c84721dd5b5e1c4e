"""Blocks and compound statements, with definite assignment across branches, loops and exceptions."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from .binding import NO_TUPLE, at, sub
from .expressions import ExpressionGrammar
from .imports import ImportGrammar
from .spelling import NO_NAMES, READ_CALLS, Limits, Position, Steps
from .tokens import CLOSING
from .vocabulary import Signature, Vocabulary

DEEPEST_BLOCK = 12
Flow = tuple[bool, "frozenset[str]"]  # whether control gets here, and what is assigned if it does

_SIMPLE = ("Assign", "AugAssign", "Expr", "Call", "method", "Assert", "Pass", "Delete", "import", "Raise")
_COMPOUND = ("If", "For", "While", "Try", "With", "FunctionDef")
_TRY_SHAPES = {
    (True, False, False): "",
    (True, True, False): "else",
    (True, False, True): "finally",
    (True, True, True): "else-finally",
    (False, False, True): "bare-finally",
}


class BlockGrammar(ExpressionGrammar, ImportGrammar):
    """Rules for blocks and the statements that contain them."""

    def __init__(self, vocabulary: Vocabulary, signature: Signature, limits: Limits) -> None:
        super().__init__(vocabulary, signature, limits)
        self.root = ast.Module(body=[], type_ignores=[])
        self.boundaries: list[int] = []
        self.open_block: list[ast.stmt] = self.root.body  # where the statement after the last boundary will stand
        self.count = 0
        self.alive = True  # whether control can get to the current point
        self.loops: list[list[frozenset[str]]] = []  # for each open loop: what is assigned at its breaks
        self.blocks = 0

    @abstractmethod
    def statement(self, token: int, want: Any, out: list[ast.stmt]) -> Steps[None]:
        """The statement that an action opens, appended to `out`."""

    @abstractmethod
    def wanted_statement(self, node: ast.stmt) -> int:
        """The action that opens a wanted statement."""

    def statement_row(self, top: bool = False, end: bool = False) -> np.ndarray:
        """Mask of statements that may stand here."""
        selectors = [*_SIMPLE]
        if self.blocks < DEEPEST_BLOCK:
            selectors += _COMPOUND
        if self.names.free_slots >= 2:
            selectors += ("Import", "ImportFrom")
        if top:
            selectors.append("Main")
        if self.loops:
            selectors += ("Break", "Continue")
        if end:
            selectors.append("<end>")
        if self.scope.kind == "function":
            selectors.append("Return")
            if self.global_candidates():
                selectors.append("Global")
            if self.nonlocal_candidates():
                selectors.append("Nonlocal")
        else:
            selectors.remove("Raise")
        row = self.vocabulary.row(*selectors)
        denied = self.vocabulary.imports_of(self.scope.outer_reads)
        if denied:
            row = row.copy()
            row[denied] = False
        return row

    def global_candidates(self) -> list[str]:
        """Module variables that the current function may declare `global`."""
        scope = self.scope
        module = list(scope.chain())[-1]
        taken = scope.bound | scope.outer_reads | scope.aliased | self.modules
        return [name for name in module.definite if name not in taken and name != self.signature.function_name]

    def nonlocal_candidates(self) -> list[str]:
        """Variables of enclosing functions that the current one may declare `nonlocal`."""
        scope = self.scope
        found: list[str] = []
        hidden = scope.bound | scope.outer_reads | scope.aliased
        for outer in list(scope.chain())[1:-1]:
            found += [name for name in outer.definite if name not in hidden and name not in self.modules]
            hidden = hidden | outer.bound | outer.aliased
        return found

    def block(self, out: list[ast.stmt], wants: Any) -> Steps[None]:
        """Statements up to `<end>`; one that control does not leave ends the block by itself."""
        self.blocks += 1
        self.alive = True
        end = self.vocabulary.end
        while self.alive:
            want, wanted = None, None
            if wants is not None:
                want = wants[len(out)] if len(out) < len(wants) else None
                wanted = end if want is None else self.wanted_statement(want)
            position = Position(self.statement_row(end=bool(out)), READ_CALLS, 1 if out else 2, 1)
            token = yield position, wanted
            if token == end:
                break
            yield from self.statement(token, want, out)
        else:
            if self.vocabulary.kinds[token] not in CLOSING:
                self.debt -= 1  # no `<end>` follows
            if wants is not None and len(wants) > len(out):
                self.line = wants[len(out)].lineno
                raise self.unsupported("code that is never reached is not supported")
        self.blocks -= 1

    # -- control flow

    def flow(self) -> Flow:
        return self.alive, self.scope.snapshot()

    def go_on(self, flow: Flow) -> None:
        self.alive = flow[0]
        self.scope.restore(flow[1])

    def join(self, flows: Iterable[Flow], otherwise: frozenset[str]) -> Flow:
        """Where paths meet: assigned is what every path that gets here has assigned."""
        alive = [assigned for reached, assigned in flows if reached]
        return (True, frozenset.intersection(*alive)) if alive else (False, otherwise)

    def wanted_block_shape(self, node: ast.stmt) -> str:
        """The shape payload of a compound statement. Raises `UnsupportedProgram` for other statements."""
        if isinstance(node, ast.If):
            if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
                return "elif"
            return "else" if node.orelse else ""
        if isinstance(node, (ast.For, ast.While)):
            return "else" if node.orelse else ""
        if isinstance(node, ast.Try):
            return _TRY_SHAPES[bool(node.handlers), bool(node.orelse), bool(node.finalbody)]
        if isinstance(node, ast.With):
            if len(node.items) > 1:
                return "*"
            return "as" if node.items[0].optional_vars is not None else ""
        if isinstance(node, (ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal)):
            return ""
        raise self.unsupported(f"a {type(node).__name__} statement is not supported")

    def _do_If(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        test = yield from self.expression(sub(want, "test"))
        node = ast.If(test, [], [])
        out.append(node)
        before = self.scope.snapshot()
        yield from self.block(node.body, sub(want, "body"))
        branches = [self.flow()]
        self.go_on((True, before))
        if payload == "elif":
            inner = at(sub(want, "orelse"), 0)
            wanted = None if inner is None else self.wanted_statement(inner)
            token = yield Position(self.vocabulary.row("If"), NO_NAMES, 4), wanted
            yield from self._do_If(self.vocabulary.payloads[token], inner, node.orelse)
        elif payload == "else":
            yield from self.block(node.orelse, sub(want, "orelse"))
        branches.append(self.flow())
        self.go_on(self.join(branches, before))

    def _do_For(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        iterable = yield from self.expression(sub(want, "iter"))
        before = self.scope.snapshot()
        target = yield from self.target(sub(want, "target"), self.scope)
        node = ast.For(target, iterable, [], [])
        out.append(node)
        yield from self._loop(node, before, payload == "else", False, want)

    def _do_While(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        test = yield from self.expression(sub(want, "test"))
        node = ast.While(test, [], [])
        out.append(node)
        endless = isinstance(test, ast.Constant) and bool(test.value)
        yield from self._loop(node, self.scope.snapshot(), payload == "else", endless, want)

    def _loop(self, node: Any, before: frozenset[str], has_else: bool, endless: bool, want: Any) -> Steps[None]:
        protected = self.scope.protected
        self.scope.protected = protected | before
        self.loops.append([])
        yield from self.block(node.body, sub(want, "body"))
        breaks: list[Flow] = [(True, assigned) for assigned in self.loops.pop()]
        self.scope.protected = protected
        exits: list[Flow] = [] if endless else [(True, before)]
        if has_else:
            self.go_on((True, before))
            yield from self.block(node.orelse, sub(want, "orelse"))
            exits = [self.flow()]
        self.go_on(self.join([*exits, *breaks], before))

    def _do_Try(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        node = ast.Try([], [], [], [])
        out.append(node)
        before = self.scope.snapshot()
        protected = self.scope.protected
        self.scope.protected = protected | before
        yield from self.block(node.body, sub(want, "body"))
        body = self.flow()
        flows: list[Flow] = []
        if payload != "bare-finally":
            flows = yield from self._handlers(node, before, want)
        if payload.startswith("else"):
            self.go_on((True, body[1]))
            yield from self.block(node.orelse, sub(want, "orelse"))
            body = (body[0] and self.alive, self.scope.snapshot())
        joined = self.join([body, *flows], before)
        if payload.endswith("finally"):
            self.go_on((True, before))
            yield from self.block(node.finalbody, sub(want, "finalbody"))
            joined = (joined[0] and self.alive, joined[1] | self.scope.snapshot())
        self.scope.protected = protected
        self.go_on(joined)

    def _handlers(self, node: ast.Try, before: frozenset[str], want: Any) -> Steps[list[Flow]]:
        wants = sub(want, "handlers")
        flows: list[Flow] = []
        row = self.vocabulary.row("Except")
        while True:
            wanted, handler = None, None
            if wants is not None:
                handler = wants[len(flows)] if len(flows) < len(wants) else None
                wanted = self.vocabulary.end if handler is None else self._wanted_handler(handler)
            position = Position(row | self._end_row, NO_NAMES, 1, 1) if flows else Position(row, NO_NAMES, 4, 1)
            token = yield position, wanted
            if token == self.vocabulary.end:
                return flows
            payload = self.vocabulary.payloads[token]
            self.go_on((True, before))
            error, name = None, None
            if payload == "bare":
                row = np.zeros_like(row)
            else:
                error = yield from self.expression(sub(handler, "type"))
            if payload == "as":
                name = yield from self.bind_name(self.scope, sub(handler, "name"), self.scope.definite)
                self.scope.bind(name)
            made = ast.ExceptHandler(error, name, [])
            node.handlers.append(made)
            yield from self.block(made.body, sub(handler, "body"))
            if name is not None:
                self.scope.unbind([name])
            flows.append(self.flow())

    def _wanted_handler(self, handler: ast.ExceptHandler) -> int:
        self.line = handler.lineno
        return self.token("Except:bare" if handler.type is None else "Except:as" if handler.name else "Except")

    def _do_With(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        wants = sub(want, "items")
        items: list[ast.withitem] = []
        row = self.vocabulary.row("WithItem")
        while True:
            named = payload == "as"
            wanted = wants[len(items)] if wants is not None and len(items) < len(wants) else None
            if payload == "*":
                token_wanted = None
                if wants is not None:
                    named = wanted is not None and wanted.optional_vars is not None
                    text = "<end>" if wanted is None else "WithItem:as" if named else "WithItem"
                    token_wanted = self.token(text)
                position = Position(row | self._end_row, NO_NAMES, 1, 1) if items else Position(row, NO_NAMES, 3, 1)
                token = yield position, token_wanted
                if token == self.vocabulary.end:
                    break
                named = self.vocabulary.payloads[token] == "as"
            # A tuple would be unparsed like a list of context managers.
            context = yield from self.expression(sub(wanted, "context_expr"), NO_TUPLE)
            target = (yield from self.target(sub(wanted, "optional_vars"), self.scope)) if named else None
            items.append(ast.withitem(context, target))
            if payload != "*":
                break
        node = ast.With(items, [])
        out.append(node)
        yield from self.block(node.body, sub(want, "body"))
