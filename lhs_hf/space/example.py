"""A finished search that ships with the page: what a visitor sees before pressing Run."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np

from ..search.database import Candidate
from .catalogue import TaskCatalogue
from .run import EXAMPLE, Located, Run

PATH = Path(__file__).parent / "example.json"
NAME = "example"
MESSAGE = "An example: a search that was made before. Press Run to make your own."
_LEFT_OUT = frozenset({"objectives", "tokens", "log_probability", "isolation", "decisions", "runtime_s", "before"})
_DIGITS = 3


def as_data(run: Run) -> dict[str, Any]:
    """A finished run as plain data for JSON: what the page shows of it, points to three digits."""
    return {
        "task": run.task.name,
        "settings": run.settings,
        "seconds": round(run.elapsed(), 1),
        "measured": run.measured,
        "result": {name: value for name, value in (run.result or {}).items() if name != "output"},
        "candidates": [
            {name: _plain(value) for name, value in asdict(each).items() if name not in _LEFT_OUT}
            for each in run.ordered()
        ],
        "located": {
            number: {"point": _plain(each.point), "predicted": round(each.predicted, 4)}
            for number, each in run.located.items()
        },
    }


def _plain(value: Any) -> Any:
    return np.round(value.astype(float), _DIGITS).tolist() if isinstance(value, np.ndarray) else value


def read(tasks: TaskCatalogue, path: Path = PATH) -> Run | None:
    """The run that ships; None where there is no file, or its task is not offered."""
    if not path.exists():
        return None
    data = json.loads(path.read_text(encoding="utf-8"))
    if data["task"] not in tasks.names:
        return None
    names = {field.name for field in fields(Candidate)}
    run = Run(NAME, tasks.get(data["task"]), data["settings"], Path(NAME), state=EXAMPLE, message=MESSAGE)
    for entry in data["candidates"]:
        entry["after"] = None if entry["after"] is None else np.array(entry["after"], dtype=np.float32)
        run.candidates[entry["id"]] = Candidate(**{name: value for name, value in entry.items() if name in names})
    for number, place in data["located"].items():
        run.located[int(number)] = Located(np.array(place["point"], dtype=np.float32), place["predicted"])
    run.measured, run.result = data["measured"], data["result"]
    run.started, run.ended = 0.0, data["seconds"]
    return run
