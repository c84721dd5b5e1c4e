"""Edits that a model writes: of several children of a parent the one that the surrogate likes best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

import numpy as np
import torch
from torch import Tensor

from ...corpus.dataset import load_corpus
from ...corpus.novelty import NEW_BEHAVIOUR
from ...decoding.spans import Span
from ...evaluation.behaviour import PROBE_COUNT
from ...models.modeling_editor import EditCondition
from ...models.program_editor import EditSampling, ProgramEditor, ReadParent, WrittenEdit
from ...recent import Recent
from ...tasks.base import Task
from ..ascent import ascend, random_directions
from ..objective import ascent_objective
from ..settings import SearchSettings
from .behaviours import REMEMBERED, Behaviours
from .parents import Parent, Proposal
from .proposer import refusal

if TYPE_CHECKING:
    from ...evaluation import Evaluator
    from ..components import Components


Choice = Literal["score", "gradient", "random"]


@dataclass(frozen=True)
class WrittenSettings:
    """How children are written.

    Attributes:
        children: written of one parent at a time, of which one is proposed.
        fewest: children that decide as no program that is known (`Editing`); more are written as long as there are
            fewer.
        rounds: how often children are written at most.
        change: the wanted change of the score's quantile, from 1 (much worse) to 5 (much better), 0 for none.
        choose: of the children the one that the surrogate scores highest ("score"), or the one whose point has gone
            farthest along the surrogate's gradient ("gradient") or along a random direction ("random").
        sampling: temperature, nucleus and guidance.
    """

    children: int = 16
    fewest: int = 12
    rounds: int = 12
    change: int = 0
    choose: Choice = "score"
    sampling: EditSampling = field(default_factory=lambda: EditSampling(temperature=0.7, max_actions=24))


class Editing:
    """The best by the surrogate of the children that an editor writes; any of them where none is fitted.

    What a program decides is known once it runs on the probe states, which costs no evaluation: children are written,
    run there and encoded, and one is proposed by its point u (`WrittenSettings.choose`). It is one of those that decide
    otherwise than the parent and than every training program of the task, on at least `NEW_BEHAVIOUR` of the probe
    states, if there are any: what is known already need not be written.

    Args:
        editor: writes children.
        components: encoder, flow and surrogate of the task.
        evaluator: runs parents and children on the probe states.
        search: steps, radius and objective of the ascent.
        settings: how children are written.
    """

    name = "editor"

    def __init__(
        self,
        editor: ProgramEditor,
        components: Components,
        evaluator: Evaluator,
        search: SearchSettings,
        settings: WrittenSettings = WrittenSettings(),
    ) -> None:
        self._editor, self._components, self._evaluator = editor, components, evaluator
        self._search, self._settings = search, settings
        self._behaviours = Behaviours(evaluator, practice=False)
        self._known = _training_decisions(evaluator.task)
        self._points: Recent[str, Tensor | None] = Recent(REMEMBERED)
        self._last: tuple[tuple[str, int] | None, dict[str, WrittenEdit]] = (None, {})

    def propose(
        self, parent: Parent, pool: Sequence[Parent], task: Task, generator: np.random.Generator
    ) -> Proposal | None:
        """A child of the parent; None if the editor or the encoder can not read it, or wrote none that is new."""
        return self.propose_by(self._settings.choose, parent, task, generator)

    def propose_by(self, choose: Choice, parent: Parent, task: Task, generator: np.random.Generator) -> Proposal | None:
        """The same, chosen otherwise than the settings say; of one parent and draw the same children are written."""
        try:
            read = self._editor.parent(parent.source, task)
        except ValueError:
            return None
        start = self.point(parent.source, task)
        if start is None:
            return None
        # Streams of their own: what is written does not depend on where it is to go.
        noise, other = (torch.Generator().manual_seed(int(seed)) for seed in generator.integers(2**63, size=2))
        direction = self.direction(start, task, other, choose)
        written = (parent.hash, noise.initial_seed())
        if self._last[0] != written:
            self._last = written, self._new_children(read, parent, task, noise)
        edits = self._last[1]
        points = {source: self.point(source, task) for source in edits}
        known = {source: point for source, point in points.items() if point is not None}
        values = {source: self._value(point, start, direction, choose) for source, point in known.items()}
        if not values:
            return None
        edit = edits[max(values, key=lambda source: values[source])]
        changes = tuple(self._change(read, span) for span in edit.spans)
        return Proposal(edit.source, self.name, (parent.hash,), changes, parent.family)

    def _new_children(
        self, read: ReadParent, parent: Parent, task: Task, noise: torch.Generator
    ) -> dict[str, WrittenEdit]:
        """By text, the children that decide as nothing known; without any, those that differ from the parent."""
        settings = self._settings
        written: set[str] = set()
        edits: dict[str, WrittenEdit] = {}
        new: dict[str, WrittenEdit] = {}
        own = self._behaviours.decisions(parent.source)
        known = self._known if own is None else np.vstack([self._known, own])
        for _ in range(settings.rounds):
            for edit in self.children(read, noise):
                if edit.source in written:
                    continue
                written.add(edit.source)
                if self._differs(edit, parent, task):
                    edits[edit.source] = edit
                    if self._is_new(edit.source, known):
                        new[edit.source] = edit
            if len(new) >= settings.fewest:
                break
        return new or edits

    def point(self, source: str, task: Task) -> Tensor | None:
        """The point (d,) of a program; None if the encoder can not read it."""
        if source not in self._points:
            try:
                self._points[source] = self._components.embed(source, task, self._evaluator)
            except ValueError:
                self._points[source] = None
        return self._points[source]

    def direction(self, start: Tensor, task: Task, noise: torch.Generator, choose: Choice) -> Tensor:
        """From a point (d,) to where the gradient leads, or a random direction: (d,), in standard deviations."""
        if choose != "random" and self._components.fitted:
            objective = ascent_objective(self._components, self._search, task)
            target = ascend(start[None], start[None], objective, self._search, self._components.scale)[0]
            return (target - start) / self._components.scale**2
        return random_directions((1, len(start)), noise)[0] / self._components.scale

    @torch.no_grad()
    def _value(self, point: Tensor, start: Tensor, direction: Tensor, choose: Choice) -> float:
        if choose == "score" and self._components.fitted:
            return float(self._components.score(point[None]))
        return float((point - start) @ direction)

    def children(self, read: ReadParent, noise: torch.Generator) -> list[WrittenEdit]:
        """What the editor writes of a parent, if it ends."""
        settings, config = self._settings, self._editor.editor.config
        rows = (1, settings.children)
        nothing = torch.zeros(rows, dtype=torch.bool)
        condition = EditCondition(
            parent=torch.zeros(1, config.latent_size),
            target=torch.zeros(*rows, config.latent_size),
            known=nothing,
            noise=torch.zeros(rows),
            change=torch.full(rows, settings.change, dtype=torch.long),
            difference=torch.zeros(*rows, config.sketch_size),
            told=nothing,
            finishing=nothing,
        )
        return self._editor.sample(read, condition, noise, settings.sampling)

    def _is_new(self, source: str, known: np.ndarray) -> bool:
        decisions = self._behaviours.decisions(source)
        if decisions is None or not self._behaviours.tell:
            return True
        return bool(((known != decisions).mean(axis=1) >= NEW_BEHAVIOUR).all())

    def _differs(self, edit: WrittenEdit, parent: Parent, task: Task) -> bool:
        if refusal(edit.source, task, {parent.hash}) is not None or self._behaviours.breaks(edit.source, parent.source):
            return False
        return self._behaviours.key(edit.source) not in (None, self._behaviours.key(parent.source))

    def _change(self, read: ReadParent, span: Span) -> str:
        tokens = self._editor.vocabulary.tokens
        before, after = read.program.tokens[span.start : span.stop], span.tokens
        texts = (" ".join(tokens[token] for token in part) or "nothing" for part in (before, after))
        return " -> ".join(text if len(text) <= 60 else f"{text[:57]}..." for text in texts)


def _training_decisions(task: Task) -> np.ndarray:
    """What the training programs of a task decide on its probe states, int64 (N, 64); no row without a corpus."""
    try:
        rows = load_corpus(task.name, "train")
    except FileNotFoundError:
        rows = []
    return np.stack([row.decisions for row in rows]) if rows else np.empty((0, PROBE_COUNT), dtype=np.int64)
