"""What tokens say: the payloads of each kind, read and written."""

from __future__ import annotations

import ast
import keyword
import re

from .tokens import SPECIAL, STRUCTURE

_NAME = r"[A-Za-z_][A-Za-z0-9_]*"
_FIXED_TOKENS = frozenset((*SPECIAL, *STRUCTURE, "<general>"))
_PROMPT_TOKEN = re.compile(r"<(task|class):[\w.-]{1,100}>")
# The payload of each learnt kind; its first group holds the identifiers in it.
_PAYLOADS = {
    "name": rf"({_NAME})",
    "Attribute": rf"({_NAME})",
    "kw": rf"({_NAME})",
    "dotted": rf"({_NAME}(?:\.{_NAME})+)",
    "call": rf"({_NAME}(?:\.{_NAME})*)/[0-6]k?",
    "method": rf"({_NAME})/[0-6]k?",
    "slot": r"()[0-9]{1,4}",
    "piece": r"()(?:[A-Za-z0-9_]{1,32}|[ -~])",
}


def well_formed(token: str) -> bool:
    """Whether the grammar can read a token: a fixed one, or a learnt one with a payload of its kind."""
    if token in _FIXED_TOKENS:
        return True
    if token.startswith("<"):
        return _PROMPT_TOKEN.fullmatch(token) is not None
    kind, _, payload = token.partition(":")
    pattern = _PAYLOADS.get(kind)
    if pattern is not None:
        found = re.fullmatch(pattern, payload)
        return found is not None and not any(map(keyword.iskeyword, re.findall(_NAME, found[1])))
    if kind not in ("const", "import", "whole"):
        return False
    try:
        [node] = ast.parse(payload).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    if kind == "import":
        return isinstance(node, ast.Import) or (isinstance(node, ast.ImportFrom) and plain_import(node))
    if not isinstance(node, ast.Expr):
        return False
    if kind == "const":
        return constant_text(node.value) is not None
    return isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Name)


def bound_by_import(source: str) -> list[str]:
    """The names an import statement binds."""
    node = ast.parse(source).body[0]
    assert isinstance(node, (ast.Import, ast.ImportFrom))
    return [alias.asname or alias.name.partition(".")[0] for alias in node.names]


def root_of(payload: str) -> str:
    """The name at the root of a fused payload: `np` of `np.linalg.norm/1`, `float` of `float('inf')`."""
    return re.split(r"[./(]", payload, maxsplit=1)[0]


def dotted_chain(node: ast.AST) -> str | None:
    """`np.linalg.norm` for a chain of attributes on a name, `len` for a name, None for anything else."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def call_shape(node: ast.Call) -> str:
    """`2` for two positional arguments, `2k` with keywords besides."""
    return f"{len(node.args)}{'k' if node.keywords else ''}"


def constant_text(node: ast.AST) -> str | None:
    """The payload of a literal, a minus sign included (`-1`); None for anything else."""
    if isinstance(node, ast.Constant):
        return ast.unparse(node)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = node.operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            return "-" + ast.unparse(inner)
    return None


def plain_import(node: ast.ImportFrom) -> bool:
    """Whether a `from` import is absolute, no future import, and names what it binds."""
    return not node.level and node.module != "__future__" and all(alias.name != "*" for alias in node.names)
