"""Training of the latent-to-prompt mapper against a frozen decoder (paper, section 3.2, appendix A.3 and A.6)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from ..models.configuration_lhs import LHSMapperConfig
from ..models.modeling_mapper import LHSMapper
from ..search.threads import SMALL
from .data import ExampleSource, choose, pad
from .mapper_config import MapperTrainingConfig
from .teacher_forcing import mean_by_program, plain_attention, program_nll
from .trainer import Objective, TrainingResult, fit


@dataclass(frozen=True)
class MapperExample:
    """One program: its latent (d,), the token ids of its prompt in each family, its own ids with the end token."""

    latent: Tensor
    prompt_ids: tuple[Sequence[int], ...]
    program_ids: Sequence[int]


class _FamilySource:
    """Chooses a prompt family for every example that is drawn."""

    def __init__(self, source: ExampleSource, weights: Sequence[float]) -> None:
        self.source = source
        self.weights = weights

    def __len__(self) -> int:
        return len(self.source)

    def length(self, index: int) -> int:
        return self.source.length(index)

    def example(self, index: int, generator: np.random.Generator) -> tuple[MapperExample, Sequence[int]]:
        example = self.source.example(index, generator)
        return example, example.prompt_ids[choose(self.weights[: len(example.prompt_ids)], generator)]


def train_mapper(
    source: ExampleSource,
    valid: Sequence[MapperExample],
    decoder: Any,
    settings: MapperTrainingConfig | None = None,
    output_dir: str | Path = "mapper",
    *,
    start: LHSMapper | LHSMapperConfig | None = None,
    resume: bool = True,
    progress: bool = True,
) -> tuple[LHSMapper, TrainingResult]:
    """Fit `phi` so that the frozen `decoder` writes each program after its latent's soft prompt.

    Args:
        source: gives `MapperExample`s.
        valid: programs of other seed families; the evaluation with the lowest `eval_loss` (with task prompts) is kept.
        decoder: a `transformers` causal language model; it is put in eval mode and its gradients are turned off.
        start: a mapper to train on, for instance that of a joint pre-training, or the configuration of a new one; by
            default a new one as the paper's, at the decoder's width.
    """
    settings = settings or MapperTrainingConfig()
    decoder.eval().requires_grad_(False)
    embeddings = decoder.get_input_embeddings().weight
    torch.manual_seed(settings.seed)
    if isinstance(start, LHSMapper):
        mapper = start
    else:
        mapper = LHSMapper(start or LHSMapperConfig(latent_size=len(valid[0].latent), output_size=embeddings.shape[1]))
        mapper.eval().match_norm(embeddings.float(), torch.stack([example.latent for example in valid]).float())

    def loss(model: torch.nn.Module, batch: dict[str, Tensor]) -> Tensor:
        z = batch["z"]
        if settings.noise and model.training:
            z = z + settings.noise * torch.randn_like(z)
        nll = program_nll(decoder, model(z), batch, settings.soft_prompt_position)
        return mean_by_program(nll, batch["program_mask"])

    ordered = sorted(valid, key=lambda example: len(example.program_ids))
    groups = [ordered[i : i + settings.batch_size] for i in range(0, len(ordered), settings.batch_size)]

    def evaluate(model: torch.nn.Module) -> dict[str, float]:
        device = next(model.parameters()).device
        total = 0.0
        for group in groups:
            batch = _collate([(example, example.prompt_ids[0]) for example in group])
            total += float(loss(model, {name: value.to(device) for name, value in batch.items()})) * len(group)
        return {"loss": total / len(valid)}

    attention: AbstractContextManager[None] = nullcontext()
    if torch.cuda.is_available():
        decoder.to("cuda")
        # What plain attention keeps in memory is too much for a large decoder.
        attention = plain_attention(decoder) if decoder.num_parameters() < SMALL else attention
    with attention:
        result = fit(
            mapper,
            _FamilySource(source, settings.family_weights),
            _collate,
            settings,
            output_dir,
            Objective(loss, evaluate, shared=True),
            resume=resume,
            progress=progress,
        )
    return mapper.eval(), result


def _collate(rows: list[tuple[MapperExample, Sequence[int]]]) -> dict[str, Tensor]:
    prompt_ids, prompt_mask = pad([prompt for _, prompt in rows], side="left")
    program_ids, program_mask = pad([example.program_ids for example, _ in rows])
    return {
        "z": torch.stack([example.latent.float() for example, _ in rows]),
        "prompt_ids": prompt_ids,
        "prompt_mask": prompt_mask,
        "program_ids": program_ids,
        "program_mask": program_mask,
    }
