"""The connection to a server that speaks OpenAI's protocol: its address, its key, and what its errors mean."""

from __future__ import annotations

import os
from typing import Any
from urllib.parse import urlsplit

from ..errors import CallError
from .model import ModelError

_CHECK_S = 10.0


class Connection:
    """A client of the `openai` package (`pip install "lhs-hf[llm]"`).

    Rate limits, overload, lost connections and time-outs are tried again; the pauses double, and a server's
    `Retry-After` is obeyed. The key is in no message.

    Args:
        base_url: the address of the server, for instance http://localhost:8000/v1; None is OpenAI's own.
        key_variable: the environment variable that holds the key. A server of one's own may need none.
        attempts: tries for one reply.
        timeout_s: seconds one try may take.

    Raises `CallError` without the package, for an address that is none or holds a password, and without a key for
    OpenAI's own server.
    """

    def __init__(self, base_url: str | None, key_variable: str, *, attempts: int, timeout_s: float) -> None:
        try:
            import openai
        except ImportError:
            raise CallError('a server needs the package openai; install it with: pip install "lhs-hf[llm]"') from None
        if base_url is not None:
            _check_address(base_url, key_variable)
        key = os.environ.get(key_variable)
        self.has_key, self.key_variable, self.errors = bool(key), key_variable, openai
        self.client = openai.OpenAI(
            api_key=key or "none", base_url=base_url, timeout=timeout_s, max_retries=attempts - 1
        )

    @property
    def address(self) -> str:
        """Where the server is."""
        return str(self.client.base_url).rstrip("/")

    def models(self) -> list[Any] | None:
        """What the server says it has; None if it does not say.

        Raises `CallError` if no server is there, or if it refuses the key.
        """
        try:
            return list(self.client.with_options(max_retries=0, timeout=_CHECK_S).models.list().data)
        except self.errors.APIConnectionError:
            raise CallError(f"no server answers at {self.address}") from None
        except (self.errors.AuthenticationError, self.errors.PermissionDeniedError):
            said = "refuses the key in" if self.has_key else "wants a key in the environment variable"
            raise CallError(f"{self.address} {said} {self.key_variable}") from None
        except (self.errors.OpenAIError, TypeError, ValueError):
            return None  # A server need not list its models.

    def failure(self, name: str, error: Exception) -> ModelError:
        """What to raise where a model gives no reply.

        What a server says may repeat the key: the kind of the error and its status are enough.
        """
        status = getattr(error, "status_code", None)
        said = f"{type(error).__name__}, status {status}" if status else type(error).__name__
        return ModelError(f"{name} does not answer ({said})")


def _check_address(base_url: str, key_variable: str) -> None:
    try:
        parts = urlsplit(base_url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        valid = False
    if not valid:
        raise CallError(f"{base_url!r:.200} is no address of a server; expected one such as http://localhost:8000/v1")
    if parts.username is not None or parts.password is not None:
        raise CallError(
            f"the address of {parts.hostname} holds a name or a password; leave it out, and put the key into the "
            f"environment variable {key_variable}"
        )
