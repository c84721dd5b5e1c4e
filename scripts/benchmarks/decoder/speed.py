"""How fast the decoder writes, beside `model.generate` of `transformers` on the same model and machine; its size."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors import safe_open
from torch import Tensor
from transformers import LogitsProcessorList

from lhs_hf.decoding.decoder import signature_of
from lhs_hf.decoding.generation import GrammarLogitsProcessor, Prompts, Sampling, generate_programs
from lhs_hf.evaluation import Evaluator
from lhs_hf.tasks import get_task
from lhs_hf.tasks.base import Task

from .subject import Settings, Subject, parts_of, sample_at, torch_generator

DESIGNS = ("this", "generate_masked", "generate_plain")
"""`generate_programs`; `model.generate` with `GrammarLogitsProcessor`; `model.generate` without a mask."""

Run = tuple[int, float]


def free(subject: Subject, task_name: str, settings: Settings, batch: int, rounds: int) -> dict[str, Any]:
    """Tokens and seconds of each design on the same latents of a task, in turns. `<eos>` counts, padding does not."""
    task = get_task(task_name)
    latents = batch_of(sample_at("held_out", task_name, subject, settings).latents, batch)
    with torch.inference_mode():
        soft_prompts = subject.model.mapper(latents)
    designs: dict[str, Callable[..., Run]] = {
        "this": _this,
        "generate_masked": _generate_masked,
        "generate_plain": _generate_plain,
    }
    totals = {name: {"tokens": 0, "seconds": 0.0} for name in DESIGNS}
    for name in DESIGNS:  # first calls allocate
        designs[name](subject, task, soft_prompts[:2], settings, 0, 8)
    for round_ in range(rounds):
        for name in DESIGNS:
            tokens, seconds = designs[name](subject, task, soft_prompts, settings, round_, settings.max_new_tokens)
            totals[name]["tokens"] += tokens
            totals[name]["seconds"] += seconds
    return totals


def batch_of(latents: Tensor, size: int) -> Tensor:
    """`size` latents, gone through again if there are fewer."""
    return latents[torch.arange(size) % len(latents)]


def _this(subject: Subject, task: Task, soft: Tensor, settings: Settings, round_: int, limit: int) -> Run:
    started = time.perf_counter()
    programs = generate_programs(
        subject.decoder.model,
        subject.tokenizer,
        Prompts([subject.decoder.prompt_ids(task)] * len(soft), soft, subject.decoder.soft_prompt_position),
        [signature_of(task)] * len(soft),
        [torch_generator(settings, "speed", round_, row) for row in range(len(soft))],
        Sampling(settings.temperature, settings.top_p, limit),
    )
    return sum(len(program.token_ids) for program in programs), time.perf_counter() - started


def _generate_masked(subject: Subject, task: Task, soft: Tensor, settings: Settings, round_: int, limit: int) -> Run:
    processor = GrammarLogitsProcessor(subject.tokenizer, [signature_of(task)] * len(soft), 0, limit)
    return _generate(subject, task, soft, settings, round_, limit, [processor])


def _generate_plain(subject: Subject, task: Task, soft: Tensor, settings: Settings, round_: int, limit: int) -> Run:
    return _generate(subject, task, soft, settings, round_, limit, [])


def _generate(
    subject: Subject,
    task: Task,
    soft: Tensor,
    settings: Settings,
    round_: int,
    limit: int,
    processors: Sequence[GrammarLogitsProcessor],
) -> Run:
    model, tokenizer = subject.decoder.model, subject.tokenizer
    torch.manual_seed(settings.seed + round_)
    started = time.perf_counter()
    with torch.inference_mode():
        prompt = model.get_input_embeddings()(torch.tensor(subject.decoder.prompt_ids(task)))
        prompt = prompt.expand(len(soft), -1, -1)
        parts = [prompt, soft] if subject.decoder.soft_prompt_position == "after" else [soft, prompt]
        embeddings = torch.cat(parts, dim=1)
        ids = model.generate(
            inputs_embeds=embeddings,
            attention_mask=torch.ones(embeddings.shape[:2], dtype=torch.int64),
            do_sample=True,
            temperature=settings.temperature,
            top_p=settings.top_p,
            top_k=0,
            max_new_tokens=limit,
            logits_processor=LogitsProcessorList(processors),
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
        )
    seconds = time.perf_counter() - started
    ended = (ids == tokenizer.eos_token_id).cumsum(dim=1)
    # Tokens in front of <eos>, and <eos> itself in the rows that have one.
    return int((ended == 0).sum() + (ended[:, -1] > 0).sum()), seconds


def guided(subject: Subject, evaluator: Evaluator, settings: Settings, batch: int) -> dict[str, Any]:
    """Seconds, tokens and rejected statements of one batch of held-out latents under guidance by execution."""
    task = evaluator.task
    latents = batch_of(sample_at("held_out", task.name, subject, settings).latents, batch)
    with evaluator.stepping() as guide:
        warm = guide.open()  # the first session starts the worker's process
        guide.check([(warm, task.template)])
        guide.close(warm)
        guide.executions = 0
        started = time.perf_counter()
        programs = subject.decoder.decode(
            latents,
            task,
            [torch_generator(settings, "speed", row) for row in range(batch)],
            temperature=settings.temperature,
            top_p=settings.top_p,
            max_new_tokens=settings.max_new_tokens,
            guide=guide,
        )
        seconds = time.perf_counter() - started
        return {
            "programs": batch,
            "seconds": seconds,
            "tokens": sum(len(program.token_ids) for program in programs),
            "sampled": sum(program.sampled for program in programs),
            "rejections": sum(program.rejections for program in programs),
            "executions": guide.executions,
        }


def task_speed(
    subject: Subject,
    evaluator: Evaluator,
    settings: Settings,
    batches: Sequence[int],
    guided_batches: Sequence[int],
    rounds: int,
) -> dict[str, Any]:
    """All speeds on one task."""
    name = evaluator.task.name
    counts = {
        "free": {f"batch {size}": free(subject, name, settings, size, rounds) for size in batches},
        "guided": {f"batch {size}": guided(subject, evaluator, settings, size) for size in guided_batches},
    }
    return pool_speed([counts])


def pool_speed(records: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Rates of all tasks together, from the sums of tokens, programs and seconds."""
    pooled: dict[str, Any] = {"free": {}, "guided": {}}
    for size in records[0]["free"]:
        designs: dict[str, Any] = {}
        for name in DESIGNS:
            tokens, seconds = (
                sum(record["free"][size][name][key] for record in records) for key in ("tokens", "seconds")
            )
            designs[name] = {"tokens": tokens, "seconds": seconds, "tokens_per_s": tokens / seconds}
        rates = {name: designs[name]["tokens_per_s"] for name in DESIGNS}
        designs["ratio_masked"] = rates["this"] / rates["generate_masked"]
        designs["ratio_plain"] = rates["this"] / rates["generate_plain"]
        pooled["free"][size] = designs
    for size in records[0]["guided"]:
        keys = ("programs", "seconds", "tokens", "sampled", "rejections", "executions")
        sums = {key: sum(record["guided"][size][key] for record in records) for key in keys}
        each = {f"{key}_per_program": sums[key] / sums["programs"] for key in keys[1:]}
        pooled["guided"][size] = {**sums, **each}
    return pooled


