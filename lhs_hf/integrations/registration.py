"""Registers this package with transformers and sentence-transformers as soon as they are imported, never before.

`import lhs_hf` has to stay light, and people import the packages in either order: a post-import hook runs at once if
its module is already there, and later otherwise.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any

import wrapt

from ..constants import PIPELINE_TASK, embedded_model

_ENCODER_MODULE = "lhs_hf.models.encoder.ProgramEncoderModule"


def register() -> None:
    """Install the hooks. Called once, by `import lhs_hf`."""
    wrapt.register_post_import_hook(_register_configs, "transformers.models.auto.configuration_auto")
    wrapt.register_post_import_hook(_register_models, "transformers.models.auto.modeling_auto")
    wrapt.register_post_import_hook(_register_tokenizer, "transformers.models.auto.tokenization_auto")
    wrapt.register_post_import_hook(_register_pipeline, "transformers.pipelines")
    wrapt.register_post_import_hook(_register_encoder, "sentence_transformers.base.model")


def _register_configs(module: ModuleType) -> None:
    from ..models import configuration_lhs as configurations
    from ..models.configuration_editor import LHSEditorConfig

    for config in (
        LHSEditorConfig,
        configurations.LHSConfig,
        configurations.LHSFlowConfig,
        configurations.LHSMapperConfig,
        configurations.LHSSurrogateConfig,
    ):
        module.AutoConfig.register(config.model_type, config, exist_ok=True)


def _register_models(module: ModuleType) -> None:
    from ..models.modeling_editor import LHSEditor
    from ..models.modeling_flow import LHSFlow
    from ..models.modeling_lhs import LHSModel
    from ..models.modeling_mapper import LHSMapper
    from ..models.modeling_surrogate import LHSSurrogate

    for model in (LHSModel, LHSFlow, LHSMapper, LHSSurrogate, LHSEditor):
        module.AutoModel.register(model.config_class, model, exist_ok=True)


def _register_tokenizer(module: ModuleType) -> None:
    from ..decoding.tokenization_lhs import ProgramTokenizer
    from ..models.configuration_lhs import LHSConfig

    # `AutoTokenizer` also finds a registered class by the name in a decoder's `tokenizer_config.json`.
    module.AutoTokenizer.register(LHSConfig, slow_tokenizer_class=ProgramTokenizer, exist_ok=True)


def _register_pipeline(module: ModuleType) -> None:
    # The module registers its class at its end: it may be what imported `transformers.pipelines`, and half there.
    import_module(".pipeline", __package__)


def register_pipeline(pipeline_class: type) -> None:
    """Make a class the pipeline of the task "latent-heuristic-search"."""
    from transformers import AutoModel
    from transformers.pipelines import PIPELINE_REGISTRY

    # It warns of a default that may change on the Hub; this one comes with the package.
    logging.getLogger("transformers.pipelines").addFilter(
        lambda record: f"No model was supplied, defaulted to {embedded_model()} " not in record.getMessage()
    )
    # The default is the embedded folder itself: `pipeline(task)` with no model then needs no network.
    PIPELINE_REGISTRY.register_pipeline(
        PIPELINE_TASK,
        pipeline_class=pipeline_class,
        pt_model=AutoModel,
        default={"model": (str(embedded_model()), "main")},
    )


class _InstalledModules(Mapping[str, Any]):
    """Our sentence-transformers module by the name that `modules.json` gives it, imported when it is asked for."""

    def __getitem__(self, name: str) -> Any:
        if name != _ENCODER_MODULE:
            raise KeyError(name)
        from ..models.encoder import ProgramEncoderModule

        return ProgramEncoderModule

    def __iter__(self) -> Iterator[str]:
        return iter((_ENCODER_MODULE,))

    def __len__(self) -> int:
        return 1


def _register_encoder(module: ModuleType) -> None:
    # Versions without this table import installed classes of local folders anyway; `load_encoder` serves the rest.
    if getattr(module.BaseModel, "_module_classes", None) == {}:
        module.BaseModel._module_classes = _InstalledModules()
