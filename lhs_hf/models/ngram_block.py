"""Which tokens and neighbouring tokens a program holds: what a linear model on word counts sees."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

# Any odd numbers would do: neighbours in the vocabulary must not be neighbours in the table.
_FIRST, _SECOND = 1_000_003, 7_919


class NgramBlock(nn.Module):
    """Learned vectors of a program's tokens and pairs of neighbouring tokens, summed over the root of their number.

    Args:
        vocab_size: number of token ids; each has a vector of its own.
        buckets: vectors shared by all pairs, each pair being hashed to one of them.
        size: width of the vectors.
        dropout: share of the tokens and pairs left out in training. Without it the table learns programs by heart.
        pad_token_id: id that counts as no token.
    """

    def __init__(self, vocab_size: int, buckets: int, size: int, dropout: float = 0.0, pad_token_id: int = 0) -> None:
        super().__init__()
        if buckets < 1:
            raise ValueError(f"buckets must be at least 1, got {buckets}")
        self.vocab_size = vocab_size
        self.buckets = buckets
        self.dropout = dropout
        self.pad_token_id = pad_token_id
        self.table = nn.Embedding(vocab_size + buckets, size)
        nn.init.normal_(self.table.weight, std=0.02)

    def forward(self, input_ids: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        """The summed vectors (B, size) of token ids (B, T) int64; `attention_mask` (B, T) is non-zero for tokens."""
        present = input_ids != self.pad_token_id
        if attention_mask is not None:
            present = present & attention_mask.bool()
        pairs = (input_ids[:, :-1] * _FIRST + input_ids[:, 1:] * _SECOND) % self.buckets + self.vocab_size
        grams = torch.cat([input_ids, pairs], dim=1)
        counted = torch.cat([present, present[:, :-1] & present[:, 1:]], dim=1)
        if self.training and self.dropout:
            counted = counted & (torch.rand(counted.shape, device=counted.device) >= self.dropout)
        weights = counted.to(self.table.weight.dtype)
        weights = weights / weights.sum(dim=1, keepdim=True).clamp(min=1).sqrt()
        summed: Tensor = functional.embedding_bag(grams, self.table.weight, mode="sum", per_sample_weights=weights)
        return summed
