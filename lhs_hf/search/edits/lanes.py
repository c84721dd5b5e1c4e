"""More lanes: rows of numbers of one length get more entries, at all places at once."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ...programs import parse
from ...tasks.base import Task
from .parents import Parent, Proposal

_FACTORS = (1.5, 2.0, 2.0, 3.0)
_FEWEST, _MOST = 3, 64
_SPREAD = 0.5
"""Step of a new entry from the one that it is made from, in standard deviations of its row."""

Row = ast.List | ast.Tuple


class Lanes:
    """Rows of numbers that belong together grow, and whatever counts their entries with them.

    A program that tries several parameters side by side holds them in rows of one length and repeats that length
    elsewhere: `np.array([0.2, 0.4, 0.6])`, `np.repeat(places, 3)`, `best // 3`. No edit of one place gives it more
    lanes. A new lane has, in each row, a value close to that of one of the old lanes.
    """

    name = "lanes"

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A program of longer rows; None if it has no row of at least 3 numbers."""
        tree, groups = _rows(parent.source)
        if not groups:
            return None
        length = sorted(groups)[int(generator.integers(len(groups)))]
        rows = groups[length]
        longer = min(_MOST, round(length * _FACTORS[int(generator.integers(len(_FACTORS)))]))
        if longer <= length:
            return None
        copied = generator.integers(length, size=longer - length)
        edits: dict[ast.expr, str] = {row: _row(row, _longer(row, copied, generator)) for row in rows}
        inside = {id(node) for row in rows for node in ast.walk(row)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and type(node.value) is int and id(node) not in inside:
                edits |= {node: str(longer)} if node.value == length else {}
        change = f"{len(rows)} rows of {length} to {longer}"
        return Proposal(_replaced(parent.source, edits), self.name, (parent.hash,), (change,), parent.family)


@lru_cache(maxsize=64)
def _rows(source: str) -> tuple[ast.Module, dict[int, list[Row]]]:
    """A program and its rows of numbers by length. Most programs have none, and are asked again and again."""
    groups: dict[int, list[Row]] = {}
    tree = parse(source)
    for node in ast.walk(tree):
        if isinstance(node, Row) and len(node.elts) >= _FEWEST and all(map(_is_number, node.elts)):
            groups.setdefault(len(node.elts), []).append(node)
    return tree, groups


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _longer(row: Row, copied: np.ndarray, generator: np.random.Generator) -> list[int | float]:
    """The values of a row and new ones: whole numbers as they are copied, others a step away."""
    values = [ast.literal_eval(each) for each in row.elts]
    reach = _SPREAD * float(np.std(np.asarray(values, dtype=np.float64)))
    steps = reach * generator.standard_normal(len(copied))
    whole = all(isinstance(value, int) for value in values)
    new = [values[place] if whole else float(f"{values[place] + step:.3g}") for place, step in zip(copied, steps)]
    return [*values, *new]


def _row(row: Row, values: Sequence[int | float]) -> str:
    opening, closing = "[]" if isinstance(row, ast.List) else "()"
    return opening + ", ".join(map(repr, values)) + closing


def _replaced(source: str, edits: dict[ast.expr, str]) -> str:
    """The text with other expressions. Columns of a syntax tree count bytes."""
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    starts = np.concatenate([[0], np.cumsum([len(line) for line in lines])])
    text = b"".join(lines)
    for node in sorted(edits, key=lambda each: (each.lineno, each.col_offset), reverse=True):
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        text = text[:first] + edits[node].encode() + text[last:]
    return text.decode()
