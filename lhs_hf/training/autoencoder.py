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
from sentence_transformers import SentenceTransformer
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel, Qwen3Config

from ..models.behaviour_block import BehaviourBlock
from ..models.encoder import ProgramEncoderModule
from ..models.modeling_mapper import LHSMapper
from .data import ExampleSource, choose, pad
from .loop import TrainingResult, TrainingSettings, fit
from .teacher_forcing import program_nll


def tiny_decoder_config(vocab_size: int, **changes: Any) -> Qwen3Config:
    """The decoder of `lhs-tiny`: Qwen3 architecture, 3.4 M parameters besides the (tied) embeddings."""
    values: dict[str, Any] = {
        "vocab_size": vocab_size,
        "hidden_size": 256,
        "num_hidden_layers": 4,
        "num_attention_heads": 4,
        "num_key_value_heads": 4,
        "head_dim": 64,
        "intermediate_size": 768,
        "tie_word_embeddings": True,
        "max_position_embeddings": 1024,
    }
    return Qwen3Config(**{**values, **changes})


@dataclass(frozen=True, kw_only=True)
class AutoencoderSettings(TrainingSettings):
    """Joint pre-training.

    Attributes:
        noise: standard deviation of Gaussian noise on z, so that neighbours decode alike.
        latent_weight: of the mean square of z, which keeps its scale against the noise.
        behaviour_weight: of the mean squared error of the standardised behaviour block predicted from z.
        quantile_weight: of the cross entropy of the score quantile predicted from z, for examples that have a score.
        outline_weight: of the cross entropy of the program's tokens predicted from the soft prompt alone: soft token
            k of K has to name the tokens of the k-th part of the program, their order aside. So the soft prompt says
            what the program consists of, in the decoder's own embeddings, before the decoder has learned to read it.
        behaviour_exchange: probability that the encoder reads the text of a partner with the program's own behaviour,
            so that the decoder has to read behaviour from z; for examples that have partners.
        stranger_exchange: the same with the text of any program of the task: behaviour alone has to decide.
        behaviour_dropout: probability that the encoder does not see the behaviour.
        encoder_token_dropout: share of the tokens that the encoder does not see.
        decoder_token_dropout: largest share of its own tokens that the decoder does not see; each program draws its
            share below it. What a decoder can not read from its own text it has to read from z.
        family_weights: how often a prompt of each family is drawn.
        soft_prompt_position: "after" the prompt or "before" it.
    """

    learning_rate: float = 1e-3
    weight_decay: float = 1e-2
    batch_size: int = 24
    steps: int = 3000
    evaluate_every: int = 250
    patience: int | None = 4
    warmup: float = 0.03
    schedule: str = "cosine"
    noise: float = 0.1
    latent_weight: float = 1e-3
    behaviour_weight: float = 0.1
    quantile_weight: float = 0.0
    outline_weight: float = 0.0
    behaviour_exchange: float = 0.3
    stranger_exchange: float = 0.0
    behaviour_dropout: float = 0.05
    encoder_token_dropout: float = 0.0
    decoder_token_dropout: float = 0.0
    family_weights: tuple[float, float, float] = (0.6, 0.2, 0.2)
    soft_prompt_position: str = "after"


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
    def __init__(self, source: ExampleSource, settings: AutoencoderSettings) -> None:
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


