"""`lhs-hf export-adapter`: a found latent as an adapter that plain PEFT loads."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .options import RunTask
from .output import print_json


def export_adapter(
    run: Annotated[Path, typer.Argument(help="Folder of a run (lhs-hf search --output).")],
    candidate: Annotated[
        int | None, typer.Option(help="Number of a candidate; by default the best that was decoded.")
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Folder; by default RUN/adapters/candidate-N.")] = None,
    task: RunTask = None,
    model: Annotated[
        str | None,
        typer.Option(help="The model of the run, if it is a folder; others load as the run names them."),
    ] = None,
    decoder: Annotated[str | None, typer.Option(help="Its decoder, if it was another one and is a folder.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> int:
    """Write the soft prompt of a found candidate as a PEFT prompt-tuning adapter of the decoder."""
    from ..integrations.adapters import export_adapter as export
    from .verbosity import quiet_libraries

    quiet_libraries()
    made = export(run, candidate, output, task=task, model=model, decoder=decoder, on_model=_tell)
    if json:
        print_json(made.as_dict())
        return 0
    print(f"candidate {made.candidate} of {run}: {made.num_virtual_tokens} virtual tokens in {made.folder}")
    print(f"how to load it: {Path(made.folder, 'README.md')}")
    return 0


def _tell(part: str, name: str) -> None:
    print(f"{part}: {name}", file=sys.stderr)
