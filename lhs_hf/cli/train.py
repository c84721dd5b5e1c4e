"""`lhs-hf train`: the parts of a model, one command each; every stage resumes where it was interrupted."""

from __future__ import annotations

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

_WORK = Path("training-runs/lhs-tiny")

# What each part needs before it; finished stages are not repeated.
_BEFORE = ("variants", "tokenizer", "autoencoder")


def _run(
    stages: tuple[str, ...],
    output: Path,
    corpus: Path | None,
    preset: str,
    seed: int,
    variants: int | None,
    task: list[str] | None,
    workers: int | None,
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


@app.command("all")
def train_all(
    output: Work = _WORK,
    corpus: CorpusFolder = None,
    preset: Preset = "lhs-tiny",
    seed: Seed = 0,
    variants: Variants = None,
    task: Tasks = None,
    workers: Workers = None,
) -> int:
    """Train every part and assemble the model folder."""
    stages = (*_BEFORE, "latents", "mapper", "flow", "surrogates", "export")
    return _run(stages, output, corpus, preset, seed, variants, task, workers)


@app.command("encoder")
def train_encoder(
    output: Work = _WORK,
    corpus: CorpusFolder = None,
    preset: Preset = "lhs-tiny",
    seed: Seed = 0,
    variants: Variants = None,
    task: Tasks = None,
    workers: Workers = None,
) -> int:
    """Train the encoder: jointly with the decoder, as an autoencoder; then encode the corpus."""
    return _run((*_BEFORE, "latents"), output, corpus, preset, seed, variants, task, workers)


@app.command("decoder")
def train_decoder(
    output: Work = _WORK,
    corpus: CorpusFolder = None,
    preset: Preset = "lhs-tiny",
    seed: Seed = 0,
    variants: Variants = None,
    task: Tasks = None,
    workers: Workers = None,
) -> int:
    """Train the decoder: jointly with the encoder, as an autoencoder."""
    return _run(_BEFORE, output, corpus, preset, seed, variants, task, workers)


@app.command("mapper")
def train_mapper(
    output: Work = _WORK,
    corpus: CorpusFolder = None,
    preset: Preset = "lhs-tiny",
    seed: Seed = 0,
    variants: Variants = None,
    task: Tasks = None,
    workers: Workers = None,
) -> int:
    """Train the mapper from latents to soft prompts, encoder and decoder frozen."""
    return _run((*_BEFORE, "latents", "mapper"), output, corpus, preset, seed, variants, task, workers)


@app.command("flow")
def train_flow(
    output: Work = _WORK,
    corpus: CorpusFolder = None,
    preset: Preset = "lhs-tiny",
    seed: Seed = 0,
    variants: Variants = None,
    task: Tasks = None,
    workers: Workers = None,
) -> int:
    """Train the normalizing flow from latents to the Gaussian prior."""
    return _run((*_BEFORE, "latents", "flow"), output, corpus, preset, seed, variants, task, workers)


@app.command("surrogate")
def train_surrogate(
    output: Work = _WORK,
    corpus: CorpusFolder = None,
    preset: Preset = "lhs-tiny",
    seed: Seed = 0,
    variants: Variants = None,
    task: Tasks = None,
    workers: Workers = None,
) -> int:
    """Train the surrogates of the tasks, in the prior and in the latent space."""
    return _run((*_BEFORE, "latents", "flow", "surrogates"), output, corpus, preset, seed, variants, task, workers)
