"""A server on this machine that continues prompt embeddings as vLLM 0.32 does, with a model of `transformers`.

Answers and errors are those that vLLM gave to the same requests; what it does not check is not checked here.
"""

from __future__ import annotations

import base64
import binascii
import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import torch

Fault = tuple[int, dict[str, str], bytes]


class Refused(Exception):
    """An answer other than 200."""

    def __init__(self, status: int, message: str, kind: str = "BadRequestError", parameter: str | None = None) -> None:
        error = {"message": message, "type": kind, "param": parameter, "code": status}
        super().__init__(status, json.dumps({"error": error}).encode())


BUSY: Fault = (429, {"Retry-After": "0.01"}, b'{"error": "too many requests"}')
DOWN: Fault = (500, {"Retry-After": "0.01"}, b'{"error": "internal"}')


def body(**choice: Any) -> bytes:
    """A completion with one choice."""
    whole = {"index": 0, "text": "", "finish_reason": "stop", "stop_reason": None, "token_ids": [0], **choice}
    return json.dumps({"id": "x", "object": "text_completion", "created": 0, "model": "m", "choices": [whole]}).encode()


@dataclass
class EmbedsServer:
    """Answers `/v1/models` and `/v1/completions`, the faults first. Keeps requests and headers.

    `embeds`: takes prompt embeddings at all. `ids`: gives token ids. `adapters`: names besides that of the model.
    `key`: what has to be in the header.
    """

    model: Any
    tokenizer: Any
    name: str
    embeds: bool = True
    ids: bool = True
    adapters: tuple[str, ...] = ()
    key: str | None = None
    context: int = 512
    faults: list[Fault] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers["Content-Length"]))
                outer.headers.append({name.title(): value for name, value in self.headers.items()})
                self._answer(*outer.post(self.path, json.loads(content), self.headers))

            def do_GET(self) -> None:
                self._answer(*outer.get(self.path, self.headers))

            def _answer(self, status: int, headers: dict[str, str], content: bytes) -> None:
                self.send_response(status)
                whole = {"Content-Type": "application/json", "Content-Length": str(len(content)), **headers}
                for name, value in whole.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)
                self.close_connection = int(whole["Content-Length"]) != len(content)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Answer no request as long as this is open."""
        with self._lock:
            yield

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def get(self, path: str, headers: Any) -> Fault:
        if self._locked(headers):
            return 401, {}, b'{"error": "Unauthorized"}'
        if path != "/v1/models":
            return 404, {}, b'{"detail": "Not Found"}'
        cards = [{"id": self.name, "object": "model", "root": self.name, "parent": None, "max_model_len": self.context}]
        cards += [{"id": name, "object": "model", "root": "/adapters", "parent": self.name} for name in self.adapters]
        return 200, {}, json.dumps({"object": "list", "data": cards}).encode()

    def _locked(self, headers: Any) -> bool:
        return self.key is not None and headers.get("Authorization") != f"Bearer {self.key}"

    def post(self, path: str, request: dict[str, Any], headers: Any) -> Fault:
        if self._locked(headers):
            return 401, {}, b'{"error": "Unauthorized"}'
        with self._lock:
            self.requests.append(request)
            if self.faults:
                return self.faults.pop(0)
            try:
                return 200, {}, json.dumps(self._completion(request)).encode()
            except Refused as refused:
                status, content = refused.args
                return status, {}, content

    def _embeddings(self, request: dict[str, Any]) -> torch.Tensor:
        if not self.embeds:
            raise Refused(400, "You must set `--enable-prompt-embeds` to input `prompt_embeds`.")
        if request["prompt"] is not None:
            raise Refused(400, "The decoder prompt cannot be empty")
        try:
            content = base64.b64decode(request["prompt_embeds"], validate=True)
        except binascii.Error as error:
            raise Refused(400, str(error)) from None
        embeddings = torch.load(io.BytesIO(content), weights_only=True)
        width = self.model.config.hidden_size
        if embeddings.shape[1] != width:
            message = (
                f"`prompt_embeds` hidden_size {embeddings.shape[1]} does not match the model's hidden_size {width}."
            )
            raise Refused(400, f"{message} (parameter=prompt_embeds)", parameter="prompt_embeds")
        return embeddings.to(self.model.dtype)

    @torch.inference_mode()
    def _completion(self, request: dict[str, Any]) -> dict[str, Any]:
        if request["model"] not in (self.name, *self.adapters):
            message = f"The model `{request['model']}` does not exist. Valid aliases: {self.name}."
            raise Refused(404, message, "NotFoundError", "model")
        embeddings = self._embeddings(request)
        if not 0 <= request["temperature"] <= 2:
            raise Refused(400, f"temperature must be in [0, 2], got {request['temperature']}.")
        generator = torch.Generator().manual_seed(request["seed"])
        ids: list[int] = []
        scores: list[float] = []
        reason, stopped_at, text = "length", None, ""
        output = self.model(inputs_embeds=embeddings[None], use_cache=True)
        while len(ids) < min(request["max_tokens"], self.context - len(embeddings)):
            logits = output.logits[0, -1].float()
            token = _token(logits, request["temperature"], request["top_p"], generator)
            ids.append(token)
            scores.append(float(logits.log_softmax(-1)[token]))
            if token == self.tokenizer.eos_token_id or token in request["stop_token_ids"]:
                reason = "stop"
                break
            text = self.tokenizer.decode(ids, skip_special_tokens=True)
            stopped_at = next((stop for stop in request["stop"] if stop in text), None)
            if stopped_at is not None:
                reason = "stop"
                break
            output = self.model(
                input_ids=torch.tensor([[token]]), past_key_values=output.past_key_values, use_cache=True
            )
        choice = {
            "index": 0,
            "text": text,
            "logprobs": {"token_logprobs": scores, "tokens": [], "text_offset": [], "top_logprobs": []},
            "finish_reason": reason,
            "stop_reason": stopped_at,
            "token_ids": ids if self.ids and request["return_token_ids"] else None,
        }
        usage = {"prompt_tokens": len(embeddings), "completion_tokens": len(ids), "total_tokens": 0}
        head = {"id": "cmpl-1", "object": "text_completion", "created": 0, "model": request["model"]}
        return {**head, "choices": [choice], "usage": usage}


def _token(logits: torch.Tensor, temperature: float, top_p: float, generator: torch.Generator) -> int:
    if temperature == 0:
        return int(logits.argmax())
    ordered, indices = (logits / temperature).softmax(-1).sort(descending=True)
    kept = ordered * (ordered.cumsum(-1) - ordered < top_p)
    return int(indices[torch.multinomial(kept, 1, generator=generator)])
