"""A vLLM server that continues prompt embeddings, through its completions API."""

from __future__ import annotations

import base64
import io
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import Any, TypeVar

import torch
from torch import Tensor

from ..decoding.sampling import Sampling
from ..decoding.served import STOP, Continuation, Written
from ..errors import CallError
from ..language.connection import Connection
from ..language.model import ModelError

KEY_VARIABLE = "VLLM_API_KEY"
"""The environment variable that holds the server's key, as `vllm serve` itself reads it."""

Argument = TypeVar("Argument")
Result = TypeVar("Result")

_SIDE_BY_SIDE = 64
_PROBE = Sampling(temperature=0.0, top_p=1.0, max_new_tokens=1)


class VLLMServer:
    """Sends embeddings to a server and reads tokens (`decoding.served.Engine`).

    One request a row, with a seed of its own, many at a time: the server batches them. What fails for the moment (too
    many requests, overload, lost connections, time-outs, replies that are cut off) is asked again.

    Args:
        model: what the decoder is called: the server must have it under this name or in this folder.
        address: for instance http://localhost:8000/v1.
        lora: name that the server has for an adapter of the model.
        attempts: tries for one reply; `timeout_s`: seconds one try may take.

    Raises `CallError` for a server that is not there, wants another key, or serves something else.
    """

    def __init__(
        self, model: str, address: str, lora: str | None = None, *, attempts: int = 6, timeout_s: float = 600.0
    ) -> None:
        self._connection = Connection(address, KEY_VARIABLE, attempts=attempts, timeout_s=timeout_s)
        self._attempts = attempts
        self.name = f"the server at {self._connection.address}"
        self.context: int | None = None
        self.gives_ids = True
        self._model = self._served(model, lora)

    def _served(self, model: str, lora: str | None) -> str:
        """What to ask for: the server's name of the model, or of its adapter."""
        cards = self._connection.models()
        if cards is None:
            return lora or model
        names = [card.id for card in cards]
        base = next((card for card in cards if model in (card.id, getattr(card, "root", None))), None)
        if base is None:
            raise CallError(f"{self.name} serves {', '.join(names) or 'nothing'}, not {model}")
        self.context = getattr(base, "max_model_len", None)
        if lora is not None and lora not in names:
            raise CallError(f"{self.name} serves {', '.join(names)}, not {lora}, the adapter of {model}")
        return lora or str(base.id)

    def check(self, embedding: torch.nn.Embedding) -> None:
        """Have one token written behind the embeddings of a few, no program and no call of any budget.

        Raises `CallError` for a server that takes no embeddings, or takes them in another width.
        """
        few = embedding.weight[:3].detach()
        width = few.shape[1]
        try:
            answer = self._create(Continuation(few, 0, 1), _PROBE, ())
        except self._connection.errors.APIStatusError as error:
            said = str(error)
            if "enable-prompt-embeds" in said or "enable_prompt_embeds" in said:
                raise CallError(
                    f"{self.name} takes no prompt embeddings; start it with --enable-prompt-embeds"
                ) from None
            if "hidden_size" in said or "hidden size" in said:
                raise CallError(
                    f"{self.name} serves a model of another width than the decoder here, which embeds tokens in "
                    f"{width} numbers; serve the same model"
                ) from None
            raise CallError(f"{self.name} refuses prompt embeddings ({_kind(error)})") from None
        except (self._connection.errors.OpenAIError, ModelError) as error:
            raise CallError(f"{self.name} gives no reply to prompt embeddings ({_kind(error)})") from None
        read = getattr(getattr(answer, "usage", None), "prompt_tokens", None)
        if read is not None and read != len(few):
            raise CallError(
                f"{self.name} takes no prompt embeddings: it reads {read} tokens where {len(few)} were sent; expected "
                "vLLM with --enable-prompt-embeds"
            )
        self.gives_ids = getattr(answer.choices[0], "token_ids", None) is not None

    def write(self, requests: Sequence[Continuation], sampling: Sampling, ends: Sequence[int]) -> list[Written]:
        """One reply a request. Raises `ModelError` when the tries are used up, or the server refuses."""
        return side_by_side(lambda request: self._written(request, sampling, ends), requests)

    def _written(self, request: Continuation, sampling: Sampling, ends: Sequence[int]) -> Written:
        try:
            choice = self._create(request, sampling, ends).choices[0]
        except self._connection.errors.OpenAIError as error:
            raise self._connection.failure(self.name, error) from None
        reason = choice.finish_reason
        if reason not in ("stop", "length"):
            raise ModelError(f"{self.name} ended a reply for another reason than a stop or its length: {reason!r:.40}")
        scores = getattr(getattr(choice, "logprobs", None), "token_logprobs", None)
        ids = getattr(choice, "token_ids", None)
        at_token = reason == "stop" and not isinstance(getattr(choice, "stop_reason", None), str)
        return Written(choice.text or "", ids, scores, reason, at_token)

    def _create(self, request: Continuation, sampling: Sampling, ends: Sequence[int]) -> Any:
        """The server's completion, with a choice in it. Raises the errors of `openai`, and `ModelError`."""
        for _ in range(self._attempts):
            try:
                answer = self._connection.client.completions.create(
                    model=self._model,
                    # An empty text would be a second prompt.
                    prompt=None,
                    max_tokens=request.max_tokens,
                    temperature=sampling.temperature,
                    top_p=sampling.top_p,
                    seed=request.seed,
                    logprobs=0,
                    stop=[STOP],
                    stream=False,
                    extra_body={
                        "prompt_embeds": encoded(request.embeddings),
                        # What a server takes from the model's generation_config.json unless it is told.
                        **{"top_k": -1, "min_p": 0.0, "repetition_penalty": 1.0},
                        "stop_token_ids": list(ends),
                        "include_stop_str_in_output": True,
                        "return_token_ids": True,
                    },
                )
            except ValueError:  # a body that is no JSON
                continue
            if getattr(answer, "choices", None):
                return answer
        raise ModelError(f"{self.name} does not answer (no completion in {self._attempts} replies)")


def side_by_side(function: Callable[[Argument], Result], arguments: Sequence[Argument]) -> list[Result]:
    """What a function gives for each of several arguments, called in up to `_SIDE_BY_SIDE` threads.

    Raises what one of the calls raises; no further call is begun then. The threads are no reason for a process to stay:
    whoever interrupts does not wait for replies that nobody reads.
    """
    futures: list[Future[Result]] = [Future() for _ in arguments]
    waiting = deque(zip(futures, arguments))

    def work() -> None:
        while waiting:
            try:
                future, argument = waiting.popleft()
            except IndexError:  # another thread was quicker
                return
            try:
                future.set_result(function(argument))
            except BaseException as error:
                future.set_exception(error)

    for _ in range(min(len(arguments), _SIDE_BY_SIDE)):
        threading.Thread(target=work, daemon=True).start()
    try:
        return [future.result() for future in futures]
    finally:
        waiting.clear()


def encoded(embeddings: Tensor) -> str:
    """Embeddings (T, e) as vLLM reads them: base64 of what `torch.save` writes of them, on the processor."""
    buffer = io.BytesIO()
    # A view would take all that it is a view of along.
    torch.save(embeddings.detach().cpu().contiguous().clone(), buffer)
    return base64.b64encode(buffer.getvalue()).decode("ascii")


def _kind(error: Exception) -> str:
    status = getattr(error, "status_code", None)
    return f"{type(error).__name__}, status {status}" if status else type(error).__name__
