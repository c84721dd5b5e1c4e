"""How `lhs-tiny` is made: the stages from the corpus to a model folder, each resumable, each on its own.

    variants -> tokenizer -> autoencoder (encoder, decoder) -> latents -> mapper, flow -> surrogates -> export

Every stage reads what earlier ones left in the work folder and does nothing if its own result is complete.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from transformers import AutoTokenizer, Qwen3ForCausalLM

from ..corpus.dataset import DATA_FOLDER, CorpusRow, load_corpus
from ..corpus.seeds_io import Seed
from ..decoding.grammar import Signature, UnsupportedProgram, Vocabulary
from ..decoding.tokenization_lhs import ProgramTokenizer
from ..models.configuration_lhs import LHSConfig, LHSFlowConfig, LHSMapperConfig
from ..models.encoder import ProgramEncoderModule, load_encoder
from ..models.modeling_flow import LHSFlow
from ..models.modeling_lhs import LHSModel
from ..models.modeling_mapper import LHSMapper
from ..tasks import get_task
from .autoencoder import (
    AutoencoderExample,
    AutoencoderSettings,
    LHSAutoencoder,
    tiny_decoder_config,
    train_autoencoder,
)
from .data import ListSource
from .flow import FlowSettings, gaussian_bits_per_dimension, train_flow
from .mapper import MapperExample, MapperSettings, train_mapper
from .surrogate import SurrogateSettings, train_surrogate
from .variants import StreamedVariant, collect_variants, read_variants

STAGES = ("variants", "tokenizer", "autoencoder", "latents", "mapper", "flow", "surrogates", "export")
SPACES = ("prior", "latent")


@dataclass(frozen=True)
class Recipe:
    """Sizes and settings of a whole model.

    `variants`: streamed variants of training families for each task. `max_tokens`: longer programs are left out of
    decoder training. `corpus_repeats`: how often a corpus program comes up while a variant comes up once.
    `latent_variants`: variants a task whose latents mapper and flow are trained on too.
    """

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
    autoencoder: AutoencoderSettings = field(default_factory=AutoencoderSettings)
    mapper: MapperSettings = field(default_factory=MapperSettings)
    flow: FlowSettings = field(default_factory=FlowSettings)
    surrogate: SurrogateSettings = field(default_factory=SurrogateSettings)

    def seeded(self) -> Recipe:
        """The recipe with its seed in every part's settings."""
        parts = {
            name: replace(getattr(self, name), seed=self.seed)
            for name in ("autoencoder", "mapper", "flow", "surrogate")
        }
        return replace(self, **parts)


