"""The model that is measured, the points it is asked to decode, and the programs it wrote there."""

from __future__ import annotations

import json
import math
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lhs_hf.corpus.dataset import CorpusRow, load_corpus
from lhs_hf.decoding.budget import Budget
from lhs_hf.decoding.decoder import LatentDecoder
from lhs_hf.decoding.generation import GeneratedProgram
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.cache import EvaluationCache
from lhs_hf.models.composite import open_model
from lhs_hf.models.encoder import ProgramEncoderModule
from lhs_hf.reporting.identity import model_digest
from lhs_hf.search.ascent import random_directions
from lhs_hf.training.model_training import row_behaviour

BATCH = 32
POINTS = ("held_out", "midpoint_z", "midpoint_u", "step_1", "step_sqrt_d")
"""Where programs are decoded: latents of held-out programs; midpoints of two of them, of different families, in z and
in u; one held-out latent moved in a random direction by 1, and by sqrt(d), prior standard deviations."""


@dataclass(frozen=True)
class Settings:
    """What results depend on, beside the model."""

    split: str
    latents: int
    seed: int
    temperature: float = 0.7
    top_p: float = 0.9
    max_new_tokens: int = 512


@dataclass(frozen=True)
class Sample:
    """Latents z (B, d) to decode and the corpus rows they belong to (the first of two for a midpoint)."""

    rows: list[CorpusRow]
    latents: Tensor

    @property
    def families(self) -> list[str]:
        """The family of each row."""
        return [row.family for row in self.rows]


class Subject:
    """The parts of a model that decode: encoder, flow, mapper and decoder; no surrogates are needed.

    Raises `ValueError` for a decoder that does not write syntax trees.
    """

    def __init__(self, name: str) -> None:
        opened = open_model(name)
        self.root, self.model, self.encoder = opened.folder, opened.model, opened.encoder()
        decoder, tokenizer = opened.decoder()
        if not isinstance(tokenizer, ProgramTokenizer):
            raise ValueError(f"the decoder of {name} has a {type(tokenizer).__name__}; expected a ProgramTokenizer")
        self.decoder = LatentDecoder(
            decoder,
            tokenizer,
            self.model.mapper,
            soft_prompt_position=opened.config.soft_prompt_position,
            budget=Budget(2**62),
        )

    @property
    def tokenizer(self) -> ProgramTokenizer:
        """The decoder's tokenizer."""
        return self.decoder.tokenizer

    def digest(self) -> str:
        """Which model this is (`model_digest`)."""
        return model_digest(self.root)

    def encode_rows(self, rows: Sequence[CorpusRow]) -> Tensor:
        """z of corpus rows, float32 (N, d), with the behaviour that the corpus stores."""
        return self._encode([(row.program, row.task, row_behaviour(row)) for row in rows])

    def encode_sources(self, sources: Sequence[str], evaluator: Evaluator) -> list[Tensor | None]:
        """z (d,) of programs with the behaviour they show on the probes; None for what can not be read or probed."""
        latents: list[Tensor | None] = []
        for source, behaviour in zip(sources, evaluator.probe_many(sources)):
            try:
                known = None if behaviour is None else [(source, evaluator.task.name, behaviour.features)]
                found = None if known is None else self._encode(known)[0]
            except ValueError:  # a construct that the encoder's tokenizer does not have
                found = None
            latents.append(found)
        return latents

    def _encode(self, programs: Sequence[tuple[str, str, np.ndarray]]) -> Tensor:
        items: list[Any] = [source for source, _, _ in programs]
        if isinstance(self.encoder[0], ProgramEncoderModule):
            items = [{"program": source, "task": task, "behaviour": found} for source, task, found in programs]
        with torch.inference_mode():
            return self.encoder.encode(items, convert_to_tensor=True, show_progress_bar=False).float().cpu().clone()

    def to_prior(self, latents: Tensor) -> Tensor:
        """u = F(z), (B, d)."""
        with torch.inference_mode():
            return self.model.flow(latents).u.clone()

    def from_prior(self, points: Tensor) -> Tensor:
        """z = F^-1(u), (B, d)."""
        with torch.inference_mode():
            return self.model.flow.inverse(points).clone()


def generator_of(settings: Settings, *key: str | int) -> np.random.Generator:
    """The generator of one purpose."""
    numbers = [zlib.crc32(part.encode()) if isinstance(part, str) else part for part in key]
    return np.random.default_rng([settings.seed, *numbers])


def torch_generator(settings: Settings, *key: str | int) -> torch.Generator:
    """The torch generator of one purpose."""
    return torch.Generator().manual_seed(int(generator_of(settings, *key).integers(2**63)))


def chosen_rows(task: str, split: str, settings: Settings) -> list[CorpusRow]:
    """Up to `settings.latents` programs of a split, each as likely as any other."""
    rows = load_corpus(task, split)
    order = generator_of(settings, "rows", task, split).permutation(len(rows))[: settings.latents]
    return [rows[int(index)] for index in order]


