"""vLLM in this process: its offline engine, which continues prompt embeddings."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..decoding.sampling import Sampling
from ..decoding.served import STOP, Continuation, Written
from ..errors import CallError
from ..language.model import ModelError
from ..opening.configs import checked_config
from ..opening.models import ADAPTER

CONTEXT = 8192
"""Tokens of prompt and reply that are made room for: the whole context of a large model needs tens of gigabytes."""

_QUIET = {
    # It would report each start to its makers.
    "VLLM_NO_USAGE_STATS": "1",
    # Standard output is for results.
    "VLLM_LOGGING_STREAM": "ext://sys.stderr",
    "VLLM_LOGGING_LEVEL": "WARNING",
}
_RANKS = (8, 16, 32, 64, 128, 256, 320, 512)


class VLLMEngine:
    """The engine of a model in a folder, on whatever device vLLM was built for (`decoding.served.Engine`).

    Args:
        folder: the model's.
        name: what messages call it.
        context: tokens that the model can read.
        lora: the folder of an adapter.
        options: further arguments of `vllm.LLM`.

    vLLM is told not to report its use and to log warnings only, to standard error, unless the environment says
    otherwise. Raises `CallError` without vLLM, and for a model that it can not load.
    """

    gives_ids = True

    def __init__(
        self, folder: Path, name: str, context: int | None = None, lora: Path | None = None, **options: Any
    ) -> None:
        for variable, value in _QUIET.items():
            os.environ.setdefault(variable, value)
        try:
            import vllm
        except ImportError as error:
            raise CallError(
                f'vllm:{name} needs the package vllm ({error}); install it with: pip install "lhs-hf[vllm]", or name a '
                "server with --decoder-url"
            ) from None
        self.name = f"vllm:{name}"
        self.context: int | None = min(CONTEXT, context or CONTEXT)
        self._vllm = vllm
        if lora is not None:
            options = {"enable_lora": True, **_room(lora), **options}
        try:
            self._engine = vllm.LLM(
                str(folder),
                enable_prompt_embeds=True,
                max_model_len=self.context,
                load_format="safetensors",
                trust_remote_code=False,
                **options,
            )
        except Exception as error:
            lines = str(error).strip().splitlines() or [type(error).__name__]
            raise CallError(f"vLLM can not load {name}: {lines[0][:300]}") from error
        self._lora = None
        if lora is not None:
            from vllm.lora.request import LoRARequest

            self._lora = LoRARequest(lora.name, 1, str(lora))

    def write(self, requests: Sequence[Continuation], sampling: Sampling, ends: Sequence[int]) -> list[Written]:
        """One reply a request, all in one batch. Raises `ModelError` when the engine ends."""
        parameters = [
            self._vllm.SamplingParams(
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                max_tokens=request.max_tokens,
                seed=request.seed,
                logprobs=0,
                stop=[STOP],
                stop_token_ids=list(ends),
                include_stop_str_in_output=True,
            )
            for request in requests
        ]
        prompts = [{"prompt_embeds": request.embeddings.detach().cpu()} for request in requests]
        try:
            answers = self._engine.generate(prompts, parameters, use_tqdm=False, lora_request=self._lora)
        except Exception as error:
            raise ModelError(f"{self.name} does not answer ({type(error).__name__})") from error
        return [_written(answer.outputs[0]) for answer in answers]


def _written(output: Any) -> Written:
    ids = list(output.token_ids)
    scores = [step[token].logprob for token, step in zip(ids, output.logprobs or [])]
    if output.finish_reason not in ("stop", "length"):
        raise ModelError(f"vLLM ended a reply for another reason than a stop or its length: {output.finish_reason!r}")
    at_token = output.finish_reason == "stop" and not isinstance(output.stop_reason, str)
    return Written(output.text, ids, scores, output.finish_reason, at_token)


def _room(lora: Path) -> dict[str, Any]:
    """What vLLM has to make room for, from the configuration of an adapter.

    Its modules are named because vLLM 0.32 adapts the embedding table too unless it is told which, and then ends on a
    batch of prompt embeddings.
    """
    config = checked_config(lora / ADAPTER)
    rank, modules = config.get("r"), config.get("target_modules")
    if not isinstance(rank, int) or not 1 <= rank <= _RANKS[-1] or not isinstance(modules, list):
        raise CallError(f"{lora} is no LoRA adapter of named modules with a rank of 1 to {_RANKS[-1]}")
    return {"max_lora_rank": next(each for each in _RANKS if each >= rank), "lora_target_modules": modules}
