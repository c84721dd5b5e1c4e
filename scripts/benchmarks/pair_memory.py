"""How much memory the pair of the paper takes, from its architecture alone: nothing is downloaded or run.

    python scripts/benchmarks/pair_memory.py      writes results/pair_memory.json, which docs/models.md quotes

Weights are counted on torch's meta device. A cached token is a key and a value in every layer; a guided program may
sample `GUIDED_STEPS` times the longest program, behind a prompt of up to `PROMPT` tokens.
"""

from __future__ import annotations

import json
from pathlib import Path

import torch
from transformers import Qwen3Config, Qwen3ForCausalLM, Qwen3Model

from lhs_hf.decoding.guidance import GUIDED_STEPS
from lhs_hf.search.settings import SearchSettings

OUTPUT = Path(__file__).resolve().parents[2] / "results" / "pair_memory.json"
BYTES = 2
"""Of a bfloat16 number."""

PROMPT = 512
PUBLISHED = {
    "Qwen/Qwen3-4B-Instruct-2507": {
        "vocab_size": 151936,
        "hidden_size": 2560,
        "intermediate_size": 9728,
        "num_hidden_layers": 36,
        "num_attention_heads": 32,
    },
    "Qwen/Qwen3-Embedding-0.6B": {
        "vocab_size": 151669,
        "hidden_size": 1024,
        "intermediate_size": 3072,
        "num_hidden_layers": 28,
        "num_attention_heads": 16,
    },
}
"""The fields of the published `config.json` files that fix the sizes; both have 8 key-value heads of width 128."""


def weights(name: str) -> int:
    """Number of weights."""
    config = Qwen3Config(**PUBLISHED[name], num_key_value_heads=8, head_dim=128, tie_word_embeddings=True)
    with torch.device("meta"):
        model = (Qwen3Model if "Embedding" in name else Qwen3ForCausalLM)(config)
    return sum(parameter.numel() for parameter in model.parameters())


def main() -> None:
    """Write the file."""
    decoder, encoder = PUBLISHED
    settings = SearchSettings()
    tokens = GUIDED_STEPS * settings.max_new_tokens + PROMPT
    cached = 2 * BYTES * PUBLISHED[decoder]["num_hidden_layers"] * 8 * 128
    found = {
        "decoder": {"name": decoder, "weights": weights(decoder), "bytes": BYTES * weights(decoder)},
        "encoder": {"name": encoder, "weights": weights(encoder), "bytes": BYTES * weights(encoder)},
        "cache": {"tokens": tokens, "bytes_per_token": cached, "bytes": tokens * cached},
    }
    OUTPUT.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
