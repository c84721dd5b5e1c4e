"""Nucleus sampling of one token a row."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

_FEW = 64  # candidates that nearly always hold the nucleus


@dataclass(frozen=True)
class Sampling:
    """How the tokens of a program are drawn.

    Args:
        temperature: 0 takes the most probable token.
        top_p: nucleus sampling keeps the smallest set of tokens with at least this probability.
        max_new_tokens: with the grammar, programs close within this number of tokens.
        grammar: allow only programs; without it, any tokens up to the end-of-sequence token; with a `ProgramTokenizer`
            the source is what they write up to the first one that the grammar forbids.

    Raises `ValueError` for a temperature below 0 and a `top_p` outside (0, 1].
    """

    temperature: float = 0.7
    top_p: float = 0.9
    max_new_tokens: int = 512
    grammar: bool = True

    def __post_init__(self) -> None:
        if self.temperature < 0 or not 0 < self.top_p <= 1:
            raise ValueError(f"temperature has to be >= 0 and top_p in (0, 1], got {self.temperature} and {self.top_p}")


DEFAULT_SAMPLING = Sampling()


def sample(
    logits: Tensor, masks: np.ndarray | None, draws: np.ndarray, temperature: float, top_p: float
) -> tuple[np.ndarray, np.ndarray]:
    """One token a row by nucleus sampling.

    Args: logits (B, V) float32; masks (B, V) bool or None; draws (B,) uniform in [0, 1).
    Returns: tokens (B,) int64 and their log-probabilities (B,) at temperature 1, masked, without the nucleus cut.
    """
    if masks is not None:
        logits = logits.masked_fill(~torch.from_numpy(masks).to(logits.device), -torch.inf)
    normaliser = torch.logsumexp(logits, dim=-1)
    if temperature == 0:
        best, tokens = logits.max(dim=-1)
        return tokens.cpu().numpy(), (best - normaliser).cpu().numpy()
    total = normaliser if temperature == 1 else torch.logsumexp(logits / temperature, dim=-1)
    few = min(_FEW, logits.shape[-1])
    while True:
        top, indices = logits.topk(few, dim=-1)
        mass = (top / temperature - total[:, None]).exp().double().cumsum(dim=-1).cpu().numpy()
        if few == logits.shape[-1] or bool((mass[:, -1] >= top_p).all()):
            break
        few = logits.shape[-1]
    size = np.minimum((mass < top_p).sum(axis=1), few - 1)
    everyone = np.arange(len(mass))
    targets = draws * mass[everyone, size]
    chosen = np.minimum((mass <= targets[:, None]).sum(axis=1), size)
    tokens = indices.cpu().numpy()[everyone, chosen]
    return tokens, top.cpu().numpy()[everyone, chosen] - normaliser.cpu().numpy()
