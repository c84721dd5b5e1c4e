"""Nucleus sampling of one token a row."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

_FEW = 64  # candidates that nearly always hold the nucleus


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
