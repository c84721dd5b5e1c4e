"""Programs left out because of how long they took: what a clock has decided once, a rebuild does not ask again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import CallError
from ..opening.files import read_json
from ..opening.folders import write_text
from ..opening.text import one_line
from .dataset import DATA_FOLDER

_TIMED = frozenset({"slow", "wall_timeout", "cpu_timeout", "memory_limit", "killed"})
_NAME = "excluded.json"


class Exclusions:
    """The exclusions of one task, in `excluded.json` of the corpus folder.

    Args:
        folder: the corpus folder.
        task: name of the task.
        inputs: what the candidates of a build depend on. An earlier list with the same inputs is *settled*: it alone
            decides which programs are too slow. The list that ships counts in every folder.

    Raises `CallError` for a file that holds something else.
    """

    def __init__(self, folder: Path, task: str, inputs: Sequence[object]) -> None:
        self._path = folder / _NAME
        self._task = task
        self._inputs = hashlib.sha256(json.dumps([str(each) for each in inputs]).encode()).hexdigest()
        earlier = (lists.get(task) for lists in (_read(self._path), _read(DATA_FOLDER / _NAME)))
        settled = next((each for each in earlier if each is not None and each["inputs"] == self._inputs), None)
        self.settled = settled is not None
        self._programs: dict[str, str] = dict(settled["programs"]) if settled is not None else {}

    def reason(self, program: str) -> str | None:
        """Why a program (by its hash) is left out, None if it is not."""
        return self._programs.get(program)

    def note(self, program: str, reason: str) -> None:
        """Leave a program out from now on if the reason depends on the machine."""
        if reason in _TIMED:
            self._programs[program] = reason

    def write(self) -> None:
        """Settle the list."""
        everything = _read(self._path)
        everything[self._task] = {"inputs": self._inputs, "programs": dict(sorted(self._programs.items()))}
        write_text(self._path, json.dumps(everything, indent=1, sort_keys=True) + "\n")


def _read(path: Path) -> dict[str, dict[str, Any]]:
    if not path.exists():
        return {}
    stored: dict[str, dict[str, Any]] = read_json(path)
    for task, entry in stored.items():
        programs = entry.get("programs") if isinstance(entry, dict) else None
        if not isinstance(programs, dict) or not isinstance(entry.get("inputs"), str):
            raise CallError(f"{path}: {one_line(task, 60)!r} has no inputs and programs; expected an earlier list")
    return stored
