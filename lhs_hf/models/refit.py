"""A surrogate fine-tuned on what a search has seen, without the machinery of a training."""

from __future__ import annotations

import copy
from dataclasses import dataclass

import torch
from torch import Tensor

from .modeling_surrogate import LHSSurrogate


@dataclass(frozen=True)
class Refit:
    """How far a surrogate is taken by what a search finds: full-batch steps of AdamW."""

    steps: int
    learning_rate: float


REFIT = Refit(150, 3e-4)
FIRST_FIT = Refit(300, 1e-3)
"""From random weights there is more to learn and nothing to forget."""


def refit_surrogate(
    surrogate: LHSSurrogate, inputs: Tensor, scores: Tensor, seed: int, fit: Refit = REFIT
) -> LHSSurrogate:
    """A copy of a surrogate, fine-tuned on all pairs of vectors (N, d) with scores (N,), higher is better.

    For active learning inside a search: about a second, no validation, the same weights for the same arguments. Dropout
    masks come from a stream of `seed`; torch's global generator is left as it was. If all scores are equal there is
    nothing to learn and the copy has the old weights.
    """
    from scipy.stats import rankdata

    fitted = copy.deepcopy(surrogate)
    inputs = inputs.detach().float().to(surrogate.device)
    ranks = torch.from_numpy(rankdata(scores.double().numpy()) - 1.0).float().to(surrogate.device)
    if len(ranks) == 0 or bool((ranks == ranks[0]).all()):
        return fitted.eval()
    optimizer = torch.optim.AdamW(fitted.parameters(), lr=fit.learning_rate, weight_decay=1e-3)
    with torch.random.fork_rng(devices=[]), torch.enable_grad():
        torch.manual_seed(seed)
        fitted.train()
        for _ in range(fit.steps):
            optimizer.zero_grad()
            fitted(inputs, ranks).loss.backward()
            torch.nn.utils.clip_grad_norm_(fitted.parameters(), 1.0)
            optimizer.step()
    return fitted.eval()
