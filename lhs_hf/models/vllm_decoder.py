"""Opening a decoder whose layers vLLM runs: the tokenizer and the embedding table are here, and nothing else of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from ..decoding.served import Engine, ServedModel
from ..decoding.tokenization_lhs import ProgramTokenizer
from ..errors import CallError
from ..hub import PART_FILES, model_folder, opened, split_revision
from ..opening.configs import checked_config
from ..opening.models import ADAPTER, check_part
from ..opening.weights import WEIGHTS, check_weights
from .loading import no_bars
from .vllm_engine import VLLMEngine
from .vllm_names import split_adapter
from .vllm_server import VLLMServer

_DESCRIPTIONS = tuple(pattern for pattern in PART_FILES if "safetensors" not in pattern)
_INDEX = f"{WEIGHTS}.index.json"
_ADAPTER_FILES = (ADAPTER, "adapter_model.safetensors")


def load_served(decoder: str, revision: str | None = None, url: str | None = None) -> tuple[ServedModel, Any]:
    """A decoder named vllm:ID[@revision][+LORA], and its tokenizer; by the server at `url`, else in this process.

    Of a repository that a server runs, only the file with the embedding table is fetched. Code that a model brings
    never runs here. Raises `CallError` for what can not be had, and for a server that is not there, serves another
    model or takes no prompt embeddings.
    """
    from transformers import AutoConfig, AutoTokenizer

    base, lora = split_adapter(decoder)
    name, revision = split_revision(base, revision)
    server = None if url is None else VLLMServer(name, url, lora)
    files = PART_FILES if server is None else _DESCRIPTIONS
    with no_bars(), opened("decoder", name, revision=revision):
        folder = model_folder(name, revision, files=files, kind="decoder")
        check_part(folder, whole=server is None)
        if not (folder / "config.json").is_file():
            raise CallError(f"{name} has no config.json; expected a causal language model")
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        if isinstance(tokenizer, ProgramTokenizer):
            raise CallError(f"{name} writes syntax trees under a mask, which vLLM does not know; leave vllm: out")
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        embedding = _embedding(name, revision, folder, config)
        generation = _generation_config(folder, config)
    engine: Engine
    if server is None:
        adapter = None if lora is None else _adapter(lora)
        context = getattr(config.get_text_config(), "max_position_embeddings", None)
        # In the precision of the weights, as transformers has it; vLLM would halve that of float32.
        engine = VLLMEngine(folder, name, context, adapter, dtype=embedding.weight.dtype)
    else:
        server.check(embedding)
        engine = server
    return ServedModel(engine, embedding, tokenizer, config, generation), tokenizer


def _embedding(name: str, revision: str | None, folder: Path, config: Any) -> torch.nn.Embedding:
    """The table of token embeddings from the file that holds it."""
    from safetensors import safe_open
    from transformers import AutoModelForCausalLM

    with torch.device("meta"):
        model = AutoModelForCausalLM.from_config(config, trust_remote_code=False)
    table = model.get_input_embeddings()
    if type(table) is not torch.nn.Embedding:
        raise CallError(f"{name} embeds tokens by a {type(table).__name__}; a served decoder needs a plain table")
    key = next(key for key, parameter in model.named_parameters() if parameter is table.weight)
    index = folder / _INDEX
    file = str(checked_config(index).get("weight_map", {}).get(key)) if index.is_file() else WEIGHTS
    if Path(file).name != file or not file.endswith(".safetensors"):
        raise CallError(f"{index} names no safetensors file of {key}")
    if not (folder / file).is_file():
        folder = model_folder(name, revision, files=(file,), kind="decoder")
        check_part(folder, whole=False)
    if not (folder / file).is_file():
        raise CallError(f"{name} has no weights ({file}); expected those of a causal language model")
    with safe_open(folder / file, "pt") as stored:
        if key not in stored.keys():  # noqa: SIM118  (a safetensors file is no dictionary)
            raise CallError(f"the weights of {name} hold no {key}")
        weight = stored.get_tensor(key)
    if weight.shape != table.weight.shape or not bool(torch.isfinite(weight).all()):
        raise CallError(
            f"{key} of {name} is {list(weight.shape)}; expected finite numbers, {list(table.weight.shape)} as its "
            "config.json says"
        )
    return torch.nn.Embedding.from_pretrained(weight)


def _generation_config(folder: Path, config: Any) -> Any:
    from transformers import GenerationConfig

    if (folder / "generation_config.json").is_file():
        return GenerationConfig.from_pretrained(folder)
    return GenerationConfig.from_model_config(config)


def _adapter(lora: str) -> Path:
    """The folder of an adapter, of safetensors only."""
    name, revision = split_revision(lora)
    with opened("adapter", name, revision=revision):
        folder = model_folder(name, revision, files=_ADAPTER_FILES, kind="adapter")
        check_weights(folder)
        for file in _ADAPTER_FILES:
            if not (folder / file).is_file():
                raise CallError(f"{name} has no {file}; expected a LoRA adapter of the decoder")
    return folder.absolute()
