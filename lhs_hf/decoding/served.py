"""A decoder whose layers run elsewhere: its embedding table is here, prompts go as embeddings, tokens come back."""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import torch
from torch import Tensor

from ..errors import CallError
from ..language.model import ModelError
from .rows import Row, end_ids
from .sampling import Sampling

STOP = "\n```\n"
"""What whoever samples ends a reply at: the end of a code block.

That it may also be the beginning of one that names no language does no harm, a row that is not finished goes on.
"""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Continuation:
    """What is asked for: at most `max_tokens` tokens behind `embeddings` (T, e), sampled with a seed of its own."""

    embeddings: Tensor
    seed: int
    max_tokens: int


@dataclass(frozen=True)
class Written:
    """What was sampled: `text`, and `token_ids` with their log-probabilities at temperature 1, None if not known.

    `reason`: "length" at the limit of tokens, else "stop"; `at_token` says that an end token stopped it, and no text.
    """

    text: str
    token_ids: list[int] | None
    scores: list[float] | None
    reason: str
    at_token: bool = False


class Engine(Protocol):
    """Who runs the layers. `context`: tokens of prompt and reply together, None if not known.

    `gives_ids`: replies come with their token ids, so that a statement can be taken back and written again.
    """

    name: str
    context: int | None
    gives_ids: bool

    def write(self, requests: Sequence[Continuation], sampling: Sampling, ends: Sequence[int]) -> list[Written]:
        """One reply a request, up to `STOP` or one of the tokens `ends`. Raises `ModelError` when one is not given."""


class ServedModel:
    """Stands where a causal language model of `transformers` does, for programs written as text.

    Args:
        engine: who runs the layers.
        embedding: its table of token embeddings.
        tokenizer: its tokenizer.
        config: its configuration.
        generation_config: its `GenerationConfig`, which may name end tokens; None if it has none.
    """

    def __init__(
        self, engine: Engine, embedding: torch.nn.Embedding, tokenizer: Any, config: Any, generation_config: Any = None
    ) -> None:
        self.engine, self.tokenizer = engine, tokenizer
        self.config, self.generation_config = config, generation_config
        self.ends = end_ids(tokenizer, generation_config)
        self._embedding = embedding

    @property
    def device(self) -> torch.device:
        """Where the embeddings lie."""
        return self._embedding.weight.device

    @property
    def dtype(self) -> torch.dtype:
        """Of the embeddings."""
        return self._embedding.weight.dtype

    @property
    def guidable(self) -> bool:
        """Whether statements can be taken back; says so once where they can not."""
        if not self.engine.gives_ids:
            _log.warning("%s gives no token ids: programs are written whole, without guidance", self.engine.name)
        return self.engine.gives_ids

    def eval(self) -> ServedModel:
        """As it is: nothing here is trained."""
        return self

    def get_input_embeddings(self) -> torch.nn.Embedding:
        """The table of token embeddings, (vocabulary, e)."""
        return self._embedding


class ServedTokens:
    """Tokens that an engine samples, whole replies at a time (`token_source.TokenSource`).

    A row that takes a statement back asks for another end of its reply, with the next seed of its generator; what was
    sampled behind that statement is not read. So what a row gets has the odds of statement by statement, in few
    requests.

    Args:
        prefixes: what the rows stand behind, left-padded (B, T, e), and the mask (B, T) int64.
        generators: one a row, which its seeds come from.

    Raises `CallError` for prompts that leave less room than `sampling.max_new_tokens` in the context.
    """

    def __init__(
        self,
        model: ServedModel,
        prefixes: tuple[Tensor, Tensor],
        generators: Sequence[torch.Generator],
        sampling: Sampling,
    ) -> None:
        self._model, self._generators, self._sampling = model, generators, sampling
        self._prefixes = [embeddings[mask.bool()] for embeddings, mask in zip(*prefixes)]
        self._active = list(range(len(self._prefixes)))
        self._replies: list[deque[tuple[int, float]]] = [deque() for _ in self._prefixes]
        # What each row has read, with the step that it read it in.
        self._read: list[list[tuple[int, int]]] = [[] for _ in self._prefixes]
        self._dropped = [0] * len(self._prefixes)
        self._step = 0
        self.logits = torch.empty(len(self._prefixes), 0)
        needed = max(map(len, self._prefixes)) + sampling.max_new_tokens
        if model.engine.context is not None and needed > model.engine.context:
            raise CallError(
                f"{model.engine.name} reads {model.engine.context} tokens; a prompt and {sampling.max_new_tokens} new "
                f"tokens need {needed}: serve it with a longer context, or lower max_new_tokens"
            )

    def draw(self, numbers: Sequence[int], rows: Sequence[Row]) -> tuple[np.ndarray, np.ndarray]:
        """The next tokens of the replies; rows whose reply is used up ask for more, side by side."""
        empty = [number for number in numbers if not self._replies[number]]
        if empty:
            requests = [self._request(number) for number in empty]
            replies = self._model.engine.write(requests, self._sampling, sorted(self._model.ends))
            for number, request, reply in zip(empty, requests, replies):
                self._replies[number].extend(self._tokens(reply, request))
        drawn = [self._replies[number].popleft() for number in numbers]
        return np.array([token for token, _ in drawn], dtype=np.int64), np.array([score for _, score in drawn])

    def _request(self, number: int) -> Continuation:
        ids = torch.tensor([token for _, token in self._read[number]], dtype=torch.int64, device=self._model.device)
        embeddings = torch.cat([self._prefixes[number], self._model.get_input_embeddings()(ids)])
        generator = self._generators[number]
        seed = int(torch.randint(2**31 - 1, (), generator=generator, device=generator.device))
        return Continuation(embeddings, seed, self._sampling.max_new_tokens - len(ids))

    def _tokens(self, reply: Written, request: Continuation) -> list[tuple[int, float]]:
        ids = reply.token_ids
        if ids is None:
            ids = list(self._model.tokenizer(reply.text, add_special_tokens=False).input_ids)
        scores = reply.scores if reply.scores is not None and len(reply.scores) == len(ids) else [math.nan] * len(ids)
        tokens = list(zip(ids, scores))
        if reply.at_token and self._model.ends and (not ids or ids[-1] not in self._model.ends):
            tokens.append((min(self._model.ends), 0.0))
        cut = reply.reason == "length" and reply.token_ids is not None and len(ids) < request.max_tokens
        if cut or not tokens:
            name = self._model.engine.name
            raise ModelError(f"{name} gave {len(ids)} of {request.max_tokens} tokens and ended there")
        return tokens

    def go_on(self, places: Sequence[int], tokens: np.ndarray) -> None:
        """Note what each row has read."""
        self._active = [self._active[place] for place in places]
        self.logits = self.logits[: len(places)]
        for number, token in zip(self._active, tokens):
            self._read[number].append((self._step, int(token)))
        self._step += 1

    def forget(self, place: int, steps: Sequence[int]) -> None:
        """Take back what a row has read, and drop what follows it in its reply."""
        number, gone = self._active[place], set(steps)
        self._read[number] = [(step, token) for step, token in self._read[number] if step not in gone]
        self._dropped[number] += len(self._replies[number])
        self._replies[number].clear()

    def unread(self, number: int) -> int:
        """Tokens that were sampled behind a statement that was taken back, or behind the end of the program."""
        return self._dropped[number] + len(self._replies[number])
