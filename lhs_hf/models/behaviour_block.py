"""A fixed-size summary of what a program does on the probe states, as the encoder reads it."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class BehaviourBlock(nn.Module):
    """Summarises behaviours (B, probes, features) with NaN rows where the program failed.

    The block holds, in this order: mean and standard deviation of each feature over the probes, the error rate, the
    10th, 50th and 90th percentile of each feature, and a fixed random orthonormal projection of the single probes.
    Nothing here is trained.

    Args:
        num_probes, num_features: shape of a behaviour.
        projection_size: width of the projection of the flattened behaviour.
        seed: of the projection.
    """

    projection: Tensor
    mean: Tensor
    std: Tensor

    def __init__(self, num_probes: int = 64, num_features: int = 8, projection_size: int = 48, seed: int = 0) -> None:
        super().__init__()
        self.num_probes = num_probes
        self.num_features = num_features
        generator = torch.Generator().manual_seed(seed)
        draws = torch.randn(num_probes * num_features, projection_size, generator=generator, dtype=torch.float64)
        self.register_buffer("projection", torch.linalg.qr(draws)[0].float().contiguous())
        self.register_buffer("mean", torch.zeros(self.size))
        self.register_buffer("std", torch.ones(self.size))

    @property
    def size(self) -> int:
        """Width of the block."""
        return 5 * self.num_features + 1 + self.projection.shape[1]

    def summary(self, behaviour: Tensor) -> Tensor:
        """The block (B, size) before standardisation. Raises `ValueError` for a wrong shape."""
        if behaviour.shape[1:] != (self.num_probes, self.num_features):
            expected = (self.num_probes, self.num_features)
            raise ValueError(
                f"expected behaviours of shape (B, {expected[0]}, {expected[1]}), got {tuple(behaviour.shape)}"
            )
        behaviour = behaviour.to(self.projection.dtype)
        failed = behaviour.isnan().any(dim=-1)
        # 0.5 is the middle of every percentile feature: a probe without an answer pulls nowhere.
        filled = torch.where(failed[:, :, None], torch.full_like(behaviour, 0.5), behaviour)
        answered = (~failed).to(behaviour.dtype)[:, :, None]
        count = answered.sum(dim=1).clamp(min=1)
        mean = (filled * answered).sum(dim=1) / count
        std = (((filled - mean[:, None]) * answered).square().sum(dim=1) / count).sqrt()
        levels = torch.tensor([0.1, 0.5, 0.9], dtype=filled.dtype, device=filled.device)
        percentiles = torch.quantile(filled, levels, dim=1).transpose(0, 1).flatten(1)
        error_rate = failed.to(behaviour.dtype).mean(dim=1, keepdim=True)
        return torch.cat([mean, std, error_rate, percentiles, (filled - 0.5).flatten(1) @ self.projection], dim=1)

    @torch.no_grad()
    def fit(self, behaviour: Tensor) -> None:
        """Standardise by the statistics of these behaviours (N, probes, features)."""
        summary = self.summary(behaviour)
        self.mean.copy_(summary.mean(dim=0))
        # Columns that never vary stay at zero instead of exploding on the first program that differs.
        self.std.copy_(summary.std(dim=0, unbiased=False).clamp(min=0.05))

    def forward(self, behaviour: Tensor) -> Tensor:
        """The standardised block (B, size), clipped to five standard deviations."""
        return ((self.summary(behaviour) - self.mean) / self.std).clamp(-5, 5)
