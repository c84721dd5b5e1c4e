"""Tiny Qwen3 models of `transformers` in folders: one that writes what a script says, one with random weights."""

from __future__ import annotations

from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM

END, UNKNOWN = "<end>", "<unknown>"
WIDTH = 64
_SURE = 20.0  # logits of what follows, above those of everything else

Follows = dict[str, dict[str, float]]


def _config(vocabulary: int, **changes: object) -> Qwen3Config:
    shape = {"hidden_size": WIDTH, "intermediate_size": 64, "num_attention_heads": 2, "num_key_value_heads": 1}
    # Heads of a width that vLLM's processor kernels know.
    return Qwen3Config(
        **{"vocab_size": vocabulary, "head_dim": 32, "num_hidden_layers": 1, "eos_token_id": 0, **shape, **changes}
    )


def line_tokenizer(pieces: list[str]) -> PreTrainedTokenizerFast:
    """A tokenizer whose tokens are whole lines with their ends; END is token 0, UNKNOWN token 1."""
    vocabulary = {piece: index for index, piece in enumerate([END, UNKNOWN, *pieces])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex("[^\n]*\n|[^\n]+"), "isolated")
    tokenizer.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, eos_token=END, unk_token=UNKNOWN, clean_up_tokenization_spaces=False
    )


def save_scripted(folder: Path, follows: Follows) -> Path:
    """A decoder of lines: `follows` says with what odds which line comes after which; after others comes the end.

    Attention and projections write nothing, so the next token follows from the last embedding alone.
    """
    pieces = list(dict.fromkeys([*follows, *(piece for options in follows.values() for piece in options)]))
    tokenizer = line_tokenizer([piece for piece in pieces if piece != END])
    ids = tokenizer.get_vocab()
    torch.manual_seed(0)
    model = Qwen3ForCausalLM(_config(len(ids), tie_word_embeddings=False))
    with torch.no_grad():
        table = torch.nn.functional.normalize(torch.randn(len(ids), WIDTH), dim=-1) * WIDTH**0.5
        model.get_input_embeddings().weight.copy_(table)
        for layer in model.model.layers:
            layer.self_attn.o_proj.weight.zero_()
            layer.mlp.down_proj.weight.zero_()
        head = torch.zeros(len(ids), WIDTH)
        for piece in ids:
            for following, odds in follows.get(piece, {END: 1.0}).items():
                head[ids[following]] += (_SURE + torch.tensor(odds).log()) / WIDTH * table[ids[piece]]
        model.lm_head.weight.copy_(head)
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def save_random(folder: Path, vocabulary: int = 200) -> Path:
    """A decoder with random weights, so large that what it writes greedily depends on all that it has read.

    It does not end by itself.
    """
    torch.manual_seed(1)
    model = Qwen3ForCausalLM(_config(vocabulary, num_hidden_layers=2, initializer_range=0.3))
    with torch.no_grad():
        model.lm_head.weight[0] = 0
    model.save_pretrained(folder)
    line_tokenizer([f"{number}\n" for number in range(vocabulary - 2)]).save_pretrained(folder)
    return folder
