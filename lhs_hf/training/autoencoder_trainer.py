"""Joint pre-training of encoder, mapper and decoder as a program autoencoder.

It makes the pair that the paper takes ready-made from Qwen: afterwards encoder and decoder are frozen and the mapper
alone is trained on, as in the paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from ..models.behaviour_block import BehaviourBlock
from .autoencoder_config import AutoencoderTrainingConfig
from .autoencoder_model import LHSAutoencoder
from .data import ExampleSource, choose, pad
from .teacher_forcing import plain_attention
from .trainer import Objective, TrainingResult, fit


@dataclass(frozen=True)
class AutoencoderExample:
    """One program to encode and to write again.

    Attributes:
        program_ids: token ids to write, the end token included.
        prompt_ids: token ids of the prompt in each family.
        encoder_ids: token ids of its text for the encoder.
        behaviour: (64, 8) float, NaN rows for failed probes, or None.
        partner_ids: encoder token ids of programs whose text may stand in for its own (siblings, edit partners).
        task: number of its task, from 0.
        quantile: share of the task's training programs that score lower, in [0, 1], or None.
    """

    program_ids: Sequence[int]
    prompt_ids: tuple[Sequence[int], ...]
    encoder_ids: Sequence[int]
    behaviour: np.ndarray | None = None
    partner_ids: tuple[Sequence[int], ...] = ()
    task: int = 0
    quantile: float | None = None


@dataclass(frozen=True)
class _Draw:
    """An example after its random choices: which prompt, whose text, with or without behaviour."""

    example: AutoencoderExample
    prompt_ids: Sequence[int]
    encoder_ids: Sequence[int]
    behaviour: np.ndarray | None


class _DrawSource:
    def __init__(self, source: ExampleSource, settings: AutoencoderTrainingConfig) -> None:
        self.source = source
        self.settings = settings
        self._task_of = np.array([], dtype=np.int64)
        if settings.stranger_exchange:
            generator = np.random.default_rng(settings.seed)
            self._task_of = np.array([source.example(i, generator).task for i in range(len(source))])

    def __len__(self) -> int:
        return len(self.source)

    def length(self, index: int) -> int:
        return self.source.length(index)

    def example(self, index: int, generator: np.random.Generator) -> _Draw:
        example = self.source.example(index, generator)
        settings = self.settings
        weights = settings.family_weights[: len(example.prompt_ids)]
        prompt_ids = example.prompt_ids[choose(weights, generator)]
        exchange, hide = generator.random(2)
        text, behaviour = example.encoder_ids, example.behaviour
        if behaviour is not None and exchange < settings.stranger_exchange:
            text = self._stranger(example.task, generator)
        elif (
            example.partner_ids
            and behaviour is not None
            and exchange < settings.stranger_exchange + settings.behaviour_exchange
        ):
            text = example.partner_ids[int(generator.integers(len(example.partner_ids)))]
        elif hide < settings.behaviour_dropout:
            behaviour = None
        return _Draw(example, prompt_ids, text, behaviour)

    def _stranger(self, task: int, generator: np.random.Generator) -> Sequence[int]:
        others = np.flatnonzero(self._task_of == task)
        return self.source.example(int(others[generator.integers(len(others))]), generator).encoder_ids


def train_autoencoder(
    model: LHSAutoencoder,
    source: ExampleSource,
    valid: Sequence[AutoencoderExample],
    settings: AutoencoderTrainingConfig | None = None,
    output_dir: str | Path = "autoencoder",
    *,
    resume: bool = True,
    progress: bool = True,
) -> TrainingResult:
    """Train `model` in place; the weights with the lowest `eval_loss` (NLL a token, task prompts) are kept.

    Args:
        source: gives `AutoencoderExample`s; its behaviour statistics standardise the behaviour block.
        valid: programs of other seed families. `eval_exchange` is their NLL with a partner's text in place of their
            own (absent if none has partners): how much of a program the behaviour alone decides.
    """
    settings = settings or AutoencoderTrainingConfig()
    torch.manual_seed(settings.seed)
    _fit_statistics(model.behaviour_block, source, settings.seed)
    shape = (model.encoder.num_probes, model.encoder.num_features)
    with torch.no_grad():
        draws = [_Draw(e, e.prompt_ids[0], e.encoder_ids, e.behaviour) for e in valid]
        own = _batches(draws, settings.batch_size, shape)
        model.eval()
        decoder: Any = model.decoder
        embeddings = decoder.get_input_embeddings().weight
        model.mapper.match_norm(embeddings, torch.cat([model.embed(batch) for batch in own]))
    exchanged = _batches(
        [
            _Draw(e, e.prompt_ids[0], e.partner_ids[0], e.behaviour)
            for e in valid
            if e.partner_ids and e.behaviour is not None
        ],
        settings.batch_size,
        shape,
    )

    def token_nll(batches: list[dict[str, Tensor]]) -> float:
        device = next(model.parameters()).device
        total = count = 0.0
        for batch in batches:
            batch = {name: value.to(device) for name, value in batch.items()}
            total += float(model.nll(model.embed(batch), batch, settings.soft_prompt_position).sum())
            count += float(batch["program_mask"].sum())
        return total / count

    def evaluate(_: nn.Module) -> dict[str, float]:
        values = {"loss": token_nll(own)}
        return {**values, "exchange": token_nll(exchanged)} if exchanged else values

    with plain_attention(decoder):
        result = fit(
            model,
            _DrawSource(source, settings),
            lambda draws: _collate(draws, shape),
            settings,
            output_dir,
            Objective(lambda module, batch: module.loss(batch, settings), evaluate, shared=True),
            resume=resume,
            progress=progress,
        )
    model.eval()
    return result


def _collate(draws: Sequence[_Draw], shape: tuple[int, int]) -> dict[str, Tensor]:
    encoder_ids, encoder_mask = pad([draw.encoder_ids for draw in draws])
    prompt_ids, prompt_mask = pad([draw.prompt_ids for draw in draws], side="left")
    program_ids, program_mask = pad([draw.example.program_ids for draw in draws])
    absent = np.zeros(shape, dtype=np.float32)
    values = [absent if draw.behaviour is None else np.asarray(draw.behaviour, dtype=np.float32) for draw in draws]
    return {
        "encoder_ids": encoder_ids,
        "encoder_mask": encoder_mask,
        "behaviour": torch.from_numpy(np.stack(values)),
        "behaviour_mask": torch.tensor([draw.behaviour is not None for draw in draws]),
        "prompt_ids": prompt_ids,
        "prompt_mask": prompt_mask,
        "program_ids": program_ids,
        "program_mask": program_mask,
        "task": torch.tensor([draw.example.task for draw in draws]),
        # Someone else's text with this behaviour still scores like the program whose behaviour it is.
        "quantile": torch.tensor(
            [float("nan") if draw.example.quantile is None else draw.example.quantile for draw in draws]
        ),
    }


def _batches(draws: Sequence[_Draw], size: int, shape: tuple[int, int]) -> list[dict[str, Tensor]]:
    ordered = sorted(draws, key=lambda draw: len(draw.example.program_ids))
    return [_collate(ordered[i : i + size], shape) for i in range(0, len(ordered), size)]


def _fit_statistics(block: BehaviourBlock, source: ExampleSource, seed: int, most: int = 2000) -> None:
    generator = np.random.default_rng(seed)
    chosen = generator.permutation(len(source))[:most]
    examples = [source.example(int(index), generator) for index in chosen]
    behaviours = [example.behaviour for example in examples if example.behaviour is not None]
    if behaviours:
        block.fit(torch.from_numpy(np.stack(behaviours)).float())
