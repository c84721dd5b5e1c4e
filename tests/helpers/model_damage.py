"""A tiny model folder with every kind of file that a model has, and ways to damage one."""

from __future__ import annotations

import copy
import json
import random
import shutil
from pathlib import Path
from typing import Any

import torch
from sentence_transformers import SentenceTransformer
from transformers import Qwen3Config, Qwen3ForCausalLM

from lhs_hf import LHSModel, LHSSurrogate, ProgramTokenizer
from lhs_hf.constants import SURROGATE_FOLDERS, embedded_model
from lhs_hf.models.configuration_lhs import LHSConfig, LHSFlowConfig, LHSMapperConfig, LHSSurrogateConfig
from lhs_hf.models.encoder import ProgramEncoderModule

TASK = "knapsack_construct"
LATENT, WIDTH = 16, 16
CARD = "---\nlicense: apache-2.0\ntags:\n- heuristics\n---\n# A model\n"


def save_tiny_model(folder: Path) -> Path:
    """Random parts of the same classes as those of the model that ships, its vocabulary, and a card in each folder."""
    torch.manual_seed(0)
    tokenizer = ProgramTokenizer.from_pretrained(embedded_model() / "decoder")
    config = Qwen3Config(
        vocab_size=len(tokenizer),
        hidden_size=WIDTH,
        intermediate_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=8,
        max_position_embeddings=256,
        tie_word_embeddings=True,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
    )
    Qwen3ForCausalLM(config).save_pretrained(folder / "decoder")
    tokenizer.save_pretrained(folder / "decoder")
    module = ProgramEncoderModule(
        tokenizer,
        hidden_size=16,
        num_layers=1,
        num_heads=2,
        intermediate_size=16,
        max_seq_length=64,
        latent_size=LATENT,
        ngram_buckets=8,
        projection_size=4,
    )
    SentenceTransformer(modules=[module], device="cpu").save_pretrained(str(folder / "encoder"))
    made = LHSModel(
        LHSConfig(
            flow_config=LHSFlowConfig(latent_size=LATENT, num_coupling_layers=2, hidden_size=8),
            mapper_config=LHSMapperConfig(
                latent_size=LATENT, num_soft_tokens=2, token_size=8, hidden_size=8, output_size=WIDTH
            ),
        )
    )
    made.flow.initialize(torch.randn(64, LATENT))
    made.save_pretrained(folder)
    for space, name in SURROGATE_FOLDERS.items():
        config = LHSSurrogateConfig(latent_size=LATENT, hidden_size=8, task=TASK, space=space)
        LHSSurrogate(config).save_pretrained(folder / name / TASK)
    for place in (".", "encoder", "decoder", f"surrogates/{TASK}"):
        (folder / place / "README.md").write_text(CARD)
    shutil.copy(embedded_model() / "training.json", folder)
    return folder


def damaged(data: bytes, name: str, seed: int) -> bytes:
    """The content of a file, damaged in one of several ways that `seed` chooses."""
    draw = random.Random(seed)
    ways = [_cut, _flip, _flip, _overwrite]
    if name.endswith(".safetensors"):
        ways += [_flip_header, _flip_header, _change_header, _change_header]
    elif name.endswith(".json"):
        ways += [_change_json] * 8
    return draw.choice(ways)(data, draw)


def _cut(data: bytes, draw: random.Random) -> bytes:
    return data[: draw.choice([0, 1, len(data) - 1, draw.randrange(len(data))])]


def _flip(data: bytes, draw: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(draw.choice([1, 1, 4])):
        changed[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _overwrite(data: bytes, draw: random.Random) -> bytes:
    start = draw.randrange(len(data))
    return data[:start] + draw.randbytes(draw.choice([1, 16, 256])) + data[start:]


def _flip_header(data: bytes, draw: random.Random) -> bytes:
    length = int.from_bytes(data[:8], "little")
    return _flip(data[: 8 + length], draw) + data[8 + length :]


def _change_header(data: bytes, draw: random.Random) -> bytes:
    length = int.from_bytes(data[:8], "little")
    header = _change_json(data[8 : 8 + length], draw)
    size = draw.choice([len(header)] * 9 + [2**62])
    return size.to_bytes(8, "little") + header + data[8 + length :]


_VALUES: list[Any] = [
    *(None, True, False, "", "x", "../../elsewhere", "/etc/passwd", "os.system", [], {}, [[]], {"a": 1}),
    *(0, -1, 1, 2, 7, 10**6, 10**9, 10**12, 2**63, 10**40, -(10**9), 0.5, -0.5, 1e30, 1e-30, 1e308),
    *(float("nan"), float("inf"), "\0", "é" * 300, "torch.nn.Module", "owner/name"),
]


def _change_json(data: bytes, draw: random.Random) -> bytes:
    """One value replaced, removed, repeated or nested deeply."""
    document = copy.deepcopy(json.loads(data))
    places: list[tuple[Any, Any]] = []
    waiting = [document]
    while waiting:
        holder = waiting.pop()
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        for key in keys:
            places.append((holder, key))
            if isinstance(holder[key], (dict, list)):
                waiting.append(holder[key])
    if not places or draw.random() < 0.05:
        return json.dumps(draw.choice(_VALUES)).encode()
    holder, key = draw.choice(places)
    way = draw.randrange(10)
    if way == 0:
        del holder[key]
    elif way == 1:
        nested: Any = holder[key]
        for _ in range(draw.choice([3, 100, 900])):
            nested = [nested]
        holder[key] = nested
    elif way == 2 and isinstance(holder, dict):
        holder[draw.choice(["auto_map", "hidden_size", "quantization_config", "x", "trust_remote_code"])] = holder[key]
    elif way == 3 and isinstance(holder[key], (int, float)) and not isinstance(holder[key], bool):
        holder[key] = draw.choice([holder[key] + 1, holder[key] - 1, -holder[key], 2 * holder[key], str(holder[key])])
    elif way == 4:
        text = json.dumps(document)
        return (text[:-1] + draw.choice([",", "]", '"', "{", ""]) + text[-1]).encode()
    elif way == 5:
        return b"[" * draw.choice([10, 10**5]) + json.dumps(document).encode()
    else:
        holder[key] = draw.choice(_VALUES)
    return json.dumps(document).encode()
