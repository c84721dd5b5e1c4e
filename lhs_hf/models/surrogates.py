"""The surrogates of a task: those of a model, one that a person names, a fresh one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from ..constants import SURROGATE_FOLDERS
from ..errors import CallError
from ..opening.files import inside
from .configuration_lhs import LHSSurrogateConfig
from .modeling_surrogate import LHSSurrogate

if TYPE_CHECKING:
    from ..tasks.base import Task


def load_surrogate(root: str | Path, task: Task, space: str) -> LHSSurrogate | None:
    """The surrogate of a task in a space; None for a task that is not of the paper and that the model has none for.

    Raises `CallError` for a task of the paper without one, naming the tasks that have one.
    """
    folder = Path(root) / SURROGATE_FOLDERS[space]
    if not (folder / task.name).is_dir():
        if not task.of_paper:
            return None
        existing = sorted(path.name for path in folder.glob("*") if path.is_dir())
        raise CallError(f"no surrogate for task {task.name!r} in {folder}; there are: {', '.join(existing) or 'none'}")
    surrogate = LHSSurrogate.from_pretrained(inside(folder, task.name)).eval()
    for what, stored, expected in (
        ("task", surrogate.config.task, task.name),
        ("space", surrogate.config.space, space),
    ):
        if stored not in (expected, None):
            raise CallError(f"the surrogate {folder / task.name} was made for {what} {stored!r}, not {expected!r}")
    return surrogate


def open_surrogate(folder: str | Path, task: Task, space: str, latent_size: int) -> LHSSurrogate:
    """A surrogate that a person names: a folder or a repository of the Hub, or a folder of them, one a task.

    Raises `CallError` unless it was trained for this task, this space and this width.
    """
    own = Path(folder) / task.name
    name = str(own if own.is_dir() else folder)
    surrogate = LHSSurrogate.from_pretrained(name).eval()
    for what, stored, expected in (
        ("task", surrogate.config.task, task.name),
        ("space", surrogate.config.space, space),
        ("latent size", surrogate.config.latent_size, latent_size),
    ):
        if stored != expected:
            raise CallError(f"the surrogate {name} was made for {what} {stored!r}, not {expected!r}")
    return surrogate


def fresh_surrogate(root: str | Path, task: Task, space: str, latent_size: int, seed: int = 0) -> LHSSurrogate:
    """A surrogate with random weights, for a task that has none yet.

    In the latent space its inputs are divided by the spread that the model's other surrogates have.
    """
    spreads = [
        float(LHSSurrogate.from_pretrained(folder).config.input_scale)
        for folder in sorted((Path(root) / SURROGATE_FOLDERS[space]).glob("*"))
        if space == "latent" and folder.is_dir()
    ]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = LHSSurrogateConfig(
            latent_size=latent_size,
            task=task.name,
            space=space,
            input_scale=float(np.mean(spreads)) if spreads else 1.0,
        )
        return LHSSurrogate(config).eval()
