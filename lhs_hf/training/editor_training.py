"""How the editor of a model is made: the stages from the corpus to its folder.

programs -> latents, edits -> editor -> export
"""

from __future__ import annotations

import json
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

from ..corpus.dataset import DATA_FOLDER, CorpusRow, load_corpus
from ..models.composite import OpenedModel, open_model
from ..models.configuration_editor import LHSEditorConfig
from ..models.encoder import ProgramEncoderModule
from ..models.encoding import encode_programs
from ..models.modeling_editor import LHSEditor
from ..opening.folders import replacing
from ..reporting.identity import model_digest
from ..tasks import get_task, task_names
from .editor_config import EditorTrainingConfig
from .editor_data import EditExample, EditPairs, ProgramTables, TokenWords, read_edits, write_edits
from .editor_programs import EditedProgram, collect_programs, read_programs
from .editor_trainer import start_from_encoder, train_editor
from .provenance import last_log, provenance, stage_note
from .training_config import seeded
from .work_folder import EXPORT, LATENTS, WorkFolder, corpus_digest

SKETCHES = "sketches.safetensors"


@dataclass(frozen=True)
class EditorRecipe:
    """Sizes and settings of an editor.

    Attributes:
        tasks: whose corpus programs are edited.
        programs, held_out: edited programs a task, of training families and of validation families.
        parents, edits: programs a task whose edits into others of their family are learned, and how many of each.
        fewest: parents with fewer edits are left out: what is read of a parent serves all of them.
        judged: held-out edits that decide which weights are kept.
        actions, tokens: longer edits, and edits of longer parents, are left out.
        editor: fields of the `LHSEditorConfig` that are set otherwise.
    """

    tasks: tuple[str, ...] = field(default_factory=task_names)
    seed: int = 0
    programs: int = 1500
    held_out: int = 150
    parents: int = 1000
    edits: int = 8
    fewest: int = 4
    actions: int = 24
    tokens: int = 256
    judged: int = 300
    editor: dict[str, Any] = field(default_factory=dict)
    training: EditorTrainingConfig = field(default_factory=EditorTrainingConfig)


