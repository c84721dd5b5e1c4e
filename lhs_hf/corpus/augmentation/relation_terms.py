"""What an alternative is to where one is and to what there is already: a neighbour, a member, a thing like another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import Any

from ...tasks.records import Field, place_field, record_fields
from ...tasks.roles import OPTION, is_number, is_whole
from .facets import NUMBERS, Facets
from .measuring import evaluated

_FAR = 0.6
_WIDEST = 8


def entry(known: Facets, name: str, key: str, missing: str = "0") -> str:
    """The entry of an argument at a key; of a dictionary that has not all of them with something in its place."""
    containers = [
        (option[name], option[key]) for situation in known.situations for option in situation.options if key in option
    ]
    mapped = name not in known.columns and all(isinstance(whole, Mapping) for whole, _ in containers)
    if mapped and any(own not in whole for whole, own in containers):
        return f"{known.whole(name)}.get({known.whole(key)}, {missing})"
    return known.at(name, known.whole(key))


def of_relations_alone(known: Facets) -> Iterator[str]:
    """The same of an alternative that is seen alone: what some arguments are to others."""
    arguments = [name for name in known.arguments if name not in known.spellings]
    for one, two in permutations(arguments, 2):
        yield from _parts_beside(known, one, two)
        if all(isinstance(value, tuple) for value in known.values(one)) and _all_list_tuples(known.values(two)):
            yield f"(1 if {known.whole(one)} in {known.whole(two)} else 0)"
            yield f"sum(1 for k in {known.whole(two)} if k == {known.whole(one)})"
    for name, place in [(each, place) for each in known.of("links") for place in _places_in(known, each)]:
        theirs = entry(known, name, place, "()")
        yield from (f"(1 if {known.whole(other)} in {theirs} else 0)" for other in known.places if other != place)
        for other in (each for each in known.of("ids", "names") if each not in known.columns):
            yield f"len(set({known.whole(other)}) & set({theirs}))"
            for number in known.of("vector", "mapping"):
                yield f"sum({known.at(number, 'k')} for k in {known.whole(other)} if k in {theirs})"


def _parts_beside(known: Facets, one: str, two: str) -> Iterator[str]:
    """How far the parts of two things of one kind are apart; the second may be None."""
    firsts, seconds = (_in_all(known, name) for name in (one, two))
    some = [value for value in seconds if value is not None]
    parts = [part for part in _parts(firsts) if part.text in {each.text for each in _parts(some)}]
    texts = [all(isinstance(part.read(value), str) for value in (*firsts, *some)) for part in parts]
    always = len(some) == len(seconds)
    if always and not any(texts) and all(isinstance(value, tuple) for value in firsts):
        return  # points have terms of their own
    for part, text in zip(parts, texts):
        own, other = f"{known.whole(one)}{part.text}", f"{known.whole(two)}{part.text}"
        if text or all(is_number(part.read(value)) for value in (*firsts, *some)):
            term = f"(1 if {own} == {other} else 0)" if text else f"abs({own} - {other})"
            yield term if always else f"({term} if {known.whole(two)} else 0)"


def _in_all(known: Facets, name: str) -> list[Any]:
    return [option[name] for each in known.situations for option in each.options]


def _parts(values: Sequence[Any]) -> list[Field]:
    """The places of tuples of one length, the fields of records; nothing for what is neither."""
    if values and all(isinstance(value, tuple) for value in values):
        widths = {len(value) for value in values}
        return list(map(place_field, range(max(widths)))) if len(widths) == 1 and max(widths) <= _WIDEST else []
    return list(record_fields(values)) if values and all(value is not None for value in values) else []


def _all_list_tuples(values: Sequence[Any]) -> bool:
    collections = all(isinstance(value, (list, set, frozenset)) for value in values)
    return collections and all(isinstance(one, tuple) for value in values for one in value)


def of_members(known: Facets) -> Iterator[str]:
    """Whether an alternative is in a set, such as that of what was visited, or a name on a list.

    Of numbers on a list nobody knows whether they are ids.
    """
    for key, name in product(known.keys, known.of("ids", "vector", "names")):
        sets = known.is_id(key) and all(isinstance(value, (set, frozenset)) for value in known.values(name))
        if name != known.listing and (sets or _are_texts(known, key)):
            yield f"(1 if {known.whole(key)} in {known.whole(name)} else 0)"


def of_visits(known: Facets) -> Iterator[str]:
    """Whether a cell or a pair that is an alternative, or that one leads to, is among some: those that were visited."""
    lists = [
        name for name in known.of("table", "other", "links") if name != known.listing and name not in known.columns
    ]
    tables = [each for each in known.of("table", "mapping", "other") if each not in known.columns]
    owns = [
        known.whole(OPTION),
        *(known.at(each, known.whole(key)) for each in tables for key in known.places_in(each, known.keys)),
    ]
    for own in owns:
        cells = [value for row in evaluated(known, own) for value in row]
        if not cells or not all(isinstance(value, tuple) for value in cells):
            continue
        for name in lists:
            if all(isinstance(value, (list, set, frozenset)) for value in known.values(name)):
                yield f"(1 if {own} in {known.whole(name)} else 0)"
                yield f"sum(1 for k in {known.whole(name)} if k == {own})"


def of_neighbours(known: Facets) -> Iterator[str]:
    """Alternatives among the neighbours of where one is, and what their neighbours have in common with these."""
    links = [name for name in known.of("links") if not known.holds_numbers(name)]
    for name, place in [(each, place) for each in links for place in _places_in(known, each)]:
        theirs = entry(known, name, place, "()")
        yield from (f"(1 if {known.whole(key)} in {theirs} else 0)" for key in known.keys)
        for members, key in [(each, key) for each in links for key in known.places_in(each, known.keys)]:
            own = entry(known, members, key, "()")
            yield f"(1 if {known.whole(place)} in {own} else 0)"
            yield f"len(set({own}) & set({theirs}))"
            yield from (f"sum({known.at(other, 'k')} for k in {own} if k in {theirs})" for other in known.of(*NUMBERS))


def of_features(known: Facets) -> Iterator[str]:
    """Whether what is asked for, a text, is what an alternative has, or among it; how much of a list it has."""
    wanted = [known.whole(name) for name in known.of("name")]
    lists = [known.whole(name) for name in known.of("ids", "names") if name != known.listing]
    for name, key in [(each, key) for each in known.of("names", "ids") for key in known.places_in(each, known.keys)]:
        own = entry(known, name, key, '""')
        yield from (f"(1 if {own} == {other} else 0)" for other in wanted)
    for name, key in [(each, key) for each in known.of("links") for key in known.places_in(each, known.keys)]:
        own = entry(known, name, key, "()")
        yield from (f"(1 if {other} in {own} else 0)" for other in wanted)
    for field in _collections_inside(known):
        own = f"{known.whole(OPTION)}{field.text}"
        yield from (f"(1 if {other} in {own} else 0)" for other in wanted)
        yield f"len({own})"
        yield from (f"len(set({own}) & set({others}))" for others in lists)


def _collections_inside(known: Facets) -> list[Field]:
    """What is a collection of texts or whole numbers in alternatives that are records."""
    records = [option[OPTION] for each in known.situations for option in each.options if OPTION in option]
    return [field for field in record_fields(records) if all(_is_of_ids(field.read(record)) for record in records)]


def _is_of_ids(value: Any) -> bool:
    return isinstance(value, (list, tuple, set, frozenset)) and all(
        is_whole(one) or isinstance(one, str) for one in value
    )


def of_listed(known: Facets) -> Iterator[str]:
    """What the record says that an alternative is the name of: records are on a list, each with its name."""
    for parent, key in product(dict.fromkeys(known.columns.values()), known.keys):
        if known.places_in(parent, [key]) or not all(
            isinstance(value, (list, tuple)) for value in known.values(parent)
        ):
            continue
        texts = {name: name.removeprefix(f"{parent}[]") for name, of in known.columns.items() if of == parent}
        for name in [each for each in texts if _names(known, each, key)][:1]:
            one = f"for j in {known.whole(parent)} if j{texts[name]} == {known.whole(key)}"
            for other in (each for each in texts if each != name):
                if known.kinds[other] == "vector":
                    yield f"sum(j{texts[other]} {one})"
                if known.kinds[other] in ("names", "ids"):
                    yield from (f"sum(1 {one} and j{texts[other]} == {known.whole(text)})" for text in known.of("name"))
                if known.kinds[other] == "links":
                    yield from (f"sum(1 {one} and {known.whole(text)} in j{texts[other]})" for text in known.of("name"))


def _names(known: Facets, column: str, key: str) -> bool:
    """Whether the values of a column are different, and an alternative is always one of them."""
    for each in known.situations:
        values = list(each.options[0][column])
        if not all(is_whole(value) or isinstance(value, str) for value in values) or len(set(values)) < len(values):
            return False
        if not all(option.get(key) in values for option in each.options):
            return False
    return True


def _places_in(known: Facets, name: str) -> list[str]:
    """Single values that are places or keys of an argument; of a dictionary those, too, that are nothing at first."""
    places = known.places_in(name, known.places)
    if name in known.columns or not all(isinstance(whole, Mapping) for whole in known.values(name)):
        return places
    keys = {key for whole in known.values(name) for key in whole}
    return [each for each in [*places, *known.of("other")] if _is_one_of(known.values(each), keys)]


def _is_one_of(values: Sequence[Any], keys: set[Any]) -> bool:
    """Whether values are keys, or None; a number that is small beside the keys counts something."""
    some = [value for value in values if value is not None]
    if not some or not all(is_whole(value) or isinstance(value, str) for value in some) or not set(some) <= keys:
        return False
    return isinstance(some[0], str) or max(some) + 1 >= _FAR * len(keys)


def of_twins(known: Facets) -> Iterator[str]:
    """Parts of an alternative beside those of a thing like it: how far they are apart, whether they are the same.

    Such a thing is an argument, which may be None, or the last on a list.
    """
    for name in (each for each in known.arguments if each not in known.spellings and each != known.listing):
        whole = known.whole(name)
        for other in (whole, f"{whole}[-1]"):
            always = _is_like(known, other)
            if always is None:
                continue
            for access, part in zip(known.accesses, known.fields):
                own, text = known.whole(part), _are_texts(known, part)
                term = f"(1 if {own} == {other}{access} else 0)" if text else f"abs({own} - {other}{access})"
                # A list is empty at some time, seen or not.
                yield term if always and other == whole else f"({term} if {whole} else 0)"
            break


def _is_like(known: Facets, other: str) -> bool | None:
    """Whether a template always gives a thing like an alternative; None if it does not do so half of the time.

    A tuple as long, or a record. Where that is always the case, points of numbers alone have terms of their own.
    """
    things = [value for row in evaluated(known, other) for value in row]
    like = [value for value in things if value is not None]
    texts = [_are_texts(known, part) for part in known.fields]
    if not known.fields or 2 * len(like) < len(things):
        return None
    if not all(_has_parts(value, len(known.fields)) for value in like):
        return None
    for access, text in zip(known.accesses, texts):
        parts = [value for row in evaluated(known, f"{other}{access}") for value in row if value is not None]
        if len(parts) < len(like) or not all(isinstance(each, str) if text else is_number(each) for each in parts):
            return None
    always = len(like) == len(things)
    return None if always and not any(texts) else always


def _has_parts(value: Any, width: int) -> bool:
    return (
        isinstance(value, Mapping) or hasattr(value, "__dict__") or (isinstance(value, tuple) and len(value) == width)
    )


def _are_texts(known: Facets, part: str) -> bool:
    return all(isinstance(option.get(part), str) for each in known.situations for option in each.options)
