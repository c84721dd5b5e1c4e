"""Numbers about an alternative that a program sees alone, one a call, by the roles of the arguments."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from .choice_terms import occurrences
from .edge_terms import of_edges
from .facets import NUMBERS, Facets
from .lookup_terms import of_records_between
from .pair_terms import between
from .point_terms import COORDINATES, alone, apart, point_width
from .relation_terms import entry, of_relations_alone


def of_priority(known: Facets) -> Iterator[str]:
    """Everything that may be a term of a program that sees one alternative a call."""
    arguments = [name for name in known.arguments if name not in known.columns]
    names = [known.whole(name) for name in arguments]
    yield from (known.whole(name) for name in arguments if not known.is_id(name))
    yield from between(known, known.places)
    yield from of_records_between(known, known.places)
    yield from of_relations_alone(known)
    yield from of_edges(known, known.of("scalar", "name"))
    for name in arguments:
        word, empty = known.whole(name), _may_be_empty(known, name)
        yield from (f"{function}({word})" for function in ("len", "sum"))
        yield from (f"{function}({word}{', default=0' if empty else ''})" for function in ("max", "min"))
        yield from ((f"({word}[{place}] if len({word}) else 0)" if empty else f"{word}[{place}]") for place in (0, -1))
        if not empty:
            yield f"{word}[1]"
        yield f"sum(sorted({word})[-3:])"
    for one, two in permutations(known.arguments, 2):
        if two in arguments and known.places_in(one, [two]):
            yield entry(known, one, two)
        if one not in arguments or two not in arguments:
            continue
        yield from occurrences(known, one, two)
        if any(hasattr(value, "__len__") and len(value) > 2 for value in known.values(one)):
            # The place of a number among others.
            yield f"sum(1 for a in {known.whole(one)} if a > {known.whole(two)})"
            yield f"max((a for a in {known.whole(one)} if a <= {known.whole(two)}), default=0)"
    yield from _points(known)
    yield from _of_listed(known)
    for one, two in combinations(names, 2):
        yield f"sum(abs(a - b) for a, b in zip({one}, {two}))"
        yield f"sum((a - b) ** 2 for a, b in zip({one}, {two}))"
        yield f"sum(a * b for a, b in zip({one}, {two}))"
        yield f"max((a * b for a, b in zip({one}, {two})), default=0)"
        yield f"max((a + b for a, b in zip({one}, {two})), default=0)"
        yield f"len(set({one}) & set({two}))"
    for one, two in permutations(names, 2):
        yield f"sum(a / (1 + abs(b)) for a, b in zip({one}, {two}))"
    yield from (known.whole(name) for name in arguments if known.is_id(name))


def _of_listed(known: Facets) -> Iterator[str]:
    """What the things on a list of ids come to: the links of a route, the parts of a kit."""
    for listed in known.of("ids"):
        for name in (each for each in known.of(*NUMBERS, "links", "table") if each not in known.columns):
            if listed == name or not known.lists_places(listed, name):
                continue
            own = known.at(name, "k") if known.kinds[name] in NUMBERS else f"len({known.at(name, 'k')})"
            yield f"sum({own} for k in {known.whole(listed)})"
            yield from (f"{function}(({own} for k in {known.whole(listed)}), default=0)" for function in ("min", "max"))


def _points(known: Facets) -> Iterator[str]:
    """How far points are apart: short lists of numbers, rows of tables, fields of two records."""
    widths = {name: {len(value) for value in known.values(name)} for name in known.of("vector", "ids")}
    for one, two in combinations(widths, 2):
        if widths[one] == widths[two] and widths[one] in ({2}, {COORDINATES}):
            yield from apart(known.whole(one), known.whole(two), *widths[one])
    for name, width in [(each, point_width(known, each)) for each in known.of("table")]:
        if not width:
            continue
        places = [known.at(name, known.whole(each)) for each in known.places_in(name, known.places)]
        yield from (term for one, two in combinations(places, 2) for term in apart(one, two, width))
    for one, two in combinations([name for name in known.arguments if name not in known.spellings], 2):
        shared = [
            (known.whole(each), known.whole(other))
            for each in known.of("scalar")
            if each.startswith((f"{one}[", f"{one}."))
            for other in [f"{two}{each.removeprefix(one)}"]
            if other in known.arguments
        ][:COORDINATES]
        for (a, b), (c, d) in combinations(shared, 2):
            yield f"abs(complex({a} - {b}, {c} - {d}))"
    yield from (one.to(two) for one, two in combinations(alone(known), 2) if one.width == two.width)


def _may_be_empty(known: Facets, name: str) -> bool:
    """Whether an argument is a list that has no entry in some situation."""
    values = [option[name] for situation in known.situations for option in situation.options]
    return any(hasattr(value, "__len__") and len(value) == 0 for value in values)
