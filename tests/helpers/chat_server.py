"""A server on this machine that answers chat completions as models and services do."""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

Answer = tuple[int, dict[str, str], object]


def reply(text: str, reason: str = "stop") -> Answer:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": reason}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice], "usage": usage}
    return 200, {}, body


BUSY = (429, {"Retry-After": "0.01"}, {"error": "too many requests"})
DOWN = (503, {}, {"error": "overloaded"})


class Server:
    """Answers chat completions from a list, the last answer for ever; keeps the requests."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []
        self.requests: list[dict] = []
        self.headers: list[dict[str, str]] = []
        self.models: Answer = (200, {}, {"object": "list", "data": []})
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                outer.requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                outer.headers.append({name.title(): value for name, value in self.headers.items()})
                answers = outer.answers
                status, headers, body = answers.pop(0) if len(answers) > 1 else answers[0]
                headers = dict(headers)
                time.sleep(float(headers.pop("Wait", 0)))
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                for name, value in {"Content-Type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self) -> None:
                status, _, body = outer.models
                data = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