def sample_at(point: str, task: str, subject: Subject, settings: Settings) -> Sample:
    """The latents of one kind of point (`POINTS`, or "train" for latents of training programs)."""
    rows = chosen_rows(task, "train" if point == "train" else settings.split, settings)
    latents = subject.encode_rows(rows)
    if point.startswith("midpoint"):
        others = subject.encode_rows(_partners(rows, task, settings))
        if point == "midpoint_z":
            return Sample(rows, (latents + others) / 2)
        return Sample(rows, subject.from_prior((subject.to_prior(latents) + subject.to_prior(others)) / 2))
    if point.startswith("step"):
        width = latents.shape[1]
        directions = random_directions((len(rows), width), torch_generator(settings, "directions", task))
        length = 1.0 if point == "step_1" else math.sqrt(width)
        return Sample(rows, subject.from_prior(subject.to_prior(latents) + length * directions))
    return Sample(rows, latents)


def _partners(rows: Sequence[CorpusRow], task: str, settings: Settings) -> list[CorpusRow]:
    """For each row another program of the split, of another family."""
    everyone = load_corpus(task, settings.split)
    generator = generator_of(settings, "partners", task)
    partners = []
    for row in rows:
        strangers = [other for other in everyone if other.family != row.family]
        partners.append(strangers[int(generator.integers(len(strangers)))])
    return partners


class Programs:
    """The programs written at each kind of point, decoded once and kept in a file of JSON lines.

    A file that belongs to other settings is begun anew.
    """

    def __init__(self, path: Path, subject: Subject, settings: Settings) -> None:
        self.path = path
        self.subject = subject
        self.settings = settings
        self._known: dict[tuple[str, str, bool], list[GeneratedProgram]] = {}
        self._samples: dict[tuple[str, str], Sample] = {}
        header = {**asdict(settings), "model": subject.digest()}
        text = path.read_text() if path.is_file() else ""
        # An interruption may have cut the last line short.
        lines = [line for line in text.splitlines(keepends=True) if line.endswith("}\n")]
        if not lines or json.loads(lines[0]) != header:
            lines = [json.dumps(header) + "\n"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(lines))
        for line in lines[1:]:
            entry = json.loads(line)
            programs = [GeneratedProgram(**program) for program in entry["programs"]]
            self._known[entry["task"], entry["point"], entry["guided"]] = programs

    def get(
        self, evaluator: Evaluator, points: Sequence[str], guided: bool
    ) -> dict[str, tuple[Sample, list[GeneratedProgram]]]:
        """Samples and programs of some kinds of points of the evaluator's task; what is missing is decoded now."""
        task = evaluator.task
        samples = {point: self._sample(point, task.name) for point in points}
        missing = [point for point in points if (task.name, point, guided) not in self._known]
        if missing:
            latents = torch.cat([samples[point].latents for point in missing])
            keys = [(point, index) for point in missing for index in range(len(samples[point].rows))]
            decoded = self._decode(evaluator, latents, keys, guided)
            with self.path.open("a") as stream:
                for point in missing:
                    programs = [program for program, key in zip(decoded, keys) if key[0] == point]
                    self._known[task.name, point, guided] = programs
                    entry = {"task": task.name, "point": point, "guided": guided}
                    stream.write(json.dumps({**entry, "programs": [asdict(program) for program in programs]}) + "\n")
        return {point: (samples[point], self._known[task.name, point, guided]) for point in points}

    def _sample(self, point: str, task: str) -> Sample:
        if (task, point) not in self._samples:
            self._samples[task, point] = sample_at(point, task, self.subject, self.settings)
        return self._samples[task, point]

    def _decode(
        self, evaluator: Evaluator, latents: Tensor, keys: Sequence[tuple[str, int]], guided: bool
    ) -> list[GeneratedProgram]:
        decoded: list[GeneratedProgram] = []
        with ExitStack() as stack:
            guide = stack.enter_context(evaluator.stepping()) if guided else None
            for start in range(0, len(latents), BATCH):
                name = evaluator.task.name
                generators = [torch_generator(self.settings, "decode", name, *key) for key in keys[start:][:BATCH]]
                decoded += self.subject.decoder.decode(
                    latents[start : start + BATCH],
                    evaluator.task,
                    generators,
                    temperature=self.settings.temperature,
                    top_p=self.settings.top_p,
                    max_new_tokens=self.settings.max_new_tokens,
                    guide=guide,
                )
        return decoded


@contextmanager
def open_evaluator(task: str, workers: int = 2) -> Iterator[Evaluator]:
    """An evaluator on `search` that remembers what it scored."""
    with EvaluationCache() as cache, Evaluator(task, "search", workers=workers, cache=cache) as evaluator:
        yield evaluator


def parts_of(subject: Subject) -> dict[str, Any]:
    """The modules of a model by name."""
    return {
        "encoder": subject.encoder,
        "flow": subject.model.flow,
        "mapper": subject.model.mapper,
        "decoder": subject.decoder.model,
    }
