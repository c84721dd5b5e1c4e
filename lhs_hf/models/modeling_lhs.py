"""The composite checkpoint: flow and mapper of one encoder-decoder pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from torch import Tensor
from transformers.utils import ModelOutput

from .configuration_lhs import LHSConfig
from .loading import LoadableModel
from .modeling_flow import LHSFlow
from .modeling_mapper import LHSMapper


@dataclass
class LHSModelOutput(ModelOutput):
    """What the composite returns.

    Args:
        u: (B, d), the latents in the prior space.
        log_det: (B,), log |det dF/dz|.
        soft_prompt: (B, K, e), embeddings for the decoder.
    """

    u: Tensor | None = None
    log_det: Tensor | None = None
    soft_prompt: Tensor | None = None


class LHSPreTrainedModel(LoadableModel):
    """Base of models with an `LHSConfig`; the parts initialise their own weights."""

    config_class = LHSConfig
    base_model_prefix = "lhs"
    main_input_name = "z"


class LHSModel(LHSPreTrainedModel):
    """Flow and mapper together. The frozen encoder and decoder are only named, in the configuration.

    The flow stays in float32 where half precision is asked for.

    `LHSFlow.from_pretrained` and `LHSMapper.from_pretrained` load one part from the same checkpoint.
    """

    def __init__(self, config: LHSConfig) -> None:
        super().__init__(config)
        flow_config: Any = config.flow_config
        mapper_config: Any = config.mapper_config
        self.flow = LHSFlow(flow_config)
        self.mapper = LHSMapper(mapper_config)
        self.post_init()

    def forward(self, z: Tensor, return_dict: bool | None = None) -> LHSModelOutput | tuple:
        """Latents (B, d) to their prior vectors and their soft prompts."""
        flow = self.flow(z)
        output = LHSModelOutput(u=flow.u, log_det=flow.log_det, soft_prompt=self.mapper(z.to(self.mapper.dtype)))
        return output if return_dict is not False else output.to_tuple()

    def decode_prior(self, u: Tensor) -> Tensor:
        """Soft prompts (B, K, e) of prior vectors (B, d): `h = phi(F^-1(u))`."""
        return self.mapper(self.flow.inverse(u).to(self.mapper.dtype))
