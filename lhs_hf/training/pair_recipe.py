"""Recipes for the parts between a frozen encoder and a frozen decoder. Needs no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from ..errors import unknown
from ..tasks import task_names
from .flow_config import FlowTrainingConfig
from .mapper_config import MapperTrainingConfig
from .surrogate_config import SurrogateTrainingConfig
from .training_config import seeded

PRESETS = ("pair", "smoke")


@dataclass(frozen=True)
class PairRecipe:
    """Which models, which tasks, and how the parts between them are trained.

    Attributes:
        encoder, decoder: folder or repository id, with an optional `_revision` each.
        tasks: whose corpus programs are used.
        max_tokens: longer replies are left out of mapper training.
        programs: most programs of a task and split, None for all.
    """

    kind: ClassVar[str] = "pair"

    encoder: str
    decoder: str
    tasks: tuple[str, ...]
    encoder_revision: str | None = None
    decoder_revision: str | None = None
    seed: int = 0
    max_tokens: int = 768
    programs: int | None = None
    # A few programs a step: the decoder's activations are what fills the memory.
    mapper: MapperTrainingConfig = field(
        default_factory=lambda: MapperTrainingConfig(steps=4000, batch_size=4, evaluate_every=400, precision="bfloat16")
    )
    flow: FlowTrainingConfig = field(default_factory=lambda: FlowTrainingConfig(noise=0.02))
    surrogate: SurrogateTrainingConfig = field(default_factory=SurrogateTrainingConfig)


def pair_recipe(
    encoder: str, decoder: str, preset: str = "pair", tasks: Sequence[str] | None = None, seed: int = 0
) -> PairRecipe:
    """The recipe called `preset` for an encoder and a decoder.

    "pair" has the settings of the paper; "smoke" runs every stage quickly on a few programs and makes nothing useful.
    Raises `CallError` for an unknown preset.
    """
    recipe = PairRecipe(_name(encoder), _name(decoder), tuple(tasks) if tasks else task_names(), seed=seed)
    if preset == "smoke":
        short: dict[str, Any] = {"steps": 4, "evaluate_every": 2}
        recipe = replace(
            recipe,
            programs=8,
            mapper=MapperTrainingConfig(batch_size=2, **short),
            flow=FlowTrainingConfig(**short),
            surrogate=SurrogateTrainingConfig(**short),
        )
    elif preset != "pair":
        raise unknown("training preset for a pair", preset, PRESETS)
    return seeded(recipe)


def _name(model: str) -> str:
    """A folder by its absolute path, since the trained model has to find it again; a repository id as it is."""
    return str(Path(model).resolve()) if Path(model).is_dir() else model
