"""A cell of a comparison: one method on one task with one seed, and what came of it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from ..errors import CallError
from ..opening.files import is_number, parse_json
from ..opening.text import one_line

NO_WORD = r"[^\w.@]+"
"""What names of tasks and methods lose in the names of files."""


@dataclass(frozen=True)
class Cell:
    """One method (as the plan spells it), on one task, with one seed."""

    method: str
    task: str
    seed: int

    @property
    def name(self) -> str:
        """What identifies it in a grid, good as the name of a folder."""
        return "-".join(re.sub(NO_WORD, "_", part) for part in (self.task, self.method, f"seed{self.seed}"))


@dataclass(frozen=True)
class Spent:
    """What a method took to choose its program.

    `instance_runs`: programs times instances that they met; `evaluations`: the same in programs on `search`; `calls`:
    programs that a decoder wrote, or requests to a language model, whatever these were for; `tokens`: what these wrote;
    `seconds`: all of it, on the machine that it ran on. Of `programs` that were made `valid` had a score; of the calls
    `valid_calls` gave such a program.
    """

    instance_runs: int = 0
    evaluations: float = 0.0
    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    programs: int = 0
    valid: int = 0
    valid_calls: int = 0


@dataclass(frozen=True)
class CellResult:
    """What came of a cell.

    `objectives` has one list a split, in task units, an objective an instance; it is empty where the program fails, and
    `failures` says why. `runtime_s` are wall seconds of the program on a split, `reference_runtime_s` those of the
    task's reference program beside it. `curve` has the incumbents: instance runs and calls until then, and the mean
    objective on `holdout` (None for a failure). `novelty` is a key of `corpus.novelty.LEVELS`.
    """

    method: str
    task: str
    seed: int
    sense: str
    program: str
    spent: Spent
    objectives: dict[str, list[float]]
    failures: dict[str, str]
    runtime_s: dict[str, float]
    reference_runtime_s: dict[str, float]
    curve: list[tuple[int, int, float | None]]
    novelty: str
    version: str = ""

    @property
    def cell(self) -> Cell:
        """Which cell it is."""
        return Cell(self.method, self.task, self.seed)

    @property
    def alpha(self) -> int:
        """The sign that turns an objective into a score: higher is better."""
        return 1 if self.sense == "max" else -1

    def objective(self, split: str) -> float | None:
        """The mean objective on a split; None where the program fails or did not run."""
        values = self.objectives.get(split)
        return float(np.mean(values)) if values else None

    def as_text(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_text(cls, text: str, place: str) -> CellResult:
        """The reverse of `as_text`. Raises `CallError` naming `place` for what no comparison stores."""
        data = parse_json(text, place, dict)
        names = {field.name for field in fields(cls)}
        if set(data) - names or not {*names} - {"version"} <= set(data):
            raise CallError(f"{place} is no cell of a comparison")
        for name, fits in _CHECKS.items():
            if name in data and not fits(data[name]):
                raise CallError(f"{place}: {name} is {one_line(data[name], 60)!r}")
        try:
            spent = Spent(**data["spent"])
        except TypeError:
            raise CallError(f"{place}: spent is {one_line(data['spent'], 60)!r}") from None
        return cls(**{**data, "spent": spent, "curve": [tuple(point) for point in data["curve"]]})


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_point(value: Any) -> bool:
    counts = isinstance(value, list) and len(value) == 3 and all(type(each) is int for each in value[:2])
    return counts and (value[2] is None or is_number(value[2]))


def _table(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(fits, value.values()))


def _list(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


_CHECKS: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("method", "task", "program", "novelty", "version"), _is_text),
    **dict.fromkeys(("spent", "runtime_s", "reference_runtime_s"), _table(is_number)),
    "seed": lambda value: type(value) is int,
    "sense": lambda value: value in ("min", "max"),
    "failures": _table(_is_text),
    "objectives": _table(_list(is_number)),
    "curve": _list(_is_point),
}
