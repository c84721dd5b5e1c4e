"""Programs as an encoder reads them: their tokens, their behaviour, and the latents z = E(p)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from .encoder import ProgramEncoderModule

if TYPE_CHECKING:
    from ..evaluation import Evaluator
    from ..tasks.base import Task


def encode_programs(
    encoder: Any,
    sources: Sequence[str],
    task: Task,
    evaluator: Evaluator | None = None,
    behaviours: Sequence[np.ndarray | None] | None = None,
    *,
    normalize: bool = False,
) -> Tensor:
    """Latents z = E(p), float32 (N, d).

    An encoder that reads behaviour gets each program's decisions on the task's probe states: `behaviours` (64, 8) if
    they are known, else run in the evaluator's sandbox. A text encoder gets the texts.

    Args:
        normalize: project the vectors to the unit sphere, after their truncation (Matryoshka).
    """
    options = {"convert_to_tensor": True, "normalize_embeddings": normalize, "show_progress_bar": False}
    items: list[Any] = list(sources)
    if isinstance(encoder[0], ProgramEncoderModule):
        if behaviours is None and encoder[0].use_behaviour and evaluator is not None:
            probed = evaluator.probe_many(sources)
            behaviours = [None if found is None else found.features for found in probed]
        items = _items(sources, task)
        for item, behaviour in zip(items, behaviours or [None] * len(sources)):
            item["behaviour"] = behaviour
    with torch.no_grad():
        return encoder.encode(items, **options).float().cpu().clone()


def are_readable(encoder: Any, sources: Sequence[str], task: Task) -> list[bool]:
    """Which of these programs the encoder can read: the tokens of `lhs-tiny` are of a grammar, not of all Python."""
    if not isinstance(encoder[0], ProgramEncoderModule):
        return [True] * len(sources)
    return [encoder[0].reads(item) for item in _items(sources, task)]


def _items(sources: Sequence[str], task: Task) -> list[dict[str, Any]]:
    """Programs in the words of the model, each with what they are programs of."""
    # Here, since the package of the decoder reads what the encoder is made of.
    from ..decoding.wording import wording

    words = wording(task)
    signature = words.signature
    known = {"task": words.subject, "signature": (signature.function_name, signature.arguments)}
    return [{"program": signature.read(source), **known} for source in sources]
