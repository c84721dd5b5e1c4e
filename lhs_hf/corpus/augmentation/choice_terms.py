"""Numbers about an alternative that is chosen among others, by the roles of the arguments: what may be terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from ...tasks.roles import OPTION, is_number, is_whole
from .board_terms import of_boards, of_counts
from .edge_terms import of_edges
from .facets import NUMBERS, Facets
from .link_terms import of_links, of_nested
from .lookup_terms import of_crossings, of_lookups
from .pair_terms import by_pairs, of_relations
from .point_terms import of_points, of_points_inside
from .record_terms import of_records
from .relation_terms import entry, of_features, of_listed, of_members, of_neighbours, of_twins, of_visits
from .table_terms import of_tables
from .text_terms import of_letters, of_texts

_OCCURS = 0.2


def of_choice(known: Facets) -> Iterator[str]:
    """Everything that may be a term about a listed alternative, those that say least first.

    A source is asked only when those before it have said all: whoever has enough terms asks no further.
    """
    return chain.from_iterable(source(known) for source in _SOURCES)


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


def _values(known: Facets) -> Iterator[str]:
    """What an alternative is, where that is an amount."""
    yield from (known.whole(key) for key in known.keys if not known.is_id(key))


def _ids(known: Facets) -> Iterator[str]:
    """What it is, where that is a place or a key: the last that is worth saying."""
    yield from (known.whole(key) for key in known.keys if known.is_id(key))


def _numbers(known: Facets) -> Iterator[str]:
    """Entries of lists and dictionaries of numbers."""
    for name in known.of(*NUMBERS):
        whole = [OPTION] if known.fields and known.kinds[name] == "mapping" else []
        yield from (entry(known, name, key) for key in known.places_in(name, [*whole, *known.keys]))
        yield from by_pairs(known, name)


def _occurring(known: Facets) -> Iterator[str]:
    """How often an alternative is on each list."""
    for name in (each for each in known.of("vector", "ids", "names") if each != known.listing):
        yield from (term for key in known.keys for term in occurrences(known, name, key))


def _groups(known: Facets) -> Iterator[str]:
    """What an alternative that is a group itself comes to, by its members."""
    if known.keys != (OPTION,) or isinstance(known.situations[0].options[0][OPTION], str):
        return
    yield from ("len({x})", "sum({x})", "max({x})", "min({x})", "{x}[0]", "{x}[-1]")
    yield from (f"len(set({{x}}) & set({others}))" for others in known.lists)
    yield from (f"sum({known.at(name, 'k')} for k in {{x}})" for name in known.of(*NUMBERS))
    if known.listing is not None:
        yield f"sum(1 for other in {known.whole(known.listing)} if set(other) & set({{x}}))"


def _letters(known: Facets) -> Iterator[str]:
    for name in known.of("names"):
        yield from of_letters(known, name)


_SOURCES: tuple[Callable[[Facets], Iterator[str]], ...] = (
    _values,
    of_records,
    of_twins,
    of_points_inside,
    _numbers,
    of_relations,
    of_neighbours,
    of_members,
    of_visits,
    of_listed,
    of_features,
    lambda known: of_edges(known, known.keys),
    of_boards,
    of_counts,
    of_tables,
    of_points,
    of_lookups,
    of_crossings,
    of_links,
    of_nested,
    _occurring,
    _groups,
    _letters,
    of_texts,
    lambda known: of_edges(known, known.keys, listed=True),
    _ids,
)
"""In the order in which terms are taken."""
