"""Results that are on disk as soon as they are known, so that an interrupted measurement goes on where it was."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Pool = Callable[[Sequence[Any]], Any]


class Store:
    """A JSON file of sections, each with one entry a unit (mostly a task) and what they give together.

    Raises `ValueError` if the file holds results of other settings.
    """

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        self.path = path
        self.content: dict[str, Any] = {"settings": settings, "sections": {}}
        if path.is_file():
            self.content = json.loads(path.read_text())
            found = self.content["settings"]
            different = [key for key in {**found, **settings} if found.get(key) != settings.get(key)]
            if different:
                shown = ", ".join(f"{key} {found.get(key)!r}, now {settings.get(key)!r}" for key in different)
                raise ValueError(f"{path} was measured with other settings ({shown}); pass another --out or delete it")

    def has(self, section: str, unit: str) -> bool:
        """Whether the result of a unit is known."""
        return unit in self.content["sections"].get(section, {}).get("tasks", {})

    def put(self, section: str, unit: str, result: Any, pool: Pool) -> None:
        """Keep the result of a unit, and `pool` of all units of the section; the file is replaced as a whole."""
        entry = self.content["sections"].setdefault(section, {"tasks": {}})
        entry["tasks"][unit] = result
        entry["pooled"] = pool(list(entry["tasks"].values()))
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_suffix(".partial")
        temporary.write_text(formatted(self.content) + "\n")
        os.replace(temporary, self.path)


def formatted(content: dict[str, Any]) -> str:
    """JSON with one line a record: dicts that hold no other dict, and lists, are not broken."""
    text = json.dumps(rounded(content), indent=1)
    for innermost in (r"\[[^\[\]{}]*\]", r"\{[^{}]*\}"):
        text = re.sub(innermost, lambda found: re.sub(r"\n\s*", " ", found[0]), text)
    return text


def rounded(value: Any) -> Any:
    """Plain data with floats of six significant digits."""
    if isinstance(value, dict):
        return {key: rounded(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [rounded(entry) for entry in value]
    return float(f"{value:.6g}") if isinstance(value, float) else value
