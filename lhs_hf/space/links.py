"""Addresses of the page that hold a search: its settings, and as long as it is kept the search itself."""

from __future__ import annotations

from typing import Any

import gradio as gr

from ..errors import CallError
from .checks import LONGEST_NAME
from .run import Run
from .service import SpaceService

GONE = (
    "That search is not kept here any more. Its settings are in the form: Run makes it again, equal seeds give equal "
    "searches."
)


def asked_settings(service: SpaceService, query: dict[str, str], names: tuple[str, ...]) -> dict[str, Any]:
    """Those of the settings `names` and of `task` that an address holds; a wrong one is named and left out."""
    asked: dict[str, Any] = {}
    for name in ("task", *names):
        if name not in query:
            continue
        value = _value(query[name][:LONGEST_NAME])
        try:
            asked[name] = service.tasks.get(value).name if name == "task" else service.runs.check(name, value)
        except CallError as problem:
            gr.Warning(str(problem))
    return asked


def asked_run(service: SpaceService, query: dict[str, str]) -> Run | None:
    """The finished search that an address names; None, and a word to the visitor, where it is not kept any more."""
    if "run" not in query:
        return None
    run = service.runs.get(query["run"])
    if run is None or not run.over:
        gr.Warning(GONE)
        return None
    return run


def _value(text: str) -> Any:
    """The number that a text of an address is; the text itself where it is none."""
    if text.isascii() and text.isdecimal() and len(text) <= 10:
        return int(text)
    try:
        return float(text)
    except ValueError:
        return text
