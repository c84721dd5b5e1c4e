"""Ways from a parent program to a child: what a true ascent compares."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch

from lhs_hf.corpus.dataset import CorpusRow
from lhs_hf.decoding.budget import Budget
from lhs_hf.errors import CallError, unknown
from lhs_hf.evaluation import Evaluator
from lhs_hf.models.program_editor import ProgramEditor
from lhs_hf.search.ascent import ascend, random_directions
from lhs_hf.search.components import Components
from lhs_hf.search.edits import Accepted, Behaviours, Edit, Known, Parent, Proposal, Proposer, edits
from lhs_hf.search.edits.written import Choice, Editing
from lhs_hf.search.objective import ascent_objective
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks.base import Task

SCREENED = 4
"""Edits drawn from one parent, of which the surrogate keeps one."""

DIRECTED = 8
"""Edits drawn from one parent, of which the one that goes farthest in a direction is kept."""

_FAMILIES = 8
_DRAWS = 10


@dataclass
class Setting:
    """What proposers of one task share: the model's parts, what runs programs, training programs as partners."""

    components: Components
    evaluator: Evaluator
    rows: Sequence[CorpusRow]
    search: SearchSettings
    editor: ProgramEditor | None = None

    @property
    def task(self) -> Task:
        """The task."""
        return self.evaluator.task

    @cached_property
    def behaviours(self) -> Behaviours:
        """Decisions on probe states."""
        return Behaviours(self.evaluator, practice=False)

    @cached_property
    def editing(self) -> Editing:
        """What writes children with the editor: all that choose among them get the same ones of a parent."""
        if self.editor is None:
            raise CallError("the model has no editor; expected one, or --editor FOLDER")
        return Editing(self.editor, self.components, self.evaluator, self.search)

    @cached_property
    def pool(self) -> list[Parent]:
        """The best training program of each of the best families: partners of a crossover."""
        best: dict[str, CorpusRow] = {}
        for row in sorted((row for row in self.rows if row.split == "train"), key=lambda row: (-row.score, row.hash)):
            best.setdefault(row.family, row)
        return [Parent(row.program, row.hash, row.family, row.score) for row in list(best.values())[:_FAMILIES]]


@dataclass(frozen=True)
class Child:
    """A program and what it was made with: the operator of an edit, else the proposer."""

    source: str
    operator: str


Propose = Callable[[Parent, np.random.Generator], Child | None]
"""A child of a parent; None if no program was written."""


def random_edit(setting: Setting) -> Propose:
    """One edit, all operators alike, new in what it decides."""
    table = edits(setting.behaviours)
    proposer = Proposer(setting.task, setting.behaviours)

    def propose(parent: Parent, generator: np.random.Generator) -> Child | None:
        accepted = _drawn(table, proposer, parent, setting.pool, generator)
        return None if accepted is None else Child(accepted.proposal.source, accepted.proposal.operator)

    return propose


def screened_edit(setting: Setting) -> Propose:
    """The one of several such edits whose child the surrogate likes best; the first that a random edit would be."""
    draw, components, evaluator = random_edit(setting), setting.components, setting.evaluator

    def propose(parent: Parent, generator: np.random.Generator) -> Child | None:
        drawn = [draw(parent, generator) for _ in range(SCREENED)]
        children = [child for child in drawn if child is not None]
        sources = [child.source for child in children]
        points = components.embed_many(sources, evaluator.probe_many(sources), setting.task)
        with torch.no_grad():
            values = [-np.inf if point is None else float(components.score(point[None])) for point in points]
        return children[int(np.argmax(values))] if children else None

    return propose


def edit_gradient(setting: Setting) -> Propose:
    """Of several such edits the one whose child has gone farthest along the surrogate's gradient."""
    return _directed(setting, "gradient")


def edit_random(setting: Setting) -> Propose:
    """Of the same edits the one whose child has gone farthest in a random direction."""
    return _directed(setting, "random")


def gradient(setting: Setting) -> Propose:
    """A whole program, decoded where the surrogate's gradient leads within the trust region."""
    return _decoded(setting, "gradient")


def random_direction(setting: Setting) -> Propose:
    """A whole program, decoded as far away as the gradient leads, in a random direction."""
    return _decoded(setting, "random")


def editor_scored(setting: Setting) -> Propose:
    """Of the children that the editor writes the one that the surrogate likes best."""
    return _written(setting, "score")


def editor_target(setting: Setting) -> Propose:
    """Of the children that the editor writes the one farthest along the surrogate's gradient."""
    return _written(setting, "gradient")


