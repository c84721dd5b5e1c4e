"""Numbers about a cell of a board: what is around it, how far others are; about a kind of cells: how many there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product
from typing import Any

from ...tasks.roles import entries, is_whole, shape
from .facets import Facets

_ROW, _COLUMN = "part_0", "part_1"
_FEW_KINDS = 12
_MOSTLY = 0.8


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


def of_counts(known: Facets) -> Iterator[str]:
    """How often a value stands in a board of a few kinds, and in some of its cells."""
    for board, key in product(known.of("table", "other"), known.keys):
        if board in known.columns or not _is_board_of(known, board, key) or are_cells(known, board):
            continue
        whole, own = known.whole(board), known.whole(key)
        yield f"sum(1 for j in {whole} for k in j if k == {own})"
        for name in known.of("table"):
            if name != board and are_cells(known, name) and _lie_in(known.values(name), known.values(board)):
                yield f"sum(1 for j in {known.whole(name)} if {whole}[j[0]][j[1]] == {own})"


def _is_board_of(known: Facets, board: str, key: str) -> bool:
    """Whether an argument has rows of a few kinds of things, and a value is nearly always one of them."""
    boards = known.values(board)
    rows = [[list(row) for row in entries(value)] for value in boards if _has_rows(value)]
    if len(rows) < len(boards) or not all(map(_is_rectangle, rows)):
        return False
    if not all(is_whole(one) or isinstance(one, str) for each in rows for row in each for one in row):
        return False
    held = [set(chain.from_iterable(each)) for each in rows]
    if max(map(len, held)) > _FEW_KINDS:
        return False
    pairs = [(option.get(key), kinds) for each, kinds in zip(known.situations, held) for option in each.options]
    if sum(value in kinds for value, kinds in pairs) < _MOSTLY * len(pairs):
        return False
    # As many numbers as there are rows or columns are places of these.
    highest = max((int(value) for value, _ in pairs if value is not None and is_whole(value)), default=-1)
    return all(highest + 1 not in shape(value) for value in boards)


def _has_rows(value: Any) -> bool:
    return _is_collection(value) and all(map(_is_collection, entries(value)))


def _is_collection(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, (str, bytes))


def _is_rectangle(rows: Sequence[Sequence[Any]]) -> bool:
    return len(rows) > 1 and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1


def _lie_in(cells: Sequence[Any], boards: Sequence[Any]) -> bool:
    """Whether pairs of whole numbers are cells of boards."""
    return all(
        0 <= row < shape(board)[0] and 0 <= column < shape(board)[1]
        for some, board in zip(cells, boards)
        for row, column in entries(some)
    )
