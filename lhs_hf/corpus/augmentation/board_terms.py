"""Numbers about a cell of a board that is chosen among others: what is around it, how far it is from other cells."""

from __future__ import annotations

from collections.abc import Iterator

from ...tasks.roles import entries, is_whole, shape
from .facets import Facets

_ROW, _COLUMN = "part_0", "part_1"


def of_boards(known: Facets) -> Iterator[str]:
    """Terms about an alternative that is a row and a column; nothing for others."""
    rows, columns = (known.indexed.get(part, "") for part in (_ROW, _COLUMN))
    if not rows or columns not in (rows, f"{rows}[0]"):
        return
    for name in known.of("table"):
        whole = known.whole(name)
        if all(shape(value) == shape(board) for value, board in zip(known.values(name), known.values(rows))):
            near = (
                f"for j in range(max(0, {{{_ROW}}} - 1), min(len({whole}), {{{_ROW}}} + 2)) "
                f"for k in range(max(0, {{{_COLUMN}}} - 1), min(len({whole}[0]), {{{_COLUMN}}} + 2))"
            )
            yield f"{whole}[{{{_ROW}}}][{{{_COLUMN}}}]"
            yield f"sum({whole}[j][k] {near})"
            yield f"max({whole}[j][k] {near})"
        elif are_cells(known, name):
            down, across = f"abs(k[0] - {{{_ROW}}})", f"abs(k[1] - {{{_COLUMN}}})"
            yield f"sum(1 for k in {whole} if k[0] == {{{_ROW}}})"
            yield f"sum(1 for k in {whole} if k[1] == {{{_COLUMN}}})"
            yield f"sum(1 for k in {whole} if max({down}, {across}) < 2)"
            yield f"sum(1 for k in {whole} if {across} < 2)"
            yield f"sum(1 for k in {whole} if {down} < 2)"
            yield f"min(({down} + {across} for k in {whole}), default=0)"
            yield f"sum(1 / (1 + {down} + {across}) for k in {whole})"


def are_cells(known: Facets, name: str) -> bool:
    """Whether an argument lists pairs of whole numbers."""
    rows = [list(row) for value in known.values(name) for row in entries(value)]
    return bool(rows) and all(len(row) == 2 and all(map(is_whole, row)) for row in rows)
