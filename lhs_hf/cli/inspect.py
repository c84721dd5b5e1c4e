"""`lhs-hf tasks`, `report` and `doctor`: what there is, what a run or a model is worth, what this machine offers."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import CallError
from ..tasks import ZOO, get_task, task_names, zoo_names
from .options import AllowDevelopment, RunTask
from .output import print_json


def tasks(
    json: Annotated[bool, typer.Option("--json", help="Print one JSON list.")] = False,
    names: Annotated[bool, typer.Option("--names", help="Print the names only, one a line.")] = False,
    zoo: Annotated[bool, typer.Option("--zoo", help="List the small tasks of the zoo instead, by kind.")] = False,
) -> int:
    """List the tasks: name, direction, signature, splits."""
    listed = zoo_names() if zoo else task_names()
    if names:
        print("\n".join(listed))
        return 0
    found = [get_task(name) for name in listed]
    kinds = {name: kind for kind, members in ZOO.items() for name in members}
    if json:
        print_json(
            [
                {
                    "name": task.name,
                    "title": task.title,
                    **({"kind": kinds[task.name]} if zoo else {}),
                    "sense": task.sense,
                    "problem_class": task.problem_class,
                    "signature": task.signature(),
                    "description": task.description,
                    "splits": {name: split.count for name, split in task.splits.items()},
                    "time_limit_s": task.time_limit_s,
                }
                for task in found
            ]
        )
        return 0
    for task in found:
        splits = ", ".join(f"{name} ({split.count})" for name, split in task.splits.items())
        kind = f"  ({kinds[task.name]})" if zoo else ""
        print(f"{task.name}  [{task.sense}]  {task.title}{kind}\n    {task.signature()}\n    {splits}")
    return 0


def report(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Folder of a run (lhs-hf search) or of a comparison (lhs-hf compare).", show_default=False),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Report on a model instead: lhs-tiny, a folder, or owner/name of the Hub.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(help="With --model: folder of latents.json and decoder.json. Default: results.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option(help="With --model: folder of the report. Default: reports/ and the model's name.")
    ] = None,
    maps: Annotated[
        bool, typer.Option("--maps", help="With --model: also draw the corpus in its latent space (minutes).")
    ] = False,
    task: RunTask = None,
    json: Annotated[bool, typer.Option("--json", help="Print the files written as one JSON object.")] = False,
    allow_development_isolation: AllowDevelopment = False,
) -> int:
    """Write tables and figures about a run or a comparison (FOLDER) or a model (--model NAME), and print the tables.

    A run's report goes into its folder and shows the found solution beside the reference's. A comparison's has the
    objectives of its methods, what they cost, paired tests and convergence curves. A model's report shows
    figures that were measured before and measures nothing.
    """
    if (folder is None) == (model is None):
        raise CallError(
            "a report is of a run or of a model: lhs-hf report FOLDER, or "
            "lhs-hf report --model NAME [--results DIR] [--output DIR]"
        )
    if folder is not None:
        if results is not None or output is not None or maps:
            raise CallError("--results, --output and --maps go with --model; the report of a run goes into its folder")
        from ..grid.store import has_grid

        about = {"folder": str(folder)}
        if has_grid(folder):
            if task is not None:
                raise CallError("--task goes with the folder of a run; a comparison says which tasks it is of")
            from ..reporting.grid_report import report_grid

            text, written = report_grid(folder)
        else:
            from ..reporting.run_report import report_run

            text, written = report_run(folder, task)
    else:
        if task is not None:
            raise CallError("--task goes with the folder of a run")
        from ..reporting.model_report import report_model

        if results is not None and not results.is_dir():
            raise CallError(f"there is no folder {results}; expected one with latents.json or decoder.json")
        about = {"model": str(model)}
        text, written = report_model(str(model), results or Path("results"), output, maps=maps)
    if json:
        print_json({**about, "files": [str(path) for path in written]})
        return 0
    print(text)
    print("written: " + ", ".join(str(path) for path in written))
    return 0


def _versions() -> dict[str, str]:
    packages = ("lhs-hf", "torch", "transformers", "sentence-transformers", "huggingface_hub", "numpy", "safetensors")
    found = {"python": platform.python_version()}
    for name in packages:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found


def doctor(json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False) -> int:
    """Show versions, device, isolation level and caches, what is protected here and what is not; try one evaluation."""
    from ..constants import resolve_model
    from ..evaluation import LEVELS, Evaluator
    from ..evaluation.cache import default_cache_path
    from ..evaluation.sandbox.isolation import refusal
    from ..evaluation.workers import default_workers
    from ..threat_model import THREAT_MODEL, holds

    task = get_task("knapsack_construct")
    # To look is not to run what nobody has read: the one program here is the task's own.
    with Evaluator(task, allow_development_isolation=True) as evaluator:
        trial = evaluator.evaluate(task.template)
    import torch

    facts: dict[str, Any] = {
        "versions": _versions(),
        "platform": platform.platform(),
        "device": "cuda" if torch.cuda.is_available() else "cpu",
        "cores": default_workers(),
        "isolation": trial.isolation,
        "evaluation": trial.status,
        "evaluation_s": round(trial.runtime_s, 4),
        "evaluation_cache": str(default_cache_path()),
        "hub_cache": os.environ.get("HF_HUB_CACHE") or os.environ.get("HF_HOME") or "~/.cache/huggingface/hub",
        "model": resolve_model("lhs-tiny"),
        "executable": sys.executable,
    }
    if json:
        protections = [{**asdict(promise), "holds": holds(promise, trial.isolation)} for promise in THREAT_MODEL]
        print_json({**facts, "protections": protections})
    else:
        for name, value in facts.items():
            shown = ", ".join(f"{key} {entry}" for key, entry in value.items()) if isinstance(value, dict) else value
            print(f"{name:17} {shown}")
        print(f"{'':17} {LEVELS.get(trial.isolation, 'programs do not run')}")
        if trial.isolation == "development":
            print(f"note: {refusal(trial.isolation)}")
        _print_protections(trial.isolation)
    return 0 if trial.ok else 1


def _print_protections(isolation: str) -> None:
    from ..threat_model import AREAS, THREAT_MODEL, holds

    for area in AREAS:
        print(f"\n{area.replace('`', '')}: what is covered here (+), what is not (-)")
        for promise in THREAT_MODEL:
            if promise.area == area:
                print(f"  {promise.threat}")
                kept = "+" if holds(promise, isolation) else "- not on this machine:"
                print(f"    {kept} {promise.covered}\n    - {promise.not_covered}".replace("`", ""))
    print("\nSECURITY.md says more, and how to report a hole.")
