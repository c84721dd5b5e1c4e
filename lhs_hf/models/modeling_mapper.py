"""Latent-to-prompt mapper: a latent becomes K soft tokens for a frozen decoder (paper, section 3.2, appendix A.3)."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn
from transformers import initialization as init
from transformers.utils import ModelOutput

from .configuration_lhs import LHSMapperConfig
from .layers import SelfAttention
from .loading import LoadableModel


@dataclass
class LHSMapperOutput(ModelOutput):
    """What the mapper returns with `return_dict=True`.

    Args:
        soft_prompt: (B, K, e), embeddings for the decoder.
    """

    soft_prompt: Tensor | None = None


class LHSMapper(LoadableModel):
    """The low-rank mapper `phi`. Loads from its own checkpoint or alone from a composite `LHSModel` one."""

    config_class = LHSMapperConfig
    base_model_prefix = "mapper"
    main_input_name = "z"
    _keys_to_ignore_on_load_unexpected = [r"^flow\."]  # noqa: RUF012

    def __init__(self, config: LHSMapperConfig) -> None:
        super().__init__(config)
        self.expansion = nn.Linear(config.latent_size, config.num_soft_tokens * config.token_size)
        self.positions = nn.Parameter(torch.zeros(config.num_soft_tokens, config.token_size))
        self.attention = SelfAttention(config.token_size, config.num_attention_heads, config.dropout)
        self.norm = nn.LayerNorm(config.token_size)
        self.up_projection = nn.Sequential(
            nn.Linear(config.token_size, config.hidden_size),
            nn.GELU(),
            nn.Linear(config.hidden_size, config.output_size),
        )
        self.output_scale = nn.Parameter(torch.tensor(float(config.initial_output_scale)))
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            init.xavier_uniform_(module.weight)
            init.zeros_(module.bias)
        elif isinstance(module, nn.LayerNorm):
            init.ones_(module.weight)
            init.zeros_(module.bias)
        elif isinstance(module, LHSMapper):
            init.normal_(module.positions, std=0.02)
            init.constant_(module.output_scale, float(module.config.initial_output_scale))

    def forward(self, z: Tensor, return_dict: bool | None = None) -> Tensor | LHSMapperOutput:
        """Soft prompts of latents.

        Args:
            z: (B, d), floating point, of the model's dtype.
            return_dict: True wraps the result in a `LHSMapperOutput`.

        Returns:
            Embeddings (B, K, e).
        """
        tokens = self.expansion(z).view(len(z), self.config.num_soft_tokens, self.config.token_size)
        tokens = self.attention(tokens + self.positions)
        soft_prompt = self.output_scale * self.up_projection(self.norm(tokens))
        return LHSMapperOutput(soft_prompt=soft_prompt) if return_dict else soft_prompt

    @torch.no_grad()
    def match_norm(self, embeddings: Tensor, z: Tensor) -> None:
        """Choose the output scale so that the soft tokens of `z` (B, d) have the mean norm of `embeddings` (V, e)."""
        tokens = self(z)
        self.output_scale.mul_(embeddings.norm(dim=-1).mean().to(tokens.dtype) / tokens.norm(dim=-1).mean())