class EditorTraining:
    """The stages of a recipe in a work folder, for a model with an encoder, a flow and a program tokenizer.

    A stage that is complete is passed over; one that was interrupted goes on where it was and ends with the same files.
    Raises `CallError` for a work folder that was begun with another recipe or model.
    """

    stages = ("programs", "latents", "edits", "editor", "export")

    def __init__(
        self,
        recipe: EditorRecipe,
        work: Path | str,
        model: OpenedModel | str = "lhs-tiny",
        *,
        log: Callable[[str], None] = print,
        progress: bool = True,
    ) -> None:
        self.recipe = seeded(recipe)
        self.model = open_model(model)
        corpus = corpus_digest(DATA_FOLDER, recipe.tasks)
        known = {"kind": "editor", "model": model_digest(self.model.folder), **asdict(self.recipe), "corpus": corpus}
        self.folder = WorkFolder(work, known)
        self.log, self.progress = log, progress

    def run(self) -> None:
        """Run all stages in order."""
        self.folder.begin()
        for stage in self.stages:
            results = self._results(stage)
            if self.folder.is_complete(stage, results):
                self.log(f"stage {stage}: complete")
                continue
            self.log(f"stage {stage}")
            started = time.monotonic()
            getattr(self, f"_{stage}")()
            self.folder.complete(stage, stage_note(time.monotonic() - started))

    def _results(self, stage: str) -> tuple[str, ...]:
        files = {
            "programs": [f"{split}/{task}.parquet" for split, task in self._parts()],
            "latents": [LATENTS],
            "edits": ["train-edits.parquet", "validation-edits.parquet", SKETCHES],
            "editor": ["editor/config.json", "editor/training_log.json"],
            "export": [f"{EXPORT}/config.json"],
        }
        return tuple(files[stage])

    def _parts(self) -> Iterator[tuple[str, str]]:
        for split in ("train", "validation"):
            for task in self.recipe.tasks:
                yield split, task

    @cached_property
    def _programs_of(self) -> dict[tuple[str, str], list[EditedProgram]]:
        return {part: read_programs(self.folder / f"{part[0]}/{part[1]}.parquet") for part in self._parts()}

    def _rows(self, task: str, split: str) -> list[CorpusRow]:
        return load_corpus(task, split)

    def _programs(self) -> None:
        """Edit programs of the corpus, and run what comes out on the probes."""
        for number, (split, task) in enumerate(self._parts()):
            count = self.recipe.programs if split == "train" else self.recipe.held_out
            seed = 1_000_003 * (self.recipe.seed + 1) + number
            path = self.folder / f"{split}/{task}.parquet"
            total = collect_programs(get_task(task), self._rows(task, split), count, seed, path)
            self.log(f"{task} ({split}): {total} programs")

    def _latents(self) -> None:
        """Encode all programs."""
        tables: dict[str, list[Tensor]] = {"train": [], "validation": []}
        for (split, name), programs in self._programs_of.items():
            task = get_task(name)
            # Programs of similar length together: padding costs as much as tokens.
            order = sorted(range(len(programs)), key=lambda place: len(programs[place].program))
            latents = torch.zeros(len(programs), self.model.config.flow_config.latent_size)
            for start in range(0, len(order), 64):
                part = order[start : start + 64]
                latents[part] = encode_programs(
                    self.model.encoder(),
                    [programs[place].program for place in part],
                    task,
                    behaviours=[programs[place].behaviour for place in part],
                    normalize=self.model.config.latent_normalized,
                )
            tables[split].append(latents)
        with replacing(self.folder / LATENTS) as temporary:
            save_file({split: torch.cat(parts) for split, parts in tables.items()}, temporary)

    def _edits(self) -> None:
        """Write down what turns programs into others."""
        recipe, tokenizer = self.recipe, self.model.decoder()[1]
        config = self._config(len(tokenizer.vocabulary))
        limited = replace_sizes(config, recipe.actions, recipe.tokens)
        found: dict[str, list[EditExample]] = {"train": [], "validation": []}
        sketches: dict[str, list[Tensor]] = {"train": [], "validation": []}
        offsets = {"train": 0, "validation": 0}
        for number, ((split, task), programs) in enumerate(self._programs_of.items()):
            scores = np.array([row.score for row in self._rows(task, "train")])
            pairs = EditPairs(programs, scores, tokenizer, limited, offsets[split])
            edits = list(pairs.edits())
            sketches[split].append(pairs.sketches())
            if split == "train":
                generator = np.random.default_rng((recipe.seed, number))
                edits += list(pairs.related(generator, recipe.parents, recipe.edits))
            found[split] += {(edit.parent, edit.child): edit for edit in edits}.values()
            offsets[split] += len(programs)
        counts = Counter(edit.parent for edit in found["train"])
        found["train"] = [edit for edit in found["train"] if counts[edit.parent] >= recipe.fewest]
        for split, edits in found.items():
            write_edits(edits, self.folder / f"{split}-edits.parquet")
            self.log(f"{len(edits)} edits ({split})")
        with replacing(self.folder / SKETCHES) as temporary:
            save_file({split: torch.cat(parts) for split, parts in sketches.items()}, temporary)

    def _config(self, vocab_size: int) -> LHSEditorConfig:
        latent_size = self.model.config.flow_config.latent_size
        return LHSEditorConfig(vocab_size=vocab_size, latent_size=latent_size, **self.recipe.editor)

    def _editor(self) -> None:
        """Train the editor on the edits."""
        train, valid = (read_edits(self.folder / f"{split}-edits.parquet") for split in ("train", "validation"))
        latents = load_file(self.folder / LATENTS)
        torch.manual_seed(self.recipe.seed)
        editor = LHSEditor(self._config(len(self.model.decoder()[1].vocabulary)))
        editor.fit_latents(latents["train"])
        encoder = self.model.encoder()[0]
        if isinstance(encoder, ProgramEncoderModule):
            start_from_encoder(editor, encoder)
        valid = valid[:: max(1, len(valid) // self.recipe.judged)]
        sketches = load_file(self.folder / SKETCHES)
        nothing = editor.latent_mean.clone()
        tables = {
            "train": ProgramTables(latents["train"], sketches["train"], nothing),
            "valid": ProgramTables(latents["validation"], sketches["validation"], nothing),
        }
        words = TokenWords.of(self.model.decoder()[1].vocabulary, editor.config.sketch_buckets)
        result = train_editor(
            editor, train, valid, tables, words, self.recipe.training, self.folder / "editor", progress=self.progress
        )
        editor.cpu().save_pretrained(self.folder / "editor")
        self.log(f"editor: {result.best_metric:.2f} nats a held-out edit at step {result.best_step}")

    def _export(self) -> None:
        """The editor in half precision: a folder to put into that of its model, with a record of how it was made."""
        target, temporary = self.folder / EXPORT, self.folder / f"{EXPORT}.part"
        shutil.rmtree(temporary, ignore_errors=True)
        editor = LHSEditor.from_pretrained(self.folder / "editor")
        editor.to(torch.bfloat16).save_pretrained(temporary)
        (temporary / "training.json").write_text(json.dumps(self._record(), indent=1) + "\n")
        shutil.rmtree(target, ignore_errors=True)
        temporary.rename(target)

    def _record(self) -> dict[str, Any]:
        return {
            **provenance("lhs-hf train editor", self.recipe.seed),
            "recipe": asdict(self.recipe),
            "stages": self.folder.notes(),
            "editor": last_log(self.folder / "editor"),
        }


def replace_sizes(config: LHSEditorConfig, actions: int, tokens: int) -> LHSEditorConfig:
    """A configuration for edits of at most so many actions, of parents of at most so many tokens with their prompt."""
    values = {**config.to_dict(), "max_actions": actions, "max_program_tokens": tokens}
    names = set(LHSEditorConfig.bounds)
    return LHSEditorConfig(**{name: value for name, value in values.items() if name in names})


def editor_recipe(preset: str = "lhs-tiny", tasks: Sequence[str] | None = None, seed: int = 0) -> EditorRecipe:
    """The recipe of the editor that ships, or "smoke": every stage in a minute, and nothing useful."""
    recipe = EditorRecipe(tuple(tasks) if tasks else task_names(), seed)
    if preset != "smoke":
        return recipe
    return replace(
        recipe,
        programs=30,
        held_out=10,
        parents=20,
        fewest=2,
        training=EditorTrainingConfig(steps=4, evaluate_every=2, batch_size=4, precision="float32"),
    )
