"""One token at a time through a causal language model: a lean step for small Qwen3 models, the library's for others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import torch
from torch import Tensor
from torch.nn import functional as F

MOST_PARAMETERS = 200_000_000
"""Larger models keep the library's own step: fusing their projections would double the memory they take."""


class IncrementalModel(Protocol):
    """A batch of sequences that grow by one token a step."""

    def start(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        """Read left-padded prefixes (B, T, e), mask (B, T) int64; returns next-token logits (B, V), float32."""

    def step(self, tokens: Tensor) -> Tensor:
        """Append one token a row, (B,) int64; returns next-token logits (B, V), float32."""

    def keep(self, rows: Tensor) -> None:
        """Go on with these rows only, (B',) int64."""

    def forget(self, row: int, steps: Sequence[int]) -> None:
        """Take back tokens of a row: those of these steps, counted from 0 at the first call of `step`."""


def incremental(model: Any, max_new_tokens: int) -> IncrementalModel:
    """The fastest exact way to step through `model`."""
    if _is_plain_qwen3(model):
        return LeanQwen3(model, max_new_tokens)
    return CachedModel(model)


def _is_plain_qwen3(model: Any) -> bool:
    config = model.config
    if type(model).__name__ != "Qwen3ForCausalLM" or set(config.layer_types) != {"full_attention"}:
        return False
    if config.rope_parameters["rope_type"] != "default" or config.hidden_act != "silu":
        return False
    linear = all(
        type(module) is torch.nn.Linear
        for layer in model.model.layers
        for part in (layer.self_attn, layer.mlp)
        for name, module in part.named_children()
        if name.endswith("_proj")
    )
    return linear and sum(parameter.numel() for parameter in model.parameters()) <= MOST_PARAMETERS


class CachedModel:
    """Any causal language model, through its own forward pass and cache."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache: Any = None
        self._prefix = 0
        self._mask = torch.empty(0)

    def start(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        self._mask = mask.clone()
        self._prefix = mask.shape[1]
        return self._forward(inputs_embeds=embeddings, position_ids=positions(mask))

    def step(self, tokens: Tensor) -> Tensor:
        self._mask = torch.cat([self._mask, self._mask.new_ones(len(tokens), 1)], dim=1)
        return self._forward(input_ids=tokens[:, None], position_ids=self._mask.sum(dim=1, keepdim=True) - 1)

    def _forward(self, **inputs: Tensor) -> Tensor:
        output = self._model(
            **inputs, attention_mask=self._mask, past_key_values=self._cache, use_cache=True, logits_to_keep=1
        )
        self._cache = output.past_key_values
        return output.logits[:, -1].float()

    def forget(self, row: int, steps: Sequence[int]) -> None:
        self._mask[row, [self._prefix + step for step in steps]] = 0

    def keep(self, rows: Tensor) -> None:
        self._mask = self._mask[rows]
        self._cache.batch_select_indices(rows)


class LeanQwen3:
    """The arithmetic of `Qwen3ForCausalLM` with fused projections and a preallocated cache."""

    def __init__(self, model: Any, max_new_tokens: int) -> None:
        config = model.config
        self._model = model
        self._room = max_new_tokens
        self._eps = config.rms_norm_eps
        self._heads, self._groups = config.num_attention_heads, config.num_key_value_heads
        self._size = getattr(config, "head_dim", None) or config.hidden_size // self._heads
        self._layers = [self._weights(layer) for layer in model.model.layers]
        self._length = self._prefix = 0
        self._keys: list[Tensor] = []
        self._values: list[Tensor] = []
        self._bias: Tensor | None = None
        self._padding = torch.empty(0, dtype=torch.int64)
        self._cos = self._sin = torch.empty(0)

    def _weights(self, layer: Any) -> dict[str, Any]:
        attention, mlp = layer.self_attn, layer.mlp
        projections = (attention.q_proj, attention.k_proj, attention.v_proj)
        biases = [projection.bias for projection in projections]
        # The scaling of the scores is folded into the query's norm.
        query_norm = attention.q_norm.weight * attention.scaling
        return {
            "norm": layer.input_layernorm.weight,
            "qkv": torch.cat([projection.weight for projection in projections]),
            "qkv_bias": None if biases[0] is None else torch.cat(biases),
            "head_norm": torch.cat(
                [
                    query_norm.expand(self._heads, self._size),
                    attention.k_norm.weight.expand(self._groups, self._size),
                ]
            ),
            "out": attention.o_proj.weight,
            "out_bias": attention.o_proj.bias,
            "mlp_norm": layer.post_attention_layernorm.weight,
            "gate_up": torch.cat([mlp.gate_proj.weight, mlp.up_proj.weight]),
            "down": mlp.down_proj.weight,
        }

    def start(self, embeddings: Tensor, mask: Tensor) -> Tensor:
        rows, length = mask.shape
        output = self._model(
            inputs_embeds=embeddings,
            attention_mask=mask,
            position_ids=positions(mask),
            use_cache=True,
            logits_to_keep=1,
        )
        total = length + self._room
        for layer in output.past_key_values.layers:
            for cache, filled in ((self._keys, layer.keys), (self._values, layer.values)):
                buffer = filled.new_empty(rows, self._groups, total, self._size)
                buffer[:, :, :length] = filled
                cache.append(buffer)
        self._length = self._prefix = length
        self._padding = length - mask.sum(dim=1)
        if bool(self._padding.any()):
            self._bias = embeddings.new_zeros(rows, 1, 1, total)
            hidden = mask[:, None, None, :] == 0
            self._bias[..., :length].masked_fill_(hidden, torch.finfo(embeddings.dtype).min)
        everywhere = torch.arange(total, device=mask.device)[None]
        cos, sin = self._model.model.rotary_emb(embeddings, everywhere)
        half = self._size // 2
        self._cos = cos[0]
        self._sin = torch.cat([-sin[0, :, :half], sin[0, :, half:]], dim=-1)
        return output.logits[:, -1].float()

    def step(self, tokens: Tensor) -> Tensor:
        rows, end = len(tokens), self._length + 1
        heads, groups, size = self._heads, self._groups, self._size
        if self._bias is None:
            cos, sin = self._cos[self._length], self._sin[self._length]
        else:
            position = self._length - self._padding
            cos, sin = self._cos[position][:, None], self._sin[position][:, None]
        hidden = self._model.model.embed_tokens(tokens)
        width = (hidden.shape[-1],)
        for index, weights in enumerate(self._layers):
            normed = F.rms_norm(hidden, width, weights["norm"], self._eps)
            qkv = F.linear(normed, weights["qkv"], weights["qkv_bias"]).view(rows, -1, size)
            turned = F.rms_norm(qkv[:, : heads + groups], (size,), None, self._eps) * weights["head_norm"]
            turned = turned * cos + turned.roll(size // 2, dims=-1) * sin
            keys, values = self._keys[index], self._values[index]
            keys[:, :, self._length] = turned[:, heads:]
            values[:, :, self._length] = qkv[:, heads + groups :]
            query = turned[:, :heads].reshape(rows, groups, heads // groups, size)
            scores = query @ keys[:, :, :end].transpose(-1, -2)
            if self._bias is not None:
                scores = scores + self._bias[..., :end]
            mixed = torch.softmax(scores, dim=-1) @ values[:, :, :end]
            hidden = hidden + F.linear(mixed.reshape(rows, heads * size), weights["out"], weights["out_bias"])
            normed = F.rms_norm(hidden, width, weights["mlp_norm"], self._eps)
            gate, up = F.linear(normed, weights["gate_up"]).chunk(2, dim=-1)
            hidden = hidden + F.linear(F.silu(gate) * up, weights["down"])
        self._length = end
        hidden = F.rms_norm(hidden, width, self._model.model.norm.weight, self._eps)
        return self._model.lm_head(hidden).float()

    def forget(self, row: int, steps: Sequence[int]) -> None:
        if self._bias is None:
            total = self._keys[0].shape[2]
            self._bias = self._keys[0].new_zeros(len(self._padding), 1, 1, total)
        # The slots stay filled and hidden; what follows takes the positions that their tokens had.
        self._bias[row, ..., [self._prefix + step for step in steps]] = torch.finfo(self._bias.dtype).min
        self._padding[row] += len(steps)

    def keep(self, rows: Tensor) -> None:
        self._padding = self._padding[rows]
        if self._bias is not None:
            self._bias = self._bias[rows]
        for cache in (self._keys, self._values):
            for index, buffer in enumerate(cache):
                kept = buffer.new_empty(len(rows), *buffer.shape[1:])
                kept[:, :, : self._length] = buffer[rows, :, : self._length]
                cache[index] = kept


def positions(mask: Tensor) -> Tensor:
    """Position ids (B, T) of left-padded sequences: 0 for padding, then counting from 0."""
    return (mask.cumsum(dim=1) - 1).clamp_min(0)
