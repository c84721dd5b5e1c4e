"""Where the language models of a comparison come from: a name, a server, or what was recorded in another grid."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from ..errors import CallError
from ..language import HubModel, LanguageModel, LocalModel, ServerModel, Transcript
from ..opening.text import one_line
from .cell import Cell
from .store import DATABASE_NAME, GridDatabase, open_grid

HUB = "hub:"


class LanguageSource(Protocol):
    """Gives the language model of a cell."""

    @property
    def name(self) -> str:
        """What the grid says of it."""

    def check(self) -> None:
        """Raise `CallError` where no model can be had: before the first cell."""

    def model(self, cell: Cell) -> LanguageModel:
        """The model of a cell. Raises `CallError`."""


@dataclass(frozen=True)
class Named:
    """A model of `transformers` by its name or folder; with `base_url` a model of that server (`ServerModel`).

    `hub:NAME` is asked of the Hub's inference providers (`HubModel`).
    """

    name: str
    base_url: str | None = None
    key_variable: str = "OPENAI_API_KEY"
    per_minute: int | None = None
    device: str | None = None

    def check(self) -> None:
        """Load the model, or look whether its server is there."""
        model = _opened(self)
        if isinstance(model, ServerModel):
            model.check()

    def model(self, cell: Cell) -> LanguageModel:
        """One model for all cells of a process."""
        return _opened(self)


@lru_cache(maxsize=1)
def _opened(source: Named) -> LanguageModel:
    if source.base_url is not None:
        return ServerModel(source.name, source.base_url, key_variable=source.key_variable, per_minute=source.per_minute)
    if source.name.startswith(HUB):
        return HubModel(source.name.removeprefix(HUB))
    try:
        return LocalModel(source.name, device=source.device)
    except (OSError, ValueError) as problem:
        raise CallError(f"no language model {source.name!r}: {one_line(problem, 200)}") from None


@dataclass(frozen=True)
class Replay:
    """What the language models of another grid said, cell by cell."""

    folder: Path

    @property
    def name(self) -> str:
        """The model that was recorded."""
        return str(open_grid(self.folder).about.get("language_model", ""))

    def check(self) -> None:
        """Raise `CallError` for a folder without a grid."""
        open_grid(self.folder)

    def model(self, cell: Cell) -> LanguageModel:
        """The transcript of the same cell."""
        with GridDatabase(self.folder / DATABASE_NAME) as database:
            text = database.transcript(cell)
        if not text:
            raise CallError(f"{self.folder} has no transcript of {cell.name}")
        with TemporaryDirectory(prefix="lhs-replay-") as folder:
            path = Path(folder) / f"{cell.name}.jsonl"
            path.write_text(text, "utf-8")
            return Transcript(path)


@dataclass(frozen=True)
class Given:
    """A model that is an object already; for one process."""

    language_model: LanguageModel
    name: str = "given"

    def check(self) -> None:
        """It is there."""

    def model(self, cell: Cell) -> LanguageModel:
        """Itself."""
        return self.language_model
