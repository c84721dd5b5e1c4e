"""Negative log-likelihood of programs given a prompt and a soft prompt (paper, equation of L_map)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional


def program_nll(
    decoder: Any,
    soft_prompt: Tensor,
    batch: Mapping[str, Tensor],
    position: str = "after",
    hidden: Tensor | None = None,
) -> Tensor:
    """-log P(token | what is before it) of every program token under teacher forcing.

    Args:
        decoder: a `transformers` causal language model.
        soft_prompt: (B, K, e).
        batch: `prompt_ids` and `prompt_mask` (B, P), left-padded; `program_ids` and `program_mask` (B, T),
            right-padded, the end token included.
        position: whether the soft prompt comes "after" the prompt (the paper's I + h) or "before" it.
        hidden: (B, T) bool, program tokens whose embeddings the decoder reads as zeros.

    Returns:
        (B, T) nats, zero where `program_mask` is False.
    """
    if position not in ("after", "before"):
        raise ValueError(f"unknown soft prompt position {position!r}; it can be: after, before")
    prompt_ids, prompt_mask = batch["prompt_ids"], batch["prompt_mask"]
    program_ids, program_mask = batch["program_ids"], batch["program_mask"]
    embed = decoder.get_input_embeddings()
    prompt, program = embed(prompt_ids), embed(program_ids)
    if hidden is not None:
        program = program.masked_fill(hidden[:, :, None], 0)
    soft_prompt = soft_prompt.to(program.dtype)
    soft_mask = torch.ones(soft_prompt.shape[:2], dtype=torch.bool, device=program_ids.device)
    if position == "after":
        parts, masks = [prompt, soft_prompt, program], [prompt_mask, soft_mask, program_mask]
    elif bool(prompt_mask.all()):
        parts, masks = [soft_prompt, prompt, program], [soft_mask, prompt_mask, program_mask]
    else:
        # Padding has to stay at the far left, also of the soft prompt: each row is rolled into place.
        context = torch.cat([soft_prompt, prompt], dim=1)
        padding = (~prompt_mask).sum(dim=1, keepdim=True)
        index = (torch.arange(context.shape[1], device=padding.device)[None] - padding).clamp(min=0)
        beyond = index >= soft_prompt.shape[1]
        index = torch.where(beyond, index + padding, index)
        context = torch.gather(context, 1, index[:, :, None].expand_as(context))
        context_mask = torch.arange(context.shape[1], device=padding.device)[None] >= padding
        parts, masks = [context, program], [context_mask, program_mask]
    arguments: dict[str, Any] = {"inputs_embeds": torch.cat(parts, dim=1)}
    if not bool(prompt_mask.all()):
        # Padding at the right end needs no mask under causal attention; without one, attention takes its fast path.
        mask = torch.cat(masks, dim=1)
        arguments["attention_mask"] = mask.long()
        arguments["position_ids"] = (mask.long().cumsum(dim=1) - 1).clamp(min=0)
    length = program_ids.shape[1]
    logits = decoder(**arguments, use_cache=False, logits_to_keep=length + 1).logits[:, :-1]
    nll = functional.cross_entropy(logits.float().transpose(1, 2), program_ids, reduction="none")
    return nll * program_mask


@contextmanager
def plain_attention(decoder: Any) -> Iterator[None]:
    """Within it a decoder attends without a fused kernel, afterwards as before.

    A padding token on the left attends to nothing, and what a fused kernel of a graphics card makes of that, NaN in
    some, reaches every weight through the gradient. On processors plain attention is the fastest at these lengths.
    """
    before = decoder.config._attn_implementation
    decoder.set_attn_implementation("eager")
    try:
        yield
    finally:
        decoder.set_attn_implementation(before)


def mean_by_program(nll: Tensor, program_mask: Tensor) -> Tensor:
    """Mean over programs of the mean over their tokens, as the paper's L_map has it; a scalar."""
    return (nll.sum(dim=1) / program_mask.sum(dim=1).clamp(min=1)).mean()
