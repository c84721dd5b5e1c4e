"""How a seed's point becomes a candidate's point: gradient ascent, and what it is compared with.

Every optimiser has one signature: `centres` (B, d) are the seeds' points and `pool` (P, d) those of the best programs,
best first; `score` is what is climbed, `scale` (d,) the standard deviation of each coordinate, and `history` what the
search has found so far. None keeps a state of its own: what depends on earlier rounds is rebuilt from `history`, so
that a resumed search proposes what an undisturbed one would have.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .ascent import ScoreFunction, ascend, project, random_directions, score_gradient
from .evolution import cem, cma
from .history import History, Proposal
from .settings import SearchSettings

__all__ = ["OPTIMIZERS", "History", "Proposal", "ascend", "project", "random_directions", "score_gradient"]


def _starts(centres: Tensor, settings: SearchSettings, scale: Tensor, generator: torch.Generator) -> Tensor:
    if settings.radius is None or settings.jitter == 0:
        return centres
    shape = (centres.shape[0], centres.shape[1])
    directions = random_directions(shape, generator).to(centres)
    return centres + settings.jitter * settings.radius * scale * directions


def gradient(
    centres: Tensor,
    pool: Tensor,
    score: ScoreFunction,
    settings: SearchSettings,
    scale: Tensor,
    generator: torch.Generator,
    history: History | None = None,
) -> Proposal:
    """Ascent from each seed (the paper's LHS)."""
    starts = _starts(centres, settings, scale, generator)
    return Proposal(ascend(starts, centres, score, settings, scale), [None] * len(centres))


def interpolation(
    centres: Tensor,
    pool: Tensor,
    score: ScoreFunction,
    settings: SearchSettings,
    scale: Tensor,
    generator: torch.Generator,
    history: History | None = None,
) -> Proposal:
    """The midpoint of each seed and another program of the pool (the paper's No-Grad): u = (u_a + u_b) / 2."""
    partners: list[int | None] = []
    points = []
    for centre in centres:
        order = torch.randperm(len(pool), generator=generator).tolist()
        other = next((index for index in order if not torch.equal(pool[index], centre)), order[0])
        partners.append(other)
        points.append(0.5 * centre + 0.5 * pool[other])
    return Proposal(torch.stack(points), partners)


def random(
    centres: Tensor,
    pool: Tensor,
    score: ScoreFunction,
    settings: SearchSettings,
    scale: Tensor,
    generator: torch.Generator,
    history: History | None = None,
) -> Proposal:
    """A random direction of the trust region's length: the control for the gradient."""
    length = settings.radius if settings.radius is not None else settings.steps * settings.step_size
    directions = random_directions((centres.shape[0], centres.shape[1]), generator).to(centres)
    return Proposal(centres + length * scale * directions, [None] * len(centres))


def against(
    centres: Tensor,
    pool: Tensor,
    score: ScoreFunction,
    settings: SearchSettings,
    scale: Tensor,
    generator: torch.Generator,
    history: History | None = None,
) -> Proposal:
    """Descent from each seed: the control that says whether the gradient's sign matters."""
    return gradient(centres, pool, lambda points: -score(points), settings, scale, generator, history)


def none(
    centres: Tensor,
    pool: Tensor,
    score: ScoreFunction,
    settings: SearchSettings,
    scale: Tensor,
    generator: torch.Generator,
    history: History | None = None,
) -> Proposal:
    """No step: each seed's point is decoded again."""
    return Proposal(centres, [None] * len(centres))


def prior(
    centres: Tensor,
    pool: Tensor,
    score: ScoreFunction,
    settings: SearchSettings,
    scale: Tensor,
    generator: torch.Generator,
    history: History | None = None,
) -> Proposal:
    """Independent samples of the prior: N(0, I), or in the latent space the training latents' own Gaussian."""
    mean, deviation = history.prior() if history is not None else (torch.zeros_like(scale), scale)
    noise = torch.randn((centres.shape[0], centres.shape[1]), generator=generator).to(centres)
    return Proposal(mean + deviation * noise, [None] * len(centres))


def nearest_elite(
    centres: Tensor,
    pool: Tensor,
    score: ScoreFunction,
    settings: SearchSettings,
    scale: Tensor,
    generator: torch.Generator,
    history: History | None = None,
) -> Proposal:
    """The point of the nearest program of the pool with a better score than the seed's, decoded as it is.

    Needs the scores of `history`. The best program of the pool has no better one and is decoded itself.
    """
    if history is None:
        raise ValueError("nearest_elite needs the scores of the pool: pass a history")
    partners: list[int | None] = []
    points = []
    for centre in centres:
        distance = ((pool - centre) / scale).norm(dim=-1)
        own = int(distance.argmin())
        better = [index for index in range(len(pool)) if history.pool_scores[index] > history.pool_scores[own]]
        partner = min(better, key=lambda index: float(distance[index]), default=None)
        partners.append(partner)
        points.append(centre if partner is None else pool[partner])
    return Proposal(torch.stack(points), partners)


OPTIMIZERS: dict[str, Callable[..., Proposal]] = {
    "gradient": gradient,
    "interpolation": interpolation,
    "random": random,
    "against": against,
    "none": none,
    "prior": prior,
    "nearest_elite": nearest_elite,
    "cma": cma,
    "cem": cem,
}
