"""Writing to the Hub: a model folder, one task's surrogates, the corpus, the Space, each as one commit."""

from __future__ import annotations

import filecmp
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..constants import SURROGATE_FOLDERS, embedded_model
from ..errors import CallError
from ..opening.files import read_json
from ..opening.models import check_tree, part_location
from ..tasks.base import Task
from .reading import check_repository_id, clear_errors, explain

_CHECKOUT = Path(__file__).parents[2]
_PICKLES = (".bin", ".ckpt", ".joblib", ".npy", ".npz", ".pickle", ".pkl", ".pt", ".pth")
_LEFT_OUT = ("__pycache__", ".git", ".cache", ".DS_Store", ".ipynb_checkpoints")
_KIND_OF_MODEL = "lhs"


@dataclass(frozen=True)
class Pushed:
    """What a push did: the repository's page, the commit, and how many files it holds there."""

    url: str
    commit: str
    files: int


def push_models(folder: Path, repository: str, *, card: Path | None = None, **options: Any) -> Pushed:
    """Upload a model folder so that every part loads out of the repository.

    Args:
        folder: written by `lhs-hf train` or `LHSModel.save_pretrained`.
        card: file that becomes the repository's README.md; by default the folder's own, else the checkout's card.
        options: `private`, `revision` (a branch, made if it does not exist) and `token`.

    The cards of a checkout, of the whole and of its parts, are of the model that ships: they go with weights that are
    its weights, and with no others. Raises `CallError`, before anything is sent, for a folder that is no whole model,
    and for every refusal of the Hub. The folder is only read.
    """
    config = _model_config(folder)
    files = dict(shared_files(folder))
    parts = [config.get("encoder", "encoder"), config.get("decoder", "decoder"), *SURROGATE_FOLDERS.values()]
    for part in parts[:2]:
        if part is not None:
            part_location(folder, part)
    inside = [part for part in parts if part and "/" not in part]
    files = _cards(folder) | files
    if card is not None:
        files["README.md"] = card
    return push_files(files, repository, stale=tuple(f"{part}/" for part in inside), holds=_KIND_OF_MODEL, **options)


def push_surrogate(folder: Path, task: Task, repository: str, **options: Any) -> Pushed:
    """Upload the surrogates of one task out of a model folder, in every space it has, and touch nothing else.

    Their card goes with them, as in `push_models`, which says what `options` are. Raises `CallError` naming the tasks
    that have one.
    """
    _model_config(folder)
    present = [name for name in SURROGATE_FOLDERS.values() if (folder / name / task.name / "config.json").is_file()]
    if not present:
        found = sorted(
            {path.parent.name for name in SURROGATE_FOLDERS.values() for path in folder.glob(f"{name}/*/config.json")}
        )
        raise CallError(f"{folder} has no surrogate for task {task.name!r}; it has: {', '.join(found) or 'none'}")
    places = [f"{name}/{task.name}" for name in present]
    cards = {path: card for path, card in _cards(folder).items() if path.startswith(f"{places[0]}/")}
    files = cards | {f"{place}/{path}": file for place in places for path, file in shared_files(folder / place)}
    stale = tuple(f"{place}/" for place in places)
    return push_files(files, repository, stale=stale, holds=_KIND_OF_MODEL, **options)


def push_corpus(folder: Path, repository: str, **options: Any) -> Pushed:
    """Upload a corpus folder, card included, as a dataset that `load_dataset(repository, task)` reads.

    `options` as in `push_models`. Raises `CallError` for a folder that holds no corpus.
    """
    from ..corpus.dataset import corpus_tasks

    tasks = corpus_tasks(folder)
    if not tasks or not (folder / "README.md").is_file():
        raise CallError(f"{folder} holds no corpus with its card; expected what lhs-hf corpus build writes")
    files = dict(shared_files(folder))
    with TemporaryDirectory() as temporary:
        card = Path(temporary) / "README.md"
        card.write_text(_without_lost_pictures(files["README.md"].read_text(encoding="utf-8"), files), encoding="utf-8")
        # A task or part that is gone here must not stay there: configurations name files by patterns.
        return push_files({**files, "README.md": card}, repository, kind="dataset", stale=(".parquet",), **options)


def _without_lost_pictures(card: str, files: Mapping[str, Path]) -> str:
    """A card without the lines that show pictures which are not among the files: an installation has none."""
    picture = re.compile(r"!\[[^\]]*\]\(([^):]+)\)\s*")
    lines = card.splitlines(keepends=True)
    return "".join(line for line in lines if not (found := picture.fullmatch(line)) or found[1] in files)


def push_space(folder: Path, repository: str, **options: Any) -> Pushed:
    """Upload a folder as a Gradio Space. `options` as in `push_models`. Raises `CallError` if it holds none."""
    if not (folder / "README.md").is_file():
        raise CallError(f"{folder} holds no Space; expected a folder with README.md (and app.py)")
    return push_files(dict(shared_files(folder)), repository, kind="space", **options)


def space_folder() -> Path:
    """Where a checkout keeps its Space: in the working directory, or beside the package."""
    here = Path("spaces/lhs")
    return here if here.is_dir() else _CHECKOUT / here


