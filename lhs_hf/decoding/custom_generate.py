"""The sampling loop inside `transformers`' own `generate`, as its `custom_generate`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import GenerationConfig, LogitsProcessorList, StoppingCriteriaList
from transformers.generation.configuration_utils import GenerationMode
from transformers.generation.logits_process import TemperatureLogitsWarper, TopPLogitsWarper
from transformers.generation.stopping_criteria import EosTokenCriteria, MaxLengthCriteria

from ..evaluation.stepping import Stepper
from .generation import check_rows, rows_of, write
from .grammar import Signature
from .program import GeneratedProgram
from .rows import end_ids
from .sampling import Sampling

_DONE = (TemperatureLogitsWarper, TopPLogitsWarper, MaxLengthCriteria, EosTokenCriteria)


class ProgramGeneration:
    """What `generate_programs` does, for `model.generate(..., custom_generate=...)`.

    >>> generation = ProgramGeneration(tokenizer, [signature] * 8, generators)
    >>> embeddings, mask = Prompts([ids] * 8, soft_prompts).embeddings(model)
    >>> tokens = model.generate(
    ...     inputs_embeds=embeddings, attention_mask=mask, custom_generate=generation,
    ...     do_sample=True, temperature=0.7, top_p=0.9, top_k=0, max_new_tokens=512,
    ... )
    >>> generation.programs[0].source

    `generate` prepares what comes before the loop (prompt ids or embeddings, mask, the settings of the model and of the
    call); the programs are those of `generate_programs`, to the last token. It returns token ids (B, T) int64, padded
    at the end and behind the prompt's ids where it was given ids; `programs` holds the batch as `GeneratedProgram`s.

    Args:
        tokenizer: the model's; a `ProgramTokenizer` if `grammar` is set.
        signatures: one a row.
        generators: one a row: a row's sample does not depend on the rows beside it.
        grammar: allow only programs; see `Sampling`.
        guide: stepping sessions of the task, which run each statement; see `generate_programs`.

    A call raises `ValueError` for what the loop does not do: beams, assistants, outputs besides the tokens, and
    processors or stopping criteria besides temperature, `top_p`, the end token and the length. To sample, `top_k` has
    to be 0: the default is 50. `generate` hands no streamer on to a custom loop: one is given nothing but the prompt.
    """

    def __init__(
        self,
        tokenizer: Any,
        signatures: Sequence[Signature],
        generators: Sequence[torch.Generator],
        *,
        grammar: bool = True,
        guide: Stepper | None = None,
    ) -> None:
        self.programs: list[GeneratedProgram] = []
        self._tokenizer = tokenizer
        self._signatures = signatures
        self._generators = generators
        self._grammar = grammar
        self._guide = guide

    def __call__(
        self,
        model: Any,
        input_ids: Tensor,
        logits_processor: LogitsProcessorList,
        stopping_criteria: StoppingCriteriaList,
        generation_config: GenerationConfig,
        **inputs: Any,
    ) -> Tensor:
        """The loop, called by `generate`."""
        _check_all_of_it_is_done([*logits_processor, *stopping_criteria], generation_config)
        check_rows(len(input_ids), self._signatures, self._generators)
        sampling = Sampling(
            generation_config.temperature if generation_config.do_sample else 0.0,
            generation_config.top_p,
            generation_config.max_length - input_ids.shape[1],
            self._grammar,
        )
        embeddings = inputs.get("inputs_embeds")
        if embeddings is None:
            embeddings = model.get_input_embeddings()(input_ids)
        mask = inputs.get("attention_mask")
        if mask is None:  # of a batch without padding
            mask = embeddings.new_ones(embeddings.shape[:2], dtype=torch.int64)
        rows = rows_of(
            self._tokenizer,
            end_ids(self._tokenizer, generation_config),
            self._signatures,
            sampling,
            self._guide,
        )
        self.programs = write(model, (embeddings, mask), rows, self._generators, sampling, guide=self._guide)
        written = [torch.tensor(program.token_ids, dtype=torch.int64) for program in self.programs]
        padding = self._tokenizer.pad_token_id
        tokens = torch.nn.utils.rnn.pad_sequence(written, batch_first=True, padding_value=padding)
        return torch.cat([input_ids, tokens.to(input_ids.device)], dim=1)


def _check_all_of_it_is_done(steps: Sequence[Any], generation_config: GenerationConfig) -> None:
    """Raise `ValueError` for what a call of `generate` asks for and the loop would leave out."""
    mode = generation_config.get_generation_mode()
    if mode not in (GenerationMode.SAMPLE, GenerationMode.GREEDY_SEARCH):
        raise ValueError(f"programs are sampled or searched greedily, not by {mode.value}")
    if generation_config.return_dict_in_generate:
        raise ValueError("return_dict_in_generate is not known here: the attribute `programs` has what was written")
    others = sorted({type(step).__name__ for step in steps if not isinstance(step, _DONE)})
    if others:
        hint = "; pass top_k=0" if "TopKLogitsWarper" in others else ""
        raise ValueError(f"programs are sampled by temperature and top_p alone, not with {', '.join(others)}{hint}")
