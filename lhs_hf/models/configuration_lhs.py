"""Configurations of the trained parts: flow, mapper, surrogate, and the composite that holds flow and mapper."""

from typing import Any, ClassVar, Literal

from huggingface_hub.dataclasses import strict
from huggingface_hub.errors import StrictDataclassError
from transformers import PreTrainedConfig

from .. import __version__
from ..errors import CallError
from ..opening.configs import check_stored_config


class LHSBaseConfig(PreTrainedConfig):
    """What the configurations share: the version of this package that wrote them.

    Args:
        lhs_version: read from a file; a newer major version is refused. Every save writes the version that saves.
    """

    lhs_version: str | None = None

    # The least and the greatest value of each number.
    bounds: ClassVar[dict[str, tuple[float, float]]] = {}

    def validate_bounds(self):
        """Sizes that a machine can hold, numbers that are finite."""
        for name, (least, most) in self.bounds.items():
            value = getattr(self, name)
            # A NaN is on neither side.
            if not least <= value <= most:
                raise ValueError(f"{name} is {str(value)[:40]}; expected a number between {least} and {most}")

    @classmethod
    def get_config_dict(cls, pretrained_model_name_or_path: Any, **kwargs: Any) -> tuple[dict, dict]:
        """The stored values.

        Raises `CallError` if they belong to another kind of model or to a newer version, are too large or too deep, or
        name code.
        """
        check_stored_config(str(pretrained_model_name_or_path), **kwargs)
        values, kwargs = super().get_config_dict(pretrained_model_name_or_path, **kwargs)
        if not values:
            raise CallError(
                f"{pretrained_model_name_or_path} has no config.json; expected a model of type {cls.model_type!r}"
            )
        kind = values.get("model_type")
        if kind != cls.model_type and not (cls.base_config_key and cls.base_config_key in values):
            held = f"a model of type {kind!r}" if kind else "no model of this package"
            composite = (
                f", or 'lhs' (a composite that holds one as {cls.base_config_key})" if cls.base_config_key else ""
            )
            raise CallError(f"{pretrained_model_name_or_path} is {held}; expected {cls.model_type!r}{composite}")
        _check_version(values, str(pretrained_model_name_or_path))
        return values, kwargs

    @classmethod
    def from_dict(cls, config_dict: dict[str, Any], **kwargs: Any) -> Any:
        """A configuration from stored values. Raises `CallError` for those of a newer version, and for wrong ones."""
        _check_version(config_dict, "this configuration")
        try:
            return super().from_dict(config_dict, **kwargs)
        except (StrictDataclassError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, CallError):
                raise
            name = config_dict.get("_name_or_path") or "this model"
            raise CallError(f"the configuration of {name} is wrong: {_reason(error)}") from error

    def to_diff_dict(self) -> dict[str, Any]:
        """The values that a file holds."""
        values = {**super().to_diff_dict(), "lhs_version": __version__}
        for name in self.sub_configs:
            # Where a part was trained is nobody's business, and its version is that of the whole.
            part = values.get(name)
            if isinstance(part, dict):
                values[name] = {key: part[key] for key in part if key not in ("_name_or_path", "lhs_version")}
        return values


def _reason(error: BaseException) -> str:
    """What a configuration's check says, on one line and without the check's own name."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300]


def _check_version(values: dict[str, Any], name: str) -> None:
    written = values.get("lhs_version")
    if written is None:
        return
    major = str(written).split(".")[0]
    if not major.isdigit():
        raise CallError(f"{name} says lhs_version {written!r}; expected a version such as {__version__!r}")
    if int(major) > int(__version__.split(".")[0]):
        raise CallError(
            f"{name} was written by lhs-hf {written}, which is newer than the installed {__version__}; "
            "upgrade with: pip install --upgrade lhs-hf, or choose an older revision of it"
        )


@strict
class LHSFlowConfig(LHSBaseConfig):
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
    bounds = {  # noqa: RUF012  (the base class says that it is no field)
        "latent_size": (2, 2**14),
        "num_coupling_layers": (1, 256),
        "hidden_size": (1, 2**16),
        "negative_slope": (-1e3, 1e3),
        "initial_scale": (-1e6, 1e6),
    }

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
class LHSMapperConfig(LHSBaseConfig):
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
    bounds = {  # noqa: RUF012  (the base class says that it is no field)
        "latent_size": (1, 2**14),
        "num_soft_tokens": (1, 2**12),
        "token_size": (1, 2**14),
        "num_attention_heads": (1, 2**10),
        "hidden_size": (1, 2**16),
        "output_size": (1, 2**16),
        "dropout": (0, 1),
        "initial_output_scale": (-1e6, 1e6),
    }

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
class LHSSurrogateConfig(LHSBaseConfig):
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
    bounds = {  # noqa: RUF012  (the base class says that it is no field)
        "latent_size": (1, 2**14),
        "hidden_size": (1, 2**16),
        "num_hidden_layers": (0, 256),
        "dropout": (0, 1),
        "temperature": (0, 1e9),
        "input_scale": (1e-12, 1e12),
        "score_mean": (-1e300, 1e300),
        "score_std": (0, 1e300),
    }

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
class LHSConfig(LHSBaseConfig):
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
                if not isinstance(value or {}, dict):
                    raise CallError(f"{name} is {value!r:.80}; expected a JSON object")
                setattr(self, name, config_class(**(value or {})))
        super().__post_init__(**kwargs)

    def validate_architecture(self):
        """Flow and mapper have to speak about the same z."""
        if self.flow_config.latent_size != self.mapper_config.latent_size:
            raise ValueError(
                f"flow and mapper disagree on latent_size: {self.flow_config.latent_size} and "
                f"{self.mapper_config.latent_size}"
            )
