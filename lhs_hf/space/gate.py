"""What stands before Gradio: requests that the page does not need, that are too large or too many, end here.

Gradio serves far more than this page uses: uploads, files, components' own functions, streams. A list says which of its
routes there are; the rest does not exist.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from ..errors import CallError
from . import mcp
from .access import Access
from .limits import VisitorLimits
from .memory import release_memory
from .presence import Presence

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_API = "/gradio_api"
_READ = re.compile(
    r"/|/(config|theme\.css|favicon\.ico|robots\.txt|manifest\.json|pwa_icon)/?|/(assets|static|svelte|pwa_icon)/.+|"
    rf"{_API}/(info|openapi\.json|app_id|user|login_check|token|startup-events|theme\.css|queue/status|queue/data)/?|"
    rf"{_API}/heartbeat/[\w-]+|{_API}/call/(v2/)?\w+/\w+|{_API}/file=.+"
)
_WRITTEN = re.compile(rf"{_API}/(queue/join|cancel|reset|call/(v2/)?\w+)/?")
_STREAM = re.compile(rf"{_API}/(queue/data|heartbeat/[\w-]+|call/(v2/)?\w+/\w+)/?")
_SESSION = re.compile(r"[\w-]{1,64}")
_FIELDS = {
    "queue/join": ("data", "session_hash", "fn_index", "trigger_id", "event_data"),
    "cancel": ("session_hash", "fn_index", "event_id"),
    "reset": ("event_id",),
    # Without a session of the client's own, the call's name is its session's.
    "call": ("data",),
}
# A refusal that costs nothing would be asked for again at once.
REFUSAL_S = 1.0
BODY_S = 20.0
SWEEP_S = 5.0


class Refused(Exception):
    """A request ends here, with a status of HTTP and one line."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status, self.message = status, message


class _Stalled(Exception):
    """A client accepts nothing any more."""


@dataclass
class _Use:
    """What one visitor has open, and how many requests are left for now."""

    left: dict[str, float] = field(default_factory=dict)
    at: dict[str, float] = field(default_factory=dict)
    requests: int = 0
    streams: int = 0
    last: float = 0.0


