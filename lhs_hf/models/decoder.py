"""The frozen decoder G and its tokenizer, loaded by name."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..decoding.tokenization_lhs import ProgramTokenizer
from ..errors import CallError
from ..hub import PART_FILES, model_folder, opened, split_revision
from ..opening.models import check_part
from ..opening.weights import check_finite, check_loaded, check_room
from .loading import no_bars, one_at_a_time
from .vllm_decoder import load_served
from .vllm_names import check_place, is_served


class Decoder(NamedTuple):
    """A causal language model and its tokenizer."""

    model: Any
    tokenizer: Any


@one_at_a_time
def load_decoder(
    name: str,
    revision: str | None = None,
    device: str = "cpu",
    *,
    trust_remote_code: bool = False,
    url: str | None = None,
) -> Decoder:
    """A causal language model in its own dtype, and its tokenizer, by folder or owner/name[@revision].

    vllm:NAME has vLLM run it, in this process or by the server at `url`; its device is then vLLM's affair.
    `trust_remote_code` lets another one bring code of its own, which then runs unchecked. Raises `CallError` for what
    can not be loaded.
    """
    from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

    check_place(name, url)
    if is_served(name):
        return Decoder(*load_served(name, revision, url))
    name, revision = split_revision(name, revision)
    with no_bars(), opened("decoder", name, revision=revision):
        if trust_remote_code:
            trusted = {"revision": revision, "trust_remote_code": True}
            tokenizer = AutoTokenizer.from_pretrained(name, **trusted)
            model = AutoModelForCausalLM.from_pretrained(name, dtype="auto", **trusted)
            check_finite(model, name)
            return Decoder(model.to(device), tokenizer)
        folder = model_folder(name, revision, files=PART_FILES, kind="decoder")
        stored = check_part(folder)
        if not (folder / "config.json").is_file() or not stored:
            missing = "weights (model.safetensors)" if (folder / "config.json").is_file() else "config.json"
            raise CallError(f"{name} has no {missing}; expected a causal language model")
        tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
        config = AutoConfig.from_pretrained(folder, trust_remote_code=False)
        check_room(lambda: AutoModelForCausalLM.from_config(config, trust_remote_code=False), stored, name)
        model, info = AutoModelForCausalLM.from_pretrained(
            folder, dtype="auto", use_safetensors=True, trust_remote_code=False, output_loading_info=True
        )
        check_loaded(model, name, info)
        _check_tokens(model, tokenizer, name)
        # What a cached copy is called says nothing to a person.
        model.config._name_or_path = model.name_or_path = name
        return Decoder(model.to(device), tokenizer)


def _check_tokens(model: Any, tokenizer: Any, name: str) -> None:
    """Refuse a decoder without an embedding for each token, or one of programs with others besides."""
    rows = model.get_input_embeddings().weight.shape[0]
    tokens = max(tokenizer.get_vocab().values(), default=-1) + 1
    if tokens > rows or (isinstance(tokenizer, ProgramTokenizer) and tokens < rows):
        raise CallError(f"the tokenizer of {name} has {tokens} tokens, its model embeds {rows}")
