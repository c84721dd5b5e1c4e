"""Opening a model that somebody else made: nothing of it runs, and nothing larger than its files is allocated.

A model folder holds JSON, safetensors and tokenizer files. Before transformers or sentence-transformers read them,
`check_part` looks at all of them: names stay inside the folder, JSON is bounded and names no code, module types are on
an exact list, weights are safetensors. `check_room` compares a configuration with the weights before anything of its
size is made. Whatever is wrong is a `CallError` of one line.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..constants import embedded_model
from ..errors import CallError
from ..hub import clear_errors, is_repository_id
from .files import inside, read_json

MOST_FILES = 1_000
MOST_LAYERS = 1_024
MOST_SIZE = 2**24
MOST_TENSORS = 200_000
CONFIG_BYTES = 8 * 2**20
FILE_BYTES = 64 * 2**20
HEADER_BYTES = 16 * 2**20
# What a model has besides its stored values: tied embeddings count twice, and tables of positions are computed.
SPARE_VALUES = 2**22

PICKLES = (".bin", ".ckpt", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth")
WEIGHTS = "model.safetensors"
ADAPTER = "adapter_config.json"
MODULES = "modules.json"
OWN_MODULE = "lhs_hf.models.encoder.ProgramEncoderModule"

# Files that another library parses in compiled code: only their size is looked at here.
_TOKENIZERS = ("tokenizer.json", "vocab.json")
_SUFFIXES = (".json", ".txt", ".jinja", ".model", ".md")

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


def part_location(root: Path | str, name: Any, revision: str | None = None) -> tuple[str, str | None]:
    """Where a part lies that the configuration of the model in `root` names: a folder in it, or one of the Hub.

    Returns a folder, or owner/name with its revision. Raises `CallError` for any other place: a model does not choose
    which files of this machine are read.
    """
    if not isinstance(name, str) or not name.strip():
        raise CallError(f"{root} names its part {name!r:.80}; expected a folder inside it, or owner/name of the Hub")
    if Path(name).is_absolute():
        raise CallError(
            f"{root} names its part {name!r:.200}, a folder of some machine; expected one inside it, or owner/name of "
            "the Hub (what lies elsewhere is named by hand: encoder=, decoder=, or --encoder, --decoder)"
        )
    repository, _, written = name.partition("@")
    hub = is_repository_id(repository)
    folder = inside(root, name)
    if folder.is_dir():
        return str(folder), None
    if not hub:
        raise CallError(f"{root} names its part {name!r:.80}, which it does not hold; expected a folder inside it")
    if revision is not None and not isinstance(revision, str):
        raise CallError(f"{root} names the revision {revision!r:.80}; expected a branch, tag or commit")
    return repository, written or revision


def check_links(folder: Path) -> list[Path]:
    """The files directly in a folder. Raises `CallError` for a link that leaves it, and for too many of them."""
    # The model that ships is the package's own, however an installer laid out its files.
    own = folder.resolve().is_relative_to(embedded_model().resolve())
    found = []
    try:
        for path in folder.iterdir():
            found.append(path if own else inside(folder, path.name))
            if len(found) > MOST_FILES:
                raise CallError(f"{folder} holds more than {MOST_FILES} files; expected a model")
    except OSError as error:
        raise CallError(f"{folder} can not be read: {error}") from None
    return [path for path in sorted(found) if path.is_file()]


def check_tree(root: Path) -> None:
    """Refuse a folder in which a link, at any depth, leaves it: a copy would hold files of somebody else."""
    if not root.resolve().is_relative_to(embedded_model().resolve()):
        for path in root.rglob("*"):
            inside(root, path.relative_to(root).as_posix())


def check_part(folder: Path) -> int:
    """Check the files of one part (an encoder, decoder, surrogate, or flow and mapper) before a library reads them.

    Returns how many values its weights hold. Raises `CallError` for links that leave the folder, sizes beyond bounds,
    JSON that names code or is none, adapters, and weights that are no safetensors.
    """
    paths = check_links(folder)
    for path in paths:
        if path.name == ADAPTER:
            raise CallError(f"{path} makes {folder} an adapter of another model; expected a whole model")
        if path.suffix in _SUFFIXES and path.stat().st_size > FILE_BYTES:
            raise CallError(f"{path} is larger than {FILE_BYTES} bytes")
        if path.suffix == ".json" and path.name not in _TOKENIZERS:
            checked_config(path)
    return check_weights(folder, paths)


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


# -- weights


def check_weights(folder: Path, paths: list[Path] | None = None, name: str = "") -> int:
    """How many values the safetensors files in a folder hold. Raises `CallError` for broken ones, and for pickles.

    A folder without weights holds none. `name` is what messages call it; by default its path.
    """
    paths = check_links(folder) if paths is None else paths
    weights = [path for path in paths if path.suffix == ".safetensors"]
    pickles = [path.name for path in paths if path.suffix in PICKLES and path.name != "training_args.bin"]
    if pickles and not weights:
        raise CallError(
            f"{name or folder} holds its weights as a pickle ({pickles[0]}), which may run code when it is loaded; "
            f"expected safetensors ({WEIGHTS})"
        )
    for path in paths:
        if path.name.endswith(".safetensors.index.json"):
            _check_index(path, {each.name for each in weights})
    return sum(_stored_values(path, name or str(folder)) for path in weights)


def _check_index(path: Path, present: set[str]) -> None:
    shards = checked_config(path).get("weight_map")
    if not isinstance(shards, dict):
        raise CallError(f"{path} has no weight_map; expected the file of each tensor")
    for shard in shards.values():
        if not isinstance(shard, str) or shard not in present:
            raise CallError(f"{path} names the file {shard!r:.80}; expected a safetensors file beside it")


def _stored_values(path: Path, owner: str) -> int:
    from safetensors import SafetensorError, safe_open

    try:
        with path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
        if length > HEADER_BYTES:
            raise CallError(f"a safetensors file of {owner} is broken ({path.name}: a header of {length} bytes)")
        with safe_open(path, "pt") as stored:
            names = stored.keys()
            if len(names) > MOST_TENSORS:
                raise CallError(f"{path} holds {len(names)} tensors; expected at most {MOST_TENSORS}")
            return sum(math.prod(stored.get_slice(name).get_shape()) for name in names)
    except (SafetensorError, OSError) as error:
        raise CallError(
            f"a safetensors file of {owner} is broken ({path.name}: {str(error)[:200]}); expected a whole file: "
            "fetch or write it again"
        ) from error


def check_room(make: Callable[[], Any], stored: int, name: str) -> None:
    """Make a model without memory, and compare its size with the values that are stored for it.

    Args:
        make: builds the model from its configuration; called on the device `meta`.
        stored: values in its weights files, of `check_weights`.

    Raises `CallError` for one that is more than twice as large: what a file does not hold would be made up here.
    """
    import torch

    with torch.device("meta"):
        model = make()
    needed = sum(tensor.numel() for tensor in (*model.parameters(), *model.buffers()))
    if needed > 2 * stored + SPARE_VALUES:
        raise CallError(
            f"the configuration of {name} describes {needed} values, its weights hold {stored}; expected weights of "
            "the same model"
        )


def check_loaded(model: Any, name: str, info: Mapping[str, Any] | None = None) -> None:
    """Refuse a loaded model whose weights are not all there, or not finite.

    `info`: what `from_pretrained(..., output_loading_info=True)` returns besides. Raises `CallError`.
    """
    for problem in ("missing_keys", "mismatched_keys"):
        keys = sorted(str(key) for key in (info or {}).get(problem) or ())
        if keys:
            raise CallError(f"the weights of {name} do not fit its configuration: {problem[:-5]} {keys[0]:.200}")
    check_finite(model, name)


def check_finite(model: Any, name: str) -> None:
    """Refuse a model with a weight that is no finite number. Raises `CallError`."""
    import torch

    for key, tensor in model.state_dict().items():
        if tensor.is_floating_point() and tensor.numel() and not tensor.is_meta:
            low, high = torch.aminmax(tensor.detach())
            if not (torch.isfinite(low) and torch.isfinite(high)):
                raise CallError(f"the weights of {name} are not finite ({key}); expected numbers: fetch them again")


# -- encoders of sentence-transformers


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


# -- errors


@contextmanager
def opened(description: str, name: str, **hub: Any) -> Iterator[None]:
    """Turn whatever a library raises while it reads somebody's files into one `CallError`.

    Args:
        description: kind of what is opened ("model", "encoder", "decoder", "surrogate").
        name: its folder or repository.
        hub: `revision` and `token` that it was asked for with.

    What libraries raise on damaged files is of any type, so all are turned; the cause stays attached.
    """
    try:
        with clear_errors(f"load {description} {name!r}", name, **hub):
            yield
    except CallError:
        raise
    except BaseException as error:
        # A panic of compiled code (tokenizers, safetensors) is no `Exception`.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        lines = str(error).strip().splitlines()
        reason = lines[0].strip() if lines else type(error).__name__
        if not isinstance(error, (OSError, ValueError)):
            reason = f"{type(error).__name__}: {reason}"
        raise CallError(f"can not load {description} {name!r}: {reason[:400]}") from error
