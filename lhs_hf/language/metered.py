"""A language model with a budget: every call is one unit, whatever it is for, and is stored before it is used."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Sequence

import numpy as np

from ..decoding.budget import Budget
from .calls import Calls
from .model import MAX_TOKENS, LanguageModel, Message, Reply, Request


class Metered:
    """Asks a language model, call by call, and replays the calls that its store holds already.

    Args:
        model: what is asked.
        calls: where requests and replies are kept. Calls of an interrupted run are not made again, and count once.
        budget: calls that may be made, those of the interrupted run among them.
        seed: of the run; a call's seed follows from it and the call's number.
        temperature, top_p, max_tokens: of the sampling, unless a call says otherwise.

    `counts` has the calls by role, `tokens` what the replies were made of, `seconds` what they took.
    """

    def __init__(
        self,
        model: LanguageModel,
        calls: Calls,
        budget: Budget,
        seed: int = 0,
        *,
        temperature: float = 0.7,
        top_p: float = 0.9,
        max_tokens: int = MAX_TOKENS,
    ) -> None:
        self.model, self.calls, self.budget, self.seed = model, calls, budget, seed
        self.temperature, self.top_p, self.max_tokens = temperature, top_p, max_tokens
        self.counts: Counter[str] = Counter()
        self.tokens = 0
        self.seconds = 0.0

    def ask(self, messages: Sequence[Message], role: str, temperature: float | None = None) -> str:
        """The text of one reply. Raises `BudgetExhausted` before a call too many, `ModelError` without a reply."""
        return self.ask_many([messages], role, temperature)[0]

    def ask_many(self, chats: Sequence[Sequence[Message]], role: str, temperature: float | None = None) -> list[str]:
        """The texts of replies to several chats, which a model may answer side by side; each is a call."""
        first = self.budget.spent
        self.budget.take(len(chats))
        requests = [
            Request(
                tuple(messages),
                role,
                self._seed(first + place),
                self.temperature if temperature is None else temperature,
                self.top_p,
                self.max_tokens,
            )
            for place, messages in enumerate(chats)
        ]
        stored = [self.calls.begin(first + place, request) for place, request in enumerate(requests)]
        missing = [place for place, reply in enumerate(stored) if reply is None]
        if missing:
            made = dict(zip(missing, self.model.replies([requests[place] for place in missing])))
            self.calls.end({first + place: reply for place, reply in made.items()})
            stored = [made.get(place, reply) for place, reply in enumerate(stored)]
        replies = [reply for reply in stored if reply is not None]
        for reply in replies:
            self._count(role, reply)
        return [reply.text for reply in replies]

    def _seed(self, number: int) -> int:
        return int(np.random.default_rng([self.seed, zlib.crc32(b"language model"), number]).integers(2**31))

    def _count(self, role: str, reply: Reply) -> None:
        self.counts[role] += 1
        self.tokens += reply.tokens or 0
        self.budget.tokens += reply.tokens or 0
        self.seconds += reply.seconds
