"""Programs as an encoder reads them: their tokens, their behaviour, and the latents z = E(p)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

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
    from .encoder import ProgramEncoderModule

    if isinstance(encoder[0], ProgramEncoderModule):
        if behaviours is None and encoder[0].use_behaviour and evaluator is not None:
            probed = evaluator.probe_many(sources)
            behaviours = [None if found is None else found.features for found in probed]
        items = [
            {
                "program": source,
                "task": task.name,
                "signature": (task.function_name, task.arguments),
                "behaviour": behaviour,
            }
            for source, behaviour in zip(sources, behaviours or [None] * len(sources))
        ]
    with torch.no_grad():
        return encoder.encode(items, **options).float().cpu().clone()


def encode_text(
    tokenizer: Any, program: str, task: str | None = None, known: tuple[str, Sequence[str]] | None = None
) -> Sequence[int]:
    """Token ids of a program: a `ProgramTokenizer` reads it as the function of `task`, any callable as plain text.

    `known`: name and arguments of that function, for a task that is not built in.
    """
    if not hasattr(tokenizer, "encode_program"):
        call: Callable[[str], Sequence[int]] = tokenizer
        return call(program)
    from ..decoding.grammar import Signature
    from ..decoding.tokenization_lhs import infer_signature
    from ..programs import canonical_tree
    from ..tasks import get_task, task_names

    if known is not None:
        signature = Signature(known[0], tuple(known[1]))
    elif task in task_names():
        built_in = get_task(task)
        signature = Signature(built_in.function_name, tuple(built_in.arguments))
    else:
        signature = infer_signature(canonical_tree(program))
    return tokenizer.encode_program(program, signature)
