"""The JSON of a model that somebody else made: bounded numbers, and no field that asks for code."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

from ..errors import CallError
from .files import read_json

MOST_LAYERS = 1_024
MOST_SIZE = 2**24
CONFIG_BYTES = 8 * 2**20
MODULES = "modules.json"

# By what configurations ask for code, or for files of another kind than those that are checked.
_CODE = {
    "auto_map": "code of its own",
    "trust_remote_code": "whether its code is trusted",
    "custom_pipelines": "a pipeline of its own",
    "custom_generate": "code for generation",
    "code_revision": "code of its own",
    "configuration_files": "other files",
    "transformers_weights": "other files",
    "quantization_config": "quantised weights, whose code comes from elsewhere",
    "kernel_config": "kernels from elsewhere",
    "use_kernels": "kernels from elsewhere",
    "allow_all_kernels": "kernels from elsewhere",
    "backbone": "another model",
    "use_timm_backbone": "another model",
    "use_safetensors": "weights of another kind",
    "weights_only": "weights of another kind",
    "gguf_file": "weights of another kind",
}
_ATTENTION = frozenset({"eager", "sdpa", "flash_attention_2", "flex_attention"})
_ATTENTION_KEYS = re.compile(r"_?(attn|experts)_implementation(_internal|_autoset)?")
_LAYERS = re.compile(r"(n|num|encoder|decoder|.*_num)_(.*_)?(layers?|blocks?|experts)|n_layer|depth|num_.*_layers")
_SIZES = re.compile(
    r".*_(size|sizes|dim|dims|heads|features|dimension|buckets|rank|groups|length|embeddings|positions|tokens)"
    r"|d_\w+|n_\w+|num_\w+|dimension|max_\w*positions?\w*"
)
# Lengths that tokenizers and generation only compare with: "no limit" is a huge number there.
_NO_SIZES = frozenset({"model_max_length", "max_length", "max_new_tokens", "max_seq_length"})
_KNOWN_DTYPES = frozenset({"float16", "bfloat16", "float32", "float64", "auto"})


def checked_config(path: Path) -> dict[str, Any]:
    """The JSON object of a file that only describes: no code, bounded sizes. Raises `CallError`."""
    kind = list if path.name == MODULES else dict
    values = read_json(path, kind, CONFIG_BYTES)
    check_values(values, str(path))
    return values


def check_stored_config(name: str, subfolder: str = "", **options: Any) -> None:
    """Check the `config.json` of this package's own kinds of models, in a folder or on the Hub, before it is read.

    `options` are those of `from_pretrained` that say where it lies. Raises `CallError`. A missing file is left to the
    reader, which says so.
    """
    from transformers.utils import cached_file

    places = ("cache_dir", "revision", "token", "local_files_only", "force_download")
    where = {key: options[key] for key in places if options.get(key) is not None}
    found = cached_file(name, "config.json", subfolder=subfolder, _raise_exceptions_for_missing_entries=False, **where)
    if found is not None:
        values = read_json(Path(found), dict, CONFIG_BYTES)
        # The installed pipeline is the one that serves such a model, whatever is saved there.
        check_values(
            {key: value for key, value in values.items() if key != "custom_pipelines"}, f"{name}'s config.json"
        )


def check_values(values: Any, name: str) -> None:
    """Refuse what must not stand in a model's JSON: whatever asks for code, and numbers beyond bounds.

    `name` stands for the file in the message, which names the field, its value and what is expected.
    """
    layer = [("", values)]
    while layer:
        children: list[tuple[str, Any]] = []
        for field, value in layer:
            if isinstance(value, dict):
                children += [(str(key), child) for key, child in value.items()]
            elif isinstance(value, list):
                children += [(field, child) for child in value]
            _check_value(field, value, name)
        layer = children


def _check_value(field: str, value: Any, name: str) -> None:
    if field in _CODE and value:
        raise CallError(
            f"{name} names {_CODE[field]} ({field} {value!r:.80}), which would run with your rights; expected a model "
            "of installed classes (or, if you trust its author, trust_remote_code=True)"
        )
    if _ATTENTION_KEYS.fullmatch(field) and isinstance(value, str) and value not in _ATTENTION:
        raise CallError(f"{name}: {field} is {value!r:.80}; expected one of {', '.join(sorted(_ATTENTION))}")
    if field in ("dtype", "torch_dtype") and isinstance(value, str) and value not in _KNOWN_DTYPES:
        raise CallError(f"{name}: {field} is {value!r:.80}; expected one of {', '.join(sorted(_KNOWN_DTYPES))}")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return
    if isinstance(value, float) and not math.isfinite(value):
        raise CallError(f"{name}: {field} is {value}; expected a finite number")
    if field in _NO_SIZES:
        return
    if _LAYERS.fullmatch(field):
        most = MOST_LAYERS
    elif _SIZES.fullmatch(field):
        most = MOST_SIZE
    else:
        most = 2**53
    if not -1 <= value <= most and (most < 2**53 or abs(value) > most):
        raise CallError(f"{name}: {field} is {value!s:.40}; expected a number between 0 and {most}")