def totals(subject: Subject) -> dict[str, Any]:
    """Bytes of the model folder and of its weights, and the parameters of each part.

    Parameters of encoder, flow, mapper and decoder are those of the modules (tied ones once); surrogates are counted
    from their files, buffers included.
    """
    files = [path for path in subject.root.rglob("*") if path.is_file()]
    weights = [path for path in files if path.suffix == ".safetensors"]
    folders: dict[str, int] = {}
    for path in weights:
        parts = path.relative_to(subject.root).parts
        folder = parts[0] if len(parts) > 1 else "flow and mapper"
        folders[folder] = folders.get(folder, 0) + path.stat().st_size
    modules = parts_of(subject)
    parameters = {name: sum(p.numel() for p in module.parameters()) for name, module in modules.items()}
    surrogates = [path for path in weights if path.relative_to(subject.root).parts[0].startswith("surrogates")]
    parameters["surrogates"] = sum(map(_numbers, surrogates))
    return {
        "bytes": sum(path.stat().st_size for path in files),
        "weight_bytes": sum(folders.values()),
        "weight_bytes_of": dict(sorted(folders.items())),
        "parameters": sum(parameters.values()),
        "parameters_of": parameters,
    }


def _numbers(path: Path) -> int:
    with safe_open(path, framework="pt") as file:
        return sum(torch.Size(file.get_slice(name).get_shape()).numel() for name in file.keys())  # noqa: SIM118
