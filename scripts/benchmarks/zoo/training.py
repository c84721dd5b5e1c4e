"""Training texts of all tasks, and one decoder trained on some of them."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import AutoTokenizer, Qwen3ForCausalLM

from lhs_hf.corpus.seeds_io import Seed
from lhs_hf.decoding.grammar import Vocabulary
from lhs_hf.decoding.tokenization_lhs import ProgramTokenizer
from lhs_hf.models.configuration_lhs import LHSMapperConfig
from lhs_hf.models.encoder import ProgramEncoderModule
from lhs_hf.models.modeling_mapper import LHSMapper
from lhs_hf.tasks import get_task
from lhs_hf.training.autoencoder_model import LHSAutoencoder, tiny_decoder_config
from lhs_hf.training.autoencoder_trainer import AutoencoderExample, train_autoencoder
from lhs_hf.training.data import ListSource
from lhs_hf.training.model_training import row_behaviour
from lhs_hf.training.presets import recipe
from lhs_hf.training.variants import collect_variants, read_variants
from zoo.arms import ARMS, Arm
from zoo.texts import TYPE_WORDS, Types, drawn, encoded, own_signature, placed, prompt_of, rows_of, variant_file

MOST_TOKENS = 256
_ENCODER_WIDTH, _DECODER_WIDTH, _HEADS = 192, 256, 4


def write_variants(work: Path, tasks: list[str], count: int, seed: int, pool: Executor) -> None:
    """Stream variants of the training families of every task."""
    jobs = []
    for number, name in enumerate(tasks):
        seeds = [
            Seed(name, row.family, row.program) for row in rows_of(name) if row.tier == "seed" and row.split == "train"
        ]
        jobs.append((name, seeds, count, 1_000_003 * (seed + 1) + number, variant_file(work, name)))
    for future in [pool.submit(collect_variants, *job) for job in jobs]:
        future.result()


def write_tokenizer(work: Path, tasks: list[str], seed: int) -> None:
    """One vocabulary for all arms: of the training programs of all tasks, under their own names and placeholders."""
    folder = work / "tokenizer"
    if (folder / "tokenizer_config.json").is_file():
        return
    programs = []
    for name in tasks:
        task, generator = get_task(name), np.random.default_rng([seed, len(programs)])
        for row in rows_of(name):
            if row.split == "train":
                programs.append((row.program, own_signature(task)))
                signature = placed(task, generator)
                programs.append((signature.read(row.program), signature))
    vocabulary = Vocabulary.build(programs, class_names=[f"is_{word}" for word in TYPE_WORDS])
    ProgramTokenizer.from_vocabulary(vocabulary, folder).save_pretrained(folder)


def tokenizer_of(work: Path) -> ProgramTokenizer:
    """The tokenizer of all arms."""
    return AutoTokenizer.from_pretrained(work / "tokenizer", trust_remote_code=False)


def write_examples(work: Path, name: str, naming: str, count: int, seed: int) -> None:
    """The training programs of a task as ids: of the corpus three times, of its variants once; both prompts of each."""
    path = examples_file(work, name, naming)
    if path.is_file():
        return
    task, tokenizer = get_task(name), tokenizer_of(work)
    plain, types = ARMS["no_types" if naming == "placeholders" else "no_random_names"], Types(task)
    typed = ARMS["all"]
    generator = np.random.default_rng([seed, *map(ord, name)])
    repeats = recipe("lhs-tiny").corpus_repeats
    programs = [(row.program, row_behaviour(row)) for row in rows_of(name) if row.split == "train"] * repeats
    programs += [(each.program, each.behaviour) for each in read_variants(variant_file(work, name))[:count]]
    records = []
    for program, behaviour in programs:
        signature = drawn(plain, task, generator)
        ids = encoded(tokenizer, signature, program, MOST_TOKENS)
        if ids is not None:
            prompts = [prompt_of(arm, types, tokenizer, signature, task) for arm in (plain, typed)]
            records.append((ids, prompts, torch.from_numpy(behaviour)))
    path.parent.mkdir(parents=True, exist_ok=True)
    torch.save(records, path)


def examples_file(work: Path, name: str, naming: str) -> Path:
    """The training programs of a task under a naming."""
    return work / "examples" / f"{name}-{naming}.pt"


def new_model(arm: Arm, tokenizer: ProgramTokenizer, seed: int) -> LHSAutoencoder:
    """Encoder, mapper and decoder of an arm, untrained."""
    torch.manual_seed(seed)
    width, encoder_width = (round(each * arm.width / 16) * 16 for each in (_DECODER_WIDTH, _ENCODER_WIDTH))
    config = tiny_decoder_config(
        len(tokenizer),
        pad_token_id=tokenizer.pad_token_id,
        bos_token_id=tokenizer.bos_token_id,
        eos_token_id=tokenizer.eos_token_id,
        hidden_size=width,
        head_dim=width // _HEADS,
        intermediate_size=3 * width,
    )
    encoder = ProgramEncoderModule(
        tokenizer, hidden_size=encoder_width, intermediate_size=4 * encoder_width, dropout=0.0
    )
    mapper = LHSMapper(LHSMapperConfig(latent_size=encoder.latent_size, hidden_size=256, output_size=width))
    return LHSAutoencoder(encoder, mapper, Qwen3ForCausalLM(config), len(arm.tasks))


def train(work: Path, name: str, steps: int, batch: int, seed: int) -> dict[str, Any]:
    """Train an arm on so many programs a step; its weights lie in `work/arms/name`."""
    torch.set_num_threads(1)
    arm, tokenizer = ARMS[name], tokenizer_of(work)
    model = new_model(arm, tokenizer, seed)
    examples = []
    for number, task in enumerate(arm.tasks):
        for ids, prompts, behaviour in torch.load(examples_file(work, task, arm.naming), weights_only=True):
            prompt = prompts[1 if arm.types else 0]
            examples.append(AutoencoderExample(ids, (prompt,), ids, behaviour.numpy(), task=number))
    settings = replace(
        recipe("lhs-tiny").autoencoder,
        steps=steps,
        batch_size=batch,
        evaluate_every=steps,
        behaviour_exchange=0.0,
        family_weights=(1.0, 0.0, 0.0),
        seed=seed,
    )
    train_autoencoder(
        model,
        ListSource(examples, lambda example: len(example.program_ids)),
        examples[:: max(1, len(examples) // 200)],
        settings,
        work / "arms" / name,
        progress=False,
    )
    return {
        "programs": len(examples),
        "parameters": sum(each.numel() for each in model.parameters()),
    }


def trained(work: Path, name: str, seed: int) -> LHSAutoencoder:
    """A trained arm, on the processor."""
    from safetensors.torch import load_file

    model = new_model(ARMS[name], tokenizer_of(work), seed)
    model.load_state_dict(load_file(work / "arms" / name / "model.safetensors"), strict=False)
    return model.eval()
