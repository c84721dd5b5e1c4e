"""Language models behind a server that speaks OpenAI's protocol."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from ..errors import CallError
from .connection import Connection
from .model import Reply, Request

KEY_VARIABLE = "OPENAI_API_KEY"
_MINUTE_S = 60.0


class ServerModel:
    """A model of a server, asked through the `openai` package (`pip install "lhs-hf[llm]"`).

    Rate limits, overload, lost connections and time-outs are tried again; the pauses double, and a server's
    `Retry-After` is obeyed. Nothing is streamed.

    Args:
        model: what the server calls it.
        base_url: the address of the server, for instance http://localhost:8000/v1; None is OpenAI's own.
        key_variable: the environment variable that holds the key. A server of one's own may need none.
        attempts: tries for one reply.
        timeout_s: seconds one try may take.
        per_minute: requests that are sent in any minute, at most; None for no limit.

    Raises `CallError` without the package, and without a key for OpenAI's own server.
    """

    def __init__(
        self,
        model: str,
        base_url: str | None = None,
        *,
        key_variable: str = KEY_VARIABLE,
        attempts: int = 6,
        timeout_s: float = 120.0,
        per_minute: int | None = None,
    ) -> None:
        if attempts < 1 or (per_minute is not None and per_minute < 1):
            raise CallError(f"attempts and per_minute are at least 1, got {attempts} and {per_minute}")
        self._connection = Connection(base_url, key_variable, attempts=attempts, timeout_s=timeout_s)
        if not self._connection.has_key and base_url is None:
            raise CallError(f"no key for {model}: set the environment variable {key_variable}, or give base_url")
        self.name = model
        self._per_minute = per_minute
        self._sent: deque[float] = deque()

    def check(self) -> None:
        """Raise `CallError` if no server is there, or if it refuses the key. Asks for no reply."""
        self._connection.models()

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply after the other. Raises `ModelError` when the tries are used up, or the server refuses."""
        return [self._reply(request) for request in requests]

    def _reply(self, request: Request) -> Reply:
        self._wait()
        started = time.monotonic()
        messages: Any = [dict(message) for message in request.messages]
        try:
            answer = self._connection.client.chat.completions.create(
                model=self.name,
                messages=messages,
                temperature=request.temperature,
                top_p=request.top_p,
                max_tokens=request.max_tokens,
                seed=request.seed % 2**31,
                stream=False,
            )
        except self._connection.errors.OpenAIError as error:
            raise self._connection.failure(self.name, error) from None
        return Reply.of_completion(answer, time.monotonic() - started)

    def _wait(self) -> None:
        """Until one more request may be sent."""
        if self._per_minute is None:
            return
        if len(self._sent) == self._per_minute:
            time.sleep(max(0.0, self._sent.popleft() + _MINUTE_S - time.monotonic()))
        self._sent.append(time.monotonic())
