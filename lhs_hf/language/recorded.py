"""A language model that says again what another one said."""

from __future__ import annotations

import json
from collections import defaultdict, deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import CallError
from ..opening.files import parse_json
from .calls import reply_from
from .model import ModelError, Reply, Request


class Transcript:
    """Replies from a file of `write_transcript`: each request gets what the equal one got, in the order of the file.

    Raises `CallError` for a file that is no transcript.
    """

    def __init__(self, path: Path | str) -> None:
        path = Path(path)
        self.name = path.name
        self._replies: dict[str, deque[Reply]] = defaultdict(deque)
        try:
            lines = path.read_text("utf-8").splitlines()
        except (OSError, UnicodeError) as problem:
            raise CallError(f"{path} is no transcript of a language model: {problem}") from None
        for number, line in enumerate(lines, 1):
            place = f"{path.name}, line {number}"
            data = parse_json(line, place)
            if not isinstance(data.get("request"), dict) or not isinstance(data.get("reply"), dict):
                raise CallError(f"{place} has no request with a reply")
            self._replies[_key(data["request"])].append(reply_from(json.dumps(data["reply"]), place))

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """What was recorded. Raises `ModelError` for a request that is not in the file (any more)."""
        return [self._next(request) for request in requests]

    def _next(self, request: Request) -> Reply:
        recorded = self._replies.get(_key(request.as_dict()))
        if not recorded:
            raise ModelError(f"{self.name} has no reply for this request of role {request.role!r}")
        return recorded.popleft()


def _key(request: dict[str, Any]) -> str:
    return json.dumps(request, sort_keys=True)
