"""Names that the whole package agrees on."""

from __future__ import annotations

from pathlib import Path

DEFAULT_MODEL = "lhs-hf/lhs-tiny"
PIPELINE_TASK = "latent-heuristic-search"

_EMBEDDED = Path(__file__).parent / "pretrained" / "lhs-tiny"


def embedded_model() -> Path:
    """The folder of the default model that ships inside the package."""
    return _EMBEDDED


def resolve_model(name: str) -> str:
    """Where a model is loaded from: the embedded folder for the default model, else the name itself.

    `name` is "lhs-tiny", "lhs-hf/lhs-tiny", a folder, or any Hub repository id. A folder of that name in the working
    directory comes first.
    """
    if name in (DEFAULT_MODEL, DEFAULT_MODEL.split("/")[1]) and not Path(name, "config.json").is_file():
        return str(_EMBEDDED)
    return name
