"""Reading the seed programs: one file a task, one cell a program, one family a seed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

SEED_FOLDER = Path(__file__).parent / "seeds"
_CELL = re.compile(r"^# %% (\w+)[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Seed:
    """An original program; its `family` names the idea and stays with every program derived from it."""

    task: str
    family: str
    source: str


def read_seeds(task: str, folder: Path = SEED_FOLDER) -> list[Seed]:
    """The seeds of a task, in file order. Raises `FileNotFoundError` and, for a repeated family name, `ValueError`."""
    text = (folder / f"{task}.py").read_text(encoding="utf-8")
    pieces = _CELL.split(text)[1:]
    seeds = [Seed(task, family, source.strip() + "\n") for family, source in zip(pieces[::2], pieces[1::2])]
    names = [seed.family for seed in seeds]
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise ValueError(f"seed families named twice in {task}.py: {', '.join(repeated)}")
    return seeds
