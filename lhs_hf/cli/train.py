"""`lhs-hf train`: the parts of a model, one command each; every stage resumes where it was interrupted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ..errors import CallError
from ..fields import check, setting
from ..tasks import get_task
from ..tasks.base import Task
from ..trackers import HELP, NONE, TRACKERS, check_tracker, reporting_to
from .commands import Command, require_torch
from .generated import takes_settings
from .options import RAY_HELP, TASK_FILE_HELP
from .verbosity import shows_progress

Tasks = Annotated[
    list[str] | None,
    typer.Option("--task", help=f"Task to include; repeat for several (default: all). {TASK_FILE_HELP}"),
]
TaskFile = Annotated[
    str | None,
    typer.Argument(
        help="A task file of your own: only its surrogate is trained, for a model that exists. " + TASK_FILE_HELP
    ),
]

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
    """What every `train` command takes, beside the tasks."""

    output: Path | None = setting(
        None, "Work folder (default: under training-runs/); the model is in its folder export/."
    )
    corpus: Path | None = setting(None, "Corpus folder; by default the one that ships.")
    preset: str | None = setting(
        None, "Recipe: lhs-tiny (pair with --encoder, --decoder), text-only, or smoke (quick, all stages)."
    )
    seed: int = setting(0, "Seed of everything random.", least=0)
    variants: int | None = setting(None, "Streamed variants a task.")
    steps: int | None = setting(None, "Steps of the joint training of encoder and decoder.", least=1)
    workers: int | None = setting(None, "Processes that stream variants.")
    encoder: str | None = setting(None, "Frozen text encoder, a folder or repository id: trains only what is between.")
    decoder: str | None = setting(None, "Frozen causal language model, a folder or repository id.")
    report_to: str = setting(NONE, HELP, choices=TRACKERS)

    def __post_init__(self) -> None:
        check(self)
        check_tracker(self.report_to)


@dataclass(frozen=True)
class OwnTaskOptions(TrainOptions):
    """What `train surrogate` takes."""

    model: str = setting("lhs-tiny", "With a task file: lhs-tiny, a folder, or a repository.")
    space: str = setting("prior", "With a task file: prior, or latent.", choices=("prior", "latent"))
    ray: str | None = setting(None, f"With a task file and without --corpus: {RAY_HELP}")


@dataclass(frozen=True)
class EditorOptions:
    """What `train editor` takes, beside the tasks."""

    model: str = setting("lhs-tiny", "Whose encoder and tokens it reads: lhs-tiny, a folder, or a repository.")
    output: Path | None = setting(None, "Work folder (default: under training-runs/); the editor is in its export/.")
    preset: str = setting("lhs-tiny", "Recipe: lhs-tiny, or smoke (quick, all stages).", choices=("lhs-tiny", "smoke"))
    seed: int = setting(0, "Seed of everything random.", least=0)
    report_to: str = setting(NONE, HELP, choices=TRACKERS)

    def __post_init__(self) -> None:
        check(self)
        check_tracker(self.report_to)


def _train(name: str, tasks: Sequence[str], options: TrainOptions) -> int:
    """Run the stages of one command."""
    corpus = options.corpus
    if corpus is not None and not corpus.is_dir():
        raise CallError(f"no such corpus folder: {corpus}")
    start = _start_model if options.encoder is None and options.decoder is None else _start_pair
    try:
        with reporting_to(options.report_to):
            start(name, tasks, options)
    except KeyboardInterrupt:
        print("interrupted; run the same command again to go on")
        return 1
    except FileNotFoundError as problem:
        raise CallError(str(problem)) from None
    return 0


def _work_folder(options: TrainOptions, name: str, tasks: Sequence[str]) -> Path:
    """The folder that was asked for; otherwise one of its own for each preset, choice of tasks, and seed."""
    return options.output or _own_folder(name, tasks, options.seed)


def _own_folder(name: str, tasks: Sequence[str], seed: int) -> Path:
    parts = [name, *(["+".join(tasks)] if tasks else []), *([f"seed-{seed}"] if seed else [])]
    return Path("training-runs") / "--".join(parts)


def _start_model(name: str, tasks: Sequence[str], options: TrainOptions) -> None:
    # Its optimiser for matrices, Muon, is of that version.
    require_torch("2.9")
    from ..evaluation.workers import default_workers
    from ..training.presets import recipe, resized
    from ..training.recipe import fingerprint
    from ..training.work_folder import WorkFolder

    preset = options.preset or "lhs-tiny"
    chosen = resized(recipe(preset, tasks, options.seed), options.variants, options.steps)
    folder = _work_folder(options, preset, tasks)
    # A folder of another recipe is refused before anything is imported that takes seconds.
    WorkFolder(folder, fingerprint(chosen, options.corpus))
    from ..training.model_training import ModelTraining

    workers = options.workers or default_workers()
    ModelTraining(chosen, folder, options.corpus, workers=workers).run(_PARTS[name][1])


def _start_pair(name: str, tasks: Sequence[str], options: TrainOptions) -> None:
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
    from ..training.pair_recipe import pair_recipe
    from ..training.recipe import fingerprint
    from ..training.work_folder import WorkFolder

    chosen = pair_recipe(encoder, decoder, preset, tasks, options.seed)
    pair = f"{Path(encoder).name}--{Path(decoder).name}"
    folder = _work_folder(options, pair if preset == "pair" else f"{pair}--{preset}", tasks)
    WorkFolder(folder, fingerprint(chosen, options.corpus))
    from ..training.pair_training import PairTraining

    PairTraining(chosen, folder, options.corpus).run(_PAIR_PARTS[name])


def _command(name: str) -> Command:
    """The command that trains one part."""

    @takes_settings(TrainOptions)
    def command(task: Tasks = None, *, given: dict[str, Any]) -> int:
        return _train(name, _names(task), TrainOptions(**given))

    return Command(f"train {name}", command, help=_PARTS[name][0], example="--preset smoke --output work")


@takes_settings(OwnTaskOptions)
def surrogate(task_file: TaskFile = None, task: Tasks = None, *, given: dict[str, Any]) -> int:
    """Train the surrogates of the tasks, in the prior and in the latent space; or that of a task of your own."""
    options = OwnTaskOptions(**given)
    if options.ray is not None and (task_file is None or options.corpus is not None):
        raise CallError("--ray goes with a task file and without --corpus: nothing else is evaluated in training")
    if task_file is None:
        return _train("surrogate", _names(task), options)
    if options.preset or options.variants or options.steps or task or options.workers or options.decoder:
        raise CallError("with a task file go --corpus, --model, --encoder, --space, --seed and --output only")
    chosen = get_task(task_file)
    from ..training.own_task import train_own_surrogate

    folder = options.output or Path("surrogates") / chosen.name
    try:
        corpus = options.corpus or _first_corpus(chosen, folder, options.seed, options.ray)
        with reporting_to(options.report_to):
            report = train_own_surrogate(
                chosen,
                corpus,
                folder,
                model=options.model,
                space=options.space,
                seed=options.seed,
                encoder=options.encoder,
            )
    except FileNotFoundError as problem:
        raise CallError(str(problem)) from None
    unread = f"left out: {report['unreadable']}, for which the encoder has no words\n"
    unread = unread if report["unreadable"] else ""
    print(
        f"{report['train']} programs to learn from, {report['validation']} to judge by: Spearman "
        f"{report['spearman']:.2f}; all weights of {options.model} are as they were\n{unread}"
        f"written: {folder}\nnext:    lhs-hf search {task_file} --surrogate {folder}"
    )
    return 0


def _first_corpus(task: Task, folder: Path, seed: int, cluster: str | None) -> Path:
    """A corpus of programs that are made here, beside the folder of the surrogate; one that is there is taken."""
    from rich.console import Console
    from rich.progress import Progress

    from ..corpus.dataset import corpus_tasks
    from ..training.first_programs import COUNT, first_corpus

    # Once the task file changes its scores are others.
    corpus = folder.with_name("-".join([folder.name, "programs", *([task.digest[:8]] if task.digest else [])]))
    if task.name in corpus_tasks(corpus):
        return corpus
    with Progress(console=Console(stderr=True), disable=not shows_progress()) as progress:
        bar = progress.add_task("programs", total=COUNT)
        written = first_corpus(
            task, corpus, seed, cluster, on_program=lambda number: progress.update(bar, completed=number)
        )
    print(f"{written} programs made and scored: {corpus}")
    return corpus


@takes_settings(EditorOptions)
def editor(task: Tasks = None, *, given: dict[str, Any]) -> int:
    """Train what writes edits of programs, for a model that exists: on edits of the corpus's training families."""
    options, names = EditorOptions(**given), _names(task)
    require_torch("2.9")
    from ..training.editor_training import EditorTraining, editor_recipe

    folder = options.output or _own_folder(f"editor-{options.preset}", names, options.seed)
    try:
        with reporting_to(options.report_to):
            EditorTraining(editor_recipe(options.preset, names, options.seed), folder, options.model).run()
    except KeyboardInterrupt:
        print("interrupted; run the same command again to go on")
        return 1
    print(f"written: {folder / 'export'}\nnext:    put it into the folder of the model as editor/")
    return 0


def _names(tasks: Sequence[str] | None) -> list[str]:
    return [get_task(each).name for each in tasks or ()]


COMMANDS = (
    *(_command(name) for name in _PARTS if name != "surrogate"),
    Command("train surrogate", surrogate, example="my_jobs.py --output trained"),
    Command("train editor", editor, example="--preset smoke --output work"),
)
