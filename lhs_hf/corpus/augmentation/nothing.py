"""Alternatives that are nothing: -1 or None on a list of things, no beside yes.

What can be said of things says nothing of these. A term takes its median for them, and one of its own says which they
are: with a weight it is the level that the best thing has to pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ...tasks.roles import OPTION, Roles, Situation, entries, is_number, is_whole
from .measuring import evaluated
from .vocabulary import Term, Vocabulary

_IS_SOME = "{x} is not None"
_NOTHING = -1
_FEWEST = 3
_TOGETHER = 6


class Things(NamedTuple):
    """A task without the alternatives that are nothing.

    Attributes:
        known: its roles; where programs say yes or no, those of a task whose programs see one thing a call.
        larger: situations of full size without them.
        test: a template, whether an alternative is a thing; "" where all are.
    """

    known: Roles
    larger: tuple[Situation, ...]
    test: str


def things(known: Roles, larger: Sequence[Situation]) -> Things:
    """The roles of a task, those of its situations of full size, and what is set apart in them."""
    values = [option[OPTION] for each in known.situations for option in each.options if OPTION in option]
    if _are_yes_or_no(known):
        asked = replace(known, situations=tuple(_asked(known.situations)), answers="priority", listing=None)
        return Things(asked, tuple(_asked(larger)), "{x}")
    test = _test(values)
    if not test:
        return Things(known, tuple(larger), "")
    some = tuple(_without(known.situations, test))
    return Things(replace(known, situations=some), tuple(_without(larger, test)), test)


def with_levels(words: Vocabulary, known: Roles, test: str) -> Vocabulary:
    """Words of things as words of all alternatives: each term has its median for those that are nothing."""

    def guarded(text: str) -> str:
        values = [value for row in evaluated(known, text) for value in row if is_number(value) and np.isfinite(value)]
        return f"({text} if {test} else {float(np.median(values)) if values else 0.0:.3g})"

    measured = {term.text: replace(term, text=guarded(term.text)) for term in words.measured}
    further = [text for text in words.terms if text not in measured]
    is_thing = Term(f"(1 if {test} else 0)", 1.0, 0.5)
    return replace(
        words,
        terms=(is_thing.text, *(term.text for term in measured.values()), *map(guarded, further)),
        measured=(is_thing, *measured.values()),
        test=test,
        plain=(*measured, *further),
    )


def _test(values: Sequence[Any]) -> str:
    """What holds of things, where some alternatives are none: one number alone below 0 is no direction to go."""
    if any(value is None for value in values) and not all(value is None for value in values):
        return _IS_SOME
    if values and all(map(is_whole, values)):
        below, ids = {value for value in values if value < 0}, {value for value in values if value >= 0}
        if below == {_NOTHING} and len(ids) >= _FEWEST:
            return "{x} >= 0"
    return ""


def _without(situations: Sequence[Situation], test: str) -> Iterator[Situation]:
    for each in situations:
        some = [option for option in each.options if option[OPTION] is not None]
        if test != _IS_SOME:
            some = [option for option in some if option[OPTION] != _NOTHING]
        if some:
            yield Situation(tuple(some))


def _are_yes_or_no(known: Roles) -> bool:
    """Whether alternatives are always no and yes, 0 and 1, and no argument has just two entries that these tell."""
    if known.keys != (OPTION,):
        return False
    answers = [[option[OPTION] for option in each.options] for each in known.situations]
    if not all(len(each) == 2 and all(map(_is_flag, each)) and set(each) == {0, 1} for each in answers):
        return False
    others = [name for name in known.arguments if name != known.listing]
    return not any(all(len(entries(value)) == 2 for value in known.values(name)) for name in others)


def _is_flag(value: Any) -> bool:
    return isinstance(value, (bool, int, np.bool_, np.integer))


def _asked(situations: Sequence[Situation]) -> Iterator[Situation]:
    """Calls in groups, as if each asked about one of several things."""
    calls = [{name: value for name, value in each.options[0].items() if name != OPTION} for each in situations]
    groups = [calls[start : start + _TOGETHER] for start in range(0, len(calls), _TOGETHER)]
    yield from (Situation(tuple(group)) for group in groups if len(group) > 1 or len(groups) == 1)
