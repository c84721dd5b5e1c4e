"""Performance surrogate: ranks vectors of the prior (or latent) space by the score of their programs."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import initialization as init
from transformers.utils import ModelOutput

from .configuration_lhs import LHSSurrogateConfig
from .loading import LoadableModel


@dataclass
class LHSSurrogateOutput(ModelOutput):
    """What the surrogate returns.

    Args:
        loss: scalar RankNet loss, when true scores were given.
        score: (B,), predicted score; only its order means something, higher is better.
    """

    loss: Tensor | None = None
    score: Tensor | None = None


def ranknet_loss(predicted: Tensor, scores: Tensor, temperature: float = 1.0, weights: Tensor | None = None) -> Tensor:
    """Mean of `-log sigmoid(tau (R_i - R_j))` over the ordered pairs with s_i > s_j (paper, section 3.4).

    Args:
        predicted: (B,) scores R of the surrogate.
        scores: (B,) true scores; tied pairs do not count.
        temperature: tau.
        weights: (B,), optional; a pair counts as much as its better member.

    Returns:
        A scalar; zero, still attached to the graph, if every pair is tied.
    """
    better = scores[:, None] > scores[None, :]
    losses = functional.softplus(-temperature * (predicted[:, None] - predicted[None, :]))
    pair_weights = better.to(losses.dtype)
    if weights is not None:
        pair_weights = pair_weights * weights[:, None].to(losses.dtype)
    total = pair_weights.sum()
    return (losses * pair_weights).sum() / torch.where(total > 0, total, torch.ones_like(total))


class LHSSurrogate(LoadableModel):
    """The surrogate `R` of one task (paper, section 3.4, appendix A.4); `config.space` says what it scores."""

    config_class = LHSSurrogateConfig
    base_model_prefix = "surrogate"
    main_input_name = "u"

    def __init__(self, config: LHSSurrogateConfig) -> None:
        super().__init__(config)
        layers: list[nn.Module] = []
        width = config.latent_size
        for _ in range(config.num_hidden_layers):
            layers += [nn.Linear(width, config.hidden_size), nn.ReLU(), nn.Dropout(config.dropout)]
            width = config.hidden_size
        self.layers = nn.Sequential(*layers, nn.Linear(width, 1))
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.kaiming_uniform_(module.weight, nonlinearity="relu")
            init.zeros_(module.bias)

    def forward(
        self,
        u: Tensor,
        scores: Tensor | None = None,
        weights: Tensor | None = None,
        return_dict: bool | None = None,
    ) -> LHSSurrogateOutput | tuple:
        """Score vectors, and compare with the truth when it is given.

        Args:
            u: (B, d), floating point; latents z if `config.space` is "latent".
            scores: (B,) true scores `s`, higher is better; every pair of the batch is trained on.
            weights: (B,) optional weights of the better members of the pairs.
        """
        score = self.layers(u / self.config.input_scale).squeeze(-1)
        loss = None if scores is None else ranknet_loss(score, scores, self.config.temperature, weights)
        output = LHSSurrogateOutput(loss=loss, score=score)
        return output if return_dict is not False else output.to_tuple()

    def sampled_scores(self, u: Tensor, samples: int, seed: int) -> Tensor:
        """Scores of `samples` networks drawn by Monte Carlo dropout, (samples, B), differentiable in `u` (B, d).

        The masks depend on `seed` alone and are the same for every row and every call: each sample is one function of
        u. Raises `ValueError` if the surrogate has no dropout.
        """
        if not self.config.dropout:
            raise ValueError("a surrogate without dropout gives no Monte Carlo samples")
        generator = torch.Generator().manual_seed(seed)
        keep = 1.0 - float(self.config.dropout)
        hidden = (u / self.config.input_scale).expand(samples, *u.shape)
        for layer in self.layers:
            if isinstance(layer, nn.Dropout):
                draws = torch.rand(samples, 1, hidden.shape[-1], generator=generator)
                hidden = hidden * (draws < keep).to(hidden) / keep
            else:
                hidden = layer(hidden)
        return hidden.squeeze(-1)
