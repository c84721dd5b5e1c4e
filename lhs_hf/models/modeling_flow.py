"""RealNVP normalizing flow between the latents z of programs and a standard normal prior u (paper, section 3.3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers import initialization as init
from transformers.utils import ModelOutput

from .configuration_lhs import LHSFlowConfig
from .loading import LoadableModel

LOG_2PI = math.log(2 * math.pi)


@dataclass
class LHSFlowOutput(ModelOutput):
    """What the flow returns.

    Args:
        loss: scalar, mean negative log-likelihood in nats (equation of the flow loss); only when requested.
        u: (B, d), the latents in the prior space.
        log_det: (B,), log |det dF/dz|.
    """

    loss: Tensor | None = None
    u: Tensor | None = None
    log_det: Tensor | None = None


class ActNorm(nn.Module):
    """An affine map of each dimension whose first values standardise the first batch it is trained on."""

    initialized: Tensor

    def __init__(self, size: int) -> None:
        super().__init__()
        self.bias = nn.Parameter(torch.zeros(size))
        self.log_scale = nn.Parameter(torch.zeros(size))
        # Persistent, so that a reloaded flow does not initialise itself again on the first batch it sees.
        self.register_buffer("initialized", torch.tensor(False))

    @torch.no_grad()
    def initialize(self, z: Tensor) -> None:
        """Choose bias and scale such that `z` (B, d) comes out with mean 0 and standard deviation 1."""
        self.bias.copy_(-z.mean(dim=0))
        self.log_scale.copy_(-torch.log(z.std(dim=0, unbiased=False) + 1e-6))
        self.initialized.fill_(True)

    def forward(self, z: Tensor) -> tuple[Tensor, Tensor]:
        if self.training and len(z) > 1 and not self.initialized:
            self.initialize(z)
        return (z + self.bias) * torch.exp(self.log_scale), self.log_scale.sum().expand(len(z))

    def inverse(self, u: Tensor) -> Tensor:
        return u * torch.exp(-self.log_scale) - self.bias


class Whitening(nn.Module):
    """A fixed linear map after which latents have mean 0 and the identity as covariance: u = L^-1 (z - mean)."""

    mean: Tensor
    factor: Tensor

    def __init__(self, size: int) -> None:
        super().__init__()
        # Persistent: `from_pretrained` builds on the meta device, where other buffers lose their values.
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("factor", torch.eye(size))

    @torch.no_grad()
    def initialize(self, z: Tensor) -> None:
        """L L^T is the covariance of `z` (N, d), with 1e-5 of its mean variance added to the diagonal."""
        exact = z.double()
        covariance = torch.cov(exact.T, correction=0)
        ridge = 1e-5 * covariance.diagonal().mean() * torch.eye(len(covariance), dtype=covariance.dtype)
        self.mean.copy_(exact.mean(dim=0))
        self.factor.copy_(torch.linalg.cholesky(covariance + ridge))

    def forward(self, z: Tensor) -> tuple[Tensor, Tensor]:
        u = torch.linalg.solve_triangular(self.factor, (z - self.mean).T, upper=False).T
        return u, -self.factor.diagonal().log().sum().expand(len(z))

    def inverse(self, u: Tensor) -> Tensor:
        return u @ self.factor.T + self.mean


class AffineCoupling(nn.Module):
    """One coupling: the masked half decides scale and translation of the other half."""

    mask: Tensor

    def __init__(self, config: LHSFlowConfig, parity: int) -> None:
        super().__init__()
        size, hidden = config.latent_size, config.hidden_size
        self.scale_net = _mlp(size, hidden, config.negative_slope)
        self.translation_net = _mlp(size, hidden, config.negative_slope)
        self.scale_factor = nn.Parameter(torch.tensor(float(config.initial_scale)))
        # Persistent: `from_pretrained` builds on the meta device, where other buffers lose their values.
        self.register_buffer("mask", torch.arange(size) % 2 == parity)

    def _scale_and_translation(self, kept: Tensor) -> tuple[Tensor, Tensor]:
        zero = torch.zeros_like(kept)
        scale = self.scale_factor * torch.tanh(self.scale_net(kept))
        return torch.where(self.mask, zero, scale), torch.where(self.mask, zero, self.translation_net(kept))

    def forward(self, z: Tensor) -> tuple[Tensor, Tensor]:
        scale, translation = self._scale_and_translation(torch.where(self.mask, z, torch.zeros_like(z)))
        return z * torch.exp(scale) + translation, scale.sum(dim=-1)

    def inverse(self, u: Tensor) -> Tensor:
        scale, translation = self._scale_and_translation(torch.where(self.mask, u, torch.zeros_like(u)))
        return (u - translation) * torch.exp(-scale)


def _mlp(size: int, hidden: int, negative_slope: float) -> nn.Sequential:
    return nn.Sequential(nn.Linear(size, hidden), nn.LeakyReLU(negative_slope), nn.Linear(hidden, size))


class LHSFlow(LoadableModel):
    """The flow `F` (paper, appendix A.2). Loads from its own checkpoint or alone from a composite `LHSModel` one."""

    config_class = LHSFlowConfig
    base_model_prefix = "flow"
    main_input_name = "z"
    _keys_to_ignore_on_load_unexpected = [r"^mapper\."]  # noqa: RUF012
    # Small, and without its inverse in half precision: other dtypes are for the rest of a model.
    # Everything but the masks and flags, which are no numbers.
    _keep_in_fp32_modules_strict = [  # noqa: RUF012
        *("whitening", "norms.*.bias", "log_scale", "scale_net", "translation_net", "scale_factor")
    ]

    def __init__(self, config: LHSFlowConfig) -> None:
        super().__init__(config)
        self.whitening = Whitening(config.latent_size) if config.whitening else None
        self.norms = nn.ModuleList(ActNorm(config.latent_size) for _ in range(config.num_coupling_layers))
        self.couplings = nn.ModuleList(AffineCoupling(config, i % 2) for i in range(config.num_coupling_layers))
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.kaiming_uniform_(module.weight, a=self.config.negative_slope)
            init.zeros_(module.bias)
        elif isinstance(module, ActNorm):
            init.zeros_(module.bias)
            init.zeros_(module.log_scale)
            init.zeros_(module.initialized)
        elif isinstance(module, Whitening):
            init.zeros_(module.mean)
            init.eye_(module.factor)
        elif isinstance(module, AffineCoupling):
            # Couplings start as the identity; children are initialised before their parent.
            for net in (module.scale_net, module.translation_net):
                init.zeros_(net[-1].weight)
            init.constant_(module.scale_factor, float(self.config.initial_scale))

    def forward(self, z: Tensor, return_loss: bool = False, return_dict: bool | None = None) -> LHSFlowOutput | tuple:
        """Map latents to the prior space.

        Args:
            z: (B, d), floating point, of the model's dtype.
            return_loss: whether to compute the mean negative log-likelihood, in nats.

        Returns:
            `LHSFlowOutput` with u (B, d) and log_det (B,).
        """
        u, log_det = self.whitening(z) if self.whitening is not None else (z, z.new_zeros(len(z)))
        for norm, coupling in zip(self.norms, self.couplings):
            u, norm_log_det = norm(u)
            u, coupling_log_det = coupling(u)
            log_det = log_det + norm_log_det + coupling_log_det
        loss = -(_standard_normal_log_prob(u) + log_det).mean() if return_loss else None
        output = LHSFlowOutput(loss=loss, u=u, log_det=log_det)
        return output if return_dict is not False else output.to_tuple()

    def inverse(self, u: Tensor) -> Tensor:
        """`z = F^-1(u)`, (B, d) to (B, d), differentiable."""
        z = u
        for norm, coupling in zip(reversed(self.norms), reversed(self.couplings)):
            z = norm.inverse(coupling.inverse(z))
        return z if self.whitening is None else self.whitening.inverse(z)

    def log_prob(self, z: Tensor) -> Tensor:
        """log p(z) of each row in nats, (B,) (change of variables, section 3.3)."""
        output = self(z)
        return _standard_normal_log_prob(output.u) + output.log_det

    def bits_per_dimension(self, z: Tensor) -> Tensor:
        """Mean negative log-likelihood of `z` (B, d) in bits for each dimension, a scalar."""
        return -self.log_prob(z).mean() / (z.shape[-1] * math.log(2))

    @torch.no_grad()
    def initialize(self, z: Tensor) -> None:
        """Fit the whitening, if there is one, and every ActNorm to `z` (B, d)."""
        if self.whitening is not None:
            self.whitening.initialize(z)
            z = self.whitening(z)[0]
        for norm, coupling in zip(self.norms, self.couplings):
            norm.initialize(z)
            z, _ = coupling(norm(z)[0])


def _standard_normal_log_prob(u: Tensor) -> Tensor:
    return -0.5 * (u.square() + LOG_2PI).sum(dim=-1)
