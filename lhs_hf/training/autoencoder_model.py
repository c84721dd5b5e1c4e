"""Encoder, mapper and decoder as one module, which learns to write each program again from its latent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from torch import Tensor, nn
from torch.nn import functional
from transformers import PreTrainedModel, Qwen3Config

from ..models.behaviour_block import BehaviourBlock
from ..models.encoder import ProgramEncoderModule
from ..models.modeling_mapper import LHSMapper
from .autoencoder_config import AutoencoderTrainingConfig
from .processes import shared_mean
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

    def loss(self, batch: dict[str, Tensor], settings: AutoencoderTrainingConfig) -> Tensor:
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
        loss = shared_mean(nll.sum(), batch["program_mask"].sum()) + settings.latent_weight * z.square().mean()
        if settings.behaviour_weight:
            present = batch["behaviour_mask"].to(z.dtype)
            error = (self.behaviour_head(z) - self.behaviour_block(batch["behaviour"])).square().mean(dim=1)
            loss = loss + settings.behaviour_weight * shared_mean((error * present).sum(), present.sum())
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
        return -shared_mean((log_probabilities[rows, part, ids] * mask).sum(), mask.sum())

    def _quantile_loss(self, z: Tensor, batch: dict[str, Tensor]) -> Tensor:
        known = ~batch["quantile"].isnan()
        predicted = self.quantile_head(z).float().gather(1, batch["task"][:, None]).squeeze(1)
        targets = batch["quantile"].nan_to_num(0.5)
        error = functional.binary_cross_entropy_with_logits(predicted, targets, reduction="none")
        return shared_mean((error * known).sum(), known.sum())

    def save_parts(self, folder: str | Path) -> None:
        """Write `encoder/` (sentence-transformers), `mapper/` and `decoder/` (transformers) into a folder."""
        folder = Path(folder)
        model = SentenceTransformer(
            modules=[self.encoder], truncate_dim=self.encoder.latent_size, trust_remote_code=False
        )
        model.save(str(folder / "encoder"), create_model_card=False)
        self.mapper.save_pretrained(folder / "mapper")
        self.decoder.save_pretrained(folder / "decoder")
