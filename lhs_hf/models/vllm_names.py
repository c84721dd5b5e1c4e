"""How a decoder that vLLM runs is named: vllm:ID, or vllm:ID+LORA with an adapter. Needs no libraries."""

from __future__ import annotations

from pathlib import Path

from ..errors import CallError

VLLM = "vllm:"


def is_served(decoder: object) -> bool:
    """Whether a decoder is named as one that vLLM runs."""
    return isinstance(decoder, str) and decoder.startswith(VLLM)


def check_place(decoder: object, url: str | None) -> None:
    """Raise `CallError` for the address of a server without a decoder that it could serve."""
    if url is not None and not is_served(decoder):
        raise CallError(
            f"--decoder-url is where vLLM serves a decoder: it goes with --decoder {VLLM}ID, got {decoder or 'no name'}"
        )


def split_adapter(decoder: str) -> tuple[str, str | None]:
    """ID and LORA of vllm:ID[+LORA]. A folder keeps the + in its name. Raises `CallError` where one is empty."""
    name = decoder.removeprefix(VLLM)
    base, lora = name, None
    if "+" in name and not Path(name).is_dir():
        base, _, lora = name.rpartition("+")
    if not base or lora == "":
        raise CallError(f"{decoder!r:.200} names no decoder; expected {VLLM}ID, or {VLLM}ID+LORA with an adapter")
    return base, lora
