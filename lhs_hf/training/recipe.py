"""Sizes and settings of a whole model, and what a work folder is told about them. Needs no torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from .. import __version__
from .._moved import moved
from ..corpus.dataset import DATA_FOLDER
from ..tasks import get_task
from .autoencoder_config import AutoencoderTrainingConfig
from .flow_config import FlowTrainingConfig
from .mapper_config import MapperTrainingConfig
from .pair_recipe import PairRecipe
from .surrogate_config import SurrogateTrainingConfig
from .training_config import seeded
from .work_folder import corpus_digest


@dataclass(frozen=True)
class Recipe:
    """Sizes and settings of a whole model.

    `variants`: streamed variants of training families for each task. `max_tokens`: longer programs are left out of
    decoder training. `corpus_repeats`: how often a corpus program comes up while a variant comes up once.
    `latent_variants`: variants a task whose latents mapper and flow are trained on too.
    """

    kind: ClassVar[str] = "model"

    tasks: tuple[str, ...]
    seed: int = 0
    variants: int = 1000
    max_tokens: int = 320
    corpus_repeats: int = 1
    latent_variants: int = 0
    encoder: dict[str, Any] = field(default_factory=dict)
    decoder: dict[str, Any] = field(default_factory=dict)
    mapper_hidden_size: int = 256
    flow_config: dict[str, Any] = field(default_factory=dict)
    autoencoder: AutoencoderTrainingConfig = field(default_factory=AutoencoderTrainingConfig)
    mapper: MapperTrainingConfig = field(default_factory=MapperTrainingConfig)
    flow: FlowTrainingConfig = field(default_factory=FlowTrainingConfig)
    surrogate: SurrogateTrainingConfig = field(default_factory=SurrogateTrainingConfig)

    def seeded(self) -> Recipe:
        """The recipe with its seed in every part's settings."""
        return seeded(self)


def fingerprint(recipe: Recipe | PairRecipe, corpus: Path | None = None) -> dict[str, Any]:
    """All that the results of a training depend on, for its `WorkFolder`.

    `corpus` counts by its programs, wherever it lies, and a task of one's own by its file. Another version of the
    package may do the same stages differently; torch and the machine change the last digits only and are recorded with
    the model.
    """
    return {
        "kind": recipe.kind,
        **asdict(seeded(recipe)),
        "corpus": corpus_digest(corpus or DATA_FOLDER, recipe.tasks),
        "task_files": {name: digest for name in recipe.tasks if (digest := get_task(name).digest)},
        "lhs_hf": __version__,
    }


_LEFT = ("ModelTraining", "STAGES", "SPACES", "signature", "row_behaviour")
__getattr__ = moved(__name__, dict.fromkeys(_LEFT, "lhs_hf.training.model_training"))
