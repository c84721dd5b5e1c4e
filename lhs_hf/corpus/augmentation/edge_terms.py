"""Numbers about an end of edges, where an argument lists them: pairs, pairs with a weight, a dictionary by pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...tasks.roles import is_by_pairs
from .facets import Facets


def is_edge_list(known: Facets, name: str, keys: Sequence[str]) -> bool:
    """Whether an argument lists edges whose ends are the values of one of some names."""
    return name not in known.columns and any(known.in_keys(name, key) for key in keys)


def of_edges(known: Facets, keys: Sequence[str], listed: bool = False) -> Iterator[str]:
    """Terms about values that are ends of edges.

    `listed`: of the edges that are the alternatives themselves, and of no others.
    """
    names = [name for name in known.arguments if (name == known.listing) == listed]
    for name in (each for each in names if is_edge_list(known, each, keys)):
        for key in (each for each in keys if known.in_keys(name, each)):
            yield from _of_end(known, name, key)


def _of_end(known: Facets, name: str, key: str) -> Iterator[str]:
    """How many edges a value is an end of, what they weigh, what is at their other ends, and which way they go."""
    values, end = known.values(name), known.whole(key)
    if all(map(is_by_pairs, values)):
        edges, ends, weights = f"k, v in {known.whole(name)}.items()", "k", ["v"]
    else:
        width = len(next(iter(values[0])))
        edges, ends = f"k in {known.whole(name)}", "k" if width == 2 else "k[:2]"
        weights = [f"k[{place}]" for place in range(2, width)]
    here, other = f"{end} in {ends}", f"(k[0] if k[1] == {end} else k[1])"
    amounts = ["1", *weights]
    directed = [f"sum({amount} for {edges} if k[{place}] == {end})" for place in "01" for amount in amounts]
    if any(pair[0] == pair[1] for value in values for pair in value):
        # They are numbers of different things, jobs and machines: a pair that is chosen has them in the same order.
        side = known.fields.index(key) if key in known.fields else None
        yield from (each for each in directed if side is None or f"k[{side}]" in each)
        return
    yield from (f"sum({amount} for {edges} if {here})" for amount in amounts)
    yield from (f"max(({weight} for {edges} if {here}), default=0)" for weight in weights)
    for others in (*known.lists, *map(known.whole, known.of("mapping"))):
        if others != known.whole(name):
            yield from (f"sum({amount} for {edges} if {here} and {other} in {others})" for amount in amounts)
    for numbers in known.of("vector", "mapping"):
        if numbers != name:
            yield f"sum({known.at(numbers, other)} for {edges} if {here})"
    if name != known.listing:
        yield from directed
