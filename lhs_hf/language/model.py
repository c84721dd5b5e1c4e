"""What every language model takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TypedDict

MAX_TOKENS = 2048
"""Tokens of a reply, unless told otherwise."""


class Message(TypedDict):
    """One message of a chat: `role` is "system", "user" or "assistant"."""

    role: str
    content: str


class ModelError(RuntimeError):
    """A language model that gives no reply, whatever is tried."""


@dataclass(frozen=True)
class Request:
    """One call of a language model.

    `role` says what the reply is for ("sample", "reflect", ...), in a method's own words; models do not see it. `seed`
    is for models that can be seeded.
    """

    messages: tuple[Message, ...]
    role: str
    seed: int
    temperature: float = 0.7
    top_p: float = 0.9
    max_tokens: int = MAX_TOKENS

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self) | {"messages": [dict(message) for message in self.messages]}


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    `truncated`: it ran into the token limit. `prompt_tokens` and `tokens` are what was read and written, None where a
    model does not say; `seconds` is how long it took.
    """

    text: str
    truncated: bool = False
    prompt_tokens: int | None = None
    tokens: int | None = None
    seconds: float = 0.0

    @classmethod
    def of_completion(cls, completion: Any, seconds: float) -> Reply:
        """From a chat completion as OpenAI's protocol has it; one without a choice is an empty reply."""
        usage = completion.usage
        read, written = (usage.prompt_tokens, usage.completion_tokens) if usage else (None, None)
        if not completion.choices:
            return cls("", False, read, written, seconds)
        choice = completion.choices[0]
        return cls(choice.message.content or "", choice.finish_reason == "length", read, written, seconds)

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


class LanguageModel(Protocol):
    """A language model: its name, and its replies to requests that may be answered side by side."""

    name: str

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """One reply a request, in their order. Raises `ModelError` when one is not to be had."""
