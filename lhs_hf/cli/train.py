"""`lhs-hf train`: the parts of a model, one command each; every stage resumes where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ..errors import CallError
from ..tasks import get_task

app = typer.Typer(help="Train a model, or one of its parts, from a corpus.", no_args_is_help=True)

Work = Annotated[Path, typer.Option("--output", help="Work folder; the model is written to its folder export/.")]
CorpusFolder = Annotated[Path | None, typer.Option("--corpus", help="Corpus folder; by default the one that ships.")]
Preset = Annotated[str, typer.Option(help="Recipe: lhs-tiny, or smoke (a quick run of every stage).")]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]
Variants = Annotated[int | None, typer.Option(help="Streamed variants a task.")]
Tasks = Annotated[list[str] | None, typer.Option("--task", help="Task to include; repeat for several (default: all).")]
Workers = Annotated[int | None, typer.Option(help="Processes that stream variants.")]

# Finished stages are not repeated, so each part names all that it needs before it.
_BEFORE = ("variants", "tokenizer", "autoencoder")
_PARTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "all": (
        "Train every part and assemble the model folder.",
        (*_BEFORE, "latents", "mapper", "flow", "surrogates", "export"),
    ),
    "encoder": (
        "Train the encoder: jointly with the decoder, as an autoencoder; then encode the corpus.",
        (*_BEFORE, "latents"),
    ),
    "decoder": ("Train the decoder: jointly with the encoder, as an autoencoder.", _BEFORE),
    "mapper": (
        "Train the mapper from latents to soft prompts, encoder and decoder frozen.",
        (*_BEFORE, "latents", "mapper"),
    ),
    "flow": ("Train the normalizing flow from latents to the Gaussian prior.", (*_BEFORE, "latents", "flow")),
    "surrogate": (
        "Train the surrogates of the tasks, in the prior and in the latent space.",
        (*_BEFORE, "latents", "flow", "surrogates"),
    ),
}


def _command(stages: tuple[str, ...]) -> Callable[..., int]:
    def command(
        output: Work = Path("training-runs/lhs-tiny"),
        corpus: CorpusFolder = None,
        preset: Preset = "lhs-tiny",
        seed: Seed = 0,
        variants: Variants = None,
        task: Tasks = None,
        workers: Workers = None,
    ) -> int:
        tasks = [get_task(name).name for name in task] if task else None
        if corpus is not None and not corpus.is_dir():
            raise CallError(f"no such corpus folder: {corpus}")
        from ..search.run import default_workers
        from ..training.presets import recipe, with_variants
        from ..training.recipe import ModelTraining

        chosen = with_variants(recipe(preset, tasks, seed), variants)
        try:
            ModelTraining(chosen, output, corpus, workers=workers or default_workers()).run(stages)
        except KeyboardInterrupt:
            print("interrupted; run the same command again to go on")
            return 1
        except FileNotFoundError as problem:
            raise CallError(str(problem)) from None
        return 0

    return command


for _name, (_help, _stages) in _PARTS.items():
    app.command(_name, help=_help)(_command(_stages))
