"""Training on a graphics card: run with -m gpu where there is one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import Qwen3ForCausalLM

from lhs_hf.models.configuration_lhs import LHSMapperConfig
from lhs_hf.models.encoder import ProgramEncoderModule
from lhs_hf.models.modeling_mapper import LHSMapper
from lhs_hf.training.autoencoder_config import AutoencoderTrainingConfig
from lhs_hf.training.autoencoder_model import LHSAutoencoder, tiny_decoder_config
from lhs_hf.training.autoencoder_trainer import AutoencoderExample, train_autoencoder
from lhs_hf.training.data import ListSource

pytestmark = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no graphics card")]

TOKENS = 300


def example(length: int, prompt: int, generator: np.random.Generator) -> AutoencoderExample:
    """A program of random tokens and as random a behaviour."""
    ids = generator.integers(4, TOKENS, length).tolist()
    return AutoencoderExample(ids, (ids[:prompt],), ids, generator.random((64, 8), dtype=np.float32))


def test_weights_stay_finite_for_programs_and_prompts_of_all_lengths(tmp_path: Path) -> None:
    torch.manual_seed(0)
    generator = np.random.default_rng(0)
    # Among the sums of prompt, soft prompt and program are those at which fused attention has failed (64 modulo 128).
    examples = [example(length, prompt, generator) for length in range(20, 250, 6) for prompt in (3, 9)]
    encoder = ProgramEncoderModule(None, vocab_size=TOKENS, pad_token_id=0, hidden_size=64, num_heads=2)
    mapper = LHSMapper(LHSMapperConfig(latent_size=encoder.latent_size, hidden_size=64, output_size=256))
    model = LHSAutoencoder(encoder, mapper, Qwen3ForCausalLM(tiny_decoder_config(TOKENS)), 1)
    settings = AutoencoderTrainingConfig(
        steps=100, batch_size=8, evaluate_every=50, matrix_learning_rate=1e-2, precision="bfloat16"
    )
    result = train_autoencoder(model, ListSource(examples), examples[::20], settings, tmp_path, progress=False)
    assert all(np.isfinite(entry["grad_norm"]) for entry in result.history if "grad_norm" in entry)
    assert all(bool(parameter.isfinite().all()) for parameter in model.parameters())
