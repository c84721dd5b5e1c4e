"""The hand-written programs of the zoo's tasks, one family each."""

from __future__ import annotations

from pathlib import Path

ZOO_SEEDS = Path(__file__).parent / "zoo_seeds"
"""Seed files of the zoo, read by `seeds_io.read_seeds(task, ZOO_SEEDS)`."""
