"""Terms measured on the probe states of a task: which are numbers that tell alternatives apart, how large they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...tasks.roles import CHOICES, Roles, Situation, is_number

_LEAST_DEFINED = 0.85
_LEAST_TELLING = 0.15
_DIGITS = 6
_FUNCTIONS = (abs, complex, enumerate, len, list, map, max, min, range, set, sorted, sum, tuple, zip)
SCOPE = {"__builtins__": {function.__name__: function for function in _FUNCTIONS}}
"""What an expression about a decision may call."""


class Distinct:
    """Terms that say different things; `spreads` are the standard deviations of each over the alternatives.

    Args:
        known: the situations that terms are measured in.
        larger: situations of full size; what is no number there is no term either: a place in rows that were as many as
            columns, or two loads that were taken for a point.
    """

    def __init__(self, known: Roles, larger: Sequence[Situation] = ()) -> None:
        self._known, self._larger = known, larger
        self.spreads: dict[str, float] = {}
        self._shapes: set[bytes] = set()

    def add(self, template: str) -> bool:
        """Whether a term is one, and says what none before it did."""
        values = numbers(self._known, template)
        if values is None:
            return False
        centred = values - np.nanmean(values, axis=1, keepdims=True)
        if (np.nanmax(np.abs(centred), axis=1) > 0).mean() < _LEAST_TELLING:
            return False
        # What differs by a share common to all alternatives, a factor or a sign orders them alike, or in reverse.
        with np.errstate(over="ignore"):
            scale = np.nanstd(centred)
        if not np.isfinite(scale):
            return False
        values = np.nan_to_num(centred / scale)
        first = values.ravel()[np.flatnonzero(np.abs(values.ravel()) > 10**-_DIGITS)[0]]
        key = (np.round(values * np.sign(first), _DIGITS) + 0.0).tobytes()
        if key in self._shapes or not self._fits(template):
            return False
        self._shapes.add(key)
        self.spreads[template] = float(scale)
        return True

    def _fits(self, template: str) -> bool:
        if not self._larger:
            return True
        values = [value for row in _evaluated(self._larger, template) for value in row]
        defined = sum(is_number(value) and bool(np.isfinite(value)) for value in values)
        return defined >= _LEAST_DEFINED * len(values)


def evaluated(known: Roles, template: str) -> list[list[Any]]:
    """The values of an expression, a list a situation, None for one that fails."""
    return _evaluated(known.situations, template)


def _evaluated(situations: Sequence[Situation], template: str) -> list[list[Any]]:
    names = situations[0].options[0]
    code = compile(template.format(**{name: name for name in names}), "<term>", "eval")

    def value(option: Mapping[str, Any]) -> Any:
        try:
            result = eval(code, {**SCOPE, **option})  # noqa: S307  (the expression is one of `derived`)
            return float(result) if is_number(result) else result
        except Exception:  # most of what is tried does not fit the arguments: what fails is no term
            return None

    with np.errstate(all="ignore"):
        return [[value(option) for option in situation.options] for situation in situations]


def numbers(known: Roles, template: str) -> np.ndarray | None:
    """The values of a term, float64 (situations, alternatives), NaN where there is none; None if it is no term.

    A term is a finite number nearly everywhere.
    """
    rows = evaluated(known, template)
    if not all(value is None or is_number(value) for row in rows for value in row):
        return None
    values = np.full((len(rows), CHOICES), np.nan)
    for place, row in enumerate(rows):
        values[place, : len(row)] = [np.nan if value is None else value for value in row]
    if np.isinf(values).any() or np.isfinite(values).sum() < _LEAST_DEFINED * sum(map(len, rows)):
        return None
    return values[np.isfinite(values).any(axis=1)]


def typical_size(known: Roles, template: str) -> float:
    """How large a term is in the mean."""
    values = [abs(value) for row in evaluated(known, template) for value in row if is_number(value)]
    return float(np.mean(values)) if values else 0.0
