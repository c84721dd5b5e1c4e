"""The stages that every training has: from the programs' latents to a model folder, each resumable, each on its own.

    latents -> mapper, flow -> surrogates -> export

A stage reads what earlier ones left in the work folder. One that is complete is passed over; one that was interrupted
goes on where it was and ends with the same files.
"""

from __future__ import annotations

import json
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from ..constants import SURROGATE_FOLDERS
from ..corpus.dataset import DATA_FOLDER, CorpusRow
from ..models.configuration_lhs import LHSConfig, LHSFlowConfig
from ..models.modeling_flow import LHSFlow
from ..models.modeling_lhs import LHSModel
from ..models.modeling_mapper import LHSMapper
from ..opening.folders import replacing
from .data import ListSource
from .flow_trainer import train_flow
from .mapper_trainer import MapperExample, train_mapper
from .processes import Processes
from .provenance import stage_note
from .recipe import fingerprint
from .surrogate_trainer import Scored, train_surrogate
from .training_config import seeded
from .work_folder import EXPORT, LATENTS, WorkFolder


@dataclass(frozen=True)
class MapperData:
    """What a mapper is trained on: programs of training and of other families, a frozen decoder, a mapper to start."""

    train: Sequence[MapperExample]
    valid: Sequence[MapperExample]
    decoder: Any
    start: LHSMapper | None = None


