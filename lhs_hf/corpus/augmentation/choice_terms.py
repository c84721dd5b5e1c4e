"""Numbers about an alternative that is chosen among others, by the roles of the arguments: what may be terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, combinations, permutations, product
from typing import Any

import numpy as np

from ...tasks.roles import OPTION, entries, is_by_pairs, is_number, is_whole, shape
from .board_terms import of_boards, of_counts
from .edge_terms import is_edge_list, of_edges
from .facets import Facets
from .lookup_terms import of_crossings, of_history, of_lookups, of_stacks, repeats
from .measuring import evaluated
from .point_terms import COORDINATES, of_points, of_points_inside, point_width, twins
from .relation_terms import entry, of_features, of_listed, of_members, of_neighbours, of_twins, of_visits
from .text_terms import of_letters, of_texts

_NARROW = 4
_OCCURS = 0.2
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


def of_choice(known: Facets) -> Iterator[str]:
    """Everything that may be a term about a listed alternative, those that say least first."""
    yield from (known.whole(key) for key in known.keys if not known.is_id(key))
    lists = [known.whole(name) for name in known.of("ids")]
    numbers = known.of("vector", "mapping")
    yield from _of_records(known)
    yield from of_twins(known)
    yield from of_points_inside(known)
    for name in numbers:
        whole = [OPTION] if known.fields and known.kinds[name] == "mapping" else []
        yield from (entry(known, name, key) for key in known.places_in(name, [*whole, *known.keys]))
        yield from _by_pairs(known, name)
    for name in known.of("other"):
        yield from _relations(known, name)
    yield from of_neighbours(known, numbers)
    yield from of_members(known)
    yield from of_visits(known)
    yield from of_listed(known)
    yield from of_features(known, [known.whole(name) for name in known.of("ids", "names") if name != known.listing])
    yield from of_edges(known, known.keys, lists)
    yield from of_boards(known)
    yield from of_counts(known)
    tables = [each for each in known.of("table") if each != known.paired]
    for name in (each for each in tables if not is_edge_list(known, each, known.keys)):
        yield from _either(known, _of_table(known, name, lists))
    yield from of_points(known, lists)
    yield from of_lookups(known, lists)
    yield from of_crossings(known)
    for name, key in [(each, key) for each in known.of("links") for key in known.places_in(each, known.keys)]:
        own = entry(known, name, key, "()")
        yield from _of_links(known, own, lists, numbers)
        yield from of_stacks(own) if known.holds_numbers(name) else ()
    for name in known.of("other"):
        yield from _of_nested(known, name, lists)
    for name in (each for each in known.of("vector", "ids", "names") if each != known.listing):
        yield from (term for key in known.keys for term in occurrences(known, name, key))
    if known.keys == (OPTION,) and not isinstance(known.situations[0].options[0][OPTION], str):
        yield from ("len({x})", "sum({x})", "max({x})", "min({x})", "{x}[0]", "{x}[-1]")
        yield from (f"len(set({{x}}) & set({others}))" for others in lists)
        yield from (f"sum({known.at(name, 'k')} for k in {{x}})" for name in numbers)
        if known.listing is not None:
            yield f"sum(1 for other in {known.whole(known.listing)} if set(other) & set({{x}}))"
    for name in known.of("names"):
        yield from of_letters(known, name)
    yield from of_texts(known)
    yield from of_edges(known, known.keys, lists, listed=True)
    yield from (known.whole(key) for key in known.keys if known.is_id(key))


def occurrences(known: Facets, name: str, key: str) -> Iterator[str]:
    """How often a value was in a list, and when last; for lists of numbers that hold it now and then."""
    if known.kinds[name] not in ("vector", "ids", "names") or _is_indexed(known, name, key):
        return
    if name in known.columns and _are_places(known, key):
        return
    pairs = [(option.get(key), option[name]) for situation in known.situations for option in situation.options]
    single = [(value, held) for value, held in pairs if is_number(value) or isinstance(value, str)]
    pairs = [(value, list(held)) for value, held in single if hasattr(held, "__len__")]
    if sum(value in held for value, held in pairs) > _OCCURS * len(pairs):
        yield f"sum(1 for k in {known.whole(name)} if k == {known.whole(key)})"
        if not any(isinstance(held, (set, frozenset)) for _, held in single):  # these are in no order
            yield f"max((j for j, k in enumerate({known.whole(name)}) if k == {known.whole(key)}), default=-1)"


def _is_indexed(known: Facets, name: str, key: str) -> bool:
    """Whether a value is a place in a list of a number for each place: then the list holds no such places."""
    values = [list(value) for value in known.values(name)]
    lengths, orders = {len(value) for value in values}, all(len(set(value)) == len(value) for value in values)
    return len(lengths) == 1 and not orders and bool(known.places_in(name, [key]))


def _are_places(known: Facets, key: str) -> bool:
    """Whether alternatives are all places from the first on: what records have in a field are no such numbers."""
    choices = [[option.get(key) for option in situation.options] for situation in known.situations]
    return all(all(map(is_whole, each)) and set(each) == set(range(len(set(each)))) for each in choices)


def between(known: Facets, names: Sequence[str]) -> Iterator[str]:
    """Entries that two of some values lead to: of dictionaries by pairs, of dictionaries of dictionaries, of tables."""
    for one, two in combinations(names, 2):
        yield from (term for name in known.of("mapping") for term in _of_pair(known, name, one, two))
    for one, two in permutations(names, 2):
        for name in known.of("other", "table"):
            if known.places_in(name, [one]):
                own = known.at(name, known.whole(one))
                yield from _within(known, own, known.whole(two))


def _of_records(known: Facets) -> Iterator[str]:
    """Fields of an alternative and of records beside it: how far they are apart."""
    columns = [name for name in known.columns if known.kinds[name] in ("vector", "mapping")]
    for parent in dict.fromkeys(known.columns[name] for name in columns):
        own = [name for name in columns if known.columns[name] == parent]
        for one, two in combinations(known.places_in(parent, known.keys), 2):
            yield from _apart_in_fields(
                [(known.at(each, known.whole(one)), known.at(each, known.whole(two))) for each in own]
            )
        for key, place in product(known.places_in(parent, known.keys), known.places):
            if known.places_in(parent, [place]):
                pairs = [(known.at(name, known.whole(key)), known.at(name, known.whole(place))) for name in own]
                yield from _apart_in_fields(pairs)
    fields = {each: known.whole(part) for part, each in zip(known.fields, known.accesses) if not known.is_id(part)}
    for name in known.arguments:
        if name not in known.spellings:
            beside = {each: f"{name}{each}" for each in fields if f"{name}{each}" in known.of("scalar")}
            numbers = {each: other for each, other in beside.items() if not _are_flags(known, other)}
            apart_by = {each: (fields[each], known.whole(other)) for each, other in numbers.items()}
            named = [each for one in apart_by for other in twins(one) if other in apart_by for each in (one, other)]
            yield from _apart_in_fields(
                [apart_by[each] for each in dict.fromkeys([*named, *apart_by])], 2 * bool(named)
            )


def _are_flags(known: Facets, name: str) -> bool:
    return all(isinstance(value, (bool, np.bool_)) for value in known.values(name))


def _apart_in_fields(pairs: Sequence[tuple[str, str]], coordinates: int = 0) -> Iterator[str]:
    """Differences field by field, and the distance where two fields are the coordinates of points.

    `coordinates`: how many of the first fields are some by name; 0 where names do not say.
    """
    together = list(combinations(pairs[: coordinates or COORDINATES], 2))
    yield from (f"abs(complex({a} - {b}, {c} - {d}))" for (a, b), (c, d) in together)
    yield from (f"abs({a} - {b})" for a, b in pairs)
    yield from (f"(abs({a} - {b}) + abs({c} - {d}))" for (a, b), (c, d) in together)


def _by_pairs(known: Facets, name: str) -> Iterator[str]:
    """Entries of a dictionary whose keys are pairs of values."""
    values = known.places
    yield from (term for key, place in product(known.keys, values) for term in _of_pair(known, name, place, key))
    yield from (term for one, two in combinations(known.keys, 2) for term in _of_pair(known, name, one, two))


def _of_pair(known: Facets, name: str, one: str, two: str) -> Iterator[str]:
    """Entries at a pair of values and at the pair turned around; one of the two where it is always there.

    Where pairs have the lesser end first, the entry at the two in order comes before these.
    """
    values = known.values(name)
    if not any(map(is_by_pairs, values)) or not all(is_by_pairs(value) or not value for value in values):
        return
    whole = known.whole(name)
    if _are_sorted(list(chain.from_iterable(values))):
        ends = ", ".join((known.whole(one), known.whole(two)))
        key = f"min({ends}), max({ends})"
        share = _share(known, f"({key}) in {whole}")
        yield from [f"{whole}[{key}]"] if share == 1 else [f"{whole}.get(({key}), 0)"] if share > _SOMETIMES else []
    keys = [f"{known.whole(first)}, {known.whole(second)}" for first, second in ((one, two), (two, one))]
    inside = [_share(known, f"({key}) in {whole}") for key in keys]
    yield from (f"{whole}[{key}]" for key, share in zip(keys, inside) if share == 1)
    if 1 not in inside:
        yield from (f"{whole}.get(({key}), 0)" for key, share in zip(keys, inside) if share > _SOMETIMES)


def _are_sorted(pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether the lesser of two ends comes first in all pairs."""
    try:
        return len(pairs) > 1 and all(one < two for one, two in pairs)
    except TypeError:
        return False


