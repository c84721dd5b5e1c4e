"""Numbers about rows and columns of a table: entries, sums, what they come to beside numbers of their own length."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

from ...tasks.roles import entries, shape
from .edge_terms import is_edge_list
from .facets import Facets
from .link_terms import to_members
from .lookup_terms import of_history, repeats
from .point_terms import point_width

_NARROW = 4
_SOMETIMES = 0.1
_ROW_BESIDE = (
    "sum(a * b for a, b in zip({0}, {1}))",
    "max(a + b for a, b in zip({0}, {1}))",
    "sum(abs(a - b) for a, b in zip({0}, {1}))",
    "sum((a - b) ** 2 for a, b in zip({0}, {1}))",
    "sum(a for a, b in zip({0}, {1}) if b >= 0)",
    "sum(a / max(1e-09, b) for a, b in zip({0}, {1}))",
    "max(a / max(1e-09, b) for a, b in zip({0}, {1}))",
    "min(b - a for a, b in zip({0}, {1}))",
)
"""What a row of a table says beside numbers of its own length: capacities, prices, another point."""


def of_tables(known: Facets) -> Iterator[str]:
    """Entries and sums of rows and columns of each table that is no list of edges."""
    tables = [each for each in known.of("table") if each != known.paired]
    for name in (each for each in tables if not is_edge_list(known, each, known.keys)):
        yield from _either(known, _of_table(known, name))


def _of_table(known: Facets, name: str) -> Iterator[str]:
    table = known.whole(name)
    keys = [key for key in known.places_in(name, known.keys) if not _is_column(known, name, key)]
    if point_width(known, name):
        # Where an end lies says something as a distance alone.
        keys = [key for key in keys if key not in known.ends]
    scalars = [known.whole(each) for each in known.places]
    ids = [known.whole(key) for key in known.keys if known.is_id(key)]
    widths = known.widths(name)
    missing = ", default=0" if 0 in widths else ""
    if widths and repeats(known, name):
        yield from (term for key in keys for term in of_history(known.at(name, known.whole(key))))
        return
    for key in keys:
        own, columns = known.at(name, known.whole(key)), _columns(known, name)
        if len(widths) > 1:  # stacks and queues
            yield f"len({own})"
            columns = (-1, 0)
        yield from (f"({own}[{place}] if len({own}) else 0)" if missing else f"{own}[{place}]" for place in columns)
        if columns == (0, 1):
            yield f"({own}[1] - {own}[0])"
    for key, place in product(ids, scalars):
        yield f"{known.at(name, place)}[{key}]"
        yield f"{known.at(name, key)}[{place}]"
    yield from (f"{known.at(name, one)}[{two}]" for one, two in permutations(ids, 2))
    if all(2 <= len(each) <= 3 for each in known.values(name)):
        # Two sides, or best and worst: a row each.
        for key in ids:
            yield from (f"{known.at(name, row)}[{key}]" for row in "01")
            yield f"({known.at(name, '0')}[{key}] - {known.at(name, '1')}[{key}])"
            yield f"min({known.at(name, '0')}[{key}], {known.at(name, '1')}[{key}])"
    for key in keys:
        own = known.at(name, known.whole(key))
        yield f"sum({own})"
        yield from (f"{function}({own}{missing})" for function in ("max", "min"))
        for others in known.lists:
            yield f"sum({own}[k] for k in {others})"
            yield f"min(({own}[k] for k in {others} if k != {known.whole(key)}), default=0)"
            yield f"max(({own}[k] for k in {others}), default=0)"
            yield f"sum({known.at(name, 'k')}[{known.whole(key)}] for k in {others})"
        for chosen, others in product(known.lists, [f"range(len({table}))", *known.lists]):
            if chosen != others:
                # What is left to the nearest of those that there would be.
                nearest = f"min({known.at(name, 'k')}[j] for j in (*{chosen}, {known.whole(key)})) for k in {others}"
                yield f"sum({nearest})"
                yield f"max({nearest})"
        for other in (each for each in known.of("vector") if _fits_a_row(known, each, name)):
            yield from (term.format(own, known.whole(other)) for term in _ROW_BESIDE)
    for key in known.places_in_rows(name, known.keys):
        column = f"[j[{known.whole(key)}] for j in {table}]"
        yield from (f"{function}(j[{known.whole(key)}] for j in {table})" for function in ("sum", "max", "min"))
        for other in (each for each in known.of("vector") if _fits_a_column(known, each, name)):
            yield from (term.format(column, known.whole(other)) for term in _ROW_BESIDE)
    yield from to_members(known, name)


def _is_column(known: Facets, table: str, key: str) -> bool:
    """Whether a value is the place of a column alone: rows have an entry for each, and are fewer at times."""
    for vector in known.places_in(table, [key]) and known.of("vector"):
        if key in known.places_in(vector, [key]):
            sizes = [(len(one), shape(two)) for one, two in zip(known.values(vector), known.values(table))]
            fewer = sum(size > rows[0] for size, rows in sizes)
            if fewer > _SOMETIMES * len(sizes) and all(size == rows[-1] for size, rows in sizes if len(rows) > 1):
                return True
    return False


def _fits_a_row(known: Facets, vector: str, table: str) -> bool:
    """Whether numbers may stand beside those of a row: not so where there are always more of them."""
    pairs = zip(known.values(vector), known.values(table))
    return any(len(one) <= len(row) for one, two in pairs for row in entries(two)[:1])


def _fits_a_column(known: Facets, vector: str, table: str) -> bool:
    """Whether numbers may stand beside those of a column: not so where there are always more of them."""
    return any(len(one) <= len(two) for one, two in zip(known.values(vector), known.values(table)))


def _either(known: Facets, templates: Iterator[str]) -> Iterator[str]:
    """Templates; where part of an alternative is 0 or 1, first those that read one of two lists by it."""
    switches = [
        key
        for key in known.fields
        if {option[key] for situation in known.situations for option in situation.options} == {0, 1}
    ]
    pairs = [pair for pair in combinations(map(known.whole, known.of("ids")), 2) if switches]
    every = list(templates)
    for template, (one, two) in product(every, pairs):
        if one in template and two not in template:
            yield from (f"({template.replace(one, two)} if {known.whole(key)} else {template})" for key in switches)
    yield from every


def _columns(known: Facets, name: str) -> tuple[int, ...]:
    """Places in the rows of a table: all of narrow rows, the ends of others that are not square."""
    shapes = {shape(value) for value in known.values(name)}
    widths = {each[1] for each in shapes if len(each) == 2}
    if len(widths) == 1 and max(widths) <= _NARROW:
        return tuple(range(max(widths)))
    return () if all(len(set(each)) == 1 for each in shapes) else (0, -1)
