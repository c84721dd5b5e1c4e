"""Reading models from the Hub: a whole composite through the cache, and one clear sentence for whatever goes wrong."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ..constants import is_repository_id, resolve_model
from ..errors import CallError
from ..opening.files import inside

# What a composite is made of; anything else in a repository, pickles above all, is never fetched.
MODEL_FILES = ("*.json", "*.safetensors", "*.txt", "*.jinja", "*.model", "*.md")
# What an encoder, a decoder or a surrogate is made of: no code, no pickles, and no weights of other formats.
PART_FILES = ("*.json", "*.txt", "*.jinja", "*.model", "*.md", "model*.safetensors", "*/model*.safetensors")
HUB_ARGUMENTS = ("cache_dir", "revision", "token", "local_files_only")


def model_folder(
    name: str,
    revision: str | None = None,
    *,
    files: tuple[str, ...] = MODEL_FILES,
    kind: str = "model",
    subfolder: str = "",
    **hub: Any,
) -> Path:
    """The folder of a model or of a part of one: the one named, else the cached snapshot of a repository of the Hub.

    Args:
        name: a folder, or owner/name[@revision] of the Hub, whose files are fetched if need be.
        files: patterns of those that are fetched; code and pickles never are.
        kind: what messages call it.
        subfolder: where the part lies in it.
        hub: `cache_dir`, `token`, `local_files_only` as in `huggingface_hub.snapshot_download`.

    Raises `CallError` for a repository, revision or subfolder that can not be had.
    """
    root = Path(name)
    if not root.is_dir():
        repository, revision = split_revision(name, revision)
        patterns = tuple(f"{subfolder}/{pattern}" for pattern in files) if subfolder else files
        root = download(repository, patterns, kind=kind, revision=revision, **hub)
    if not subfolder:
        return root
    folder = inside(root, subfolder)
    if not folder.is_dir():
        raise CallError(f"{name} has no {subfolder}/; expected a folder with a model in it")
    return folder


def split_revision(name: str, revision: str | None = None) -> tuple[str, str | None]:
    """Repository and revision of owner/name[@revision], where `revision` is that of a name without one.

    A folder stays what it is.
    """
    if Path(name).is_dir():
        return name, revision
    repository, _, written = name.partition("@")
    return repository, written or revision


def download(name: str, patterns: tuple[str, ...], kind: str = "model", **hub: Any) -> Path:
    """The cached snapshot of a repository with the files that match `patterns`. Raises `CallError`."""
    from huggingface_hub import snapshot_download

    with clear_errors(f"load {kind} {name!r}", name, revision=hub.get("revision"), token=hub.get("token")):
        return Path(snapshot_download(name, allow_patterns=list(patterns), **hub))


@contextmanager
def clear_errors(
    action: str, name: str, *, revision: str | None = None, token: Any = None, kind: str = "model"
) -> Iterator[None]:
    """Turn the errors of the Hub's client, and of reading what it fetched, into one `CallError`.

    Args:
        action: what was tried, as in "can not <action>: ...".
        name: repository id or folder.
        kind: "model", "dataset" or "space".
    """
    try:
        yield
    except CallError:
        raise
    except Exception as error:
        reason = explain(error, name, revision=revision, token=token, kind=kind)
        if reason is None:
            raise
        raise CallError(f"can not {action}: {reason}") from error


@contextmanager
def opened(description: str, name: str, **hub: Any) -> Iterator[None]:
    """Turn whatever a library raises while it reads somebody's files into one `CallError`.

    Args:
        description: kind of what is opened ("model", "encoder", "decoder", "surrogate").
        name: its folder or repository.
        hub: `revision` and `token` that it was asked for with.

    What libraries raise on damaged files is of any type, so all are turned; the cause stays attached.
    """
    try:
        with clear_errors(f"load {description} {name!r}", name, **hub):
            yield
    except CallError:
        raise
    except BaseException as error:
        # A panic of compiled code (tokenizers, safetensors) is no `Exception`.
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        lines = str(error).strip().splitlines()
        reason = lines[0].strip() if lines else type(error).__name__
        if not isinstance(error, (OSError, ValueError)):
            reason = f"{type(error).__name__}: {reason}"
        raise CallError(f"can not load {description} {name!r}: {reason[:400]}") from error


def explain(
    error: BaseException, name: str, *, revision: str | None = None, token: Any = None, kind: str = "model"
) -> str | None:
    """What an error of `huggingface_hub`, `transformers` or `safetensors` means; None if it is none of theirs."""
    from huggingface_hub import constants, errors
    from safetensors import SafetensorError

    chain = list(_chain(error))

    def found(*kinds: type[BaseException]) -> Any:
        return next((each for each in chain if isinstance(each, kinds)), None)

    where = f"the Hub at {constants.ENDPOINT}"
    if found(SafetensorError):
        return (
            f"a safetensors file of {name} is broken ({_first_line(found(SafetensorError))}); expected a whole file: "
            "fetch or write it again"
        )
    if found(errors.GatedRepoError):
        return f"{name} is gated; ask for access on {constants.ENDPOINT}/{name} and use the token of that account"
    status = _status(found(errors.HfHubHTTPError))
    if found(errors.LocalTokenNotFoundError):
        return "no token; give one with --token, in HF_TOKEN, or save one with: hf auth login"
    if found(errors.RepositoryNotFoundError):
        return (
            f"{where} has no {kind} repository {name} that you may see; expected a folder, or owner/name of one that "
            "exists (a private one needs a token: HF_TOKEN, or hf auth login)"
        )
    if found(errors.RevisionNotFoundError):
        return f"{name} has no revision {revision!r}{_existing_revisions(name, token, kind)}"
    if status == 401:
        return f"{where} refused the token; expected a valid one in --token, in HF_TOKEN or saved by: hf auth login"
    if status == 403:
        return f"{where} does not let this account do that; expected a token that may write to {name}"
    if found(errors.EntryNotFoundError) and not found(errors.LocalEntryNotFoundError):
        return f"{name} has not the file: {_first_line(found(errors.EntryNotFoundError))}"
    broken = next((each for each in chain if _is_transport(each)), None)
    if found(errors.OfflineModeIsEnabled) or (broken is None and found(errors.LocalEntryNotFoundError)):
        return f"{name}{f' at {revision!r}' if revision else ''} is not in the cache and the Hub was not to be asked"
    if broken is not None:
        return f"the connection to {where} was lost ({_first_line(broken)}); try again"
    if found(errors.HFValidationError):
        return f"{name!r} is no repository id; expected owner/name"
    card = next((each for each in chain if isinstance(each, ValueError) and "Invalid metadata" in str(each)), None)
    if card is not None:
        return f"{where} refuses the card: {'; '.join(line.strip('- ') for line in str(card).splitlines()[1:])}"
    if status is not None:
        return f"{where} answered {status}: {_first_line(found(errors.HfHubHTTPError))}"
    if isinstance(error, OSError):
        return _first_line(error)
    return None


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__


def _status(error: Any) -> int | None:
    return getattr(getattr(error, "response", None), "status_code", None)


def _is_transport(error: BaseException) -> bool:
    # The client's HTTP library differs between versions of `huggingface_hub`; its errors share these names.
    names = {base.__name__ for base in type(error).__mro__}
    return "TransportError" in names or isinstance(error, ConnectionError)


def _first_line(error: BaseException) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[0].rstrip(".") if lines else type(error).__name__


def _existing_revisions(name: str, token: Any, kind: str) -> str:
    from huggingface_hub import HfApi

    refs = None
    # The answer before was an error, after which a server may close a connection that the client still counts on.
    for _ in range(2):
        with suppress(Exception):
            refs = HfApi(token=token).list_repo_refs(name, repo_type=kind)
            break
    if refs is None:
        # Only an addition to an error message: its own failure must not take that message's place.
        return ""
    tags = [tag.name for tag in refs.tags]
    branches = ", ".join(branch.name for branch in refs.branches)
    return f"; its branches: {branches}" + (f"; its tags: {', '.join(tags)}" if tags else "")


def check_repository_id(name: str) -> str:
    """The name itself if it is owner/name. Raises `CallError` otherwise."""
    if not is_repository_id(name):
        raise CallError(f"{name!r} is no repository id; expected owner/name")
    return name


def local_model(name: str) -> Path:
    """Deprecated: `lhs_hf.models.composite.open_model(name).folder` is the folder of a model by any of its names."""
    warnings.warn(
        "local_model is now lhs_hf.models.composite.open_model(name).folder", DeprecationWarning, stacklevel=2
    )
    return model_folder(resolve_model(name))
