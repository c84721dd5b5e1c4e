"""The log of edits: one parent, one child, and how they compare on the same fresh training instances."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lhs_hf.corpus.dataset import CorpusRow
from lhs_hf.evaluation import Evaluator
from lhs_hf.evaluation.racing.paired import compare
from lhs_hf.programs import program_hash
from lhs_hf.search.components import Components
from lhs_hf.search.edits import Behaviours, Edit, Parent, Proposal, draw_by_rank, edits, refusal
from lhs_hf.tasks.base import FreshSplit

SOURCES = ("validation", "train")
EDITS = tuple(edits())
"""A restart is a transform of another parent, and no operator of its own here."""

FEW_FAMILIES = 4.0
"""Flatness of the draw of families by rank: of 11, the best comes three times as often as the last."""

# Proposals that decide as their parent are never evaluated by a search: a few, to know what that loses.
_ALIKE = 0.2
_ATTEMPTS = 40
_SPLIT_SEED = 7_041_776


@dataclass(frozen=True)
class Log:
    """Which edits are logged: so many a task and source, on so many fresh instances, with a seed."""

    count: int
    instances: int
    seed: int


def log_task(
    components: Components,
    evaluator: Evaluator,
    rows: Sequence[CorpusRow],
    log: Log,
    file: Path,
    progress: Callable[[int, int], None],
) -> None:
    """Append every edit of a task that `file` (JSON lines) does not hold yet.

    An edit follows from its source, its number and the log's seed alone. Parents are drawn from programs of its source:
    a family by rank, then one of its programs by rank; operators take turns. A record holds: task, source, number,
    family, operator, parent, child (texts), parent_quantile (of the corpus' training programs); gain, error, better
    (`racing.compare`), status and seconds of both; changed (decisions on probe states that differ), characters (child
    minus parent), u_parent and u_child (128 numbers; None if it can not be encoded).
    """
    done = {(each["source"], each["number"]) for each in read(file)}
    waiting = [key for number in range(log.count) for key in ((s, number) for s in SOURCES) if key not in done]
    split = evaluator.task.fresh_split(_SPLIT_SEED + log.seed, log.instances)
    logger = _Logger(components, evaluator, rows, split)
    for place, (source, number) in enumerate(waiting):
        name = evaluator.task.name
        generator = np.random.default_rng([log.seed, zlib.crc32(name.encode()), SOURCES.index(source), number])
        record = logger.record(source, EDITS[number % len(EDITS)], generator)
        with file.open("a") as stream:
            stream.write(json.dumps({"task": name, "source": source, "number": number, **record}) + "\n")
        progress(place + 1, len(waiting))


def read(file: Path) -> list[dict[str, Any]]:
    """The records of a file; those without a child (no edit applied) are marked by `child` None."""
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []


class _Logger:
    def __init__(
        self, components: Components, evaluator: Evaluator, rows: Sequence[CorpusRow], split: FreshSplit
    ) -> None:
        self._components, self._evaluator, self._split = components, evaluator, split
        self._behaviours = Behaviours(evaluator, practice=False)
        self._edits: dict[str, Edit] = edits(self._behaviours)
        self._scores = np.sort([row.score for row in rows if row.split == "train"])
        self._families: dict[str, list[list[Parent]]] = {}
        for source in SOURCES:
            families: dict[str, list[Parent]] = {}
            for row in rows:
                if row.split == source:
                    parent = Parent(row.program, row.hash, row.family, row.score)
                    families.setdefault(row.family, []).append(parent)
            self._families[source] = [sorted(each, key=lambda p: -p.score) for each in families.values()]

    def record(self, source: str, operator: str, generator: np.random.Generator) -> dict[str, Any]:
        families = self._families[source]
        pool = [parent for members in families for parent in members[:3]]
        for _ in range(_ATTEMPTS):
            members = draw_by_rank(families, generator, lambda each: each[0].score, FEW_FAMILIES)
            parent = draw_by_rank(members, generator, lambda each: each.score)
            proposal = self._edits[operator].propose(parent, pool, self._evaluator.task, generator)
            if proposal is not None and refusal(proposal.source, self._evaluator.task, {parent.hash}) is None:
                changed = self._changed(parent.source, proposal.source)
                if changed is not None and (changed > 0 or generator.random() < _ALIKE):
                    return self._measured(parent, proposal, changed)
        return {"operator": operator, "child": None}

    def _changed(self, parent: str, child: str) -> int | None:
        before, after = self._behaviours.decisions(parent), self._behaviours.decisions(child)
        return None if before is None or after is None else int((before != after).sum())

    def _measured(self, parent: Parent, proposal: Proposal, changed: int) -> dict[str, Any]:
        sources = [parent.source, proposal.source]
        evaluations = self._evaluator.evaluate_many(sources, self._split)
        before, after = evaluations
        alpha = self._evaluator.task.alpha
        compared = compare(after.objectives, before.objectives, alpha) if before.ok and after.ok else None
        embedded = self._components.embed_many(sources, self._evaluator.probe_many(sources), self._evaluator.task)
        points = [None if point is None else [round(x, 5) for x in point.tolist()] for point in embedded]
        return {
            "family": parent.family,
            "operator": proposal.operator,
            "parent": parent.source,
            "child": proposal.source,
            "child_hash": program_hash(proposal.source),
            "parent_quantile": float(np.searchsorted(self._scores, parent.score) / len(self._scores)),
            "gain": compared.gain if compared else None,
            "error": compared.error if compared else None,
            "better": compared.better if compared else None,
            "status": [before.status, after.status],
            "seconds": [before.runtime_s, after.runtime_s],
            "changed": changed,
            "characters": len(proposal.source) - len(parent.source),
            "u_parent": points[0],
            "u_child": points[1],
        }
