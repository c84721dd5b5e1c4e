"""The named endpoints as tools of the Model Context Protocol: what the gate lets through to Gradio's server of it.

Gradio answers a tool's call by calling the endpoint over HTTP itself, so each passes the gate twice: once from its
visitor, once from this machine. The second time it has the visitor's name on it, and the visitor's limits hold.
"""

from __future__ import annotations

import hmac
import importlib.util
import os
import re
import secrets
from typing import Any

from ..errors import CallError
from ..opening.text import one_line

VARIABLE = "GRADIO_MCP_SERVER"
WRITTEN = re.compile(r"/gradio_api/mcp/?")
"""Each message is a POST of its own: there are no sessions, and no streams that wait for something to happen."""
READ = re.compile(r"/gradio_api/mcp/schema/?")

_METHODS = frozenset(
    [
        *("initialize", "ping", "notifications/initialized", "notifications/cancelled", "tools/list", "tools/call"),
        # There are none of these; clients ask nevertheless.
        *("resources/list", "resources/templates/list", "prompts/list"),
    ]
)
_HEADER = "x-lhs-visitor"


def wanted(given: bool | None) -> bool:
    """Whether tools are served: as given, else as the environment variable GRADIO_MCP_SERVER says.

    Raises `CallError` where they are wanted and the package mcp is missing.
    """
    chosen = os.environ.get(VARIABLE, "").lower() == "true" if given is None else given
    if chosen and importlib.util.find_spec("mcp") is None:
        raise CallError("serving tools needs the package mcp: pip install 'lhs-hf[mcp]'")
    return chosen


def checked(message: dict[str, Any]) -> dict[str, Any]:
    """A message of the protocol, without what this server has no use for.

    What values the arguments of a tool have is not looked at. Raises `CallError` for a method that there is not.
    """
    method, params = message.get("method"), message.get("params", {})
    if not isinstance(method, str) or method not in _METHODS:
        raise CallError(f"there is no method {one_line(method, 60)!r} here")
    if not isinstance(message.get("id"), (str, int, type(None))):
        raise CallError("id must be a text or a whole number")
    if not isinstance(params, dict):
        raise CallError("params must be an object")
    if method == "tools/call":
        arguments = params.get("arguments") or {}
        if not isinstance(params.get("name"), str) or not isinstance(arguments, dict):
            raise CallError("a tool is called with its name and an object of arguments")
    return {name: message[name] for name in ("jsonrpc", "id", "method", "params") if name in message}


class Passport:
    """Names the visitor of a tool's call in a header that nobody else can write."""

    def __init__(self) -> None:
        self._secret = secrets.token_hex(32)

    def stamp(self, headers: list[tuple[bytes, bytes]], visitor: str) -> list[tuple[bytes, bytes]]:
        """Raw headers with the visitor's name; what the visitor wrote in its place is gone."""
        kept = [(name, value) for name, value in headers if name.lower() != _HEADER.encode()]
        return [*kept, (_HEADER.encode(), f"{self._secret} {visitor}".encode())]

    def visitor(self, headers: dict[str, str]) -> str | None:
        """The visitor that was stamped into headers; None where that was not done here."""
        secret, _, visitor = headers.get(_HEADER, "").partition(" ")
        return visitor if hmac.compare_digest(secret.encode(), self._secret.encode()) else None
