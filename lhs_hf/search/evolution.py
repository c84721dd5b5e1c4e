"""Optimisers that learn a distribution from true scores: CMA-ES and the cross-entropy method."""

from __future__ import annotations

import numpy as np
import torch

from .history import Proposal, Request

# What the prior counts in a cross-entropy fit, in programs: a small elite says little about 128 variances.
PRIOR_PROGRAMS = 2.0


def cma(asked: Request) -> Proposal:
    """The next generation of one CMA-ES (Hansen) that runs through the whole search, on true scores.

    It starts at the best program known before the first round, with steps whose length is about the radius (sigma =
    radius / sqrt(d) in units of `scale`); a generation is a round. The evolution is replayed from the stored scores at
    every call: its random stream depends on the search's seed alone. A program without a score ranks last.
    """
    from cma import CMAEvolutionStrategy

    history, scale = asked.found("cma"), asked.scale
    stream = np.random.default_rng(history.seed)
    evolution = CMAEvolutionStrategy(
        history.start.double().numpy(),
        asked.length / len(scale) ** 0.5,
        {
            "popsize": asked.settings.seeds,
            "CMA_stds": scale.double().numpy(),
            # Its own stream and no seed: the library would seed numpy's global generator.
            "randn": lambda *shape: stream.standard_normal(shape),
            "seed": np.nan,
            "verbose": -9,
        },
    )
    for finished in history.rounds:
        evolution.tell(evolution.ask(), _losses(finished.scores))
    points = torch.from_numpy(np.stack(evolution.ask())).to(asked.centres)
    return asked.propose(points[: len(asked.centres)])


def _losses(scores: np.ndarray) -> list[float]:
    """Values to minimise: negated scores, and one worse than all others where there is none."""
    known = scores[np.isfinite(scores)]
    worst = 0.0 if len(known) == 0 else float((-known).max()) + 1.0
    return [worst if not np.isfinite(value) else -float(value) for value in scores]


def cem(asked: Request) -> Proposal:
    """Cross-entropy method: samples of a Gaussian fitted to the elite of everything evaluated, which is the pool.

    Mean and diagonal variance are those of the pool (P, d), shrunk to the prior's as if it were `PRIOR_PROGRAMS` more
    programs.
    """
    mean, deviation = asked.found("cem").prior()
    pool = asked.pool
    share = len(pool) / (len(pool) + PRIOR_PROGRAMS)
    fitted_mean = share * pool.mean(dim=0) + (1 - share) * mean
    fitted_variance = share * pool.var(dim=0, unbiased=False) + (1 - share) * deviation.square()
    return asked.propose(fitted_mean + fitted_variance.sqrt() * asked.noise())
