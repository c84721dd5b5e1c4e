"""Screening: of several programs decoded from one point, the one that its behaviour speaks for is evaluated."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np
import torch

from ..evaluation import Evaluator
from ..evaluation.behaviour import Behaviour
from ..tasks.base import Task
from .database import PENDING, SCREENED, Candidate
from .settings import SearchSettings

if TYPE_CHECKING:
    from .components import Components


def screening_values(
    components: Components,
    sources: Sequence[str],
    behaviours: Sequence[Behaviour | None],
    targets: np.ndarray,
    task: Task,
    nearness: float,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How much speaks for each decoded program, from its decisions on probe states alone: no benchmark split is read.

    Args:
        sources: N programs. `behaviours`: what each does on the probe states, None if it does not run.
        targets: (N, d), the point each was decoded from.
        nearness: weight of the distance between target and re-encoded program.

    Returns:
        Values, predicted scores and distances, float64 (N,). The value is R(E(p)) - nearness * distance / sqrt(d),
        with the distance in standard deviations. Programs that do not run or can not be encoded have the value -inf
        and NaN for the other two.
    """
    predicted, distance = np.full(len(sources), np.nan), np.full(len(sources), np.nan)
    points = components.embed_many(sources, behaviours, task)
    readable = [row for row, point in enumerate(points) if point is not None]
    if readable:
        encoded = torch.stack([point for point in points if point is not None])
        offset = (encoded - torch.from_numpy(targets[readable])) / components.scale
        distance[readable] = offset.norm(dim=-1).double().numpy()
        with torch.no_grad():
            predicted[readable] = components.score(encoded).double().numpy()
    values = predicted - nearness * distance / np.sqrt(targets.shape[1])
    return np.where(np.isnan(values), -np.inf, values), predicted, distance


def screen(
    fresh: Sequence[Candidate],
    known: dict[str, int],
    components: Components,
    evaluator: Evaluator,
    settings: SearchSettings,
) -> None:
    """Choose among the fresh candidates of each point the one to evaluate; the others become `screened`.

    A program that this search has evaluated already is passed over in favour of the next best, and stands for its
    point only if all others have been evaluated too: then it repeats their result. Failures of decoding and parsing
    keep their status.

    Args:
        fresh: candidates as they were decoded, point by point; those that can be evaluated are pending.
        known: id of the candidate that each program (by hash) is evaluated as; grows by those chosen.
    """
    pending = [candidate for candidate in fresh if candidate.status == PENDING]
    if settings.screening > 1 and pending:
        targets = np.stack([candidate.after for candidate in pending if candidate.after is not None])
        sources = [candidate.program for candidate in pending]
        values, predicted, distance = screening_values(
            components, sources, evaluator.probe_many(sources), targets, evaluator.task, settings.nearness
        )
        for row, candidate in enumerate(pending):
            if np.isfinite(values[row]):
                candidate.predicted_program = float(predicted[row])
                candidate.program_distance = float(distance[row])
        order = {candidate.id: (-values[row], candidate.id) for row, candidate in enumerate(pending)}
        pending.sort(key=lambda candidate: (candidate.point, order[candidate.id]))
    for _, group in groupby(pending, key=lambda candidate: candidate.point):
        ranked = list(group)
        chosen = next((candidate for candidate in ranked if candidate.program_hash not in known), ranked[0])
        for candidate in ranked:
            candidate.duplicate_of = known.get(candidate.program_hash or "")
            if candidate is not chosen:
                candidate.status = SCREENED
        known.setdefault(chosen.program_hash or "", chosen.id)
