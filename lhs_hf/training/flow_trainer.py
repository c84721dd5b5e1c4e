"""Training of the normalizing flow by maximum likelihood (paper, section 3.3, appendix A.2)."""

from __future__ import annotations

import math
from pathlib import Path

import torch
from torch import Tensor

from ..models.configuration_lhs import LHSFlowConfig
from ..models.modeling_flow import LHSFlow
from .data import ListSource
from .flow_config import FlowTrainingConfig
from .trainer import Objective, TrainingResult, fit


def train_flow(
    latents: Tensor,
    valid_latents: Tensor,
    settings: FlowTrainingConfig | None = None,
    output_dir: str | Path = "flow",
    *,
    config: LHSFlowConfig | None = None,
    resume: bool = True,
    progress: bool = True,
) -> tuple[LHSFlow, TrainingResult]:
    """Fit `F` to latents (N, d); the weights with the fewest bits a dimension on `valid_latents` (M, d) are kept.

    The history of the result holds `eval_bits` (flow) and `eval_gaussian_bits` (a full-covariance Gaussian fitted to
    the same training latents with the same noise), both on the validation latents with noise.
    """
    settings = settings or FlowTrainingConfig()
    latents, valid_latents = latents.float(), valid_latents.float()
    torch.manual_seed(settings.seed)
    flow = LHSFlow(config or LHSFlowConfig(latent_size=latents.shape[1]))
    flow.initialize(add_noise(latents, settings.noise, seed=settings.seed))
    # The same noisy copies at every evaluation, several of each latent: evaluations differ by the flow alone.
    noisy = add_noise(valid_latents.repeat(4, 1), settings.noise, seed=settings.seed + 1)
    gaussian = gaussian_bits_per_dimension(latents, noisy, noise=settings.noise)

    def loss(model: torch.nn.Module, batch: dict[str, Tensor]) -> Tensor:
        z = batch["z"] + settings.noise * torch.randn_like(batch["z"])
        return model(z, return_loss=True).loss

    def evaluate(model: torch.nn.Module) -> dict[str, float]:
        device = next(model.parameters()).device
        return {"bits": float(model.bits_per_dimension(noisy.to(device))), "gaussian_bits": gaussian}

    result = fit(
        flow,
        ListSource(list(latents)),
        lambda rows: {"z": torch.stack(rows)},
        settings,
        output_dir,
        Objective(loss, evaluate, metric="bits"),
        resume=resume,
        progress=progress,
    )
    return flow.eval(), result


def add_noise(latents: Tensor, noise: float, seed: int) -> Tensor:
    """Latents with Gaussian noise of standard deviation `noise` from a stream of their own."""
    generator = torch.Generator().manual_seed(seed)
    return latents + noise * torch.randn(latents.shape, generator=generator, dtype=latents.dtype)


def gaussian_bits_per_dimension(train: Tensor, test: Tensor, noise: float = 0.0) -> float:
    """Bits a dimension of `test` (M, d) under the full-covariance Gaussian fitted to `train` (N, d).

    `noise` is the standard deviation of noise that `test` carries and `train` does not: it adds to the covariance.
    A covariance that is not invertible, because N <= d or dimensions repeat, is regularised by a millionth of its mean
    variance.
    """
    train, test = train.double(), test.double()
    size = train.shape[1]
    covariance = torch.cov(train.T) + noise**2 * torch.eye(size, dtype=train.dtype)
    covariance = covariance + 1e-6 * covariance.diagonal().mean() * torch.eye(size, dtype=train.dtype)
    distribution = torch.distributions.MultivariateNormal(train.mean(dim=0), covariance)
    return float(-distribution.log_prob(test).mean() / (size * math.log(2)))
