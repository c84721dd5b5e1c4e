"""The editor: reads a program once, and writes what is to change in it as spans that are replaced.

What is kept is never written, whatever its names, so that the latent has to explain the change only.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import initialization as init

from .configuration_editor import LHSEditorConfig
from .edit_residual import PLACE, STOP_PLACE, TOKEN, EditResidual, EditWords
from .layers import FeedForward, SelfAttention
from .loading import LoadableModel

_NEVER = -1e9  # minus infinity would make gradients of rows without a choice NaN


@dataclass
class EditCondition:
    """Which child is wanted of each parent: R of each of B parents.

    Args:
        parent: z of the parents (B, d).
        target: z of the wanted children (B, R, d); those that `known` leaves out do not count.
        known: (B, R) bool, which edits have a target.
        noise: (B, R), how far the target may be off, as a share of its distance from the parent: 0 is exact.
        change: (B, R) int64, bucket of the change of the score's quantile from 1 (much worse), 0 for unknown.
        difference: (B, R, D), the sketches of the wanted children less those of their parents.
        told: (B, R) bool, which edits have a difference.
        finishing: (B, R) bool, where all of the difference is wanted; else it is a direction.
    """

    parent: Tensor
    target: Tensor
    known: Tensor
    noise: Tensor
    change: Tensor
    difference: Tensor
    told: Tensor
    finishing: Tensor

    def without_target(self) -> EditCondition:
        """The same parents with nothing wanted of their children."""
        names = ("known", "noise", "change", "told")
        return replace(self, **{name: torch.zeros_like(getattr(self, name)) for name in names})


@dataclass
class EditLogits:
    """What the next action may be, (B, R, S, ...): `place` over positions and the end, `stop` over positions, `token`.

    `token` is over the vocabulary and the end of a span, `copy` over positions whose token is copied.
    """

    place: Tensor
    stop: Tensor
    token: Tensor
    copy: Tensor


class _CausalAttention(SelfAttention):
    """Self-attention that looks back only."""

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        length = hidden.shape[1]
        return super().forward(hidden, torch.ones(length, length, dtype=torch.bool, device=hidden.device).tril())


class _CrossAttention(nn.Module):
    """Pre-norm attention of the edits of a parent to what was read of it."""

    def __init__(self, size: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.norm = nn.LayerNorm(size)
        self.query = nn.Linear(size, size)
        self.key_value = nn.Linear(size, 2 * size)
        self.output = nn.Linear(size, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, memory: Tensor, mask: Tensor) -> Tensor:
        """`hidden` (B, Q, size), of all edits of a parent one after the other; `memory` (B, T, size)."""
        batch, length, size = hidden.shape
        query = self.query(self.norm(hidden)).view(batch, length, self.num_heads, -1).transpose(1, 2)
        both = self.key_value(memory).view(batch, memory.shape[1], 2, self.num_heads, -1)
        key, value = both.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return hidden + self.dropout(self.output(mixed.transpose(1, 2).reshape(batch, length, size)))


class LHSEditor(LoadableModel):
    """`p(edit | parent, target)`: a bidirectional reader of the parent, an autoregressive writer of the edit.

    An edit is a sequence of actions: the position where a span starts, the position of the first token that is kept
    behind it, its new tokens, the end of the span; then the next span, or that there is none.
    """

    config_class = LHSEditorConfig
    base_model_prefix = "editor"
    main_input_name = "input_ids"
    latent_mean: Tensor
    latent_whitener: Tensor

    def __init__(self, config: LHSEditorConfig) -> None:
        super().__init__(config)
        size, heads, dropout = config.hidden_size, config.num_attention_heads, float(config.dropout)
        # One more token than the vocabulary has: the end of a span.
        self.token_embedding = nn.Embedding(config.vocab_size + 1, size)
        self.position_embedding = nn.Embedding(config.max_program_tokens, size)
        reader, writer = range(config.num_encoder_layers), range(config.num_decoder_layers)
        self.attentions = nn.ModuleList(SelfAttention(size, heads, dropout) for _ in reader)
        self.feed_forwards = nn.ModuleList(FeedForward(size, config.encoder_intermediate_size, dropout) for _ in reader)
        self.norm = nn.LayerNorm(size)
        self.condition = nn.Sequential(nn.Linear(3 * config.latent_size + 6, config.condition_size), nn.GELU())
        self.condition_tokens = nn.Linear(config.condition_size, config.num_condition_tokens * size)
        self.change_embedding = nn.Embedding(config.num_changes + 1, size)
        self.kind_embedding = nn.Embedding(4, size)
        self.action_positions = nn.Embedding(config.max_actions, size)
        self.pointed = nn.Linear(size, size)
        self.written = nn.ModuleList(_CausalAttention(size, heads, dropout) for _ in writer)
        self.looked_up = nn.ModuleList(_CrossAttention(size, heads, dropout) for _ in writer)
        self.combined = nn.ModuleList(FeedForward(size, config.decoder_intermediate_size, dropout) for _ in writer)
        self.final_norm = nn.LayerNorm(size)
        self.pointer_queries_head = nn.Linear(size, 3 * config.pointer_size)
        self.pointer_keys_head = nn.Linear(size, 3 * config.pointer_size)
        self.finish_head = nn.Linear(size, 1)
        self.token_head = nn.Linear(size, size)
        self.token_bias = nn.Parameter(torch.zeros(config.vocab_size + 1))
        self.residual = EditResidual(config.sketch_size, config.sketch_buckets)
        self.remainder = nn.Linear(config.sketch_size, size)
        self.register_buffer("latent_mean", torch.zeros(config.latent_size))
        self.register_buffer("latent_whitener", torch.eye(config.latent_size))
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.xavier_uniform_(module.weight)
            if module.bias is not None:
                init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            init.normal_(module.weight, std=0.02)
        elif isinstance(module, nn.LayerNorm):
            init.ones_(module.weight)
            init.zeros_(module.bias)
        elif isinstance(module, EditResidual):
            for name, value in EditResidual(module.size, module.buckets).named_parameters():
                init.copy_(getattr(module, name), value.detach())
        elif isinstance(module, LHSEditor):
            init.zeros_(module.remainder.weight)
            init.zeros_(module.token_bias)
            init.zeros_(module.latent_mean)
            init.copy_(module.latent_whitener, torch.eye(module.config.latent_size))

    @torch.no_grad()
    def fit_latents(self, latents: Tensor) -> None:
        """Whiten latents by the mean and covariance of these, (N, d): small changes then weigh as much as large."""
        self.latent_mean.copy_(latents.mean(dim=0))
        values, vectors = torch.linalg.eigh(torch.cov(latents.double().T))
        floor = 1e-4 * values.max()
        self.latent_whitener.copy_((vectors / values.clamp(min=floor).sqrt()).float())

    @property
    def end_of_span(self) -> int:
        """The token that ends the new tokens of a span."""
        return int(self.config.vocab_size)

    def _wanted(self, condition: EditCondition) -> tuple[Tensor, Tensor]:
        """What is wanted as tokens, (B, R, K, hidden), and the wanted change of the score, (B, R, 1, hidden)."""
        mean, whitener = self.latent_mean.float(), self.latent_whitener.float()
        parent = ((condition.parent.float() - mean) @ whitener)[:, None]
        offset = (condition.target.float() - mean) @ whitener - parent
        length = offset.norm(dim=-1, keepdim=True)
        direction = offset / length.clamp(min=1e-6) * offset.shape[-1] ** 0.5
        known = condition.known.to(parent.dtype)[..., None]
        noise = condition.noise.float()[..., None]
        values = [parent.clamp(-5, 5).expand_as(offset), known * offset.clamp(-5, 5), known * direction]
        told, whole = (flag.to(parent.dtype)[..., None] for flag in (condition.told, condition.finishing))
        size = told * condition.difference.norm(dim=-1, keepdim=True)
        scalars = [known * (length + 1e-3).log(), known * noise, known, told, whole * told, size / 4]
        hidden = self.condition(torch.cat([*values, *scalars], dim=-1).to(self.token_bias.dtype))
        tokens = self.condition_tokens(hidden).unflatten(-1, (-1, self.config.hidden_size))
        return tokens, self.change_embedding(condition.change)[:, :, None]

    def read(self, input_ids: Tensor, mask: Tensor) -> Tensor:
        """The states of the parents' tokens, (B, T, hidden), that the writer looks at.

        Args:
            input_ids: (B, T) prompt and flat program, right-padded.
            mask: (B, T) bool, True for tokens.
        """
        hidden = self.token_embedding(input_ids) + self.position_embedding.weight[: input_ids.shape[1]]
        for attention, feed_forward in zip(self.attentions, self.feed_forwards):
            hidden = feed_forward(attention(hidden, mask[:, None, None, :]))
        normed: Tensor = self.norm(hidden)
        return normed

    def write(
        self,
        memory: Tensor,
        mask: Tensor,
        words: EditWords,
        condition: EditCondition,
        kinds: Tensor,
        values: Tensor,
    ) -> EditLogits:
        """Logits of each action given those before it, of R edits of each of B parents.

        Args:
            memory: of `read`, (B, T, hidden).
            mask: (B, T) bool, tokens of the parents.
            words: of the parents and of these actions.
            kinds, values: (B, R, S) int64, the actions taken so far: kind (-1 for padding), and position or token.

        Returns:
            Logits (B, R, S + 1, ...): of the first action, and of what follows each.
        """
        batch, edits, steps = kinds.shape
        size = self.config.hidden_size
        wanted, change = self._wanted(condition)
        hints = self.residual(condition.difference, condition.told, condition.finishing, words, kinds, values)
        first = self.kind_embedding.weight[3].expand(batch, edits, 1, -1)
        at = values.clamp(max=memory.shape[1] - 1).flatten(1)[:, :, None].expand(-1, -1, size)
        pointed = self.pointed(memory.gather(1, at)).unflatten(1, (edits, steps))
        written = self.token_embedding(values.clamp(max=self.end_of_span))
        taken = torch.where((kinds == TOKEN)[..., None], written, pointed) + self.kind_embedding(kinds.clamp(min=0))
        taken = torch.cat([first, taken], dim=2) + self.action_positions.weight[: steps + 1]
        # Every action is told at once what is wanted; attention has to find the rest.
        taken = taken + wanted[:, :, :1] + self.remainder(hints.residual.to(taken.dtype))
        hidden = torch.cat([wanted.to(taken.dtype), change, taken], dim=2).flatten(0, 1)
        length = hidden.shape[1]
        for attention, lookup, feed_forward in zip(self.written, self.looked_up, self.combined):
            hidden = attention(hidden).view(batch, edits * length, size)
            hidden = feed_forward(lookup(hidden, memory, mask[:, None, None, :])).view(batch * edits, length, size)
        hidden = self.final_norm(hidden).view(batch, edits, length, size)[:, :, -steps - 1 :]
        plain = self._logits(hidden, memory, mask)
        hinted = {name: getattr(plain, name) + getattr(hints, name) for name in ("place", "stop", "token", "copy")}
        return EditLogits(**hinted)

    def _logits(self, hidden: Tensor, memory: Tensor, mask: Tensor) -> EditLogits:
        size = self.config.pointer_size
        queries = self.pointer_queries_head(hidden).split(size, dim=-1)
        keys = self.pointer_keys_head(memory).split(size, dim=-1)
        absent = ~mask[:, None, None, :]
        place, stop, copy = (
            (query.flatten(1, 2) @ key.transpose(1, 2))
            .unflatten(1, hidden.shape[1:3])
            .float()
            .div(size**0.5)
            .masked_fill(absent, _NEVER)
            for query, key in zip(queries, keys)
        )
        finish = self.finish_head(hidden).float()
        token = (self.token_head(hidden) @ self.token_embedding.weight.T + self.token_bias).float()
        return EditLogits(torch.cat([place, finish], dim=-1), stop, token, copy)

    def nll(self, logits: EditLogits, input_ids: Tensor, kinds: Tensor, values: Tensor, lowest: Tensor) -> Tensor:
        """Negative log-likelihood of actions, (B, R, S) nats.

        Args:
            logits: of `write`; step s is about action s.
            input_ids: (B, T) the parents.
            kinds, values: (B, R, S); the end of the edit is a PLACE at `NOWHERE`, padding has kind -1, costs nothing.
            lowest: (B, R, S), the first position that a pointer may point to.
        """
        steps, length = kinds.shape[2], input_ids.shape[1]
        early = torch.arange(length, device=kinds.device) < lowest[..., None]
        place = logits.place[:, :, :steps]
        place = torch.cat([place[..., :-1].masked_fill(early, _NEVER), place[..., -1:]], dim=-1)
        stop = logits.stop[:, :, :steps].masked_fill(early, _NEVER)
        token, copy = logits.token[:, :, :steps], logits.copy[:, :, :steps]
        same = input_ids[:, None, None, :] == values[..., None]
        own = token.gather(-1, values.clamp(max=self.end_of_span)[..., None]).squeeze(-1)
        copied = copy.masked_fill(~same, _NEVER).logsumexp(dim=-1)
        normaliser = torch.logaddexp(token.logsumexp(dim=-1), copy.logsumexp(dim=-1))
        results = (
            _chosen(place, values.clamp(max=length)),
            _chosen(stop, values.clamp(max=length - 1)),
            torch.logaddexp(own, copied) - normaliser,
        )
        log_probability = torch.zeros_like(own)
        for kind, result in zip((PLACE, STOP_PLACE, TOKEN), results):
            log_probability = torch.where(kinds == kind, result, log_probability)
        return -log_probability


def _chosen(logits: Tensor, values: Tensor) -> Tensor:
    return logits.log_softmax(dim=-1).gather(-1, values[..., None]).squeeze(-1)
