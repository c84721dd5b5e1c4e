"""Language models behind a server that speaks OpenAI's protocol."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Sequence
from typing import Any

from ..errors import CallError
from .model import ModelError, Reply, Request

KEY_VARIABLE = "OPENAI_API_KEY"
_MINUTE_S = 60.0
_CHECK_S = 10.0


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
        try:
            import openai
        except ImportError:
            raise CallError('a server needs the package openai; install it with: pip install "lhs-hf[llm]"') from None
        if attempts < 1 or (per_minute is not None and per_minute < 1):
            raise CallError(f"attempts and per_minute are at least 1, got {attempts} and {per_minute}")
        key = os.environ.get(key_variable)
        if not key and base_url is None:
            raise CallError(f"no key for {model}: set the environment variable {key_variable}, or give base_url")
        self.name = model
        self._errors, self._key_variable, self._has_key = openai, key_variable, bool(key)
        self._per_minute = per_minute
        self._sent: deque[float] = deque()
        self._client = openai.OpenAI(
            api_key=key or "none", base_url=base_url, timeout=timeout_s, max_retries=attempts - 1
        )

    def check(self) -> None:
        """Raise `CallError` if no server is there, or if it refuses the key. Asks for no reply."""
        try:
            self._client.with_options(max_retries=0, timeout=_CHECK_S).models.list()
        except self._errors.APIConnectionError:
            raise CallError(f"no server answers at {self._client.base_url}") from None
        except (self._errors.AuthenticationError, self._errors.PermissionDeniedError):
            said = "refuses the key in" if self._has_key else "wants a key in the environment variable"
            raise CallError(f"{self._client.base_url} {said} {self._key_variable}") from None
        except self._errors.OpenAIError:
            return  # A server need not list its models.

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply after the other. Raises `ModelError` when the tries are used up, or the server refuses."""
        return [self._reply(request) for request in requests]

    def _reply(self, request: Request) -> Reply:
        self._wait()
        started = time.monotonic()
        messages: Any = [dict(message) for message in request.messages]
        try:
            answer = self._client.chat.completions.create(
                model=self.name,
                messages=messages,
                temperature=request.temperature,
                top_p=request.top_p,
                max_tokens=request.max_tokens,
                seed=request.seed % 2**31,
                stream=False,
            )
        except self._errors.OpenAIError as error:
            # What a server says may repeat the key: the kind of the error and its status are enough.
            status = getattr(error, "status_code", None)
            said = f"{type(error).__name__}, status {status}" if status else type(error).__name__
            raise ModelError(f"{self.name} does not answer ({said})") from None
        return Reply.of_completion(answer, time.monotonic() - started)

    def _wait(self) -> None:
        """Until one more request may be sent."""
        if self._per_minute is None:
            return
        if len(self._sent) == self._per_minute:
            time.sleep(max(0.0, self._sent.popleft() + _MINUTE_S - time.monotonic()))
        self._sent.append(time.monotonic())
