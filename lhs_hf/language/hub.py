"""Language models behind the Hub's inference providers, or any address that speaks their protocol."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import CallError
from .local import LocalModel
from .model import LanguageModel, ModelError, Reply, Request

_RETRY_STATUS = frozenset({408, 409, 429, 500, 502, 503, 504})
_LONGEST_PAUSE_S = 60.0
LOCAL = "local:"
"""What stands before the name of a model that runs on this machine, whatever folders there are."""


class HubModel:
    """A model behind `huggingface_hub.InferenceClient`; its token is that of the Hub.

    Args:
        model: the name of a model on the Hub, or the URL of an endpoint.
        attempts: tries for one reply; the pauses double, and a server's `Retry-After` is obeyed up to a minute.
        pause_s: the first pause.
        timeout_s: seconds one try may take.
    """

    def __init__(self, model: str, *, attempts: int = 6, pause_s: float = 1.0, timeout_s: float = 120.0) -> None:
        from huggingface_hub import InferenceClient

        self.name = model
        self._attempts, self._pause_s = attempts, pause_s
        address = {"base_url": model} if model.startswith(("http://", "https://")) else {"model": model}
        self._client = InferenceClient(timeout=timeout_s, **address)

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply after the other, tried again after rate limits, overload and time-outs. Raises `ModelError`."""
        return [self._reply(request) for request in requests]

    def _reply(self, request: Request) -> Reply:
        pause = self._pause_s
        for attempt in range(1, self._attempts + 1):
            started = time.monotonic()
            try:
                answer = self._client.chat_completion(
                    [dict(message) for message in request.messages],
                    max_tokens=request.max_tokens,
                    temperature=request.temperature,
                    top_p=request.top_p,
                    seed=request.seed % 2**31,
                )
            except OSError as error:  # every error of the client is one
                response = getattr(error, "response", None)
                status = getattr(response, "status_code", None)
                if attempt == self._attempts or (status is not None and status not in _RETRY_STATUS):
                    # What a server says may repeat the token: the kind of the error and its status are enough.
                    said = f"{type(error).__name__}, status {status}" if status else type(error).__name__
                    raise ModelError(f"{self.name} does not answer ({said})") from None
                time.sleep(min(_LONGEST_PAUSE_S, _asked_pause(response) or pause))
                pause *= 2
                continue
            return Reply.of_completion(answer, time.monotonic() - started)
        raise AssertionError("unreachable")


def _asked_pause(response: Any) -> float | None:
    """Seconds of a `Retry-After` header, None without a usable one."""
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (AttributeError, KeyError, ValueError, TypeError):
        return None


def open_model(name: str) -> LanguageModel:
    """The model that a name stands for: a URL or a Hub model is asked remotely, `local:NAME` or a folder runs here.

    Raises `CallError` for an empty name, and for a folder without a model.
    """
    if not name:
        raise CallError("no model named; expected a URL, the name of a model on the Hub, local:NAME, or a folder")
    if name.startswith(LOCAL) or (not name.startswith(("http://", "https://")) and Path(name).is_dir()):
        return LocalModel(name.removeprefix(LOCAL))
    return HubModel(name)
