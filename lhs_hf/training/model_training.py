"""How `lhs-tiny` is made: the stages from the corpus to a model folder.

variants -> tokenizer -> autoencoder (encoder, decoder) -> latents -> mapper, flow -> surrogates -> export
"""

from __future__ import annotations

import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import AutoTokenizer, Qwen3ForCausalLM

from ..constants import SURROGATE_FOLDERS
from ..corpus.dataset import CorpusRow, load_corpus
from ..corpus.seeds_io import Seed
from ..decoding.grammar import Signature, UnsupportedProgram, Vocabulary
from ..decoding.tokenization_lhs import ProgramTokenizer
from ..models.configuration_lhs import LHSFlowConfig, LHSMapperConfig
from ..models.encoder import ProgramEncoderModule, load_encoder
from ..models.modeling_flow import LHSFlow
from ..models.modeling_mapper import LHSMapper
from ..tasks import get_task
from .autoencoder_model import LHSAutoencoder, tiny_decoder_config
from .autoencoder_trainer import AutoencoderExample, train_autoencoder
from .data import ListSource
from .flow_trainer import gaussian_bits_per_dimension
from .mapper_trainer import MapperExample
from .provenance import last_log, provenance
from .recipe import Recipe
from .stages import MapperData, StagedTraining
from .variants import StreamedVariant, collect_variants, read_variants

STAGES = ("variants", "tokenizer", "autoencoder", "latents", "mapper", "flow", "surrogates", "export")
SPACES = tuple(SURROGATE_FOLDERS)


