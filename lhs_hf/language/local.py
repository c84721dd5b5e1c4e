"""Language models of `transformers` on this machine."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from .model import Reply, Request

DEFAULT_MODEL = "Qwen/Qwen3-4B-Instruct-2507"
"""The paper's model."""


class LocalModel:
    """A causal language model, in its own chat template; a model without one reads the messages as plain text.

    Requests of equal temperature and length are sampled as one batch. A reply follows from the requests of its batch
    and the seed of the first.

    Args:
        model: a name on the Hub, a folder, or a model of `transformers`.
        tokenizer: that of a model which is given as an object.
        device: where it runs; None takes an accelerator if there is one.
        batch: requests that are answered at once, at most.
    """

    def __init__(
        self, model: Any = DEFAULT_MODEL, tokenizer: Any = None, *, device: str | None = None, batch: int = 8
    ) -> None:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.name = model if isinstance(model, str) else str(getattr(model, "name_or_path", "") or "local")
        if isinstance(model, str):
            tokenizer = AutoTokenizer.from_pretrained(model, trust_remote_code=False)
            model = AutoModelForCausalLM.from_pretrained(
                model, use_safetensors=True, trust_remote_code=False, dtype="auto"
            )
        device = device or ("cuda" if torch.cuda.is_available() else "cpu")
        self._model, self._tokenizer, self._batch = model.to(device).eval(), tokenizer, batch

    def replies(self, requests: Sequence[Request]) -> list[Reply]:
        """Sampled replies, batch after batch."""
        found: list[Reply] = []
        while len(found) < len(requests):
            first = requests[len(found)]
            alike = 1
            for other in requests[len(found) + 1 : len(found) + self._batch]:
                if _settings(other) != _settings(first):
                    break
                alike += 1
            found += self._sampled(requests[len(found) : len(found) + alike])
        return found

    def _sampled(self, requests: Sequence[Request]) -> list[Reply]:
        import torch

        started = time.monotonic()
        tokenizer, first = self._tokenizer, requests[0]
        ids = [torch.tensor(self._ids(request)) for request in requests]
        longest = max(map(len, ids))
        pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id
        padded = torch.stack([torch.nn.functional.pad(each, (longest - len(each), 0), value=pad) for each in ids])
        mask = torch.stack([(torch.arange(longest) >= longest - len(each)).long() for each in ids])
        sampled = {"do_sample": True, "temperature": first.temperature, "top_p": first.top_p}
        options: dict[str, Any] = sampled if first.temperature > 0 else {"do_sample": False}
        # `generate` draws from the global generators only: they are seeded here and left as they were.
        devices = [self._model.device] if self._model.device.type == "cuda" else []
        with torch.random.fork_rng(devices), torch.inference_mode():
            torch.manual_seed(first.seed % 2**63)
            output = self._model.generate(
                input_ids=padded.to(self._model.device),
                attention_mask=mask.to(self._model.device),
                max_new_tokens=first.max_tokens,
                pad_token_id=pad,
                **options,
            )
        seconds = (time.monotonic() - started) / len(requests)
        replies = []
        for own, row in zip(ids, output.cpu()):
            fresh = row[longest:]
            written = int((fresh != pad).sum())
            text = tokenizer.decode(fresh, skip_special_tokens=True)
            replies.append(Reply(text, written >= first.max_tokens, len(own), written, seconds))
        return replies

    def _ids(self, request: Request) -> list[int]:
        messages = [dict(message) for message in request.messages]
        if getattr(self._tokenizer, "chat_template", None) is None:
            text = "\n\n".join(message["content"] for message in request.messages) + "\n"
            return list(self._tokenizer(text).input_ids)
        chat = self._tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=True)
        return list(self._tokenizer(chat, add_special_tokens=False).input_ids)


def _settings(request: Request) -> tuple[float, float, int]:
    return request.temperature, request.top_p, request.max_tokens