class ModelTraining:
    """The stages of a recipe in a work folder, over a corpus folder (None for the one that ships).

    `log` is called with one line about what happens.
    """

    def __init__(
        self,
        recipe: Recipe,
        work: Path | str,
        corpus: Path | None = None,
        *,
        log: Callable[[str], None] = print,
        progress: bool = True,
        workers: int = 2,
    ) -> None:
        self.recipe = recipe.seeded()
        self.work = Path(work)
        self.corpus = corpus
        self.log = log
        self.progress = progress
        self.workers = workers
        self.work.mkdir(parents=True, exist_ok=True)

    def run(self, stages: Sequence[str] = STAGES) -> None:
        """Run stages in order. Each is logged with its time in `stages.json`."""
        for name in stages:
            started = time.monotonic()
            self.log(f"stage {name}")
            getattr(self, f"stage_{name}")()
            self._note(name, time.monotonic() - started)

    def _note(self, stage: str, seconds: float) -> None:
        path = self.work / "stages.json"
        notes = json.loads(path.read_text()) if path.exists() else {}
        # A stage that was complete takes no time; its first record stays.
        if stage not in notes or seconds > notes[stage]["seconds"]:
            notes[stage] = {"seconds": round(seconds, 1), "threads": torch.get_num_threads(), "commit": _commit()}
        path.write_text(json.dumps(notes, indent=1) + "\n")

    # -- data --------------------------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> list[CorpusRow]:
        """The corpus rows of the recipe's tasks."""
        return [row for task in self.recipe.tasks for row in load_corpus(task, folder=self.corpus or DATA_FOLDER)]

    @cached_property
    def tokenizer(self) -> ProgramTokenizer:
        """The tokenizer of this model."""
        return AutoTokenizer.from_pretrained(self.work / "tokenizer", trust_remote_code=False)

    def _variant_file(self, task: str) -> Path:
        return self.work / "variants" / f"{task}.parquet"

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
        folder = self.work / "tokenizer"
        if (folder / "tokenizer_config.json").exists():
            return
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

    # -- parts -------------------------------------------------------------------------------------------------------

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
        if (self._parts() / "decoder" / "config.json").exists():
            return
        model = self._new_autoencoder()
        examples = self._examples("train")
        size = sum(parameter.numel() for parameter in model.parameters())
        self.log(f"autoencoder: {size} parameters, {len(examples)} programs")
        train_autoencoder(
            model,
            ListSource(examples, lambda example: len(example.program_ids)),
            self._examples("validation"),
            self.recipe.autoencoder,
            self.work / "autoencoder",
            progress=self.progress,
        )
        temporary = self.work / "autoencoder" / "parts.part"
        model.save_parts(temporary)
        self.tokenizer.save_pretrained(temporary / "decoder")
        os.replace(temporary, self._parts())

    def _parts(self) -> Path:
        return self.work / "autoencoder" / "parts"

    def stage_latents(self) -> None:
        """Encode every corpus program and some variants."""
        path = self.work / "latents.safetensors"
        if path.exists():
            return
        encoder = load_encoder(str(self._parts() / "encoder"), device="cpu")
        items = [{"program": row.program, "task": row.task, "behaviour": row_behaviour(row)} for row in self.rows]
        items += [{"program": v.program, "task": v.task, "behaviour": v.behaviour} for v in self.encoded_variants]
        latents = encoder.encode(items, convert_to_tensor=True, show_progress_bar=self.progress).float()
        save_file({"z": latents[: len(self.rows)].clone(), "variants": latents[len(self.rows) :].clone()}, path)

    @cached_property
    def encoded_variants(self) -> list[StreamedVariant]:
        """The variants whose latents mapper and flow are trained on."""
        most = self.recipe.latent_variants
        return [each for task in self.recipe.tasks if most for each in read_variants(self._variant_file(task))[:most]]

    @cached_property
    def latents(self) -> Tensor:
        """z of every corpus row, (rows, d) float32."""
        return load_file(self.work / "latents.safetensors")["z"]

    @cached_property
    def variant_latents(self) -> Tensor:
        """z of `encoded_variants`, (variants, d) float32."""
        return load_file(self.work / "latents.safetensors")["variants"]

    def _of_split(self, split: str, task: str | None = None) -> list[int]:
        return [i for i, row in enumerate(self.rows) if row.split == split and task in (None, row.task)]

    def stage_mapper(self) -> None:
        """Train the mapper on, with encoder and decoder frozen (paper, section 3.2)."""
        parts = self._parts()
        if (self.work / "mapper" / "config.json").exists():
            return
        decoder = Qwen3ForCausalLM.from_pretrained(parts / "decoder", trust_remote_code=False)
        initial = LHSMapper.from_pretrained(parts / "mapper")
        prompts = {task: self._prompts(task) for task in self.recipe.tasks}
        examples: dict[str, list[MapperExample]] = {}
        for split in ("train", "validation"):
            found = [(i, self._ids(self.rows[i].program, self.rows[i].task)) for i in self._of_split(split)]
            examples[split] = [
                MapperExample(self.latents[i], prompts[self.rows[i].task], ids) for i, ids in found if ids is not None
            ]
        for z, variant in zip(self.variant_latents, self.encoded_variants):
            ids = self._ids(variant.program, variant.task)
            if ids is not None:
                examples["train"].append(MapperExample(z, prompts[variant.task], ids))
        source = ListSource(examples["train"], lambda example: len(example.program_ids))
        mapper, _ = train_mapper(
            source,
            examples["validation"],
            decoder,
            self.recipe.mapper,
            self.work / "mapper",
            initial=initial,
            progress=self.progress,
        )
        mapper.save_pretrained(self.work / "mapper")

    def stage_flow(self) -> None:
        """Fit the flow to the training latents of all tasks."""
        if (self.work / "flow" / "config.json").exists():
            return
        flow, _ = train_flow(
            torch.cat([self.latents[self._of_split("train")], self.variant_latents]),
            self.latents[self._of_split("validation")],
            self.recipe.flow,
            self.work / "flow",
            config=LHSFlowConfig(latent_size=self.latents.shape[1], **self.recipe.flow_config),
            progress=self.progress,
        )
        flow.save_pretrained(self.work / "flow")

    def stage_surrogates(self) -> None:
        """Train the surrogate of every task in both spaces."""
        for task in self.recipe.tasks:
            self.train_surrogate(task)

    def train_surrogate(self, task: str) -> None:
        """Train the surrogates of one task: on u = F(z), and on z for the No-Flow variant."""
        flow = LHSFlow.from_pretrained(self.work / "flow").eval()
        scores = torch.tensor([row.score for row in self.rows], dtype=torch.float64)
        for space in SPACES:
            folder = self.work / "surrogates" / space / task
            if (folder / "config.json").exists():
                continue
            with torch.no_grad():
                points = flow(self.latents).u if space == "prior" else self.latents
            train, valid = self._of_split("train", task), self._of_split("validation", task)
            surrogate, result = train_surrogate(
                points[train],
                scores[train],
                points[valid],
                scores[valid],
                replace(self.recipe.surrogate, space=space),
                folder,
                task=task,
                progress=False,
            )
            surrogate.save_pretrained(folder)
            self.log(f"surrogate {task} ({space}): selection {result.best_metric:.3f} at step {result.best_step}")

    # -- the model folder --------------------------------------------------------------------------------------------

    def stage_export(self) -> None:
        """Assemble the model folder `export/`, with a record of how it was made."""
        import shutil

        target = self.work / "export"
        shutil.rmtree(target, ignore_errors=True)
        flow = LHSFlow.from_pretrained(self.work / "flow")
        mapper = LHSMapper.from_pretrained(self.work / "mapper")
        model = LHSModel(LHSConfig(flow_config=flow.config.to_dict(), mapper_config=mapper.config.to_dict()))
        model.flow.load_state_dict(flow.state_dict())
        model.mapper.load_state_dict(mapper.state_dict())
        model.save_pretrained(target)
        for part in ("encoder", "decoder"):
            shutil.copytree(self._parts() / part, target / part)
        for space, name in zip(SPACES, ("surrogates", "surrogates-latent")):
            for task in self.recipe.tasks:
                shutil.copytree(
                    self.work / "surrogates" / space / task,
                    target / name / task,
                    ignore=shutil.ignore_patterns("training_*"),
                )
        (target / "training.json").write_text(json.dumps(self.record(), indent=1) + "\n")

    def record(self) -> dict[str, Any]:
        """How the model was made and what validation families say about its parts."""
        stages = json.loads((self.work / "stages.json").read_text()) if (self.work / "stages.json").exists() else {}
        return {
            "command": "lhs-hf train all",
            "commit": _commit(),
            "seed": self.recipe.seed,
            "machine": {"processor": platform.processor() or platform.machine(), "threads": torch.get_num_threads()},
            "torch": torch.__version__.split("+")[0],
            "recipe": asdict(self.recipe),
            "stages": stages,
            "flow": self.flow_report(),
            "parts": {name: _last_log(self.work / name) for name in ("autoencoder", "mapper", "flow")},
            "surrogates": {
                space: {task: _last_log(self.work / "surrogates" / space / task) for task in self.recipe.tasks}
                for space in SPACES
            },
        }

    def flow_report(self) -> dict[str, float]:
        """Bits a dimension on the test families (with the training noise) beside a full-covariance Gaussian's."""
        flow = LHSFlow.from_pretrained(self.work / "flow").eval()
        noise = self.recipe.flow.noise
        train = torch.cat([self.latents[self._of_split("train")], self.variant_latents])
        test = self.latents[self._of_split("test")]
        generator = torch.Generator().manual_seed(self.recipe.seed)
        noisy = test + noise * torch.randn(test.shape, generator=generator)
        with torch.no_grad():
            bits = float(flow.bits_per_dimension(noisy))
            error = float((flow.inverse(flow(self.latents).u) - self.latents).abs().max())
            double = LHSFlow.from_pretrained(self.work / "flow").eval().double()
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


def _commit() -> str | None:
    result = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"],  # noqa: S607  (whichever git the person uses)
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return result.stdout.strip() or None


def _last_log(folder: Path) -> dict[str, Any] | None:
    path = folder / "training_log.json"
    if not path.exists():
        return None
    result = json.loads(path.read_text())["result"]
    kept = [entry for entry in result["history"] if entry.get("step") == result["kept_step"]]
    merged = {key: value for entry in kept for key, value in entry.items() if key.startswith("eval_")}
    return {"kept_step": result["kept_step"], "last_step": result["last_step"], **merged}
