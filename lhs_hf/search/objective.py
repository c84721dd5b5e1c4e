"""What the ascent climbs: the predicted score, less what is uncertain and less what is far from the training data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from ..tasks.base import Task
from .ascent import ScoreFunction
from .settings import SearchSettings

if TYPE_CHECKING:
    from .components import Components


def ascent_objective(components: Components, settings: SearchSettings, task: Task) -> ScoreFunction:
    """The function of points (B, d) -> (B,) that gradient optimisers climb.

    f(u) - uncertainty * sigma(u) - prior_weight * ||(u - m) / s||^2 / (2 d), with sigma the standard deviation of
    `Components.deviation` and m, s the moments of the training points (0 and 1 in the prior space: the last term is
    -log N(u; 0, I) / d up to a constant, so a step pays for the probability it loses). With both weights 0 it is the
    surrogate itself (paper, section 3.3).
    """
    if not settings.uncertainty and not settings.prior_weight:
        return components.score
    mean, deviation = components.prior(task) if settings.prior_weight else (None, None)

    def objective(points: Tensor) -> Tensor:
        value = components.score(points)
        if settings.uncertainty:
            value = value - settings.uncertainty * components.deviation(points, settings.seed)
        if mean is not None and deviation is not None:
            energy = 0.5 * ((points - mean) / deviation).square().mean(dim=-1)
            value = value - settings.prior_weight * energy
        return value

    return objective
