"""Settings that say what they are: fields of a dataclass with help, bounds and choices.

Validation, the docstring of the class and the options of the command line are all made from them.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cache
from inspect import cleandoc
from math import isfinite
from numbers import Integral, Real
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar, get_args, get_type_hints

from .errors import CallError, unknown

_KEY = "setting"
_LARGEST = 2**63
_WORDS = {bool: "true or false", int: "a whole number", float: "a finite number", str: "a text", Path: "a path"}

Class = TypeVar("Class", bound=type)


@dataclass(frozen=True)
class Setting:
    """What one field means and may be. `kind` is bool, int, float, str or Path; `optional` says that it may be None.

    `duration` says that it is a number of seconds, which a person may write as 90s, 5m or 1h.
    """

    name: str
    default: Any
    kind: type
    optional: bool
    help: str
    least: float | None = None
    above: float | None = None
    most: float | None = None
    choices: tuple[str, ...] = ()
    duration: bool = False

    @property
    def limits(self) -> str:
        """The bounds in words, empty if there are none."""
        named = (("at least", self.least), ("above", self.above), ("at most", self.most))
        return " and ".join(f"{word} {bound:g}" for word, bound in named if bound is not None)

    @property
    def description(self) -> str:
        """Help, bounds and choices in sentences."""
        choices = f"One of: {', '.join(self.choices)}." if self.choices else ""
        written = "Also written 90s, 5m, 1h." if self.duration else ""
        limits = self.limits and f"{self.limits.capitalize()}."
        return " ".join(filter(None, (self.help, limits, choices, written)))

    def check_type(self, value: Any) -> None:
        """Raise `CallError` for a value of another type: None, a text for a number, NaN."""
        if value is None and self.optional:
            return
        if self.kind is int:
            fits = isinstance(value, Integral) and not isinstance(value, bool) and abs(int(value)) < _LARGEST
        elif self.kind is float:
            fits = isinstance(value, Real) and not isinstance(value, bool) and isfinite(value)
        else:
            fits = isinstance(value, self.kind)
        if not fits:
            raise CallError(f"{self.name} must be {_WORDS[self.kind]}, got {value!r:.80}")

    def check_range(self, value: Any) -> None:
        """Raise `CallError` for a value of the right type that is out of bounds or none of the choices."""
        if value is None:
            return
        if self.choices and value not in self.choices:
            raise unknown(self.name, value, self.choices)
        if (
            (self.least is not None and value < self.least)
            or (self.above is not None and value <= self.above)
            or (self.most is not None and value > self.most)
        ):
            raise CallError(f"{self.name} must be {self.limits}, got {value}")


def setting(default: Any, help: str, **bounds: Any) -> Any:
    """A field of a settings class; `bounds`: `least`, `above`, `most`, `choices`, `duration` of `Setting`."""
    return dataclasses.field(default=default, metadata={_KEY: {"help": help, **bounds}})


def settings_of(kind: Any) -> tuple[Setting, ...]:
    """The settings of a dataclass in order; fields made without `setting` are left out."""
    return _read(kind)


@cache
def _read(kind: Any) -> tuple[Setting, ...]:
    hints = get_type_hints(kind)
    described = []
    for field in dataclasses.fields(kind):
        if _KEY in field.metadata:
            types = get_args(hints[field.name]) or (hints[field.name],)
            first = next(each for each in types if each is not NoneType)
            described.append(Setting(field.name, field.default, first, NoneType in types, **field.metadata[_KEY]))
    return tuple(described)


def check(settings: Any) -> None:
    """Raise `CallError` for the first field of a settings object that is not as its class says."""
    for each in settings_of(type(settings)):
        each.check_type(getattr(settings, each.name))
    for each in settings_of(type(settings)):
        each.check_range(getattr(settings, each.name))


def documented(kind: Class) -> Class:
    """Class decorator: append what each field means to the docstring."""
    lines = [f"    {each.name}: {each.description} Default: {each.default}." for each in settings_of(kind)]
    kind.__doc__ = "\n".join([cleandoc(kind.__doc__ or ""), "", "Attributes:", *lines])
    return kind
