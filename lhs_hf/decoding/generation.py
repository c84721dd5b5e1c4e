"""Sampling programs from a causal language model steered by soft prompts: one loop over the rows of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor

from ..evaluation.stepping import Stepper
from .grammar import Signature
from .guidance import GUIDED_STEPS, Guidance, GuidedGrammarRow, GuidedRow
from .incremental import incremental
from .logits_processor import GrammarLogitsProcessor
from .program import GeneratedProgram
from .rows import GrammarRow, Row, TextRow
from .sampling import sample
from .text_guidance import GuidedTextRow

__all__ = ["GeneratedProgram", "GrammarLogitsProcessor", "generate_programs", "sample"]


@torch.inference_mode()
def generate_programs(
    model: Any,
    tokenizer: Any,
    prompt_ids: Sequence[Sequence[int]],
    soft_prompts: Tensor | None,
    signatures: Sequence[Signature],
    *,
    temperature: float = 0.7,
    top_p: float = 0.9,
    max_new_tokens: int = 512,
    generators: Sequence[torch.Generator],
    soft_prompt_position: Literal["after", "before"] = "after",
    grammar: bool = True,
    guide: Stepper | None = None,
    on_finished: Callable[[int, GeneratedProgram], None] | None = None,
) -> list[GeneratedProgram]:
    """Sample one program a row (paper, section 2: p ~ G(I + h)).

    Args:
        model: a causal language model of `transformers`, in eval mode.
        tokenizer: its tokenizer; a `ProgramTokenizer` if `grammar` is set.
        prompt_ids: B token sequences, the prompt I of each row.
        soft_prompts: (B, K, e), or None for none.
        signatures: B signatures, used by the grammar only.
        temperature: 0 takes the most probable token.
        top_p: nucleus sampling keeps the smallest set of tokens with at least this probability.
        max_new_tokens: with the grammar, programs close within this number of tokens.
        generators: one a row: a row's sample does not depend on the rows beside it.
        soft_prompt_position: soft prompt "after" the token prompt (the paper's I + h) or "before" it.
        grammar: allow only programs; without it, any tokens up to the end-of-sequence token; with a `ProgramTokenizer`
            the source is what they write up to the first one that the grammar forbids.
        guide: stepping sessions of the task: each statement is run on probe states when it is complete, and sampled
            again if it fails. Of plain text, the first Python code block is run, line by line; the program ends with
            it. What a row gives then still depends on its generator alone.
        on_finished: called with the row and its program once a program is written to its end, in the order they end.

    Raises `ValueError` for arguments that do not fit each other.
    """
    count = len(prompt_ids)
    _check(count, soft_prompts, signatures, generators, temperature, top_p, soft_prompt_position)
    if count == 0:
        return []
    finished = on_finished or (lambda row, program: None)
    embeddings, mask = _prefixes(model, prompt_ids, soft_prompts, soft_prompt_position)
    rows = _rows(model, tokenizer, signatures, max_new_tokens, grammar, guide)
    room = max_new_tokens if guide is None else GUIDED_STEPS * max_new_tokens
    # All draws of a row come from its generator at once, so they do not depend on how long other rows take.
    draws = torch.stack(
        [torch.rand(room, generator=g, device=g.device, dtype=torch.float64).cpu() for g in generators]
    ).numpy()
    stepper = incremental(model, room)
    logits = stepper.start(embeddings, mask)
    guidance = None if guide is None else Guidance(guide, [row for row in rows if isinstance(row, GuidedRow)], logits)
    active = list(range(count))
    for step in range(room):
        allowed = [row for row in (rows[number].allowed() for number in active) if row is not None]
        masks = np.stack(allowed) if allowed else None
        numbers = [rows[row].draws for row in active]
        tokens, scores = sample(logits, masks, draws[active, numbers], temperature, top_p)
        for place, row in enumerate(active):
            rows[row].take(int(tokens[place]), float(scores[place]), step)
        if guidance is not None:
            guidance.judge(active, room - step - 1)
        for row in active:
            if rows[row].finished:
                finished(row, rows[row].result())
        alive = [place for place, row in enumerate(active) if not rows[row].finished]
        if not alive or step + 1 == room:
            break
        if len(alive) < len(active):
            stepper.keep(torch.tensor(alive, device=logits.device))
        active, tokens = [active[place] for place in alive], tokens[alive]
        logits = stepper.step(torch.from_numpy(tokens).to(logits.device))
        if guidance is not None:
            guidance.go_on(active, stepper, logits, step)
    if guidance is not None:
        guidance.close()
    return [row.result() for row in rows]


def _rows(
    model: Any, tokenizer: Any, signatures: Sequence[Signature], limit: int, grammar: bool, guide: Stepper | None
) -> Sequence[Row]:
    """One row a signature, of the kind that is asked for."""
    if grammar:
        if guide is None:
            return [GrammarRow(tokenizer, signature, limit) for signature in signatures]
        return [GuidedGrammarRow(tokenizer, signature, limit, guide.open()) for signature in signatures]
    ends = _end_ids(model, tokenizer)
    if guide is None:
        return [TextRow(tokenizer, ends, signature) for signature in signatures]
    return [GuidedTextRow(tokenizer, ends, limit, guide.open()) for _ in signatures]


def _end_ids(model: Any, tokenizer: Any) -> frozenset[int]:
    configured = getattr(getattr(model, "generation_config", None), "eos_token_id", None)
    ids = {tokenizer.eos_token_id, *(configured if isinstance(configured, (list, tuple)) else [configured])}
    return frozenset(token for token in ids if token is not None)


def _prefixes(
    model: Any, prompt_ids: Sequence[Sequence[int]], soft_prompts: Tensor | None, position: str
) -> tuple[Tensor, Tensor]:
    """Left-padded prefix embeddings (B, T, e) and their mask (B, T) int64."""
    embed = model.get_input_embeddings()
    device = embed.weight.device
    sequences = []
    for row, ids in enumerate(prompt_ids):
        parts = [embed(torch.tensor(list(ids), dtype=torch.int64, device=device))]
        if soft_prompts is not None:
            soft = soft_prompts[row].to(device=device, dtype=embed.weight.dtype)
            parts = [*parts, soft] if position == "after" else [soft, *parts]
        sequences.append(torch.cat(parts))
    longest = max(map(len, sequences))
    if longest == 0:
        raise ValueError("there is nothing to start from: prompts and soft prompts are empty")
    embeddings = torch.stack(
        [torch.nn.functional.pad(sequence, (0, 0, longest - len(sequence), 0)) for sequence in sequences]
    )
    mask = torch.zeros(len(sequences), longest, dtype=torch.int64, device=device)
    for row, sequence in enumerate(sequences):
        mask[row, longest - len(sequence) :] = 1
    return embeddings, mask


def _check(
    count: int,
    soft_prompts: Tensor | None,
    signatures: Sequence[Signature],
    generators: Sequence[torch.Generator],
    temperature: float,
    top_p: float,
    position: str,
) -> None:
    sizes = {"signatures": len(signatures), "generators": len(generators)}
    if soft_prompts is not None:
        sizes["soft prompts"] = len(soft_prompts)
    for name, size in sizes.items():
        if size != count:
            raise ValueError(f"{count} prompts, but {size} {name}")
    if temperature < 0 or not 0 < top_p <= 1:
        raise ValueError(f"temperature has to be >= 0 and top_p in (0, 1], got {temperature} and {top_p}")
    if position not in ("after", "before"):
        raise ValueError(f"soft_prompt_position has to be 'after' or 'before', got {position!r}")
