"""Where the moves of the paired test lead: from the same parents, the gradient's step and what it is compared with."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle, islice

import numpy as np
import torch
from torch import Tensor

from lhs_hf.corpus.dataset import CorpusRow
from lhs_hf.search.ascent import ascend
from lhs_hf.search.components import Components
from lhs_hf.search.objective import ascent_objective
from lhs_hf.search.settings import SearchSettings
from lhs_hf.tasks.base import Task

MOVES = ("none", "gradient", "random", "random_latent", "against", "nearest_elite", "prior")

# The same whatever the radius.
FIXED_MOVES = ("none", "nearest_elite", "prior")


def choose_parents(rows: Sequence[CorpusRow], count: int, seed: int) -> list[CorpusRow]:
    """`count` programs, drawn so that families take turns; a smaller count gives the beginning of a larger.

    Where there are fewer, they come again: an ascent from a program is decoded with other draws then. None for no rows.
    """
    if not rows:
        return []
    generator = np.random.default_rng([seed, zlib.crc32(rows[0].task.encode())])
    families: dict[str, list[CorpusRow]] = {}
    for row in sorted(rows, key=lambda row: row.hash):
        families.setdefault(row.family, []).append(row)
    names = sorted(families)
    order = [families[names[index]] for index in generator.permutation(len(names))]
    shuffled = [[members[index] for index in generator.permutation(len(members))] for members in order]
    turns = max(map(len, shuffled))
    drawn = [members[turn] for turn in range(turns) for members in shuffled if turn < len(members)]
    return list(islice(cycle(drawn), count))


def stream(seed: int, task: Task, *key: int) -> torch.Generator:
    """The random stream of one draw, independent of every other."""
    state = np.random.default_rng([seed, zlib.crc32(task.name.encode()), *key])
    return torch.Generator().manual_seed(int(state.integers(2**63)))


def move_points(
    components: Components,
    task: Task,
    points: Tensor,
    scores: np.ndarray,
    settings: SearchSettings,
    seed: int,
    moves: Sequence[str] = MOVES,
) -> dict[str, Tensor]:
    """Points (N, d) that each move leads to.

    `none` stays. `gradient` ascends inside the trust region of `settings` and `against` descends. `random` goes as far
    as the gradient went, parent by parent, in a random direction of the searched space, `random_latent` in a random
    direction of z as far as the gradient's latent moved. `nearest_elite` is the point of the nearest training program
    with a better score (the best one where there is none). `prior` is a sample of the prior.

    Args:
        points: (N, d), the parents; `scores`: float64 (N,), theirs.

    Raises `CallError` if a move needs training programs and the task has none, `ValueError` for a radius of None.
    """
    if settings.radius is None:
        raise ValueError("the paired test compares moves inside a trust region: give a radius")
    settings = replace(settings, jitter=0.0)
    count, size = points.shape
    scale = components.scale
    objective = ascent_objective(components, settings, task)
    ascended = ascend(points, points, objective, settings, scale)
    # One direction a parent, from its own stream: what a parent does depends on no other.
    normal = torch.stack([torch.randn(size, generator=stream(seed, task, 1, row)) for row in range(count)])
    direction = normal / normal.norm(dim=-1, keepdim=True)
    found = {"none": points, "gradient": ascended}
    if "random" in moves:
        length = ((ascended - points) / scale).norm(dim=-1, keepdim=True)
        found["random"] = points + length * scale * direction
    if "random_latent" in moves:
        latents = components.to_latents(points).cpu()
        length = (components.to_latents(ascended).cpu() - latents).norm(dim=-1, keepdim=True)
        found["random_latent"] = components.to_space(latents + length * direction)
    if "against" in moves:
        found["against"] = ascend(points, points, lambda at: -objective(at), settings, scale)
    if "nearest_elite" in moves:
        found["nearest_elite"] = _nearest_elites(components, task, points, scores)
    if "prior" in moves:
        mean, deviation = components.prior(task)
        draws = torch.stack([torch.randn(size, generator=stream(seed, task, 2, row)) for row in range(count)])
        found["prior"] = mean + deviation * draws
    return {name: found[name].detach() for name in moves}


def _nearest_elites(components: Components, task: Task, points: Tensor, scores: np.ndarray) -> Tensor:
    known = components.corpus_points(task)
    if known is None:
        raise ValueError(f"the corpus has no training programs of {task.name} to move to")
    elite_points, elite_scores = known
    chosen = []
    for point, score in zip(points, scores):
        distance = ((elite_points - point) / components.scale).norm(dim=-1).double().numpy()
        better = elite_scores > score
        chosen.append(int(np.where(better, distance, np.inf).argmin()) if better.any() else int(elite_scores.argmax()))
    return elite_points[chosen]
