"""Numbers in a program: where they stand, what kind they are, and steps away from their values.

Found with the standard library's parser and replaced in the text, so that everything else stays as it is written.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal as OneOf

import numpy as np

from ...programs import parse

Value = bool | int | float
Kind = OneOf["number", "size", "flag"]

LARGEST, SMALLEST = 1e6, 1e-6
"""Numbers beyond these stand for infinity, or keep a division from zero: they are no parameters."""

_SIZE_WORD = re.compile(
    r"(^|_)(k|n|top|count|tries|trials|lanes|samples|beams?|width|depth|limit|most|rounds|steps|size|horizon|keep|kept"
    r"|rollouts?|candidates|neighbou?rs|iterations|passes|repeats|budget|starts|branches)(_|$)",
    re.IGNORECASE,
)
_COUNTING = frozenset(["range", "islice", "arange", "min", "max", "nsmallest", "nlargest", "linspace"])


@dataclass(frozen=True)
class Literal:
    """One number of a program text: `source[start:stop]`, in characters.

    `kind`: "size" for a whole number that says how many (rounds of a loop, candidates of a slice), "flag" for True,
    False and the whole numbers 0 and 1, "number" for all others.
    """

    start: int
    stop: int
    value: Value
    kind: Kind
    line: int


@lru_cache(maxsize=64)
def literals(source: str) -> tuple[Literal, ...]:
    """The numbers of a program that can be changed, in source order; signs stand outside of them.

    Left out are positions in a sequence (`x[0]`), numbers inside f-strings, and those beyond `LARGEST` and `SMALLEST`.
    Raises `ProgramError` if the text is no program.
    """
    lines = source.splitlines(keepends=True)
    starts = np.concatenate([[0], np.cumsum([len(line) for line in lines])])
    numbers = []
    for node, parents in _constants(parse(source), ()):
        value = node.value
        if not isinstance(value, (bool, int, float)) or _is_place(node, parents):
            continue
        if not isinstance(value, bool) and value != 0 and not SMALLEST <= value < LARGEST:
            continue
        row = node.lineno - 1
        first, last = (_characters(lines[row], offset) for offset in (node.col_offset, node.end_col_offset or 0))
        start, stop = int(starts[row]) + first, int(starts[row]) + last
        if node.end_lineno == node.lineno and _reads(source[start:stop], value):
            numbers.append(Literal(start, stop, value, _kind(node, parents), node.lineno))
    return tuple(sorted(numbers, key=lambda literal: literal.start))


def _constants(node: ast.AST, parents: tuple[ast.AST, ...]) -> Iterator[tuple[ast.Constant, tuple[ast.AST, ...]]]:
    if isinstance(node, ast.Constant):
        yield node, parents
    elif not isinstance(node, ast.JoinedStr):  # no positions inside of f-strings before Python 3.12
        for child in ast.iter_child_nodes(node):
            yield from _constants(child, (*parents, node))


def _characters(line: str, offset: int) -> int:
    """The parser counts bytes of UTF-8."""
    return offset if line.isascii() else len(line.encode()[:offset].decode(errors="ignore"))


def _reads(text: str, value: Value) -> bool:
    try:
        read = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return False
    return type(read) is type(value) and read == value


def _is_place(node: ast.Constant, parents: tuple[ast.AST, ...]) -> bool:
    """Whether a number is a position: `x[0]`, `x[-1]`, `x[1, 2]`."""
    inner: ast.AST = node
    for parent in reversed(parents):
        if isinstance(parent, (ast.UnaryOp, ast.Tuple)):
            inner = parent
            continue
        return isinstance(parent, ast.Subscript) and parent.slice is inner
    return False


def _kind(node: ast.Constant, parents: tuple[ast.AST, ...]) -> Kind:
    value = node.value
    if isinstance(value, float):
        return "number"
    if not isinstance(value, bool) and value != 0 and _counts(node, parents):
        return "size"
    return "flag" if value in (0, 1) else "number"


def _counts(node: ast.Constant, parents: tuple[ast.AST, ...]) -> bool:
    """Whether a whole number says how many."""
    parent = parents[-1] if parents else None
    if isinstance(parent, ast.Slice):
        return parent.upper is node
    if isinstance(parent, ast.Call):
        called = parent.func.attr if isinstance(parent.func, ast.Attribute) else getattr(parent.func, "id", "")
        return called in _COUNTING
    if isinstance(parent, ast.keyword):
        return _SIZE_WORD.search(parent.arg or "") is not None
    if isinstance(parent, ast.Assign):
        return any(isinstance(each, ast.Name) and _SIZE_WORD.search(each.id) for each in parent.targets)
    if isinstance(parent, ast.arguments):
        named = [*parent.posonlyargs, *parent.args]
        defaults = dict(zip(map(id, reversed(parent.defaults)), reversed(named)))
        own = defaults.get(id(node))
        return own is not None and _SIZE_WORD.search(own.arg) is not None
    return False


def replaced(source: str, values: Mapping[Literal, Value]) -> str:
    """The program with some of its literals set to other values."""
    text = source
    for literal in sorted(values, key=lambda each: -each.start):
        text = text[: literal.start] + written(values[literal]) + text[literal.stop :]
    return text


def written(value: Value) -> str:
    """A number as it stands in a program: in parentheses if negative, so that it fits behind any operator."""
    text = repr(value)
    return f"({text})" if text.startswith("-") else text


def change(literal: Literal, value: Value) -> str:
    """What a change of a literal reads like in a list of changes."""
    return f"line {literal.line}: {literal.value!r} -> {value!r}"


def rounded(value: float, digits: int = 3) -> float:
    """A number of few digits, as a person would write it."""
    return float(f"{value:.{digits}g}")


_SPREADS = (0.1, 0.3, 0.7)
_FACTORS = (0.5, 0.67, 1.34, 1.5, 2.0, 3.0)


def step(literal: Literal, generator: np.random.Generator) -> Value:
    """Another value of a literal's own type.

    Flags flip. Sizes are multiplied by up to three. Numbers are multiplied by a factor around one, of three spreads;
    one in five takes a step of about its own size up or down instead. Whole numbers move by one at least.
    """
    value = literal.value
    if isinstance(value, bool):
        return not value
    if literal.kind == "flag":
        return 1 - int(value) if generator.random() < 0.7 else 2
    if literal.kind == "size":
        return _whole(int(value), value * _FACTORS[int(generator.integers(len(_FACTORS)))], generator)
    if isinstance(value, int):
        return _whole(value, value * float(np.exp(generator.normal(0.0, 0.4))), generator)
    return _scaled(value, generator)


def _scaled(value: float, generator: np.random.Generator) -> float:
    if value == 0:
        return rounded(float(generator.normal(0.0, 0.3)), 2)
    if generator.random() < 0.2:
        return rounded(value + (1 if generator.random() < 0.5 else -1) * value * float(generator.uniform(0.5, 1.5)), 2)
    return rounded(value * float(np.exp(generator.normal(0.0, _SPREADS[int(generator.integers(len(_SPREADS)))]))))


def _whole(value: int, aim: float, generator: np.random.Generator) -> int:
    new = max(1, round(aim))
    return new if new != value else value + (1 if value == 1 or generator.random() < 0.5 else -1)


def far_values(literal: Literal) -> tuple[Value, ...]:
    """Values well away on both sides: if none of them changes a decision, the literal hardly matters."""
    value = literal.value
    if isinstance(value, bool):
        return (not value,)
    if isinstance(value, int):
        return (1 - value, 2) if value in (0, 1) else (value * 2, max(1, value // 2))
    return (rounded(value * 1.7), rounded(value * 0.55)) if value else (0.3, -0.3)
