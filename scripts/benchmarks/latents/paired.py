"""The paired test: from each parent, every move is decoded with the same random streams, evaluated and recorded."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lhs_hf import programs
from lhs_hf.corpus.dataset import CorpusRow
from lhs_hf.corpus.novelty import Reference, tolerance
from lhs_hf.decoding.budget import Budget
from lhs_hf.decoding.program import GeneratedProgram
from lhs_hf.evaluation import Evaluator
from lhs_hf.search.components import Components
from lhs_hf.search.database import SCREENED, UNDECODABLE
from lhs_hf.search.screening import screening_values
from lhs_hf.search.settings import SearchSettings

from .moves import FIXED_MOVES, MOVES, choose_parents, move_points, stream
from .records import Group, RecordStore


@dataclass(frozen=True)
class PairedSettings:
    """How a paired test is made.

    `search` gives the ascent (steps, uncertainty, prior_weight), the decoder's temperature and top_p, guidance and
    nearness; its radius is replaced by each of `radii`. `screening` lists the numbers of decodes among which one is
    chosen; their largest is decoded. `batch`: programs decoded together.
    """

    search: SearchSettings
    radii: tuple[float, ...]
    parents: int = 100
    screening: tuple[int, ...] = (1,)
    moves: tuple[str, ...] = MOVES
    seed: int = 0
    batch: int = 32


@dataclass(frozen=True)
class _Target:
    """One move of one parent: where it leads and what is predicted there."""

    group: Group
    point: Tensor
    length: float
    predicted: float


def measure_task(
    components: Components,
    evaluator: Evaluator,
    rows: Sequence[CorpusRow],
    split: str,
    settings: PairedSettings,
    store: RecordStore,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> None:
    """Decode, evaluate and record every move of a task's parents that `store` does not hold yet.

    Args:
        rows: the task's whole corpus; parents are programs of its `split`.
        progress: called after each batch with the groups done and their number.

    A record holds: task, radius (0 for moves without one), parent (its index), move, sample; family, parent_hash,
    parent_score, parent_quantile; length (of the step, in standard deviations), predicted_parent, predicted_point,
    predicted_program (after encoding again), program_distance; program, tokens, sampled, rejections; status, objective,
    score, quantile (rank among the corpus scores, 0 if invalid), change (of that quantile), beats (its parent's score);
    differs (its canonical form from the parent's), in_corpus, new_behaviour; chosen_by (the screening sizes that chose
    it). Programs that no size chose have the status `screened`: they were run on probe states only.
    """
    task = evaluator.task
    reference = Reference(rows)
    parents = choose_parents([row for row in rows if row.split == split], settings.parents, settings.seed)
    if not parents:
        return
    latents = components.encode([row.program for row in parents], task, behaviours=[row.behaviour for row in parents])
    origins = components.to_space(latents)
    targets = _targets(components, evaluator, parents, origins, settings)
    done = store.done(task.name)
    waiting = [target for target in targets if target.group not in done]
    components.decoder.budget = Budget(len(waiting) * max(settings.screening))
    with torch.no_grad():
        predicted_parents = components.score(origins).tolist()
    at_once = max(1, settings.batch // max(settings.screening))
    for start in range(0, len(waiting), at_once):
        batch = waiting[start : start + at_once]
        records = _decode_and_evaluate(components, evaluator, batch, parents, reference, settings)
        for record in records:
            record["predicted_parent"] = predicted_parents[record["parent"]]
        store.add(records)
        progress(len(targets) - len(waiting) + start + len(batch), len(targets))


def _targets(
    components: Components,
    evaluator: Evaluator,
    parents: Sequence[CorpusRow],
    origins: Tensor,
    settings: PairedSettings,
) -> list[_Target]:
    scores = np.array([row.score for row in parents], dtype=np.float64)
    found: dict[Group, _Target] = {}
    for radius in settings.radii:
        search = replace(settings.search, radius=radius)
        moved = move_points(components, evaluator.task, origins, scores, search, settings.seed, settings.moves)
        for move, points in moved.items():
            with torch.no_grad():
                predicted = components.score(points)
            length = ((points - origins) / components.scale).norm(dim=-1)
            for row in range(len(parents)):
                group = (0.0 if move in FIXED_MOVES else radius, row, move)
                found.setdefault(group, _Target(group, points[row], float(length[row]), float(predicted[row])))
    # All moves of a parent one after the other: an unfinished measurement holds whole parents.
    return sorted(found.values(), key=lambda target: (target.group[1], target.group))


def _decode_and_evaluate(
    components: Components,
    evaluator: Evaluator,
    batch: Sequence[_Target],
    parents: Sequence[CorpusRow],
    reference: Reference,
    settings: PairedSettings,
) -> list[dict[str, Any]]:
    task, samples = evaluator.task, max(settings.screening)
    jobs = [(target, sample) for target in batch for sample in range(samples)]
    points = torch.stack([target.point for target, _ in jobs])
    # Keyed by parent and sample alone: all moves of a parent are decoded with the same draws.
    generators = [stream(settings.seed, task, 3, target.group[1], sample) for target, sample in jobs]
    with ExitStack() as stack:
        guided = settings.search.guidance
        options: dict[str, Any] = {"guide": stack.enter_context(evaluator.stepping())} if guided else {}
        decoded = components.decode(points, task, generators, settings.search, **options)
    sources = [generated.source for generated in decoded]
    behaviours = evaluator.probe_many(sources)
    values, predicted, distance = screening_values(
        components, sources, behaviours, points.numpy(), task, settings.search.nearness
    )
    chosen: dict[int, list[int]] = {}
    for first in range(0, len(jobs), samples):
        for size in settings.screening:
            chosen.setdefault(first + int(np.argmax(values[first : first + size])), []).append(size)
    judged = [row for row in sorted(chosen) if decoded[row].finished]
    evaluations = dict(zip(judged, evaluator.evaluate_many([sources[row] for row in judged], "search")))
    records = []
    for row, (target, sample) in enumerate(jobs):
        radius, index, move = target.group
        parent, evaluation, behaviour = parents[index], evaluations.get(row), behaviours[row]
        score = None if evaluation is None else evaluation.score
        quantile, before = reference.quantile(score), reference.quantile(parent.score)
        identity = _hash(decoded[row])
        status = SCREENED if evaluation is None else evaluation.status
        records.append(
            {
                "task": task.name,
                "radius": radius,
                "parent": index,
                "move": move,
                "sample": sample,
                "family": parent.family,
                "parent_hash": parent.hash,
                "parent_score": parent.score,
                "parent_quantile": before,
                "length": target.length,
                "predicted_point": target.predicted,
                "predicted_program": None if np.isnan(predicted[row]) else float(predicted[row]),
                "program_distance": None if np.isnan(distance[row]) else float(distance[row]),
                "program": sources[row],
                "tokens": len(decoded[row].token_ids),
                "sampled": decoded[row].sampled,
                "rejections": decoded[row].rejections,
                "status": status if decoded[row].finished else UNDECODABLE,
                "objective": None if evaluation is None else evaluation.objective,
                "score": score,
                "quantile": quantile,
                "change": quantile - before,
                "beats": score is not None and score > parent.score + tolerance(parent.score),
                "differs": identity != parent.hash,
                "in_corpus": reference.has_text(identity),
                "new_behaviour": behaviour is not None and not reference.has_behaviour(behaviour),
                "chosen_by": chosen.get(row, []),
            }
        )
    return records


def _hash(generated: GeneratedProgram) -> str | None:
    try:
        return programs.program_hash(generated.source)
    except programs.ProgramError:
        return None
