"""Program texts as token ids of an encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any


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
