"""`lhs-hf push`: models, a task's surrogates, the corpus, the Space or a run to a repository of the Hub; and back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..constants import resolve_model
from ..errors import CallError
from ..tasks import get_task
from .options import TASK_HELP

if TYPE_CHECKING:
    from ..hub.publishing import Pushed

Repository = Annotated[str, typer.Argument(help="Repository of the Hub, owner/name; made if it does not exist.")]
Private = Annotated[bool, typer.Option("--private", help="Make a new repository private.")]
Revision = Annotated[str | None, typer.Option(help="Branch to write to; made if it does not exist (default: main).")]
Token = Annotated[str | None, typer.Option(help="Access token; by default HF_TOKEN or the saved login.")]
Model = Annotated[str, typer.Option(help="lhs-tiny, or a model folder.")]


def _folder(model: str) -> Path:
    folder = Path(resolve_model(model))
    if not folder.is_dir():
        raise CallError(f"{model} is no folder here; expected lhs-tiny, or a model folder")
    return folder


def _report(pushed: Pushed) -> int:
    print(f"{pushed.files} files at {pushed.url} (commit {pushed.commit})")
    return 0


def models(
    repository: Repository,
    model: Model = "lhs-tiny",
    card: Annotated[Path | None, typer.Option(help="Model card, uploaded as README.md.")] = None,
    private: Private = False,
    revision: Revision = None,
    token: Token = None,
) -> int:
    """Upload a whole model: encoder, decoder, flow, mapper and surrogates."""
    from ..hub.publishing import push_models

    if card is not None and not card.is_file():
        raise CallError(f"no such model card: {card}")
    return _report(push_models(_folder(model), repository, card=card, private=private, revision=revision, token=token))


def surrogate(
    task: Annotated[str, typer.Argument(help=TASK_HELP)],
    repository: Repository,
    model: Model = "lhs-tiny",
    private: Private = False,
    revision: Revision = None,
    token: Token = None,
) -> int:
    """Upload the surrogates of one task into a model's repository, and nothing else."""
    from ..hub.publishing import push_surrogate

    chosen = get_task(task)
    return _report(push_surrogate(_folder(model), chosen, repository, private=private, revision=revision, token=token))


def corpus(
    repository: Repository,
    folder: Annotated[
        Path | None, typer.Option("--corpus", help="Corpus folder; by default the one that ships.")
    ] = None,
    private: Private = False,
    revision: Revision = None,
    token: Token = None,
) -> int:
    """Upload the corpus as a dataset."""
    from ..corpus.dataset import DATA_FOLDER
    from ..hub.publishing import push_corpus

    return _report(push_corpus(folder or DATA_FOLDER, repository, private=private, revision=revision, token=token))


def space(
    repository: Repository,
    folder: Annotated[
        Path | None, typer.Option(help="Folder of the Space; by default spaces/lhs of the checkout.")
    ] = None,
    private: Private = False,
    revision: Revision = None,
    token: Token = None,
) -> int:
    """Upload the Gradio Space."""
    from ..hub.publishing import push_space, space_folder

    return _report(push_space(folder or space_folder(), repository, private=private, revision=revision, token=token))


def run(
    folder: Annotated[Path, typer.Argument(help="Folder of a run.")],
    repository: Repository,
    private: Private = False,
    revision: Revision = None,
    token: Token = None,
) -> int:
    """Upload a run folder as a dataset; lhs-hf pull fetches it to go on somewhere else."""
    from ..search.sharing import push_run

    return _report(push_run(folder, repository, private=private, revision=revision, token=token))


def pull(
    repository: Annotated[str, typer.Argument(help="Repository of the Hub with a run: owner/name[@revision].")],
    folder: Annotated[Path, typer.Argument(help="New folder for the run.")],
    token: Token = None,
) -> int:
    """Fetch a run that was pushed, to report it or to go on with it."""
    from ..search.sharing import pull_run

    where = pull_run(repository, folder, token)
    print(f"{where}: lhs-hf report {where}, or go on with: lhs-hf search TASK --resume --output {where}")
    return 0
