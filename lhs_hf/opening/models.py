"""Opening a model that somebody else made: nothing of it runs, and nothing larger than its files is allocated.

A model folder holds JSON, safetensors and tokenizer files. Before transformers or sentence-transformers read them,
`check_part` looks at all of them: names stay inside the folder, JSON is bounded and names no code (`configs`), module
types are on an exact list (`encoders`), weights are safetensors (`weights`). `check_room` compares a configuration with
the weights before anything of its size is made. Whatever is wrong is a `CallError` of one line.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any

from ..constants import embedded_model, is_repository_id
from ..errors import CallError
from .configs import checked_config
from .files import inside
from .text import one_line
from .weights import check_links, check_weights

FILE_BYTES = 64 * 2**20
ADAPTER = "adapter_config.json"

# Files that another library parses in compiled code: only their size is looked at here.
_TOKENIZERS = ("tokenizer.json", "vocab.json")
_SUFFIXES = (".json", ".txt", ".jinja", ".model", ".md")


def part_location(root: Path | str, name: Any, revision: str | None = None) -> tuple[str, str | None]:
    """Where a part lies that the configuration of the model in `root` names: a folder in it, or one of the Hub.

    Returns a folder, or owner/name with its revision. Raises `CallError` for any other place: a model does not choose
    which files of this machine are read.
    """
    if not isinstance(name, str) or not name.strip():
        raise CallError(f"{root} names its part {name!r:.80}; expected a folder inside it, or owner/name of the Hub")
    if Path(name).is_absolute():
        raise CallError(
            f"{root} names its part {name!r:.200}, a folder of some machine; expected one inside it, or owner/name of "
            "the Hub (what lies elsewhere is named by hand: encoder=, decoder=, or --encoder, --decoder)"
        )
    repository, _, written = name.partition("@")
    hub = is_repository_id(repository)
    folder = inside(root, name)
    if folder.is_dir():
        return str(folder), None
    # A name such as parts/decoder is owner/name too: where the model has a folder of that owner, its own is meant.
    if not hub or inside(root, PurePosixPath(name).parts[0]).is_dir():
        raise CallError(f"{root} has no {one_line(name.rstrip('/'), 80)}/, which its config.json names as a part of it")
    if revision is not None and not isinstance(revision, str):
        raise CallError(f"{root} names the revision {revision!r:.80}; expected a branch, tag or commit")
    return repository, written or revision


def check_tree(root: Path) -> None:
    """Refuse a folder in which a link, at any depth, leaves it: a copy would hold files of somebody else."""
    if not root.resolve().is_relative_to(embedded_model().resolve()):
        for path in root.rglob("*"):
            inside(root, path.relative_to(root).as_posix())


def check_part(folder: Path, *, whole: bool = True) -> int:
    """Check the files of one part (an encoder, decoder, surrogate, or flow and mapper) before a library reads them.

    Returns how many values its weights hold. Not `whole`: files that its index names may be missing. Raises `CallError`
    for links that leave the folder, sizes beyond bounds, JSON that names code or is none, adapters, and weights that
    are no safetensors.
    """
    paths = check_links(folder)
    for path in paths:
        if path.name == ADAPTER:
            raise CallError(f"{path} makes {folder} an adapter of another model; expected a whole model")
        if path.suffix in _SUFFIXES and path.stat().st_size > FILE_BYTES:
            raise CallError(f"{path} is larger than {FILE_BYTES} bytes")
        if path.suffix == ".json" and path.name not in _TOKENIZERS:
            checked_config(path)
    return check_weights(folder, paths, whole=whole)
