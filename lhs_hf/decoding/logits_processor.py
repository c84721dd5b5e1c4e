"""The grammar's masks inside `transformers`' own `generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from transformers import LogitsProcessor

from .grammar import ProgramState, Signature


class GrammarLogitsProcessor(LogitsProcessor):
    """The grammar's masks for `model.generate(..., logits_processor=[...])`.

    Args:
        tokenizer: a `ProgramTokenizer`.
        signatures: one a row of the batch.
        prompt_length: number of ids before the program in what `generate` tracks; 0 with `inputs_embeds`.
        max_new_tokens: the limit that `generate` was given, so that programs close within it.
    """

    def __init__(
        self,
        tokenizer: Any,
        signatures: Sequence[Signature],
        prompt_length: int = 0,
        max_new_tokens: int | None = None,
    ) -> None:
        self._tokenizer = tokenizer
        self._signatures = list(signatures)
        self._start = prompt_length
        self._limit = max_new_tokens
        self._states = [self._fresh(signature) for signature in self._signatures]

    def _fresh(self, signature: Signature) -> ProgramState:
        return self._tokenizer.program_state(signature, self._limit)

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        if len(input_ids) != len(self._states):
            raise ValueError(f"{len(input_ids)} sequences, but signatures were given for {len(self._states)}")
        masks = []
        for row, sequence in enumerate(input_ids[:, self._start :].tolist()):
            state = self._states[row]
            if sequence[: len(state.actions)] != state.actions:
                state = self._states[row] = self._fresh(self._signatures[row])
            for token in sequence[len(state.actions) :]:
                if state.finished:
                    break
                state.advance(token)
            masks.append(state.allowed())
        allowed = torch.from_numpy(np.stack(masks)).to(scores.device)
        if scores.shape[-1] > allowed.shape[-1]:  # embeddings padded beyond the vocabulary
            allowed = torch.nn.functional.pad(allowed, (0, scores.shape[-1] - allowed.shape[-1]))
        return scores.masked_fill(~allowed, -torch.inf)
