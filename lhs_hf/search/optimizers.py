"""How a seed's point becomes a candidate's point: gradient ascent, and what it is compared with.

Every optimiser is a function of a `Request`. None keeps a state of its own: what depends on earlier rounds is rebuilt
from the request's history, so that a resumed search proposes what an undisturbed one would have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import torch

from .ascent import ascend
from .evolution import cem, cma
from .history import Proposal, Request


def gradient(asked: Request) -> Proposal:
    """Ascent from each seed (the paper's LHS)."""
    starts, settings = asked.centres, asked.settings
    if settings.radius is not None and settings.jitter:
        starts = starts + settings.jitter * settings.radius * asked.scale * asked.directions()
    return asked.propose(ascend(starts, asked.centres, asked.score, settings, asked.scale))


def interpolation(asked: Request) -> Proposal:
    """The midpoint of each seed and another program of the pool (the paper's No-Grad): u = (u_a + u_b) / 2."""
    partners: list[int | None] = []
    points = []
    pool = asked.pool
    for centre in asked.centres:
        order = torch.randperm(len(pool), generator=asked.generator).tolist()
        other = next((index for index in order if not torch.equal(pool[index], centre)), order[0])
        partners.append(other)
        points.append(0.5 * centre + 0.5 * pool[other])
    return Proposal(torch.stack(points), partners)


def random(asked: Request) -> Proposal:
    """A random direction of the trust region's length: the control for the gradient."""
    return asked.propose(asked.centres + asked.length * asked.scale * asked.directions())


def against(asked: Request) -> Proposal:
    """Descent from each seed: the control that says whether the gradient's sign matters."""
    return gradient(replace(asked, score=lambda points: -asked.score(points)))


def none(asked: Request) -> Proposal:
    """No step: each seed's point is decoded again."""
    return asked.propose(asked.centres)


def prior(asked: Request) -> Proposal:
    """Independent samples of the prior: N(0, I), or in the latent space the training latents' own Gaussian."""
    mean, deviation = asked.found("prior").prior()
    return asked.propose(mean + deviation * asked.noise())


def nearest_elite(asked: Request) -> Proposal:
    """The point of the nearest program of the pool with a better score than the seed's, decoded as it is.

    Needs the scores of `history`. The best program of the pool has no better one and is decoded itself.
    """
    pool, scores = asked.pool, asked.found("nearest_elite").pool_scores
    partners: list[int | None] = []
    points = []
    for centre in asked.centres:
        distance = ((pool - centre) / asked.scale).norm(dim=-1)
        own = int(distance.argmin())
        better = [index for index in range(len(pool)) if scores[index] > scores[own]]
        partner = min(better, key=lambda index: float(distance[index]), default=None)
        partners.append(partner)
        points.append(centre if partner is None else pool[partner])
    return Proposal(torch.stack(points), partners)


OPTIMIZERS: dict[str, Callable[[Request], Proposal]] = {
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
