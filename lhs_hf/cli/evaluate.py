"""`lhs-hf evaluate`: one program, one split. Imports neither torch nor transformers: it has to start at once."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ..errors import CallError, unknown
from ..programs import MAX_SOURCE_BYTES
from ..tasks import get_task
from .options import TASK_HELP, AllowDevelopment
from .output import print_json


def read_program(path: Path) -> str:
    """The text of a program file, or of standard input for "-".

    Raises `CallError` for what is no readable text file of a sensible size.
    """
    if str(path) == "-":
        return _text(sys.stdin.buffer.read(MAX_SOURCE_BYTES + 1), "standard input")
    if not path.exists():
        raise CallError(f"no such file: {path}")
    if not path.is_file():
        raise CallError(f"{path} is not a file; expected a Python program")
    if path.stat().st_size > MAX_SOURCE_BYTES:
        raise CallError(f"{path} has {path.stat().st_size} bytes; a program has at most {MAX_SOURCE_BYTES}")
    try:
        return _text(path.read_bytes(), str(path))
    except OSError as problem:
        raise CallError(f"{path} can not be read: {problem.strerror}") from None


def _text(data: bytes, name: str) -> str:
    if len(data) > MAX_SOURCE_BYTES:
        raise CallError(f"{name} has more than {MAX_SOURCE_BYTES} bytes; a program has at most so many")
    try:
        source = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise CallError(f"{name} is not UTF-8 text: byte {problem.start} can not be decoded") from None
    if "\0" in source:
        raise CallError(f"{name} is a binary file; expected a Python program")
    if not source.strip():
        raise CallError(f"{name} is empty; expected a Python program")
    return source


def evaluate(
    task: Annotated[str, typer.Argument(help=TASK_HELP)],
    program: Annotated[
        Path, typer.Argument(help="A Python file that defines the task's function; - is standard input.")
    ],
    split: Annotated[str, typer.Option(help="Split to evaluate on.")] = "search",
    private_seed: Annotated[
        str | None, typer.Option(help="Evaluate on the private holdout of a search instead: the seed it shows.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    cache: Annotated[bool, typer.Option(help="Reuse a remembered result of the same program.")] = True,
    allow_development_isolation: AllowDevelopment = False,
) -> int:
    """Run a program on a split and print its status, objective and score."""
    chosen = get_task(task)
    if split not in chosen.splits:
        raise unknown(f"split of {chosen.name}", split, chosen.splits)
    source = read_program(program)
    from ..evaluation import Evaluator
    from ..evaluation.cache import EvaluationCache

    fresh = None
    if private_seed is not None:
        from ..search import private_holdout

        fresh = chosen.fresh_split(private_holdout.parse_seed(private_seed), private_holdout.count_for(chosen))
        split = f"private holdout {private_seed}"
    with (
        EvaluationCache() if cache else nullcontext() as remembered,
        Evaluator(chosen, cache=remembered) as evaluator,
    ):
        result = evaluator.evaluate(source, fresh or split)
    if json:
        print_json({"task": chosen.name, "split": split, **result.as_dict()})
    elif result.ok:
        direction = "lower" if chosen.sense == "min" else "higher"
        print(f"{chosen.name} on {split}: objective {result.objective!r} ({direction} is better)")
        print(f"score {result.score!r}, {len(result.objectives)} instances, {result.runtime_s:.3f} s")
    else:
        from .output import error

        error(f"{result.status}: {result.message}", 1)
    return 0 if result.ok else 1
