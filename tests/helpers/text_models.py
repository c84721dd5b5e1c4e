"""A tiny random pair of text models, built as Qwen3-Embedding and Qwen3-Instruct are, and a model folder for it."""

from __future__ import annotations

from pathlib import Path

import torch
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.modules import Normalize, Pooling, Transformer
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast, Qwen3Config, Qwen3ForCausalLM, Qwen3Model

from lhs_hf import LHSModel, LHSSurrogate
from lhs_hf.constants import SURROGATE_FOLDERS
from lhs_hf.corpus.seeds_io import read_seeds
from lhs_hf.models.configuration_lhs import LHSConfig, LHSFlowConfig, LHSMapperConfig, LHSSurrogateConfig

TASK = "knapsack_construct"
WIDTH = 32
SHAPE = {
    "hidden_size": WIDTH,
    "intermediate_size": 48,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "num_key_value_heads": 1,
    "head_dim": 16,
}
CHAT = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def text_tokenizer() -> PreTrainedTokenizerFast:
    """Byte-level BPE, trained on the seed programs of a task."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    special = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=400, special_tokens=special, initial_alphabet=alphabet)
    tokenizer.train_from_iterator([seed.source for seed in read_seeds(TASK)[:8]], trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        eos_token="<|im_end|>",
        pad_token="<|endoftext|>",
        chat_template=CHAT,
        clean_up_tokenization_spaces=False,
    )


def save_pair(folder: Path) -> tuple[Path, Path]:
    """A text encoder and a text decoder in folders of their own."""
    tokenizer = text_tokenizer()
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=len(tokenizer), tie_word_embeddings=True, eos_token_id=tokenizer.eos_token_id, **SHAPE
    )
    decoder = Qwen3ForCausalLM(config)
    decoder.to(torch.bfloat16).save_pretrained(folder / "decoder")
    tokenizer.save_pretrained(folder / "decoder")
    Qwen3Model(config).save_pretrained(folder / "base")
    tokenizer.save_pretrained(folder / "base")
    # The last token, as Qwen3-Embedding pools.
    modules = [Transformer(str(folder / "base"), max_seq_length=256), Pooling(WIDTH, "lasttoken"), Normalize()]
    SentenceTransformer(modules=modules, device="cpu").save_pretrained(str(folder / "encoder"))
    return folder / "encoder", folder / "decoder"


def save_model(folder: Path, encoder: str = "encoder", decoder: str = "decoder") -> Path:
    """A composite that names the pair, with random flow, mapper and surrogates."""
    torch.manual_seed(1)
    config = LHSConfig(
        flow_config=LHSFlowConfig(latent_size=WIDTH, num_coupling_layers=2, hidden_size=16),
        mapper_config=LHSMapperConfig(
            latent_size=WIDTH, num_soft_tokens=4, token_size=16, hidden_size=16, output_size=WIDTH
        ),
        encoder=encoder,
        decoder=decoder,
        latent_normalized=True,
    )
    model = LHSModel(config)
    model.flow.initialize(torch.nn.functional.normalize(torch.randn(64, WIDTH), dim=-1))
    model.save_pretrained(folder)
    for space, name in SURROGATE_FOLDERS.items():
        surrogate = LHSSurrogate(LHSSurrogateConfig(latent_size=WIDTH, hidden_size=16, task=TASK, space=space))
        surrogate.save_pretrained(folder / name / TASK)
    return folder
