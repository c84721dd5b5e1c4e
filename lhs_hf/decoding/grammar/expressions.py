"""Expressions: one rule a node kind, for encoding and decoding alike.

Children come in the order in which they are evaluated, with generators before the element of a comprehension and the
value before the target of an assignment expression, so that scope is known wherever a name is chosen.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from .binding import (
    AXIS,
    END,
    F_STRING,
    LEAF,
    NO_STRING,
    NO_TUPLE,
    NO_WALRUS,
    SLICE,
    SPREAD,
    STAR,
    at,
    make_arguments,
    sub,
)
from .comprehensions import ComprehensionGrammar
from .payloads import dotted_chain, root_of
from .scope import Scope
from .spelling import NO_NAMES, PLAIN, READ_LEAVES, READ_NAMES, Limits, Position, Steps, node_name
from .tokens import COMPARE, OPERATORS
from .vocabulary import Signature, Vocabulary
from .wanted import ExpressionActions

_KINDS = (
    *(
        "const",
        "<int>",
        "<float>",
        "<imaginary>",
        "<str>",
        "BinOp",
        "UnaryOp",
        "BoolOp",
        "Compare",
        "IfExp",
        "Lambda",
        "NamedExpr",
    ),
    *("Tuple", "List", "Set", "Dict", "ListComp", "SetComp", "DictComp", "GeneratorExp", "Call", "method"),
    *("Attribute", "Subscript", "JoinedStr"),
)


# What may stand where, by flags: the same for every program of a vocabulary.
_POSITIONS: WeakKeyDictionary[Vocabulary, dict[int, Position]] = WeakKeyDictionary()


class ExpressionGrammar(ExpressionActions, ComprehensionGrammar):
    """Rules that build `ast.expr` nodes."""

    def __init__(self, vocabulary: Vocabulary, signature: Signature, limits: Limits) -> None:
        super().__init__(vocabulary, signature, limits)
        self._positions = _POSITIONS.setdefault(vocabulary, {})

    # -- entry

    def expression(self, want: ast.expr | None, flags: int = 0) -> Steps[Any]:
        """Any expression. With END among `flags`, returns None for the end of the list."""
        flags |= self.context | (LEAF if self.depth >= self.limits.depth else 0)
        position = self._positions.get(flags) or self._position(flags)
        token = yield position, None if want is None else self.wanted_expression(want)
        return (yield from self.expand(token, want, flags))

    def _position(self, flags: int) -> Position:
        vocabulary = self.vocabulary
        row = vocabulary.row(*_KINDS).copy()
        if flags & (SLICE | AXIS):
            row |= vocabulary.row("Slice")
        if flags & STAR:
            row |= vocabulary.row("Starred")
        if flags & NO_WALRUS:
            row &= ~vocabulary.row("NamedExpr")
        if flags & NO_TUPLE:
            row &= ~vocabulary.row("Tuple")
        if flags & LEAF:
            row &= vocabulary.leaf_row
        if flags & SPREAD:
            row |= vocabulary.row("DictSpread")
        if flags & (F_STRING | NO_STRING):
            row &= ~vocabulary.row("JoinedStr")
            plain = set(PLAIN)
            for index in np.flatnonzero(vocabulary.row("const")):
                value = ast.literal_eval(vocabulary.payloads[index])
                if isinstance(value, str) and (flags & NO_STRING or not plain.issuperset(value)):
                    row[index] = False
        if flags & NO_STRING:
            row &= ~vocabulary.row("<str>")
        extra = 0
        if flags & END:
            row |= self._end_row
            extra = 2 if flags & SPREAD else 1
        position = Position(row, READ_LEAVES if flags & LEAF else READ_NAMES, 1, extra)
        self._positions[flags] = position
        return position

    def list_of(self, wants: Any, flags: int = STAR) -> Steps[list[Any]]:
        """Expressions up to `<end>`."""
        found: list[Any] = []
        while True:
            want = None
            if wants is not None:
                if len(found) == len(wants):
                    yield self._end_position(flags), self.vocabulary.end
                    return found
                want = wants[len(found)]
            node = yield from self.expression(want, flags | END)
            if node is None:
                return found
            found.append(node)

    def _end_position(self, flags: int) -> Position:
        flags |= self.context | END | (LEAF if self.depth >= self.limits.depth else 0)
        return self._positions.get(flags) or self._position(flags)

    def counted(self, count: str, wants: Any, flags: int = STAR) -> Steps[list[Any]]:
        """`count` expressions; for `*` at least one, up to `<end>`."""
        found = []
        for index in range(1 if count == "*" else int(count)):
            found.append((yield from self.expression(at(wants, index), flags)))
        if count == "*":
            found += yield from self.list_of(None if wants is None else wants[1:], flags)
        return found

    # -- from an action to a node

    def expand(self, token: int, want: Any, flags: int = 0) -> Steps[Any]:
        """The node that an action at an expression position opens, children included."""
        kind, payload = self.vocabulary.kinds[token], self.vocabulary.payloads[token]
        if kind in ("name", "slot"):
            name = self.names.text(token)
            self.scope.read(name)
            return ast.Name(name, ast.Load())
        if kind in ("const", "whole", "dotted"):
            if kind != "const":
                self.scope.read(root_of(payload))
            return closed_expression(payload)
        if kind == "<end>":
            return None
        if kind == "DictSpread":
            return kind
        self.depth += 1
        node = yield from getattr(self, "_rule_" + kind.strip("<>"))(payload, want, flags)
        self.depth -= 1
        return node

    def _rule_int(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        value = yield from self.number(None if want is None else ast.unparse(want), is_float=False)
        return ast.Constant(value)

    def _rule_float(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        value = yield from self.number(None if want is None else ast.unparse(want), is_float=True)
        return ast.Constant(value)

    def _rule_imaginary(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        value = yield from self.number(
            None if want is None else ast.unparse(ast.Constant(want.value.imag)), is_float=True
        )
        return ast.Constant(complex(0, value))

    def _rule_str(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        value = yield from self.text(sub(want, "value"), PLAIN if flags & F_STRING else None)
        return ast.Constant(value)

    def _rule_BinOp(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        left = yield from self.expression(sub(want, "left"))
        right = yield from self.expression(sub(want, "right"))
        return ast.BinOp(left, OPERATORS[payload](), right)

    def _rule_UnaryOp(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        operand = yield from self.expression(sub(want, "operand"))
        return ast.UnaryOp(OPERATORS[payload](), operand)

    def _rule_BoolOp(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        operator, _, count = payload.partition(":")
        wants = sub(want, "values")
        values = [(yield from self.expression(at(wants, 0)))]
        self.enter_region()
        if count == "*":
            values.append((yield from self.expression(at(wants, 1))))
            values += yield from self.list_of(None if wants is None else wants[2:], 0)
        else:
            for index in range(1, int(count)):
                values.append((yield from self.expression(at(wants, index))))
        self.leave_region()
        return ast.BoolOp(OPERATORS[operator](), values)

    def _rule_Compare(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        left = yield from self.expression(sub(want, "left"))
        if payload != "*":
            right = yield from self.expression(at(sub(want, "comparators"), 0))
            return ast.Compare(left, [OPERATORS[payload]()], [right])
        row = self.vocabulary.row(*(f"Compare:{name}" for name in COMPARE))
        operators: list[Any] = []
        values: list[Any] = []
        while True:
            wanted = None
            if want is not None:
                done = len(values) == len(want.ops)
                wanted = self.vocabulary.end if done else self.token(f"Compare:{node_name(want.ops[len(values)])}")
            position = Position(row | self._end_row, NO_NAMES, 1, 1) if values else Position(row, NO_NAMES, 4, 1)
            token = yield position, wanted
            if token == self.vocabulary.end:
                break
            self.debt -= 1  # the left operand of this action's own form is there already
            operators.append(OPERATORS[self.vocabulary.payloads[token]]())
            if len(values) == 1:
                self.enter_region()
            values.append((yield from self.expression(at(sub(want, "comparators"), len(values)))))
        if len(values) > 1:
            self.leave_region()
        return ast.Compare(left, operators, values)

    def _rule_IfExp(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        test = yield from self.expression(sub(want, "test"))
        self.enter_region()
        body = yield from self.expression(sub(want, "body"))
        self.leave_region()
        self.enter_region()
        orelse = yield from self.expression(sub(want, "orelse"))
        self.leave_region()
        return ast.IfExp(test, body, orelse)

    def _rule_Lambda(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        inner = Scope("function", self.names, self.vocabulary, self.scope)
        wanted = sub(want, "args")
        if payload == "*":
            arguments = yield from self.arguments(wanted, inner)
        else:
            plain = []
            for index in range(int(payload)):
                name = yield from self.bind_name(inner, sub(at(sub(wanted, "args"), index), "arg"), inner.bound)
                inner.bind(name)
                plain.append(ast.arg(name))
            arguments = make_arguments(plain)
        outer, self.scope = self.scope, inner
        body = yield from self.expression(sub(want, "body"))
        self.scope = outer
        return ast.Lambda(arguments, body)

    def _rule_NamedExpr(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        value = yield from self.expression(sub(want, "value"))
        scope = self.scope.function()
        inside = []
        for inner in self.scope.chain():
            if inner is scope:
                break
            inside.append(inner)
        denied = set().union(*(inner.bound for inner in inside))
        name = yield from self.bind_name(scope, sub(sub(want, "target"), "id"), denied)
        if self.regions and name not in scope.definite and name not in scope.aliased:
            self.regions[-1].append((scope, name))
        scope.bind(name)
        for inner in inside:
            inner.outer_reads.add(name)
            inner.invalidate()
        return ast.NamedExpr(ast.Name(name, ast.Store()), value)

    def _rule_Tuple(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        # `x[:, i]` has slices, `x[(:, i), j]` is no program: only the tuple that is the subscript may hold them.
        inside = AXIS if flags & SLICE else STAR
        return ast.Tuple((yield from self.counted(payload, sub(want, "elts"), inside)), ast.Load())

    def _rule_List(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        return ast.List((yield from self.counted(payload, sub(want, "elts"))), ast.Load())

    def _rule_Set(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        return ast.Set((yield from self.counted(payload, sub(want, "elts"))))

    def _rule_Dict(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        keys: list[Any] = []
        values: list[Any] = []
        while payload == "*":
            flags = END | SPREAD
            wanted = None
            key: Any
            if want is not None and len(keys) == len(want.keys):
                yield self._end_position(flags), self.vocabulary.end
                break
            if want is not None and (wanted := want.keys[len(keys)]) is None:
                yield self._end_position(flags), self.token("DictSpread")
                key = "DictSpread"
            else:
                key = yield from self.expression(wanted, flags)
            if key is None:
                break
            keys.append(None if key == "DictSpread" else key)
            values.append((yield from self.expression(at(sub(want, "values"), len(values)))))
        return ast.Dict(keys, values)

    # -- calls, attributes, subscripts

    def _call(self, function: Any, shape: str, want: Any) -> Steps[ast.expr]:
        arguments = yield from self.counted(shape.rstrip("k"), sub(want, "args"))
        keywords = (yield from self._keywords(sub(want, "keywords"))) if shape.endswith("k") else []
        return ast.Call(function, arguments, keywords)

    def _rule_Call(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        function = yield from self.expression(sub(want, "func"))
        return (yield from self._call(function, payload, want))

    def _rule_call(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        chain, _, shape = payload.rpartition("/")
        self.scope.read(root_of(chain))
        return (yield from self._call(closed_expression(chain), shape, want))

    def _rule_method(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        name, _, shape = payload.rpartition("/")
        value = yield from self.expression(sub(sub(want, "func"), "value"))
        return (yield from self._call(ast.Attribute(value, name, ast.Load()), shape, want))

    def _keywords(self, wants: Any) -> Steps[list[ast.keyword]]:
        vocabulary = self.vocabulary
        row = vocabulary.row("kw", "<end>").copy()
        found: list[ast.keyword] = []
        used: set[str] = set()
        while True:
            wanted, name = None, None
            if wants is not None:
                if len(found) == len(wants):
                    wanted = vocabulary.end
                else:
                    name = wants[len(found)].arg
                    wanted = self.token("kw:**") if name is None else self.first_of(f"kw:{name}", "kw")
            token = yield Position(row, NO_NAMES, 1, 1), wanted
            if token == vocabulary.end:
                return found
            name = yield from self._keyword_name(token, name, used)
            if name is not None:
                used.add(name)
                if (taken := vocabulary.ids.get(f"kw:{name}")) is not None:
                    row[taken] = False
            found.append(ast.keyword(name, (yield from self.expression(sub(at(wants, len(found)), "value")))))

    def _keyword_name(self, token: int, want: str | None, used: set[str]) -> Steps[str | None]:
        payload = self.vocabulary.payloads[token]
        if payload == "**":
            return None
        return payload or (yield from self.identifier(want, used))

    def _rule_Attribute(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        name = payload or (yield from self.identifier(sub(want, "attr")))
        return ast.Attribute((yield from self.expression(sub(want, "value"))), name, ast.Load())

    def _rule_Subscript(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        value = yield from self.expression(sub(want, "value"))
        return ast.Subscript(value, (yield from self.expression(sub(want, "slice"), SLICE)), ast.Load())

    def _rule_Slice(self, payload: str, want: Any, flags: int) -> Steps[Any]:
        parts: list[Any] = []
        for letter, field in zip(payload, ("lower", "upper", "step")):
            parts.append(None if letter == "-" else (yield from self.expression(sub(want, field))))
        return ast.Slice(*parts)

    def _rule_Starred(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        return ast.Starred((yield from self.expression(sub(want, "value"))), ast.Load())


@cache
def _parsed(text: str) -> tuple[str, Any]:
    """A payload as data: ("value", constant), ("minus", constant), ("chain", names) or ("tree", source)."""
    node = ast.parse(text, mode="eval").body
    if isinstance(node, ast.Constant):
        return "value", node.value
    if isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
        return "minus", node.operand.value
    chain = dotted_chain(node)
    return ("tree", text) if chain is None else ("chain", chain.split("."))


def closed_expression(text: str) -> Any:
    """A fresh tree of a literal, a dotted name or another fused payload."""
    form, data = _parsed(text)
    if form == "value":
        return ast.Constant(data)
    if form == "minus":
        return ast.UnaryOp(ast.USub(), ast.Constant(data))
    if form == "tree":
        return ast.parse(data, mode="eval").body
    node: Any = ast.Name(data[0], ast.Load())
    for attribute in data[1:]:
        node = ast.Attribute(node, attribute, ast.Load())
    return node
