"""The attention block that the mapper and the program encoder share."""

from __future__ import annotations

from torch import Tensor, nn
from torch.nn import functional


class SelfAttention(nn.Module):
    """Pre-norm multi-head self-attention with its residual connection, bidirectional."""

    def __init__(self, size: int, num_heads: int, dropout: float) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.norm = nn.LayerNorm(size)
        self.query_key_value = nn.Linear(size, 3 * size)
        self.output = nn.Linear(size, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor, mask: Tensor | None = None) -> Tensor:
        """`hidden` (B, T, size) to the same shape; `mask` (B, 1, 1, T) bool is True where attention may look."""
        batch, length, size = hidden.shape
        heads = self.query_key_value(self.norm(hidden)).view(batch, length, 3, self.num_heads, -1)
        query, key, value = heads.permute(2, 0, 3, 1, 4)
        rate = self.dropout.p if self.training else 0.0
        mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=rate)
        mixed = mixed.transpose(1, 2).reshape(batch, length, size)
        return hidden + self.dropout(self.output(mixed))


class FeedForward(nn.Module):
    """Pre-norm position-wise MLP with its residual connection."""

    def __init__(self, size: int, hidden_size: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(size)
        self.up = nn.Linear(size, hidden_size)
        self.down = nn.Linear(hidden_size, size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, hidden: Tensor) -> Tensor:
        return hidden + self.dropout(self.down(functional.gelu(self.up(self.norm(hidden)))))
