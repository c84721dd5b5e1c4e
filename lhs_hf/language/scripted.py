"""A language model that is a function, for tests and demonstrations."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .model import Reply, Request


class Script:
    """Answers what a function says to the number of the call, from 0, and its request.

    `requests` keeps all of them, in order.
    """

    def __init__(self, answer: Callable[[int, Request], str], name: str = "script") -> None:
        self.name = name
        self.requests: list[Request] = []
        self._answer = answer

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """What the function says, request after request."""
        answers = []
        for request in requests:
            self.requests.append(request)
            answers.append(Reply(self._answer(len(self.requests) - 1, request)))
        return answers
