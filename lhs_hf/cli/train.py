"""`lhs-hf train`: the parts of a model, one command each; every stage resumes where it was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import partial
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from ..errors import CallError
from ..tasks import get_task
from ..training.extra import require
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
TaskFile = Annotated[
    str | None,
    typer.Argument(
        help="A task file of your own: only its surrogate is trained, for a model that exists. " + TASK_FILE_HELP
    ),
]
Model = Annotated[str, typer.Option(help="With a task file: lhs-tiny, a folder, or a repository.")]
Space = Annotated[str, typer.Option(help="With a task file: prior, or latent.")]

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


@dataclass(frozen=True)
class TrainOptions:
    """What every `train` command takes."""

    output: Work = None
    corpus: CorpusFolder = None
    preset: Preset = None
    seed: Seed = 0
    variants: Variants = None
    steps: Steps = None
    task: Tasks = None
    workers: Workers = None
    encoder: Encoder = None
    decoder: Decoder = None


@dataclass(frozen=True)
class SurrogateOptions(TrainOptions):
    """What `train surrogate` takes."""

    task_file: TaskFile = None
    model: Model = "lhs-tiny"
    space: Space = "prior"


Options = TypeVar("Options", bound=TrainOptions)


def _with_options(function: Callable[[Options], int], options: type[Options]) -> Callable[..., int]:
    """A command whose parameters are the fields of a dataclass, for a function that takes one of it."""

    def command(**values: Any) -> int:
        return function(options(**values))

    hints = get_type_hints(options, include_extras=True)
    parameters = [
        Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=hints[field.name])
        for field in fields(options)
    ]
    command.__signature__ = Signature(parameters, return_annotation=int)  # type: ignore[attr-defined]
    command.__annotations__ = {**hints, "return": int}
    command.__doc__ = function.__doc__
    return command


def _train(name: str, options: TrainOptions) -> int:
    """Run the stages of one command."""
    corpus = options.corpus
    if corpus is not None and not corpus.is_dir():
        raise CallError(f"no such corpus folder: {corpus}")
    start = _start_model if options.encoder is None and options.decoder is None else _start_pair
    try:
        start(name, options)
    except KeyboardInterrupt:
        print("interrupted; run the same command again to go on")
        return 1
    except FileNotFoundError as problem:
        raise CallError(str(problem)) from None
    return 0


def _task_names(options: TrainOptions) -> list[str]:
    return [get_task(each).name for each in options.task or ()]


def _work_folder(options: TrainOptions, name: str, tasks: Sequence[str]) -> Path:
    """The folder that was asked for; otherwise one of its own for each preset, choice of tasks, and seed."""
    parts = [name, *(["+".join(tasks)] if tasks else []), *([f"seed-{options.seed}"] if options.seed else [])]
    return options.output or Path("training-runs") / "--".join(parts)


def _start_model(name: str, options: TrainOptions) -> None:
    require("accelerate", "libcst")
    from ..evaluation.workers import default_workers
    from ..training.presets import recipe, resized
    from ..training.recipe import fingerprint
    from ..training.work_folder import WorkFolder

    tasks, preset = _task_names(options), options.preset or "lhs-tiny"
    chosen = resized(recipe(preset, tasks, options.seed), options.variants, options.steps)
    folder = _work_folder(options, preset, tasks)
    # A folder of another recipe is refused before anything is imported that takes seconds.
    WorkFolder(folder, fingerprint(chosen, options.corpus))
    from ..training.model_training import ModelTraining

    workers = options.workers or default_workers()
    ModelTraining(chosen, folder, options.corpus, workers=workers).run(_PARTS[name][1])


def _start_pair(name: str, options: TrainOptions) -> None:
    encoder, decoder, preset = options.encoder, options.decoder, options.preset or "pair"
    if any(value is not None for value in (options.variants, options.steps, options.workers)):
        raise CallError(
            "--variants, --steps and --workers do not go with --encoder and --decoder: no variants are made, and "
            "neither model is trained"
        )
    if encoder is None or decoder is None:
        raise CallError("--encoder and --decoder go together: a flow and a mapper belong to one pair")
    if name not in _PAIR_PARTS:
        trained = ", ".join(_PAIR_PARTS)
        raise CallError(f"train {name} makes a model of its own; with --encoder and --decoder train one of: {trained}")
    require("accelerate")
    from ..training.pair_recipe import pair_recipe
    from ..training.recipe import fingerprint
    from ..training.work_folder import WorkFolder

    tasks = _task_names(options)
    chosen = pair_recipe(encoder, decoder, preset, tasks, options.seed)
    pair = f"{Path(encoder).name}--{Path(decoder).name}"
    folder = _work_folder(options, pair if preset == "pair" else f"{pair}--{preset}", tasks)
    WorkFolder(folder, fingerprint(chosen, options.corpus))
    from ..training.pair_training import PairTraining

    PairTraining(chosen, folder, options.corpus).run(_PAIR_PARTS[name])


def _surrogate(options: SurrogateOptions) -> int:
    """Train the surrogates of the tasks, in the prior and in the latent space; or that of a task of your own."""
    if options.task_file is None:
        return _train("surrogate", options)
    if options.preset or options.variants or options.steps or options.task or options.workers or options.decoder:
        raise CallError("with a task file go --corpus, --model, --encoder, --space, --seed and --output only")
    chosen = get_task(options.task_file)
    if options.corpus is None:
        raise CallError(
            f"--corpus is missing; make one with: lhs-hf corpus score {options.task_file} PROGRAMS --output FOLDER"
        )
    require("accelerate")
    from ..training.own_task import train_own_surrogate

    folder = options.output or Path("surrogates") / chosen.name
    named = {"model": options.model, "space": options.space, "seed": options.seed, "encoder": options.encoder}
    try:
        report = train_own_surrogate(chosen, options.corpus, folder, **named)
    except FileNotFoundError as problem:
        raise CallError(str(problem)) from None
    print(
        f"{report['train']} programs to learn from, {report['validation']} to judge by: Spearman "
        f"{report['spearman']:.2f}; all weights of {options.model} are as they were\n"
        f"written: {folder}\nnext:    lhs-hf search {options.task_file} --surrogate {folder}"
    )
    return 0


app.command("surrogate")(_with_options(_surrogate, SurrogateOptions))
for _name, (_help, _) in _PARTS.items():
    if _name != "surrogate":
        app.command(_name, help=_help)(_with_options(partial(_train, _name), TrainOptions))
