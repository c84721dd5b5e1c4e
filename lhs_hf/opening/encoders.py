"""The folder of an encoder that somebody else made, as sentence-transformers would read it."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from ..errors import CallError
from .configs import MODULES, MOST_LAYERS, MOST_SIZE, checked_config
from .files import inside
from .models import check_part
from .weights import check_room

OWN_MODULE = "lhs_hf.models.encoder.ProgramEncoderModule"

_MODULE_CLASSES = {
    "Transformer": "base.modules.transformer",
    "Dense": "base.modules.dense",
    "Normalize": "base.modules.normalize",
    "Pooling": "sentence_transformer.modules.pooling",
    "WeightedLayerPooling": "sentence_transformer.modules.weighted_layer_pooling",
    "LayerNorm": "sentence_transformer.modules.layer_norm",
    "Dropout": "sentence_transformer.modules.dropout",
}
_TRANSFORMER_KEYS = frozenset(
    {
        *("max_seq_length", "do_lower_case", "transformer_task", "modality_config", "module_output_name"),
        *("model_args", "model_kwargs", "tokenizer_args", "processor_kwargs", "config_args", "config_kwargs"),
        *("message_format", "processing_kwargs", "unpad_inputs", "query_length", "document_length", "query_expansion"),
    }
)
_TRANSFORMER_ARGUMENTS = frozenset({"add_pooling_layer", "padding_side", "truncation_side", "model_max_length"})


def module_types() -> frozenset[str]:
    """The module types that an encoder's `modules.json` may name: this package's, and those of sentence-transformers.

    The latter have been saved under several names: `sentence_transformers.models.Pooling`, the same with the class
    behind it, and the place of the class in the versions since.
    """
    names = {OWN_MODULE}
    for name, place in _MODULE_CLASSES.items():
        packages = ("models", "base.modules", "sentence_transformer.modules")
        names |= {f"sentence_transformers.{package}.{name}" for package in packages}
        names |= {f"sentence_transformers.models.{name}.{name}", f"sentence_transformers.{place}.{name}"}
        names.add(f"sentence_transformers.sentence_transformer.modules.{place.rpartition('.')[2]}.{name}")
    return frozenset(names)


def check_encoder(folder: Path) -> None:
    """Check an encoder's folder: which modules it names, where they lie, and their files. Raises `CallError`."""
    modules = folder / MODULES
    if not modules.is_file():
        _check_transformer(folder)
        return
    check_part(folder)
    _check_sentence_config(folder)
    entries = checked_config(modules)
    if not entries or len(entries) > MOST_LAYERS:
        raise CallError(f"{modules} holds {len(entries)} modules; expected at least one, and at most {MOST_LAYERS}")
    names: set[str] = set()
    for entry in entries:
        fields: dict[str, Any] = entry if isinstance(entry, dict) else {}
        kind, place, name = fields.get("type"), fields.get("path"), fields.get("name")
        if not isinstance(kind, str) or kind not in module_types():
            raise CallError(
                f"{modules} names the module type {kind!r:.80}; expected {OWN_MODULE}, or one of sentence-transformers "
                f"({', '.join(_MODULE_CLASSES)})"
            )
        if not isinstance(place, str) or not isinstance(name, str) or name in names or not name or "." in name:
            raise CallError(f"{modules} holds {entry!r:.120}; expected a path and a name of its own for each module")
        if not isinstance(fields.get("kwargs", []), list):
            raise CallError(f"{modules}: kwargs is {fields['kwargs']!r:.80}; expected a list of names")
        names.add(name)
        path = inside(folder, place)
        if path.is_dir():
            _check_module(path, kind.rpartition(".")[2])


def _check_module(folder: Path, kind: str) -> None:
    if kind == "Transformer":
        _check_transformer(folder)
        return
    stored = check_part(folder)
    config = folder / "config.json"
    values = checked_config(config) if config.is_file() else {}
    if kind == "Dense":
        made = values.get("in_features"), values.get("out_features")
        if not all(type(value) is int and value > 0 for value in made):
            raise CallError(f"{config}: in_features and out_features are {made}; expected two whole numbers")
        if math.prod(made) > stored:  # type: ignore[arg-type]
            raise CallError(f"{config} describes a layer of {made}, its weights hold {stored} values")
        _check_activation(config, values.get("activation_function"))


def _check_activation(path: Path, name: Any) -> None:
    if name is not None and not (isinstance(name, str) and re.fullmatch(r"torch\.nn\.modules\.\w+\.\w+", name)):
        raise CallError(f"{path}: activation_function is {name!r:.80}; expected a class of torch.nn.modules")


def _check_transformer(folder: Path) -> None:
    from transformers import AutoConfig, AutoModel

    stored = check_part(folder)
    _check_sentence_config(folder)
    for path in folder.glob("sentence_*_config.json"):
        values = checked_config(path)
        unknown = sorted(set(values) - _TRANSFORMER_KEYS)
        for key, value in values.items():
            if key.endswith(("_args", "_kwargs")):
                unknown += sorted(set(value) - _TRANSFORMER_ARGUMENTS) if isinstance(value, dict) else [key]
        if unknown:
            raise CallError(f"{path} sets {unknown[0]!r:.80}; expected some of {', '.join(sorted(_TRANSFORMER_KEYS))}")
        if values.get("transformer_task", "feature-extraction") != "feature-extraction":
            raise CallError(f"{path}: transformer_task is {values['transformer_task']!r:.80}; expected an encoder")
    if not (folder / "config.json").is_file():
        raise CallError(f"{folder} has no config.json; expected an encoder")
    config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
    check_room(lambda: AutoModel.from_config(config, trust_remote_code=False), stored, str(folder))


def _check_sentence_config(folder: Path) -> None:
    path = folder / "config_sentence_transformers.json"
    if not path.is_file():
        return
    values = checked_config(path)
    prompts = values.get("prompts") or {}
    if not isinstance(prompts, dict) or not all(text is None or isinstance(text, str) for text in prompts.values()):
        raise CallError(f"{path}: prompts is {prompts!r:.80}; expected a text for each name")
    wanted = {
        "model_type": ("SentenceTransformer",),
        "similarity_fn_name": ("cosine", "dot", "euclidean", "manhattan"),
        "default_prompt_name": tuple(prompts),
    }
    for key, known in wanted.items():
        value = values.get(key)
        if value is not None and value not in known:
            raise CallError(f"{path}: {key} is {value!r:.80}; expected {', '.join(known) or 'null'}")
    size = values.get("truncate_dim")
    if size is not None and not (type(size) is int and 0 < size <= MOST_SIZE):
        raise CallError(f"{path}: truncate_dim is {size!r:.80}; expected a whole number")
