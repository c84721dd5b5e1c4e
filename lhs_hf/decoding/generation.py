"""Sampling programs from a causal language model steered by soft prompts: one loop over the rows of a batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor

from ..evaluation.stepping import Stepper
from .grammar import Signature
from .guidance import GUIDED_STEPS, Guidance, GuidedGrammarRow, GuidedRow
from .logits_processor import GrammarLogitsProcessor
from .program import GeneratedProgram
from .rows import GrammarRow, Row, TextRow, end_ids
from .sampling import DEFAULT_SAMPLING, Sampling, sample
from .served import ServedModel, ServedTokens
from .text_guidance import GuidedTextRow
from .token_source import SampledTokens, TokenSource

__all__ = ["GeneratedProgram", "GrammarLogitsProcessor", "Prompts", "Sampling", "generate_programs", "sample"]

OnFinished = Callable[[int, GeneratedProgram], None]


@dataclass(frozen=True)
class Prompts:
    """What the rows of a batch begin with.

    Args:
        ids: B token sequences, the prompt I of each row.
        soft: soft prompts h, (B, K, e), or None for none.
        position: the soft prompt stands "after" the token prompt (the paper's I + h) or "before" it.

    Raises `ValueError` for parts that do not fit each other.
    """

    ids: Sequence[Sequence[int]]
    soft: Tensor | None = None
    position: str = "after"

    def __post_init__(self) -> None:
        if self.soft is not None and len(self.soft) != len(self.ids):
            raise ValueError(f"{len(self.ids)} prompts, but {len(self.soft)} soft prompts")
        if self.position not in ("after", "before"):
            raise ValueError(f"soft_prompt_position has to be 'after' or 'before', got {self.position!r}")

    def __len__(self) -> int:
        return len(self.ids)

    def embeddings(self, model: Any) -> tuple[Tensor, Tensor]:
        """As a model reads them: left-padded (B, T, e), and their mask (B, T) int64."""
        embed = model.get_input_embeddings()
        device = embed.weight.device
        sequences = []
        for row, ids in enumerate(self.ids):
            parts = [embed(torch.tensor(list(ids), dtype=torch.int64, device=device))]
            if self.soft is not None:
                soft = self.soft[row].to(device=device, dtype=embed.weight.dtype)
                parts = [*parts, soft] if self.position == "after" else [soft, *parts]
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


@torch.inference_mode()
def generate_programs(
    model: Any,
    tokenizer: Any,
    prompts: Prompts,
    signatures: Sequence[Signature],
    generators: Sequence[torch.Generator],
    sampling: Sampling = DEFAULT_SAMPLING,
    *,
    guide: Stepper | None = None,
    on_finished: OnFinished | None = None,
) -> list[GeneratedProgram]:
    """Sample one program a row (paper, section 2: p ~ G(I + h)).

    Args:
        model: a causal language model of `transformers`, in eval mode, or a `ServedModel`, which writes text only.
        tokenizer: its tokenizer; a `ProgramTokenizer` if `sampling.grammar` is set.
        prompts: of B rows.
        signatures: B signatures, used by the grammar only.
        generators: one a row: a row's sample does not depend on the rows beside it.
        sampling: how a token is drawn and how many there may be.
        guide: stepping sessions of the task: each statement is run on probe states when it is complete, and sampled
            again if it fails. Of plain text, the first Python code block is run, line by line; the program ends with
            it. What a row gives then still depends on its generator alone.
        on_finished: called with the row and its program once a program is written to its end, in the order they end.

    Raises `ValueError` for arguments that do not fit each other.
    """
    check_rows(len(prompts), signatures, generators)
    if len(prompts) == 0:
        return []
    if isinstance(model, ServedModel) and guide is not None and not model.guidable:
        guide = None
    ends = end_ids(tokenizer, getattr(model, "generation_config", None))
    rows = rows_of(tokenizer, ends, signatures, sampling, guide)
    return write(model, prompts.embeddings(model), rows, generators, sampling, guide=guide, on_finished=on_finished)


@torch.inference_mode()
def write(
    model: Any,
    prefixes: tuple[Tensor, Tensor],
    rows: Sequence[Row],
    generators: Sequence[torch.Generator],
    sampling: Sampling,
    *,
    guide: Stepper | None = None,
    on_finished: OnFinished | None = None,
) -> list[GeneratedProgram]:
    """The loop of `generate_programs`: rows are written behind `prefixes`, left-padded (B, T, e) and (B, T) int64."""
    room = sampling.max_new_tokens if guide is None else GUIDED_STEPS * sampling.max_new_tokens
    source: TokenSource
    if isinstance(model, ServedModel):
        source = ServedTokens(model, prefixes, generators, sampling)
    else:
        source = SampledTokens(model, prefixes, generators, sampling, room)
    guided = [row for row in rows if isinstance(row, GuidedRow)]
    guidance = None if guide is None else Guidance(guide, guided, source.logits)
    active = list(range(len(rows)))
    for step in range(room):
        tokens, scores = source.draw(active, [rows[number] for number in active])
        for place, row in enumerate(active):
            rows[row].take(int(tokens[place]), float(scores[place]), step)
        if guidance is not None:
            guidance.judge(active, room - step - 1)
        for row in active:
            if on_finished is not None and rows[row].finished:
                on_finished(row, _result(rows[row], source.unread(row)))
        alive = [place for place, row in enumerate(active) if not rows[row].finished]
        if not alive or step + 1 == room:
            break
        active = [active[place] for place in alive]
        source.go_on(alive, tokens[alive])
        if guidance is not None:
            guidance.go_on(active, source, step)
    if guidance is not None:
        guidance.close()
    return [_result(row, source.unread(number)) for number, row in enumerate(rows)]


def _result(row: Row, unread: int) -> GeneratedProgram:
    """What a row has written; `unread` tokens that were sampled for it besides count too."""
    program = row.result()
    if unread:
        program = replace(program, sampled=max(program.sampled, len(program.token_ids)) + unread)
    if not isinstance(row, GuidedRow):
        return program
    return replace(program, answers=row.answers, beginning=row.session.source)


def rows_of(
    tokenizer: Any, ends: frozenset[int], signatures: Sequence[Signature], sampling: Sampling, guide: Stepper | None
) -> Sequence[Row]:
    """One row a signature, of the kind that is asked for; `ends` are the end tokens of text."""
    limit = sampling.max_new_tokens
    if sampling.grammar:
        if guide is None:
            return [GrammarRow(tokenizer, signature, limit) for signature in signatures]
        return [GuidedGrammarRow(tokenizer, signature, limit, guide.open()) for signature in signatures]
    if guide is None:
        return [TextRow(tokenizer, ends, signature) for signature in signatures]
    return [GuidedTextRow(tokenizer, ends, limit, guide.open()) for _ in signatures]


def check_rows(count: int, signatures: Sequence[Signature], generators: Sequence[torch.Generator]) -> None:
    """Raise `ValueError` unless there is one signature and one generator for each of `count` rows."""
    for name, size in (("signatures", len(signatures)), ("generators", len(generators))):
        if size != count:
            raise ValueError(f"{count} prompts, but {size} {name}")
