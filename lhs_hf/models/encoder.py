"""The execution-aware program encoder E: text and behaviour of a program to its latent z (paper, section 3.1).

It is a sentence-transformers module, so that `SentenceTransformer(folder).encode(programs)` works for it exactly as it
does for `Qwen3-Embedding`, the encoder of the paper.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import InputModule
from torch import Tensor, nn
from torch.nn import functional

from ..errors import CallError
from ..hub import PART_FILES, model_folder, opened, split_revision
from ..opening.encoders import check_encoder
from ..opening.weights import check_finite, check_room, check_weights
from .behaviour_block import BehaviourBlock
from .configuration_encoder import LATENT_SIZE, ProgramEncoderConfig, read_config
from .layers import FeedForward, SelfAttention
from .loading import no_bars, one_at_a_time
from .ngram_block import NgramBlock
from .program_text import encode_text


class ProgramEncoderModule(InputModule):
    """A small transformer over program tokens, mean-pooled, joined with the program's behaviour.

    Inputs of `SentenceTransformer.encode` are program texts, or dicts with `program` (text), `task` (name of a task, or
    None), `signature` (function name and arguments, for a task that is not built in) and `behaviour` (array (64, 8), a
    NaN row for each probe on which the program failed, or None). A missing behaviour is replaced by a learned vector.

    Args:
        tokenizer: a `ProgramTokenizer`, or any callable from a program's text to its token ids.
        config: sizes; None takes the defaults.
        changes: fields of the `ProgramEncoderConfig` that are set otherwise.
    """

    config_keys = [field.name for field in fields(ProgramEncoderConfig)]  # noqa: RUF012
    config_file_name = "program_encoder_config.json"

    # What the methods read of the configuration, whose fields are all set as attributes.
    dropout: float
    max_seq_length: int
    latent_size: int
    use_behaviour: bool
    ngram_buckets: int
    num_probes: int
    num_features: int
    pad_token_id: int

    def __init__(self, tokenizer: Any = None, config: ProgramEncoderConfig | None = None, **changes: Any) -> None:
        super().__init__()
        config = replace(config or ProgramEncoderConfig(), **changes)
        vocab_size, pad_token_id = config.vocab_size, config.pad_token_id
        if vocab_size is None:
            if not hasattr(tokenizer, "__len__"):
                raise ValueError("vocab_size is needed: the tokenizer does not tell how many tokens it has")
            vocab_size = len(tokenizer)
        if pad_token_id is None:
            pad_token_id = getattr(tokenizer, "pad_token_id", None) or 0
        hidden_size, num_heads, dropout = config.hidden_size, config.num_heads, config.dropout
        if hidden_size % num_heads:
            raise ValueError(f"hidden_size ({hidden_size}) is not a multiple of num_heads ({num_heads})")
        if not 0 <= pad_token_id < vocab_size:
            raise ValueError(f"pad_token_id ({pad_token_id}) is no token: vocab_size is {vocab_size}")
        if tokenizer is not None:
            self.tokenizer = tokenizer
        self.__dict__.update(asdict(replace(config, vocab_size=vocab_size, pad_token_id=pad_token_id)))

        self.token_embedding = nn.Embedding(vocab_size, hidden_size)
        self.position_embedding = nn.Embedding(config.max_seq_length, hidden_size)
        nn.init.normal_(self.token_embedding.weight, std=0.02)
        nn.init.normal_(self.position_embedding.weight, std=0.02)
        layers = range(config.num_layers)
        self.attentions = nn.ModuleList(SelfAttention(hidden_size, num_heads, dropout) for _ in layers)
        self.feed_forwards = nn.ModuleList(FeedForward(hidden_size, config.intermediate_size, dropout) for _ in layers)
        self.norm = nn.LayerNorm(hidden_size)
        width = hidden_size
        if config.use_behaviour:
            self.behaviour_block = BehaviourBlock(config.num_probes, config.num_features, config.projection_size)
            self.behaviour_mlp = nn.Sequential(
                nn.Linear(self.behaviour_block.size, hidden_size), nn.GELU(), nn.Linear(hidden_size, hidden_size)
            )
            self.missing_behaviour = nn.Parameter(torch.zeros(hidden_size))
            width += hidden_size
        if config.ngram_buckets:
            self.ngram_block = NgramBlock(
                vocab_size, config.ngram_buckets, hidden_size, config.ngram_dropout, pad_token_id
            )
            width += hidden_size
        self.projection = nn.Linear(width, config.latent_size)

    @property
    def modalities(self) -> list[Any]:
        """Kinds of input: a text, or a dict as the class describes."""
        return ["text"]

    def get_embedding_dimension(self) -> int:
        """d, the width of z."""
        return self.latent_size

    def embed(
        self,
        input_ids: Tensor,
        attention_mask: Tensor | None = None,
        behaviour: Tensor | None = None,
        behaviour_mask: Tensor | None = None,
    ) -> Tensor:
        """Latents of a batch of tensors, differentiable.

        Args:
            input_ids: (B, T) int64, right-padded.
            attention_mask: (B, T), non-zero for tokens; None if nothing is padding.
            behaviour: (B, probes, features) float, NaN rows for failed probes; None if no program has one.
            behaviour_mask: (B,) bool, which programs have a behaviour; None if all of them have.

        Returns:
            z (B, d), not normalised.
        """
        input_ids = input_ids[:, : self.max_seq_length]
        hidden = self.token_embedding(input_ids)
        hidden = hidden + self.position_embedding.weight[: input_ids.shape[1]]
        hidden = functional.dropout(hidden, self.dropout, self.training)
        mask = keep = None
        if attention_mask is not None:
            keep = attention_mask[:, : self.max_seq_length].bool()
            mask = keep[:, None, None, :]
        for attention, feed_forward in zip(self.attentions, self.feed_forwards):
            hidden = feed_forward(attention(hidden, mask))
        hidden = self.norm(hidden)
        if keep is None:
            pooled = hidden.mean(dim=1)
        else:
            weights = keep.to(hidden.dtype)[:, :, None]
            pooled = (hidden * weights).sum(dim=1) / weights.sum(dim=1).clamp(min=1)
        if self.use_behaviour:
            pooled = torch.cat([pooled, self._behaviour_features(pooled, behaviour, behaviour_mask)], dim=-1)
        if self.ngram_buckets:
            pooled = torch.cat([pooled, self.ngram_block(input_ids, keep).to(pooled.dtype)], dim=-1)
        return self.projection(pooled)

    def _behaviour_features(self, pooled: Tensor, behaviour: Tensor | None, present: Tensor | None) -> Tensor:
        missing = self.missing_behaviour.expand(len(pooled), -1)
        if behaviour is None:
            return missing
        features = self.behaviour_mlp(self.behaviour_block(behaviour).to(pooled.dtype))
        return features if present is None else torch.where(present.bool()[:, None], features, missing)

    def forward(self, features: dict[str, Tensor | Any], **kwargs: Any) -> dict[str, Tensor | Any]:
        """Add `sentence_embedding` (B, d) to the features that `preprocess` made."""
        features["sentence_embedding"] = self.embed(
            features["input_ids"],
            features.get("attention_mask"),
            features.get("behaviour"),
            features.get("behaviour_mask"),
        )
        return features

    def preprocess(self, inputs: Sequence[Any], prompt: str | None = None, **kwargs: Any) -> dict[str, Tensor | Any]:
        """Token ids and behaviours of a batch of inputs. Raises `ValueError` naming a program it can not use."""
        if prompt:
            raise ValueError("the program encoder reads programs only and takes no prompt")
        items = [item if isinstance(item, Mapping) else {"program": item} for item in inputs]
        ids = [self._token_ids(item)[: self.max_seq_length] for item in items]
        length = max(len(row) for row in ids)
        input_ids = torch.full((len(ids), length), self.pad_token_id, dtype=torch.long)
        attention_mask = torch.zeros(len(ids), length, dtype=torch.long)
        for row, tokens in enumerate(ids):
            input_ids[row, : len(tokens)] = torch.tensor(tokens, dtype=torch.long)
            attention_mask[row, : len(tokens)] = 1
        features: dict[str, Tensor | Any] = {"input_ids": input_ids, "attention_mask": attention_mask}
        if self.use_behaviour:
            features["behaviour"], features["behaviour_mask"] = self._behaviours(items)
        return features

    def _behaviours(self, items: Sequence[Mapping[str, Any]]) -> tuple[Tensor, Tensor]:
        shape = (self.num_probes, self.num_features)
        values = torch.zeros(len(items), *shape)
        present = torch.zeros(len(items), dtype=torch.bool)
        for row, item in enumerate(items):
            value = item.get("behaviour")
            if value is None:
                continue
            array = np.asarray(value, dtype=np.float32)
            if array.shape != shape:
                raise ValueError(f"expected a behaviour of shape {shape}, got {array.shape}")
            values[row] = torch.from_numpy(array.copy())
            present[row] = True
        return values, present

    def reads(self, item: Mapping[str, Any]) -> bool:
        """Whether the tokenizer can encode an input."""
        try:
            self._token_ids(item)
        except ValueError:
            return False
        return True

    def _token_ids(self, item: Mapping[str, Any]) -> list[int]:
        program = item.get("program")
        if not isinstance(program, str):
            raise ValueError(f"expected a program text, or a dict with one under 'program', got {item!r:.80}")
        if not hasattr(self, "tokenizer"):
            raise ValueError("the encoder has no tokenizer: pass one to ProgramEncoderModule(tokenizer)")
        try:
            ids = list(encode_text(self.tokenizer, program, item.get("task"), item.get("signature")))
        except (ValueError, SyntaxError) as error:
            head = program.strip().splitlines()[0] if program.strip() else ""
            raise ValueError(f"the tokenizer can not encode the program that starts with {head!r}: {error}") from error
        if not ids:
            raise ValueError(f"the tokenizer returned no token for the program {program!r:.80}")
        return ids

    def save(self, output_path: str, *args: Any, safe_serialization: bool = True, **kwargs: Any) -> None:
        """Write configuration, weights and tokenizer to a folder."""
        self.save_config(output_path)
        self.save_torch_weights(output_path, safe_serialization=safe_serialization)
        self.save_tokenizer(output_path)

    @classmethod
    def load(cls, model_name_or_path: str, subfolder: str = "", **kwargs: Any) -> ProgramEncoderModule:  # type: ignore[override]
        """Load from a folder or Hub repository written by `save`, its tokenizer included if one was saved."""
        names = ("token", "cache_folder", "revision", "local_files_only")
        hub = {name: kwargs[name] for name in names if kwargs.get(name) is not None}
        config = cls._checked_config(model_name_or_path, subfolder, hub)
        tokenizer = cls._load_tokenizer(model_name_or_path, subfolder, hub)
        vocabulary = getattr(tokenizer, "vocabulary", None)
        if vocabulary is not None and len(vocabulary) != config["vocab_size"]:
            raise CallError(
                f"{model_name_or_path}: vocab_size is {config['vocab_size']}, but its tokenizer has "
                f"{len(vocabulary)} tokens"
            )
        module = cls(tokenizer, **config)
        cls.load_torch_weights(model_name_or_path, subfolder=subfolder, model=module, **hub)
        check_finite(module, model_name_or_path)
        return module

    @classmethod
    def _checked_config(cls, name: str, subfolder: str, hub: dict[str, Any]) -> dict[str, Any]:
        """The stored arguments of the constructor, checked before anything of their sizes is made."""
        path = cls.load_file_path(name, cls.config_file_name, subfolder=subfolder, **hub)
        weights = cls.load_file_path(name, "model.safetensors", subfolder=subfolder, **hub)
        if path is None or weights is None:
            missing = "model.safetensors" if path else cls.config_file_name
            raise CallError(f"{name} has no {missing}; expected a program encoder")
        config = read_config(Path(path))
        check_room(lambda: cls(**config), check_weights(Path(weights).parent), name)
        return config

    @classmethod
    def _load_tokenizer(cls, name: str, subfolder: str, hub: dict[str, Any]) -> Any:
        if cls.load_file_path(name, "tokenizer_config.json", subfolder=subfolder, **hub) is None:
            return None
        from ..decoding.tokenization_lhs import ProgramTokenizer

        cache = {"cache_dir": hub["cache_folder"]} if "cache_folder" in hub else {}
        others = {key: value for key, value in hub.items() if key != "cache_folder"}
        return ProgramTokenizer.from_pretrained(name, subfolder=subfolder, trust_remote_code=False, **cache, **others)


@one_at_a_time
def load_encoder(
    name: str,
    revision: str | None = None,
    device: str | None = None,
    *,
    subfolder: str = "",
    truncate_dim: int = LATENT_SIZE,
    trust_remote_code: bool = False,
    **options: Any,
) -> SentenceTransformer:
    """An encoder by folder or owner/name[@revision], truncated to `truncate_dim` dimensions (Matryoshka).

    Args:
        device: where it runs; None leaves the choice to sentence-transformers.
        subfolder: where it lies in a composite's folder or repository.
        trust_remote_code: let the encoder bring code of its own, which then runs unchecked. Without it, the modules
            must be this package's or those of sentence-transformers, and only their data is fetched.
        options: `cache_folder`, `token`, `local_files_only`, `model_kwargs`, ... of `SentenceTransformer`.

    Raises `CallError` for an encoder that can not be had, or that is not what its files say.
    """
    name, revision = split_revision(name, revision)
    hub = {key: options.pop(key) for key in ("token", "local_files_only") if options.get(key) is not None}
    cache = {"cache_dir": options.pop("cache_folder", None)}
    options |= {"device": device, "truncate_dim": truncate_dim}
    with no_bars(), opened("encoder", name, revision=revision, token=hub.get("token")):
        if trust_remote_code:
            if subfolder:
                # sentence-transformers knows no subfolders of a repository: it gets the folder of the cache.
                name = str(model_folder(name, revision, files=("*",), subfolder=subfolder, **cache, **hub))
            else:
                options |= {"revision": revision, "cache_folder": cache["cache_dir"], **hub}
            model = SentenceTransformer(name, trust_remote_code=True, **options)
        else:
            folder = model_folder(name, revision, files=PART_FILES, kind="encoder", subfolder=subfolder, **cache, **hub)
            check_encoder(folder)
            options["model_kwargs"] = {"use_safetensors": True, **(options.get("model_kwargs") or {})}
            model = SentenceTransformer(str(folder), trust_remote_code=False, local_files_only=True, **options)
        check_finite(model, name)
    return model
