"""How a seed's point becomes a candidate's point: gradient ascent, and what it is compared with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor

from .settings import SearchSettings


@dataclass(frozen=True)
class Proposal:
    """Points to decode, `after` (B, d); `other_parent` is each row's second parent as an index of the pool, or None."""

    after: Tensor
    other_parent: list[int | None]


ScoreFunction = Callable[[Tensor], Tensor]


def random_directions(shape: tuple[int, int], generator: torch.Generator) -> Tensor:
    """Unit vectors, uniform on the sphere; shape (B, d), float32."""
    directions = torch.randn(shape, generator=generator)
    return directions / directions.norm(dim=-1, keepdim=True).clamp_min(1e-12)


def project(points: Tensor, centres: Tensor, radius: float, scale: Tensor) -> Tensor:
    """The nearest points inside the balls of `radius` (in units of `scale`, (d,)) around `centres`."""
    offset = (points - centres) / scale
    length = offset.norm(dim=-1, keepdim=True)
    # The factor keeps rounding from leaving the ball by a last bit.
    shrink = torch.where(length > radius, radius * (1 - 1e-6) / length.clamp_min(1e-12), torch.ones_like(length))
    return centres + offset * shrink * scale


def score_gradient(points: Tensor, score: ScoreFunction) -> Tensor:
    """Gradient of the predicted score, (B, d). Points are independent rows, so the sum's gradient is each row's own."""
    with torch.enable_grad():
        leaf = points.detach().requires_grad_(True)
        (gradient,) = torch.autograd.grad(score(leaf).sum(), leaf)
    return gradient


def ascend(starts: Tensor, centres: Tensor, score: ScoreFunction, settings: SearchSettings, scale: Tensor) -> Tensor:
    """Gradient ascent on the predicted score, shape (B, d) -> (B, d).

    With `settings.radius` None: u <- u + eta * grad f(u), T times (the paper's update rule). Otherwise steps of length
    radius / T along the normalised gradient (in units of `scale`), kept inside the trust region around `centres`; a
    step that does not raise the predicted score is halved, up to four times, and else not taken.
    """
    points = starts.detach()
    for _ in range(settings.steps):
        gradient = score_gradient(points, score)
        if settings.radius is None:
            points = points + settings.step_size * gradient
            continue
        direction = gradient * scale
        direction = direction / direction.norm(dim=-1, keepdim=True).clamp_min(1e-12) * scale
        length = settings.radius / settings.steps
        current = score(points).detach()
        moved = torch.zeros(len(points), dtype=torch.bool, device=points.device)
        best = points
        for _ in range(4):
            trial = project(points + length * direction, centres, settings.radius, scale)
            better = (score(trial).detach() > current) & ~moved
            best = torch.where(better[:, None], trial, best)
            moved |= better
            if bool(moved.all()):
                break
            length /= 2
        points = best
    return points.detach()


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
) -> Proposal:
    """A random direction of the trust region's length: the control for the gradient."""
    length = settings.radius if settings.radius is not None else settings.steps * settings.step_size
    directions = random_directions((centres.shape[0], centres.shape[1]), generator).to(centres)
    return Proposal(centres + length * scale * directions, [None] * len(centres))


OPTIMIZERS: dict[str, Callable[..., Proposal]] = {
    "gradient": gradient,
    "interpolation": interpolation,
    "random": random,
}