class ModelTraining(StagedTraining):
    """The stages of a recipe for a model of its own. `workers`: processes that stream variants."""

    recipe: Recipe
    stages = STAGES
    together = ("autoencoder", *StagedTraining.together)

    def __init__(
        self, recipe: Recipe, work: Path | str, corpus: Path | None = None, *, workers: int = 2, **options: Any
    ) -> None:
        super().__init__(recipe, work, corpus, **options)
        self.workers = workers

    def results(self, stage: str) -> tuple[str, ...]:
        """Those of the stages that all trainings have, and of the first three here."""
        if stage == "variants":
            return tuple(f"variants/{task}.parquet" for task in self.recipe.tasks)
        own = {"tokenizer": "tokenizer/tokenizer_config.json", "autoencoder": "autoencoder/parts/decoder/config.json"}
        return (own[stage],) if stage in own else super().results(stage)

    @cached_property
    def rows(self) -> list[CorpusRow]:
        """The corpus rows of the recipe's tasks."""
        return [row for task in self.recipe.tasks for row in load_corpus(task, folder=self.corpus)]

    @cached_property
    def tokenizer(self) -> ProgramTokenizer:
        """The tokenizer of this model."""
        return AutoTokenizer.from_pretrained(self.folder / "tokenizer", trust_remote_code=False)

    def _variant_file(self, task: str) -> Path:
        return self.folder / "variants" / f"{task}.parquet"

    def stage_variants(self) -> None:
        """Stream variants of the training families of every task, some tasks side by side."""
        jobs = []
        for index, task in enumerate(self.recipe.tasks):
            seeds = [
                Seed(task, row.family, row.program)
                for row in self.rows
                if row.task == task and row.tier == "seed" and row.split == "train"
            ]
            seed = 1_000_003 * (self.recipe.seed + 1) + index
            jobs.append((task, seeds, self.recipe.variants, seed, self._variant_file(task)))
        # Fresh interpreters: a fork would copy this process's torch threads in an undefined state.
        with ProcessPoolExecutor(self.workers, mp_context=get_context("spawn")) as pool:
            for future in [pool.submit(collect_variants, *job) for job in jobs]:
                future.result()

    def stage_tokenizer(self) -> None:
        """Build the vocabulary from training families and their variants."""
        folder = self.folder / "tokenizer"
        programs = [(row.program, signature(row.task)) for row in self.rows if row.split == "train"]
        for task in self.recipe.tasks:
            programs += [(variant.program, signature(task)) for variant in read_variants(self._variant_file(task))]
        classes = {task: get_task(task).problem_class for task in self.recipe.tasks}
        vocabulary = Vocabulary.build(programs, task_names=self.recipe.tasks, class_names=sorted(set(classes.values())))
        tokenizer = ProgramTokenizer.from_vocabulary(vocabulary, folder, task_classes=classes)
        tokenizer.save_pretrained(folder)
        self.log(f"vocabulary of {len(vocabulary)} actions from {len(programs)} programs")

    def _prompts(self, task: str) -> tuple[list[int], ...]:
        subjects = (task, get_task(task).problem_class, None)
        return tuple(self.tokenizer.encode_prompt(subject, signature(task)) for subject in subjects)

    def _ids(self, program: str, task: str) -> list[int] | None:
        try:
            ids = self.tokenizer.encode_program(program, signature(task))
        except UnsupportedProgram:
            return None
        return ids if len(ids) <= self.recipe.max_tokens else None

    def _examples(self, split: str) -> list[AutoencoderExample]:
        """Programs of a split: corpus rows, and for training the variants with the program they were made of."""
        prompts = {task: self._prompts(task) for task in self.recipe.tasks}
        numbers = {task: number for number, task in enumerate(self.recipe.tasks)}
        by_hash = {row.hash: row.program for row in self.rows}
        quantiles = self._quantiles()
        cached: dict[tuple[str, str], list[int] | None] = {}

        def ids_of(program: str, task: str) -> list[int] | None:
            if (program, task) not in cached:
                cached[program, task] = self._ids(program, task)
            return cached[program, task]

        found = []
        for row, quantile in zip(self.rows, quantiles):
            ids = ids_of(row.program, row.task) if row.split == split else None
            if ids is None:
                continue
            parents = [ids_of(by_hash[parent], row.task) for parent in row.parents if parent in by_hash]
            example = AutoencoderExample(
                ids,
                prompts[row.task],
                ids,
                row_behaviour(row),
                tuple(parent for parent in parents if parent is not None),
                numbers[row.task],
                quantile,
            )
            found += [example] * (self.recipe.corpus_repeats if split == "train" else 1)
        if split == "train":
            for task in self.recipe.tasks:
                for variant in read_variants(self._variant_file(task)):
                    ids = ids_of(variant.program, task)
                    if ids is not None:
                        parent = ids_of(variant.parent, task)
                        partners = () if parent is None else (parent,)
                        found.append(
                            AutoencoderExample(ids, prompts[task], ids, variant.behaviour, partners, numbers[task])
                        )
        return found

    def _quantiles(self) -> list[float]:
        """For every corpus row the share of its task's training programs that score lower, ties counted half."""
        found = []
        training = {
            task: np.sort([row.score for row in self.rows if row.split == "train" and row.task == task])
            for task in self.recipe.tasks
        }
        for row in self.rows:
            scores = training[row.task]
            below, upto = np.searchsorted(scores, row.score, "left"), np.searchsorted(scores, row.score, "right")
            found.append(float(below + upto) / (2 * len(scores)))
        return found

    def _new_autoencoder(self) -> LHSAutoencoder:
        torch.manual_seed(self.recipe.seed)
        config = tiny_decoder_config(
            len(self.tokenizer),
            pad_token_id=self.tokenizer.pad_token_id,
            bos_token_id=self.tokenizer.bos_token_id,
            eos_token_id=self.tokenizer.eos_token_id,
            **self.recipe.decoder,
        )
        encoder = ProgramEncoderModule(self.tokenizer, **self.recipe.encoder)
        mapper = LHSMapper(
            LHSMapperConfig(
                latent_size=encoder.latent_size,
                hidden_size=self.recipe.mapper_hidden_size,
                output_size=config.hidden_size,
            )
        )
        return LHSAutoencoder(encoder, mapper, Qwen3ForCausalLM(config), len(self.recipe.tasks))

    def stage_autoencoder(self) -> None:
        """Train encoder and decoder together, with a mapper between them."""
        model = self._new_autoencoder()
        examples = self._examples("train")
        size = sum(parameter.numel() for parameter in model.parameters())
        self.log(f"autoencoder: {size} parameters, {len(examples)} programs")
        train_autoencoder(
            model,
            ListSource(examples, lambda example: len(example.program_ids)),
            self._examples("validation"),
            self.recipe.autoencoder,
            self.folder / "autoencoder",
            progress=self.progress,
        )
        if not self.processes.first:
            return
        temporary = self.folder / "autoencoder" / "parts.part"
        model.save_parts(temporary)
        self.tokenizer.save_pretrained(temporary / "decoder")
        shutil.rmtree(self._parts(), ignore_errors=True)
        temporary.rename(self._parts())

    def _parts(self) -> Path:
        return self.folder / "autoencoder" / "parts"

    def encode(self) -> dict[str, Tensor]:
        """Latents of the corpus and of some variants."""
        encoder = load_encoder(str(self._parts() / "encoder"), device="cpu")
        items = [{"program": row.program, "task": row.task, "behaviour": row_behaviour(row)} for row in self.rows]
        items += [{"program": v.program, "task": v.task, "behaviour": v.behaviour} for v in self.encoded_variants]
        latents = encoder.encode(items, convert_to_tensor=True, show_progress_bar=self.progress).float()
        return {"z": latents[: len(self.rows)].clone(), "variants": latents[len(self.rows) :].clone()}

    @cached_property
    def encoded_variants(self) -> list[StreamedVariant]:
        """The variants whose latents mapper and flow are trained on."""
        most = self.recipe.latent_variants
        return [each for task in self.recipe.tasks if most for each in read_variants(self._variant_file(task))[:most]]

    def mapper_data(self) -> MapperData:
        """The programs that have latents; the mapper of the joint training is trained on."""
        parts = self._parts()
        prompts = {task: self._prompts(task) for task in self.recipe.tasks}

        def examples(split: str) -> list[MapperExample]:
            rows = self.of_split(split)
            programs = [(self.latents[i], self.rows[i].program, self.rows[i].task) for i in rows]
            if split == "train":
                programs += [(z, v.program, v.task) for z, v in zip(self.variant_latents, self.encoded_variants)]
            encoded = [(z, task, self._ids(program, task)) for z, program, task in programs]
            return [MapperExample(z, prompts[task], ids) for z, task, ids in encoded if ids is not None]

        return MapperData(
            examples("train"),
            examples("validation"),
            Qwen3ForCausalLM.from_pretrained(parts / "decoder", trust_remote_code=False),
            LHSMapper.from_pretrained(parts / "mapper"),
        )

    def flow_config(self) -> LHSFlowConfig:
        """The recipe's."""
        return LHSFlowConfig(latent_size=self.latents.shape[1], **self.recipe.flow_config)

    def model_values(self) -> dict[str, Any]:
        """Nothing: encoder and decoder lie in the model folder."""
        return {}

    def add_parts(self, target: Path) -> None:
        """Encoder and decoder."""
        for part in ("encoder", "decoder"):
            shutil.copytree(self._parts() / part, target / part)

    def record(self) -> dict[str, Any]:
        """How the model was made and what validation families say about its parts."""
        return {
            **provenance("lhs-hf train all", self.recipe.seed),
            "recipe": asdict(self.recipe),
            "stages": self.folder.notes(),
            "flow": self.flow_report(),
            "parts": {name: last_log(self.folder / name) for name in ("autoencoder", "mapper", "flow")},
            "surrogates": {
                space: {task: last_log(self.folder / name / task) for task in self.recipe.tasks}
                for space, name in SURROGATE_FOLDERS.items()
            },
        }

    def flow_report(self) -> dict[str, float]:
        """Bits a dimension on the test families (with the training noise) beside a full-covariance Gaussian's."""
        flow = LHSFlow.from_pretrained(self.folder / "flow").eval()
        noise = self.recipe.flow.noise
        train = torch.cat([self.latents[self.of_split("train")], self.variant_latents])
        test = self.latents[self.of_split("test")]
        generator = torch.Generator().manual_seed(self.recipe.seed)
        noisy = test + noise * torch.randn(test.shape, generator=generator)
        with torch.no_grad():
            bits = float(flow.bits_per_dimension(noisy))
            error = float((flow.inverse(flow(self.latents).u) - self.latents).abs().max())
            double = LHSFlow.from_pretrained(self.folder / "flow").eval().double()
            exact = self.latents.double()
            error_double = float((double.inverse(double(exact).u) - exact).abs().max())
        return {
            "noise": noise,
            "test_bits_per_dimension": bits,
            "test_gaussian_bits_per_dimension": gaussian_bits_per_dimension(train, noisy, noise),
            "inverse_error_float32": error,
            "inverse_error_float64": error_double,
        }


def signature(task: str) -> Signature:
    """The function a program of a task defines."""
    known = get_task(task)
    return Signature(known.function_name, tuple(known.arguments))


def row_behaviour(row: CorpusRow) -> np.ndarray:
    """The behaviour of a corpus row as the encoder reads it, (64, 8) float32."""
    return np.asarray(row.behaviour, dtype=np.float32).reshape(-1, 8)