class Gate:
    """ASGI middleware: hosts and origins, routes, sizes, and each visitor's share.

    Args:
        app: what lies behind.
        forget: called with the name of a session whose answers nobody reads, and with whether nobody will come back to
            it either.
        tools: whether the named endpoints are tools of the Model Context Protocol, too.
    """

    def __init__(
        self,
        app: Callable[[Scope, Receive, Send], Awaitable[None]],
        access: Access,
        limits: VisitorLimits,
        presence: Presence,
        forget: Callable[[str, bool], Awaitable[None]],
        tools: bool = False,
    ) -> None:
        self.app, self.access, self.limits, self.presence, self._forget = app, access, limits, presence, forget
        self._passport = mcp.Passport() if tools else None
        self._uses: dict[str, _Use] = {}
        self._calls: Counter[str] = Counter()
        self._sweeper: asyncio.Task[None] | None = None
        presence.watch()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on with its visitor as the client's address."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # the server closes the connection: this page has no WebSockets
        self._sweeper = self._sweeper or asyncio.create_task(self._sweep())
        use: _Use | None = None
        try:
            headers = _headers(scope)
            visitor = self._visitor(scope, headers)
            use = self._uses.setdefault(visitor, _Use())
            use.requests, use.last = use.requests + 1, time.monotonic()
            if use.requests > self.limits.requests:
                raise Refused(429, f"more than {self.limits.requests} requests at once from your address")
            self._check_sender(scope, headers)
            self._check_route(scope, use)
            passed = {**scope, "client": (visitor, 0)}
            if scope["method"] == "POST":
                await self._write(passed, headers, visitor, receive, send)
            else:
                await self._read(passed, visitor, use, receive, send)
        except Refused as refusal:
            if refusal.status == 429 and use is not None and use.requests <= self.limits.requests:
                await asyncio.sleep(REFUSAL_S)
            await _answer(send, refusal)
        finally:
            if use is not None:
                use.requests -= 1

    # -- what is asked ---------------------------------------------------------------------------------------------

    def _visitor(self, scope: Scope, headers: dict[str, str]) -> str:
        stamped = self._passport.visitor(headers) if self._passport is not None else None
        if stamped is not None:
            return stamped
        peer = scope["client"][0] if scope.get("client") else "unknown"
        token = headers.get("x-hf-authorization") or headers.get("authorization")
        return self.access.visitor(peer, headers.get("x-forwarded-for"), token)

    def _check_sender(self, scope: Scope, headers: dict[str, str]) -> None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self.access.knows_host(host):
            raise Refused(421, "this server does not go by the name in Host; its owner can allow it with --allow-host")
        if origin is not None:
            if not self.access.knows_origin(origin, host):
                raise Refused(403, "pages of another origin may not use this server")
        elif headers.get("sec-fetch-site") == "cross-site" and scope["path"].startswith(_API):
            raise Refused(403, "pages of another site may not use this server")

    def _check_route(self, scope: Scope, use: _Use) -> None:
        method, path = scope["method"], scope["path"]
        routes = {"GET": _READ, "HEAD": _READ, "POST": _WRITTEN}.get(method)
        if not (routes is not None and routes.fullmatch(path)) and not self._is_of_tools(scope):
            if self._passport is not None and mcp.WRITTEN.fullmatch(path):
                raise Refused(405, "each message of the protocol is a POST of its own")
            raise Refused(404, "there is nothing of this name here")
        kind, burst, rate = (
            ("calls", self.limits.call_burst, self.limits.calls_per_s)
            if method == "POST"
            else ("reads", self.limits.read_burst, self.limits.reads_per_s)
        )
        now = time.monotonic()
        left = min(float(burst), use.left.get(kind, burst) + rate * (now - use.at.get(kind, now)))
        use.at[kind], use.left[kind] = now, max(0.0, left - 1.0)
        if left < 1.0:
            raise Refused(429, f"more than {rate:g} {kind} a second from your address; please wait a moment")

    def _is_of_tools(self, scope: Scope) -> bool:
        routes = {"GET": mcp.READ, "POST": mcp.WRITTEN}.get(scope["method"])
        return self._passport is not None and routes is not None and routes.fullmatch(scope["path"]) is not None

    # -- sending ---------------------------------------------------------------------------------------------------

    async def _write(self, scope: Scope, headers: dict[str, str], visitor: str, receive: Receive, send: Send) -> None:
        try:
            body = await asyncio.wait_for(self._body(headers, receive), BODY_S)
        except (asyncio.TimeoutError, TimeoutError):
            raise Refused(408, f"the request took longer than {BODY_S:.0f} s to arrive") from None
        tools = self._passport if self._is_of_tools(scope) else None
        fields = _checked(scope["path"], body, tools is not None)
        session = fields.get("session_hash")
        if session is not None:
            self.presence.heard(session, visitor)
        content = json.dumps(fields).encode()
        kept = [(name, value) for name, value in scope["headers"] if name not in (b"content-length", b"content-type")]
        kept += [(b"content-length", str(len(content)).encode()), (b"content-type", b"application/json")]
        kept = tools.stamp(kept, visitor) if tools is not None else kept
        sent = False

        async def replayed() -> Message:
            nonlocal sent
            if sent:
                return await receive()
            sent = True
            return {"type": "http.request", "body": content, "more_body": False}

        async def noted(message: Message) -> None:
            # The name of a call without a session is that of its session, and its client's first sign of life.
            if session is None and message["type"] == "http.response.body":
                found = re.search(rb'"event_id":\s*"(\w+)"', message.get("body", b""))
                if found:
                    self.presence.heard(found[1].decode(), visitor)
            await self._handed_over(send, message)

        calls = tools is not None and fields.get("method") == "tools/call"
        with suppress(_Stalled), self._calling(visitor) if calls else nullcontext():
            await self.app({**scope, "headers": kept}, replayed, noted)

    async def _body(self, headers: dict[str, str], receive: Receive) -> bytes:
        most = self.limits.body_bytes
        too_long = Refused(413, f"a request has at most {most} bytes")
        if not headers.get("content-length", "0").isdigit() or int(headers.get("content-length", "0")[:20]) > most:
            raise too_long
        parts, length, more = [], 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                raise Refused(400, "the request ended in the middle")
            parts.append(message.get("body", b""))
            length, more = length + len(parts[-1]), message.get("more_body", False)
            if length > most:
                raise too_long
        return b"".join(parts)

    # -- reading ---------------------------------------------------------------------------------------------------

    async def _read(self, scope: Scope, visitor: str, use: _Use, receive: Receive, send: Send) -> None:
        if not _STREAM.fullmatch(scope["path"]):
            await self.app(scope, receive, send)
            return
        if use.streams >= self.limits.streams:
            raise Refused(429, f"your address reads {use.streams} streams already")
        session = _session(scope)
        heartbeat = "/heartbeat/" in scope["path"]
        use.streams += 1
        if heartbeat:
            self.presence.page_opened(session, visitor)
        else:
            self.presence.opened(session, visitor)

        async def watched(message: Message) -> None:
            if not heartbeat:
                self.presence.sending(session)
            await self._handed_over(send, message)
            if not heartbeat:
                self.presence.accepted(session)

        try:
            await self.app(scope, receive, watched)
        except _Stalled:
            pass  # the connection is closed with the answer unfinished
        finally:
            use.streams -= 1
            if heartbeat:
                self.presence.page_closed(session)
            else:
                self.presence.closed(session)

    @contextmanager
    def _calling(self, visitor: str) -> Iterator[None]:
        """A tool's call, which keeps a thread until it is answered. Raises `Refused` above the limits."""
        if self._calls[visitor] >= self.limits.tools_each or self._calls.total() >= self.limits.tools:
            raise Refused(429, f"{self._calls[visitor]} calls of yours, {self._calls.total()} of all are under way")
        self._calls[visitor] += 1
        try:
            yield
        finally:
            self._calls[visitor] -= 1
            self._calls += Counter()  # drops those at zero

    async def _handed_over(self, send: Send, message: Message) -> None:
        """Send a piece of an answer. Raises `_Stalled` if nobody takes it."""
        try:
            await asyncio.wait_for(send(message), self.limits.unwatched_s)
        except (asyncio.TimeoutError, TimeoutError):
            raise _Stalled from None

    # -- forgetting ------------------------------------------------------------------------------------------------

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            unread = self.presence.empty(self.limits.unwatched_s)
            left = self.presence.forget(self.limits.keep_s, self.limits.sessions)
            for session in {*unread, *left}:
                await self._forget(session, session in left)
            now = time.monotonic()
            for visitor, use in list(self._uses.items()):
                if not use.requests and now - use.last > self.limits.keep_s:
                    del self._uses[visitor]
            if unread or left:
                await asyncio.to_thread(release_memory)

    def in_use(self) -> dict[str, int]:
        """How many requests each visitor has open."""
        return dict(Counter({visitor: use.requests for visitor, use in self._uses.items() if use.requests}))


