"""Plain HTTP to a running Space, as somebody would send it who has read Gradio's source: no client library between."""

from __future__ import annotations

import json
import uuid
from typing import Any

import httpx

API = "/gradio_api"


class Visitor:
    """A client with a loopback address of its own (127.0.0.`number`), which is a visitor of its own."""

    def __init__(self, url: str, number: int = 1, seconds: float = 60.0) -> None:
        transport = httpx.HTTPTransport(local_address=f"127.0.0.{number}")
        self.http = httpx.Client(base_url=url, transport=transport, timeout=seconds, headers={"accept": "*/*"})
        self._events: dict[str, int] | None = None

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    @property
    def config(self) -> dict[str, Any]:
        """What the page is made of: `components` and `dependencies`."""
        return self.http.get("/config").json()

    def events(self) -> dict[str, int]:
        """The numbers of the named endpoints."""
        if self._events is None:
            self._events = {each["api_name"]: each["id"] for each in self.config["dependencies"] if each["api_name"]}
        return self._events

    def join(self, event: str | int, data: list[Any], session: str | None = None, **fields: Any) -> httpx.Response:
        """Send a call and do not wait for its answer."""
        number = self.events()[event] if isinstance(event, str) else event
        body = {"data": data, "fn_index": number, "session_hash": session or uuid.uuid4().hex, **fields}
        return self.http.post(
            f"{API}/queue/join", content=json.dumps(body), headers={"content-type": "application/json"}
        )

    def call(self, event: str | int, data: list[Any], **fields: Any) -> dict[str, Any]:
        """Send a call and read to its last message: `success` and `output`."""
        session = uuid.uuid4().hex
        answer = self.join(event, data, session, **fields)
        if answer.status_code != 200:
            return {"success": False, "status": answer.status_code, "output": {"error": answer.text}}
        with self.http.stream("GET", f"{API}/queue/data", params={"session_hash": session}) as stream:
            for line in stream.iter_lines():
                message = json.loads(line.removeprefix("data: ")) if line.startswith("data: ") else {}
                if message.get("msg") == "process_completed":
                    return message
        raise AssertionError(f"the call of {event} had no end")
