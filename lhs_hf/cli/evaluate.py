"""`lhs-hf evaluate`: one program, one split. Imports neither torch nor transformers: it has to start at once."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from ..errors import unknown
from ..program_files import read_program
from ..tasks import get_task
from .options import TASK_HELP, AllowDevelopment
from .output import print_json


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
