"""Language models that write programs: any OpenAI-compatible endpoint, the Hub's inference providers, local weights."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from ..errors import CallError

_RETRY_STATUS = frozenset({408, 409, 429, 500, 502, 503, 504})
_LONGEST_PAUSE_S = 60.0


@dataclass(frozen=True)
class Reply:
    """What a model answered; `truncated` if it ran into the token limit."""

    text: str
    truncated: bool = False


class LLM(Protocol):
    """A language model: `name`, and `reply` to one user message."""

    name: str

    def reply(self, message: str, seed: int) -> Reply:
        """Answer a message. Raises `LLMError` when no answer is to be had."""


class LLMError(RuntimeError):
    """A language model that does not answer."""


class RemoteLLM:
    """A model behind `huggingface_hub.InferenceClient`.

    Args:
        model: the URL of an OpenAI-compatible endpoint, or the name of a model on the Hub.
        temperature, max_tokens: of the sampling.
        attempts: tries for one answer; the pauses double, and a server's `Retry-After` is obeyed up to a minute.
        pause_s: the first pause.
    """

    def __init__(
        self,
        model: str,
        temperature: float = 0.8,
        max_tokens: int = 1200,
        attempts: int = 6,
        pause_s: float = 1.0,
        timeout_s: float = 120.0,
    ) -> None:
        from huggingface_hub import InferenceClient

        self.name = model
        self._temperature, self._max_tokens, self._attempts, self._pause_s = temperature, max_tokens, attempts, pause_s
        address = {"base_url": model} if model.startswith(("http://", "https://")) else {"model": model}
        self._client = InferenceClient(timeout=timeout_s, **address)

    def reply(self, message: str, seed: int) -> Reply:
        """Answer a message, trying again after rate limits, overload and time-outs. Raises `LLMError`."""
        pause = self._pause_s
        for attempt in range(self._attempts):
            try:
                answer = self._client.chat_completion(
                    [{"role": "user", "content": message}],
                    max_tokens=self._max_tokens,
                    temperature=self._temperature,
                    seed=seed,
                )
            except OSError as error:  # every error of the client is one
                response = getattr(error, "response", None)
                status = getattr(response, "status_code", None)
                last = attempt == self._attempts - 1
                if last or (status is not None and status not in _RETRY_STATUS):
                    raise LLMError(f"{self.name} does not answer: {error}") from None
                time.sleep(min(_LONGEST_PAUSE_S, _asked_pause(response) or pause))
                pause *= 2
                continue
            choice = answer.choices[0]
            return Reply(choice.message.content or "", choice.finish_reason == "length")
        raise AssertionError("unreachable")


def _asked_pause(response: Any) -> float | None:
    """Seconds of a `Retry-After` header, None without a usable one."""
    try:
        return max(0.0, float(response.headers["Retry-After"]))
    except (AttributeError, KeyError, ValueError, TypeError):
        return None


class LocalLLM:
    """A causal language model of transformers, from a folder or the Hub's cache, with its own chat template."""

    def __init__(self, model: str, temperature: float = 0.8, max_tokens: int = 1200) -> None:
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.name = model
        self._temperature, self._max_tokens = temperature, max_tokens
        self._tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
        self._model = AutoModelForCausalLM.from_pretrained(model, use_safetensors=True, trust_remote_code=False)

    def reply(self, message: str, seed: int) -> Reply:
        """Answer a message."""
        import torch

        chat = [{"role": "user", "content": message}]
        if self._tokenizer.chat_template is not None:
            inputs = self._tokenizer.apply_chat_template(
                chat, add_generation_prompt=True, return_tensors="pt", return_dict=True
            )
        else:
            inputs = self._tokenizer(message, return_tensors="pt")
        length = inputs["input_ids"].shape[1]
        # `generate` draws from the global generator only: it is seeded here and left as it was.
        with torch.random.fork_rng(), torch.inference_mode():
            torch.manual_seed(seed)
            output = self._model.generate(
                **inputs, do_sample=True, temperature=self._temperature, max_new_tokens=self._max_tokens
            )
        fresh = output[0, length:]
        text = self._tokenizer.decode(fresh, skip_special_tokens=True)
        return Reply(text, len(fresh) >= self._max_tokens)


def open_llm(name: str, temperature: float = 0.8, max_tokens: int = 1200) -> LLM:
    """The model `name` stands for: a URL or a Hub model is asked remotely, `local:NAME` or a folder runs here.

    Raises `CallError` for an empty name.
    """
    if not name:
        raise CallError("no model named; expected a URL, the name of a model on the Hub, local:NAME, or a folder")
    if name.startswith("local:"):
        return LocalLLM(name.removeprefix("local:"), temperature, max_tokens)
    if not name.startswith(("http://", "https://")) and Path(name).is_dir():
        return LocalLLM(name, temperature, max_tokens)
    return RemoteLLM(name, temperature, max_tokens)