def editor_random(setting: Setting) -> Propose:
    """Of the children that the editor writes the one farthest along a random direction."""
    return _written(setting, "random")


def _written(setting: Setting, choose: Choice) -> Propose:
    editing = setting.editing

    def propose(parent: Parent, generator: np.random.Generator) -> Child | None:
        proposal = editing.propose_by(choose, parent, setting.task, generator)
        return None if proposal is None else Child(proposal.source, proposal.operator)

    return propose


def written(edit: Edit, setting: Setting) -> Propose:
    """A proposer from an object with an edit's `propose(parent, pool, task, generator)`, such as an edit decoder."""

    def propose(parent: Parent, generator: np.random.Generator) -> Child | None:
        proposal: Proposal | None = edit.propose(parent, setting.pool, setting.task, generator)
        return None if proposal is None else Child(proposal.source, proposal.operator)

    return propose


PROPOSERS: dict[str, Callable[[Setting], Propose]] = {
    "edit": random_edit,
    "screened": screened_edit,
    "edit_gradient": edit_gradient,
    "edit_random": edit_random,
    "gradient": gradient,
    "random": random_direction,
    "editor": editor_target,
    "editor_scored": editor_scored,
    "editor_random": editor_random,
}


def proposer(name: str, setting: Setting) -> Propose:
    """The proposer of a name: one of `PROPOSERS`, or "module:function", called with the `Setting`.

    The function returns a proposer, or an object with an edit's `propose`. Raises `CallError`.
    """
    if ":" not in name:
        if name not in PROPOSERS:
            raise unknown("proposer", name, PROPOSERS)
        return PROPOSERS[name](setting)
    module, _, function = name.partition(":")
    try:
        made: Any = getattr(importlib.import_module(module), function)(setting)
    except (ImportError, AttributeError) as problem:
        raise CallError(f"no proposer {name!r} ({problem}); expected module:function") from problem
    return written(made, setting) if hasattr(made, "propose") else made


def _drawn(
    table: dict[str, Edit],
    proposer: Proposer,
    parent: Parent,
    pool: Sequence[Parent],
    generator: np.random.Generator,
) -> Accepted | None:
    for _ in range(_DRAWS):
        edit = table[str(generator.choice(list(table)))]
        accepted = proposer.draw(edit, parent, pool, generator, Known())
        if accepted is not None:
            return accepted
    return None


def _destination(setting: Setting, move: str) -> Callable[[torch.Tensor, torch.Generator], torch.Tensor]:
    """From a point (d,) to where the gradient leads (d,), or as far away in a random direction."""
    components, search = setting.components, setting.search
    objective = ascent_objective(components, search, setting.task)

    def destination(start: torch.Tensor, stream: torch.Generator) -> torch.Tensor:
        after = ascend(start[None], start[None], objective, search, components.scale)
        if move == "random":
            length = ((after - start) / components.scale).norm(dim=-1, keepdim=True)
            directions = random_directions((1, len(start)), stream).to(start)
            after = start + length * components.scale * directions
        return after[0]

    return destination


def _directed(setting: Setting, move: str) -> Propose:
    components, evaluator = setting.components, setting.evaluator
    draw, destination = random_edit(setting), _destination(setting, move)

    def propose(parent: Parent, generator: np.random.Generator) -> Child | None:
        stream = torch.Generator().manual_seed(int(generator.integers(2**63)))
        start = components.embed(parent.source, setting.task, evaluator)
        direction = (destination(start, stream) - start) / components.scale**2
        drawn = [draw(parent, generator) for _ in range(DIRECTED)]
        children = [child for child in drawn if child is not None]
        sources = [child.source for child in children]
        points = components.embed_many(sources, evaluator.probe_many(sources), setting.task)
        steps = [-np.inf if point is None else float((point - start) @ direction) for point in points]
        return children[int(np.argmax(steps))] if children else None

    return propose


def _decoded(setting: Setting, move: str) -> Propose:
    components, task, search = setting.components, setting.task, setting.search
    destination = _destination(setting, move)

    def propose(parent: Parent, generator: np.random.Generator) -> Child | None:
        stream = torch.Generator().manual_seed(int(generator.integers(2**63)))
        after = destination(components.embed(parent.source, task, setting.evaluator), stream)[None]
        # Decoding draws from a stream of its own: both moves are decoded with the same one.
        tokens = torch.Generator().manual_seed(int(generator.integers(2**63)))
        components.decoder.budget = Budget(1)
        with setting.evaluator.stepping() as guide:
            decoded = components.decode(after, task, [tokens], search, guide=guide)[0]
        return Child(decoded.source, move) if decoded.finished else None

    return propose
