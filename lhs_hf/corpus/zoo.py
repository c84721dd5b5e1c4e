"""The zoo's part of the corpus: hand-written programs of its tasks, one family each, and where their rows are."""

from __future__ import annotations

from pathlib import Path

from ..tasks.names import ZOO_DEVELOPMENT, ZOO_UNSEEN
from .dataset import DATA_FOLDER
from .seeds_io import Seed, read_seeds

ZOO_SEEDS = Path(__file__).parent / "zoo_seeds"
ZOO = "zoo"
"""The folder of a corpus that holds the rows of the zoo's tasks: a configuration of the data set of its own."""

ZOO_FOLDER = DATA_FOLDER / ZOO
ZOO_COUNT = 60
"""Programs a task."""


def zoo_seeds(task: str) -> list[Seed]:
    """The hand-written programs of a task of the zoo. Raises `FileNotFoundError` for another one."""
    return read_seeds(task, ZOO_SEEDS)


def purpose(task: str) -> str:
    """What the programs of a task of the zoo are for: training, development or judging."""
    return "judging" if task in ZOO_UNSEEN else "development" if task in ZOO_DEVELOPMENT else "training"
