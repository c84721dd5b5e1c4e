"""`lhs-hf train`: the parts of a model, one command each; every stage resumes where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ..errors import CallError
from ..tasks import get_task
from .options import TASK_FILE_HELP

app = typer.Typer(help="Train a model, or one of its parts, from a corpus.", no_args_is_help=True)

Work = Annotated[
    Path | None,
    typer.Option("--output", help="Work folder (default: under training-runs/); the model is in its folder export/."),
]
CorpusFolder = Annotated[Path | None, typer.Option("--corpus", help="Corpus folder; by default the one that ships.")]
Preset = Annotated[
    str | None,
    typer.Option(help="Recipe: lhs-tiny (pair with --encoder, --decoder), text-only, or smoke (quick, all stages)."),
]
Seed = Annotated[int, typer.Option(help="Seed of everything random.")]
Variants = Annotated[int | None, typer.Option(help="Streamed variants a task.")]
Steps = Annotated[int | None, typer.Option(help="Steps of the joint training of encoder and decoder.", min=1)]
Tasks = Annotated[
    list[str] | None,
    typer.Option("--task", help=f"Task to include; repeat for several (default: all). {TASK_FILE_HELP}"),
]
Encoder = Annotated[
    str | None, typer.Option(help="Frozen text encoder, a folder or repository id: trains only what is between.")
]
Decoder = Annotated[str | None, typer.Option(help="Frozen causal language model, a folder or repository id.")]
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
# Of a pair of frozen models only what stands between them is trained.
_PAIR_PARTS = {
    "all": ("latents", "mapper", "flow", "surrogates", "export"),
    "mapper": ("latents", "mapper"),
    "flow": ("latents", "flow"),
    "surrogate": ("latents", "flow", "surrogates"),
}


def _command(name: str, stages: tuple[str, ...]) -> Callable[..., int]:
    def command(
        output: Work = None,
        corpus: CorpusFolder = None,
        preset: Preset = None,
        seed: Seed = 0,
        variants: Variants = None,
        steps: Steps = None,
        task: Tasks = None,
        workers: Workers = None,
        encoder: Encoder = None,
        decoder: Decoder = None,
    ) -> int:
        tasks = [get_task(each).name for each in task] if task else None
        if corpus is not None and not corpus.is_dir():
            raise CallError(f"no such corpus folder: {corpus}")
        if encoder is not None or decoder is not None:
            if variants is not None or steps is not None or workers is not None:
                raise CallError(
                    "--variants, --steps and --workers do not go with --encoder and --decoder: no variants are made, "
                    "and neither model is trained"
                )
            prepared = _prepare_pair(name, encoder, decoder, preset, tasks, seed)
        else:
            prepared = _prepare_own(stages, preset, tasks, seed, (variants, steps), workers)
        try:
            prepared(output, corpus)
        except KeyboardInterrupt:
            print("interrupted; run the same command again to go on")
            return 1
        except FileNotFoundError as problem:
            raise CallError(str(problem)) from None
        return 0

    return command


_Run = Callable[[Path | None, Path | None], None]


def _prepare_own(
    stages: tuple[str, ...],
    preset: str | None,
    tasks: list[str] | None,
    seed: int,
    size: tuple[int | None, int | None],
    workers: int | None,
) -> _Run:
    from ..evaluation.workers import default_workers
    from ..training.presets import recipe, resized
    from ..training.recipe import ModelTraining

    chosen = resized(recipe(preset or "lhs-tiny", tasks, seed), *size)
    count = workers or default_workers()
    default = Path("training-runs/lhs-tiny")
    return lambda output, corpus: ModelTraining(chosen, output or default, corpus, workers=count).run(stages)


def _prepare_pair(
    name: str, encoder: str | None, decoder: str | None, preset: str | None, tasks: list[str] | None, seed: int
) -> _Run:
    if encoder is None or decoder is None:
        raise CallError("--encoder and --decoder go together: a flow and a mapper belong to one pair")
    if name not in _PAIR_PARTS:
        trained = ", ".join(_PAIR_PARTS)
        raise CallError(f"train {name} makes a model of its own; with --encoder and --decoder train one of: {trained}")
    from ..training.pair import PairTraining, pair_recipe

    chosen = pair_recipe(encoder, decoder, preset or "pair", tasks, seed)
    default = Path("training-runs") / f"{Path(encoder).name}--{Path(decoder).name}"
    return lambda output, corpus: PairTraining(chosen, output or default, corpus).run(_PAIR_PARTS[name])


def surrogate(
    task_file: Annotated[
        str | None,
        typer.Argument(
            help="A task file of your own: only its surrogate is trained, for a model that exists. " + TASK_FILE_HELP
        ),
    ] = None,
    model: Annotated[str, typer.Option(help="With a task file: lhs-tiny, a folder, or a repository.")] = "lhs-tiny",
    space: Annotated[str, typer.Option(help="With a task file: prior, or latent.")] = "prior",
    output: Work = None,
    corpus: CorpusFolder = None,
    preset: Preset = None,
    seed: Seed = 0,
    variants: Variants = None,
    steps: Steps = None,
    task: Tasks = None,
    workers: Workers = None,
    encoder: Encoder = None,
    decoder: Decoder = None,
) -> int:
    """Train the surrogates of the tasks, in the prior and in the latent space; or that of a task of your own."""
    if task_file is None:
        all_stages = _command("surrogate", _PARTS["surrogate"][1])
        return all_stages(output, corpus, preset, seed, variants, steps, task, workers, encoder, decoder)
    if preset or variants or steps or task or workers or decoder:
        raise CallError("with a task file go --corpus, --model, --encoder, --space, --seed and --output only")
    chosen = get_task(task_file)
    if corpus is None:
        raise CallError(f"--corpus is missing; make one with: lhs-hf corpus score {task_file} PROGRAMS --output FOLDER")
    from ..training.own_task import train_own_surrogate

    folder = output or Path("surrogates") / chosen.name
    try:
        report = train_own_surrogate(chosen, corpus, folder, model=model, space=space, seed=seed, encoder=encoder)
    except FileNotFoundError as problem:
        raise CallError(str(problem)) from None
    print(
        f"{report['train']} programs to learn from, {report['validation']} to judge by: Spearman "
        f"{report['spearman']:.2f}; all weights of {model} are as they were\n"
        f"written: {folder}\nnext:    lhs-hf search {task_file} --surrogate {folder}"
    )
    return 0


for _name, (_help, _stages) in _PARTS.items():
    app.command(_name, help=_help if _name != "surrogate" else None)(
        surrogate if _name == "surrogate" else _command(_name, _stages)
    )