class StagedTraining(ABC):
    """Stages of a recipe in a work folder, over a corpus folder (None for the one that ships).

    `log` is called with one line about what happens. Raises `CallError` for a work folder that was begun with another
    recipe; nothing is written before `run`.
    """

    stages: ClassVar[tuple[str, ...]]
    together: ClassVar[tuple[str, ...]] = ("mapper", "flow", "surrogates")
    """Stages that all processes of a training run; the first one runs the others alone."""

    def __init__(
        self,
        recipe: Any,
        work: Path | str,
        corpus: Path | None = None,
        *,
        log: Callable[[str], None] = print,
        progress: bool = True,
    ) -> None:
        self.recipe = seeded(recipe)
        self.folder = WorkFolder(work, fingerprint(recipe, corpus))
        self.corpus = corpus or DATA_FOLDER
        self.processes = Processes()
        # One process tells what happens.
        self.log = log if self.processes.first else lambda line: None
        self.progress = progress and self.processes.first

    def run(self, stages: Sequence[str] | None = None) -> None:
        """Run stages in order (default: all); what is known about each stands in `stages.json` afterwards.

        Raises `FileNotFoundError` for a corpus without one of the tasks, before anything is written.
        """
        self.log(f"{len(self.rows)} programs of the corpus")
        if self.processes.first:
            self.folder.begin()
        for name in self.stages if stages is None else stages:
            if self.processes.agree(self.folder.is_complete(name, self.results(name))):
                self.log(f"stage {name}: complete")
                continue
            self.log(f"stage {name}")
            started = time.monotonic()
            if self.processes.first or name in self.together:
                getattr(self, f"stage_{name}")()
            self.processes.wait()
            if self.processes.first:
                self.folder.complete(name, stage_note(time.monotonic() - started))
        self.processes.wait()

    def _save(self, model: Any, name: str) -> None:
        """Write a trained model into a folder of the work folder."""
        if self.processes.first:
            model.cpu().save_pretrained(self.folder / name)
        self.processes.wait()

    def results(self, stage: str) -> tuple[str, ...]:
        """Paths in the work folder that a complete stage has left; none for a stage that is quick and always done."""
        if stage == "surrogates":
            names = SURROGATE_FOLDERS.values()
            return tuple(f"{name}/{task}/config.json" for name in names for task in self.recipe.tasks)
        return {"latents": (LATENTS,), "mapper": ("mapper/config.json",), "flow": ("flow/config.json",)}.get(stage, ())

    @property
    @abstractmethod
    def rows(self) -> list[CorpusRow]:
        """The corpus rows that are used."""

    @abstractmethod
    def encode(self) -> dict[str, Tensor]:
        """Latents float32 on the processor: "z" (rows, d), and "variants" (M, d) of further training programs."""

    @abstractmethod
    def mapper_data(self) -> MapperData:
        """What the mapper is trained on."""

    @abstractmethod
    def model_values(self) -> dict[str, Any]:
        """What the configuration of the model says beside its flow and mapper."""

    @abstractmethod
    def record(self) -> dict[str, Any]:
        """How the model was made, as plain data."""

    def flow_config(self) -> LHSFlowConfig | None:
        """The configuration of the flow, None for the paper's."""
        return None

    def add_parts(self, target: Path) -> None:  # noqa: B027  (a model may name its parts and hold none)
        """Copy into a model folder what it holds beside flow, mapper and surrogates."""

    @cached_property
    def _stored_latents(self) -> dict[str, Tensor]:
        return load_file(self.folder / LATENTS)

    @property
    def latents(self) -> Tensor:
        """z of every row, (rows, d) float32."""
        return self._stored_latents["z"]

    @property
    def variant_latents(self) -> Tensor:
        """z of further training programs, (M, d) float32."""
        return self._stored_latents.get("variants", self.latents[:0])

    def of_split(self, split: str, task: str | None = None) -> list[int]:
        """Numbers of the rows of a split, of one task or of all."""
        return [i for i, row in enumerate(self.rows) if row.split == split and task in (None, row.task)]

    def stage_latents(self) -> None:
        """Encode every program."""
        with replacing(self.folder / LATENTS) as temporary:
            save_file(self.encode(), temporary)

    def stage_mapper(self) -> None:
        """Train the mapper by teacher forcing, encoder and decoder frozen (paper, section 3.2)."""
        data = self.mapper_data()
        mapper, result = train_mapper(
            ListSource(data.train, lambda example: len(example.program_ids)),
            data.valid,
            data.decoder,
            self.recipe.mapper,
            self.folder / "mapper",
            start=data.start,
            progress=self.progress,
        )
        self._save(mapper, "mapper")
        self.log(f"mapper: validation loss {result.best_metric:.3f} nats a token at step {result.best_step}")

    def stage_flow(self) -> None:
        """Fit the flow to the latents of all training programs (paper, section 3.3)."""
        train = torch.cat([self.latents[self.of_split("train")], self.variant_latents])
        valid = self.latents[self.of_split("validation")]
        flow, result = train_flow(
            train, valid, self.recipe.flow, self.folder / "flow", config=self.flow_config(), progress=self.progress
        )
        self._save(flow, "flow")
        self.log(f"flow: {result.best_metric:.3f} validation bits a dimension at step {result.best_step}")

    def stage_surrogates(self) -> None:
        """Train the surrogates of every task in both spaces (paper, section 3.4)."""
        for task in self.recipe.tasks:
            self.train_surrogate(task)

    def train_surrogate(self, task: str) -> None:
        """Train the surrogates of one task: on u = F(z), and on z for the No-Flow variant."""
        flow = LHSFlow.from_pretrained(self.folder / "flow").eval()
        with torch.no_grad():
            points = {"prior": flow(self.latents).u, "latent": self.latents}
        scores = torch.tensor([row.score for row in self.rows], dtype=torch.float64)
        train, valid = self.of_split("train", task), self.of_split("validation", task)
        for space, name in SURROGATE_FOLDERS.items():
            surrogate, result = train_surrogate(
                Scored(points[space][train], scores[train]),
                Scored(points[space][valid], scores[valid]),
                replace(self.recipe.surrogate, space=space),
                self.folder / name / task,
                task=task,
                progress=False,
            )
            self._save(surrogate, f"{name}/{task}")
            self.log(f"surrogate {task} ({space}): selection {result.best_metric:.3f} at step {result.best_step}")

    def stage_export(self) -> None:
        """Assemble the model folder `export/`, with a record of how it was made."""
        target, temporary = self.folder / EXPORT, self.folder / f"{EXPORT}.part"
        shutil.rmtree(temporary, ignore_errors=True)
        flow = LHSFlow.from_pretrained(self.folder / "flow")
        mapper = LHSMapper.from_pretrained(self.folder / "mapper")
        configs = {"flow_config": flow.config.to_dict(), "mapper_config": mapper.config.to_dict()}
        model = LHSModel(LHSConfig(**configs, **self.model_values()))
        model.flow.load_state_dict(flow.state_dict())
        model.mapper.load_state_dict(mapper.state_dict())
        model.save_pretrained(temporary)
        self.add_parts(temporary)
        for name in SURROGATE_FOLDERS.values():
            for task in self.recipe.tasks:
                ignored = shutil.ignore_patterns("training_*")
                shutil.copytree(self.folder / name / task, temporary / name / task, ignore=ignored)
        (temporary / "training.json").write_text(json.dumps(self.record(), indent=1) + "\n")
        shutil.rmtree(target, ignore_errors=True)
        temporary.rename(target)