def _headers(scope: Scope) -> dict[str, str]:
    """Headers by their small names. Raises `Refused` where one that decides anything is there twice."""
    headers: dict[str, str] = {}
    for raw, value in scope["headers"]:
        name = raw.decode("latin-1").lower()
        if name in headers and name in ("host", "origin", "content-length", "transfer-encoding"):
            raise Refused(400, f"{name} is there twice")
        # Proxies append a line of their own.
        text = value.decode("latin-1")
        headers[name] = f"{headers[name]}, {text}" if name in headers else text
    return headers


def _session(scope: Scope) -> str:
    """The session whose answers a stream gives. Raises `Refused` without one."""
    path = scope["path"].rstrip("/")
    if path.endswith("queue/data"):
        name = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("session_hash", [""])[0]
    else:
        name = path.rsplit("/", 1)[1]
    if not _SESSION.fullmatch(name):
        raise Refused(400, "session_hash must be 1 to 64 letters, digits, _ or -")
    return name


def _checked(path: str, body: bytes, tools: bool = False) -> dict[str, Any]:
    """The fields of a request that Gradio gets to see. Raises `Refused` for anything that this page would not send.

    Values are texts, numbers, yes and no, and nothing: no lists and no objects, of which Gradio would take some for
    files of the server or addresses to fetch. `tools`: it is a message of the Model Context Protocol.
    """
    try:
        sent = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "the request is no JSON") from None
    if not isinstance(sent, dict):
        raise Refused(400, "the request must be a JSON object")
    if tools:
        try:
            message = mcp.checked(sent)
        except CallError as problem:
            raise Refused(400, str(problem)) from None
        _refuse_nested((message.get("params", {}).get("arguments") or {}).values())
        return message
    route = path.removeprefix(_API).strip("/")
    if route.startswith("call/v2/"):
        _refuse_nested(sent.values())
        return sent
    fields = {name: sent[name] for name in _FIELDS["call" if route.startswith("call/") else route] if name in sent}
    if "data" in fields:
        if not isinstance(fields["data"], list):
            raise Refused(400, "data must be a list")
        _refuse_nested(fields["data"])
    # Gradio's page ends a call that has no name yet by this.
    if "event_id" in fields and fields["event_id"] is None:
        fields["event_id"] = "unnamed"
    for name in ("session_hash", "event_id"):
        if name in fields and not (isinstance(fields[name], str) and _SESSION.fullmatch(fields[name])):
            raise Refused(400, f"{name} must be 1 to 64 letters, digits, _ or -")
    if not isinstance(fields.get("event_data"), (dict, type(None))):
        raise Refused(400, "event_data must be an object")
    for name in ("fn_index", "trigger_id"):
        if not isinstance(fields.get(name), (int, type(None))):
            raise Refused(400, f"{name} must be a whole number")
    return fields


def _refuse_nested(values: Any) -> None:
    for value in values:
        if isinstance(value, (dict, list)):
            raise Refused(400, "values must be texts, numbers, true, false or null")
        if isinstance(value, str) and not _is_text(value):
            raise Refused(400, "texts must be Unicode without lone surrogates")


def _is_text(value: str) -> bool:
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


async def _answer(send: Send, refusal: Refused) -> None:
    body = json.dumps({"detail": refusal.message}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    # What of the request was not read must not be taken for the next one.
    headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
