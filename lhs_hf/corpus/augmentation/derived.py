"""The words of a task that nobody wrote any for: what can be computed about its alternatives on its probe states.

Terms are written by the roles of the arguments and kept where they run: one that raises, is no number or is the same
for all alternatives says nothing, and of terms that say the same the first stays. A person's task needs no more than
its probe states for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...tasks.records import record_keys
from ...tasks.roles import Roles, Situation, full_size_situations, roles, shape
from .choice_terms import of_choice
from .facets import Facets, with_facets
from .far_ends import with_far_end
from .joining import joined
from .measuring import Distinct, evaluated, typical_size
from .nothing import things, with_levels
from .point_terms import COORDINATES, coordinates
from .priority_terms import of_priority
from .vocabulary import Term, Vocabulary

LONG_COLUMN = 100
"""Rows of an array from which its columns are read at once."""
MOST_TERMS, MOST_JOINED = 48, 40
"""Simple terms of a task, and terms that join two or three of them."""

_LEVELS = (0.25, 0.5, 0.75)


def derived_vocabulary(task: Any) -> Vocabulary:
    """The words of a task with probe states; an empty vocabulary where its alternatives are not known."""
    plain = roles(task)
    if plain is None:
        return Vocabulary()
    kept, larger, test = things(plain, full_size_situations(task))
    known = with_far_end(with_facets(kept))
    terms, measured, shared = _terms(known, larger)
    words = Vocabulary(
        terms=terms,
        measured=measured,
        shared=shared,
        phases=_phases(with_facets(plain) if test else known),
        exchangeable=_exchangeable(plain),
        fields=known.fields,
        accesses=known.accesses,
        scores=plain.answers != "choice",
    )
    return with_levels(words, known, test) if test else words


# -- terms -------------------------------------------------------------------------------------------------------------


def _terms(known: Facets, larger: Sequence[Situation]) -> tuple[tuple[str, ...], tuple[Term, ...], tuple[Term, ...]]:
    """Templates of numbers that tell alternatives apart, simple ones first; these, and what is shared, measured."""
    distinct = Distinct(known, larger)
    simple = _chosen(of_priority(known) if known.answers == "priority" else of_choice(known), distinct, MOST_TERMS)
    ids = {known.whole(name) for name in (*known.arguments, *known.keys) if known.is_place(name)}
    ids -= {known.whole(key) for key in known.keys if known.is_amount(key)}
    shared = [known.whole(name) for name in known.of("scalar") if known.whole(name) not in {*ids, *simple}]
    shared += _sizes(known)
    measured = [Term(term, typical_size(known, term), distinct.spreads[term]) for term in simple]
    common = [Term(term, typical_size(known, term), 0.0) for term in shared]
    numbers = [each for each in measured if each.text not in ids]
    # Where something is says little by itself, and nothing beside how much there is of something.
    where = {*coordinates(known), *_leading(simple).difference(map(known.whole, known.keys))}
    sizes = [{each.text: each.size for each in terms if each.text not in where} for terms in (numbers, common)]
    joint = joined(*sizes)
    terms = (*simple, *_chosen(joint, distinct, MOST_JOINED))
    quick = _in_bulk(known, larger)
    own, others = (
        tuple(replace(term, text=quick(term.text)) for term in some) for some in (numbers or measured, common)
    )
    return tuple(map(quick, terms)), own, others


def _leading(terms: Sequence[str]) -> set[str]:
    """Those of some terms that others read an argument at: the base of an ambulance, the group of a vertex."""
    read = "".join(terms)
    return {term for term in terms if re.search(rf"\{{\w+\}}\[{re.escape(term)}\]", read)}


def _in_bulk(known: Facets, larger: Sequence[Situation]) -> Callable[[str], str]:
    """Terms with the columns of long arrays read at once: row after row, Python takes longer than a program has."""

    def is_long(value: Any) -> bool:
        return isinstance(value, np.ndarray) and value.ndim == 2 and len(value) >= LONG_COLUMN

    situations = larger or known.situations
    long = [
        known.whole(name)
        for name in known.of("table")
        if name not in known.spellings and any(is_long(each.options[0][name]) for each in situations)
    ]

    def quick(text: str) -> str:
        for table in long:
            column = rf"j\[(\{{\w+\}})\] for j in {re.escape(table)}"
            text = re.sub(rf"\b(sum|max|min)\({column}\)", rf"{table}[:, \2].\1()", text)
            text = re.sub(rf"\[{column}\]", rf"{table}[:, \1].tolist()", text)
        return text

    return quick


def _sizes(known: Facets) -> list[str]:
    """The two or three numbers of a tuple beside alternatives of more numbers: width and height of an item."""
    if not known.fields or len(known.fields) <= COORDINATES:
        return []  # as many numbers as those of a point
    return [
        known.at(name, str(place))
        for name in known.of("vector")
        if all(isinstance(value, tuple) for value in known.values(name)) and not known.places_in(name, known.keys)
        for widths in [{len(value) for value in known.values(name)}]
        if len(widths) == 1 and 1 < max(widths) <= COORDINATES
        for place in range(max(widths))
    ]


def _chosen(templates: Iterator[str], distinct: Distinct, most: int) -> list[str]:
    """The first terms among some templates."""
    chosen: list[str] = []
    for template in templates:
        if len(chosen) < most and distinct.add(template):
            chosen.append(template)
    return chosen


# -- phases and arguments of one kind ----------------------------------------------------------------------------------


def _phases(known: Facets) -> tuple[str, ...]:
    """Conditions on what all alternatives share that hold on some probe states and not on others."""
    options: list[str] = []
    lists = known.of("ids", "names", "listing", "vector", "mapping", "table", "links", "other")
    # How many parts a record has says nothing.
    lists = [name for name in lists if not record_keys(known.values(name))]
    for name in known.arguments:
        if known.answers == "priority" and _varies(known, name):
            continue
        if known.kinds[name] == "scalar" and not known.is_id(name):
            levels = np.quantile([float(value) for value in known.values(name)], _LEVELS)
            options += [f"{known.whole(name)} > {_short(level)}" for level in levels]
        elif name in lists and all(hasattr(value, "__len__") for value in known.values(name)):
            middle = float(np.median([len(value) for value in known.values(name)]))
            options += [f"len({known.whole(name)}) > {_short(middle)}", f"len({known.whole(name)}) % 2 == 0"]
            options += [f"2 * len({known.whole(name)}) > len({known.whole(other)})" for other in lists if other != name]
    return tuple(dict.fromkeys(each for each in options if _splits(known, each)))


def _splits(known: Facets, condition: str) -> bool:
    truths = [row[0] for row in evaluated(known, condition)]
    return None not in truths and 0.05 < float(np.mean(truths)) < 0.95


def _varies(known: Facets, name: str) -> bool:
    """Whether an argument differs between the alternatives of a decision."""
    return any(
        repr(option[name]) != repr(situation.options[0][name])
        for situation in known.situations
        for option in situation.options
    )


def _exchangeable(known: Roles) -> tuple[tuple[str, ...], ...]:
    """Arguments of one kind and size: ids, numbers, vectors of one length, tables of one shape."""
    groups: dict[Any, list[str]] = {}
    for name in known.arguments:
        kind = known.kinds[name]
        if kind == "scalar":
            groups.setdefault(("id" if known.is_id(name) else "number",), []).append(name)
        elif kind in ("vector", "table"):
            groups.setdefault((kind, *map(shape, known.values(name))), []).append(name)
    return tuple(tuple(names) for names in groups.values() if len(names) > 1)


def _short(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:.0f}"
