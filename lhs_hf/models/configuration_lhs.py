"""Configurations of the trained parts: flow, mapper, surrogate, and the composite that holds flow and mapper."""

from typing import Literal

from huggingface_hub.dataclasses import strict
from transformers import PreTrainedConfig


@strict
class LHSFlowConfig(PreTrainedConfig):
    """RealNVP `u = F(z)` (paper, appendix A.2).

    Args:
        latent_size: d, the width of z and of u.
        num_coupling_layers: couplings, their checkerboard masks alternating in parity.
        hidden_size: of the scale and of the translation MLP of each coupling.
        negative_slope: of their LeakyReLU.
        initial_scale: first value of the learnable factor in front of the tanh of a scale.
        whitening: put a fixed linear map in front that gives the training latents unit covariance. The paper has none
            (False). Four couplings alone do not reach the likelihood of a full-covariance Gaussian; with it they start
            there.
    """

    model_type = "lhs_flow"
    base_config_key = "flow_config"

    latent_size: int = 128
    num_coupling_layers: int = 4
    hidden_size: int = 128
    negative_slope: float | int = 0.2
    initial_scale: float | int = 0.8
    whitening: bool = False

    def validate_architecture(self):
        """At least two dimensions and one coupling, otherwise nothing is transformed."""
        if self.latent_size < 2 or self.num_coupling_layers < 1:
            raise ValueError(
                "a flow needs latent_size >= 2 and num_coupling_layers >= 1, got "
                f"latent_size={self.latent_size} and num_coupling_layers={self.num_coupling_layers}"
            )


@strict
class LHSMapperConfig(PreTrainedConfig):
    """Low-rank mapper `h = phi(z)` (paper, appendix A.3). With `output_size` 2560 it has about 1.8 M parameters.

    Args:
        latent_size: d, the width of z.
        num_soft_tokens: K, the length of the soft prompt.
        token_size: width of the soft tokens before the shared MLP.
        num_attention_heads: of the self-attention among the soft tokens.
        hidden_size: of the shared MLP.
        output_size: e, the width of the decoder's token embeddings.
        dropout: of the attention and of its residual branch.
        initial_output_scale: first value of the learnable factor in front of the soft tokens.
    """

    model_type = "lhs_mapper"
    base_config_key = "mapper_config"

    latent_size: int = 128
    num_soft_tokens: int = 16
    token_size: int = 128
    num_attention_heads: int = 2
    hidden_size: int = 544
    output_size: int = 2560
    dropout: float | int = 0.1
    initial_output_scale: float | int = 1.0

    def validate_architecture(self):
        """The heads have to divide the token width."""
        if self.token_size % self.num_attention_heads:
            raise ValueError(
                f"token_size ({self.token_size}) is not a multiple of num_attention_heads ({self.num_attention_heads})"
            )


@strict
class LHSSurrogateConfig(PreTrainedConfig):
    """Ranking surrogate `R` of one task (paper, appendix A.4).

    Args:
        latent_size: d, the width of the vectors it scores.
        hidden_size, num_hidden_layers, dropout: of the MLP.
        task: name of the task it was trained for.
        space: "prior" (scores u, the paper's choice) or "latent" (scores z, the No-Flow variant).
        temperature: tau of the RankNet loss.
        input_scale: what inputs are divided by, one number for all dimensions.
        score_mean, score_std: of the training scores `s`, in the task's own unit.
    """

    model_type = "lhs_surrogate"

    latent_size: int = 128
    hidden_size: int = 256
    num_hidden_layers: int = 2
    dropout: float | int = 0.1
    task: str | None = None
    space: Literal["prior", "latent"] = "prior"
    temperature: float | int = 1.0
    input_scale: float | int = 1.0
    score_mean: float | int = 0.0
    score_std: float | int = 1.0


@strict
class LHSConfig(PreTrainedConfig):
    """The composite: trained flow and mapper, and the names of the frozen encoder and decoder they belong to.

    Args:
        flow_config, mapper_config: configurations (or dicts of them) of the two trained parts.
        encoder, decoder: repository id, or folder relative to this repository.
        encoder_revision, decoder_revision: which revision of those.
        surrogates: folder of the surrogates, one subfolder a task.
        latent_normalized: whether latents are projected to the unit sphere (the Qwen pair) or left as they are.
        soft_prompt_position: "after" the text prompt (the paper's `I + h`) or "before" it.
    """

    model_type = "lhs"
    sub_configs = {"flow_config": LHSFlowConfig, "mapper_config": LHSMapperConfig}  # noqa: RUF012

    flow_config: dict | LHSFlowConfig | None = None
    mapper_config: dict | LHSMapperConfig | None = None
    encoder: str | None = "encoder"
    encoder_revision: str | None = None
    decoder: str | None = "decoder"
    decoder_revision: str | None = None
    surrogates: str = "surrogates"
    latent_normalized: bool = False
    soft_prompt_position: Literal["after", "before"] = "after"

    def __post_init__(self, **kwargs):
        # A saved `custom_pipelines` makes `pipeline()` ask for `trust_remote_code`; the installed pipeline needs none.
        kwargs.pop("custom_pipelines", None)
        for name, config_class in self.sub_configs.items():
            value = getattr(self, name)
            if not isinstance(value, PreTrainedConfig):
                setattr(self, name, config_class(**(value or {})))
        super().__post_init__(**kwargs)

    def validate_architecture(self):
        """Flow and mapper have to speak about the same z."""
        if self.flow_config.latent_size != self.mapper_config.latent_size:
            raise ValueError(
                f"flow and mapper disagree on latent_size: {self.flow_config.latent_size} and "
                f"{self.mapper_config.latent_size}"
            )
