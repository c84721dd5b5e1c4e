"""Comprehensions and f-strings."""

from __future__ import annotations

import ast
from typing import Any

from .binding import F_STRING, NO_WALRUS, BindingGrammar, at, sub
from .scope import Scope
from .spelling import F_STRING_TEXT, FORMAT_SPEC, NO_NAMES, Position, Steps

_CONVERSIONS = {"": -1, "!r": 114, "!s": 115, "!a": 97}


class ComprehensionGrammar(BindingGrammar):
    """Rules for comprehensions and f-strings."""

    # -- comprehensions

    def _comprehension(self, shape: str, want: Any) -> Steps[list[ast.comprehension]]:
        """The generators; leaves the comprehension's scope open for the element."""
        wants = sub(want, "generators")
        found: list[ast.comprehension] = []
        row = self.vocabulary.row("Comp", "<end>")
        step = "for"
        while True:
            wanted = at(wants, len(found) - (step != "for"))
            if step == "for":
                if wanted is not None and wanted.is_async:
                    raise self.unsupported("an asynchronous comprehension is not supported")
                before, self.context = self.context, self.context | NO_WALRUS
                iterable = yield from self.expression(sub(wanted, "iter"))
                self.context = before
                if not found:
                    self.scope = Scope("comprehension", self.names, self.vocabulary, self.scope)
                    self.enter_region()
                target = yield from self.target(sub(wanted, "target"), self.scope, plain=True)
                found.append(ast.comprehension(target, iterable, [], 0))
            else:
                found[-1].ifs.append((yield from self.expression(at(sub(wanted, "ifs"), len(found[-1].ifs)))))
            if shape != "*":
                if shape == "if" and step == "for":
                    step = "if"
                    continue
                return found
            token = None
            if wants is not None:
                more = len(found[-1].ifs) < len(wants[len(found) - 1].ifs)
                last = len(found) == len(wants)
                token = self.token("Comp:if" if more else "<end>" if last else "Comp:for")
            token = yield Position(row, NO_NAMES, 1, 1), token
            if token == self.vocabulary.end:
                return found
            step = self.vocabulary.payloads[token]

    def _leave_comprehension(self) -> None:
        self.leave_region()
        assert self.scope.parent is not None
        self.scope = self.scope.parent

    def _rule_element(self, kind: Any, shape: str, want: Any) -> Steps[ast.expr]:
        generators = yield from self._comprehension(shape, want)
        element = yield from self.expression(sub(want, "elt"))
        self._leave_comprehension()
        return kind(element, generators)

    def _rule_ListComp(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        return (yield from self._rule_element(ast.ListComp, payload, want))

    def _rule_SetComp(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        return (yield from self._rule_element(ast.SetComp, payload, want))

    def _rule_GeneratorExp(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        return (yield from self._rule_element(ast.GeneratorExp, payload, want))

    def _rule_DictComp(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        generators = yield from self._comprehension(payload, want)
        key = yield from self.expression(sub(want, "key"))
        value = yield from self.expression(sub(want, "value"))
        self._leave_comprehension()
        return ast.DictComp(key, value, generators)

    # -- f-strings

    def _rule_JoinedStr(self, payload: str, want: Any, flags: int) -> Steps[ast.expr]:
        vocabulary = self.vocabulary
        row = vocabulary.row("Text", "FormattedValue", "<end>")
        parts: list[Any] = []
        while True:
            wanted, part = None, None
            if want is not None:
                part = want.values[len(parts)] if len(parts) < len(want.values) else None
                wanted = vocabulary.end if part is None else self._wanted_part(part)
            after_text = bool(parts) and isinstance(parts[-1], ast.Constant)
            here = row & ~vocabulary.row("Text") if after_text else row
            token = yield Position(here, NO_NAMES, 1, 1), wanted
            if token == vocabulary.end:
                return ast.JoinedStr(parts)
            if vocabulary.kinds[token] == "Text":
                text = yield from self.text(sub(part, "value"), F_STRING_TEXT, empty=False)
                parts.append(ast.Constant(text))
                continue
            shape = vocabulary.payloads[token]
            before, self.context = self.context, self.context | F_STRING
            value = yield from self.expression(sub(part, "value"))
            self.context = before
            spec = None
            if shape == "spec":
                wanted_text = None if part is None else part.format_spec.values[0].value
                spec = ast.JoinedStr([ast.Constant((yield from self.text(wanted_text, FORMAT_SPEC, empty=False)))])
            parts.append(ast.FormattedValue(value, _CONVERSIONS.get(shape, -1), spec))

    def _wanted_part(self, part: Any) -> int:
        if isinstance(part, ast.Constant):
            return self.token("Text")
        if part.format_spec is None:
            shape = {code: shape for shape, code in _CONVERSIONS.items()}[part.conversion]
            return self.token(f"FormattedValue:{shape}" if shape else "FormattedValue")
        inside = part.format_spec.values
        if part.conversion != -1 or len(inside) != 1 or not isinstance(inside[0], ast.Constant):
            raise self.unsupported("an f-string with this format is not supported")
        return self.token("FormattedValue:spec")
