"""The decoder G behind one interface: latents in, program texts out, every sampled program charged to one budget."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from ..evaluation.stepping import Stepper
from ..programs import extract
from ..tasks.base import Task
from .budget import Budget
from .generation import Prompts, Sampling, generate_programs
from .grammar import Signature
from .program import GeneratedProgram
from .prompts import text_prompt_ids
from .tokenization_lhs import ProgramTokenizer
from .wording import Wording, wording, wordings


def signature_of(task: Task) -> Signature:
    """The function that a model is asked for: that of the task, in names that the model knows (`wording`)."""
    return wording(task).signature


class LatentDecoder:
    """A frozen causal language model steered by soft prompts (equation `p ~ G(I + h)` of the paper).

    With a `ProgramTokenizer` the model writes linearised syntax trees under a grammar mask; with any other tokenizer
    it writes text after a chat prompt, and the longest code block of its reply is the program (the first if it is
    guided).

    Args:
        model: a `transformers` causal language model in eval mode.
        tokenizer: its tokenizer.
        mapper: `LHSMapper`, z (B, d) -> h (B, K, e).
        soft_prompt_position: "after" the prompt (the paper's I + h) or "before" it.
        budget: charged one call for each program, before it is sampled.
    """

    def __init__(
        self, model: Any, tokenizer: Any, mapper: Any, *, soft_prompt_position: str = "after", budget: Budget
    ) -> None:
        self.model = model.eval()
        self.tokenizer = tokenizer
        self.mapper = mapper.eval()
        self.soft_prompt_position = soft_prompt_position
        self.budget = budget
        self._wordings: dict[str, Wording] = {}

    def wording(self, task: Task) -> Wording:
        """How the model is told of a task."""
        return self._wordings.get(task.identity) or wording(task)

    def trained_on(self, task: Task) -> bool:
        """Whether the model has learned to write programs of a task: one of the paper's that it has a token for."""
        if not isinstance(self.tokenizer, ProgramTokenizer):
            return task.of_paper
        return task.of_paper and f"<task:{task.name}>" in self.tokenizer.vocabulary.ids

    @torch.inference_mode()
    def choose_wording(self, task: Task, latent: Tensor) -> None:
        """Tell the model of a task in the words in which its reference program, at `latent` (1, d), is likeliest."""
        words = wordings(task)
        if not isinstance(self.tokenizer, ProgramTokenizer) or len(words) == 1 or task.identity in self._wordings:
            return
        soft = self.mapper(latent.to(self.mapper.dtype)).to(self.model.device, self.model.dtype)
        self._wordings[task.identity] = min(words, key=lambda each: self._surprise(task.template, each, soft))

    def _surprise(self, source: str, words: Wording, soft: Tensor) -> float:
        """The negative logarithm of the probability of a program; infinite for one that can not be written."""
        signature = words.signature
        try:
            actions = self.tokenizer.encode_program(signature.read(source), signature)
        except ValueError:
            return math.inf
        prompt = self.tokenizer.encode_prompt(words.subject, signature)
        prefix, _ = Prompts([prompt], soft, self.soft_prompt_position).embeddings(self.model)
        ids = torch.tensor([actions], device=prefix.device)
        inputs = torch.cat([prefix, self.model.get_input_embeddings()(ids)], dim=1)
        logits = self.model(inputs_embeds=inputs).logits[0, prefix.shape[1] - 1 : -1]
        return float(torch.nn.functional.cross_entropy(logits.float(), ids[0], reduction="sum"))

    def prompt_ids(self, task: Task, family: str = "task") -> list[int]:
        """Token ids of the prompt."""
        if isinstance(self.tokenizer, ProgramTokenizer):
            words = self.wording(task)
            subject = {"task": words.subject, "class": task.problem_class, "general": None}[family]
            return self.tokenizer.encode_prompt(subject, words.signature)
        return text_prompt_ids(self.tokenizer, task, family)

    def decode(
        self,
        latents: Tensor,
        task: Task,
        generators: Sequence[torch.Generator],
        *,
        temperature: float = 0.7,
        top_p: float = 0.9,
        max_new_tokens: int = 512,
        guide: Stepper | None = None,
        on_finished: Callable[[int, GeneratedProgram], None] | None = None,
    ) -> list[GeneratedProgram]:
        """Sample one program for each row of `latents` (B, d). Raises `BudgetExhausted` before sampling anything.

        `guide`: stepping sessions of the task, which run each statement on probe states; `on_finished` is called with
        each row's program when it is written (`generate_programs`).

        Each row draws from its own generator, so that what one latent decodes to does not depend on its batch.
        """
        self.budget.take(len(latents))
        grammar = isinstance(self.tokenizer, ProgramTokenizer)
        with torch.inference_mode():
            soft_prompts = self.mapper(latents.to(self.mapper.dtype)).to(self.model.device, self.model.dtype)
            decoded = generate_programs(
                self.model,
                self.tokenizer,
                Prompts([self.prompt_ids(task)] * len(latents), soft_prompts, self.soft_prompt_position),
                [self.wording(task).signature] * len(latents),
                list(generators),
                Sampling(temperature, top_p, max_new_tokens, grammar),
                guide=guide,
                on_finished=on_finished and (lambda row, program: on_finished(row, self._program(program))),
            )
        self.budget.tokens += sum(max(program.sampled, len(program.token_ids)) for program in decoded)
        return [self._program(program) for program in decoded]

    def _program(self, generated: GeneratedProgram) -> GeneratedProgram:
        """With the program alone as its source, of a reply in plain text."""
        if isinstance(self.tokenizer, ProgramTokenizer):
            return generated
        return replace(generated, source=extract(generated.source))
