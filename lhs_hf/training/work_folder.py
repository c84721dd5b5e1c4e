"""The folder that a training works in: which recipe it belongs to, and which stages are complete. Needs no torch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ..errors import CallError
from ..opening.folders import write_text

RECIPE_FILE = "recipe.json"
NOTES_FILE = "stages.json"
EXPORT = "export"
LATENTS = "latents.safetensors"
# What trainings leave in their folders: without a recipe beside it, nothing says what it was made with.
_RESULTS = (
    NOTES_FILE, "pair.json", "training_log.json", "training_settings.json", LATENTS, "variants", "tokenizer",
    "autoencoder", "mapper", "flow", "surrogates", "surrogates-latent", EXPORT,
)  # fmt: skip
_MOST_NAMED = 3


class WorkFolder:
    """A folder that belongs to one recipe.

    `recipe` is everything that the results depend on, as plain data; how many processes work on them and what is shown
    meanwhile is no part of it. It is one for all stages: each depends on all earlier ones and on its own settings, and
    a folder whose stages agree in part would be hard to explain.

    Raises `CallError` for a folder that was begun with another recipe, or whose recipe is not known. Nothing is written
    before `begin`.
    """

    def __init__(self, path: Path | str, recipe: Mapping[str, Any]) -> None:
        self.path = Path(path)
        self._recipe = json.loads(json.dumps(recipe))
        self._check()

    def __truediv__(self, name: str) -> Path:
        return self.path / name

    def begin(self) -> None:
        """Make the folder and write its recipe; does nothing in one that was begun."""
        self._check()
        if not (self / RECIPE_FILE).exists():
            self.path.mkdir(parents=True, exist_ok=True)
            self.write_json(RECIPE_FILE, self._recipe)

    def write_json(self, name: str, value: Any) -> None:
        """Write a file of the folder, whole or not at all."""
        write_text(self / name, json.dumps(value, indent=1) + "\n")

    def notes(self) -> dict[str, Any]:
        """What is known about each complete stage, in the order in which they ended."""
        return _read(self / NOTES_FILE) if (self / NOTES_FILE).exists() else {}

    def is_complete(self, stage: str, results: Iterable[str]) -> bool:
        """Whether a stage has ended and all its results (paths in this folder) are there."""
        paths = [self / name for name in results]
        return stage in self.notes() and bool(paths) and all(path.exists() for path in paths)

    def complete(self, stage: str, note: Mapping[str, Any]) -> None:
        """Record that a stage has ended."""
        self.write_json(NOTES_FILE, {**self.notes(), stage: dict(note)})

    def _check(self) -> None:
        path = self / RECIPE_FILE
        if path.exists():
            self._compare(_flat(_read(path)), _flat(self._recipe))
            return
        for name in _RESULTS:
            if (self / name).exists():
                raise CallError(
                    f"{self.path} holds {name} and no {RECIPE_FILE}, so nothing says how it was made; expected a "
                    "folder that this version began, or a new one (--output another folder)"
                )

    def _compare(self, theirs: dict[str, Any], ours: dict[str, Any]) -> None:
        names = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
        # The seed goes into every part, and other tasks are other programs: said once.
        names = [name for name in names if not (name.endswith(".seed") and "seed" in names)]
        names = [name for name in names if not (name == "corpus" and "tasks" in names)]
        if not names:
            return
        told = [f"{name} {_short(theirs.get(name))}, not {_short(ours.get(name))}" for name in names[:_MOST_NAMED]]
        more = f", and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        raise CallError(
            f"{self.path} was begun with {'; '.join(told)}{more}; expected the recipe it was begun with, or another "
            "folder (--output another folder)"
        )


def files_digest(paths: Iterable[Path]) -> str:
    """A digest of the names and bytes of some files, whichever folder they lie in."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.parent.name}/{path.name}\n".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def corpus_digest(folder: Path, tasks: Iterable[str]) -> str:
    """A digest of a corpus folder's programs of some tasks."""
    return files_digest(path for task in tasks for path in sorted((folder / task).glob("*.parquet")))


def _read(path: Path) -> dict[str, Any]:
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise CallError(f"can not read {path}: {error}; expected another folder (--output another folder)") from None
    if not isinstance(values, dict):
        raise CallError(f"{path} holds no names and values; expected another folder (--output another folder)")
    return values


def _flat(values: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in values.items():
        flat.update(_flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value})
    return flat


def _short(value: Any) -> str:
    text = "unset" if value is None else ", ".join(value) if _is_names(value) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _is_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)