def _relations(known: Facets, name: str) -> Iterator[str]:
    """Entries of dictionaries in a dictionary or a list: from where one is to the alternative, and back."""
    if not all(isinstance(each, Mapping) or _lists_ties(each) for each in known.values(name)):
        return
    keys = known.places_in(name, known.keys)
    for key, place in product(keys, known.places_in(name, known.places)):
        yield from _within(known, known.at(name, known.whole(place)), known.whole(key))
        yield from _within(known, known.at(name, known.whole(key)), known.whole(place))
    for one, two in permutations(keys, 2):
        yield from _within(known, known.at(name, known.whole(one)), known.whole(two))


def _within(known: Facets, own: str, key: str) -> Iterator[str]:
    """The entry of a part of an argument; 0 where a dictionary has it only at times."""
    if _share(known, f"{own}[{key}] == {own}[{key}]") == 1:
        yield f"{own}[{key}]"
    elif _share(known, f"{key} in {own}.keys()") > _SOMETIMES:
        yield f"{own}.get({key}, 0)"


def _share(known: Facets, condition: str) -> float:
    """How often a condition is true, of all alternatives."""
    truths = [is_number(value) and bool(value) for row in evaluated(known, condition) for value in row]
    return sum(truths) / max(1, len(truths))


def _of_table(known: Facets, name: str, lists: Sequence[str]) -> Iterator[str]:
    """Entries and sums of rows and columns."""
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
        for others in lists:
            yield f"sum({own}[k] for k in {others})"
            yield f"min(({own}[k] for k in {others} if k != {known.whole(key)}), default=0)"
            yield f"max(({own}[k] for k in {others}), default=0)"
            yield f"sum({known.at(name, 'k')}[{known.whole(key)}] for k in {others})"
        for chosen, others in product(lists, [f"range(len({table}))", *lists]):
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
    yield from _to_members(known, name)


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


