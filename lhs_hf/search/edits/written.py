"""Edits that a model writes: a child of the parent whose sketch lies in a wanted direction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from ...decoding.spans import Span
from ...models.modeling_editor import EditCondition
from ...models.program_editor import EditSampling, ProgramEditor, ReadParent, WrittenEdit
from ...tasks.base import Task
from .parents import Parent, Proposal
from .proposer import refusal

Directions = Callable[[int, np.random.Generator], Tensor]
"""Directions (count, D) in which children are wanted; their lengths do not matter."""


@dataclass(frozen=True)
class WrittenSettings:
    """How children are written.

    Attributes:
        children: written of one parent; the first that parses is proposed.
        reach: length of the wanted difference of sketches: a word that changes with its two pairs has sqrt(6).
        change: the wanted change of the score's quantile, from 1 (much worse) to 5 (much better), 0 for none.
        sampling: temperature, nucleus and guidance.
    """

    children: int = 8
    reach: float = 4.0
    change: int = 0
    sampling: EditSampling = field(default_factory=lambda: EditSampling(max_actions=24))


class Editing:
    """A child that an editor writes in the direction of a slope, such as `Slope.draw`, or in a random one.

    Args:
        editor: writes children.
        directions: where to; None takes random ones.
        settings: how children are written.
    """

    name = "editor"

    def __init__(
        self,
        editor: ProgramEditor,
        directions: Directions | None = None,
        settings: WrittenSettings = WrittenSettings(),
    ) -> None:
        self._editor, self._settings = editor, settings
        self._directions = directions or self._random

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A child of the parent; None if the editor can not read it, or wrote none that parses."""
        try:
            read = self._editor.parent(parent.source, task)
        except ValueError:
            return None
        directions = self._directions(self._settings.children, generator)
        noise = torch.Generator().manual_seed(int(generator.integers(2**63)))
        for edit in self.children(read, directions, noise):
            if refusal(edit.source, task, {parent.hash}) is None:
                changes = tuple(self._change(read, span) for span in edit.spans)
                return Proposal(edit.source, self.name, (parent.hash,), changes, parent.family)
        return None

    def children(self, read: ReadParent, directions: Tensor, noise: torch.Generator) -> list[WrittenEdit]:
        """What the editor writes of a parent in each of the directions (R, D), if it ends."""
        settings, config = self._settings, self._editor.editor.config
        rows = (1, len(directions))
        nothing = torch.zeros(rows, dtype=torch.bool)
        condition = EditCondition(
            parent=torch.zeros(1, config.latent_size),
            target=torch.zeros(*rows, config.latent_size),
            known=nothing,
            noise=torch.zeros(rows),
            change=torch.full(rows, settings.change, dtype=torch.long),
            difference=settings.reach * functional.normalize(directions, dim=-1)[None],
            told=~nothing,
            finishing=nothing,
        )
        return self._editor.sample(read, condition, noise, settings.sampling)

    def _random(self, count: int, generator: np.random.Generator) -> Tensor:
        size = self._editor.editor.config.sketch_size
        return torch.from_numpy(generator.standard_normal((count, size))).float()

    def _change(self, read: ReadParent, span: Span) -> str:
        tokens = self._editor.vocabulary.tokens
        before, after = read.program.tokens[span.start : span.stop], span.tokens
        texts = (" ".join(tokens[token] for token in part) or "nothing" for part in (before, after))
        return " -> ".join(text if len(text) <= 60 else f"{text[:57]}..." for text in texts)
