"""Options of commands from settings classes: each field made with `lhs_hf.fields.setting` is an option."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, Optional

import typer

from ..fields import Setting, settings_of

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}
_NONE = "none"
"""Says on the command line that a number is to be absent, as None does in Python."""


def takes_settings(*kinds: type) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Decorator: a command gets an option for each field of some settings classes.

    Those that a person gave reach its parameter `given`, a dictionary by the names of the fields.
    """
    settings = {each.name: each for kind in kinds for each in settings_of(kind)}

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        written = inspect.signature(command, eval_str=True)

        @wraps(command)
        def with_settings(**values: Any) -> int:
            options = {name: values.pop(name, None) for name in settings}
            given = {name: None if value == _NONE else value for name, value in options.items() if value is not None}
            return command(**values, given=given)

        own = [parameter for name, parameter in written.parameters.items() if name != "given"]
        parameters = [*own, *map(_parameter, settings.values())]
        with_settings.__signature__ = written.replace(parameters=parameters)  # type: ignore[attr-defined]
        with_settings.__annotations__ = {each.name: each.annotation for each in parameters}
        return with_settings

    return decorate


def _parameter(setting: Setting) -> inspect.Parameter:
    name = setting.name.replace("_", "-")
    kind: Any = setting.kind
    default = (
        f"--{name}" if setting.default is True else f"--no-{name}" if setting.default is False else setting.default
    )
    option: dict[str, Any] = {
        "help": setting.description,
        "show_default": False if setting.default is None else str(default),
    }
    if setting.duration:
        kind, option["parser"], option["metavar"] = str, _seconds_or_none, "DURATION|none"
    elif setting.kind is float and setting.optional:
        kind, option["parser"], option["metavar"] = str, _number_or_none, "FLOAT|none"
    elif setting.choices:
        option["autocompletion"] = lambda incomplete: [each for each in setting.choices if each.startswith(incomplete)]
    flag = f"--{name}/--no-{name}" if kind is bool else f"--{name}"
    annotation = Annotated[Optional[kind], typer.Option(flag, **option)]  # noqa: UP045  (made at run time)
    return inspect.Parameter(setting.name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=annotation)


def _number_or_none(text: str) -> float | str:
    """A number or "none"; anything else as it is: the settings class says what it expects."""
    try:
        return float(text)
    except ValueError:
        return _NONE if text.lower() == _NONE else text


def _seconds_or_none(text: str) -> float | str:
    """Seconds from 90, 90s, 5m or 1h, or "none"; anything else as it is."""
    factor = _UNITS.get(text[-1:].lower())
    number = _number_or_none(text[:-1] if factor else text)
    return number * factor if factor and isinstance(number, float) else text if factor else number