def _to_members(known: Facets, name: str) -> Iterator[str]:
    """What one is to all that an alternative has already: a group that it may join."""
    for members, key in [(each, key) for each in known.of("links") for key in known.places_in(each, known.keys)]:
        own = entry(known, members, key, "()")
        for place in known.places_in(name, known.places):
            row = known.at(name, known.whole(place))
            reading = f"{row}[k]" if known.kinds[name] == "table" else f"{row}.get(k, 0)"
            yield f"sum({reading} for k in {own})"
            yield f"max(({reading} for k in {own}), default=0)"


def _of_links(known: Facets, own: str, lists: Sequence[str], numbers: Sequence[str]) -> Iterator[str]:
    """The neighbours of an alternative: how many they are, what they come to."""
    yield f"len({own})"
    yield from (f"len(set({own}) & set({others}))" for others in lists)
    for other in numbers:
        yield f"sum({known.at(other, 'k')} for k in {own})"
        yield f"max(({known.at(other, 'k')} for k in {own}), default=0)"
    for other in known.of("mapping", "other"):
        if other not in known.columns and all(isinstance(each, Mapping) for each in known.values(other)):
            yield f"sum(1 for k in {own} if k in {known.whole(other)})"
            yield f"len(set({known.at(other, 'k')} for k in {own} if k in {known.whole(other)}))"
    yield from (f"sum(len({known.at(other, 'k')}) for k in {own})" for other in known.of("links"))


def _of_nested(known: Facets, name: str, lists: Sequence[str]) -> Iterator[str]:
    """Entries of arrays of three axes, and sums in dictionaries that a dictionary or a list has."""
    values = known.values(name)
    if all(isinstance(value, np.ndarray) and value.ndim == 3 for value in values):
        scalars = [each for each in known.of("scalar") if is_whole(known.values(each)[0])]
        for places in permutations((*known.keys, *scalars), 3):
            parts = [place for place in places if place in known.keys]
            if parts == sorted(parts, key=known.keys.index):  # a pair is rarely turned around
                yield f"{known.whole(name)}[{', '.join(map(known.whole, places))}]"
    inner = list(chain.from_iterable(value.values() for value in values if isinstance(value, Mapping)))
    mapped = bool(inner) and all(map(_is_mapping, (*values, *inner)))
    if not mapped and not all(map(_lists_ties, values)):
        return
    for key in known.places_in(name, known.keys):
        own = entry(known, name, key, "{{}}")
        yield f"len({own})"
        yield f"sum({own}.values())"
        yield f"max({own}.values(), default=0)"
        yield from (f"sum({own}.get(k, 0) for k in {others})" for others in lists)
        yield from (f"sum({own}.get(k, 0) for k in {known.whole(other)})" for other in known.of("mapping"))
    for place, other in product(known.places_in(name, known.of("scalar", "name")), known.of("mapping")):
        # What has been given to others, and what they are to this one.
        own, given = known.at(name, known.whole(place)), known.whole(other)
        yield from (
            f"sum({own}.get(k, 0) for k in {given} if {given}[k] == {known.whole(each)})" for each in known.keys
        )
        yield from (
            f"sum({own}.get(k, 0) / (1 + abs({given}[k] - {known.whole(each)})) for k in {given})"
            for each in known.keys
        )
    yield from _to_members(known, name)


def _lists_ties(value: Any) -> bool:
    """Whether a value is a list that has, for each of its places, numbers by other places: ties of a graph."""
    if not isinstance(value, (list, tuple)) or not value or not all(map(_is_mapping, value)):
        return False
    return any(value) and all(
        is_whole(key) and 0 <= key < len(value) and is_number(number) for row in value for key, number in row.items()
    )


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


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
