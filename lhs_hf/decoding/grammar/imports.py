"""Imports: frequent ones as one action, others spelled."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from .binding import BindingGrammar, sub
from .spelling import NO_NAMES, Position, Steps


class ImportGrammar(BindingGrammar):
    """Rules for `import` and `from ... import`."""

    def fused_import(self, source: str, out: list[ast.stmt]) -> None:
        """A whole import statement from the vocabulary, with the names it binds."""
        node = ast.parse(source).body[0]
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names:
            self._bind_import(alias.asname or alias.name.partition(".")[0], module=isinstance(node, ast.Import))
        out.append(_without_positions(node))

    def _bind_import(self, name: str, module: bool) -> None:
        self.names.register(name)
        self.scope.bind(name)
        if module:
            self.modules.add(name)

    def _do_Import(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        out.append(ast.Import((yield from self._aliases(sub(want, "names"), module=True))))

    def _do_ImportFrom(self, payload: str, want: Any, out: list[ast.stmt]) -> Steps[None]:
        if want is not None and (want.level or any(alias.name == "*" for alias in want.names)):
            raise self.unsupported("a relative or star import is not supported")
        module = yield from self.identifier(sub(want, "module"), dotted=True)
        out.append(ast.ImportFrom(module, (yield from self._aliases(sub(want, "names"), module=False)), 0))

    def _aliases(self, wants: Any, module: bool) -> Steps[list[ast.alias]]:
        found: list[ast.alias] = []
        while True:
            wanted, alias = None, None
            if wants is not None:
                alias = wants[len(found)] if len(found) < len(wants) else None
                wanted = self.token("<end>" if alias is None else "Alias:as" if alias.asname else "Alias")
            row = self._alias_row(first=not found)
            position = Position(row, NO_NAMES, 1, 1) if found else Position(row, NO_NAMES, 6, 1)
            token = yield position, wanted
            if token == self.vocabulary.end:
                return found
            renamed = bool(self.vocabulary.payloads[token])
            # Without `as`, the imported name itself is bound: it must not be one this scope has read from outside.
            taken = set() if renamed else {*self.scope.outer_reads, self.signature.function_name}
            name = yield from self.identifier(sub(alias, "name"), taken, dotted=module)
            bound = name.partition(".")[0]
            if renamed:
                bound = yield from self.bind_name(self.scope, sub(alias, "asname"))
            self._bind_import(bound, module)
            found.append(ast.alias(name, bound if renamed else None))

    def _alias_row(self, first: bool) -> np.ndarray:
        if first:
            return self.vocabulary.row("Alias")
        return self.vocabulary.row("Alias", "<end>") if self.names.free_slots >= 2 else self._end_row


def _without_positions(node: Any) -> Any:
    return (
        ast.ImportFrom(node.module, node.names, node.level)
        if isinstance(node, ast.ImportFrom)
        else ast.Import(node.names)
    )
