"""Names that the whole package agrees on."""

from __future__ import annotations

import re
from pathlib import Path

from .errors import CallError

DEFAULT_MODEL = "lhs-hf/lhs-tiny"
CORPUS_REPOSITORY = "lhs-hf/heuristic-programs"
PIPELINE_TASK = "latent-heuristic-search"

SCREENED = "screened"
"""The status of a program that was decoded and passed over for another of its point, without an evaluation."""

SURROGATE_FOLDERS = {"prior": "surrogates", "latent": "surrogates-latent"}
"""Where a model folder holds the surrogates of each space, a folder a task."""

EDITOR_FOLDER = "editor"
"""Where a model folder holds what writes edits of programs; a model may have none."""

_EMBEDDED = Path(__file__).parent / "pretrained" / "lhs-tiny"


def embedded_model() -> Path:
    """The folder of the default model that ships inside the package."""
    return _EMBEDDED


def resolve_model(name: str) -> str:
    """Where a model is loaded from: the embedded folder for the default model, else the name itself.

    `name` is "lhs-tiny", "lhs-hf/lhs-tiny", a folder, or any Hub repository id, with @revision behind it or not. A
    folder of that name in the working directory comes first. Raises `CallError` for a name that can be none of these.
    """
    short = DEFAULT_MODEL.split("/")[1]
    if Path(name, "config.json").is_file():
        return name
    if name in (DEFAULT_MODEL, short):
        return str(_EMBEDDED)
    if Path(name).is_dir():
        raise CallError(f"{name} is a folder without config.json; expected a model written by save_pretrained")
    if not re.fullmatch(r"[\w.-]+/[\w.-]+(@[\w./-]+)?", name):
        raise CallError(
            f"unknown model {name!r}; it can be: {short}, a folder, or a Hub repository owner/name[@revision]"
        )
    return name


def is_repository_id(name: str) -> bool:
    """Whether a name is owner/name of the Hub, and no path such as ../name."""
    return bool(re.fullmatch(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", name)) and ".." not in name and "--" not in name
