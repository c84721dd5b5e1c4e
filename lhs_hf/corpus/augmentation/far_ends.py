"""The end of an alternative that is new: of a pair of which one is listed already and the other one is not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...tasks.roles import Situation, is_whole
from .facets import Facets, Spelling
from .measuring import evaluated

FAR_END = "far_end"


def with_far_end(known: Facets) -> Facets:
    """The same with the far end of alternatives as one more thing that tells them apart.

    Streets from a network to a corner beyond, edges out of a tree: what lies at that end says most of them.
    """
    for table, pair in _pairs(known):
        for name in known.of("ids", "vector"):
            if name == known.listing or name in known.columns:
                continue
            beyond = f"[k for k in {pair} if k not in {known.whole(name)}]"
            ends = evaluated(known, beyond)
            if all(isinstance(end, list) and len(end) == 1 and is_whole(end[0]) for row in ends for end in row):
                return _with_end(known, f"sum(k for k in {pair} if k not in {known.whole(name)})", ends, table)
    return known


def _pairs(known: Facets) -> Iterator[tuple[str, str]]:
    """Templates of pairs of whole numbers about an alternative, each behind the table that has it, if one has."""
    if len(known.fields) >= 2:
        yield "", f"({known.whole(known.fields[0])}, {known.whole(known.fields[1])})"
    for name in known.of("table"):
        for key in known.places_in(name, known.keys):
            pair = known.at(name, known.whole(key))
            rows = [value for row in evaluated(known, pair) for value in row]
            if all(hasattr(row, "__len__") and len(row) == 2 and all(map(is_whole, row)) for row in rows):
                yield name, pair


def _with_end(known: Facets, text: str, ends: list[list[list[int]]], table: str) -> Facets:
    situations = tuple(
        Situation(tuple({**option, FAR_END: end[0]} for option, end in zip(situation.options, row)))
        for situation, row in zip(known.situations, ends)
    )
    spellings = {**known.spellings, FAR_END: Spelling(text, text)}
    return replace(known, situations=situations, spellings=spellings, ends=(FAR_END,), paired=table)