class LHSAutoencoder(nn.Module):
    """Encoder, mapper and decoder in one module, with auxiliary heads that predict behaviour and score from z.

    Args:
        encoder: module with `embed`.
        mapper: its output width is the decoder's embedding width.
        decoder: a `transformers` causal language model with tied embeddings.
        num_tasks: how many tasks the examples come from.
    """

    # Tied to the input embeddings, and safetensors stores no tensor twice.
    _keys_to_ignore_on_save = ["decoder.lm_head.weight"]  # noqa: RUF012

    def __init__(
        self, encoder: ProgramEncoderModule, mapper: LHSMapper, decoder: PreTrainedModel, num_tasks: int = 1
    ) -> None:
        super().__init__()
        language_model: Any = decoder
        width = language_model.get_input_embeddings().weight.shape[1]
        if mapper.config.output_size != width:
            raise ValueError(f"the mapper makes tokens of width {mapper.config.output_size}, the decoder reads {width}")
        self.encoder = encoder
        self.mapper = mapper
        self.decoder = decoder
        self.quantile_head = nn.Sequential(
            nn.Linear(encoder.latent_size, encoder.hidden_size), nn.GELU(), nn.Linear(encoder.hidden_size, num_tasks)
        )
        self.outline_norm = nn.LayerNorm(width)
        # An encoder that reads only text is to tell from it what the program does.
        self.behaviour_targets: BehaviourBlock | None = None
        if not encoder.use_behaviour:
            shape = encoder.num_probes, encoder.num_features, encoder.projection_size
            self.behaviour_targets = BehaviourBlock(*shape)
        hidden, size = encoder.hidden_size, self.behaviour_block.size
        self.behaviour_head = nn.Sequential(nn.Linear(encoder.latent_size, hidden), nn.GELU(), nn.Linear(hidden, size))

    @property
    def behaviour_block(self) -> BehaviourBlock:
        """What the behaviour head predicts: the block that the encoder reads, or one like it."""
        return self.encoder.behaviour_block if self.behaviour_targets is None else self.behaviour_targets

    def embed(self, batch: dict[str, Tensor]) -> Tensor:
        """z (B, d) of a batch."""
        return self.encoder.embed(
            batch["encoder_ids"], batch["encoder_mask"], batch["behaviour"], batch["behaviour_mask"]
        )

    def nll(self, z: Tensor, batch: dict[str, Tensor], position: str = "after") -> Tensor:
        """Negative log-likelihood of each program token given z, (B, T) nats, zero on padding."""
        return program_nll(self.decoder, self.mapper(z), batch, position)

    def loss(self, batch: dict[str, Tensor], settings: AutoencoderSettings) -> Tensor:
        """Mean token NLL plus the weighted latent, behaviour and score terms; draws from torch's global generator."""
        if settings.encoder_token_dropout:
            unseen = torch.rand(batch["encoder_ids"].shape, device=batch["encoder_ids"].device)
            covered = batch["encoder_ids"].masked_fill(
                unseen < settings.encoder_token_dropout, self.encoder.pad_token_id
            )
            batch = {**batch, "encoder_ids": covered}
        hidden = None
        if settings.decoder_token_dropout:
            ids = batch["program_ids"]
            shares = settings.decoder_token_dropout * torch.rand(len(ids), 1, device=ids.device)
            hidden = torch.rand(ids.shape, device=ids.device) < shares
        z = self.embed(batch)
        noisy = z + settings.noise * torch.randn_like(z)
        soft_prompt = self.mapper(noisy)
        nll = program_nll(self.decoder, soft_prompt, batch, settings.soft_prompt_position, hidden)
        loss = nll.sum() / batch["program_mask"].sum() + settings.latent_weight * z.square().mean()
        if settings.behaviour_weight:
            present = batch["behaviour_mask"].to(z.dtype)
            error = (self.behaviour_head(z) - self.behaviour_block(batch["behaviour"])).square().mean(dim=1)
            loss = loss + settings.behaviour_weight * (error * present).sum() / present.sum().clamp(min=1)
        if settings.quantile_weight:
            loss = loss + settings.quantile_weight * self._quantile_loss(z, batch)
        if settings.outline_weight:
            loss = loss + settings.outline_weight * self._outline_loss(soft_prompt, batch)
        return loss

    def _outline_loss(self, soft_prompt: Tensor, batch: dict[str, Tensor]) -> Tensor:
        ids, mask = batch["program_ids"], batch["program_mask"]
        lengths, parts = mask.sum(dim=1, keepdim=True), soft_prompt.shape[1]
        part = (torch.arange(ids.shape[1], device=ids.device) * parts // lengths).clamp(max=parts - 1)
        decoder: Any = self.decoder
        logits = self.outline_norm(soft_prompt) @ decoder.get_input_embeddings().weight.T
        log_probabilities = functional.log_softmax(logits.float(), dim=-1)
        rows = torch.arange(len(ids), device=ids.device)[:, None]
        return -(log_probabilities[rows, part, ids] * mask).sum() / mask.sum()

    def _quantile_loss(self, z: Tensor, batch: dict[str, Tensor]) -> Tensor:
        known = ~batch["quantile"].isnan()
        predicted = self.quantile_head(z).float().gather(1, batch["task"][:, None]).squeeze(1)
        targets = batch["quantile"].nan_to_num(0.5)
        error = functional.binary_cross_entropy_with_logits(predicted, targets, reduction="none")
        return (error * known).sum() / known.sum().clamp(min=1)

    def save_parts(self, folder: str | Path) -> None:
        """Write `encoder/` (sentence-transformers), `mapper/` and `decoder/` (transformers) into a folder."""
        folder = Path(folder)
        model = SentenceTransformer(
            modules=[self.encoder], truncate_dim=self.encoder.latent_size, trust_remote_code=False
        )
        model.save(str(folder / "encoder"), create_model_card=False)
        self.mapper.save_pretrained(folder / "mapper")
        self.decoder.save_pretrained(folder / "decoder")


def train_autoencoder(
    model: LHSAutoencoder,
    source: ExampleSource,
    valid: Sequence[AutoencoderExample],
    settings: AutoencoderSettings | None = None,
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
    settings = settings or AutoencoderSettings()
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

    # On processors the plain attention is the fastest one at these lengths.
    attention = decoder.config._attn_implementation
    if not torch.cuda.is_available():
        decoder.set_attn_implementation("eager")
    result = fit(
        model,
        _DrawSource(source, settings),
        lambda draws: _collate(draws, shape),
        settings,
        output_dir,
        loss=lambda module, batch: module.loss(batch, settings),
        evaluate=evaluate,
        resume=resume,
        progress=progress,
    )
    decoder.set_attn_implementation(attention)
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
