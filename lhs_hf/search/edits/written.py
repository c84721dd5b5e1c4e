"""Edits that a model writes: a child of the parent towards a point of the latent space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from ...decoding.spans import Span
from ...models.modeling_editor import EditCondition
from ...models.program_editor import EditSampling, ProgramEditor, ReadParent, WrittenEdit
from ...tasks.base import Task
from ..ascent import ascend, random_directions
from ..settings import SearchSettings
from .parents import Parent, Proposal
from .proposer import refusal

if TYPE_CHECKING:
    from ...evaluation import Evaluator
    from ..components import Components


@dataclass(frozen=True)
class WrittenSettings:
    """How children are written.

    Attributes:
        targets: points that the children of one parent are written towards, one child each.
        radius: the farthest of them from the parent, in standard deviations of the searched space.
        steps: of the ascent.
        jitter: length of a random displacement before the ascent, as a share of the radius.
        noise: what the editor is told of how far a target may be off, as a share of its distance.
        change: the wanted change of the score's quantile, from 1 (much worse) to 5 (much better), 0 for none.
        choice: which of the children is proposed: "first" that passes, the "likeliest" one, or the
            "best" one by the surrogate once it has been run on the probes and encoded.
        sampling: temperature, nucleus and guidance.
    """

    targets: int = 8
    radius: float = 6.0
    steps: int = 5
    jitter: float = 0.5
    noise: float = 0.5
    change: int = 0
    choice: str = "first"
    sampling: EditSampling = field(default_factory=EditSampling)


class Editing:
    """A child that an editor writes, towards a better point by the surrogate, or a random one where none is fitted.

    Nothing is kept between proposals but the points of parents, which follow from their texts.

    Args:
        editor: writes children.
        components: encoder, flow and surrogate of the task.
        evaluator: runs parents (and children, for the choice "best") on the probe states.
        settings: how children are written.
    """

    name = "editor"

    def __init__(
        self,
        editor: ProgramEditor,
        components: Components,
        evaluator: Evaluator,
        settings: WrittenSettings = WrittenSettings(),
    ) -> None:
        self._editor, self._components, self._evaluator, self._settings = editor, components, evaluator, settings
        self._points: dict[str, Tensor | None] = {}

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A child of the parent; None if the editor or the encoder can not read it, or wrote none that parses."""
        try:
            read = self._editor.parent(parent.source, task)
        except ValueError:
            return None
        point = self.point(parent.source, task)
        if point is None:
            return None
        noise = torch.Generator().manual_seed(int(generator.integers(2**63)))
        written = self.children(read, point, self.targets(point, noise), noise)
        written = [each for each in written if refusal(each.source, task, {parent.hash}) is None]
        edit = self._chosen(written, task)
        if edit is None:
            return None
        changes = tuple(self._change(read, span) for span in edit.spans)
        return Proposal(edit.source, self.name, (parent.hash,), changes, parent.family)

    def point(self, source: str, task: Task) -> Tensor | None:
        """The point (d,) of a program; None if the encoder can not read it."""
        if source not in self._points:
            try:
                self._points[source] = self._components.embed(source, task, self._evaluator)
            except ValueError:
                self._points[source] = None
        return self._points[source]

    def targets(self, point: Tensor, noise: torch.Generator) -> Tensor:
        """Points (R, d) within the radius of one: climbed by the surrogate from random starts, or random ones."""
        settings, scale = self._settings, self._components.scale
        centres = point.expand(settings.targets, -1)
        directions = random_directions((settings.targets, len(point)), noise)
        lengths = settings.radius * torch.rand(settings.targets, 1, generator=noise)
        if not self._components.fitted:
            return centres + lengths * scale * directions
        starts = centres + settings.jitter * lengths * scale * directions
        climbing = SearchSettings(steps=settings.steps, radius=settings.radius)
        return ascend(starts, centres, self._components.score, climbing, scale)

    def children(self, read: ReadParent, point: Tensor, targets: Tensor, noise: torch.Generator) -> list[WrittenEdit]:
        """What the editor writes of a parent at `point` (d,) towards each of `targets` (R, d), if it ends."""
        settings, count = self._settings, len(targets)
        latents = self._components.to_latents(torch.cat([point[None], targets])).float().cpu()
        condition = EditCondition(
            latents[:1],
            latents[None, 1:],
            torch.ones(1, count, dtype=torch.bool),
            torch.full((1, count), settings.noise),
            torch.full((1, count), settings.change, dtype=torch.long),
        )
        return self._editor.sample(read, condition, noise, settings.sampling)

    def _chosen(self, written: Sequence[WrittenEdit], task: Task) -> WrittenEdit | None:
        if not written or self._settings.choice == "first":
            return written[0] if written else None
        if self._settings.choice == "likeliest":
            return max(written, key=lambda edit: edit.log_probability)
        points = [(edit, self.point(edit.source, task)) for edit in written]
        scores = [(-np.inf if at is None else float(self._components.score(at[None])[0]), edit) for edit, at in points]
        return max(scores, key=lambda pair: pair[0])[1]

    def _change(self, read: ReadParent, span: Span) -> str:
        tokens = self._editor.vocabulary.tokens
        before, after = read.program.tokens[span.start : span.stop], span.tokens
        texts = (" ".join(tokens[token] for token in part) or "nothing" for part in (before, after))
        return " -> ".join(text if len(text) <= 60 else f"{text[:57]}..." for text in texts)
