"""Simple statements, functions and the program as a whole."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .binding import NO_STRING, at, make_arguments, sub
from .blocks import BlockGrammar
from .scope import Scope
from .spelling import NO_NAMES, READ_CALLS, Position, Steps
from .tokens import OPERATORS
from .vocabulary import CALL_KINDS

_FUNCTION_FIELDS: dict[str, Any] = {"type_params": []} if "type_params" in ast.FunctionDef._fields else {}


class StatementGrammar(BlockGrammar):
    """Rules for statements other than the compound ones of `BlockGrammar`."""

    # -- the program

    def module(self, want: ast.Module | None) -> Steps[None]:
        """The program: statements, then the main function, which ends it."""
        body = self.root.body
        while True:
            wanted = self._wanted_top(want, len(body))
            row = self.statement_row(top=True)
            # The shortest main function (three actions) still has to follow.
            token = yield Position(row, READ_CALLS, 3, 3), None if wanted is None else self.wanted_statement(wanted)
            if self.vocabulary.kinds[token] == "Main":
                yield from self._main(self.vocabulary.payloads[token] == "args", wanted)
                return
            yield from self.statement(token, wanted, body)
            self.alive = True

    def _wanted_top(self, want: ast.Module | None, index: int) -> Any:
        if want is None:
            return None
        name = self.signature.function_name
        if index >= len(want.body):
            raise self.unsupported(f"the program defines no top-level function {name!r}")
        node = want.body[index]
        if isinstance(node, ast.FunctionDef) and node.name == name and index + 1 < len(want.body):
            self.line = getattr(want.body[index + 1], "lineno", self.line)
            raise self.unsupported(f"code after the function {name!r} is not supported: put it before")
        return node

    def _main(self, renamed: bool, want: Any) -> Steps[None]:
        self.scope.bind(self.signature.function_name)
        inner = Scope("function", self.names, self.vocabulary, self.scope)
        if renamed:
            arguments = yield from self.arguments(sub(want, "args"), inner, len(self.signature.arguments))
        else:
            arguments = make_arguments([ast.arg(name) for name in self.signature.arguments])
            for name in self.signature.arguments:
                inner.bind(name)
        yield from self._function_body(self.signature.function_name, arguments, [], inner, want, self.root.body)

    def wanted_statement(self, node: ast.stmt) -> int:
        """The action that opens a wanted statement. Raises `UnsupportedProgram` where there is none."""
        self.line = getattr(node, "lineno", self.line)
        name = type(node).__name__
        shape = ""
        if isinstance(node, ast.FunctionDef):
            if node.name == self.signature.function_name and self.scope.kind == "module":
                if node.decorator_list:
                    raise self.unsupported("a decorated main function is not supported")
                as_given = ast.dump(node.args) == ast.dump(
                    make_arguments([ast.arg(argument) for argument in self.signature.arguments])
                )
                return self.token("Main" if as_given else "Main:args")
            shape = "decorated" if node.decorator_list else ""
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            return self.first_of(f"import:{ast.unparse(node)}", name)
        elif isinstance(node, ast.Expr):
            if isinstance(node.value, ast.Call):
                call = self.wanted_expression(node.value)
                return call if self.vocabulary.kinds[call] in CALL_KINDS else self.token(name)
        elif isinstance(node, ast.Assign):
            shape = "*" if len(node.targets) > 1 else ""
        elif isinstance(node, ast.AugAssign):
            shape = type(node.op).__name__
        elif isinstance(node, ast.Return):
            shape = "None" if node.value is None else ""
        elif isinstance(node, ast.Delete):
            shape = "*" if len(node.targets) > 1 else ""
        elif isinstance(node, ast.Raise):
            shape = "" if node.exc is None else "1" if node.cause is None else "2"
        elif isinstance(node, ast.Assert):
            shape = "message" if node.msg is not None else ""
        else:
            shape = self.wanted_block_shape(node)
        return self.token(f"{name}:{shape}" if shape else name)

    # -- one statement

    def statement(self, token: int, want: Any, out: list[ast.stmt]) -> Steps[None]:
        """The statement that an action opens, appended to `out`: at its end, or as soon as its header is complete."""
        kind, payload = self.vocabulary.kinds[token], self.vocabulary.payloads[token]
        if kind in CALL_KINDS:
            out.append(ast.Expr((yield from self.expand(token, sub(want, "value")))))
        elif kind == "import":
            self.fused_import(payload, out)
        else:
            yield from getattr(self, "_do_" + kind)(payload, want, out)
        self.boundaries.append(self.count)
        self.open_block = out

    def _do_Assign(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        value = yield from self.expression(sub(want, "value"))
        wants = sub(want, "targets")
        targets = [(yield from self.target(at(wants, 0), self.scope))]
        while payload == "*" and (yield from self.another(wants, len(targets))):
            targets.append((yield from self.target(at(wants, len(targets)), self.scope)))
        out.append(ast.Assign(targets, value))

    def _do_AugAssign(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        row = self.vocabulary.row("Attribute", "Subscript") | self._names_row(self.scope.local_names())
        token = yield Position(row, NO_NAMES, 3), self._wanted_place(sub(want, "target"))
        target = yield from self.expand_target(token, sub(want, "target"), self.scope, plain=False)
        value = yield from self.expression(sub(want, "value"))
        out.append(ast.AugAssign(target, OPERATORS[payload](), value))

    def _wanted_place(self, want: Any) -> int | None:
        if isinstance(want, ast.Name):
            token = self.names.token(want.id)
            if token is None:
                raise self.unsupported(f"name {want.id!r} is not defined")
            return token
        return None if want is None else self.wanted_target(want)

    def _names_row(self, names: list[str]) -> np.ndarray:
        row = np.zeros(len(self.vocabulary), dtype=bool)
        for name in names:
            if name not in self.modules and (token := self.names.token(name)) is not None:
                row[token] = True
        return row

    def _do_Expr(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        out.append(ast.Expr((yield from self.expression(sub(want, "value"), NO_STRING))))

    def _do_Return(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        out.append(ast.Return(None if payload else (yield from self.expression(sub(want, "value")))))
        self.alive = False

    def _do_Raise(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        error = (yield from self.expression(sub(want, "exc"))) if payload else None
        cause = (yield from self.expression(sub(want, "cause"))) if payload == "2" else None
        out.append(ast.Raise(error, cause))
        self.alive = False

    def _do_Assert(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        test = yield from self.expression(sub(want, "test"))
        self.enter_region()
        message = (yield from self.expression(sub(want, "msg"))) if payload else None
        self.leave_region()
        out.append(ast.Assert(test, message))

    def _do_Pass(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        out.append(ast.Pass())
        yield from ()

    def _do_Break(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        out.append(ast.Break())
        self.loops[-1].append(self.scope.snapshot())
        self.alive = False
        yield from ()

    def _do_Continue(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        out.append(ast.Continue())
        self.alive = False
        yield from ()

    def _do_Global(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        out.append(ast.Global((yield from self._declared(self.global_candidates(), want))))

    def _do_Nonlocal(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        out.append(ast.Nonlocal((yield from self._declared(self.nonlocal_candidates(), want))))

    def _declared(self, candidates: list[str], want: Any) -> Steps[list[str]]:
        row = self._names_row(candidates)
        wants = sub(want, "names")
        found: list[str] = []
        while True:
            wanted = None
            if wants is not None:
                done = len(found) == len(wants)
                wanted = self.vocabulary.end if done else self.wanted_binding(wants[len(found)])
            position = Position(row | self._end_row, NO_NAMES, 1, 1) if found else Position(row, NO_NAMES, 2, 1)
            token = yield position, wanted
            if token == self.vocabulary.end:
                return found
            found.append(self.names.text(token))
            self.scope.alias(found[-1])
            row[token] = False

    def _do_Delete(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        wants = sub(want, "targets")
        targets: list[Any] = []
        while True:
            row = self.vocabulary.row("Attribute", "Subscript") | self._names_row(self.scope.deletable_names())
            wanted = at(wants, len(targets))
            token = yield Position(row, NO_NAMES, 3), self._wanted_place(wanted)
            node = yield from self.expand_target(token, wanted, self.scope, plain=False)
            node.ctx = ast.Del()
            if isinstance(node, ast.Name):
                self.scope.unbind([node.id])
            targets.append(node)
            if payload != "*" or not (yield from self.another(wants, len(targets), "Place")):
                break
        out.append(ast.Delete(targets))

    # -- functions

    def _do_FunctionDef(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        decorators = []
        if payload:
            wants = sub(want, "decorator_list")
            decorators.append((yield from self.expression(at(wants, 0))))
            decorators += yield from self.list_of(None if wants is None else wants[1:], 0)
        name = yield from self.bind_name(self.scope, sub(want, "name"))
        self.scope.claim(name)
        inner = Scope("function", self.names, self.vocabulary, self.scope)
        arguments = yield from self.arguments(sub(want, "args"), inner)
        self.scope.bind(name)
        yield from self._function_body(name, arguments, decorators, inner, want, out)

    def _function_body(
        self, name: str, arguments: ast.arguments, decorators: list[Any], inner: Scope, want: Any, out: list[ast.stmt]
    ) -> Steps[None]:
        node = ast.FunctionDef(name, arguments, [], decorators, None, None, **_FUNCTION_FIELDS)
        out.append(node)
        outside = self.scope, self.loops, self.alive
        self.scope, self.loops, self.alive = inner, [], True
        yield from self.block(node.body, sub(want, "body"))
        self.scope, self.loops, self.alive = outside
