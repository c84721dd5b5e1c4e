"""Moving points: directions, the trust region, gradient ascent on a predicted score."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from .settings import SearchSettings

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
