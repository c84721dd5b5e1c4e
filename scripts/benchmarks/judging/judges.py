"""Judges of edits: who tells beforehand which children beat their parents."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from lhs_hf.models.modeling_surrogate import LHSSurrogate

from .outcomes import EDITS

Array = NDArray[np.float64]
ACCEPT = 0.2
"""A child is better than its parent with one-sided p below this: the level at which a race takes a new incumbent."""

_PENALTIES = (10.0, 30.0, 100.0, 300.0)
_FIRM = 100.0
_FOLDS = 3
_BATCH = 8
_MEMBERS = 5
_STEPS = 150


@dataclass(frozen=True)
class Edits:
    """Edits of one task as numbers. N rows; those that can not be encoded, or decide as their parent, are left out.

    `control`: (N, o + 2), the operator one-hot, the share of changed decisions and its logarithm. `latent`: (N, 2 d),
    child minus parent, and parent. `predicted`: (N, 2), the surrogate's prediction for the child, and child minus
    parent. `hit`: better beyond noise; `gain`: as a share of the parent's objective, 0 for a child that fails.
    """

    control: Array
    latent: Array
    predicted: Array
    hit: NDArray[np.bool_]
    gain: Array
    quantile: Array
    families: list[str]

    def __len__(self) -> int:
        return len(self.hit)

    def take(self, rows: NDArray[np.int64]) -> Edits:
        """Some of the rows."""
        arrays = (self.control, self.latent, self.predicted, self.hit, self.gain, self.quantile)
        return Edits(*(array[rows] for array in arrays), [self.families[row] for row in rows])


def numbers(records: Sequence[Mapping[str, Any]], surrogate: LHSSurrogate) -> Edits:
    """The records of one task and source as numbers."""
    kept = [each for each in records if each["child"] and each["changed"] and each["u_parent"] and each["u_child"]]
    operators = np.array([[float(each["operator"] == name) for name in EDITS] for each in kept])
    changed = np.array([each["changed"] / 64 for each in kept])
    before, after = (np.array([each[name] for each in kept]) for name in ("u_parent", "u_child"))
    with torch.no_grad():
        old, new = (surrogate(torch.from_numpy(u).float()).score.double().numpy() for u in (before, after))
    gain = np.array([each["gain"] if each["gain"] is not None else -1.0 for each in kept])
    beyond_noise = np.array([each["better"] is not None and each["better"] < ACCEPT for each in kept])
    return Edits(
        np.column_stack([operators, changed, np.log(changed)]),
        np.hstack([after - before, before]),
        np.column_stack([new, new - old]),
        (gain > 0) & beyond_noise,
        np.maximum(gain, 0.0),
        np.array([each["parent_quantile"] for each in kept]),
        [each["family"] for each in kept],
    )


Fit = Callable[[Edits], Callable[[Edits], Array]]
"""Learns from some edits, and gives what judges others: higher values for those that it likes."""


def surrogate_child(train: Edits) -> Callable[[Edits], Array]:
    """The surrogate that the model came with: its prediction for the child."""
    return lambda edits: edits.predicted[:, 0]


def surrogate_difference(train: Edits) -> Callable[[Edits], Array]:
    """The surrogate that the model came with: child minus parent."""
    return lambda edits: edits.predicted[:, 1]


def few_changed(train: Edits) -> Callable[[Edits], Array]:
    """Nothing learned: the fewer decisions change, the better."""
    return lambda edits: -edits.control[:, -2]


def control(train: Edits) -> Callable[[Edits], Array]:
    """No latents: operators and numbers of changed decisions."""
    return _logistic(train, lambda edits: edits.control, 1.0)


def control_and_surrogate(train: Edits) -> Callable[[Edits], Array]:
    """The control with both predictions of the surrogate beside it."""
    return _logistic(train, lambda edits: np.hstack([edits.control, edits.predicted]), 1.0)


def direction(train: Edits) -> Callable[[Edits], Array]:
    """A learned direction: how far the edit goes from where failing edits lead towards where improving ones lead."""
    half = train.latent.shape[1] // 2
    steps, hit = train.latent[:, :half], train.hit
    if not hit.any() or hit.all():
        return lambda edits: np.zeros(len(edits))
    spread = steps.std(axis=0) + 1e-6
    towards = (steps[hit].mean(axis=0) - steps[~hit].mean(axis=0)) / spread**2
    return lambda edits: edits.latent[:, :half] @ towards


def differences(train: Edits) -> Callable[[Edits], Array]:
    """Ridge logistic regression on child minus parent, the parent and the control; its strength by inner families."""
    return _logistic(train, _all, _strength(train))


def firm_differences(train: Edits) -> Callable[[Edits], Array]:
    """The same with one strength: what is cheap enough to be learned again all the time."""
    return _logistic(train, _all, _FIRM)


def network(train: Edits) -> Callable[[Edits], Array]:
    """An ensemble of small networks on the same, and on what the surrogate predicts."""
    inputs = lambda edits: np.hstack([_all(edits), edits.predicted])  # noqa: E731
    mean, spread = inputs(train).mean(axis=0), inputs(train).std(axis=0) + 1e-6
    x = torch.from_numpy((inputs(train) - mean) / spread).float()
    y = torch.from_numpy(train.hit).float()
    members = [_member(x, y, seed) for seed in range(_MEMBERS)]

    def judge(edits: Edits) -> Array:
        with torch.no_grad():
            rows = torch.from_numpy((inputs(edits) - mean) / spread).float()
            values: Array = torch.stack([member(rows).squeeze(-1) for member in members]).mean(dim=0).double().numpy()
        return values

    return judge


JUDGES: dict[str, Fit] = {
    "surrogate of the child": surrogate_child,
    "surrogate, child - parent": surrogate_difference,
    "few changed decisions": few_changed,
    "control": control,
    "control + surrogate": control_and_surrogate,
    "direction": direction,
    "differences, ridge": differences,
    "differences, firm ridge": firm_differences,
    "differences, networks": network,
}


def online(fit: Fit, before: Edits | None, edits: Edits) -> Array:
    """What a judge says of edits in their order, refitted after every few on all before; 0 until it has seen any."""
    values = np.zeros(len(edits))
    for start in range(0, len(edits), _BATCH):
        seen = edits.take(np.arange(start))
        known = seen if before is None else joined([before, seen])
        rows = np.arange(start, min(start + _BATCH, len(edits)))
        if known.hit.any() and not known.hit.all():
            values[rows] = fit(known)(edits.take(rows))
    return values


def joined(parts: Sequence[Edits]) -> Edits:
    """Several sets of edits as one."""
    names = ("control", "latent", "predicted", "hit", "gain", "quantile")
    arrays = (np.concatenate([getattr(part, name) for part in parts]) for name in names)
    return Edits(*arrays, [family for part in parts for family in part.families])


def _all(edits: Edits) -> Array:
    return np.hstack([edits.control, edits.latent])


def _logistic(train: Edits, inputs: Callable[[Edits], Array], strength: float) -> Callable[[Edits], Array]:
    """Penalised logistic regression by Newton's method; the columns of the control are penalised by 1 at most."""
    x = inputs(train)
    mean, spread = x.mean(axis=0), x.std(axis=0) + 1e-6
    design = np.column_stack([(x - mean) / spread, np.ones(len(x))])
    penalty = np.full(design.shape[1], strength)
    penalty[: train.control.shape[1]] = min(1.0, strength)
    penalty[-1] = 1e-3
    weights = np.zeros(design.shape[1])
    for _ in range(6):
        chance = 1.0 / (1.0 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (chance - train.hit) + penalty * weights
        curve = (design.T * (chance * (1 - chance) + 1e-6)) @ design + np.diag(penalty)
        step = np.linalg.solve(curve, slope)
        weights -= step / max(1.0, float(np.abs(step).max()))
    return lambda edits: ((inputs(edits) - mean) / spread) @ weights[:-1]


def _strength(train: Edits) -> float:
    """The penalty of the latents with the best AUC on held-out families of the training edits."""
    names = sorted(set(train.families))
    fold = np.array([names.index(family) % _FOLDS for family in train.families])
    best = []
    for strength in _PENALTIES:
        scores = []
        for number in range(_FOLDS):
            inner, outer = (train.take(np.flatnonzero(rows)) for rows in (fold != number, fold == number))
            if len(inner) and inner.hit.any() and len(outer):
                score = auc(_logistic(inner, _all, strength)(outer), outer.hit)
                scores += [score] if score is not None else []
        best.append(float(np.mean(scores)) if scores else 0.5)
    return _PENALTIES[int(np.argmax(best))]


def auc(values: Array, hit: NDArray[np.bool_]) -> float | None:
    """The chance that a hit is liked more than another; None without both."""
    from scipy.stats import rankdata

    hits = int(hit.sum())
    if hits in (0, len(hit)):
        return None
    ranks = rankdata(values)
    return float((ranks[hit].sum() - hits * (hits + 1) / 2) / (hits * (len(hit) - hits)))


def _member(x: torch.Tensor, y: torch.Tensor, seed: int) -> nn.Module:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        layers = (nn.Linear(x.shape[1], 32), nn.ReLU(), nn.Dropout(0.3), nn.Linear(32, 1))
        member = nn.Sequential(*layers)
        optimizer = torch.optim.AdamW(member.parameters(), lr=3e-3, weight_decay=0.1)
        for _ in range(_STEPS):
            optimizer.zero_grad()
            nn.functional.binary_cross_entropy_with_logits(member(x).squeeze(-1), y).backward()
            optimizer.step()
    return member.eval()
