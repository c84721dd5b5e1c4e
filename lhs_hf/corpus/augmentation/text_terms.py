"""Numbers about an alternative that is a text: whether it is one that is known, how common what is in it is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...tasks.roles import is_whole
from .facets import Facets
from .measuring import evaluated

_MOST = 40
_NUMBERED = re.compile(r"[^\W\d]*[-_ .#]?\d+")
"""Names such as `F12`: their lengths say how many digits a number has."""
_LENGTHS = 5
"""How many lengths names have that are more than names."""


def of_texts(known: Facets) -> Iterator[str]:
    """Terms about each text that tells alternatives apart, on its own and beside lists of texts."""
    listing = [known.listing] if known.listing is not None and not known.by_keys else []
    lists = [_some(known, name) for name in dict.fromkeys([*listing, *known.of("names")])]
    for key in known.keys:
        values = [option.get(key) for situation in known.situations for option in situation.options]
        texts = [value for value in values if isinstance(value, str)]
        if len(texts) < len(values):
            continue
        own = known.whole(key)
        for name in known.of("name"):
            same = f"(1 if {own} == {known.whole(name)} else 0)"
            if any(value for row in evaluated(known, same) for value in row):
                yield same
        if known.is_id(key) or max(map(len, texts)) == 1:
            # Phrases that something is counted for are keys, too.
            yield from [f"len({own})"] if len(set(map(len, texts))) >= _LENGTHS else []
            yield from (f"sum(1 for c in {known.whole(name)} if c == {own})" for name in known.of("name"))
            continue
        if not all(_NUMBERED.fullmatch(text) for text in texts):
            yield f"len({own})"
            yield f"len(set({own}))"
        yield from (term for name in known.of("name") for term in _beside_text(known.whole(name), own))
        for others in lists:
            yield f"sum(1 for k in {others} for c in set({own}) if c in k)"
            yield f"sum(1 for k in {others} for a, b in zip(k, {own}) if a == b)"
            yield f"max((sum(1 for a, b in zip(k, {own}) if a == b) for k in {others} if k != {own}), default=0)"
            yield f"max((j for k in {others} if k != {own} for j in range(len({own})) if {_meet('k', own)}), default=0)"
            yield f"max((j for k in {others} if k != {own} for j in range(len({own})) if {_meet(own, 'k')}), default=0)"


def _beside_text(text: str, own: str) -> Iterator[str]:
    """What an alternative is to a text that is no alternative: where it goes on, begins, has the same letters."""
    yield f"max(j for j in range(len({own}) + 1) if {_meet(text, own)})"
    yield f"max(j for j in range(len({own}) + 1) if {_meet(own, text)})"
    yield f"sum(1 for a, b in zip({text}, {own}) if a == b)"
    yield f"sum(1 for c in {own} if c in {text})"


def _meet(one: str, two: str) -> str:
    """Whether the last `j` letters of a text are the first ones of another."""
    return f"{one}[len({one}) - j:] == {two}[:j]"


def of_letters(known: Facets, name: str) -> Iterator[str]:
    """How many of some strings have an alternative in a place, and what those count for."""
    for place in (each for each in known.of("scalar") if is_whole(known.values(each)[0])):
        same = f"[{known.whole(place)}] == {{x}}"
        yield f"sum(1 for k in {known.whole(name)} if k{same})"
        yield from (
            f"sum(b for a, b in zip({known.whole(name)}, {known.whole(other)}) if a{same})"
            for other in known.of("vector")
        )


def _some(known: Facets, name: str) -> str:
    """A list of texts, the first of a long one: each is compared with all alternatives."""
    values = known.values(name)
    sliced = all(isinstance(value, (list, tuple)) for value in values) and max(map(len, values)) > _MOST
    return f"{known.whole(name)}[:{_MOST}]" if sliced else known.whole(name)