def _model_config(folder: Path) -> dict[str, Any]:
    path = folder / "config.json"
    if not path.is_file():
        raise CallError(f"{folder} has no config.json; expected a model folder of lhs-hf train")
    config: dict[str, Any] = read_json(path)
    if config.get("model_type") != _KIND_OF_MODEL:
        raise CallError(f"{folder} is a model of type {config.get('model_type')!r}; expected {_KIND_OF_MODEL!r}")
    return config


def _cards(folder: Path) -> dict[str, Path]:
    """The checkout's cards of a model folder by their place in it; none of a part whose weights are not those shipped.

    A surrogate's card is about both spaces and stands in the first of their folders.
    """
    shipped = embedded_model()
    cards = _CHECKOUT / "model_cards"
    places: dict[str, tuple[Path, tuple[str, ...]]] = {
        "README.md": (cards / f"{shipped.name}.md", ("",)),
        ".eval_results/lhs_hf.yaml": (cards / f"{shipped.name}.eval_results.yaml", ("",)),
        **{f"{part}/README.md": (cards / f"{shipped.name}-{part}.md", (part,)) for part in ("encoder", "decoder")},
    }
    for path in sorted((cards / "surrogates").glob("*.md")):
        parts = tuple(f"{name}/{path.stem}" for name in SURROGATE_FOLDERS.values())
        places[f"{parts[0]}/README.md"] = path, parts
    return {
        place: card
        for place, (card, parts) in places.items()
        if card.is_file() and all(_same_weights(folder / part, shipped / part) for part in parts)
    }


def _same_weights(folder: Path, shipped: Path) -> bool:
    """Whether every weight file below the second folder is in the first, and no other."""
    found, expected = ({path.relative_to(root) for path in root.rglob("*.safetensors")} for root in (folder, shipped))
    if not expected or found != expected:
        return False
    return all(filecmp.cmp(folder / path, shipped / path, shallow=False) for path in expected)


def shared_files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a folder by their path in it. Raises `CallError` for one that must not be shared, or is broken."""
    # What a folder's author links to elsewhere on this machine is not for others.
    check_tree(folder)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder)
        if not path.is_file() or any(part in _LEFT_OUT or part.endswith(".pyc") for part in inside.parts):
            continue
        if path.suffix in _PICKLES:
            raise CallError(f"{path} may hold a pickle, which runs code when it is loaded; expected safetensors only")
        if path.suffix == ".safetensors":
            _check_weights(path)
        yield inside.as_posix(), path


def _check_weights(path: Path) -> None:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "np") as tensors:
            tensors.keys()
    except SafetensorError as error:
        raise CallError(f"{path} is broken ({error}); expected a whole safetensors file: write it again") from None


def push_files(
    files: Mapping[str, Path],
    repository: str,
    *,
    kind: str = "model",
    stale: tuple[str, ...] = (),
    holds: str | None = None,
    private: bool = False,
    revision: str | None = None,
    token: str | None = None,
) -> Pushed:
    """Upload files by their path in the repository, all in one commit: an interrupted upload changes nothing there.

    Args:
        stale: remote files that start or end with one of these, and are not sent, are deleted by the same commit.
        holds: the model type that an existing repository must hold, if it holds a model.
    """
    from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfApi

    check_repository_id(repository)
    api = HfApi(token=token)
    with clear_errors(f"push to {repository!r}", repository, revision=revision, token=token, kind=kind):
        _check_login(api)
        space = {"space_sdk": "gradio"} if kind == "space" else {}
        api.create_repo(repository, repo_type=kind, private=private or None, exist_ok=True, **space)
        if revision is not None:
            api.create_branch(repository, branch=revision, repo_type=kind, exist_ok=True)
        remote = api.list_repo_files(repository, repo_type=kind, revision=revision)
        if holds is not None and "config.json" in remote:
            _check_remote(api, repository, revision, holds)
        gone = [path for path in remote if path not in files and path.startswith(stale) | path.endswith(stale)]
        operations: list[Any] = [CommitOperationDelete(path) for path in gone] if stale else []
        operations += [CommitOperationAdd(path, str(file)) for path, file in files.items()]
        title = f"Push {len(files)} files with lhs-hf"
        commit = api.create_commit(repository, operations, commit_message=title, repo_type=kind, revision=revision)
    prefix = "" if kind == "model" else f"{kind}s/"
    return Pushed(f"{api.endpoint}/{prefix}{repository}", commit.oid, len(files))


def _check_login(api: Any) -> None:
    try:
        api.whoami()
    except Exception as error:
        reason = explain(error, "", token=api.token)
        raise CallError(f"can not push: {reason}" if reason else f"can not push: {error}") from error


def _check_remote(api: Any, repository: str, revision: str | None, holds: str) -> None:
    path = Path(api.hf_hub_download(repository, "config.json", revision=revision))
    kind = read_json(path).get("model_type")
    if kind != holds:
        raise CallError(f"{repository} already holds a model of type {kind!r}; expected {holds!r}, or a new repository")
