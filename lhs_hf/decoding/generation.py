"""Sampling programs from a causal language model steered by soft prompts, batched, under the grammar's masks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import torch
from torch import Tensor
from transformers import LogitsProcessor

from ..evaluation.stepping import Stepper, StepResult
from .grammar import ProgramState, Signature
from .guidance import GUIDED_STEPS, GuidedGrammarRow, GuidedRow
from .incremental import incremental
from .text_guidance import GuidedTextRow
from .tokenization_lhs import ProgramTokenizer

_FEW = 64  # candidates that nearly always hold the nucleus


@dataclass(frozen=True)
class GeneratedProgram:
    """One sample.

    `log_probability` sums the log-probabilities of the tokens under the model and the mask, at temperature 1.
    `finished` is False if the tokens ran out first; `source` then holds what was written so far. `sampled` counts all
    tokens drawn for it, `rejections` the statements taken back because they did not run.
    """

    source: str
    token_ids: list[int]
    log_probability: float
    finished: bool
    sampled: int = 0
    rejections: int = 0


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
    ends = frozenset() if grammar else _end_ids(model, tokenizer)
    if guide is not None:
        guided: list[GuidedRow] = [
            GuidedGrammarRow(tokenizer, signature, max_new_tokens, guide.open())
            if grammar
            else GuidedTextRow(tokenizer, ends, max_new_tokens, guide.open())
            for signature in signatures
        ]
        room = GUIDED_STEPS * max_new_tokens
        return _guided(model, guided, guide, temperature, top_p, room, generators, embeddings, mask, finished)
    rows: list[_GrammarRow | _TextRow]
    if grammar:
        rows = [_GrammarRow(tokenizer, signature, max_new_tokens) for signature in signatures]
    else:
        rows = [_TextRow(tokenizer, ends, signature) for signature in signatures]
    # All draws of a row come from its generator at once, so they do not depend on how long other rows take.
    draws = torch.stack(
        [torch.rand(max_new_tokens, generator=g, device=g.device, dtype=torch.float64).cpu() for g in generators]
    ).numpy()
    stepper = incremental(model, max_new_tokens)
    logits = stepper.start(embeddings, mask)
    active = list(range(count))
    for index in range(max_new_tokens):
        masks = np.stack([rows[row].allowed() for row in active]) if grammar else None
        tokens, scores = sample(logits, masks, draws[active, index], temperature, top_p)
        alive = []
        for place, row in enumerate(active):
            if not rows[row].take(int(tokens[place]), float(scores[place])):
                alive.append(place)
            else:
                finished(row, rows[row].result())
        if not alive:
            break
        active = [active[place] for place in alive]
        tokens = tokens[alive]
        if index + 1 == max_new_tokens:
            break
        if len(alive) < len(logits):
            stepper.keep(torch.tensor(alive, device=logits.device))
        logits = stepper.step(torch.from_numpy(tokens).to(logits.device))
    return [row.result() for row in rows]


def _guided(
    model: Any,
    rows: Sequence[GuidedRow],
    guide: Stepper,
    temperature: float,
    top_p: float,
    room: int,
    generators: Sequence[torch.Generator],
    embeddings: Tensor,
    mask: Tensor,
    finished: Callable[[int, GeneratedProgram], None],
) -> list[GeneratedProgram]:
    """Sampling with each complete statement run on probe states, all rows' statements in one exchange.

    `room`: tokens that may be sampled for a row.
    """
    draws = torch.stack(
        [torch.rand(room, generator=g, device=g.device, dtype=torch.float64).cpu() for g in generators]
    ).numpy()
    stepper = incremental(model, room)
    logits = stepper.start(embeddings, mask)
    for place, fresh in enumerate(rows):
        fresh.mark(logits[place])
    active = list(range(len(rows)))
    for step in range(room):
        allowed = [mask for mask in (rows[row].allowed() for row in active) if mask is not None]
        masks = np.stack(allowed) if allowed else None
        numbers = [rows[row].draws for row in active]
        tokens, scores = sample(logits, masks, draws[active, numbers], temperature, top_p)
        for place, row in enumerate(active):
            rows[row].take(int(tokens[place]), float(scores[place]), step)
        waiting = [row for row in active if rows[row].at_boundary or rows[row].drifts]
        asked = [row for row in waiting if rows[row].verdict is None and not rows[row].drifts]
        programs = [(rows[row].session, rows[row].source()) for row in asked]
        verdicts = {row: StepResult("ok" if rows[row].verdict else "syntax") for row in waiting}
        verdicts.update(zip(asked, guide.check(programs, {rows[row].session for row in asked if rows[row].whole})))
        back = {row: rows[row].judge(verdict, room - step - 1) for row, verdict in verdicts.items()}
        alive = [place for place, row in enumerate(active) if not rows[row].finished]
        for place in set(range(len(active))) - set(alive):
            guide.close(rows[active[place]].session)
            finished(active[place], rows[active[place]].result())
        if not alive or step + 1 == room:
            break
        if len(alive) < len(active):
            stepper.keep(torch.tensor(alive, device=logits.device))
        active, tokens = [active[place] for place in alive], tokens[alive]
        logits = stepper.step(torch.from_numpy(tokens).to(logits.device))
        for place, row in enumerate(active):
            forgotten = back.get(row)
            if forgotten is not None:
                # The token just read belongs to what was taken back; the row goes on from the last good statement.
                stepper.forget(place, [*forgotten, step])
                logits[place] = rows[row].resume()
            elif row in back:
                rows[row].mark(logits[place])
    for row in active:
        if not rows[row].finished:
            guide.close(rows[row].session)
    return [done.result() for done in rows]


def sample(
    logits: Tensor, masks: np.ndarray | None, draws: np.ndarray, temperature: float, top_p: float
) -> tuple[np.ndarray, np.ndarray]:
    """One token a row by nucleus sampling.

    Args: logits (B, V) float32; masks (B, V) bool or None; draws (B,) uniform in [0, 1).
    Returns: tokens (B,) int64 and their log-probabilities (B,) at temperature 1, masked, without the nucleus cut.
    """
    if masks is not None:
        logits = logits.masked_fill(~torch.from_numpy(masks).to(logits.device), -torch.inf)
    normaliser = torch.logsumexp(logits, dim=-1)
    if temperature == 0:
        best, tokens = logits.max(dim=-1)
        return tokens.cpu().numpy(), (best - normaliser).cpu().numpy()
    total = normaliser if temperature == 1 else torch.logsumexp(logits / temperature, dim=-1)
    few = min(_FEW, logits.shape[-1])
    while True:
        top, indices = logits.topk(few, dim=-1)
        mass = (top / temperature - total[:, None]).exp().double().cumsum(dim=-1).cpu().numpy()
        if few == logits.shape[-1] or bool((mass[:, -1] >= top_p).all()):
            break
        few = logits.shape[-1]
    size = np.minimum((mass < top_p).sum(axis=1), few - 1)
    everyone = np.arange(len(mass))
    targets = draws * mass[everyone, size]
    chosen = np.minimum((mass <= targets[:, None]).sum(axis=1), size)
    tokens = indices.cpu().numpy()[everyone, chosen]
    return tokens, top.cpu().numpy()[everyone, chosen] - normaliser.cpu().numpy()


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


class _GrammarRow:
    """A program being sampled under the grammar."""

    def __init__(self, tokenizer: Any, signature: Signature, limit: int) -> None:
        self._state = tokenizer.program_state(signature, limit)
        self._score = 0.0

    def allowed(self) -> np.ndarray:
        return self._state.allowed()

    def take(self, token: int, score: float) -> bool:
        """Append a token; True if the program is done (the end token is certain then and not sampled)."""
        self._state.advance(token)
        self._score += score
        if self._state.complete:
            self._state.advance(self._state.vocabulary.eos)
        return self._state.finished

    def result(self) -> GeneratedProgram:
        state = self._state
        source = state.source() if state.complete else state.partial_source()
        return GeneratedProgram(source, list(state.actions), self._score, state.finished)


class _TextRow:
    """Text being sampled token by token."""

    def __init__(self, tokenizer: Any, ends: frozenset[int], signature: Signature) -> None:
        self._tokenizer = tokenizer
        self._ends = ends
        self._signature = signature
        self._ids: list[int] = []
        self._score = 0.0

    def allowed(self) -> np.ndarray:
        raise TypeError("plain text has no mask")

    def take(self, token: int, score: float) -> bool:
        self._ids.append(token)
        self._score += score
        return token in self._ends

    def result(self) -> GeneratedProgram:
        finished = bool(self._ids) and self._ids[-1] in self._ends
        if isinstance(self._tokenizer, ProgramTokenizer):
            text, legal = self._tokenizer.decode_legal(self._ids, self._signature)
            return GeneratedProgram(text, list(self._ids), self._score, finished and legal)
        text = self._tokenizer.decode(self._ids, skip_special_tokens=True)
        return GeneratedProgram(text, list(self._ids), self._score, finished)


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
