"""What a decoder writes of a task that it was not trained on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lhs_hf.decoding.generation import Prompts, Sampling, generate_programs
from lhs_hf.decoding.grammar import Signature
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.stepping import Stepper
from lhs_hf.tasks import get_task
from lhs_hf.training.data import pad
from lhs_hf.training.model_training import row_behaviour
from lhs_hf.training.variants import MOST_ERRORS
from zoo.arms import ARMS, Arm
from zoo.texts import Types, drawn, encoded, prompt_of, rows_of
from zoo.training import MOST_TOKENS, tokenizer_of, trained

Written = list[tuple[bool, float]]
"""Of each program whether it runs on the probe states, and on which share of them it decides as it should."""


def judge(work: Path, name: str, weights: str, task_name: str, count: int, seed: int) -> dict[str, Any]:
    """Of hand-written programs of a task: their NLL a token, and what is decoded from their latents.

    `weights`: the arm whose weights are used. `nll` and `nll_stranger` (with another program's latent) are in nats.
    """
    torch.set_num_threads(1)
    arm, task, tokenizer = ARMS[name], get_task(task_name), tokenizer_of(work)
    model: Any = trained(work, weights, seed)
    generator, types = np.random.default_rng([seed, *map(ord, task_name)]), Types(task)
    programs = []
    for row in rows_of(task_name):
        signature = drawn(arm, task, generator)
        ids = encoded(tokenizer, signature, row.program, MOST_TOKENS) if row.tier == "seed" else None
        if ids is not None:
            programs.append((row, signature, ids, prompt_of(arm, types, tokenizer, signature, task)))
    batch = _batch(programs)
    with torch.inference_mode():
        z = model.embed(batch)
        tokens = batch["program_mask"].sum()
        nll, stranger = (float(model.nll(each, batch).sum() / tokens) for each in (z, z.roll(1, dims=0)))
    chosen = [each % len(programs) for each in range(count)]
    picked = [programs[each] for each in chosen]
    result: dict[str, Any] = {"nll": nll, "nll_stranger": stranger, "programs": len(programs)}
    with Evaluator(task) as evaluator:
        with evaluator.stepping() as guide:
            sources = _decoded(model, tokenizer, z[chosen], picked, seed, guide)
        free = _decoded(model, tokenizer, z[chosen], picked, seed, None)
        for key, texts in (("guided", sources), ("free", free)):
            outcomes = _outcomes(evaluator, texts, [row.decisions for row, *_ in picked])
            result[key] = {
                "valid": [runs for runs, _ in outcomes],
                "agreement": [share for runs, share in outcomes if runs],
            }
    return result


def _batch(programs: list[tuple[Any, Signature, list[int], list[int]]]) -> dict[str, Tensor]:
    ids, mask = pad([each[2] for each in programs])
    prompts, prompt_mask = pad([each[3] for each in programs], side="left")
    behaviours = np.stack([row_behaviour(each[0]) for each in programs])
    return {
        "encoder_ids": ids,
        "encoder_mask": mask,
        "behaviour": torch.from_numpy(behaviours),
        "behaviour_mask": torch.ones(len(programs), dtype=torch.bool),
        "prompt_ids": prompts,
        "prompt_mask": prompt_mask,
        "program_ids": ids,
        "program_mask": mask,
    }


def _decoded(
    model: Any, tokenizer: Any, z: Tensor, programs: list[Any], seed: int, guide: Stepper | None
) -> list[str | None]:
    with torch.inference_mode():
        soft = model.mapper(z)
    generators = [torch.Generator().manual_seed(seed + row) for row in range(len(programs))]
    signatures = [each[1] for each in programs]
    sampling = Sampling(0.7, 0.9, MOST_TOKENS, True)
    prompts = Prompts([each[3] for each in programs], soft)
    written = generate_programs(model.decoder, tokenizer, prompts, signatures, generators, sampling, guide=guide)
    return [each.source if each.finished else None for each in written]


def _outcomes(evaluator: Evaluator, sources: list[str | None], decisions: list[np.ndarray]) -> Written:
    texts = [source for source in sources if source is not None]
    behaviours = iter(evaluator.probe_many(texts))
    found = [None if source is None else next(behaviours) for source in sources]
    return [
        (False, 0.0)
        if each is None or each.error_rate > MOST_ERRORS
        else (True, float((each.decisions == wanted).mean()))
        for each, wanted in zip(found, decisions)
    ]


def weights_of(name: str) -> str:
    """The arm whose weights an arm is judged with: translation happens afterwards."""
    arm = ARMS[name]
    same = Arm(arm.zoo, arm.placeholders, arm.types, arm.width)
    return next(other for other, each in ARMS.items() if each == same)
