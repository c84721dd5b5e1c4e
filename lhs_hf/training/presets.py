"""Recipes by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..errors import unknown
from ..tasks import task_names
from .autoencoder_config import AutoencoderTrainingConfig
from .flow_config import FlowTrainingConfig
from .mapper_config import MapperTrainingConfig
from .recipe import Recipe
from .surrogate_config import SurrogateTrainingConfig

PRESETS = ("lhs-tiny", "text-only", "smoke")


def recipe(preset: str = "lhs-tiny", tasks: Sequence[str] | None = None, seed: int = 0) -> Recipe:
    """The recipe called `preset` for some tasks (default: all ten).

    "lhs-tiny" makes the model that ships; "text-only" one whose encoder reads the text alone, as the paper's does, and
    learns to tell behaviour from it; "smoke" runs every stage in a minute or two and makes nothing useful.
    Raises `CallError` for an unknown preset.
    """
    chosen = tuple(tasks) if tasks else task_names()
    if preset == "lhs-tiny":
        return Recipe(
            tasks=chosen,
            seed=seed,
            variants=3000,
            max_tokens=256,
            corpus_repeats=3,
            latent_variants=1500,
            encoder={"dropout": 0.0},
            autoencoder=AutoencoderTrainingConfig(
                steps=2200,
                batch_size=48,
                learning_rate=3e-3,
                matrix_learning_rate=1e-2,
                evaluate_every=275,
                patience=None,
                # The share of programs decoded from held-out latents that run goes on rising when their NLL does not.
                keep="last",
                precision="bfloat16",
                noise=0.2,
                latent_weight=0.01,
                quantile_weight=0.3,
                outline_weight=0.5,
                behaviour_exchange=0.3,
                stranger_exchange=0.1,
                encoder_token_dropout=0.05,
                decoder_token_dropout=0.4,
            ),
            mapper=MapperTrainingConfig(
                steps=150, batch_size=48, evaluate_every=50, learning_rate=2e-4, noise=0.2, precision="bfloat16"
            ),
            flow_config={"whitening": True},
            surrogate=SurrogateTrainingConfig(noise=0.3, better_half_weight=2.0),
        )
    if preset == "text-only":
        shipped = recipe("lhs-tiny", chosen, seed)
        # Without a behaviour to read, another program's text says nothing about this one.
        autoencoder = replace(
            shipped.autoencoder,
            behaviour_exchange=0.0,
            stranger_exchange=0.0,
            behaviour_weight=0.5,
            quantile_weight=1.0,
        )
        # What a transformer this small learns from so few programs ranks unseen families worse than word counts do.
        encoder = {"use_behaviour": False, "ngram_buckets": 8192}
        # Latents of programs that the encoder was trained to rank are easy to learn by heart.
        surrogate = SurrogateTrainingConfig(noise=2.0)
        return replace(shipped, encoder=encoder, autoencoder=autoencoder, surrogate=surrogate)
    if preset == "smoke":
        return Recipe(
            tasks=chosen,
            seed=seed,
            variants=32,
            latent_variants=16,
            encoder={"hidden_size": 32, "num_layers": 1, "num_heads": 2, "intermediate_size": 64},
            decoder={
                "hidden_size": 32,
                "num_hidden_layers": 1,
                "num_attention_heads": 2,
                "num_key_value_heads": 2,
                "head_dim": 16,
                "intermediate_size": 64,
            },
            mapper_hidden_size=32,
            autoencoder=AutoencoderTrainingConfig(steps=20, batch_size=8, evaluate_every=10),
            mapper=MapperTrainingConfig(steps=10, batch_size=8, evaluate_every=5),
            flow=FlowTrainingConfig(steps=20, evaluate_every=10),
            surrogate=SurrogateTrainingConfig(steps=20, evaluate_every=10),
        )
    raise unknown("training preset", preset, PRESETS)


def resized(found: Recipe, variants: int | None = None, steps: int | None = None) -> Recipe:
    """The recipe with another number of streamed variants a task, or of steps of the joint training.

    The learning rate falls over the steps that there are.
    """
    if variants is not None:
        found = replace(found, variants=variants)
    if steps is not None:
        found = replace(found, autoencoder=replace(found.autoencoder, steps=steps))
    return found
